"""Before and after, quiet and busy: the same measurement on the same hosts, side by side, with its whole distribution."""

from statistics import median

from advisor.base.text import Lang, say
from advisor.diagnosis.comparison import UNITS, Pair
from advisor.report.compared import finding
from advisor.tui.views.figures import UNKNOWN, number
from advisor.tui.views.words import Column, Para, Phrase, Row, Span, Table, Tone, joined, padded, some, word

PLACEMENTS = ("same-host", "same-leaf", "cross-leaf", "mixed")


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
    improved = pair.improved
    tone: Tone = "good" if improved else "bad" if improved is False else "warn"
    return word(finding(pair, lang), tone)


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
