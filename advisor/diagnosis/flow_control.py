"""How traffic classes are set on a host's NIC and on the switch port in front of it, priority by priority: intended against actual.

Ports that are set alike are one side; a NIC is held against the switches that it is cabled to, or against all where cables are not known.
What a person states of a side is what it is meant to be: it fills what no capture tells, and a capture that differs from it is marked.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal

from advisor.base.model import Model
from advisor.base.text import Text, text_of
from advisor.evidence.bundle import Bundle, Known, host_of, origin
from advisor.evidence.origin import Origin
from advisor.fabric.facts import entries, numbers, tree, whole
from advisor.fabric.model import Fabric

SideKind = Literal["host", "switch"]
PRIORITIES = range(8)
MOST_TABLES = 6
_SWITCHES = ("sonic", "sonic-config", "cumulus-nvue", "arista-eos", "cisco-nxos", "h3c-comware", "huawei-ce", "juniper", "ruijie")


class Class(Model):
    """One priority as one side has it. None is unknown. `queue`: traffic class of a NIC, egress queue of a switch."""

    dscp: tuple[int, ...] | None = None
    queue: str | None = None
    pfc: bool | None = None
    ecn: bool | None = None

    @property
    def is_empty(self) -> bool:
        return self == Class()


class Side(Model):
    """`name`: a port, with the number of ports that are set like it; empty where all of it is stated. `intended`: as stated."""

    kind: SideKind
    name: str = ""
    trust: str | None = None
    classes: Mapping[int, Class] = {}
    intended: Mapping[int, Class] = {}
    origins: tuple[Origin, ...] = ()


class Line(Model):
    """One priority, side by side."""

    priority: int
    classes: Mapping[SideKind, Class]
    mismatches: tuple[Text, ...] = ()


class SideBySide(Model):
    """A NIC against a switch. `mismatches`: of the ports as a whole."""

    sides: tuple[Side, ...]
    lines: tuple[Line, ...]
    mismatches: tuple[Text, ...] = ()

    @property
    def differs(self) -> bool:
        return bool(self.mismatches) or any(line.mismatches for line in self.lines)


def side_by_side(bundle: Bundle, fabric: Fabric) -> tuple[SideBySide, ...]:
    """Every pair of settings that meet, those that differ first; nothing where only one side is known."""
    stated = {side.kind: side for side in _stated(bundle)}
    hosts = _with_stated(_alike(_host_ports(bundle)), stated.get("host"))
    switches = _with_stated(_alike(_switch_ports(bundle)), stated.get("switch"))
    cabled = _cabled(fabric)
    found = []
    for host, host_devices in hosts:
        for switch, switch_devices in switches:
            known = host_devices & cabled.keys()
            if not known or not switch_devices or any(cabled[device] & switch_devices for device in known):
                found.append(_compared(host, switch))
    return tuple(sorted(found, key=lambda one: (not one.differs, [side.name for side in one.sides]))[:MOST_TABLES])


# --- sides ------------------------------------------------------------------------------------------------------


def _host_ports(bundle: Bundle) -> Iterator[tuple[str, Side]]:
    for known in bundle.find("interfaces.*", "mlnx_qos"):
        facts = tree(known.value)
        lossless = _lossless(facts)
        classes = {}
        for priority in PRIORITIES:
            row = tree(tree(facts.get("priorities")).get(str(priority)))
            pfc = row.get("pfc") if isinstance(row.get("pfc"), bool) else priority in lossless if lossless is not None else None
            classes[priority] = Class(dscp=_dscp(row.get("dscp")), queue=_word(row.get("tc")), pfc=pfc)
        yield _named(known, "host", facts, classes)


def _switch_ports(bundle: Bundle) -> Iterator[tuple[str, Side]]:
    for known in bundle.find("interfaces.*", *_SWITCHES):
        facts = tree(known.value)
        lossless = _lossless(facts)
        queues = tree(facts.get("queues"))
        whole = known.part.facts
        if lossless is None and not any("ecn_profile" in tree(queue) for queue in queues.values()):
            continue
        to_class, to_queue = tree(whole.get("dscp_to_tc")), tree(whole.get("tc_to_queue"))
        tells_queues = any("queues" in tree(row) for row in tree(whole.get("interfaces")).values())
        classes = {}
        for priority in PRIORITIES:
            dscp = tuple(sorted(int(d) for d, tc in to_class.items() if str(d).isdecimal() and str(tc) == str(priority)))
            queue = to_queue.get(str(priority))
            marked = "ecn_profile" in tree(queues.get(str(queue if queue is not None else priority)))
            classes[priority] = Class(
                dscp=dscp if to_class else None,
                queue=_word(queue),
                pfc=priority in lossless if lossless is not None else None,
                ecn=True if marked else False if tells_queues and known.tool == "sonic-config" else None,
            )
        yield _named(known, "switch", facts, classes)


def _named(known: Known, kind: SideKind, facts: Mapping[str, Any], classes: dict[int, Class]) -> tuple[str, Side]:
    device = host_of(known.capture, known.part) or known.capture.name
    trust = facts.get("trust")
    side = Side(
        kind=kind,
        name=f"{device} {known.names[0]}",
        trust=str(trust) if trust else None,
        classes=classes,
        origins=(origin(known.capture, known.part, known.path),),
    )
    return device, side


def _alike(ports: Iterator[tuple[str, Side]]) -> list[tuple[Side, frozenset[str]]]:
    """Ports that are set alike as one side, with the devices that they belong to, in the order of their first names."""
    groups: dict[tuple[Any, ...], list[tuple[str, Side]]] = {}
    for device, side in sorted(ports, key=lambda pair: pair[1].name):
        groups.setdefault((side.trust, *side.classes.values()), []).append((device, side))
    found = []
    for members in groups.values():
        first = members[0][1]
        name = first.name if len(members) == 1 else f"{first.name} (+{len(members) - 1})"
        found.append((first.model_copy(update={"name": name}), frozenset(device for device, _ in members)))
    return found


def _stated(bundle: Bundle) -> Iterator[Side]:
    """What a person states of each side; an entry that names no side is meant for both."""
    sides: tuple[tuple[SideKind, tuple[str | None, ...]], ...] = (("host", ("host", None)), ("switch", ("leaf", "spine", None)))
    listed = [
        (entry, origin(capture, part, ("flow_control", str(i))))
        for capture, part in bundle.parts("site")
        for i, entry in enumerate(entries(part.facts.get("flow_control")))
    ]
    for kind, words in sides:
        own = [(entry, where) for entry, where in listed if entry.get("side") in words]
        rows: dict[int, dict[str, Any]] = {}
        for entry, _ in own:
            for priority, values in _meant(entry):
                rows.setdefault(priority, {}).update(values)
        if rows:
            trust = next((str(entry["trust"]) for entry, _ in own if entry.get("trust")), None)
            classes = {priority: Class(**row) for priority, row in sorted(rows.items())}
            yield Side(kind=kind, trust=trust, intended=classes, origins=tuple(where for _, where in own))


def _meant(entry: Mapping[str, Any]) -> Iterator[tuple[int, dict[str, Any]]]:
    """The classes that an entry of the form speaks of. A bare `ecn` is meant of its priority, else of its lossless ones, else of all."""
    priority, dscp = whole(entry.get("priority")), whole(entry.get("dscp"))
    for name, key in (("pfc_priorities", "pfc"), ("ecn_priorities", "ecn")):
        if isinstance(entry.get(name), list | int | float):
            for each in PRIORITIES:
                yield each, {key: each in numbers(entry.get(name))}
    if priority is not None and priority in PRIORITIES and dscp is not None:
        yield priority, {"dscp": (dscp,)}
    if isinstance(entry.get("ecn"), bool):
        lossless = [int(n) for n in numbers(entry.get("pfc_priorities"))]
        for each in [priority] if priority is not None else lossless or PRIORITIES:
            yield each, {"ecn": entry["ecn"]}


def _with_stated(sides: list[tuple[Side, frozenset[str]]], stated: Side | None) -> list[tuple[Side, frozenset[str]]]:
    """Sides as captured, with what is stated where captures are silent; the stated side alone where nothing was captured."""
    if stated is None:
        return sides
    found = []
    for side, devices in sides or [(Side(kind=stated.kind), frozenset[str]())]:
        classes = {}
        for priority in PRIORITIES:
            actual, meant = side.classes.get(priority, Class()), stated.intended.get(priority, Class())
            known = {name: value for name, value in actual if value is not None}
            classes[priority] = meant.model_copy(update=known)
        update = {"classes": classes, "intended": stated.intended, "trust": side.trust or stated.trust}
        found.append((side.model_copy(update={**update, "origins": (*side.origins, *stated.origins)}), devices))
    return found


def _cabled(fabric: Fabric) -> Mapping[str, set[str]]:
    """The switches that each host is cabled to."""
    found: dict[str, set[str]] = {}
    for link in fabric.links:
        for mine, other in ((link.a.device, link.b.device), (link.b.device, link.a.device)):
            if mine in fabric.hosts and other in fabric.switches:
                found.setdefault(mine, set()).add(other)
    return found


def _lossless(facts: Mapping[str, Any]) -> frozenset[int] | None:
    value = facts.get("pfc_priorities")
    return frozenset(int(n) for n in numbers(value)) if isinstance(value, list) else None


def _dscp(value: Any) -> tuple[int, ...] | None:
    return tuple(sorted(int(n) for n in numbers(value))) if isinstance(value, list) else None


def _word(value: Any) -> str | None:
    return None if value is None else str(value)


# --- comparison -------------------------------------------------------------------------------------------------


def _compared(host: Side, switch: Side) -> SideBySide:
    lines = []
    for priority in PRIORITIES:
        classes: dict[SideKind, Class] = {side.kind: side.classes.get(priority, Class()) for side in (host, switch)}
        if any(not one.is_empty for one in classes.values()):
            lines.append(Line(priority=priority, classes=classes, mismatches=tuple(_mismatches(priority, host, switch))))
    trusts = {side.trust for side in (host, switch) if side.trust}
    on_both = (_say("trust", trusts=" / ".join(sorted(trusts))),) if len(trusts) > 1 else ()
    return SideBySide(sides=(host, switch), lines=tuple(lines), mismatches=on_both)


def _mismatches(priority: int, host: Side, switch: Side) -> Iterator[Text]:
    """What does not fit of one priority. DSCP and marking are asked only of a class that is meant for a purpose or kept from loss."""
    nic, port = host.classes.get(priority, Class()), switch.classes.get(priority, Class())
    if nic.pfc is not None and port.pfc is not None and nic.pfc != port.pfc:
        yield _say("pfc-host" if nic.pfc else "pfc-switch")
    for side in (host, switch):
        meant, actual = side.intended.get(priority, Class()), side.classes.get(priority, Class())
        strayed = [(d, p) for d in meant.dscp or () if (p := _priority_of(side, d)) not in (None, priority)]
        if strayed:
            yield _say(f"stated-dscp-{side.kind}", dscps=_arrows(strayed))
        if meant.pfc is not None and meant.pfc != actual.pfc:
            yield _say(f"stated-pfc-{side.kind}")
        if meant.ecn is not None and meant.ecn != actual.ecn:
            yield _say(f"stated-ecn-{side.kind}")
    if not (nic.pfc or port.pfc or priority in host.intended or priority in switch.intended):
        return
    elsewhere = [(d, p) for d in nic.dscp or () if (p := _priority_of(switch, d)) not in (None, priority)]
    if elsewhere and (nic.pfc or port.pfc):
        yield _say("dscp", dscps=_arrows(elsewhere))
    if port.pfc and port.ecn is False:
        yield _say("no-marking")
    if nic.ecn is not None and port.ecn is not None and nic.ecn != port.ecn:
        yield _say("one-sided")


def _arrows(pairs: Sequence[tuple[int, int | None]]) -> str:
    shown = ", ".join(f"{dscp} → {priority}" for dscp, priority in pairs[:4])
    return shown if len(pairs) <= 4 else f"{shown}, ..."


def _priority_of(side: Side, dscp: int) -> int | None:
    """The priority that a side gives a DSCP, as captured; None where it does not tell."""
    return next((priority for priority, one in side.classes.items() if one.dscp and dscp in one.dscp), None)


def _say(key: str, **values: str) -> Text:
    text = text_of(f"flow-control.{key}") or Text(en=key, zh=key)
    return Text(en=text.say("en", **values), zh=text.say("zh", **values))
