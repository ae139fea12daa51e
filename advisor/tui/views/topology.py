"""The fabric drawn as a crossing: a row for each leaf, a column for each spine, every parallel uplink a sign of its own where they meet.

A sign says by its form what its colour says too: how full a link is by its height, how much it lost by the power of ten.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Literal

from advisor.base.text import Lang, say
from advisor.fabric.model import Convergence, Fabric, Host, Job, Leaf, Link
from advisor.tui.views.fabric import BUSY, FULL, host_cell, is_degraded, link_cell, link_state, port_cell
from advisor.tui.views.figures import number, percent
from advisor.tui.views.words import Column, Phrase, Row, Span, Table, Tone, cells, joined, word

What = Literal["load", "loss"]
Ways = Mapping[str, tuple[Link, ...]]  # the uplinks of one leaf by the switch above
_FEW = 4  # ports of a host that are drawn one by one
_MOST = 32  # parallel uplinks that are drawn one by one
_BROAD = 130  # cells from which on names have room
_FIXED = 34  # cells that name, ratio, load and hosts take beside the spines


@dataclass(frozen=True, slots=True)
class Look:
    """How the map is looked at.

    lost     packets lost at a device's port: between two takes, else since reset; a port that no counter speaks of is not there
    model    leaf or pod -> how full its links up are by the model, the fuller direction
    job      whose hosts and ways are lit
    opened   leaves whose hosts and links show
    width    cells that there are
    """

    what: What = "load"
    lost: Mapping[tuple[str, str], float] = field(default_factory=dict)
    model: Mapping[str, float] = field(default_factory=dict)
    job: Job | None = None
    opened: frozenset[str] = frozenset()
    width: int = 100


def lost_on(link: Link, look: Look) -> float | None:
    """Packets lost at both ends of a link; None where neither end has a counter."""
    known = [look.lost[end.device, end.port] for end in (link.a, link.b) if end.port and (end.device, end.port) in look.lost]
    return sum(known) if known else None


def sign(link: Link, look: Look) -> Span:
    """One link in one cell."""
    if look.what == "load" or not link.is_up:
        return link_cell(link)
    lost = lost_on(link, look)
    if lost is None:
        return Span("?", "dim")
    if lost < 1:
        return Span("·", "good")
    power = len(str(int(lost))) - 1
    return Span(str(min(power, 9)), "bad" if power >= 3 else "warn")


def table(fabric: Fabric, lang: Lang, look: Look) -> Table:
    """The map. Spines stand side by side where there is room; else all uplinks of a leaf in one column, grouped by spine."""
    ways = {leaf.name: _ways(fabric, leaf) for leaf in fabric.leaves}
    spines = _spines(fabric, ways)
    wide = _columns(fabric, ways, spines, look.width)
    across = tuple(Column(title, most=width) for title, width in wide) or (Column(say("tui.fabric.uplinks", lang), most=_MOST + 8),)
    columns = (
        Column(say("tui.fabric.leaf", lang), most=28 if look.width < _BROAD else 44),
        Column(say("tui.fabric.ratio", lang), right=True),
        *across,
        Column(say("tui.fabric.by-model", lang), right=True, drop=2),
        Column(say("tui.fabric.host-count", lang), right=True, drop=1),
        Column(say("tui.fabric.hosts", lang), flex=True),
    )
    rows: list[Row] = []
    names = spines if wide else ()
    if names and fabric.leaves:
        rows.append(_spine_row(fabric, names, look, lang))
    pod = ""
    for leaf in fabric.leaves:
        if leaf.pod and leaf.pod != pod:
            pod = leaf.pod
            rows += [_pod_row(each, look, len(across), lang) for each in fabric.pods if each.name == pod]
        rows += _leaf_rows(fabric, leaf, ways[leaf.name], names, look, lang)
    rows += _loose_rows(fabric, len(across), look, lang)
    return Table(columns, tuple(rows), empty=say("tui.fabric.no-leaves", lang))


def legend(look: Look, lang: Lang) -> str:
    """What the signs of the map stand for."""
    job = f" · [◆] {look.job.name}" if look.job else ""
    return say(f"tui.fabric.legend-{look.what}", lang) + job


# ---- columns


def _ways(fabric: Fabric, leaf: Leaf) -> Ways:
    """The uplinks of a leaf by the switch above, in the order of the ports."""
    found: dict[str, list[Link]] = {}
    for member in _members(leaf):
        for link in uplinks(fabric, member):
            found.setdefault(_other(link, member), []).append(link)
    return {spine: tuple(links) for spine, links in found.items()}


def _spines(fabric: Fabric, ways: Mapping[str, Ways]) -> tuple[str, ...]:
    """Switches that leaves have links to, in order of their names."""
    leaves = {member for leaf in fabric.leaves for member in _members(leaf)}
    return tuple(sorted({spine for its in ways.values() for spine in its} - leaves, key=_natural))


@lru_cache(65536)
def _natural(name: str) -> tuple[tuple[int, str], ...]:
    """spine-10 after spine-9."""
    parts: list[tuple[int, str]] = []
    text = ""
    for char in name:
        if text and char.isdigit() != text[-1].isdigit():
            parts.append((int(text) if text.isdigit() else -1, text))
            text = ""
        text += char
    return (*parts, (int(text) if text.isdigit() else -1, text))


def _members(leaf: Leaf) -> tuple[str, ...]:
    """The switches that make up a leaf: itself, or those that stand together."""
    return tuple(member.name for member in leaf.members) or (leaf.name,)


def _columns(fabric: Fabric, ways: Mapping[str, Ways], spines: tuple[str, ...], width: int) -> tuple[tuple[str, int], ...]:
    """Title and width of each spine's column; nothing where they do not fit side by side."""
    if not spines:
        return ()
    most = max((len(links) for its in ways.values() for links in its.values()), default=1)
    name = max((cells(leaf.name) for leaf in fabric.leaves), default=4)
    room = (width - _FIXED - min(name, 28)) // len(spines) - 2
    need = min(most, _MOST) + 2
    if room < need:
        return ()
    start = _common(spines)
    titles = [spine if len(spine) <= room else "…" + spine[len(start) :] for spine in spines]
    if any(len(title) > room for title in titles):
        titles = [title[-room:] for title in titles]
    return tuple((title, max(need, len(title))) for title in titles)


