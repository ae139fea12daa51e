"""Interleaved rounds: each reader in turn in every round, so that what else the machine does falls on all alike."""

import gc
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median

Readers = Mapping[str, Callable[[], object]]
Rounds = Mapping[str, Sequence[float]]


class Disagreement(Exception):
    """Two readers made different things of the same text: their times say nothing."""


def agree(ours: object, theirs: object, what: str) -> None:
    """Raises Disagreement unless both are equal."""
    if ours != theirs:
        raise Disagreement(f"{what}: {str(ours)[:200]} is not {str(theirs)[:200]}")


def rounds(readers: Readers, count: int) -> Rounds:
    """Seconds of processor time by reader, one for each round. The order turns; what a reader returns is held while it is timed."""
    names = list(readers)
    seconds: dict[str, list[float]] = {name: [] for name in names}
    gc.collect()
    gc.freeze()  # the texts and modules of all of them are not looked through again
    for turn in range(count + 1):
        for name in names[turn % len(names) :] + names[: turn % len(names)]:
            gc.collect()
            start = time.process_time()
            held = readers[name]()
            took = time.process_time() - start
            del held
            if turn:  # the first round warms up
                seconds[name].append(took)
    return seconds


@dataclass(frozen=True, slots=True)
class Row:
    """One comparison.

    ratios   the other's figure by ours, one for each round: above 1 ours is less
    least    what the median must reach; None where it is shown only
    every    whether each ratio must reach it, and not the median alone
    """

    text: str
    ours: str
    other: str
    ratios: Sequence[float]
    least: float | None
    every: bool = False

    @property
    def holds(self) -> bool:
        return self.least is None or (min if self.every else median)(self.ratios) >= self.least

    def cells(self) -> tuple[str, ...]:
        spread = f"{min(self.ratios):.2f} to {max(self.ratios):.2f}"
        least = "-" if self.least is None else f"{self.least:.2f}"
        return (self.text, self.ours, self.other, f"{median(self.ratios):.2f}", spread, least, "yes" if self.holds else "**no**")


def ratios(seconds: Rounds, ours: str, other: str) -> list[float]:
    return [b / a for a, b in zip(seconds[ours], seconds[other], strict=True)]


HEAD = ("text", "ours", "against", "times", "spread", "at least", "holds")


def table(rows: Sequence[Row]) -> str:
    """Markdown."""
    cells = [HEAD, tuple("---" for _ in HEAD), *(row.cells() for row in rows)]
    return "\n".join(f"| {' | '.join(row)} |" for row in cells)
