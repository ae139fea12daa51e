"""Inside one host: how near GPU and NIC are, PCIe links, slots and cards, GPU links, processors."""

import re
from collections import Counter
from collections.abc import Iterator

from advisor.diagnosis.growth import telling
from advisor.diagnosis.measured import Row, also, measure
from advisor.diagnosis.observed import Observed
from advisor.evidence.bundle import host_of, origin
from advisor.evidence.origin import Origin
from advisor.fabric.model import Host
from advisor.fabric.paths import far_gpus, nearest_relation

_NEAR = {"PIX", "PXB"}
# One direction, by generation, GB/s per lane: 2.5, 5 GT/s with 8b/10b; 8, 16, 32 GT/s with 128b/130b; 64 GT/s in flits of 242/256.
_LANE_GBPS = {1: 2.0, 2: 4.0, 3: 8 * 128 / 130, 4: 16 * 128 / 130, 5: 32 * 128 / 130, 6: 64 * 242 / 256}
IDLE_PERCENT = 2  # use of a GPU at or below which nothing runs on it
_NETWORK = re.compile(r"ethernet|infiniband|network", re.IGNORECASE)
_RDMA = re.compile(r"connect-?x|mellanox|infiniband|bluefield|broadcom|thor|pensando|irdma|e8\d\d", re.IGNORECASE)
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


def pcie_gbps(gen: float, width: float) -> float | None:
    """Raw rate of a PCIe link in one direction, Gb/s."""
    lane = _LANE_GBPS.get(int(gen))
    return lane * width if lane else None


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


@measure("nic_width_share", "pcie", "node")
def nic_width(site: Observed) -> Iterator[Row]:
    """Lanes of a NIC's PCIe link over those that the card has."""
    for host, port in site.host_ports:
        if port.pcie_width and port.pcie_width_max:
            yield port.pcie_width / port.pcie_width_max, f"{host.name} {port.name}", (port.origin("pcie_width"),)


@measure("nic_generation_below_max", "pcie", "node")
def nic_generation(site: Observed) -> Iterator[Row]:
    """Whether a NIC's PCIe link runs at a lower generation than the card has. NICs, unlike GPUs, don't rest at a lower one."""
    for host, port in site.host_ports:
        if port.pcie_gen and port.pcie_gen_max:
            yield port.pcie_gen < port.pcie_gen_max, f"{host.name} {port.name}", (port.origin("pcie_gen"),)


@measure("device_width_share", "pcie", "node")
def device_width(site: Observed) -> Iterator[Row]:
    """Lanes of a GPU's or PCI device's link over its maximum. Lanes, unlike the generation, do not fall while idle."""
    for known in site.facts("gpus.*", "nvidia-smi-q", "nvidia-smi-csv"):
        yield from _width(known.value, known.names[0], known.host, known.origin)
    for known in site.facts("devices.*", "lspci"):
        if isinstance(known.value, dict) and known.value.get("port_type") in (None, "endpoint"):
            yield from _width(known.value, known.names[0], known.host, known.origin)


def _width(facts: object, name: str, host: str | None, origin: object) -> Iterator[Row]:
    if isinstance(facts, dict):
        now, most = facts.get("pcie_width"), facts.get("pcie_width_max")
        if isinstance(now, int | float) and isinstance(most, int | float) and now and most:
            yield now / most, f"{host or ''} {name}".strip(), (origin,)  # type: ignore[misc]


@measure("devices_differ_in_width", "pcie", "node")
def widths_differ(site: Observed) -> Iterator[Row]:
    """Whether GPUs of one host, all of one make, run on different numbers of lanes: one of them trained down, or sits in a lesser slot."""
    hosts: dict[str, dict[str, tuple[float, Origin]]] = {}
    for known in site.facts("gpus.*.pcie_width", "nvidia-smi-q", "nvidia-smi-csv"):
        if isinstance(known.value, int | float):
            hosts.setdefault(known.host or known.origin.name, {})[known.names[0]] = (float(known.value), known.origin)
    for host, gpus in sorted(hosts.items()):
        if len(gpus) >= 2:
            yield len({width for width, _ in gpus.values()}) > 1, host, [where for _, where in gpus.values()][:4]


