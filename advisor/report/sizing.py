"""A sizing as JSON and as tables that an engineer can order from: switches by tier, cables and modules, what limits it."""

from collections.abc import Iterable
from math import ceil
from typing import Any

from advisor.base.text import Lang, Text, say
from advisor.cost.sizing.answer import Sizing, radix_of
from advisor.cost.sizing.model import Design
from advisor.cost.sizing.reference import bill, misprints, references
from advisor.remedy.words import both
from advisor.report.document import Block, Document, Heading, Items, Paragraph, Table

_GROWTH = (
    *(
        "tiers",
        "leaves",
        "spines",
        "cores",
        "uplinks_per_leaf",
        "oversubscription",
        "leaf_spine_links",
        "buy_leaves",
        "buy_spines",
        "buy_cores",
    ),
    *("buy_leaf_spine_links", "buy_spine_core_links", "buy_twin_port_modules", "buy_fibres", "buy_node_cables"),
    *("leaf_spine_links_moved", "node_cables_moved", "spare_spines"),
)
_ROOM = (
    *("free_leaf_ports_per_leaf", "free_spine_ports", "uplinks_addable_per_leaf", "oversubscription_now", "oversubscription_reachable"),
    *("nodes_on_free_ports", "nodes_at_target"),
)
_STORAGE = (
    *("storage_links", "storage_leaves", "storage_spines", "storage_cables_leaf_spine", "ports_needed", "ports_per_switch_usable"),
    *("storage_switches", "storage_isl_links", "storage_nics", "storage_cables", "storage_read_gBps", "storage_write_gBps"),
    *("storage_node_read_gBps", "storage_node_write_gBps", "storage_needed_gBps", "storage_ports_per_node_needed"),
)
_MANAGEMENT = ("inband_links", "bmc_links", "racks", "nodes_per_rack", "rack_kw", "nodes_kw")
_LEAF = ("oversubscription", "down_ports_per_leaf", "uplinks_per_leaf", "max_endpoints_two_tier", "max_endpoints_three_tier")
_LINKS = ("nics_total", "isl_dacs_twin", "compute_cages_node", "breakout_cables_node_leaf")
_FEW = ("cables_node_leaf", "fibres_to_buy")


def size_json(found: Sizing, lang: Lang) -> dict[str, Any]:
    """All figures by key, then what limits the design, what was taken for granted, and notes, in words."""
    words = {"limits": limits(found), "assumed": assumed(found), "notes": notes(found)}
    return {**found.figures, **{name: [text.say(lang) for text in texts] for name, texts in words.items()}}


def size_document(found: Sizing, lang: Lang) -> Document:
    blocks: list[Block] = [*_head(found, lang), *_switches(found, lang), *_links(found, lang)]
    if found.growth is not None:
        blocks += _figures("growth", _GROWTH, found, lang)
        bought = sum(found.figures[key] for key in ("buy_leaves", "buy_spines", "buy_leaf_spine_links", "buy_node_cables"))
        blocks += [Paragraph(say("size.buy-nothing", lang))] if not bought else []
        blocks += _figures("room", _ROOM, found, lang)
    blocks += _figures("storage", _STORAGE, found, lang) + _figures("management", _MANAGEMENT, found, lang)
    counts, _ = bill(found.request, found.figures)
    blocks += _figures("bill", tuple(counts), found, lang)
    for title, texts in (("limits", limits(found)), ("assumed", assumed(found)), ("notes", notes(found))):
        if texts:
            blocks += [Heading(2, say(f"size.title.{title}", lang)), Items(tuple(text.say(lang) for text in texts))]
    return tuple(blocks)


