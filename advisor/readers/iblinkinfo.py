"""`iblinkinfo` (infiniband-diags): the links of all ports, under a line for each device or with the device on each line (`-l`)."""

import re
from collections.abc import Iterator

from advisor.evidence.reading import Part
from advisor.readers._fabric import Fabric, Link, guid, link, peer_facts, wrapped
from advisor.readers.contract import Block, Notes, Reader, command

_SWITCH = re.compile(r"\s*+Switch:?\s++(0x[0-9A-Fa-f]+)\s++(.*):\s*+\Z")
_CA = re.compile(r"\s*+(CA|Router|RT):\s++(.*):\s*+\Z")
_PORT_GUID = re.compile(r"\s*(0x[0-9A-Fa-f]{1,16})\s+(?=\d+\s+\d+\s*\[)")
_LINE_MODE = re.compile(r'\s*(0x[0-9A-Fa-f]{1,16})\s+"\s*([^"]*?)\s*"\s+(?=\d+\s+\d+\s*\[)')
# Descriptions that switches and adapters come with; others are told by their ports.
_SWITCH_NAME = re.compile(r"MF0;|:M[A-Z]{2}\d+\w*/|\b(?:Switch|SwitchIB|SwitchX|Infini[Ss]cale|Quantum|SX\d{4}|MSB\d{4}|MQM\d{4}|IS50\d\d)")
_CA_NAME = re.compile(r"\bHCA-\d|\bmlx\d_\d|\bhfi1_\d|Aggregation Node|ConnectX|\bMT\d{4,5}\b")
_ARROW = re.compile(r"==\(|\)==>")
_FAILED = re.compile(r"\s*(?:ibpanic|ibwarn|src/\w+\.c|iblinkinfo: )[:; ]")
_STARTS = re.compile(
    r"\s*(?:CA: \S.*:\s*\Z|Switch:? +0x[0-9A-Fa-f]{4,16} \S.*:\s*\Z|0x[0-9A-Fa-f]{4,16} +(?:\"[^\"]*\" +)?\d+ +\d+\s*\[ *\d*\s*\] *==\(|"
    r"\d+ +\d+\s*\[ *\d*\s*\] *==\()"
)


class _Read:
    """The reading of one block. A port that is told again begins a new run, from the line of its device."""

    def __init__(self, block: Block) -> None:
        self.block = block
        self.start = 0
        self.begin()

    def begin(self) -> None:
        self.fabric = Fabric(Notes("iblinkinfo", self.block))
        self.seen: set[tuple[str, str]] = set()
        self.lines: list[tuple[int, str, str, Link]] = []  # of -l, which does not say what is a switch

    def close(self, end: int) -> Iterator[Part]:
        _line_mode(self)
        self.fabric.close()
        notes = self.fabric.notes
        if not notes.is_empty:
            lines = self.block.lines[self.start : end]
            notes.block = Block(lines, self.block.command, self.block.host, self.block.first if self.start == 0 else lines.numbers[0])
            yield notes.part()
        self.start = end


