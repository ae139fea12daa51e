"""`lldpctl`, `lldpcli show neighbors` (lldpd) on a host: the switch port at the other end of each interface; plain, keyvalue and JSON."""

import re
from collections.abc import Iterator
from typing import Any

from advisor.evidence.reading import Part
from advisor.readers._json import Json, parse
from advisor.readers.contract import Block, Notes, Reader, command
from advisor.readers.shapes import known, open_end

_HEAD = re.compile(r"\s*Interface:\s+(?P<name>[^\s,]+),\s+via: ")
_KEY = re.compile(
    r"\s*lldp\.(?P<name>[^=]+?)\.(?P<key>(?:via|rid|age|chassis|port|vlan|ppvid|pi|mgmt-ip|ttl|lldp-med|unknown-tlvs)(?:\.[^=]*)?)=(?P<value>.*)\Z"
)
_RULE = re.compile(r"\s*(?:-{5,}|LLDP neighbors:?)\s*\Z")
# Kinds of a port's identity, the most telling first; a MAC address names no port that a switch's tables know.
_PORT_KINDS = ("ifname", "local", "descr", "mac")


def read(block: Block) -> Iterator[Part]:
    notes = Notes("lldpctl", block)
    first = next((text.lstrip() for _, text in block.lines.inked()), "")
    found: dict[str, dict[str, str]] = {}
    if first.startswith("{"):
        tree = parse(block.lines)
        if tree is not None:
            _json(notes, tree, found, block)
    elif first.startswith("lldp."):
        _keys(notes, block, found)
    else:
        _plain(notes, block, found)
    unfinished = next(reversed(found)) if found and _ends_within_a_port(first, block, notes) else None
    for name, ports in found.items():
        kind = next((kind for kind in _PORT_KINDS if kind in ports), None)
        if kind and (kind != "mac" or name != unfinished):  # a description, which tells more, may have been cut off
            notes.put(notes.at["interfaces", name], ports[kind], "interfaces", name, "peer_port")
    notes.count("interfaces", "interface_count")
    if not notes.is_empty:
        yield notes.part()


def _ends_within_a_port(first: str, block: Block, notes: Notes) -> bool:
    """Whether more of the last port may have followed: plain text ends with a rule, JSON with its brackets, keys after the port's own."""
    last = next((text for text in reversed(block.lines.texts) if text.strip()), "")
    if first.startswith("{"):
        return any(problem.why == "cut" for problem in notes.problems)
    if first.startswith("lldp."):
        match = _KEY.match(last)
        return match is None or match["key"].startswith("port.")
    return not _RULE.match(last)


def _plain(notes: Notes, block: Block, found: dict[str, dict[str, str]]) -> None:
    name = ""
    cut = open_end(block.lines)
    for n, text in block.lines.inked():
        head = _HEAD.match(text)
        key, _, value = text.strip().partition(":")
        if head:
            name = head["name"]
            notes.thing(n, "interfaces", name)
            found.setdefault(name, {})
        elif _RULE.match(text):
            notes.ignore(n, "rule")
        elif not name or not text[:1].isspace():
            break
        elif n == cut and key in ("SysName", "PortID", "PortDescr"):
            notes.problem(n, "cut")
        elif key == "SysName":
            notes.put(n, known(value), "interfaces", name, "peer_device")
        elif key in ("PortID", "PortDescr"):
            kind, _, port = value.strip().partition(" ")
            notes.use(n)
            _port(found, name, kind if key == "PortID" else "descr", port.strip() if key == "PortID" else value.strip())
        else:
            notes.use(n)


def _keys(notes: Notes, block: Block, found: dict[str, dict[str, str]]) -> None:
    cut = open_end(block.lines)
    for n, text in block.lines.inked():
        match = _KEY.match(text)
        if match is None:
            break
        if n == cut:  # its value may be cut
            notes.problem(n, "cut")
            break
        name, key, value = match["name"], match["key"], match["value"].strip().strip('"')
        if key in ("chassis.name", "via", "rid") or key.startswith("port."):
            notes.thing(n, "interfaces", name)
            found.setdefault(name, {})
        if key == "chassis.name":
            notes.put(n, known(value), "interfaces", name, "peer_device")
        elif key.startswith("port.") and key.removeprefix("port.") in _PORT_KINDS:
            _port(found, name, key.removeprefix("port."), value)
        notes.use(n)


def _port(found: dict[str, dict[str, str]], name: str, kind: str, value: str) -> None:
    if known(value):
        found[name].setdefault(kind if kind in _PORT_KINDS else "local", value)


def _json(notes: Notes, tree: Json, found: dict[str, dict[str, str]], block: Block) -> None:
    """`-f json` names things by keys, `-f json0` lists them with a `name`."""
    lldp = tree.tree.get("lldp") if isinstance(tree.tree, dict) else None
    for interfaces in lldp if isinstance(lldp, list) else [lldp]:
        listed = interfaces.get("interface") if isinstance(interfaces, dict) else None
        for entry in listed if isinstance(listed, list) else [listed]:
            for name, facts in _named(entry):
                notes.thing(tree.line(*_place(tree, name)), "interfaces", name)
                chassis, port = _first(facts.get("chassis")), _first(facts.get("port"))
                device = next((word for word, inner in _named(chassis) if isinstance(inner, dict)), None)
                notes.put(notes.at["interfaces", name], known(device or ""), "interfaces", name, "peer_device")
                identity = _first(port.get("id"))
                found.setdefault(name, {})
                _port(found, name, str(identity.get("type") or ""), str(identity.get("value") or ""))
                _port(found, name, "descr", _word(port.get("descr")))
    if notes.facts:
        notes.use_range(block.lines.numbers[0], tree.last)
        if tree.broken is not None:
            notes.problem(tree.broken, "cut")


def _named(entry: Any) -> Iterator[tuple[str, dict[str, Any]]]:
    """Names with their facts: `{"eth0": {...}}`, or `{"name": "eth0", ...}`, also where the name is a list of one value."""
    if isinstance(entry, dict) and "name" in entry:
        yield _word(entry["name"]), entry
    elif isinstance(entry, dict):
        yield from ((str(name), facts) for name, facts in entry.items() if isinstance(facts, dict))


def _first(value: Any) -> dict[str, Any]:
    found = value[0] if isinstance(value, list) and value else value
    return found if isinstance(found, dict) else {}


def _word(value: Any) -> str:
    found = value[0] if isinstance(value, list) and value else value
    return str(found.get("value") or "") if isinstance(found, dict) else str(found or "")


def _place(tree: Json, name: str) -> tuple[str | int, ...]:
    """The first place of a key, or of an entry's name, in the text."""
    return next((place for place in tree.at if place and place[-1] == name), ())


def _recognises(head: str) -> bool:
    return head.lstrip().startswith("{") and '"lldp"' in head and '"chassis"' in head and '"interface"' in head


READER = Reader(
    "lldpctl",
    read,
    commands=command("lldpctl", r"lldpcli(?=.*?\bsh\w*\s+nei)"),
    starts=re.compile(
        r"\s*(?:Interface:\s+(?!Ethernet|Eth\d|PortChannel|swp|etp|eth\d)[^\s,]+,\s+via: (?:LLDP|CDP)|lldp\.\S+?\.(?:via|rid)=)"
    ),
    recognises=_recognises,
)
