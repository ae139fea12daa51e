"""`ibqueryerrors` (infiniband-diags): counters beyond their threshold, or all data counters, of the ports of a fabric."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from advisor.evidence.reading import Part
from advisor.readers._fabric import guid, link, peer_facts, wrapped
from advisor.readers._ib_counters import port_counters
from advisor.readers.contract import Block, Notes, Reader, command

_HEADER = re.compile(r'\s*(?:Errors for|Data Counters for)\s+(?:(0x[0-9A-Fa-f]+)\s+)?"(.*)"\s*\Z')
_PORT = re.compile(r"\s*GUID (0x[0-9A-Fa-f]+) port (\d+|ALL):(.*)\Z")
_COUNTER = re.compile(r"\[(\w+) == (\d+)(?:\s*\([^)]*\))?\]")
_OPEN = re.compile(r"\[\w*(?: ?=?=? ?\d*(?:\s*\([^)\]]*)?\)?)?\Z")
_MORE = re.compile(
    r"\s*(?:(?:==)?\s*\d*\s*(?:\([^)]*\))?\]\s*)?(?:\[\w+ == \d+(?:\s*\([^)]*\))?\]\s*)*(?:\[\w*(?: ?=?=? ?\d*(?:\s*\([^)\]]*)?\)?)?)?\s*\Z"
)
_LINK_INFO = re.compile(r"\s*Link info:")
_NODES = re.compile(r"\s*##\s*Summary:\s*(\d+) nodes checked, (\d+) bad nodes found")
_PORTS = re.compile(r"\s*##\s*(\d+) ports checked, (\d+) ports have errors")
_SUPPRESSED = re.compile(r"\s*##\s*Suppressed:\s*(.*?)\s*\Z")
_ASIDE = re.compile(r"\s*##")
_FAILED = re.compile(r"\s*(?:ibpanic|ibwarn|src/\w+\.c|ibqueryerrors: |Query SA failed)")
_STARTS = re.compile(
    r'\s*(?:(?:Errors for|Data Counters for) (?:0x[0-9A-Fa-f]+ )?"|## Summary: \d+ nodes checked,|'
    r"GUID 0x[0-9A-Fa-f]+ port (?:\d+|ALL): *\[)"
)


@dataclass(slots=True)
class _Run:
    notes: Notes
    told: set[tuple[str, str]] = field(default_factory=set)  # GUID and port of the lines so far: one told again begins another run
    name: str | None = None  # of the device whose lines follow
    here: tuple[str, ...] = ()  # path of the port whose link follows
    taken: set[int] = field(default_factory=set)  # lines that were read together with the one before them


def read(block: Block) -> Iterator[Part]:
    run, start = _Run(Notes("ibqueryerrors", block)), 0
    header: tuple[int, int, str, str | None] | None = None
    for i, (n, text) in enumerate(block.lines):
        if not text or text.isspace():
            continue
        if n in run.taken:
            continue
        opened = _HEADER.match(text)
        if opened:
            header = (i, n, opened[2].strip(), guid(opened[1]))
            run.name = None
            continue
        port = _PORT.match(text)
        if port and header:
            at = header[0] if run.name is None else i
            if (port[1], port[2]) in run.told:
                yield from _closed(run, block, start, at)
                run, start = _Run(Notes("ibqueryerrors", block)), at
            _port(run, n, header, port[1], port[2], _continued(run, block, i, port[3]))
        elif _LINK_INFO.match(text) and run.here:
            whole = None if link(text) else wrapped(block.lines, i, link)
            if whole:
                run.taken.add(block.lines.numbers[i + 1])
                run.notes.use(block.lines.numbers[i + 1])
            _link(run, n, whole or text)
        else:
            _other(run, n, text)
    if header and run.name is None:
        _open(run, header, header[2] or header[3] or "#1")
    yield from _closed(run, block, start, len(block.lines))


def _continued(run: _Run, block: Block, i: int, text: str) -> str:
    """The counters of a port with those on the next lines, where a mail program broke the line."""
    for n, more in block.lines[i + 1 : i + 6]:
        is_open = _OPEN.search(_COUNTER.sub("", text).rstrip()) is not None
        if not (_MORE.match(more) and more.strip() and (is_open or more.lstrip()[0] == "[")):
            break
        text = f"{text.rstrip()} {more.strip()}"
        run.taken.add(n)
        run.notes.use(n)
    return text


def _closed(run: _Run, block: Block, start: int, end: int) -> Iterator[Part]:
    notes = run.notes
    notes.count("devices", "device_count")
    if not notes.is_empty:
        lines = block.lines[start:end]
        notes.block = Block(lines, block.command, block.host, block.first if start == 0 else lines.numbers[0])
        yield notes.part()


def _name(run: _Run, header: tuple[int, int, str, str | None], named: str, port: str) -> str:
    """The description of a device; another device of the same description has its GUID behind it, or that of its port."""
    bare = header[2] or header[3] or "#1"
    device: dict[str, Any] = run.notes.get("devices", bare) or {}
    if header[3]:
        return bare if device.get("guid", header[3]) == header[3] else f"{bare} ({header[3]})"
    return f"{bare} ({guid(named)})" if port in device.get("ports", {}) else bare


def _open(run: _Run, header: tuple[int, int, str, str | None], name: str) -> None:
    run.name = name
    run.notes.thing(header[1], "devices", name)
    run.notes.put(header[1], header[3], "devices", name, "guid")


def _port(run: _Run, n: int, header: tuple[int, int, str, str | None], named: str, port: str, text: str) -> None:
    notes = run.notes
    if run.name is None:
        _open(run, header, _name(run, header, named, port))
    run.told.add((named, port))
    counters = {name: int(value) for name, value in _COUNTER.findall(text)}
    path = ("devices", str(run.name)) if port == "ALL" else ("devices", str(run.name), "ports", str(int(port)))
    notes.thing(n, *path)
    facts = port_counters(counters)
    if port != "ALL" and guid(named) != header[3]:
        facts["port_guid"] = guid(named)
    notes.put_all(n, facts, *path)
    run.here = path if port != "ALL" else ()
    if _OPEN.search(_COUNTER.sub("", text).rstrip()):
        notes.problem(n, "cut")


def _link(run: _Run, n: int, text: str) -> None:
    found = link(text)
    if found is None or (n == len(run.notes.block.lines.raw) and not text.rstrip().endswith(")")):
        run.notes.problem(n, "cut" if n == len(run.notes.block.lines.raw) else "damaged")
        return
    facts = {"lid": found.lid, **found.facts, **peer_facts(found.peer, found.peer_port, found.peer_lid, found.peer_guid)}
    run.notes.put_all(n, facts, *run.here)


def _other(run: _Run, n: int, text: str) -> None:
    notes = run.notes
    nodes, ports, suppressed = _NODES.match(text), _PORTS.match(text), _SUPPRESSED.match(text)
    if nodes:
        notes.put_all(n, {"checked_node_count": int(nodes[1]), "bad_node_count": int(nodes[2])})
    elif ports:
        notes.put_all(n, {"checked_port_count": int(ports[1]), "bad_port_count": int(ports[2])})
    elif suppressed:
        if n == len(notes.block.lines.raw):  # no line end behind it
            notes.problem(n, "cut")
        else:
            notes.put(n, re.findall(r"\w+", suppressed[1]) or None, "suppressed")
    elif _ASIDE.match(text):
        notes.ignore(n, "thresholds")
    elif text.strip() in ("...", "…"):
        notes.problem(n, "left-out")
    elif _FAILED.match(text):
        notes.problem(n, "tool-error")
    elif _PORT.match(text):
        notes.problem(n, "missing-part", "no line of its device")


READER = Reader("ibqueryerrors", read, commands=command("ibqueryerrors(?:\\.pl)?"), starts=_STARTS)
