"""Hosts with their GPUs and ports, out of the tools that run on a host and the schedulers that list them."""

import re
from collections.abc import Iterable, Mapping

from advisor.evidence.bundle import Bundle, Known
from advisor.evidence.origin import Origin
from advisor.fabric.claims import Claims
from advisor.fabric.facts import names, text, tree, whole
from advisor.fabric.identities import counters_by_lid
from advisor.fabric.model import Fabric, Gpu, Host
from advisor.fabric.names import HostNames, own_name
from advisor.fabric.ports import port, say_ports

_TOPO = ("nvidia-smi-topo", "rocm-smi-topo", "nccl-topo-xml")
_BOND = re.compile(r"(?:bond|team)[\d.]*\Z")
_MODELS = ("nvidia-smi-csv", "nvidia-smi-nvlink", "dcgm-exporter")


def say_hosts(bundle: Bundle, claims: Claims, host_names: HostNames) -> None:
    """Claims on hosts under (host, ""), their GPUs under (host, "gpu", name) and their ports under (host, "port", name)."""
    say_ports(bundle, claims, host_names)
    _say_gpus(bundle, claims, host_names)
    for known in bundle.find("gpu_count", *_TOPO):
        claims.say((host_names(known), ""), "gpu_count", known, whole(known.value))
    for known in bundle.find("hosts.*", "kubectl-describe-node"):
        name = host_names.short(own_name(known))
        claims.say((name, ""), "", known, None)
        for resource, amounts in tree(tree(known.value).get("resources")).items():
            if str(resource).endswith("/gpu"):
                claims.say((name, ""), "gpu_count", known, whole(tree(amounts).get("capacity")))
                claims.say((name, ""), "gpu_allocated", known, whole(tree(amounts).get("requested")))
    for known in bundle.find("hosts.*.resources.*.capacity", "kubectl-get"):
        if known.names[1].endswith("/gpu"):
            claims.say((host_names.short(known.names[0]), ""), "gpu_count", known, whole(known.value))
    for known in bundle.find("hosts.*", "slurm-node"):
        name = host_names.short(own_name(known))
        claims.say((name, ""), "", known, None)
        for figure in ("gpu_count", "gpu_allocated"):
            claims.say((name, ""), figure, known, whole(tree(known.value).get(figure)))
    for known, host, name, on_switch, counters in counters_by_lid(bundle, host_names):
        for figure, value in counters.items() if not on_switch else ():
            claims.say((host, "port", name), figure, known, value)
    for known in bundle.find("interfaces.*.members.*", "proc-net-bonding"):
        claims.say((host_names(known), "port", known.names[1]), "bond", known, known.names[0])
    for known in bundle.find("interfaces.*.bond_mode", "proc-net-bonding"):
        claims.say((host_names(known), "port", known.names[0]), "bond_mode", known, text(known.value))


def _say_gpus(bundle: Bundle, claims: Claims, host_names: HostNames) -> None:
    def say(known: Known, figure: str, value: object) -> None:
        claims.say((host_names(known), "gpu", known.names[0]), figure, known, value)

    for known in bundle.find("gpus.*", *_TOPO):
        say(known, "", None)
    for known in bundle.find("gpus.*.numa_node", *_TOPO):
        say(known, "numa_node", known.value if isinstance(known.value, int | str) else None)
    for known in bundle.find("gpus.*.nics", "nvidia-smi-topo"):
        say(known, "nic_relations", {str(nic): str(relation) for nic, relation in tree(known.value).items()} or None)
    for known in bundle.find("gpus.*.best_nics", "nvidia-smi-topo", "nccl-topo-xml"):
        say(known, "best_nics", names(known.value) or None)
    for known in bundle.find("gpus.*.model", *_MODELS):
        say(known, "model", text(known.value))
    for known in bundle.find("gpus.*.nvlink_active_count", "nvidia-smi-nvlink"):
        say(known, "nvlinks_active", whole(known.value))
    for known in bundle.find("gpus.*.nvlink_count", "nvidia-smi-nvlink"):
        say(known, "nvlinks", whole(known.value))


def hosts(
    claims: Claims, host_names: HostNames, named: Iterable[str], leaf_of: Mapping[str, str], leaves_of: Mapping[str, tuple[str, ...]]
) -> dict[str, Host]:
    """All hosts that a source speaks of, by name: those with claims, and `named` ones that only jobs, runs or the fabric name."""
    origins: dict[str, dict[str, Origin]] = {}
    for thing, figures in claims.said.items():
        for claim in (claimed[0] for claimed in figures.values() if claimed):
            here, source = origins.setdefault(thing[0], {}), claim.known.capture.name
            if source not in here:
                here[source] = claim.origin
    found: dict[str, Host] = {}
    for name in sorted({*claims.things(), *named}):
        found[name] = Host(
            name=name,
            named=name not in host_names.unnamed,
            leaf=leaf_of.get(name),
            leaves=leaves_of.get(name, ()),
            gpus={gpu: _gpu(claims, name, gpu) for gpu in claims.things(name, "gpu")},
            ports={p: port(claims, (name, "port", p)) for p in claims.things(name, "port")},
            gpu_count=whole(claims.value((name, ""), "gpu_count")),
            gpu_allocated=whole(claims.value((name, ""), "gpu_allocated")),
            origins=tuple(origins.get(name, {}).values()),
        )
    return found


def _gpu(claims: Claims, host: str, name: str) -> Gpu:
    thing = (host, "gpu", name)
    fields = {figure: value for figure in claims.said[thing] if figure and (value := claims.value(thing, figure)) is not None}
    return Gpu.model_validate({"name": name, "origin": claims.origins(thing).get(""), **fields})


def host_rate_gbps(host: Host) -> float | None:
    """Rate of a host's data ports together: those that are up and as fast as its fastest, as slower ones serve management.

    Of a bond the members count, not the bond beside them; of one that keeps a member in reserve (active-backup), one of them.
    """
    up = {name: p.rate_gbps for name, p in host.ports.items() if p.state in ("active", "armed", None) and p.rate_gbps}
    up = {name: rate for name, rate in up.items() if host.ports[name].state is not None or host.ports[name].bond}
    bonds = {p.bond for p in host.ports.values() if p.bond}
    plain = {name: rate for name, rate in up.items() if name not in bonds and not _BOND.match(name)}
    masters = {name: rate for name, rate in up.items() if name not in plain}
    fastest = max(plain.values(), default=0.0)
    data = {name: rate for name, rate in plain.items() if rate >= fastest}
    spare = {bond for bond in bonds if bond in host.ports and host.ports[bond].bond_mode == "active-backup"}
    total = sum(rate for name, rate in data.items() if host.ports[name].bond not in spare)
    total += sum(max((rate for name, rate in data.items() if host.ports[name].bond == bond), default=0.0) for bond in spare)
    # A bond whose members no tool shows counts itself.
    return max(total, max(masters.values(), default=0.0) if not spare else total) or None


def ports_by_cable(fabric: Fabric) -> dict[str, tuple[int, float]]:
    """Host -> data ports that cables show, and the rate of one: healthy links to leaves as fast as its fastest."""
    rates: dict[str, list[float]] = {}
    for link in fabric.links:
        if link.tier == "host-port" and link.is_up and link.rate_gbps:
            host = link.a.device if link.a.device in fabric.hosts else link.b.device
            rates.setdefault(host, []).extend([link.rate_gbps] * link.count)
    return {host: (found.count(max(found)), max(found)) for host, found in rates.items() if host in fabric.hosts}
