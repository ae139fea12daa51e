"""GPUs: their links to each other, and which form of the product they are."""

from collections.abc import Iterator

from advisor.diagnosis.growth import telling
from advisor.diagnosis.measured import Row, also, measure
from advisor.diagnosis.observed import Observed

# A power cap is not among them: at full load it is in force on most GPUs.
_SLOWDOWNS = ("hw_slowdown", "hw_thermal_slowdown", "hw_power_brake_slowdown", "sw_thermal_slowdown")


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


@measure("gpu_clocks_held", "clocks", "node")
def clocks_held(site: Observed) -> Iterator[Row]:
    """Whether a GPU's driver says that heat or a power brake hold its clocks down, by half or more where the hardware does it (NVML).

    Of an idle GPU nothing is known: heat shows under load.
    """
    yield from telling(_held(site))


def _held(site: Observed) -> Iterator[Row]:
    for known in site.facts("gpus.*.throttle_reasons", "nvidia-smi-q", "nvidia-smi-csv"):
        reasons = known.value if isinstance(known.value, dict) else {}
        held = [name for name in _SLOWDOWNS if reasons.get(name)]
        if held or (reasons.get("gpu_idle") is False and reasons.keys() & set(_SLOWDOWNS)):
            yield bool(held), " ".join(filter(None, (known.host, known.names[0]))), (known.origin,)
