"""Growth of counters: between two captures of the same port, and as a person states it. One sample never tells how fast or when."""

from collections.abc import Iterator
from dataclasses import dataclass

from advisor.diagnosis.measured import Row
from advisor.diagnosis.observed import Observed
from advisor.evidence.bundle import Known
from advisor.evidence.origin import Origin

_ROLE_ORDER = {"before": 0, "quiet": 1, None: 1, "busy": 2, "after": 2}


@dataclass(frozen=True, slots=True)
class Growth:
    """What a counter of one port grew by. A 64-bit counter that fell was reset: then the new value is all that is known to have come."""

    about: str
    delta: float
    origins: tuple[Origin, ...]


def growth(site: Observed, counter: str, priority: str | None = None) -> Iterator[Growth]:
    """Growth of a common counter at every port or interface that two captures of different time or role show."""
    middle = f"priorities.{priority}." if priority is not None else ""
    takes: dict[tuple[str, str], list[Known]] = {}
    for things in ("ports", "interfaces"):
        for known in site.facts(f"{things}.*.{middle}{counter}"):
            if isinstance(known.value, int | float) and not isinstance(known.value, bool):
                takes.setdefault((known.host or "", known.names[0]), []).append(known)
    for (host, name), taken in sorted(takes.items()):
        times = sorted({_when(known) for known in taken})
        if len(times) < 2:
            continue
        first = next(known for known in taken if _when(known) == times[0])
        last = next(known for known in reversed(taken) if _when(known) == times[-1])
        delta = last.value - first.value if last.value >= first.value else last.value
        yield Growth(f"{host} {name}".strip(), float(delta), (first.origin, last.origin))


def _when(known: Known) -> tuple[int, str]:
    return _ROLE_ORDER.get(known.role, 1), known.time or ""


def grown(site: Observed, *names: str) -> Iterator[Row]:
    """Whether stated counters of these names grow: as a person says, or by their rate."""
    for entry in site.entries("counters"):
        if str(entry.get("name")) in names:
            growing = entry.get("growing")
            rate = entry.number("value_per_s")
            if growing is not None or rate is not None:
                yield growing if growing is not None else (rate or 0) > 0, str(entry.get("at") or ""), (entry.origin("name"),)
