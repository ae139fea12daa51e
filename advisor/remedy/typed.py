"""What to type at one site: the commands of a remedy's acts on the systems that are there, filled with the site's own names."""

from collections.abc import Iterable, Iterator, Mapping

from advisor.base.model import Model
from advisor.base.text import LANGS, Lang, Text
from advisor.remedy.fills import Fills, Line, filled_lines, open_places
from advisor.remedy.siting import Sited
from advisor.remedy.vendor import Act, Command, Phase, Vendor
from advisor.remedy.words import both, filled, joined, names


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
    """The undo of everything that was set, last first."""
    for each in reversed([each for each in done if each.phase == "set" and each.lines]):
        vendor = next(v for systems in sited.systems.values() for v in systems if v.id == each.system)
        yield _typed(0, each.act, "undo", each.open, vendor, sited)


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
        on=sited.devices(vendor),
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
    """The step, and under it the lines to type. `told` holds the places that were explained already; it grows."""
    blocks = [_block(each, told, sited) for each in commands]
    return Text(**{lang: "\n".join([step.say(lang), *(line for block in blocks for line in block[lang])]) for lang in LANGS})


def _block(each: Typed, told: set[str], sited: Sited) -> dict[Lang, list[str]]:
    head = [_head(each)]
    if each.absent is not None:
        return {lang: ["# " + filled(_head_absent(each), why=each.absent).say(lang)] for lang in LANGS}
    head += [*each.remarks, *([] if each.verified else [both("plan.not-verified")])]
    keys = {place: f"own-{place}" if place in each.open else place for place in each.to_find}
    head += [_where_to_find(key, sited) for key in keys.values() if key not in told]
    told |= set(keys.values())
    return {lang: [*("# " + text.say(lang) for text in head), *each.lines] for lang in LANGS}


def _head(each: Typed) -> Text:
    on = names(each.on, Text(en="", zh=""))
    follows = f"{each.source} {each.version}".strip()
    return both("plan.typed-on" if each.on else "plan.typed", on=on, system=each.name, follows=follows)


def _head_absent(each: Typed) -> Text:
    return both("plan.absent", system=each.name)


def _where_to_find(place: str, sited: Sited) -> Text:
    gbps = sited.port_gbps
    if place in ("kmin", "kmax") and gbps:
        return both(f"plan.fill.{place}-at", gbps=f"{gbps:g}", kb=f"{gbps * (4 if place == 'kmin' else 16):g}")
    return both(f"plan.fill.{place}")


def switches_unknown(known: Mapping[str, Vendor]) -> Text:
    """Said where a remedy acts on switches and no capture tells which they are."""
    return both("plan.switches-unknown", systems=joined(Text(en=v.name, zh=v.name) for v in known.values() if v.domain == "switch"))