@measure("gpu_generation_below_max", "idle", "none")
def gpu_generation(site: Observed) -> Iterator[Row]:
    """Whether a GPU's PCIe link shows a lower generation than it has: at idle that is how it saves power."""
    for known in site.facts("gpus.*.pcie_gen_below_max", "nvidia-smi-q", "nvidia-smi-csv"):
        yield bool(known.value), f"{known.host or ''} {known.names[0]}".strip(), (known.origin,)


@measure("gpu_state_idle", "idle", "none")
def gpu_idle(site: Observed) -> Iterator[Row]:
    """Whether a GPU rested when it was looked at (performance state P8 or deeper, or next to no use)."""
    for known in site.facts("gpus.*.perf_state", "nvidia-smi-q", "nvidia-smi-csv"):
        match = re.fullmatch(r"P(\d+)", str(known.value))
        if match:
            yield int(match[1]) >= 8, f"{known.host or ''} {known.names[0]}".strip(), (known.origin,)
    for known in site.facts("gpus.*.gpu_util_percent", "nvidia-smi-q", "nvidia-smi-csv"):
        if isinstance(known.value, int | float):
            yield known.value <= IDLE_PERCENT, f"{known.host or ''} {known.names[0]}".strip(), (known.origin,)


@measure("pcie_replays", "pcie", "node")
def replays(site: Observed) -> Iterator[Row]:
    """PCIe replays of a GPU since its counters were reset."""
    for known in site.facts("gpus.*.pcie_replays"):
        if isinstance(known.value, int | float):
            yield float(known.value), f"{known.host or ''} {known.names[0]}".strip(), (known.origin,)


@measure("slot_over_ports", "slot", "node")
def slot_over_ports(site: Observed) -> Iterator[Row]:
    """Raw PCIe rate of a NIC's slot, one direction, over the rate of all ports of the card. Below 1 the slot is the limit.

    Without a stated width the slot is taken as 16 lanes, what cards of 100 Gb/s and more are made for.
    """
    for entry in site.entries("hosts"):
        gen, width = entry.number("pcie_gen"), entry.number("pcie_width")
        rate, ports = entry.number("nic_rate_gbps"), entry.number("nic_ports") or 1
        if gen and rate and (slot := pcie_gbps(gen, width or 16)):
            yield (
                slot / (rate * ports),
                str(entry.get("class") or ""),
                (entry.origin("pcie_gen", "pcie_width"), entry.origin("nic_rate_gbps")),
            )
    for host, port in site.host_ports:
        if port.pcie_gen and port.pcie_width and port.rate_gbps and (slot := pcie_gbps(port.pcie_gen, port.pcie_width)):
            yield slot / port.rate_gbps, f"{host.name} {port.name}", (port.origin("pcie_width"), port.origin("rate_gbps"))


@also("slot_over_ports")
def slot_of_listed_nics(site: Observed) -> Iterator[Row]:
    """The same of NICs that `lspci` lists beside port rates of the same capture or host, where all of those have one rate."""
    rates: dict[str, set[float]] = {}
    for known in site.facts("ports.*.rate_gbps"):
        if isinstance(known.value, int | float):
            rates.setdefault(known.host or known.origin.name, set()).add(float(known.value))
    for capture, part in site.bundle.parts("lspci"):
        devices = part.facts.get("devices", {})
        rate = rates.get(host_of(capture, part) or capture.name, set())
        for name, facts in devices.items():
            gen, width = facts.get("pcie_gen"), facts.get("pcie_width")
            named = _RDMA.search(f"{facts.get('class', '')} {facts.get('model', '')}") is not None
            alone = len(devices) == 1 and not facts.get("class")
            slot = pcie_gbps(gen, width) if gen and width else None
            if slot and len(rate) == 1 and (alone or named) and _NETWORK.search(str(facts.get("class", "network"))):
                yield slot / min(rate), name, (origin(capture, part, ("devices", name)),)


@also("acs_redirect_on")
def acs_of_bridges(site: Observed) -> Iterator[Row]:
    """Whether a bridge that `lspci -vvv` lists redirects requests up to the CPU."""
    found = ((bool(known.value), known.names[0], (known.origin,)) for known in site.facts("devices.*.acs_redirect", "lspci"))
    yield from telling(found)


