"""The model of a fabric as a JSON tree and as a document. Shares are 0 to 1, rates in the unit of their name, unknown is null."""

from collections.abc import Mapping
from typing import Any

from advisor.base.text import Lang, say
from advisor.diagnosis.library import Source, library
from advisor.fabric.model import Convergence, Leaf
from advisor.fabric.oddities import Oddity
from advisor.report.document import Block, Document, Heading, Items, Paragraph, Table
from advisor.report.words import figure, percent, place
from advisor.traffic.bisection import Bisection, bisection
from advisor.traffic.ladder import Ladder
from advisor.traffic.predict import BEYOND, CORE, JobRate, Load, Prediction

RUNGS = ("R_now", "R_balance", "R_isolate", "R_pack", "R_ideal")
_ENDS = (BEYOND, CORE)
_SHOWN = 20  # rows of links that a terminal gets, busiest first; JSON has all


def model_json(found: Prediction, lang: Lang) -> dict[str, Any]:
    """`fabric`, `jobs`, `links`, `ladder`, `split` and `error` have the keys that others rely on; what else is known stands in `more`."""
    leaf_of = {host: leaf.name for leaf in found.fabric.leaves for host in leaf.hosts}
    return {
        "fabric": {"tiers": tiers(found), "leaves": [_leaf(leaf) for leaf in found.fabric.leaves]},
        "jobs": [_job(job, leaf_of) for job in found.jobs],
        "links": [_link(link) for link in found.links],
        "ladder": _ladder(found.ladder) if found.ladder else None,
        "split": [{"cause": p.cause, "share": _round(p.share), "if_fixed_first": _round(p.if_fixed_first)} for p in found.split],
        "error": _round(found.error),
        "more": _more(found, lang),
        "oddities": [_oddity(oddity, lang) for oddity in found.oddities],
    }


def _more(found: Prediction, lang: Lang) -> dict[str, Any]:
    """Of the fabric: spines, rails, routing, pods, uplinks that are down. Of each job: its collective, and where its expected busbw is
    from. Sources by id. What the model lacks where it has no word.
    """
    fabric = found.fabric
    pods = [
        {"name": p.name, "leaves": list(p.leaves), "down_gbps": _round(p.down_gbps), "up_gbps": _round(p.up_gbps), "ratio": _round(p.ratio)}
        for p in fabric.pods
    ]
    return {
        "spines": fabric.spines,
        "rails": fabric.rails,
        "routing": fabric.routing,
        "pods": pods,
        "bisection": _bisection(bisection(fabric)),
        "uplinks_down": {leaf.name: leaf.uplinks_down for leaf in fabric.leaves if leaf.uplinks_down},
        "expected": [_expected(rate) for rate in found.jobs],
        "sources": {name: {"title": one.title, "url": one.url} for name, one in _sources(found).items()},
        "missing": [{"what": word, "text": say(f"model.missing-{word}", lang)} for word in found.missing],
    }


def _expected(rate: JobRate) -> dict[str, Any]:
    hoped = rate.expected
    return {
        "job": rate.job.name,
        "collective": rate.collective.pattern,
        "said_by": rate.collective.said_by,
        "not_worked_out": rate.share is None,
        "expected_gBps": _round(hoped.gBps) if hoped else None,
        "low_gBps": _round(hoped.low_gBps) if hoped else None,
        "high_gBps": _round(hoped.high_gBps) if hoped else None,
        "basis": hoped.basis if hoped else None,
        "platform": hoped.platform if hoped else None,
        "sources": list(hoped.sources) if hoped else [],
        "measured_gBps": _round(rate.measured_gBps),
    }


def _sources(found: Prediction) -> dict[str, Source]:
    shelf = library().sources
    named = {name for rate in found.jobs if rate.expected for name in rate.expected.sources}
    return {name: shelf[name] for name in sorted(named) if name in shelf}


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
        "capacity_gbps": _round(load.capacity_gbps),
        "load_gbps": _round(load.load_gbps),
        "utilisation": _round(load.utilisation),
    }


