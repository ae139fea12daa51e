"""Inside one host: how near GPU and NIC are, processors, and what kinds of hosts there are."""

import re
from collections import Counter
from collections.abc import Iterator

from advisor.diagnosis.measured import Row, measure
from advisor.diagnosis.observed import Observed
from advisor.fabric.model import Host
from advisor.fabric.paths import far_gpus, nearest_relation

_NEAR = {"PIX", "PXB"}
_CPUS = (
    ("amd-epyc", re.compile(r"epyc|rome|milan|genoa|bergamo|turin|naples", re.IGNORECASE)),
    (
        "intel-newer",
        re.compile(r"emerald|sapphire|granite|\bspr\b|\bemr\b|\bgnr\b|(?:gold|platinum|silver)\s*\d[45]\d\d|xeon 6", re.IGNORECASE),
    ),
    ("intel", re.compile(r"intel|xeon", re.IGNORECASE)),
    ("grace", re.compile(r"grace|neoverse", re.IGNORECASE)),
    ("other", re.compile(r"\w")),
)


def _hosts_with_matrix(site: Observed) -> Iterator[tuple[Host, dict[str, str]]]:
    for host in site.fabric.hosts.values():
        nearest = {gpu.name: relation for gpu in host.gpus.values() if (relation := nearest_relation(gpu))}
        if nearest:
            yield host, nearest


@measure("gpus_far_from_every_nic", "affinity", "node")
def far_from_every_nic(site: Observed) -> Iterator[Row]:
    """Share of a host's GPUs whose nearest NIC lies beyond a host bridge (NODE, SYS) although the host has as many NICs as GPUs.

    With fewer NICs than GPUs far relations are by design; SYS to the other NICs is normal and is not counted.
    """
    yield from _far(site, "PHB")


@measure("gpus_behind_host_bridge", "affinity", "node")
def behind_host_bridge(site: Observed) -> Iterator[Row]:
    """Share of a host's GPUs that reach even their nearest NIC through the CPU's bridge (PHB) or farther, with as many NICs as GPUs."""
    yield from _far(site, "PXB")


@measure("gpus_far_by_design", "affinity-design", "node")
def far_by_design(site: Observed) -> Iterator[Row]:
    """Share of a host's GPUs whose nearest NIC lies beyond a host bridge (NODE, SYS) because the host has fewer NICs than GPUs: normal."""
    for host, nearest in _hosts_with_matrix(site):
        nics = {nic for gpu in host.gpus.values() for nic in gpu.nic_relations}
        if nics and len(nics) < len(nearest):
            far = [name for name in far_gpus(host, "PHB") if name in nearest]
            yield len(far) / len(nearest), host.name, [host.gpus[name].origin for name in (far or nearest)]


def _far(site: Observed, beyond: str) -> Iterator[Row]:
    for host, nearest in _hosts_with_matrix(site):
        nics = {nic for gpu in host.gpus.values() for nic in gpu.nic_relations}
        far = [name for name in far_gpus(host, beyond) if name in nearest]
        if len(nics) >= len(nearest) or not far:
            yield len(far) / len(nearest), host.name, [host.gpus[name].origin for name in (far or nearest)]


@measure("near_nics_shared", "affinity", "node")
def near_nics_shared(site: Observed) -> Iterator[Row]:
    """Whether two GPUs or more have the same set of near NICs, at least two of them, so that a plan may put both on one."""
    for host, nearest in _hosts_with_matrix(site):
        sets = Counter(
            tuple(sorted(nic for nic, relation in gpu.nic_relations.items() if relation == nearest[gpu.name]))
            for gpu in host.gpus.values()
            if nearest.get(gpu.name) in _NEAR
        )
        if sets:
            shared = any(len(nics) >= 2 and count >= 2 for nics, count in sets.items())
            yield shared, host.name, [host.gpus[name].origin for name in nearest]


@measure("nearest_relations_differ", "affinity", "node")
def relations_differ(site: Observed) -> Iterator[Row]:
    """Whether some GPUs of a host have a near NIC (PIX, PXB) and others do not."""
    for host, nearest in _hosts_with_matrix(site):
        near = [name for name, relation in nearest.items() if relation in _NEAR]
        yield 0 < len(near) < len(nearest), host.name, [host.gpus[name].origin for name in nearest]


@measure("numa_nodes_per_socket", "numa", "node")
def numa_nodes_per_socket(site: Observed) -> Iterator[Row]:
    """NUMA nodes of a host over its sockets: 1 on a processor of many dies gathers host memory traffic on few channels."""
    for known in site.facts("socket_count", "lscpu"):
        nodes = next((n.value for n in site.facts("node_count", "lscpu") if n.origin.capture == known.origin.capture), None)
        if isinstance(nodes, int | float) and isinstance(known.value, int | float) and known.value:
            yield nodes / known.value, known.host or "", (known.origin,)


@measure("cpu_family", "product", "node")
def cpu_family(site: Observed) -> Iterator[Row]:
    """Family of the processor: amd-epyc, intel-newer (Sapphire, Emerald, Granite Rapids), intel, grace, other."""
    for value, where in site.stated("hosts", "cpu"):
        yield next(family for family, pattern in _CPUS if pattern.search(str(value))), "", (where,)
    for known in site.facts("cpu_model", "lscpu", "numactl"):
        yield next((family for family, pattern in _CPUS if pattern.search(str(known.value))), None), known.host or "", (known.origin,)


@measure("nics_per_gpu", "product", "node")
def nics_per_gpu(site: Observed) -> Iterator[Row]:
    """NICs of a host over its GPUs."""
    for entry in site.entries("hosts"):
        nics, gpus = entry.number("nics_per_host"), entry.number("gpus_per_host")
        if nics and gpus:
            yield nics / gpus, str(entry.get("class") or ""), (entry.origin("nics_per_host"),)


@measure("host_kinds_differ_in_ports", "ports-mixed", "fabric")
def mixed_ports(site: Observed) -> Iterator[Row]:
    """Whether hosts of the site differ in the rate of all their ports together: a job over both kinds runs as the weaker one."""
    stated = {(kind.all_ports_gbps, kind.origin) for kind in site.fabric.host_kinds if kind.all_ports_gbps}
    if len(site.fabric.host_kinds) > 1 and len(stated) > 1:
        yield len({rate for rate, _ in stated}) > 1, "", [where for _, where in sorted(stated, key=str)]
    sums = {}
    for host in site.fabric.hosts.values():
        rates = [port.rate_gbps for port in host.ports.values() if port.rate_gbps and port.state in (None, "active") and "/" in port.name]
        if rates and host.gpu_count:
            sums[host.name] = (sum(rates), host.origins[0] if host.origins else None)
    if len(sums) > 1:
        yield len({rate for rate, _ in sums.values()}) > 1, "", [where for _, where in sums.values()]
