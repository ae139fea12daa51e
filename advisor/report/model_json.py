"""The model of a fabric as a JSON tree and as a document. Shares are 0 to 1, rates in the unit of their name, unknown is null."""

from collections.abc import Mapping
from typing import Any

from advisor.base.text import Lang, say
from advisor.fabric.model import Leaf
from advisor.fabric.oddities import Oddity
from advisor.report.document import Block, Document, Heading, Items, Paragraph, Table
from advisor.report.words import figure, percent, place
from advisor.traffic.bisection import Bisection, bisection
from advisor.traffic.ladder import Ladder
from advisor.traffic.predict import JobRate, Load, Prediction

RUNGS = ("R_now", "R_balance", "R_isolate", "R_pack", "R_ideal")
_SHOWN = 20  # rows of links that a terminal gets, busiest first; JSON has all


def model_json(found: Prediction, lang: Lang) -> dict[str, Any]:
    fabric = found.fabric
    leaf_of = {host: leaf.name for leaf in fabric.leaves for host in leaf.hosts}
    return {
        "fabric": {
            "tiers": tiers(found),
            "leaves": [_leaf(leaf) for leaf in fabric.leaves],
            "bisection": _bisection(bisection(fabric)),
            "spines": fabric.spines,
            "rails": fabric.rails,
            "routing": fabric.routing,
        },
        "jobs": [_job(job, leaf_of) for job in found.jobs],
        "links": [_link(link) for link in found.links],
        "ladder": _ladder(found.ladder) if found.ladder else None,
        "split": [{"cause": p.cause, "share": _round(p.share), "if_fixed_first": _round(p.if_fixed_first)} for p in found.split],
        "error": _round(found.error),
        "oddities": [_oddity(oddity, lang) for oddity in found.oddities],
    }


def tiers(found: Prediction) -> int | None:
    """Tiers of switches: as stated, else as seen or as follows from what is known; None where nothing is known of any."""
    fabric = found.fabric
    if fabric.tiers:
        return fabric.tiers
    seen = {switch.tier for switch in fabric.switches.values()}
    if "core" in seen:
        return 3
    if "spine" in seen or fabric.spines or any(leaf.up_gbps for leaf in fabric.leaves):
        return 2
    return 1 if "leaf" in seen or any(leaf.hosts for leaf in fabric.leaves) else None


def _leaf(leaf: Leaf) -> dict[str, Any]:
    return {
        "name": leaf.name,
        "hosts": list(leaf.hosts),
        "down_gbps": _round(leaf.down_gbps),
        "up_gbps": _round(leaf.up_gbps),
        "ratio": _round(leaf.ratio),
        "uplinks": leaf.uplinks,
        "uplinks_down": leaf.uplinks_down,
    }


def _bisection(found: Bisection | None) -> dict[str, Any] | None:
    if found is None:
        return None
    return {"hosts": list(found.hosts), "gbps": _round(found.gbps), "line_gbps": _round(found.line_gbps), "share": _round(found.share)}


def _job(rate: JobRate, leaf_of: Mapping[str, str]) -> dict[str, Any]:
    job = rate.job
    leaves = sorted({leaf_of[host] for host in job.hosts if host in leaf_of})
    return {
        "name": job.name,
        "hosts": list(job.hosts),
        "leaves": leaves,
        "crossing_share": _round(job.crossing_share),
        "crossing_share_best": _round(job.crossing_share_best),
        "rate_gBps": _round(rate.rate_gBps),
        "expected_gBps": _round(rate.expected_gBps),
    }


def _link(load: Load) -> dict[str, Any]:
    return {
        "from": load.source,
        "to": load.target,
        "links": load.links,
        "capacity_gbps": _round(load.capacity_gbps),
        "load_gbps": _round(load.load_gbps),
        "utilisation": _round(load.utilisation),
    }