def _ladder(ladder: Ladder) -> dict[str, Any]:
    rungs: dict[str, float | bool | None] = {
        name: _round(getattr(ladder, name)) for name in (*RUNGS, "free_part", "physical_part", "measured", "modelled")
    }
    rungs["reproduces"] = ladder.reproduces
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
    """The model for a person: the ladder with the split, jobs, leaves, the busiest links, and what is odd."""
    blocks: list[Block] = []
    if found.ladder is None:
        missing = tuple(say(f"model.missing-{word}", lang) for word in found.missing)
        blocks += [Paragraph(say("model.no-ladder", lang)), *([Items(missing)] if missing else []), Paragraph(say("model.form", lang))]
    else:
        blocks += _ladder_blocks(found, found.ladder, lang)
    if found.jobs:
        header = tuple(say(f"model.{word}", lang) for word in _JOB_COLUMNS)
        rows = tuple(_job_row(rate, lang) for rate in found.jobs)
        blocks += [Heading(2, say("model.jobs", lang)), Table(header, rows, ("left", *("right",) * 5, "left", "right", "right"))]
        blocks += [Items(notes)] if (notes := _job_notes(found, lang)) else []
    if found.fabric.leaves:
        header = tuple(say(f"model.{word}", lang) for word in ("leaf", "hosts", "down", "up", "ratio", "uplinks"))
        rows = tuple(_leaf_row(leaf, lang) for leaf in found.fabric.leaves)
        blocks += [Heading(2, say("model.leaves", lang)), Table(header, rows, ("left", *("right",) * 5))]
    if found.fabric.pods:
        header = tuple(say(f"model.{word}", lang) for word in ("pod", "leaves", "down", "up", "ratio", "uplinks"))
        rows = tuple((pod.name, str(len(pod.leaves)), *_rates(pod, lang)) for pod in found.fabric.pods)
        blocks += [Heading(2, say("model.pods", lang)), Table(header, rows, ("left", *("right",) * 5))]
    half = bisection(found.fabric) if found.fabric.leaves else None
    if half is not None:
        rates = {"rate": _gbps(half.gbps, lang), "line": _gbps(half.line_gbps, lang), "share": percent(half.share, lang)}
        blocks.append(Paragraph(say("model.bisection", lang, hosts=min(half.hosts), **rates)))
    blocks += _link_blocks(found, lang)
    if found.oddities:
        items = tuple(
            f"{_oddity_words(o, lang)} [{place((o.origin,), lang)}]" if o.origin else _oddity_words(o, lang) for o in found.oddities
        )
        blocks += [Heading(2, say("model.oddities", lang)), Items(items)]
    return tuple(blocks)


_JOB_COLUMNS = ("job", "hosts", "leaves", "crossing", "best", "share", "collective", "rate", "expected")


def _job_notes(found: Prediction, lang: Lang) -> tuple[str, ...]:
    """Where the expected busbw of the jobs is from, and what their rates are held to."""
    shelf, notes = _sources(found), dict[str, None]()
    for rate in found.jobs:
        hoped = rate.expected
        if hoped is not None and hoped.basis == "platform" and hoped.low_gBps is not None:
            band = f"{hoped.low_gBps:.0f}" if hoped.low_gBps == hoped.high_gBps else f"{hoped.low_gBps:.0f}-{hoped.high_gBps:.0f}"
            titles = say("report.list", lang).join(shelf[name].title for name in hoped.sources if name in shelf)
            notes[say("model.expected-platform", lang, platform=hoped.platform, band=band, sources=titles)] = None
        elif hoped is not None:
            notes[say(f"model.expected-{hoped.basis}", lang)] = None
    quiet = sorted({rate.measured_gBps for rate in found.jobs if rate.measured_gBps and rate.share is not None})
    if quiet:
        rates = say("report.list", lang).join(f"{value:.0f} GB/s" for value in quiet)
        notes[say("model.rate-measured", lang, rates=rates)] = None
    return tuple(notes)


def _link_blocks(found: Prediction, lang: Lang) -> list[Block]:
    """Uplinks and links to the core, busiest first; of host ports only how busy they are."""
    between = sorted((load for load in found.links if load.kind != "port"), key=lambda load: -(load.utilisation or 0.0))
    ports = sorted((load for load in found.links if load.kind == "port"), key=lambda load: -(load.utilisation or 0.0))
    blocks: list[Block] = []
    if between:
        header = tuple(say(f"model.{word}", lang) for word in ("from", "to", "links", "capacity", "load", "used"))
        rows = tuple(_load_row(load, lang) for load in between[:_SHOWN])
        blocks.append(Table(header, rows, ("left", "left", *("right",) * 4)))
    if len(between) > _SHOWN:
        blocks.append(Paragraph(say("model.more-links", lang, count=len(between) - _SHOWN)))
    if ports:
        busiest, least = ports[0], ports[-1]
        host = busiest.source if busiest.source in found.fabric.hosts else busiest.target
        low, high = percent(least.utilisation, lang), percent(busiest.utilisation, lang)
        words = say("model.ports-alike", lang, high=high) if low == high else say("model.ports-used", lang, host=host, low=low, high=high)
        blocks.append(Paragraph(words))
    return [Heading(2, say("model.busiest", lang)), *blocks] if blocks else []


