"""Flow control side by side: what NIC and switch make of each priority, what differs, and what was meant."""

from collections.abc import Callable, Mapping, Sequence

from advisor.base.text import Lang, Text, say
from advisor.base.writing import clauses, span
from advisor.diagnosis.flow_control import Class, Side, SideBySide, SideKind
from advisor.evidence.origin import Origin
from advisor.tui.views.figures import UNKNOWN
from advisor.tui.views.words import Column, Para, Phrase, Row, Span, Table, joined, word

SIDES: tuple[SideKind, ...] = ("host", "switch")


def table(found: Sequence[SideBySide], lang: Lang) -> Table:
    """A heading for each pair of settings that meet, and a row for each priority."""
    rows: list[Row] = []
    for i, one in enumerate(found):
        names = " / ".join(side.name or say("flow-control.kind-stated", lang) for side in one.sides)
        rows.append(Row(f"pair:{i}", (word(names, "title"),), heading=True))
        for text in one.mismatches:
            rows.append(Row(f"both:{i}:{len(rows)}", ((Span("! ", "warn"), Span(text.say(lang))), *((),) * 6)))
        rows += [_row(i, line.priority, line.classes, line.mismatches, lang) for line in one.lines]
    columns = (
        Column(say("flow-control.priority", lang)),
        Column("DSCP", most=22, drop=2),
        Column(say("flow-control.queue", lang), drop=1),
        Column("PFC", most=14),
        Column("ECN", most=14),
        Column(say("flow-control.mismatch", lang), flex=True),
    )
    return Table(columns, tuple(rows), empty=say("tui.flow.none", lang))


def _row(pair: int, priority: int, its: Mapping[SideKind, Class], mismatches: Sequence[Text], lang: Lang) -> Row:
    said = clauses((text.say(lang) for text in mismatches), lang)
    bad = bool(mismatches)
    cells = (
        word(f"{'!' if bad else '✓'} {priority}", "warn" if bad else "good"),
        _both(its, lambda one: _dscp(one, lang)),
        _both(its, lambda one: one.queue),
        _both(its, lambda one: _switched(one.pfc, lang)),
        _both(its, lambda one: _switched(one.ecn, lang)),
        word(said, "warn"),
    )
    return Row(f"flow:{pair}:{priority}", cells)


def _both(its: Mapping[SideKind, Class], figure: Callable[[Class], str | None]) -> Phrase:
    """NIC and switch, once where they are the same."""
    values = [figure(its[side]) if side in its else None for side in SIDES]
    shown = [value or UNKNOWN for value in values]
    if shown[0] == shown[1]:
        return word(shown[0], "dim" if values[0] is None else "plain")
    return joined(word(shown[0], "strong"), word(shown[1], "strong"), between=" / ")


def _dscp(one: Class, lang: Lang) -> str | None:
    """DSCP values, runs of them as first–last."""
    if one.dscp is None:
        return None
    runs: list[list[int]] = []
    for value in sorted(one.dscp):
        if runs and value == runs[-1][1] + 1:
            runs[-1][1] = value
        else:
            runs.append([value, value])
    return ",".join(str(first) if first == last else span(first, last, lang) for first, last in runs) or UNKNOWN


def _switched(value: bool | None, lang: Lang) -> str | None:
    return None if value is None else say("flow-control.on" if value else "flow-control.off", lang)


def of(found: Sequence[SideBySide], key: str) -> tuple[SideBySide, int] | None:
    kind, _, place = key.partition(":")
    pair, _, priority = place.partition(":")
    return (found[int(pair)], int(priority)) if kind == "flow" else None


def detail(found: Sequence[SideBySide], key: str, lang: Lang) -> tuple[Para, ...]:
    """Each side in full: as it is set, as it is meant, and where that is known from."""
    here = of(found, key)
    if here is None:
        return ()
    one, priority = here
    return tuple(Para(_side(side, priority, lang), hang=2) for side in one.sides)


def _side(side: Side, priority: int, lang: Lang) -> Phrase:
    is_ = side.classes.get(priority, Class())
    meant = side.intended.get(priority)
    sources = " · ".join(str(origin) for origin in side.origins[:3])
    return joined(
        word(f"{say(f'flow-control.kind-{side.kind}', lang)} {side.name}", "strong"),
        word(_said(is_, lang)),
        word(f"{say('tui.flow.meant', lang)}{_said(meant, lang)}", "info") if meant and not meant.is_empty else (),
        word(f"trust {side.trust}", "dim") if side.trust else (),
        word(sources, "dim"),
        between=" · ",
    )


def _said(one: Class, lang: Lang) -> str:
    queue = say("flow-control.queue", lang)
    parts = (("DSCP", _dscp(one, lang)), (queue, one.queue), ("PFC", _switched(one.pfc, lang)), ("ECN", _switched(one.ecn, lang)))
    return " ".join(f"{name} {value}" for name, value in parts if value is not None) or UNKNOWN


def origin_of(found: Sequence[SideBySide], key: str) -> Origin | None:
    """Where the sides of a row are captured: the switch first, which is most often what must change."""
    here = of(found, key)
    sides = sorted(here[0].sides, key=lambda side: side.kind != "switch") if here else []
    return next((origin for side in sides for origin in side.origins if origin.capture), None)