def _ladder(ladder: Ladder) -> dict[str, Any]:
    rungs = {name: _round(getattr(ladder, name)) for name in (*RUNGS, "free_part", "physical_part", "measured", "modelled")}
    jobs = [{"name": job.job, **{name: _round(getattr(job, name)) for name in RUNGS}} for job in ladder.jobs]
    return {**rungs, "assumed": list(ladder.assumed), "jobs": jobs}


def _oddity(oddity: Oddity, lang: Lang) -> dict[str, Any]:
    origin = oddity.origin
    return {
        "kind": oddity.kind,
        "thing": oddity.thing,
        "text": _oddity_words(oddity, lang),
        "file": origin.name if origin else None,
        "line": origin.line if origin else None,
    }


def _oddity_words(oddity: Oddity, lang: Lang) -> str:
    return say(f"model.oddity-{oddity.kind}", lang, thing=oddity.thing, detail=oddity.detail)


def _round(value: float | None) -> float | None:
    return None if value is None else round(value, 6)


def model_document(found: Prediction, lang: Lang) -> Document:
    """The model for a person: leaves, jobs, the ladder with the split, the busiest links, and what is odd."""
    blocks: list[Block] = []
    if found.ladder is None:
        blocks.append(Paragraph(say("model.no-ladder", lang)))
    else:
        blocks += _ladder_blocks(found, found.ladder, lang)
    if found.jobs:
        header = tuple(say(f"model.{word}", lang) for word in ("job", "hosts", "leaves", "crossing", "best", "rate", "expected"))
        rows = tuple(_job_row(rate, lang) for rate in found.jobs)
        blocks += [Heading(2, say("model.jobs", lang)), Table(header, rows, ("left", *("right",) * 6))]
    if found.fabric.leaves:
        header = tuple(say(f"model.{word}", lang) for word in ("leaf", "hosts", "down", "up", "ratio", "uplinks"))
        rows = tuple(_leaf_row(leaf, lang) for leaf in found.fabric.leaves)
        blocks += [Heading(2, say("model.leaves", lang)), Table(header, rows, ("left", *("right",) * 5))]
        half = bisection(found.fabric)
        if half is not None:
            rates = {"rate": _gbps(half.gbps, lang), "line": _gbps(half.line_gbps, lang), "share": percent(half.share, lang)}
            blocks.append(Paragraph(say("model.bisection", lang, hosts=min(half.hosts), **rates)))
    busiest = sorted(found.links, key=lambda load: -(load.utilisation or 0.0))[:_SHOWN]
    if busiest:
        header = tuple(say(f"model.{word}", lang) for word in ("from", "to", "links", "capacity", "load", "used"))
        rows = tuple(
            (
                load.source,
                load.target,
                str(load.links),
                f"{load.capacity_gbps:.0f}",
                f"{load.load_gbps:.0f}",
                percent(load.utilisation, lang),
            )
            for load in busiest
        )
        blocks += [Heading(2, say("model.busiest", lang)), Table(header, rows, ("left", "left", *("right",) * 4))]
        if len(found.links) > len(busiest):
            blocks.append(Paragraph(say("model.more-links", lang, count=len(found.links) - len(busiest))))
    if found.oddities:
        items = tuple(
            f"{_oddity_words(o, lang)} [{place((o.origin,), lang)}]" if o.origin else _oddity_words(o, lang) for o in found.oddities
        )
        blocks += [Heading(2, say("model.oddities", lang)), Items(items)]
    return tuple(blocks)


def _ladder_blocks(found: Prediction, ladder: Ladder, lang: Lang) -> list[Block]:
    header = (say("model.rung", lang), say("model.reached", lang))
    rungs = Table(header, tuple((say(f"model.{name}", lang), percent(getattr(ladder, name), lang)) for name in RUNGS), ("left", "right"))
    split = Table(
        (say("model.cause", lang), say("model.part", lang), say("model.first", lang)),
        tuple((say(f"model.cause-{p.cause}", lang), percent(p.share, lang), percent(p.if_fixed_first, lang)) for p in found.split),
        ("left", "right", "right"),
    )
    checked = "model.error-measured" if ladder.error is not None else "model.error-unchecked"
    error = say(checked, lang, error=percent(found.error, lang), missed=percent(ladder.error, lang))
    assumed = tuple(say(f"model.assumed-{word}", lang) for word in ladder.assumed)
    notes: list[Block] = [Paragraph(error), *([Items(assumed)] if assumed else [])]
    return [Heading(2, say("model.ladder", lang)), rungs, split, *notes]


