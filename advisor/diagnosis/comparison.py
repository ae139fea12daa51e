"""The same measurement twice: before and after a change, or quiet and busy. Same job, same hosts, same size, or the difference is named."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from statistics import median
from typing import Literal

from advisor.diagnosis.shift import Shift, shift
from advisor.fabric.model import Fabric, Run, TrainingLog

# Figures in the order in which they are compared, and whether more is better.
FIGURES: dict[str, bool] = {
    "busbw_gBps": True,
    "algbw_gBps": True,
    "rate_gbps": True,
    "rate_gBps": True,
    "samples_per_s": True,
    "tokens_per_s": True,
    "tflops": True,
    "mfu_percent": True,
    "step_s": False,
    "time_s": False,
}
UNITS = {
    "busbw_gBps": "GB/s",
    "algbw_gBps": "GB/s",
    "rate_gbps": "Gb/s",
    "rate_gBps": "GB/s",
    "step_s": "s",
    "time_s": "s",
    "mfu_percent": "%",
}
Kind = Literal["before-after", "quiet-busy"]
_SIDES: tuple[tuple[Kind, str, str], ...] = (("before-after", "before", "after"), ("quiet-busy", "quiet", "busy"))
_CONDITIONS = ("what", "hosts", "size", "placement", "ranks", "algorithm", "job")
Conditions = tuple[object, ...]


@dataclass(frozen=True)
class Pair:
    """Two sets of values of one figure under the same conditions. `runs`: the first run of each side."""

    kind: Kind
    what: str
    hosts: tuple[str, ...]
    figure: str
    first: tuple[float, ...]
    second: tuple[float, ...]
    runs: tuple[Run, Run]

    @cached_property
    def shift(self) -> Shift:
        return shift(self.first, self.second)

    @property
    def change(self) -> float | None:
        """Change of the median, as a share of the first."""
        first = median(self.first)
        return (median(self.second) - first) / first if first else None

    @property
    def better(self) -> bool | None:
        """Whether the medians say so; what is more than noise, `shift` tells."""
        change = self.change
        return None if not change else (change > 0) == FIGURES[self.figure]

    @property
    def improved(self) -> bool | None:
        """True: better, more than noise. False: worse, more than noise. None: neither is shown."""
        outcome = self.shift.outcome
        return (outcome == "higher") == FIGURES[self.figure] if outcome in ("higher", "lower") else None

    @property
    def apart(self) -> bool:
        """Whether the two sets do not overlap at all."""
        return max(self.first) < min(self.second) or max(self.second) < min(self.first)


@dataclass(frozen=True, slots=True)
class Unpaired:
    """Runs of one side for which the other has none under the same conditions. `differs`: in what the nearest one of the other differs."""

    kind: Kind
    side: str
    run: Run
    nearest: Run | None
    differs: tuple[str, ...]


def pairs(fabric: Fabric) -> tuple[Pair, ...]:
    """All pairs of the runs of one site, before and after first. Runs of one side under the same conditions are taken together."""
    found: list[Pair] = []
    for kind, first, second in _SIDES:
        found += matched(kind, _of_side(fabric.runs, kind, first), _of_side(fabric.runs, kind, second))
    return tuple(found)


def unpaired(fabric: Fabric) -> tuple[Unpaired, ...]:
    """Runs before or after a change for which there is nothing to compare with."""
    kind, first, second = _SIDES[0]
    return alone(kind, _of_side(fabric.runs, kind, first), _of_side(fabric.runs, kind, second))


def _of_side(runs: Iterable[Run], kind: Kind, side: str) -> list[Run]:
    return [run for run in runs if (run.role if kind == "before-after" else run.load or run.role) == side]


def matched(kind: Kind, first: Sequence[Run], second: Sequence[Run]) -> Iterator[Pair]:
    """Pairs of two lists of runs: one for each set of conditions that both hold."""
    left, right = _grouped(first), _grouped(second)
    for key, runs in left.items():
        if key in right:
            pair = _pair(kind, runs, right[key])
            if pair:
                yield pair


def alone(kind: Kind, first: Sequence[Run], second: Sequence[Run]) -> tuple[Unpaired, ...]:
    """Runs of either list without a partner in the other, each set of conditions once."""
    _, before, after = next(one for one in _SIDES if one[0] == kind)
    left, right = _grouped(first), _grouped(second)
    found = [_unpaired(kind, before, runs[0], second) for key, runs in left.items() if key not in right]
    return (*found, *(_unpaired(kind, after, runs[0], first) for key, runs in right.items() if key not in left))


def _grouped(runs: Iterable[Run]) -> dict[Conditions, list[Run]]:
    found: dict[Conditions, list[Run]] = {}
    for run in runs:
        if any(figure in FIGURES for figure in run.figures):
            found.setdefault(conditions(run), []).append(run)
    return found


def conditions(run: Run) -> Conditions:
    """What must be the same on both sides: measurement, hosts (else their number), message size, placement, ranks, algorithm, job."""
    hosts = tuple(sorted(run.hosts)) or run.host_count
    return run.what, hosts, run.size_bytes, run.placement, run.ranks, run.algorithm, run.settings.get("job")


def _unpaired(kind: Kind, side: str, run: Run, others: Sequence[Run]) -> Unpaired:
    def differs(other: Run) -> tuple[str, ...]:
        return tuple(name for name, a, b in zip(_CONDITIONS, conditions(run), conditions(other), strict=True) if a != b)

    same = [other for other in others if other.what == run.what] or list(others)
    nearest = min(same, key=lambda other: len(differs(other)), default=None)
    return Unpaired(kind, side, run, nearest, differs(nearest) if nearest else ())


def _pair(kind: Kind, first: list[Run], second: list[Run]) -> Pair | None:
    for figure in FIGURES:
        left = tuple(value for run in first for value in run.figures.get(figure, ()))
        right = tuple(value for run in second for value in run.figures.get(figure, ()))
        if left and right:
            run = first[0]
            return Pair(kind, run.what or run.label, run.hosts, figure, left, right, (first[0], second[0]))
    return None


def step_runs(logs: Iterable[TrainingLog], label: str) -> list[Run]:
    """Training logs as runs of one figure: the time of their steps, so that a job's own speed is compared too."""
    found = []
    for log in logs:
        times = tuple(step.time_s for step in log.steps if step.time_s is not None)
        if times:
            found.append(Run(label=label, what="step_time", figures={"step_s": times}, origin=log.origin, settings={"job": log.host}))
    return found