@also("relaxed_ordering_on")
def relaxed_ordering_of_nics(site: Observed) -> Iterator[Row]:
    """Whether the device control of NICs allows relaxed ordering: one without decides."""
    rows = []
    for known in site.facts("devices.*", "lspci"):
        facts = known.value if isinstance(known.value, dict) else {}
        if "relaxed_ordering" in facts and _NETWORK.search(str(facts.get("class", ""))):
            rows.append((bool(facts["relaxed_ordering"]), known.names[0], (known.origin,)))
    yield from telling(rows, answer=False)


@measure("numa_nodes_per_socket", "numa", "node")
def numa_nodes_per_socket(site: Observed) -> Iterator[Row]:
    """NUMA nodes of a host over its sockets: 1 on a processor of many dies gathers host memory traffic on few channels."""
    for known in site.facts("socket_count", "lscpu"):
        nodes = next((n.value for n in site.facts("node_count", "lscpu") if n.origin.capture == known.origin.capture), None)
        if isinstance(nodes, int | float) and isinstance(known.value, int | float) and known.value:
            yield nodes / known.value, known.host or "", (known.origin,)


@measure("card_share_with_all_ports", "card", "node")
def card_share(site: Observed) -> Iterator[Row]:
    """Rate of each port of a card, all of them sending, over the rate of one port."""
    for run in site.runs:
        ports = run.settings.get("ports")
        rate, rate_bytes = run.figure("rate_gbps"), run.figure("rate_gBps")
        if isinstance(ports, int | float) and ports >= 2 and site.port_gbps and (rate or rate_bytes):
            line, where = site.port_gbps
            whole = rate if rate is not None else (rate_bytes or 0) * 8
            per_port = whole if whole <= line else whole / ports  # a figure within one port's rate is that of one port
            yield per_port / line, run.label, (run.origin, *where)


@measure("nvlinks_active_share", "nvlink", "node")
def nvlinks_active(site: Observed) -> Iterator[Row]:
    """Active links of a GPU to other GPUs over all that the chip has."""
    for entry in site.entries("hosts"):
        active, total = entry.number("gpu_links_active"), entry.number("gpu_links_total")
        if active is not None and total:
            yield active / total, str(entry.get("class") or ""), (entry.origin("gpu_links_active"),)
    for host in site.fabric.hosts.values():
        for gpu in host.gpus.values():
            if gpu.nvlinks and gpu.nvlinks_active is not None:
                yield gpu.nvlinks_active / gpu.nvlinks, f"{host.name} {gpu.name}", (gpu.origin,)


@also("nvlinks_as_on_twins")
def nvlinks_alike(site: Observed) -> Iterator[Row]:
    """Whether all GPUs of the captures have the same number of active links; of a single GPU nothing is known."""
    seen = [
        (gpu.nvlinks_active, host.name, gpu)
        for host in site.fabric.hosts.values()
        for gpu in host.gpus.values()
        if gpu.nvlinks_active is not None
    ]
    if len(seen) >= 2:
        most = max(count for count, _, _ in seen)
        fewer = [(host, gpu) for count, host, gpu in seen if count < most]
        if fewer:
            yield False, f"{fewer[0][0]} {fewer[0][1].name}", (fewer[0][1].origin,)
        else:
            yield True, "", (seen[0][2].origin,)


@measure("nvlink_errors", "nvlink-errors", "node")
def nvlink_errors(site: Observed) -> Iterator[Row]:
    """Replay, recovery and CRC errors of a GPU's links together, since reset."""
    for known in site.facts("gpus.*.nvlinks", "nvidia-smi-nvlink"):
        if isinstance(known.value, dict):
            counts = [
                value
                for link in known.value.values()
                if isinstance(link, dict)
                for key, value in link.items()
                if key.endswith("_errors") and isinstance(value, int | float)
            ]
            if counts:
                yield float(sum(counts)), f"{known.host or ''} {known.names[0]}".strip(), (known.origin,)


@measure("gpu_form", "product", "none")
def gpu_form(site: Observed) -> Iterator[Row]:
    """Product form of the GPU: sxm, pcie, oam, board. Forms of one name differ in links."""
    for value, where in site.stated("hosts", "gpu_form"):
        yield value, "", (where,)


@measure("gpu_link", "product", "node")
def gpu_link(site: Observed) -> Iterator[Row]:
    """How the GPUs of a host reach each other: nvswitch, nvlink, xgmi, pcie."""
    for value, where in site.stated("hosts", "gpu_link"):
        yield value, "", (where,)


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