def _gbps(rate: float | None, lang: Lang) -> str:
    return say("report.unknown", lang) if rate is None else f"{rate:,.0f} Gb/s"


def _job_row(rate: JobRate, lang: Lang) -> tuple[str, ...]:
    job = rate.job
    return (
        job.name,
        str(len(job.hosts) or job.host_count or "-"),
        str(job.leaves or "-"),
        percent(job.crossing_share, lang),
        percent(job.crossing_share_best, lang),
        figure(rate.rate_gBps, "GB/s", lang),
        figure(rate.expected_gBps, "GB/s", lang),
    )


def _leaf_row(leaf: Leaf, lang: Lang) -> tuple[str, ...]:
    uplinks = say("report.unknown", lang) if leaf.uplinks is None else str(leaf.uplinks)
    down = say("model.uplinks-down", lang, count=leaf.uplinks_down) if leaf.uplinks_down else ""
    rates = (_gbps(leaf.down_gbps, lang), _gbps(leaf.up_gbps, lang), figure(leaf.ratio, "", lang))
    return (leaf.name, str(len(leaf.hosts)), *rates, f"{uplinks} {down}".strip())


def whatif_json(now: Prediction, then: Prediction, taken: Mapping[str, tuple[str, ...]], lang: Lang) -> dict[str, Any]:
    """The model after the remedies, with the same keys, and beside them what was taken and what the jobs reach before and after."""
    before, after = _reached(now), _reached(then)
    return {
        **model_json(then, lang),
        "taken": [{"remedy": remedy, "changes": list(changes)} for remedy, changes in taken.items()],
        "before": _round(before),
        "after": _round(after),
        "gain": _round(after - before) if before is not None and after is not None else None,
        "split_before": [{"cause": p.cause, "share": _round(p.share), "if_fixed_first": _round(p.if_fixed_first)} for p in now.split],
    }


def whatif_document(now: Prediction, then: Prediction, taken: Mapping[str, tuple[str, ...]], lang: Lang) -> Document:
    rows = tuple((remedy, _changes(changes, lang)) for remedy, changes in taken.items())
    blocks: list[Block] = [Heading(2, say("model.taken", lang)), Table((say("model.remedy", lang), say("model.stands-for", lang)), rows)]
    before, after = _reached(now), _reached(then)
    if before is not None and after is not None:
        shown = {"before": percent(before, lang), "after": percent(after, lang), "gain": percent(after - before, lang)}
        blocks.append(Paragraph(say("model.before-after", lang, **shown, error=percent(then.error, lang)), strong=True))
    return (*blocks, *model_document(then, lang))


def _changes(changes: tuple[str, ...], lang: Lang) -> str:
    return say("report.list", lang).join(say(f"model.change-{change}", lang) for change in changes) or say("model.silent", lang)


def _reached(found: Prediction) -> float | None:
    return found.ladder.R_now if found.ladder else None


_COUNTS = {"leaves_needed", "busiest_flows", "lost", "per_day"}  # of a calculator's results; the others are shares


def calculator_document(name: str, results: Mapping[str, float | None], lang: Lang) -> Document:
    """The results of a calculator: what each is, and its value."""
    rows = tuple(
        (say(f"model.{name}-{key}", lang), figure(value, "", lang) if key in _COUNTS else _precise(value, lang))
        for key, value in results.items()
    )
    return (
        Table((say("model.result", lang), say("model.value", lang)), rows, ("left", "right")),
        Paragraph(say(f"model.{name}-note", lang)),
    )


def _precise(share: float | None, lang: Lang) -> str:
    return say("report.unknown", lang) if share is None else f"{share * 100:.1f} %"