def _load_row(load: Load, lang: Lang) -> tuple[str, ...]:
    ends = tuple(say(f"model.end-{end}", lang) if end in _ENDS else end for end in (load.source, load.target))
    return (*ends, str(load.links), f"{load.capacity_gbps:,.0f}", f"{load.load_gbps:,.0f}", percent(load.utilisation, lang))


def _ladder_blocks(found: Prediction, ladder: Ladder, lang: Lang) -> list[Block]:
    header = (say("model.rung", lang), say("model.reached", lang))
    rungs = Table(header, tuple((say(f"model.{name}", lang), percent(getattr(ladder, name), lang)) for name in RUNGS), ("left", "right"))
    blocks: list[Block] = [Heading(2, say("model.ladder", lang)), rungs]
    if found.split:
        columns = (say("model.cause", lang), say("model.part", lang), say("model.first", lang))
        rows = tuple((say(f"model.cause-{p.cause}", lang), percent(p.share, lang), percent(p.if_fixed_first, lang)) for p in found.split)
        blocks.append(Table(columns, rows, ("left", "right", "right")))
    else:
        blocks.append(Paragraph(say("model.no-verdict", lang, missed=percent(ladder.error, lang)), strong=True))
    checked = "model.error-measured" if ladder.error is not None else "model.error-unchecked"
    blocks.append(Paragraph(say(checked, lang, error=percent(found.error, lang), missed=percent(ladder.error, lang))))
    assumed = tuple(say(f"model.assumed-{word}", lang) for word in ladder.assumed)
    return [*blocks, *([Items(assumed)] if assumed else [])]


def _gbps(rate: float | None, lang: Lang) -> str:
    return say("report.unknown", lang) if rate is None else f"{rate:,.0f} Gb/s"


def _job_row(rate: JobRate, lang: Lang) -> tuple[str, ...]:
    job = rate.job
    several = len(job.hosts) > 1 or (job.host_count or 0) > 1
    unknown = say("model.not-worked-out", lang) if several else "-"
    return (
        job.name,
        str(len(job.hosts) or job.host_count or "-"),
        str(job.leaves or "-"),
        percent(job.crossing_share, lang),
        percent(job.crossing_share_best, lang),
        unknown if rate.share is None else percent(rate.share, lang),
        say(f"model.collective-{rate.collective.pattern}", lang) if several else "-",
        unknown if rate.rate_gBps is None else f"{rate.rate_gBps:.0f} GB/s",
        "-" if rate.expected_gBps is None else f"{rate.expected_gBps:.0f} GB/s",
    )


def _leaf_row(leaf: Leaf, lang: Lang) -> tuple[str, ...]:
    return (leaf.name, str(len(leaf.hosts)), *_rates(leaf, lang))


def _rates(one: Convergence, lang: Lang) -> tuple[str, ...]:
    uplinks = say("report.unknown", lang) if one.uplinks is None else str(one.uplinks)
    down = say("model.uplinks-down", lang, count=one.uplinks_down) if one.uplinks_down else ""
    ratio = say("report.unknown", lang) if one.ratio is None else f"{one.ratio:.3g} : 1"
    return (_gbps(one.down_gbps, lang), _gbps(one.up_gbps, lang), ratio, f"{uplinks} {down}".strip())


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
    silent = tuple(remedy for remedy, changes in taken.items() if not changes)
    if before is not None and after is not None and len(silent) < len(taken) and round(after - before, 2) <= 0:
        blocks.append(Paragraph(say("model.nothing-gained", lang)))
    return (*blocks, *model_document(then, lang))


def _changes(changes: tuple[str, ...], lang: Lang) -> str:
    return say("report.list", lang).join(say(f"model.change-{change}", lang) for change in changes) or say("model.silent", lang)


def _reached(found: Prediction) -> float | None:
    return found.ladder.R_now if found.ladder else None


# Units of a calculator's results; the others are shares.
_UNITS = {
    **dict.fromkeys(("leaves_needed", "busiest_flows", "lost", "per_day"), ""),
    **dict.fromkeys(("algbw", "ring", "hierarchy", "ceiling_ring", "ceiling_tree", "ceiling_in_network", "line_gBps"), "GB/s"),
    **dict.fromkeys(("aligned", "random", "shifted"), "×"),
    "line_TiBps": "TiB/s",
}


def calculator_document(name: str, results: Mapping[str, float | None], lang: Lang) -> Document:
    """The results of a calculator: what each is, and its value."""
    units = _UNITS if name != "crossing" else {"leaves_needed": ""}
    rows = tuple(
        (say(f"model.{name}-{key}", lang), figure(value, units[key], lang) if key in units else percent(value, lang, digits=1))
        for key, value in results.items()
    )
    return (
        Table((say("model.result", lang), say("model.value", lang)), rows, ("left", "right")),
        Paragraph(say(f"model.{name}-note", lang)),
    )
