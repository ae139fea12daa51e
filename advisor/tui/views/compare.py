"""Before and after, quiet and busy: the same measurement on the same hosts, side by side, with its whole distribution."""

from collections.abc import Sequence
from statistics import median
from typing import TYPE_CHECKING

from advisor.base.text import Lang, say
from advisor.base.writing import listed
from advisor.diagnosis.comparison import UNITS, Pair, Unpaired
from advisor.report.compared import finding, prediction_document
from advisor.report.document import Paragraph
from advisor.tui.views.figures import UNKNOWN, number, percent
from advisor.tui.views.words import Column, Para, Phrase, Row, Span, Table, Tone, joined, padded, some, word

if TYPE_CHECKING:
    from advisor.usecases.baseline import Baseline
    from advisor.usecases.compare import Comparison

PLACEMENTS = ("same-host", "same-leaf", "cross-leaf", "mixed")


def table(found: tuple[Pair, ...], lang: Lang, alone: tuple[Unpaired, ...] = ()) -> Table:
    """Every pair with what changed; below them what has no partner."""
    rows = [_pair_row(i, pair, lang) for i, pair in enumerate(found)]
    if alone:
        rows.append(Row("head:alone", (word(say("compare.unpaired", lang), "title"),), heading=True))
        rows += [_alone_row(i, one, lang) for i, one in enumerate(alone)]
    columns = (
        Column(say("tui.compare.what", lang), flex=True),
        Column(say("tui.compare.hosts", lang), drop=2, most=30),
        Column(say("tui.compare.kind", lang), drop=1),
        Column(say("tui.compare.first", lang), right=True),
        Column(say("tui.compare.second", lang), right=True),
        Column(""),
        Column(say("tui.compare.change", lang), right=True),
        Column("n", right=True, drop=3),
    )
    return Table(columns, tuple(rows), empty=say("tui.compare.none", lang))


def _pair_row(i: int, pair: Pair, lang: Lang) -> Row:
    change = pair.change
    improved = pair.improved
    tone: Tone = "good" if improved else "bad" if improved is False else "warn" if pair.better is not None else "dim"
    sign = "▲" if change and change > 0 else "▼" if change else "="
    said = UNKNOWN if change is None else f"{sign} {percent(abs(change), lang)}"
    cells = (
        joined(word(pair.what, "strong"), word(_placement(pair, lang), "dim"), between=" "),
        word(some(pair.hosts, 3, lang) or UNKNOWN, "dim"),
        word(say(f"tui.compare.{pair.kind}", lang), "info"),
        word(number(median(pair.first), 2)),
        word(number(median(pair.second), 2)),
        word(UNITS.get(pair.figure, pair.figure), "dim"),
        word(said, tone),
        word(f"{len(pair.first)}/{len(pair.second)}", "dim"),
    )
    return Row(f"pair:{i}", cells)


def _alone_row(i: int, one: Unpaired, lang: Lang) -> Row:
    run = one.run
    name = joined(word(run.what or run.label, "plain"), word(run.placement or "", "dim"), between=" ")
    side = word(f"{say(f'tui.role.{one.side}', lang)} / {UNKNOWN}", "dim")
    return Row(f"alone:{i}", (name, word(some(run.hosts, 3, lang) or UNKNOWN, "dim"), side, (), (), (), (), ()))


def pair_of(found: tuple[Pair, ...], key: str) -> Pair | None:
    kind, _, place = key.partition(":")
    return found[int(place)] if kind == "pair" and int(place) < len(found) else None


def alone_of(found: tuple[Unpaired, ...], key: str) -> Unpaired | None:
    kind, _, place = key.partition(":")
    return found[int(place)] if kind == "alone" and int(place) < len(found) else None


def alone_words(one: Unpaired, lang: Lang) -> tuple[Para, ...]:
    """Why a run has no partner."""
    run = one.run
    head = Para(joined(word(run.what or run.label, "strong"), word(str(run.origin or ""), "info"), between=" · "))
    if one.nearest is None:
        return head, Para(word(say("compare.no-other", lang), "warn"))
    differs = listed((say(f"compare.differs-{name}", lang) for name in one.differs), lang)
    return (
        head,
        Para(word(f"{say('compare.differs', lang)}: {differs}", "warn")),
        Para(word(str(one.nearest.origin or one.nearest.label), "info")),
    )


def between(sides: tuple[str | None, str | None, str | None], lang: Lang) -> str:
    """Which sides are compared, where a person chose them."""
    before, after, baseline = sides
    if baseline:
        return say("tui.compare.against", lang, name=baseline)
    return f"{before} / {after}" if before or after else ""


def held(found: "Comparison", lang: Lang) -> tuple[Para, ...]:
    """Whether what was predicted of the taken remedies came true; and the diagnosis without the captures from before, where it did not."""
    if found.prediction is None:
        return ()
    tones: dict[str, Tone] = {"held": "good", "more": "good", "less": "bad", "not-shown": "bad"}
    tone = tones.get(found.prediction.outcome, "dim")
    paras = [
        Para(word(block.text, tone if block.strong else "plain"), hang=2)
        for block in prediction_document(found.prediction, found.titles, found.after, lang)
        if isinstance(block, Paragraph)
    ]
    return tuple(paras)


def baselines(kept: "Sequence[Baseline]", lang: Lang) -> Table:
    rows = [
        Row(
            str(i),
            (word(one.name, "strong"), word(one.site), word(one.kept_on, "dim"), word(len(one.runs))),
            (one.name, one.site, one.kept_on),
        )
        for i, one in enumerate(kept)
    ]
    words = ("baseline-name", "baseline-site", "baseline-date", "baseline-runs")
    heads = [say(f"compare.{each}", lang) for each in words]
    columns = (Column(heads[0], most=30), Column(heads[1], flex=True), Column(heads[2]), Column(heads[3], right=True))
    return Table(columns, tuple(rows), empty=say("tui.compare.no-baseline", lang))


def conditions(one: "Baseline", lang: Lang) -> tuple[Para, ...]:
    """Under which versions, firmware and clocks a baseline was measured."""
    head = Para(word(say("compare.conditions", lang), "title"))
    return (head, *(Para(joined(word(f"{name}  ", "dim"), word(listed(values, lang))), hang=2) for name, values in one.conditions.items()))


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