def limits(found: Sizing) -> tuple[Text, ...]:
    """What ends first, and what even spreading costs."""
    texts: list[Text] = []
    made, demand, left = found.fabric, found.demand, found.room
    if made is not None and demand is not None and made.radix is not None and made.endpoints_max is not None:
        key = "one-tier" if made.tiers == 1 else "endpoints"
        used = demand.links + demand.reserved_ports
        values = {"tiers": made.tiers, "radix": made.radix, "down": made.down, "up": made.up, "most": made.endpoints_max, "used": used}
        texts.append(both(f"size.limit.{key}", **values))
        least = ceil(made.links_leaf_spine / demand.planes / made.radix) * demand.planes
        if made.tiers == 2 and made.spines > least and found.request.spines is None:
            texts.append(both("size.limit.even", least=least, spines=made.spines, up=made.up))
        if found.raised_from is not None:
            texts.append(both("size.limit.raised", plain=found.raised_from, up=made.up, spines=made.spines // demand.planes))
        if found.fewer is not None:
            other = found.fewer
            values = {"up": other.up, "down": other.down, "leaves": other.leaves, "spines": other.spines}
            texts.append(both("size.limit.fewer", **values, now=made.switches, then=other.switches))
    if left is not None and found.request.installed is not None and found.request.installed.spines:
        if left.free_leaf_ports * found.request.installed.leaves <= left.free_spine_ports:
            texts.append(both("size.limit.leaf-ports", free=left.free_leaf_ports))
        else:
            texts.append(both("size.limit.spine-ports", free=left.free_spine_ports))
    needed, stated = found.figures.get("storage_ports_per_node_needed"), found.request.storage_ports_per_node
    if needed is not None and stated is not None and stated < needed:
        texts.append(both("size.limit.ports-needed", needed=needed, stated=stated))
    return tuple(texts)


def notes(found: Sizing) -> tuple[Text, ...]:
    """What to know before ordering, and where a published document prints something else."""
    stated = {name: value for name, value in found.request if isinstance(value, int)}
    texts = [one.note for one in misprints({**found.figures, **stated})]
    if found.fabric is not None or found.pair is not None or found.growth is not None:
        texts.append(both("size.note.length"))
    return tuple(texts)


def assumed(found: Sizing) -> tuple[Text, ...]:
    texts = list(found.assumed)
    _, documents = bill(found.request, found.figures)
    texts += [both("size.assumed.bill", title=one.title, source=one.source) for one in documents]
    for one in references().values():
        if one.rack and ("rack_kw" in found.figures) and (found.request.nodes_per_rack is None or found.request.node_kw is None):
            texts.append(both("size.assumed.rack", title=one.title, source=one.source))
        if one.storage and found.request.storage_target is not None:
            texts.append(both("size.assumed.storage-class", title=one.title, source=one.source))
    return tuple(texts)


def _head(found: Sizing, lang: Lang) -> Iterable[Block]:
    made, figures = found.fabric, found.figures
    if found.demand is not None and "switches_total" in figures:
        values = {
            "nodes": found.demand.nodes,
            "switches": figures["switches_total"],
            "tiers": figures["tiers"],
            "links": found.demand.links,
        }
        yield Paragraph(say("size.head-line", lang, **values), strong=True)
    elif made is None and found.pair is None and found.growth is None:
        keys = [key for key in ("gpus", *_LEAF, *_FEW) if key in figures]
        yield from _table(keys, found, lang)


def _switches(found: Sizing, lang: Lang) -> Iterable[Block]:
    made = found.fabric or _joined(found)
    if made is None:
        return
    names = ("tier", "switches", "ports", "down", "up", "used", "free", "ratio")
    rows = []
    for tier, count, down, up, ratio in _tiers(made, found):
        used, of = made.ports().get(tier, (None, None))
        free = None if used is None or of is None else of - used
        cells = (count, made.radix, down, up, used, free)
        shown = say("size.unknown", lang) if ratio is None and tier == "leaf" and made.tiers > 1 else f"{ratio:.3g}:1" if ratio else "-"
        rows.append((_tier(tier, made, lang), *(say("size.unknown", lang) if cell is None else str(cell) for cell in cells), shown))
    header = tuple(say(f"size.head.{name}", lang) for name in names)
    yield Heading(2, say("size.title.switches", lang))
    yield Table(header, tuple(rows), ("left", *("right",) * 7))


def _joined(found: Sizing) -> Design | None:
    """Two joined switches as a fabric of one tier, whose uplinks join the two."""
    pair, demand = found.pair, found.demand
    if pair is None or demand is None:
        return None
    half = ceil(pair.links / 2)
    return Design(1, 2, 0, 0, pair.links, 2 * pair.between, 0, half, pair.between, pair.ratio, radix_of(found.request))


def _tiers(made: Design, found: Sizing) -> Iterable[tuple[str, int, int, int, float | None]]:
    ratio = found.figures.get("oversubscription")
    yield "leaf", made.leaves, made.down, made.up, float(ratio) if ratio is not None else None
    if made.spines:
        down = made.spine_down or (made.links_leaf_spine // made.spines)
        yield "spine", made.spines, down, made.spine_up, made.spine_ratio
    if made.cores:
        yield "core", made.cores, ceil(made.links_spine_core / made.cores), 0, None


def _tier(tier: str, made: Design, lang: Lang) -> str:
    return say(f"size.tier.{'switch' if made.tiers == 1 and made.leaves == 1 else tier}", lang)


def _links(found: Sizing, lang: Lang) -> Iterable[Block]:
    """Cables and modules by tier; a cable with built-in ends takes no modules."""
    made, demand, pair, r = found.fabric, found.demand, found.pair, found.request
    if demand is None or (made is None and pair is None):
        return
    rows: list[tuple[str, int, str | None]] = [("node-leaf", demand.links, r.node_cable), ("reserved", demand.reserved_ports, r.node_cable)]
    if made is not None:
        rows += [("leaf-spine", made.links_leaf_spine, r.switch_cable), ("spine-core", made.links_spine_core, r.switch_cable)]
    if pair is not None:
        rows.append(("isl", pair.between, r.switch_cable))
    per, unknown = r.links_per_cable or 1, say("size.unknown", lang)
    cells = [
        (
            say(f"size.between.{name}", lang),
            str(links),
            str(ceil(links / per)),
            unknown,
            say("size.none", lang) if cable in ("dac", "aoc") else str(2 * ceil(links / per)),
        )
        for name, links, cable in rows
        if links
    ]
    header = tuple(say(f"size.head.{name}", lang) for name in ("between", "links", "cables", "length", "modules"))
    yield Heading(2, say("size.title.links", lang))
    yield Table(header, tuple(cells), ("left", "right", "right", "left", "right"))
    twins = {"nodes": "node_twin_port_modules", "in-use": "switch_twin_port_modules_in_use", "every": "switch_twin_port_modules"}
    twin_rows = [(say(f"size.twin.{name}", lang), str(found.figures[key])) for name, key in twins.items() if key in found.figures]
    others = [(say(f"size.figure.{key}", lang), str(found.figures[key])) for key in _LINKS if key in found.figures]
    yield Table((say("size.head.what", lang), say("size.head.count", lang)), tuple(others + twin_rows), ("left", "right"))


def _figures(title: str, keys: tuple[str, ...], found: Sizing, lang: Lang) -> list[Block]:
    """A heading and its figures; of what is to be bought or moved only what is more than nothing."""
    known = [key for key in keys if found.figures.get(key) or (key in found.figures and title != "growth")]
    return [Heading(2, say(f"size.title.{title}", lang)), *_table(known, found, lang)] if known else []


def _table(keys: Iterable[str], found: Sizing, lang: Lang) -> Iterable[Block]:
    rows = tuple((say(f"size.figure.{key}", lang), _shown(key, found.figures[key])) for key in keys)
    if rows:
        yield Table((say("size.head.what", lang), say("size.head.count", lang)), rows, ("left", "right"))


def _shown(key: str, value: int | float) -> str:
    return f"{value:.3g}:1" if key.startswith("oversubscription") else f"{value:.10g}"
