"""The fabric as found: signs of links and hosts, the table of links, jobs, step times, conflicts."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from advisor.base.text import Lang, say, text_of
from advisor.base.writing import clauses
from advisor.evidence.origin import Origin
from advisor.fabric.model import Fabric, Host, Job, Link, Port, TrainingLog
from advisor.tui.views.figures import level, number, percent
from advisor.tui.views.plot import Curve
from advisor.tui.views.words import Column, Para, Phrase, Row, Rows, Span, Table, Tone, joined, some, word

FULL = 0.9  # share of its rate from which on a link counts as full (the diagnosis has thresholds of its own; this only colours)
BUSY = 0.7
KINDS = ("training", "inference", "data", "benchmark")
NOTHING: Mapping[Any, Any] = {}


def is_degraded(link: Link | Port) -> bool:
    """Whether it runs below what it could."""
    return link.rate_gbps is not None and link.rate_max_gbps is not None and link.rate_gbps < link.rate_max_gbps


def link_state(link: Link, lang: Lang) -> Phrase:
    return _state_words(link.state, link.is_up, is_degraded(link), lang)


@lru_cache(64)
def _state_words(state: str | None, is_up: bool, degraded: bool, lang: Lang) -> Phrase:
    if not is_up:
        return word(f"✗ {state or say('tui.fabric.down', lang)}", "bad")
    if degraded:
        return word(f"↓ {say('tui.fabric.degraded', lang)}", "warn")
    return word(f"✓ {state}", "good") if state else word(f"? {say('tui.unknown', lang)}", "dim")


def link_cell(link: Link) -> Span:
    """One link in one cell: its state, else how full it is."""
    if not link.is_up:
        return Span("✗", "bad")
    if link.utilisation is not None:
        tone: Tone = "bad" if link.utilisation >= FULL else "warn" if link.utilisation >= BUSY else "good"
        return Span(level(link.utilisation), tone)
    return Span("↓", "warn") if is_degraded(link) else Span("▪", "info")


def port_cell(port: Port) -> Span:
    if port.state in ("down", "init"):
        return Span("✗", "bad")
    if is_degraded(port):
        return Span("↓", "warn")
    return Span("●", "good") if port.state else Span("○", "dim")


def host_cell(host: Host | None, lit: bool) -> Span:
    """One host in one cell; hosts of the chosen job stand out."""
    states = [port_cell(port) for port in host.ports.values()] if host else []
    tones = {span.tone for span in states}
    tone: Tone = "bad" if "bad" in tones else "warn" if "warn" in tones else "good" if "good" in tones else "dim"
    if lit:
        return Span("◆", tone if tone in ("bad", "warn") else "mark")
    return Span("✗" if tone == "bad" else "↓" if tone == "warn" else "●" if tone == "good" else "○", tone)


def links(fabric: Fabric, lang: Lang, lost: Mapping[tuple[str, str], float] = NOTHING) -> Table:
    """Every link; sort and filter are the table's own. `lost`: packets lost at each device and port."""

    def row(i: int) -> Row:
        link = fabric.links[i]
        ends = _end(link.a.device, link.a.port), _end(link.b.device, link.b.port)
        degraded, used = is_degraded(link), link.utilisation
        state = 0.0 if not link.is_up else 1.0 if degraded else 2.0
        figures = _link_cells(link.rate_gbps, link.rate_max_gbps if degraded else None, link.count, used, lang)
        known = [lost[end.device, end.port] for end in (link.a, link.b) if end.port and (end.device, end.port) in lost] if lost else ()
        gone = sum(known) if known else None
        cells = (word(ends[0]), word(ends[1]), *figures, _lost_cell(gone), link_state(link, lang))
        return Row(f"link:{i}", cells, (*ends, link.rate_gbps, float(link.count), used, gone, state))

    columns = (
        Column(say("tui.fabric.end-a", lang), flex=True),
        Column(say("tui.fabric.end-b", lang), flex=True),
        Column("Gb/s", right=True),
        Column("×", right=True, drop=1),
        Column(say("tui.fabric.used", lang), right=True),
        Column(say("tui.fabric.lost", lang), right=True, drop=2),
        Column(say("tui.fabric.state", lang)),
    )
    return Table(columns, Rows(len(fabric.links), row), empty=say("tui.fabric.no-links", lang))


@lru_cache(4096)
def _lost_cell(lost: float | None) -> Phrase:
    return word(number(lost), "warn" if lost else "dim")


@lru_cache(4096)
def _link_cells(rate: float | None, most: float | None, count: int, used: float | None, lang: Lang) -> tuple[Phrase, Phrase, Phrase]:
    """Rate, number of parallel ones and use. Thousands of links share a few values, so that a large fabric is not made of tiny objects."""
    tone: Tone = "bad" if used is not None and used >= FULL else "warn" if used is not None and used >= BUSY else "plain"
    rates = number(rate) + (f" / {number(most)}" if most is not None else "")
    return (
        word(rates, "plain" if most is None else "warn"),
        word(count if count > 1 else "", "dim"),
        word(percent(used, lang), tone),
    )


def _end(device: str, port: str | None) -> str:
    return f"{device} {port}" if port else device


