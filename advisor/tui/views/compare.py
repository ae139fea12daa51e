"""Before and after, quiet and busy: the same measurement on the same hosts, side by side, with its whole distribution."""

from dataclasses import dataclass
from typing import Literal

from advisor.base.text import Lang, say
from advisor.fabric.model import Fabric, Run
from advisor.tui.views.figures import UNKNOWN, number
from advisor.tui.views.words import Column, Para, Phrase, Row, Span, Table, Tone, joined, padded, some, word

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
PLACEMENTS = ("same-host", "same-leaf", "cross-leaf", "mixed")
_LEAST = 10  # runs on each side before a difference is a finding (advisor's rule for before and after)
Kind = Literal["before-after", "quiet-busy"]


@dataclass(frozen=True, slots=True)
class Pair:
    """Two sets of values of one figure: the same measurement on the same hosts."""

    kind: Kind
    what: str
    hosts: tuple[str, ...]
    figure: str
    first: tuple[float, ...]
    second: tuple[float, ...]
    runs: tuple[Run, Run]

    @property
    def change(self) -> float | None:
        """Change of the median, as a share of the first."""
        first, second = median(self.first), median(self.second)
        return (second - first) / first if first else None

    @property
    def better(self) -> bool | None:
        change = self.change
        return None if not change else (change > 0) == FIGURES[self.figure]

    @property
    def apart(self) -> bool:
        """Whether the two sets do not overlap at all."""
        return max(self.first) < min(self.second) or max(self.second) < min(self.first)


def median(values: tuple[float, ...]) -> float:
    ordered = sorted(values)
    middle = len(ordered) // 2
    return ordered[middle] if len(ordered) % 2 else (ordered[middle - 1] + ordered[middle]) / 2


def pairs(fabric: Fabric) -> tuple[Pair, ...]:
    """All pairs, before and after first. Runs of one side are taken together."""
    found: list[Pair] = []
    for kind, first, second in (("before-after", "before", "after"), ("quiet-busy", "quiet", "busy")):
        groups: dict[tuple[object, ...], dict[str, list[Run]]] = {}
        for run in fabric.runs:
            side = run.role if kind == "before-after" else run.load or run.role
            if side in (first, second):
                hosts = tuple(sorted(run.hosts))
                groups.setdefault((run.what, hosts or run.host_count, run.size_bytes, run.placement), {}).setdefault(side, []).append(run)
        for sides in groups.values():
            if first in sides and second in sides:
                pair = _pair(kind, sides[first], sides[second])  # type: ignore[arg-type]
                if pair:
                    found.append(pair)
    return tuple(found)


def _pair(kind: Kind, first: list[Run], second: list[Run]) -> Pair | None:
    for figure in FIGURES:
        left = tuple(value for run in first for value in run.figures.get(figure, ()))
        right = tuple(value for run in second for value in run.figures.get(figure, ()))
        if left and right:
            run = first[0]
            return Pair(kind, run.what or run.label, run.hosts, figure, left, right, (first[0], second[0]))
    return None


def table(found: tuple[Pair, ...], lang: Lang) -> Table:
    rows = []
    for i, pair in enumerate(found):
        change = pair.change
        tone: Tone = "good" if pair.better else "bad" if pair.better is False else "dim"
        sign = "▲" if change and change > 0 else "▼" if change else "="
        rows.append(
            Row(
                f"pair:{i}",
                (
                    joined(word(pair.what, "strong"), word(_placement(pair, lang), "dim"), between=" "),
                    word(some(pair.hosts, 3, lang) or UNKNOWN, "dim"),
                    word(say(f"tui.compare.{pair.kind}", lang), "info"),
                    word(number(median(pair.first), 2)),
                    word(number(median(pair.second), 2)),
                    word(UNITS.get(pair.figure, pair.figure), "dim"),
                    word(UNKNOWN if change is None else f"{sign} {abs(change) * 100:.0f}%", tone),
                ),
            )
        )
    columns = (
        Column(say("tui.compare.what", lang), flex=True),
        Column(say("tui.compare.hosts", lang), drop=2, most=30),
        Column(say("tui.compare.kind", lang), drop=1),
        Column(say("tui.compare.first", lang), right=True),
        Column(say("tui.compare.second", lang), right=True),
        Column(""),
        Column(say("tui.compare.change", lang), right=True),
    )
    return Table(columns, tuple(rows), empty=say("tui.compare.none", lang))


def _placement(pair: Pair, lang: Lang) -> str:
    placement = pair.runs[0].placement
    return say(f"tui.placement.{placement}", lang) if placement in PLACEMENTS else placement or ""


def detail(pair: Pair | None, lang: Lang, width: int) -> tuple[Para, ...]:
    """The two distributions on one scale, and whether the difference is shown by them."""
    if pair is None:
        return paired_lack(lang)
    low, high = min(*pair.first, *pair.second), max(*pair.first, *pair.second)
    unit = UNITS.get(pair.figure, pair.figure)
    cells = max(min(width - 34, 80), 10)
    paras: list[Para] = []
    names = pair.kind.split("-")
    for name, values, tone in zip(names, (pair.first, pair.second), ("info", "mark"), strict=True):
        title = say(f"tui.role.{name}", lang)
        figures = f" {number(median(values), 2)} {unit}  n={len(values)}"
        paras.append(Para((Span(padded(title, 9)), Span(histogram(values, low, high, cells), tone), Span(figures, "strong"))))  # type: ignore[arg-type]
    scale = f"{'':9}{number(low, 2)}{'':>{max(cells - len(number(low, 2)) - len(number(high, 2)), 1)}}{number(high, 2)}"
    paras.append(Para(word(scale, "dim")))
    paras.append(Para())
    paras.append(Para(_finding(pair, lang)))
    sources = joined(*(word(str(run.origin), "info") for run in pair.runs if run.origin), between=" · ")
    return (*paras, *((Para(sources),) if sources else ()))


def _finding(pair: Pair, lang: Lang) -> Phrase:
    count = min(len(pair.first), len(pair.second))
    if count < _LEAST:
        key = "few-apart" if pair.apart else "few-overlap"
        return word(say(f"tui.compare.{key}", lang, n=count, least=_LEAST), "warn")
    return word(say("tui.compare.apart" if pair.apart else "tui.compare.overlap", lang), "good" if pair.apart else "warn")


def histogram(values: tuple[float, ...], low: float, high: float, cells: int) -> str:
    """How many values lie where, in one line."""
    counts = [0] * cells
    for value in values:
        place = int((value - low) / (high - low) * (cells - 1)) if high > low else 0
        counts[place] += 1
    most = max(counts)
    return "".join("·" if not count else "▁▂▃▄▅▆▇█"[min(int(count / most * 7), 7)] for count in counts)


def paired_lack(lang: Lang) -> tuple[Para, ...]:
    return (Para(word(say("tui.compare.lack", lang), "dim")),)
