"""Shapes that many tools share: indented keys and values, tables under a header, numbers and states in words."""

import re
from dataclasses import dataclass
from math import isfinite

from advisor.capture.lines import Lines

UNKNOWN = frozenset(
    {
        "",
        "n/a",
        "na",
        "-",
        "--",
        "---",
        "...",
        "…",
        "[n/a]",
        "n/a.",
        "unknown",
        "unspecified",
        "none",
        "null",
        "not available",
        "[not supported]",
        "not supported",
    }
)
_DIGITS = 21  # of the largest number of 64 bits, with a sign
_MOST = 2**128  # addresses of InfiniBand are the longest numbers of any tool
_NUMBER = re.compile(r"[+-]?(?:\d+(?:,\d{3})+|\d+)(?:\.\d+)?(?:[eE][+-]?\d+)?\Z|[+-]?\.\d+\Z")
_LEADING = re.compile(r"[+-]?(?:\d+(?:,\d{3})+|\d+)(?:\.\d+)?(?:[eE][+-]?\d+)?")
# A line of dots (behind the `#` of a comment, too), or words in brackets or between dashes that say so, in English or Chinese.
_LEFT_OUT = re.compile(
    r"\s*(?:#\s*)?(?:[\[(<{]\s*)?(?:\.\s?\.\s?\.[.\s]*|…+|-*\s*(?:8<|>8|✂)[- ]*)(?:\s*[\w(\[].{0,60})?[\])>}]?\s*\Z"
    r"|\s*[\[(<{-]+\s*(?:.{0,40}\W)?(?:snip(?:ped)?|omitted|truncated|skipped|left out|cut)(?:\W.{0,40})?[\])>}-]*\s*\Z"
    r"|.{0,60}(?:省略|从略|(?<!策)略(?:去|过)?\W{0,3}\Z)[^:]{0,20}\Z",
    re.IGNORECASE,
)
_STATES = {
    "active": "active",
    "armed": "armed",
    "init": "init",
    "initializing": "init",
    "initialize": "init",
    "down": "down",
    "up": "active",
    "yes": "active",
    "no": "down",
}
_PHYSICAL = {
    "linkup": "linkup",
    "polling": "polling",
    "disabled": "disabled",
    "sleep": "sleep",
    "training": "training",
    "portconfigurationtraining": "training",
}
# Nominal rate of one lane, Gb/s (InfiniBand Architecture; 25.78125 prints for EDR)
LANE_GBPS = {
    "SDR": 2.5,
    "DDR": 5.0,
    "QDR": 10.0,
    "FDR10": 10.0,
    "FDR": 14.0,
    "EDR": 25.0,
    "HDR": 50.0,
    "NDR": 100.0,
    "XDR": 200.0,
}


def known(text: str) -> str | None:
    """The text without outer blanks, or None where it stands for unknown (N/A, -, ..., an empty cell)."""
    bare = text.strip()
    return None if bare.lower() in UNKNOWN else bare


def is_left_out(text: str) -> bool:
    """Whether a line only says that lines were left out by the sender: `...`, `[snip]`, `(omitted)`, `（其余略）`."""
    return _LEFT_OUT.match(text) is not None


def open_end(lines: Lines) -> int | None:
    """The file's last line if nothing ends it: its last word may be cut. None where the file ends with a line's end."""
    return len(lines.raw) if lines.raw and lines.raw[-1].strip() else None


def number(text: str) -> int | float | None:
    """A whole text as a number (thousands commas allowed), or None."""
    bare = text.strip()
    if not _NUMBER.match(bare):
        return None
    bare = bare.replace(",", "")
    if any(mark in bare for mark in ".eE"):
        return value if isfinite(value := float(bare)) else None
    return int(bare) if len(bare) <= _DIGITS else None


def leading_number(text: str) -> int | float | None:
    """The number that a text starts with (`400 Gb/sec (4X NDR)`), or None."""
    match = _LEADING.match(text.strip())
    return number(match.group()) if match else None


def integer(text: str) -> int | None:
    """A decimal or 0x number, or None."""
    bare = text.strip().replace(",", "")
    try:
        value = int(bare, 0) if bare.lower().startswith("0x") else int(bare)
        return value if -_MOST < value < _MOST else None
    except ValueError:
        return None


def port_state(text: str) -> str | None:
    """Logical state in common words: `4: ACTIVE`, `PORT_ACTIVE (4)`, `Active`, `Initializing`."""
    word = _bare_state(text).removeprefix("port_")
    return _STATES.get(word, word or None)


def physical_state(text: str) -> str | None:
    """Physical state in common words: `5: LinkUp`, `LINK_UP (5)`, `Polling`; any other as printed."""
    word = _bare_state(text)
    return _PHYSICAL.get(word.replace("_", ""), word or None)


def _bare_state(text: str) -> str:
    word = re.sub(r"^\s*\d+\s*:\s*|\s*\(\d+\)\s*$", "", text).strip().lower()
    return "" if word in UNKNOWN else word


def link_layer(text: str) -> str | None:
    word = text.strip().lower()
    return {
        "ib": "infiniband",
        "infiniband": "infiniband",
        "roce": "ethernet",
        "ethernet": "ethernet",
        "eth": "ethernet",
    }.get(word)


def pci_address(text: str) -> str | None:
    """A PCI address as sysfs writes it, `0000:9b:00.0`, or None."""
    match = re.fullmatch(r"(?:([0-9A-Fa-f]{4,8}):)?([0-9A-Fa-f]{2}):([0-9A-Fa-f]{2})\.([0-7])", text.strip())
    if not match:
        return None
    domain, bus, device, function = match.groups()
    return f"{(domain or '0000')[-4:]}:{bus}:{device}.{function}".lower()


@dataclass(frozen=True, slots=True)
class KeyValue:
    """`key: value` at a depth of indentation (columns; a tab reaches the next multiple of eight)."""

    indent: int
    key: str
    value: str


_SEPARATOR = re.compile(r"[:=]")


def key_value(text: str) -> KeyValue | None:
    """A line as key and value; None where it is not one. The key ends at the first colon or equals sign."""
    separator = _SEPARATOR.search(text)
    key = text[: separator.start()].strip() if separator else ""
    if separator is None or not key:
        return None
    indent = text[: len(text) - len(text.lstrip())]
    return KeyValue(len(indent.expandtabs(8)), key, text[separator.end() :].strip())


@dataclass(frozen=True, slots=True)
class Column:
    name: str
    start: int
    end: int


def columns(header: str, gap: int = 2) -> list[Column]:
    """The columns of a header line: words with fewer than `gap` blanks between them are one name."""
    found = [(m.start(), m.end(), m.group()) for m in re.finditer(rf"\S+(?:\s{{1,{gap - 1}}}\S+)*" if gap > 1 else r"\S+", header)]
    return [Column(name, start, end) for start, end, name in found]