def _common(names: tuple[str, ...]) -> str:
    """What all names begin with, up to a sign that parts words."""
    first, last = min(names), max(names)
    same = next((i for i, (a, b) in enumerate(zip(first, last, strict=False)) if a != b), 0)
    cut = max(first.rfind(part, 0, same) for part in "-_.")
    return first[: cut + 1] if cut > 0 else ""


def uplinks(fabric: Fabric, leaf: str) -> tuple[Link, ...]:
    """Links from a leaf to other switches, those to one spine side by side."""
    found = [link for link in fabric.links_by_device.get(leaf, ()) if _other(link, leaf) not in fabric.hosts]
    return tuple(sorted(found, key=lambda link: (_natural(_other(link, leaf)), _natural(link.a.port or ""), _natural(link.b.port or ""))))


def _other(link: Link, device: str) -> str:
    return link.b.device if link.a.device == device else link.a.device


# ---- rows


def _signs(links: tuple[Link, ...], look: Look, lit: bool) -> Phrase:
    """Parallel links side by side; in brackets where the chosen job's traffic may take them."""
    spans: list[Span] = []
    for link in links[:_MOST]:
        spans.append(sign(link, look))
        if link.count > 1:
            spans.append(Span(f"×{link.count}", "dim"))
    if len(links) > _MOST:
        spans.append(Span("…", "dim"))
    if not spans:
        return ()
    return (Span("[", "mark"), *spans, Span("]", "mark")) if lit else (Span(" "), *spans, Span(" "))


def _spine_row(fabric: Fabric, spines: tuple[str, ...], look: Look, lang: Lang) -> Row:
    """The fullest link of each spine, or all that its links lost."""
    found: list[Phrase] = []
    for spine in spines:
        links = fabric.links_by_device.get(spine, ())
        if look.what == "load":
            used = max((link.utilisation for link in links if link.utilisation is not None), default=None)
            found.append(word(f" {percent(used, lang)}", tone_of(used)))
        else:
            lost = [value for link in links if (value := lost_on(link, look)) is not None]
            found.append(word(f" {number(sum(lost))}" if lost else " ?", "warn" if sum(lost) else "dim"))
    title = say(f"tui.fabric.spines-{look.what}", lang)
    return Row("spines", (word(title, "dim"), (), *found, (), (), ()))