def jobs(fabric: Fabric, lang: Lang, rates: Mapping[str, tuple[float | None, float | None]] = NOTHING) -> Table:
    """Jobs, how scattered they are, and what each reaches and should reach by the model (`rates`, busbw in GB/s)."""
    rows = [_job_row(job, rates.get(job.name, (None, None)), lang) for job in fabric.jobs]
    columns = (
        Column(say("tui.fabric.job", lang), flex=True),
        Column(say("tui.fabric.kind", lang), drop=3),
        Column(say("tui.fabric.host-count", lang), right=True),
        Column("GPU", right=True, drop=3),
        Column(say("tui.fabric.leaves", lang), right=True),
        Column(say("tui.fabric.crossing", lang), right=True, drop=1),
        Column(say("tui.fabric.reaches", lang), right=True, drop=2),
    )
    return Table(columns, tuple(rows), empty=say("tui.fabric.no-jobs", lang))


def _job_row(job: Job, rate: tuple[float | None, float | None], lang: Lang) -> Row:
    scattered = job.leaves is not None and job.leaves_needed is not None and job.leaves > job.leaves_needed
    needed = f"/{job.leaves_needed}" if job.leaves_needed is not None else ""
    hosts = job.host_count if job.host_count is not None else len(job.hosts) or None
    kind = say(f"tui.kind.{job.kind}", lang) if job.kind in KINDS else job.kind or "–"
    now, hoped = rate
    slow = now is not None and hoped is not None and now < BUSY * hoped
    return Row(
        f"job:{job.name}",
        (
            word(job.name, "strong"),
            word(kind, "dim"),
            word(number(hosts)),
            word(number(job.gpu_count)),
            word(f"{'! ' if scattered else ''}{number(job.leaves)}{needed}", "warn" if scattered else "plain"),
            word(percent(job.crossing_share, lang)),
            word("–", "dim") if now is None else word(f"{now:.0f}/{number(hoped, 0)} GB/s", "bad" if slow else "plain"),
        ),
        order=(job.name, job.kind, hosts, job.gpu_count, job.leaves, job.crossing_share, now),
    )


def steps(log: TrainingLog | None, lang: Lang) -> Curve:
    """Step times of one log, checkpoint windows shaded."""
    if log is None or not log.steps:
        return Curve(empty=say("tui.fabric.no-steps", lang))
    timed = any(step.time_s is not None for step in log.steps)
    points = tuple(step.time_s if timed else step.rate_per_s for step in log.steps)
    unit = "s" if timed else "/s"
    first, last = log.steps[0].number, log.steps[-1].number
    return Curve(
        points,
        tuple(step.in_checkpoint for step in log.steps),
        unit,
        say("tui.fabric.step", lang, n=f"{first:,}"),
        f"{last:,}",
    )


def summary(fabric: Fabric, lang: Lang) -> tuple[Para, ...]:
    """What the fabric is, and what sources say differently."""
    tiers: dict[str, int] = {}
    for switch in fabric.switches.values():
        tiers[switch.tier] = tiers.get(switch.tier, 0) + 1
    words = [say("tui.fabric.count-hosts", lang, n=number(len(fabric.hosts)))] if fabric.hosts else []
    words += [
        say(f"tui.fabric.count-{tier}", lang, n=number(tiers[tier])) for tier in ("leaf", "spine", "core", "unknown") if tier in tiers
    ]
    if fabric.links:
        words.append(say("tui.fabric.count-links", lang, n=f"{len(fabric.links):,}"))
    kinds = (fabric.technology, fabric.topology, fabric.routing, fabric.scheduler)
    names = [known.say(lang) if (known := text_of(f"tui.fabric-kind.{kind}")) else kind for kind in kinds if kind]
    bad = [link for link in fabric.links if not link.is_up or is_degraded(link)]
    lines = [Para(joined(word(" · ".join(words), "strong"), word(" · ".join(names), "dim"), between="  "))]
    if bad:
        shown = some([f"{link.a.device}–{link.b.device}" for link in bad], 4, lang)
        lines.append(Para((Span("! ", "warn"), Span(say("tui.fabric.bad-links", lang, n=len(bad), names=shown), "warn")), hang=2))
    for conflict in fabric.conflicts[:20]:
        said = clauses((f"{value} ({origin})" for value, origin in zip(conflict.values, conflict.origins, strict=False)), lang)
        text = say("tui.fabric.conflict", lang, thing=conflict.thing, figure=conflict.figure, said=said)
        lines.append(Para((Span("! ", "warn"), Span(text)), hang=2))
    if len(fabric.conflicts) > 20:
        lines.append(Para(word(f"+{len(fabric.conflicts) - 20}", "dim")))
    return tuple(lines)


def job_named(fabric: Fabric, name: str) -> Job | None:
    return next((job for job in fabric.jobs if job.name == name), None)


def link_of(fabric: Fabric, key: str) -> Link | None:
    """The link of a row."""
    kind, _, place = key.partition(":")
    return fabric.links[int(place)] if kind == "link" and place.isdigit() and int(place) < len(fabric.links) else None


def origins_of(fabric: Fabric, key: str) -> Mapping[str, tuple[str, int]]:
    """Where the thing of a row comes from: name of the source -> capture and line."""
    kind, _, name = key.partition(":")
    found: list[Origin | None] = []
    if kind in ("leaf", "pod"):
        found = [one.origin for one in (*fabric.leaves, *fabric.pods) if one.name == name]
    elif kind == "host" and name in fabric.hosts:
        found = list(fabric.hosts[name].origins)
    elif kind == "job":
        found = [job.origin for job in fabric.jobs if job.name == name]
    elif kind == "link":
        found = [link.origin] if (link := link_of(fabric, key)) else []
    return {str(origin): (origin.capture, origin.line or 1) for origin in found if origin and origin.capture}
