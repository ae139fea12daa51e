"""What NVIDIA's tools share: their error messages, and figures of a GPU with their units."""

import re
from collections.abc import Mapping

from advisor.readers.shapes import known, leading_number, number

TOOL_ERROR = re.compile(
    r"NVIDIA-SMI has failed|Failed to initialize NVML|Driver/library version mismatch|No devices (?:were )?found"
    r"|Unable to determine the device handle|is not a valid field|Invalid combination of input|GPU is lost|Insufficient Permissions$"
    r"|Option .* is not recognized|Error setting watches|is not supported on (?:this|the current)|Error: .*(?:connect|hostengine|Unable)"
)
_MULTIPLE = {"b": 1, "kib": 2**10, "mib": 2**20, "gib": 2**30, "kb": 10**3, "mb": 10**6, "gb": 10**9, "bytes": 1}
_AMOUNT = re.compile(r"([+-]?\d+(?:\.\d+)?)\s*([A-Za-z]+)(?:/s)?\Z")
MIB = 2**20
# What may hold the clocks of a GPU down, with its bit (NVML, NvmlClocksEventReasons). Drivers before 535 call them throttle reasons.
REASONS: Mapping[str, int] = {
    "gpu_idle": 0x1,
    "applications_clocks_setting": 0x2,
    "sw_power_cap": 0x4,
    "hw_slowdown": 0x8,
    "sync_boost": 0x10,
    "sw_thermal_slowdown": 0x20,
    "hw_thermal_slowdown": 0x40,
    "hw_power_brake_slowdown": 0x80,
    "display_clock_setting": 0x100,
}


def bytes_of(text: str, unit: str = "") -> int | None:
    """`1234 MiB` as bytes; `unit` where the text has none. None where either is unknown."""
    match = _AMOUNT.match(text.strip())
    figure, word = (match[1], match[2]) if match else (text, unit)
    factor, amount = _MULTIPLE.get(word.lower()), number(figure)
    return int(amount * factor) if factor is not None and amount is not None else None


def rate_gBps(text: str, unit: str = "") -> float | None:  # noqa: N802 - the unit is part of the name
    """`488 KB/s` in 10^9 byte/s (KB of nvidia-smi is 10^3 byte). None where figure or unit is unknown."""
    match = _AMOUNT.match(text.strip())
    figure, word = (match[1], match[2]) if match else (text, unit.removesuffix("/s"))
    factor, amount = _MULTIPLE.get(word.lower()), number(figure)
    return amount * factor / 1e9 if factor is not None and amount is not None else None


def lanes(text: str) -> int | None:
    """`16x`, `x16` or `16` as a number of lanes."""
    figure = leading_number(text.strip().lower().removeprefix("x"))
    return int(figure) if figure else None


def below_max(link: Mapping[str, object]) -> dict[str, bool]:
    """Whether a PCIe link runs below what it could: absent if either side is unknown."""
    found: dict[str, bool] = {}
    for what in ("pcie_gen", "pcie_width"):
        now, most = link.get(what), link.get(f"{what}_max")
        if isinstance(now, int) and isinstance(most, int):
            found[f"{what}_below_max"] = now < most
    return found


def active(text: str) -> bool | None:
    """Whether one reason holds a GPU's clocks down, as the driver words it."""
    return {"active": True, "not active": False}.get(text.strip().lower())


def held_by(mask: str) -> dict[str, bool] | None:
    """A bit mask of the reasons that hold a GPU's clocks down: each by its name, whether it does; None where it is no mask."""
    try:
        bits = int(mask.strip(), 16)
    except ValueError:
        return None
    return {name: bool(bits & bit) for name, bit in REASONS.items()} if 0 <= bits < 2**64 else None


def is_unknown(text: str) -> bool:
    """`[N/A]`, `[Not Supported]`, `[Unknown Error]`, `[GPU requires reset]`: brackets say that the tool has no value."""
    bare = text.strip()
    return known(bare) is None or (bare.startswith("[") and bare.endswith("]"))