def tone_of(used: float | None) -> Tone:
    return "dim" if used is None else "bad" if used >= FULL else "warn" if used >= BUSY else "good"


def _leaf_rows(fabric: Fabric, leaf: Leaf, ways: Ways, spines: tuple[str, ...], look: Look, lang: Lang) -> list[Row]:
    hosts = frozenset(look.job.hosts) if look.job else frozenset()
    here = hosts & frozenset(leaf.hosts)
    lit = bool(here) and here != hosts  # with all hosts on one leaf nothing of the job leads up
    name = say("tui.fabric.every-leaf", lang) if leaf.name == "*" else leaf.name
    across = tuple(_signs(ways.get(spine, ()), look, lit) for spine in spines)
    if not any(across):  # no cable of it is known, or there is no room side by side
        across = (_grouped(leaf, ways, look, lit, bool(spines)), *((),) * (len(spines) - 1))
    model = look.model.get(leaf.name)
    row = Row(
        f"leaf:{leaf.name}",
        (
            (Span("◆ ", "mark"), Span(name, "strong")) if here else word(name, "strong"),
            ratio_phrase(leaf),
            *across,
            word(percent(model, lang), tone_of(model)),
            word(len(leaf.hosts) or "–"),
            tuple(host_cell(fabric.hosts.get(host), host in hosts) for host in leaf.hosts),
        ),
        opened=leaf.name in look.opened,
    )
    if leaf.name not in look.opened:
        return [row]
    broad = look.width >= _BROAD
    return [
        row,
        *(_host_row(fabric.hosts.get(host) or Host(name=host), host in hosts, len(across), broad, lang) for host in leaf.hosts),
        *_link_rows(fabric, leaf, spines, look, lang),
    ]


def _grouped(leaf: Leaf, groups: Ways, look: Look, lit: bool, narrow: bool) -> Phrase:
    """All uplinks of a leaf in one cell, a blank between spines; where there are too many, the worst of each spine."""
    if not groups:
        if leaf.uplinks is None:
            return word("–", "dim")
        brief = narrow or leaf.uplinks + leaf.uplinks_down > _MOST
        up = Span(f"▪×{leaf.uplinks}" if brief else "▪" * leaf.uplinks, "info")
        down = Span((f" ✗×{leaf.uplinks_down}" if leaf.uplinks_down else "") if brief else "✗" * leaf.uplinks_down, "bad")
        return (Span("[", "mark"), up, down, Span("]", "mark")) if lit else (Span(" " if brief else ""), up, down)
    if sum(len(links) + 1 for links in groups.values()) > _MOST + 8:
        worst = [max(links, key=lambda link: _badness(link, look)) for links in groups.values()]
        shown: Phrase = tuple(sign(link, look) for link in worst[: _MOST + 6])
    else:
        shown = joined(*(tuple(sign(link, look) for link in links) for links in groups.values()), between=" ")
    return (Span("[", "mark"), *shown, Span("]", "mark")) if lit else shown


def _badness(link: Link, look: Look) -> tuple[int, float]:
    value = link.utilisation if look.what == "load" else lost_on(link, look)
    return (not link.is_up) * 2 + is_degraded(link), value or 0.0


def ratio_phrase(at: Convergence) -> Phrase:
    """The convergence of a leaf or pod; above 1 what hangs below it can send more than its links up carry."""
    if at.ratio is None:
        return word("–", "dim")
    text = f"{at.ratio:.2f}".rstrip("0").rstrip(".") + ":1"
    return word(f"! {text}", "warn") if at.ratio > 1 else word(text, "good")


