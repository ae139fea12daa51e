"""PCIe: lanes and generations against what card and slot allow, rates of slots and cards, ordering, redirection."""

import re
from collections.abc import Iterator

from advisor.base.units import gbps
from advisor.diagnosis.growth import telling
from advisor.diagnosis.measured import Row, also, measure
from advisor.diagnosis.measures.baseline import POINT_TO_POINT, rate_gbps
from advisor.diagnosis.observed import Observed
from advisor.evidence.bundle import host_of, origin
from advisor.evidence.origin import Origin
from advisor.fabric.hardware import pcie_gBps

IDLE_PERCENT = 2  # use of a GPU at or below which nothing runs on it
_NETWORK = re.compile(r"ethernet|infiniband|network", re.IGNORECASE)
_RDMA = re.compile(r"connect-?x|mellanox|infiniband|bluefield|broadcom|thor|pensando|irdma|e8\d\d", re.IGNORECASE)


def pcie_gbps(gen: float, width: float) -> float | None:
    """Raw rate of a PCIe link in one direction, Gb/s."""
    rate = pcie_gBps(int(gen), int(width))
    return None if rate is None else gbps(rate)


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


@measure("rate_over_slot", "slot", "node")
def rate_over_slot(site: Observed) -> Iterator[Row]:
    """Rate between two hosts over the raw PCIe rate of the NIC's slot: a slot that is the limit is nearly full, at about four fifths.

    Only where all slots that are known are alike, and for large messages: small ones never fill one.
    """
    slots: dict[float, Origin | None] = {}
    for entry in site.entries("hosts"):
        gen, width = entry.number("pcie_gen"), entry.number("pcie_width")
        if gen and width and (slot := pcie_gbps(gen, width)):
            slots.setdefault(slot, entry.origin("pcie_gen", "pcie_width"))
    for _, port in site.host_ports:
        if port.pcie_gen and port.pcie_width and (slot := pcie_gbps(port.pcie_gen, port.pcie_width)):
            slots.setdefault(slot, port.origin("pcie_width"))
    for run in site.complaints:
        ways = 2 if run.settings.get("bidirectional") is True else 1
        rate = rate_gbps(run)
        if len(slots) == 1 and run.what in POINT_TO_POINT and rate is not None and (run.size_bytes or 2**16) >= 2**15:
            ((slot, where),) = slots.items()
            yield rate / ways / slot, run.label, (run.origin, where)


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
