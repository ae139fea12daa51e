"""What to type at one site: the commands of a remedy's acts on the systems that are there, filled with the site's own names."""

from collections.abc import Iterable, Iterator, Mapping

from advisor.base.model import Model
from advisor.base.text import LANGS, Lang, Text
from advisor.remedy.fills import Fills, Line, filled_lines, open_places
from advisor.remedy.siting import Sited
from advisor.remedy.vendor import Act, Command, Phase, Vendor
from advisor.remedy.words import both, joined, names

SAVED = "save"  # the act whose undo takes back all others on the same system


class Typed(Model):
    """What to type for one act on one system.

    step      number of the step from 1; 0 for the way back
    on        devices that it is for, as captured; empty where it is one host or service that the step itself names
    open      names that were left open though the site has them: another class, another interface is meant
    to_find   names of places that are still to be filled
    lines     none where the system has no such thing: `absent` says why
    """

    step: int
    act: str
    phase: Phase
    system: str
    name: str
    on: tuple[str, ...] = ()
    lines: tuple[str, ...] = ()
    remarks: tuple[Text, ...] = ()
    open: tuple[str, ...] = ()
    to_find: tuple[str, ...] = ()
    source: str = ""
    version: str = ""
    verified: bool = False
    absent: Text | None = None


def typed(step: int, acts: Iterable[str], open_names: tuple[str, ...], known: Mapping[str, Act], sited: Sited) -> Iterator[Typed]:
    """What to type for `act.phase` words, on every system at the site that its domain has; `system:act.phase` is for one system alone.

    Where systems are shown because nothing tells which one it is, those that have no such thing are left out.
    """
    for word in acts:
        only, _, rest = word.rpartition(":")
        act, _, phase = rest.partition(".")
        domain = known[act].domain
        systems = [v for v in sited.systems.get(domain, ()) if act in v.commands and only in ("", v.id)]
        several = domain != "switch" and any(v.commands[act].absent is None for v in systems)
        for vendor in systems:
            if vendor.commands[act].absent is None or not several:
                yield _typed(step, act, phase, open_names, vendor, sited)  # type: ignore[arg-type]


def way_back(done: Iterable[Typed], sited: Sited) -> Iterator[Typed]:
    """The undo of everything that was set: first the saved copy, which takes all back at once, then one by one, last first."""
    were_set = [each for each in done if each.phase == "set" and each.lines]
    copies = [each for each in were_set if each.act == SAVED]
    for each in (*copies, *reversed([each for each in were_set if each.act != SAVED])):
        vendor = next(v for systems in sited.systems.values() for v in systems if v.id == each.system)
        undo = _typed(0, each.act, "undo", each.open, vendor, sited)
        known = both("plan.all-at-once") if each.act == SAVED else both("plan.one-by-one") if each.act in _domains(copies, sited) else None
        yield undo if known is None else undo.model_copy(update={"remarks": (known, *undo.remarks)})


def _domains(copies: list[Typed], sited: Sited) -> set[str]:
    """Acts that a saved copy takes back as well."""
    kept = {each.system for each in copies}
    return {act for vendors in sited.systems.values() for vendor in vendors if vendor.id in kept for act in vendor.commands}


def _typed(step: int, act: str, phase: Phase, open_names: tuple[str, ...], vendor: Vendor, sited: Sited) -> Typed:
    command = vendor.commands[act]
    fills = sited.fills(vendor).without(open_names)
    lines = filled_lines(command.lines(phase), fills, phase == "show")
    return Typed(
        step=step,
        act=act,
        phase=phase,
        system=vendor.id,
        name=vendor.name,
        on=() if "host" in open_names and vendor.domain != "switch" else sited.devices(vendor),
        lines=tuple(line.text for line in lines),
        remarks=tuple(_remarks(lines, command, fills)),
        open=open_names,
        to_find=tuple(dict.fromkeys(place for line in lines for place in open_places(line.text))),
        source=command.source or vendor.source,
        version=command.version or vendor.version,
        verified=phase in command.verified,
        absent=command.absent,
    )


def _remarks(lines: tuple[Line, ...], command: Command, fills: Fills) -> Iterator[Text]:
    if command.note is not None and lines:
        yield command.note
    yield from (both(f"plan.more-{line.of}", count=line.more) for line in lines if line.more)
    if fills.refused and any(open_places(line.text) for line in lines):
        yield both("plan.refused", names=names(fills.refused, Text(en="", zh="")))


def with_lines(step: Text, commands: Iterable[Typed], told: set[str], sited: Sited) -> Text:
    """The step, and under it the lines to type, each group under the system and the devices that it is for.

    `told` holds remarks and places that were explained already; it grows.
    """
    found: dict[Lang, list[str]] = {lang: [step.say(lang)] for lang in LANGS}
    before: Text | None = None
    for each in commands:
        head = _head(each)
        remarks = [text for text in _remarks_of(each, sited) if text.en not in told]
        told |= {text.en for text in remarks}
        for lang in LANGS:
            found[lang] += ["# " + text.say(lang) for text in ([] if head == before else [head]) + remarks]
            found[lang] += each.lines
        before = head
    return Text(en="\n".join(found["en"]), zh="\n".join(found["zh"]))


def _remarks_of(each: Typed, sited: Sited) -> Iterator[Text]:
    yield from each.remarks
    for place in each.to_find:
        yield _where_to_find(f"own-{place}" if place in each.open else place, sited)


def _head(each: Typed) -> Text:
    if each.absent is not None:
        return both("plan.absent", system=each.name, why=each.absent)
    on = names(each.on, Text(en="", zh=""))
    sure = Text(en="", zh="") if each.verified else both("plan.not-seen" if each.phase == "show" else "plan.not-verified")
    return both("plan.typed-on" if each.on else "plan.typed", on=on, system=each.name, follows=f"{each.source}, {each.version}", sure=sure)


def _where_to_find(place: str, sited: Sited) -> Text:
    gbps = sited.port_gbps
    if place in ("kmin", "kmax") and gbps:
        return both(f"plan.fill.{place}-at", gbps=f"{gbps:g}", kb=f"{gbps * (4 if place == 'kmin' else 16):g}")
    return both(f"plan.fill.{place}")


def switches_unknown(known: Mapping[str, Vendor]) -> Text:
    """Said where a remedy acts on switches and no capture tells which they are."""
    return both("plan.switches-unknown", systems=joined(Text(en=v.name, zh=v.name) for v in known.values() if v.domain == "switch"))
