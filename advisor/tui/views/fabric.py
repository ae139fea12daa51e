"""The fabric as found: leaves with their uplinks and hosts, links, jobs, step times, conflicts."""

from collections.abc import Iterable, Mapping
from functools import lru_cache

from advisor.base.text import Lang, say
from advisor.fabric.model import Fabric, Host, Job, Leaf, Link, Port, TrainingLog
from advisor.tui.views.figures import level, number, percent
from advisor.tui.views.plot import Curve
from advisor.tui.views.words import Column, Para, Phrase, Row, Span, Table, Tone, joined, some, word

FULL = 0.9  # share of its rate from which on a link counts as full (the diagnosis has thresholds of its own; this only colours)
BUSY = 0.7


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


def uplinks(fabric: Fabric, leaf: str) -> tuple[Link, ...]:
    """Links from a leaf to other switches, those to one spine side by side."""
    found = [link for link in fabric.links_by_device.get(leaf, ()) if _other(link, leaf) not in fabric.hosts]
    return tuple(sorted(found, key=lambda link: (_other(link, leaf), link.a.port or "", link.b.port or "")))


def _other(link: Link, device: str) -> str:
    return link.b.device if link.a.device == device else link.a.device


def _uplink_phrase(fabric: Fabric, leaf: Leaf, most: int = 32) -> Phrase:
    spans: list[Span] = []
    before = ""
    for link in uplinks(fabric, leaf.name)[:most]:
        spine = _other(link, leaf.name)
        if before and spine != before:
            spans.append(Span(" "))
        before = spine
        spans.append(link_cell(link))
        if link.count > 1:
            spans.append(Span(f"×{link.count}", "dim"))
    if spans:
        return tuple(spans)
    if leaf.uplinks is not None:
        return (Span("▪" * min(leaf.uplinks - leaf.uplinks_down, most), "info"), Span("✗" * min(leaf.uplinks_down, most), "bad"))
    return word("–", "dim")


def ratio_phrase(leaf: Leaf) -> Phrase:
    """The convergence of a leaf; above 1 its hosts can send more than its uplinks carry."""
    if leaf.ratio is None:
        return word("–", "dim")
    text = f"{leaf.ratio:.2f}".rstrip("0").rstrip(".") + ":1"
    return word(f"! {text}", "warn") if leaf.ratio > 1 else word(text, "good")


def leaves(fabric: Fabric, lang: Lang, job: Job | None, opened: frozenset[str]) -> Table:
    """A row for each leaf, its hosts below it when unfolded. Hosts of no known leaf stand last."""
    lit = frozenset(job.hosts) if job else frozenset()
    rows: list[Row] = []
    placed: set[str] = set()
    for leaf in fabric.leaves:
        rows += _leaf_rows(fabric, leaf, lit, opened, lang)
        placed.update(leaf.hosts)
    loose = [name for name in fabric.hosts if name not in placed]
    if loose:
        title = say("tui.fabric.no-leaf", lang) if fabric.leaves else say("tui.fabric.hosts", lang)
        is_open = ("" in opened) != (not fabric.leaves)
        cells = (word(title, "dim"), word("–", "dim"), (), (), (), word(len(loose)), _host_cells(fabric, loose, lit))
        rows.append(Row("leaf:", cells, opened=is_open))
        if is_open:
            rows += [_host_row(fabric.hosts[name], name in lit, lang) for name in loose]
    columns = (
        Column(say("tui.fabric.leaf", lang), flex=True, most=28),
        Column(say("tui.fabric.ratio", lang), right=True),
        Column(say("tui.fabric.uplinks", lang), most=26),
        Column(say("tui.fabric.down-gbps", lang), right=True, drop=2),
        Column(say("tui.fabric.up-gbps", lang), right=True, drop=1),
        Column(say("tui.fabric.host-count", lang), right=True),
        Column(say("tui.fabric.hosts", lang), flex=True),
    )
    return Table(columns, tuple(rows), empty=say("tui.fabric.no-leaves", lang))


