"""NVIDIA UFM: ports, links and systems of its REST interface (`/resources/...`) as JSON, and the tables that its pages export as CSV.

A link is kept as the port of its source with what is behind it; only its width is told, not its rate. Forms: UFM Enterprise REST API
guide 6.20, Ports, Links and Systems REST API.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from advisor.evidence.reading import Part
from advisor.readers._cells import cells, delimiter
from advisor.readers._fabric import guid, speed, width
from advisor.readers._json import parse
from advisor.readers._ufm_links import is_link, is_system, link_heading, put_link, put_system
from advisor.readers.contract import Block, Notes, Reader, command
from advisor.readers.shapes import integer, known, number, physical_state, port_state

_FEC = {"no-fec": "none", "nofec": "none", "none": "none", "no fec": "none", "firecode": "firecode", "fire-code": "firecode"}


def _text(value: object) -> str | None:
    return known(value) if isinstance(value, str) else str(value) if isinstance(value, int) and not isinstance(value, bool) else None


def _count(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else integer(value) if isinstance(value, str) else None


def _figure(value: object) -> float | None:
    if isinstance(value, int | float) and not isinstance(value, bool):
        return value
    return number(value) if isinstance(value, str) else None


def _logical(value: object) -> str | None:
    state = port_state(value) if isinstance(value, str) else None
    return {"inactive": "down"}.get(state or "", state)


def _physical(value: object) -> str | None:
    """UFM says Active where the tools say LinkUp."""
    state = physical_state(value.replace(" ", "")) if isinstance(value, str) else None
    return {"active": "linkup", "linkdown": "down"}.get(state or "", state)


def _fec(value: object) -> str | None:
    word = value.strip().lower() if isinstance(value, str) else ""
    return _FEC.get(word) or ("rs" if "rs" in re.split(r"[^a-z]+", word) else None)


def _mtu(value: object) -> int | None:
    mtu = _count(value)
    return mtu if mtu and mtu >= 256 else None


def _port_of(value: object) -> int | None:
    """A port number out of `36`, `HCA-1/1`, `0002c903007f7c80_36`; a label of cage and split (`1/6/2`) is none."""
    match = re.search(r"(?:\A|\AHCA-\d+/|_)(\d+)\Z", value.strip()) if isinstance(value, str) else None
    return int(match[1]) if match else _count(value)


# Field of the interface -> fact and how its value is read; the first field that has a value stays.
_FIELDS: dict[str, tuple[str, Callable[[object], object]]] = {
    "logical_state": ("state", _logical),
    "physical_state": ("physical_state", _physical),
    "lid": ("lid", _count),
    "mtu": ("mtu_bytes", _mtu),
    "fec_mode": ("fec", _fec),
    "effective_ber": ("effective_ber", _figure),
    "raw_ber": ("raw_ber", _figure),
    "symbol_ber": ("symbol_ber", _figure),
    "port_fec_correctable_block_counter": ("fec_corrected", _count),
    "port_fec_uncorrectable_block_counter": ("fec_uncorrected", _count),
    "symbol_error_counter": ("symbol_errors", _count),
    "link_down_counter": ("link_downed", _count),
    "guid": ("port_guid", lambda value: guid(value) if isinstance(value, str) else None),
    "remote_node_desc": ("peer_device", _text),
    "peer_node_description": ("peer_device", _text),
    "peer_node_name": ("peer_device", _text),
    "remote_lid": ("peer_lid", _count),
    "peer_lid": ("peer_lid", _count),
    "remote_port": ("peer_port", _port_of),
    "peer": ("peer_port", _port_of),
    "peer_port_dname": ("peer_port", _port_of),
    "remote_guid": ("peer_guid", lambda value: guid(value) if isinstance(value, str) else None),
    "peer_guid": ("peer_guid", lambda value: guid(value) if isinstance(value, str) else None),
    "node_description": ("node_description", _text),
    "dname": ("label", lambda value: _text(value) if isinstance(value, str) and not value.isdecimal() else None),
    "severity": ("severity", _text),
    "high_ber_severity": ("high_ber_severity", _text),
}
# Headings of the exported table, in lower case without signs, and the fields that they are.
_HEADINGS = {
    "system": "system_name",
    "systemname": "system_name",
    "node": "system_name",
    "port": "number",
    "portnumber": "number",
    "number": "number",
    "portname": "name",
    "name": "name",
    "dname": "dname",
    "state": "logical_state",
    "logicalstate": "logical_state",
    "physicalstate": "physical_state",
    "speed": "active_speed",
    "activespeed": "active_speed",
    "width": "active_width",
    "activewidth": "active_width",
    "lid": "lid",
    "mtu": "mtu",
    "fec": "fec_mode",
    "fecmode": "fec_mode",
    "effectiveber": "effective_ber",
    "rawber": "raw_ber",
    "symbolber": "symbol_ber",
    "symbolerrors": "symbol_error_counter",
    "symbolerrorcounter": "symbol_error_counter",
    "linkdowned": "link_down_counter",
    "linkdown": "link_down_counter",
    "linkdowncounter": "link_down_counter",
    "peernode": "peer_node_name",
    "peernodename": "peer_node_name",
    "peernodedescription": "peer_node_description",
    "peerport": "peer_port_dname",
    "peerportdname": "peer_port_dname",
    "peerportname": "peer_port_dname",
    "peerlid": "peer_lid",
    "peerguid": "peer_guid",
    "guid": "guid",
    "severity": "severity",
    "healthstate": "severity",
}


def read(block: Block) -> Iterator[Part]:
    first = next((text.lstrip() for _, text in block.lines.inked()), "")
    yield from _json(block) if first[:1] in ("{", "[") else _csv(block)


def _json(block: Block) -> Iterator[Part]:
    found = parse(block.lines)
    if found is None:
        return
    notes = Notes("ufm", block)
    tree, place = found.tree, tuple[str | int, ...]()
    if isinstance(tree, dict):
        name = next((key for key in ("data", "ports", "links", "systems", "results") if isinstance(tree.get(key), list)), None)
        is_thing = _is_port(tree) or is_system(tree)
        tree, place = (tree[name], (name,)) if name and not is_thing else ([tree], ())
    whole = place == () and isinstance(found.tree, dict)
    things = tree if isinstance(tree, list) else []
    for i, thing in enumerate(things):
        if not isinstance(thing, dict):
            continue
        is_cut = found.broken is not None and i == len(things) - 1  # what it is called may have stood behind the cut
        here: tuple[str | int, ...] = place if whole else (*place, i)
        lines = {key: found.line(*here, key) for key in thing}
        line = found.line(*here) or block.lines.numbers[0]
        if is_link(thing):
            if not is_cut:
                put_link(notes, thing, line)
        elif is_system(thing):
            put_system(notes, thing, lines, line)
        elif _is_port(thing) and not (is_cut and not (thing.get("system_name") and thing.get("number"))):
            _put(notes, thing, lines, line, i)
    notes.count("systems", "system_count")
    notes.count("ports", "port_count")
    notes.use_range(block.lines.numbers[0], found.last)
    if found.broken is not None:
        notes.problem(found.broken, "cut")
        for count in ("port_count", "system_count"):  # more followed
            notes.facts.pop(count, None)
    if notes.facts:
        yield notes.part()


def _is_port(port: Mapping[str, Any]) -> bool:
    return len(port.keys() & {"number", "name", "dname", "active_speed", "active_width", "logical_state", "physical_state"}) >= 3


def _put(notes: Notes, port: Mapping[str, Any], lines: Mapping[str, int], line: int, i: int) -> None:
    """A port under its system and number, else under its own name."""
    system, count = _text(port.get("system_name")), _text(port.get("number")) or _text(port.get("dname"))
    name = f"{system}/{count}" if system and count else _text(port.get("name")) or f"#{i + 1}"
    if notes.get("ports", name) is not None and _text(port.get("name")):
        name = str(_text(port.get("name")))  # two systems of one name
    path = ("ports", name)
    notes.thing(line, *path)
    for field, (fact, as_value) in _FIELDS.items():
        value = as_value(port.get(field))
        if value is not None and notes.get(*path, fact) is None:
            notes.put(lines.get(field, line), value, *path, fact)
    lanes = width(str(port.get("active_width") or "").lower())
    if lanes:
        notes.put(lines.get("active_width", line), lanes, *path, "width")
    rate = speed(str(port.get("active_speed") or ""), lanes)
    notes.put_all(lines.get("active_speed", line), rate, *path)


def _csv(block: Block) -> Iterator[Part]:
    notes = Notes("ufm", block)
    fields: list[str] = []
    names: list[str] = []
    sign = ""
    for i, (n, text) in enumerate(block.lines.inked()):
        sign = sign or delimiter(text)
        row = cells(text, sign)
        if names:
            if len(row) != len(names):
                notes.problem(n, "cut" if n == len(block.lines.raw) else "damaged")
            else:
                put_link(notes, dict(zip(names, row, strict=True)), n)
        elif not fields and (found := link_heading(row)):
            names = found
            notes.use(n)
        elif not fields:
            fields = [_HEADINGS.get(re.sub(r"[^a-z]", "", cell.lower()), "") for cell in row]
            if not {"number", "name"} & set(fields):
                return
            notes.use(n)
        elif len(row) != len(fields):
            notes.problem(n, "cut" if n == len(block.lines.raw) else "damaged")
        else:
            port = {field: cell for field, cell in zip(fields, row, strict=True) if field}
            _put(notes, port, {}, n, i - 1)
    notes.count("ports", "port_count")
    if notes.facts:
        yield notes.part()


_CSV_HEAD = re.compile(
    r'\s*"?(?:System(?: ?Name)?|Node|Severity|Health ?State|Port(?: ?Name)?|Name)"?\s*[,;\t]'
    r"(?=.*(?:Speed|Width))(?=.*(?:State|Peer|LID|GUID))",
    re.IGNORECASE,
)
_LINKS_HEAD = re.compile(r'"(source_guid|destination_guid|source_port|destination_port)"\s*:')
_SYSTEMS_HEAD = re.compile(r'"(system_name|system_guid|total_alarms|server_operation_mode|sm_mode)"\s*:')
_JSON_HEAD = re.compile(r'"(active_speed|active_width|logical_state|physical_state)"\s*:')


def _recognises(head: str) -> bool:
    """JSON with the fields of ports, links or systems, or the heading of an exported table."""
    if head.lstrip()[:1] in ("{", "["):
        if len(set(_LINKS_HEAD.findall(head))) >= 3 or len(set(_SYSTEMS_HEAD.findall(head))) >= 3:
            return True
        return len(set(_JSON_HEAD.findall(head))) >= 2 and ('"dname"' in head or '"system_name"' in head)
    first = head.split("\n", 1)[0]
    return _CSV_HEAD.match(first) is not None or link_heading(cells(first, delimiter(first))) is not None


READER = Reader("ufm", read, commands=command("curl", options=r"/ufmRest\w*/resources/(?:ports|links|systems)"), recognises=_recognises)
