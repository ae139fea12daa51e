"""Pictures as data: what each shows, before any form. A form that cannot draw shows `table`, so that no picture holds a figure alone."""

from dataclasses import dataclass
from typing import Literal

Tone = Literal["good", "bad", "warn", "info", "dim"]  # recovered, lost or faulty, in between, neutral, beside the point
Rows = tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Slice:
    """A part of a whole with its share, 0 to 1, and how it is written."""

    label: str
    share: float
    said: str
    tone: Tone


@dataclass(frozen=True, slots=True)
class Split:
    """A whole cut in parts, beside each other on one bar: the loss by cause, or free against hardware."""

    slices: tuple[Slice, ...]
    heads: tuple[str, str]

    @property
    def table(self) -> tuple[tuple[str, ...], Rows]:
        return self.heads, tuple((one.label, one.said) for one in self.slices)


@dataclass(frozen=True, slots=True)
class Step:
    """One piece of evidence: what it multiplies the odds by."""

    label: str
    factor: float
    said: str


@dataclass(frozen=True, slots=True)
class Waterfall:
    """How the evidence of a cause adds up, on a logarithmic axis: to the right speaks for it, to the left against it."""

    steps: tuple[Step, ...]
    heads: tuple[str, str]
    sum_label: str

    @property
    def table(self) -> tuple[tuple[str, ...], Rows]:
        return self.heads, tuple((step.label, step.said) for step in self.steps)


@dataclass(frozen=True, slots=True)
class HeatMap:
    """Cells by row and column, 0 to 1; None is unknown and drawn apart from 0."""

    rows: tuple[str, ...]
    columns: tuple[str, ...]
    cells: tuple[tuple[float | None, ...], ...]
    unknown: str  # the word for it
    per_cent: str = " %"  # as the language writes it

    @property
    def table(self) -> tuple[tuple[str, ...], Rows]:
        rows = tuple(
            (name, *(self.unknown if cell is None else f"{cell * 100:.0f}{self.per_cent}" for cell in row))
            for name, row in zip(self.rows, self.cells, strict=True)
        )
        return ("", *self.columns), rows


@dataclass(frozen=True, slots=True)
class Timeline:
    """A figure over time, with windows (checkpoints) shaded. Points ascend in x."""

    points: tuple[tuple[float, float], ...]
    windows: tuple[tuple[float, float], ...]
    x_title: str
    y_title: str
    window_title: str

    @property
    def table(self) -> tuple[tuple[str, ...], Rows]:
        inside = [y for x, y in self.points if any(a <= x <= b for a, b in self.windows)]
        outside = [y for x, y in self.points if not any(a <= x <= b for a, b in self.windows)]
        heads = ("", self.y_title, "n")
        sides = ((f"{self.window_title}: +", inside), (f"{self.window_title}: -", outside))
        return heads, tuple((label, f"{_median(values):.4g}", str(len(values))) for label, values in sides if values)


@dataclass(frozen=True, slots=True)
class Point:
    """A choice with its cost and what it brings; `best`: no other brings as much for less. `gaps`: its cost lacks prices."""

    label: str
    x: float
    y: float
    said: tuple[str, str]
    best: bool = True
    gaps: bool = False


@dataclass(frozen=True, slots=True)
class Frontier:
    """Choices by cost and gain; the best ones joined as steps."""

    points: tuple[Point, ...]
    x_title: str
    y_title: str
    heads: tuple[str, str, str]
    per_cent: str = " %"

    @property
    def table(self) -> tuple[tuple[str, ...], Rows]:
        return self.heads, tuple((point.label, *point.said) for point in self.points)


@dataclass(frozen=True, slots=True)
class Spread:
    """The single runs of one side of a comparison."""

    label: str
    values: tuple[float, ...]
    tone: Tone = "info"


@dataclass(frozen=True, slots=True)
class Distributions:
    """Runs of several sides on one axis, each with its quartiles and every run as a dot."""

    sides: tuple[Spread, ...]
    x_title: str
    heads: tuple[str, str, str, str]  # side, runs, median, middle half

    @property
    def table(self) -> tuple[tuple[str, ...], Rows]:
        return self.heads, tuple(
            (side.label, str(len(side.values)), f"{_median(side.values):.4g}", "-".join(f"{q:.4g}" for q in quartiles(side.values)))
            for side in self.sides
            if side.values
        )


Chart = Split | Waterfall | HeatMap | Timeline | Frontier | Distributions


def quartiles(values: tuple[float, ...] | list[float]) -> tuple[float, float]:
    """The bounds of the middle half, by linear interpolation (type 7 of Hyndman and Fan)."""
    from statistics import quantiles

    if len(values) < 2:
        return values[0], values[0]
    low, _, high = quantiles(values, n=4, method="inclusive")
    return low, high


def _median(values: tuple[float, ...] | list[float]) -> float:
    from statistics import median

    return median(values)