def _leaf_rows(fabric: Fabric, leaf: Leaf, lit: frozenset[str], opened: frozenset[str], lang: Lang) -> list[Row]:
    is_open = leaf.name in opened
    name = say("tui.fabric.every-leaf", lang) if leaf.name == "*" else leaf.name
    cells = (
        word(name, "strong"),
        ratio_phrase(leaf),
        _uplink_phrase(fabric, leaf),
        word(number(leaf.down_gbps)),
        word(number(leaf.up_gbps)),
        word(len(leaf.hosts) or "–"),
        _host_cells(fabric, leaf.hosts, lit),
    )
    rows = [Row(f"leaf:{leaf.name}", cells, opened=is_open)]
    if is_open:
        rows += [_host_row(fabric.hosts.get(host) or Host(name=host), host in lit, lang) for host in leaf.hosts]
        rows += [
            Row(
                f"link:{i}:{leaf.name}",
                (
                    word(_other(link, leaf.name), "info"),
                    (),
                    (link_cell(link), *_load(link)),
                    word(number(link.capacity_gbps)),
                    (),
                    (),
                    link_state(link, lang),
                ),
                depth=1,
            )
            for i, link in enumerate(uplinks(fabric, leaf.name))
        ]
    return rows


def _load(link: Link) -> Phrase:
    return word(f" {percent(link.utilisation)}") if link.utilisation is not None else ()


def _host_cells(fabric: Fabric, names: Iterable[str], lit: frozenset[str]) -> Phrase:
    return tuple(host_cell(fabric.hosts.get(name), name in lit) for name in names)


def _host_row(host: Host, lit: bool, lang: Lang) -> Row:
    ports = tuple(port_cell(port) for port in host.ports.values())
    rates = sorted({port.rate_gbps for port in host.ports.values() if port.rate_gbps is not None})
    gpus = host.gpu_count if host.gpu_count is not None else len(host.gpus) or None
    words = [f"{number(rate)} Gb/s" for rate in rates]
    if gpus is not None:
        words.append(say("tui.fabric.gpus", lang, n=gpus))
    cells = (
        (Span("◆ " if lit else "", "mark"), Span(host.name, "mark" if lit else "plain")),
        (),
        ports,
        (),
        (),
        word(len(host.ports) or "–", "dim"),
        word(" · ".join(words), "dim"),
    )
    return Row(f"host:{host.name}", cells, depth=1)


def links(fabric: Fabric, lang: Lang) -> Table:
    """Every link; sort and filter are the table's own."""
    rows: list[Row] = []
    for i, link in enumerate(fabric.links):
        ends = _end(link.a.device, link.a.port), _end(link.b.device, link.b.port)
        degraded, used = is_degraded(link), link.utilisation
        state = 0.0 if not link.is_up else 1.0 if degraded else 2.0
        figures = _link_cells(link.rate_gbps, link.rate_max_gbps if degraded else None, link.count, used, lang)
        cells = (word(ends[0]), word(ends[1]), *figures, link_state(link, lang))
        rows.append(Row(f"link:{i}", cells, (*ends, link.rate_gbps, float(link.count), used, state)))
    columns = (
        Column(say("tui.fabric.end-a", lang), flex=True),
        Column(say("tui.fabric.end-b", lang), flex=True),
        Column("Gb/s", right=True),
        Column("×", right=True, drop=1),
        Column(say("tui.fabric.used", lang), right=True),
        Column(say("tui.fabric.state", lang)),
    )
    return Table(columns, tuple(rows), empty=say("tui.fabric.no-links", lang))


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