def read(block: Block) -> Iterator[Part]:
    run = _Read(block)
    header: tuple[int, int, str, str, str | None] | None = None  # index and number of the line, kind, name, GUID
    own: str | None = None
    taken = -1  # index of a line that was read together with the one before it
    for i, (n, text) in enumerate(block.lines):
        if not text or text.isspace():
            continue
        if i == taken:
            run.fabric.notes.use(n)
            continue
        switch, ca = _SWITCH.match(text), _CA.match(text)
        if (switch or ca) and n == len(block.lines.raw):  # no line end behind it: a name may hold colons
            run.fabric.notes.problem(n, "cut")
            continue
        if switch or ca:
            own = None
            header = (
                (i, n, "switches", switch[2].rstrip(), guid(switch[1])) if switch else (i, n, "cas", ca[2].rstrip(), None) if ca else None
            )
            if switch and run.fabric.has("switches", guid(switch[1]) or switch[2]):
                yield from run.close(i)
                run.begin()
            if switch:
                own = guid(switch[1]) or switch[2]
                run.fabric.device(n, "switches", switch[2], own, guid=guid(switch[1]))
            continue
        named = _LINE_MODE.match(text)
        found = link(text) if "==" in text else None
        if found is None and "==(" in text and (whole := wrapped(block.lines, i, link)):
            text, found, taken = whole, link(whole), i + 1
        if found and _is_cut(block, n, text):
            found = None
        if found is None:
            if header and header[2] == "cas" and own is None and _ARROW.search(text):
                own = header[3]
                run.fabric.device(header[1], "cas", header[3], own)
            _other(run, n, text)
            continue
        port_guid = _PORT_GUID.match(text)
        identity = (port_guid or named or [None, None])[1] or own or str(found.lid)
        if (identity, found.port) in run.seen:
            at = header[0] if header and own is None else i
            yield from run.close(at)
            run.begin()
            own = None
        run.seen.add((identity, found.port))
        if named:
            run.lines.append((n, guid(named[1]) or "", named[2], found))
            run.fabric.notes.use(n)
            continue
        if header is None:
            run.fabric.notes.problem(n, "missing-part", "no line of its device")
            continue
        if own is None:
            own = _open(run, header, identity, found)
        _put(run, n, header[2], own, found, guid(port_guid[1]) if port_guid else None)
    yield from run.close(len(block.lines))


def _is_cut(block: Block, n: int, text: str) -> bool:
    return n == len(block.lines.raw) and not text.rstrip().endswith(")")


def _open(run: _Read, header: tuple[int, int, str, str, str | None], identity: str, found: Link) -> str:
    """A device by its line; a CA's line has no GUID, so another CA of the same name is told by its port's."""
    _, line, kind, name, named = header
    own = named or name
    if kind == "cas" and run.fabric.has_port(kind, own, found.port):
        own = guid(identity) or identity
    run.fabric.device(line, kind, name, own, guid=named)
    return own


def _put(run: _Read, n: int, kind: str, own: str, found: Link, port_guid: str | None) -> None:
    fabric = run.fabric
    facts = {**found.facts, **peer_facts(found.peer, found.peer_port, found.peer_lid, found.peer_guid)}
    if kind == "cas":
        facts = {"lid": found.lid, **({"port_guid": port_guid} if port_guid else {}), **facts}
    fabric.device(n, kind, "", own, lid=found.lid)
    fabric.port(n, kind, own, found.port, facts)
    if found.peer_port is not None and found.peer_lid is not None:
        # LIDs are the only names that both ends print; before a subnet manager has set them, descriptions must do.
        here = str(found.lid) if found.lid else fabric.names[(kind, own)]
        there = str(found.peer_lid) if found.peer_lid else found.peer or ""
        fabric.cable((here, found.port), (there, str(found.peer_port)))


def _line_mode(run: _Read) -> None:
    """Lines of -l do not say what is a switch: its ports share one GUID, an adapter's have one each. One line alone is told by its name."""
    ports: dict[str, set[str]] = {}
    for _, named, _, found in run.lines:
        ports.setdefault(named, set()).add(found.port)
    for n, named, name, found in run.lines:
        is_switch = (
            len(ports[named]) > 1 or not 0 < int(found.port) <= 4 or (_SWITCH_NAME.search(name) is not None and not _CA_NAME.search(name))
        )
        kind = "switches" if is_switch else "cas"
        own = named
        if not is_switch and name:
            own = named if run.fabric.has_port(kind, name, found.port) else name
        run.fabric.device(n, kind, name, own, guid=named if is_switch else None)
        _put(run, n, kind, own, found, named)


def _other(run: _Read, n: int, text: str) -> None:
    notes = run.fabric.notes
    if text.strip() in ("...", "…"):
        notes.problem(n, "left-out")
    elif _FAILED.match(text):
        notes.problem(n, "tool-error")
    elif _ARROW.search(text):
        notes.problem(n, "cut" if n == len(notes.block.lines.raw) else "damaged")


READER = Reader("iblinkinfo", read, commands=command("iblinkinfo(?:\\.pl)?"), starts=_STARTS)
