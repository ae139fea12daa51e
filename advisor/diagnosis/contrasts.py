"""Runs that differ in one thing: what that thing does to the figure.

Two runs are held against each other if a person says so (`compared_with`, `run_before` and `run_after` of a change), or if both measure
the same thing and differ in one circumstance alone. The ratio is always that of the second to the first in speed: above 1 is faster.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from typing import Any

from advisor.diagnosis.observed import Observed, speed
from advisor.evidence.origin import Origin
from advisor.fabric.model import Run

# Circumstances of a run that may differ, and where they stand.
MOST_RUNS = 150  # pairs grow with the square
_FIELDS = ("load", "placement", "algorithm", "host_count")
_SETTINGS = ("memory", "network", "queue_pairs", "ports", "streams", "software", "settings")


@dataclass(frozen=True, slots=True)
class Contrast:
    """`second` over `first`; `differs` are the circumstances known of both that differ. `said`: a person compares the two."""

    first: Run
    second: Run
    ratio: float
    differs: frozenset[str]
    said: bool

    @property
    def about(self) -> str:
        return f"{self.second.label} / {self.first.label}"

    @property
    def origins(self) -> tuple[Origin | None, ...]:
        return self.first.origin, self.second.origin

    def by(self, circumstance: str) -> bool:
        """Whether this circumstance, and no other that is known, tells the two apart."""
        return self.differs == {circumstance}


def circumstances(run: Run) -> dict[str, Any]:
    found = {name: getattr(run, name) for name in _FIELDS} | {name: run.settings.get(name) for name in _SETTINGS}
    found["between"] = run.hosts if len(run.hosts) > 1 else None
    return {name: value for name, value in found.items() if value not in (None, (), {}, "")}


@lru_cache(maxsize=1)
def contrasts(site: Observed) -> tuple[Contrast, ...]:
    """Every pair once, in the order of the runs. Of a kind of run the first MOST_RUNS are held against each other."""
    return tuple(_contrasts(site))


def _contrasts(site: Observed) -> Iterator[Contrast]:
    by_label = {run.label: run for run in site.runs}
    said: set[frozenset[str]] = set()
    for first, second in _said(site, by_label):
        pair = frozenset((first.label, second.label))
        ratio = _ratio(first, second)
        if pair not in said and ratio is not None:
            said.add(pair)
            yield Contrast(first, second, ratio, _differs(first, second, both=False), said=True)
    alike: dict[tuple[str, int | None], list[Run]] = {}
    for run in site.runs:
        if run.what is not None:
            alike.setdefault((run.what, run.size_bytes), []).append(run)
    for first, second in (pair for runs in alike.values() for pair in combinations(runs[:MOST_RUNS], 2)):
        if frozenset((first.label, second.label)) in said:
            continue
        ratio, differs = _ratio(first, second), _differs(first, second, both=True)
        if ratio is not None and differs:
            yield Contrast(first, second, ratio, differs, said=False)


def _said(site: Observed, by_label: Mapping[str, Run]) -> Iterator[tuple[Run, Run]]:
    for run in site.runs:
        other = by_label.get(str(run.settings.get("compared_with")))
        if other is not None and other is not run:
            yield other, run
    for change in site.entries("changes"):
        before, after = by_label.get(str(change.get("run_before"))), by_label.get(str(change.get("run_after")))
        if before is not None and after is not None and before is not after:
            yield before, after


def _ratio(first: Run, second: Run) -> float | None:
    relative = second.figure("relative")
    if relative is not None and str(second.settings.get("compared_with")) == first.label:
        return relative
    shares = first.figure("of_expected"), second.figure("of_expected")
    if shares[0] and shares[1] is not None:
        return shares[1] / shares[0]
    a, b = speed(first), speed(second)
    return b[1] / a[1] if a and b and a[0] == b[0] and a[1] else None


def _differs(first: Run, second: Run, both: bool) -> frozenset[str]:
    """Circumstances that differ. One that is known of one run alone counts only where a person compares the two."""
    a, b = circumstances(first), circumstances(second)
    names = a.keys() & b.keys() if both else a.keys() | b.keys()
    return frozenset(name for name in names if a.get(name) != b.get(name))
