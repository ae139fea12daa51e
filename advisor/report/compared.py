"""A comparison as a document and as JSON."""

from collections.abc import Mapping
from statistics import median
from typing import Any

from advisor.base.text import Lang, Text, say
from advisor.diagnosis.comparison import FIGURES, UNITS, Pair, Unpaired
from advisor.diagnosis.shift import LEAST, MARGIN
from advisor.diagnosis.verdict import Diagnosis
from advisor.plan.held import Prediction
from advisor.report.charts.model import Distributions, Spread
from advisor.report.document import Block, Document, Heading, Paragraph, Picture, Table
from advisor.report.words import percent

_MOST_DRAWN, _MOST_DOTS = 6, 200
_SIDES = {"before-after": ("first", "second"), "quiet-busy": ("quiet", "busy")}  # heads of the two sides


def finding(pair: Pair, lang: Lang) -> str:
    """What a pair shows, in one sentence."""
    found = pair.shift
    if found.outcome == "few" or found.low is None or found.high is None or found.ratio is None:
        key = "few-apart" if pair.apart else "few-overlap"
        return say(f"compare.{key}", lang, n=min(found.counts), least=LEAST)
    bounds = {"low": percent(found.low - 1, lang, 1, signed=True), "high": percent(found.high - 1, lang, 1, signed=True)}
    if found.outcome in ("same", "noise"):
        return say(f"compare.{found.outcome}", lang, margin=percent(MARGIN, lang), **bounds)
    return say("compare.better" if pair.improved else "compare.worse", lang, percent=percent(abs(found.ratio - 1), lang, 1), **bounds)


def compared_document(pairs: tuple[Pair, ...], alone: tuple[Unpaired, ...], lang: Lang) -> Document:
    """Every pair with its finding and distributions; what had no partner, and why."""
    blocks: list[Block] = [] if pairs else [Paragraph(say("compare.nothing", lang), strong=True)]
    for kind, sides in _SIDES.items():
        here = [pair for pair in pairs if pair.kind == kind]
        if here:
            words = ("measurement", "hosts", "runs", *sides, "change", "finding")
            rows = tuple(_row(pair, lang) for pair in here)
            header = tuple(say(f"compare.{word}", lang) for word in words)
            blocks.append(Table(header, rows, ("left", "left", "right", "right", "right", "right", "left")))
            blocks += [_picture(pair, lang) for pair in here[:_MOST_DRAWN] if len(pair.first) > 1 or len(pair.second) > 1]
    if alone:
        rows = tuple((say(f"compare.{one.side}", lang), _named(one), _differs(one, lang)) for one in alone)
        blocks.append(Paragraph(say("compare.unpaired", lang)))
        blocks.append(Table(tuple(say(f"compare.{word}", lang) for word in ("side", "measurement", "differs")), rows))
    return tuple(blocks)


def _row(pair: Pair, lang: Lang) -> tuple[str, ...]:
    unit = UNITS.get(pair.figure, pair.figure)
    counts = f"{len(pair.first)} / {len(pair.second)}"
    change = "-" if pair.change is None else percent(pair.change, lang, 1, signed=True)
    first, second = (f"{median(side):.4g} {unit}" for side in (pair.first, pair.second))
    return pair.what, _hosts(pair.hosts), counts, first, second, change, finding(pair, lang)


def _hosts(hosts: tuple[str, ...]) -> str:
    return ", ".join(hosts[:4]) + (f" +{len(hosts) - 4}" if len(hosts) > 4 else "") or "-"


def _named(one: Unpaired) -> str:
    run = one.run
    size = f", {run.size_bytes:,} B" if run.size_bytes else ""
    return f"{run.what or run.label} ({_hosts(run.hosts)}{size})"


def _differs(one: Unpaired, lang: Lang) -> str:
    if one.nearest is None:
        return say("compare.no-other", lang)
    return say("report.list", lang).join(say(f"compare.differs-{name}", lang) for name in one.differs)


def _picture(pair: Pair, lang: Lang) -> Picture:
    names = ("before", "after") if pair.kind == "before-after" else ("quiet", "busy")
    sides = zip(names, (pair.first, pair.second), ("dim", "info"), strict=True)
    heads = tuple(say(f"compare.{word}", lang) for word in ("side", "runs", "median", "middle-half"))
    chart = Distributions(
        tuple(Spread(say(f"compare.{name}", lang), values[:_MOST_DOTS], tone) for name, values, tone in sides),  # type: ignore[arg-type]
        UNITS.get(pair.figure, pair.figure),
        heads,  # type: ignore[arg-type]
    )
    return Picture(f"{pair.what} ({_hosts(pair.hosts)})", chart)


def compared_json(pairs: tuple[Pair, ...], alone: tuple[Unpaired, ...], lang: Lang) -> dict[str, Any]:
    return {
        "pairs": [
            {
                "kind": pair.kind,
                "what": pair.what,
                "hosts": list(pair.hosts),
                "figure": pair.figure,
                "unit": UNITS.get(pair.figure, ""),
                "more_is_better": FIGURES[pair.figure],
                "first": {"runs": len(pair.first), "median": median(pair.first), "values": list(pair.first)},
                "second": {"runs": len(pair.second), "median": median(pair.second), "values": list(pair.second)},
                "ratio": pair.shift.ratio,
                "low": pair.shift.low,
                "high": pair.shift.high,
                "outcome": pair.shift.outcome,
                "improved": pair.improved,
                "finding": finding(pair, lang),
                "origins": [str(run.origin) for run in pair.runs if run.origin],
            }
            for pair in pairs
        ],
        "unpaired": [
            {
                "side": one.side,
                "what": one.run.what,
                "label": one.run.label,
                "hosts": list(one.run.hosts),
                "size_bytes": one.run.size_bytes,
                "differs": list(one.differs),
            }
            for one in alone
        ],
    }


def prediction_document(held: Prediction, titles: Mapping[str, Text], after: Diagnosis | None, lang: Lang) -> Document:
    """Whether the prediction of what was taken held; where it was missed, what the captures say without those from before."""
    blocks: list[Block] = [Heading(3, say("compare.prediction", lang))]
    if held.low is not None and held.high is not None and held.measured is not None and held.pair is not None:
        shares = {"low": percent(held.low, lang), "high": percent(held.high, lang), "measured": percent(held.measured, lang, 1)}
        blocks.append(Paragraph(say("compare.predicted", lang, what=held.pair.what, **shares)))
    names = say("report.list", lang).join(titles[remedy].say(lang) if remedy in titles else remedy for remedy in held.verified)
    blocks.append(Paragraph(say(f"compare.{held.outcome}", lang, remedies=names), strong=True))
    if after is not None:
        verdict, confidence = say(f"verdict.{after.verdict}", lang), f"{after.confidence:.2f}"
        headline = after.headline.say(lang)
        blocks.append(Paragraph(say("compare.diagnosis-after", lang, verdict=verdict, confidence=confidence, headline=headline)))
    return tuple(blocks)


def prediction_json(held: Prediction, titles: Mapping[str, Text], after: Diagnosis | None, lang: Lang) -> dict[str, Any]:
    return {
        "outcome": held.outcome,
        "low": held.low,
        "high": held.high,
        "measured": held.measured,
        "verified": list(held.verified),
        "text": say(f"compare.{held.outcome}", lang, remedies=", ".join(t.say(lang) for r, t in titles.items() if r in held.verified)),
        "diagnosis_after": {"verdict": after.verdict, "confidence": round(after.confidence, 4)} if after else None,
    }
