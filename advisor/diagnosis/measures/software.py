"""Libraries and settings: transport, GPUDirect, plans, lists, variables that switch off or limit."""

from collections.abc import Iterator, Mapping
from typing import Any

from advisor.base.units import gBps
from advisor.diagnosis.growth import telling
from advisor.diagnosis.measured import Row, also, measure
from advisor.diagnosis.observed import Observed
from advisor.evidence.bundle import host_of, origin
from advisor.evidence.origin import Origin

SLOWEST_LANE_GBPS = 0.98  # GB/s of one PCIe lane at 8 GT/s
_OFF = {"0", "loc", "false", "no", "n"}


def _variables(site: Observed) -> Iterator[tuple[str, Mapping[str, Any], Origin | None]]:
    """Variables of runs and jobs, stated or of a library's log: about what, variables, origin."""
    for run in site.runs:
        for key in ("settings", "env"):
            if isinstance(run.settings.get(key), Mapping):
                yield run.label, run.settings[key], run.origin
    for entry in site.entries("jobs"):
        if isinstance(entry.get("settings"), Mapping):
            yield str(entry.get("name") or ""), entry.get("settings"), entry.origin("settings")
    for known in site.facts("env", "nccl-log"):
        if isinstance(known.value, Mapping):
            yield known.host or "", known.value, known.origin


def _value(variables: Mapping[str, Any], *names: str) -> str | None:
    return next((str(variables[name]).strip().lower() for name in names if name in variables), None)


@also("gdr_used")
def gdr_of_log(site: Observed) -> Iterator[Row]:
    """Whether all net lines of a library's log carry GDRDMA, and what a topology dump says of its NICs: one without decides."""
    yield from telling(_gdr(site), answer=False)


def _gdr(site: Observed) -> Iterator[Row]:
    for capture, part in site.bundle.parts("nccl-log"):
        hops = part.facts.get("hops")
        net = hops.get("net") if isinstance(hops, Mapping) else None
        if net and (part.facts.get("gdrdma_hops") or not part.facts.get("filtered")):
            yield part.facts.get("gdrdma_hops", 0) >= net, host_of(capture, part) or "", (origin(capture, part, ("hops", "net")),)
    for known in site.facts("nics.*.gdr", "nccl-topo-xml"):
        yield bool(known.value), known.names[0], (known.origin,)


@also("rdma_used")
def rdma_of_log(site: Observed) -> Iterator[Row]:
    """The network that a library's log names: NET/IB (InfiniBand and RoCE) or a plugin, against sockets. One host on sockets decides."""
    names = {known.origin.capture: known for known in site.facts("network", "nccl-log")}
    rows = [(str(known.value).lower(), known) for _, known in sorted(names.items())]
    yield from telling(((not name.startswith("socket"), known.host or "", (known.origin,)) for name, known in rows if name), answer=False)


@measure("rdma_switched_off", "transport-setting", "host-software")
def rdma_switched_off(site: Observed) -> Iterator[Row]:
    """Whether a variable forbids RDMA (NCCL_IB_DISABLE=1, NCCL_NET=Socket) or leaves it on."""
    for about, variables, where in _variables(site):
        disable, network = _value(variables, "NCCL_IB_DISABLE"), _value(variables, "NCCL_NET")
        if disable is not None or network is not None:
            yield disable in ("1", "true", "yes") or network == "socket", about, (where,)


@measure("gpudirect_switched_off", "gpudirect", "host-software")
def gpudirect_switched_off(site: Observed) -> Iterator[Row]:
    """Whether a variable forbids GPUDirect RDMA (NCCL_NET_GDR_LEVEL=0 or LOC, NCCL_NET_GDR_READ=0, NCCL_DMABUF_ENABLE=0 alone does not)."""
    for about, variables, where in _variables(site):
        level = _value(variables, "NCCL_NET_GDR_LEVEL", "NCCL_IB_CUDA_SUPPORT")
        if level is not None:
            yield level in _OFF, about, (where,)


@measure("peer_paths_switched_off", "library-setting", "host-software")
def peer_paths(site: Observed) -> Iterator[Row]:
    """Whether a variable forbids paths inside a host or between rails: NCCL_P2P_DISABLE, NCCL_SHM_DISABLE, NCCL_PXN_DISABLE=1."""
    for about, variables, where in _variables(site):
        said = [value for name in ("NCCL_P2P_DISABLE", "NCCL_SHM_DISABLE", "NCCL_PXN_DISABLE") if (value := _value(variables, name))]
        level = _value(variables, "NCCL_P2P_LEVEL")
        if said or level:
            yield "1" in said or level in _OFF, about, (where,)


@also("topology_file_in_use")
def topology_file(site: Observed) -> Iterator[Row]:
    for about, variables, where in _variables(site):
        if _value(variables, "NCCL_TOPO_FILE"):
            yield True, about, (where,)


@measure("hca_list_shorter_than_host", "nic-use", "host-software")
def hca_list(site: Observed) -> Iterator[Row]:
    """Whether a list of allowed devices (NCCL_IB_HCA) names fewer than the host has."""
    counts = [entry.number("nics_per_host") for entry in site.entries("hosts")]
    nics = min((count for count in counts if count), default=None)
    for about, variables, where in _variables(site):
        listed = _value(variables, "NCCL_IB_HCA")
        if listed and nics and not listed.startswith("^"):
            names = [name for name in listed.lstrip("=").split(",") if name]
            exact = all(name[-1:].isdigit() or ":" in name for name in names)  # "mlx5" alone stands for all of them
            if exact:
                yield len(names) < nics, about, (where,)


