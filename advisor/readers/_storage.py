"""What the storage benchmarks share: rates and sizes with their units, and what one operation reached."""

import re
from dataclasses import dataclass
from typing import Any

from advisor.readers.shapes import number

_POWERS = {"": 0, "k": 1, "m": 2, "g": 3, "t": 4, "p": 5}
_AMOUNT = re.compile(r"\s*(\d+(?:\.\d+)?)\s*([kKMGTP]?)(i?)(?:[bB](?:ytes?)?)?(?:/s(?:ec)?)?\s*\Z")


def amount(text: str, base: int) -> float | None:
    """Bytes (or bytes a second) of `95.3MiB/s`, `4096B`, `25 MiB`, `4k`; `base`: what a letter without `i` stands for. None: no amount."""
    match = _AMOUNT.match(text)
    value = number(match[1]) if match else None
    if not match or value is None:
        return None
    return value * float((1024 if match[3] else base) ** _POWERS[match[2].lower()])


def whole(value: float | None) -> int | None:
    """A size as a whole number of bytes; None where it is none (a rounded figure)."""
    return int(value) if value is not None and value == int(value) else None


@dataclass(slots=True)
class Reached:
    """What one operation reached: bandwidth in GB/s, operations a second, 99th percentile of latency in us, bytes."""

    bandwidth_gBps: float | None = None  # noqa: N815 - the unit's own spelling
    iops: float | None = None
    latency_p99_us: float | None = None
    bytes: int | None = None

    def facts(self) -> dict[str, Any]:
        return {
            key: value
            for key, value in (
                ("bandwidth_gBps", round(self.bandwidth_gBps, 12) if self.bandwidth_gBps is not None else None),
                ("iops", self.iops),
                ("latency_p99_us", round(self.latency_p99_us, 3) if self.latency_p99_us is not None else None),  # to the ns
                ("bytes", self.bytes),
            )
            if value is not None
        }


def together(entries: list[Reached]) -> Reached:
    """Entries that ran side by side as one: rates and bytes are added, as far as all are known; a percentile only stands for itself."""
    if len(entries) == 1:
        return entries[0]
    rates, iops, sizes = ([getattr(entry, key) for entry in entries] for key in ("bandwidth_gBps", "iops", "bytes"))
    return Reached(
        bandwidth_gBps=sum(rates) if None not in rates else None,
        iops=sum(iops) if None not in iops else None,
        bytes=sum(sizes) if None not in sizes else None,
    )