def jobs(fabric: Fabric, lang: Lang) -> Table:
    """Jobs and how scattered they are."""
    rows: list[Row] = []
    for job in fabric.jobs:
        scattered = job.leaves is not None and job.leaves_needed is not None and job.leaves > job.leaves_needed
        needed = f"/{job.leaves_needed}" if job.leaves_needed is not None else ""
        hosts = job.host_count if job.host_count is not None else len(job.hosts) or None
        rows.append(
            Row(
                f"job:{job.name}",
                (
                    word(job.name, "strong"),
                    word(
                        say(f"tui.kind.{job.kind}", lang)
                        if job.kind in ("training", "inference", "data", "benchmark")
                        else job.kind or "–",
                        "dim",
                    ),
                    word(number(hosts)),
                    word(number(job.gpu_count)),
                    word(f"{'! ' if scattered else ''}{number(job.leaves)}{needed}", "warn" if scattered else "plain"),
                    word(percent(job.crossing_share, lang)),
                ),
                order=(job.name, job.kind, hosts, job.gpu_count, job.leaves, job.crossing_share),
            )
        )
    columns = (
        Column(say("tui.fabric.job", lang), flex=True),
        Column(say("tui.fabric.kind", lang), drop=3),
        Column(say("tui.fabric.host-count", lang), right=True),
        Column("GPU", right=True, drop=2),
        Column(say("tui.fabric.leaves", lang), right=True),
        Column(say("tui.fabric.crossing", lang), right=True, drop=1),
    )
    return Table(columns, tuple(rows), empty=say("tui.fabric.no-jobs", lang))


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
        say("tui.fabric.step", lang, n=first),
        f"{last:,}",
    )


def summary(fabric: Fabric, lang: Lang) -> tuple[Para, ...]:
    """What the fabric is, and what sources say differently."""
    tiers: dict[str, int] = {}
    for switch in fabric.switches.values():
        tiers[switch.tier] = tiers.get(switch.tier, 0) + 1
    words = [say("tui.fabric.count-hosts", lang, n=len(fabric.hosts))] if fabric.hosts else []
    words += [say(f"tui.fabric.count-{tier}", lang, n=tiers[tier]) for tier in ("leaf", "spine", "core", "unknown") if tier in tiers]
    if fabric.links:
        words.append(say("tui.fabric.count-links", lang, n=f"{len(fabric.links):,}"))
    names = [name for name in (fabric.technology, fabric.topology, fabric.routing, fabric.scheduler) if name]
    bad = [link for link in fabric.links if not link.is_up or is_degraded(link)]
    lines = [Para(joined(word(" · ".join(words), "strong"), word(" · ".join(names), "dim"), between="  "))]
    if bad:
        shown = some([f"{link.a.device}–{link.b.device}" for link in bad], 4, lang)
        lines.append(Para((Span("! ", "warn"), Span(say("tui.fabric.bad-links", lang, n=len(bad), names=shown), "warn")), hang=2))
    for conflict in fabric.conflicts[:20]:
        said = "; ".join(f"{value} ({origin})" for value, origin in zip(conflict.values, conflict.origins, strict=False))
        text = say("tui.fabric.conflict", lang, thing=conflict.thing, figure=conflict.figure, said=said)
        lines.append(Para((Span("! ", "warn"), Span(text)), hang=2))
    if len(fabric.conflicts) > 20:
        lines.append(Para(word(f"+{len(fabric.conflicts) - 20}", "dim")))
    return tuple(lines)


def spines(fabric: Fabric) -> Phrase:
    """The spines in one line, each with its links by state and load."""
    found: list[Phrase] = []
    for switch in fabric.switches.values():
        if switch.tier in ("spine", "core") and switch.name in fabric.links_by_device:
            cells = tuple(link_cell(link) for link in fabric.links_by_device.get(switch.name, ())[:16])
            found.append(joined(word(switch.name, "strong"), word(" "), cells))
    return joined(*found[:12], between="   ")


def job_named(fabric: Fabric, name: str) -> Job | None:
    return next((job for job in fabric.jobs if job.name == name), None)


def origins_of(fabric: Fabric, key: str) -> Mapping[str, tuple[str, int]]:
    """Where the thing of a row comes from: name of the source -> capture and line."""
    kind, _, name = key.partition(":")
    found = []
    if kind == "leaf":
        found = [leaf.origin for leaf in fabric.leaves if leaf.name == name]
    elif kind == "host" and name in fabric.hosts:
        found = list(fabric.hosts[name].origins)
    elif kind == "job":
        found = [job.origin for job in fabric.jobs if job.name == name]
    elif kind == "link":
        place = name.split(":")[0]
        found = [fabric.links[int(place)].origin] if ":" not in name and int(place) < len(fabric.links) else []
    return {str(origin): (origin.capture, origin.line or 1) for origin in found if origin and origin.capture}