@measure("channels_limited", "library-setting", "host-software")
def channels_limited(site: Observed) -> Iterator[Row]:
    """Whether a variable holds channels or threads to a small number (NCCL_MAX_NCHANNELS or NCCL_MAX_CTAS of 4 or fewer)."""
    for about, variables, where in _variables(site):
        most = _value(variables, "NCCL_MAX_NCHANNELS", "NCCL_MAX_NRINGS", "NCCL_MAX_CTAS")
        if most is not None and most.isdigit():
            yield int(most) <= 4, about, (where,)


@measure("settings_differ_in_logs", "settings", "host-software")
def settings_differ(site: Observed) -> Iterator[Row]:
    """Whether library variables differ between hosts whose logs or dumps list them (addresses and ranks set aside)."""
    by_host: dict[str, dict[str, str]] = {}
    origins: dict[str, Origin] = {}
    for known in site.facts("env", "nccl-log"):
        if isinstance(known.value, Mapping):
            by_host.setdefault(known.host or known.origin.name, {}).update({k: str(v) for k, v in known.value.items()})
            origins.setdefault(known.host or known.origin.name, known.origin)
    names = set().union(*by_host.values()) if by_host else set()
    compared = [name for name in sorted(names) if all(name in env for env in by_host.values())]
    if len(by_host) >= 2 and compared:
        unlike = [name for name in compared if len({env[name] for env in by_host.values()}) > 1]
        yield bool(unlike), ", ".join(unlike), origins.values()


@measure("planned_share_of_line", "plan", "host-software")
def planned_share(site: Observed) -> Iterator[Row]:
    """Bandwidth that the library planned for all its rings over the rate of the host's ports; without that, of one 100 Gb/s port."""
    for run in site.runs:
        plan = run.settings.get("plan")
        rates = (
            [float(p["rate_gBps"]) for p in plan if isinstance(p, Mapping) and isinstance(p.get("rate_gBps"), int | float)]
            if isinstance(plan, list)
            else []
        )
        if rates:
            line = gBps(site.line_gbps[0]) if site.line_gbps else 12.5
            yield max(rates) / line, run.label, (run.origin,)


@measure("planned_nics_share", "plan", "host-software")
def planned_nics(site: Observed) -> Iterator[Row]:
    """NICs in the library's plan over NICs of the host."""
    counts = [entry.number("nics_per_host") for entry in site.entries("hosts")]
    nics = min((count for count in counts if count), default=None)
    for run in site.runs:
        plan = run.settings.get("plan")
        used = {str(nic) for p in plan if isinstance(p, Mapping) for nic in _names(p.get("nics"))} if isinstance(plan, list) else set()
        if used and nics:
            yield len(used) / nics, run.label, (run.origin,)


def _names(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [part for part in str(value).strip("[]").split(",") if part] if value is not None else []


@measure("dumped_link_impossible", "topology-file", "host-software")
def impossible_link(site: Observed) -> Iterator[Row]:
    """Whether a topology that the library reads holds a PCIe link of one lane: no GPU or NIC of today has one."""
    for known in site.facts("*.*.pcie_width", "nccl-topo-xml"):
        if known.names[0] in ("gpus", "nics", "bridges", "devices") and isinstance(known.value, int | float):
            yield known.value <= 1, known.names[1], (known.origin,)


@also("dumped_link_impossible")
def impossible_in_tree(site: Observed) -> Iterator[Row]:
    """The same of the system tree that a library prints: a PCIe link below 1 GB/s is slower than one lane of the third generation."""
    rows = []
    for known in site.facts("tree.*.link_gBps", "nccl-log"):
        if known.names[0].startswith("PCI") and isinstance(known.value, int | float):
            rows.append((known.value < SLOWEST_LANE_GBPS, known.names[0], (known.origin,)))
    yield from telling(rows)


@measure("library_warnings", "warnings", "host-software")
def warnings(site: Observed) -> Iterator[Row]:
    """Warnings that a library printed."""
    for known in site.facts("warning_count", "nccl-log"):
        if isinstance(known.value, int | float):
            yield float(known.value), known.host or "", (known.origin,)


@measure("bonded", "bond", "host-software")
def bonded(site: Observed) -> Iterator[Row]:
    """Whether the ports that jobs use are members of a bond."""
    for value, where in site.stated("hosts", "bonded"):
        yield value, "", (where,)
    for known in site.facts("interfaces.*.member_count", "proc-net-bonding"):
        if isinstance(known.value, int | float):
            yield known.value >= 2, known.names[0], (known.origin,)


@measure("sharding", "volume", "fabric")
def sharding(site: Observed) -> Iterator[Row]:
    """How weights are split over hosts, in lower case: zero-3 and fully sharded gather weights for each layer."""
    for entry in site.entries("jobs"):
        split = entry.get("parallelism")
        if isinstance(split, Mapping) and split.get("sharding"):
            yield str(split["sharding"]).lower(), str(entry.get("name") or ""), (entry.origin("parallelism"),)
