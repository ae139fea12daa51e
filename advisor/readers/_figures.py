"""Figures and words of switches: counts, percentages, rates with units, states. What is none is None, never zero."""

import re

_SPEED = re.compile(r"(?:a-)?(\d+(?:\.\d+)?)\s*([KMGT]?)(?:b(?:it)?(?:/s|ps)?|E|)?\s*\Z", re.IGNORECASE)
_RATE = re.compile(r"(\d+(?:\.\d+)?)\s*([kKMGT]?)(bps|bits?/s(?:ec)?|b/s|bytes?/s(?:ec)?|B/s)\Z")
# What a figure is divided by to be 10^9 bits per second: a division by a whole power of ten keeps the figure's digits.
_PER_GBPS = {"": 1e9, "K": 1e6, "M": 1e3, "G": 1.0, "T": 1e-3}
_NOTHING = frozenset({"", "-", "--", "---", "n/a", "na", "none", "null", "not supported", "unsupported", "unknown"})


def count(text: str) -> int | None:
    """A whole number, thousands commas allowed; None for N/A, dashes and anything else."""
    try:
        return int(text.replace(",", "")) if text else None
    except ValueError:
        return None


def real(text: str) -> float | int | None:
    """A number with or without an exponent (`1.48e-20`)."""
    try:
        value = float(text.replace(",", ""))
    except ValueError:
        return None
    return value if value == value and abs(value) != float("inf") else None


def percent(text: str) -> float | int | None:
    return real(text.strip().rstrip("%"))


def is_nothing(text: str) -> bool:
    """Whether a cell stands for no value: N/A, dashes, blank."""
    return text.strip().lower() in _NOTHING


def speed_gbps(text: str) -> float | int | None:
    """A port's rate: `100G`, `40000M`, `a-1G`, `10 Gb/s`, `1000Mbps`; None for `auto` and a figure without a unit."""
    match = _SPEED.match(text.strip())
    if not match or not match[2]:
        return None
    return whole(float(match[1]) / _PER_GBPS[match[2].upper()])


def rate_gbps(text: str) -> float | None:
    """A rate that the switch prints: `8 bits/sec`, `7.39 kbps`, `0.00 B/s`. A multiple of bytes has no clear base: None."""
    match = _RATE.match(text.strip())
    if not match:
        return None
    if match[3] in ("B/s",) or match[3].startswith("byte"):
        return round(float(match[1]) * 8 / 1e9, 12) if not match[2] else None
    return round(float(match[1]) / _PER_GBPS[match[2].upper()], 12)


def whole(value: float) -> float | int:
    rounded = round(value, 9)
    return int(rounded) if rounded == int(rounded) else rounded


def link_state(text: str) -> tuple[str | None, str | None]:
    """State and administrative state of a word: `up`, `down`, `administratively down`, `ADM`, `connected`, `notconnect`."""
    return _STATES.get(text.strip().lower(), (None, None))


_UP: tuple[str | None, str | None] = ("active", None)
_DOWN: tuple[str | None, str | None] = ("down", None)
_OFF: tuple[str | None, str | None] = ("down", "down")
_STATES = {
    **dict.fromkeys(("up", "u", "connected", "active", "linkup"), _UP),
    **dict.fromkeys(
        (
            "down",
            "d",
            "notconnect",
            "notconnec",
            "notconnected",
            "lowerlayerdown",
            "dn",
            "prtdn",
            "errdisabled",
            "err-disabled",
            "linkdown",
        ),
        _DOWN,
    ),
    **dict.fromkeys(
        ("administratively down", "adm", "x", "disabled", "*down", "admin down", "admindown", "admdn", "adm down", "administratively"), _OFF
    ),
}
