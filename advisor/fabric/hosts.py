"""Hosts with their GPUs and ports, out of the tools that run on a host and the schedulers that list them."""

from collections.abc import Iterable, Mapping

from advisor.evidence.bundle import Bundle, Known
from advisor.evidence.origin import Origin
from advisor.fabric.claims import Claims
from advisor.fabric.facts import names, text, tree, whole
from advisor.fabric.model import Gpu, Host
from advisor.fabric.names import HostNames, own_name
from advisor.fabric.ports import port, say_ports

_TOPO = ("nvidia-smi-topo", "rocm-smi-topo", "nccl-topo-xml")
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


def hosts(claims: Claims, host_names: HostNames, named: Iterable[str], leaf_of: Mapping[str, str]) -> dict[str, Host]:
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
    """Rate of a host's data ports together: those that are up and as fast as its fastest, as slower ones serve management."""
    rates = [p.rate_gbps for p in host.ports.values() if p.state in ("active", "armed") and p.rate_gbps]
    return sum(rate for rate in rates if rate >= max(rates)) if rates else None