def _pod_row(pod: Convergence, look: Look, across: int, lang: Lang) -> Row:
    """A pod of three tiers: its convergence towards the core."""
    up = pod.uplinks if pod.uplinks is not None else None
    words = say("tui.fabric.pod-up", lang, n=number(up), gbps=number(pod.up_gbps))
    down = f" ✗{pod.uplinks_down}" if pod.uplinks_down else ""
    model = look.model.get(pod.name)
    first: Phrase = joined(word(words, "dim"), word(down, "bad") if down else ())
    cells_ = (word(pod.name, "title"), ratio_phrase(pod), first, *((),) * (across - 1), word(percent(model, lang), tone_of(model)), (), ())
    return Row(f"pod:{pod.name}", cells_)


def _loose_rows(fabric: Fabric, across: int, look: Look, lang: Lang) -> list[Row]:
    """Hosts of no known leaf."""
    placed = {host for leaf in fabric.leaves for host in leaf.hosts}
    loose = [name for name in fabric.hosts if name not in placed]
    if not loose:
        return []
    lit = frozenset(look.job.hosts) if look.job else frozenset()
    title = say("tui.fabric.no-leaf", lang) if fabric.leaves else say("tui.fabric.hosts", lang)
    is_open = ("" in look.opened) != (not fabric.leaves)
    signs = tuple(host_cell(fabric.hosts.get(name), name in lit) for name in loose)
    row = Row("leaf:", (word(title, "dim"), word("–", "dim"), *((),) * across, (), word(len(loose)), signs), opened=is_open)
    broad = look.width >= _BROAD
    return [row, *(_host_row(fabric.hosts[name], name in lit, across, broad, lang) for name in loose)] if is_open else [row]


def _host_row(host: Host, lit: bool, across: int, broad: bool, lang: Lang) -> Row:
    rates = sorted({port.rate_gbps for port in host.ports.values() if port.rate_gbps is not None})
    gpus = host.gpu_count if host.gpu_count is not None else len(host.gpus) or None
    words = [f"{number(rate)} Gb/s" for rate in rates]
    if gpus is not None:
        words.append(say("tui.fabric.gpus", lang, n=gpus))
    ports = _counted(tuple(port_cell(port) for port in host.ports.values()))
    name = (Span("◆ " if lit else "", "mark"), Span(host.name, "mark" if lit else "plain"))
    about = word(" · ".join(words if broad else words[:1]), "dim")
    return Row(f"host:{host.name}", (name, (), ports, *((),) * (across - 1), (), word(len(host.ports) or "–", "dim"), about), depth=1)


def _counted(signs: Phrase) -> Phrase:
    """Signs one by one; where there are many, each with how many of it there are."""
    if len(signs) <= _FEW:
        return signs
    alike = Counter(signs)
    return joined(*((sign, Span(f"×{count}", "dim")) if count > 1 else (sign,) for sign, count in alike.items()), between=" ")


def _link_rows(fabric: Fabric, leaf: Leaf, spines: tuple[str, ...], look: Look, lang: Lang) -> list[Row]:
    """The uplinks of a leaf one by one, each below its spine where spines stand side by side."""
    places = {id(link): i for i, link in enumerate(fabric.links)}
    rows = []
    for member in _members(leaf):
        for link in uplinks(fabric, member):
            ends = (link.a, link.b) if link.a.device == member else (link.b, link.a)
            column = spines.index(ends[1].device) if ends[1].device in spines else 0
            far = (ends[1].port or "" if ends[1].device in spines else f"{ends[1].device} {ends[1].port or ''}").rstrip()
            name = f"{ends[0].port or member} › {far}" if far else ends[0].port or member
            figures = word(percent(link.utilisation, lang), tone_of(link.utilisation))
            if look.what == "loss":
                lost = lost_on(link, look)
                figures = word(number(lost), "warn" if lost else "dim")
            shown = joined((sign(link, look),), figures, between=" ")
            across: list[Phrase] = [()] * max(len(spines), 1)
            across[column] = shown
            rate = word(f"{number(link.capacity_gbps)} Gb/s", "dim") if look.width >= _BROAD else ()
            about = joined(link_state(link, lang), rate, between=" · ")
            rows.append(Row(f"link:{places[id(link)]}", (word(name, "info"), (), *across, (), (), about), depth=1))
    return rows
