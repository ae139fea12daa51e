"""`perfquery` (infiniband-diags): counters of ports that are named by LID, in the classic and the extended form."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from advisor.evidence.reading import Part
from advisor.readers._ib_counters import port_counters
from advisor.readers.contract import Block, Notes, Reader, command
from advisor.readers.shapes import integer

_HEADER = re.compile(r"\s*#\s*(\w[\w ]*?):\s*(?:Lid (\d+)|(DR path .*?)) port (\d+)(?:\s*\(.*)?\s*\Z", re.IGNORECASE)
_LINE = re.compile(r"\s*([A-Za-z]\w*(?:\[\d+\])?)\s*:\.*\s*(0x[0-9A-Fa-f]+|\d+)?\s*(\S.*)?\Z")
_DOTS = re.compile(r"\s*[A-Za-z]\w*:\.{2,}")
_OPEN = re.compile(r"\s*[A-Za-z][\w.]*:?\.*\Z")
_WITHOUT_FACT = re.compile(r"(?:PortSelect|CounterSelect\w*|CapMask\w*|SamplesControl|OpCode|Tag|Tick\w*)\Z")
_FAILED = re.compile(r"\s*(?:ibpanic|ibwarn|src/\w+\.c|perfquery: )")
_ALL_PORTS = 255
_STARTS = re.compile(r"\s*#\s*\w[\w ]*?: (?:Lid \d+|DR path .+) port \d+")


@dataclass(slots=True)
class _Port:
    """Counters of the port whose lines follow."""

    name: str = ""
    number: int = 0
    wide: bool = False
    line: int = 0
    raw: dict[str, int] = field(default_factory=dict)
    lines: dict[str, int] = field(default_factory=dict)


def read(block: Block) -> Iterator[Part]:
    notes, start = Notes("perfquery", block), 0
    port: _Port | None = None
    told: set[tuple[str, bool]] = set()
    for i, (n, text) in enumerate(block.lines):
        if not text or text.isspace():
            continue
        header = _HEADER.match(text)
        if header:
            _flush(notes, port)
            form = header[1].lower()
            device = f"lid{int(header[2])}" if header[2] else header[3].strip()
            port = _Port(device, int(header[4]), "extended" in form, n)
            key = (f"{device}/{port.number} {form}", port.wide)
            if key in told:
                yield from _closed(notes, block, start, i)
                notes, start, told = Notes("perfquery", block), i, set()
            told.add(key)
            notes.use(n)
            continue
        counter = _LINE.match(text) if port else None
        if port and counter and (_DOTS.match(text) or counter[2]):
            _counter(notes, port, n, counter)
        elif text.strip() in ("...", "…"):
            notes.problem(n, "left-out")
        elif _FAILED.match(text):
            notes.problem(n, "tool-error")
        elif port and n == len(block.lines.raw) and _OPEN.match(text):
            notes.problem(n, "cut")
    _flush(notes, port)
    yield from _closed(notes, block, start, len(block.lines))


def _counter(notes: Notes, port: _Port, n: int, match: re.Match[str]) -> None:
    name, figure, rest = match.groups()
    if _WITHOUT_FACT.match(name):
        notes.ignore(n, "selection")
        return
    ends = n == len(notes.block.lines.raw)  # no line end behind it: more digits may have followed
    value = integer(figure or "")
    if value is None or rest:
        notes.problem(n, "cut" if ends else "damaged")
    elif ends:
        notes.problem(n, "cut")
    else:
        port.raw[name] = value
        port.lines[name] = n
        notes.use(n)


def _flush(notes: Notes, port: _Port | None) -> None:
    """The counters of a port into the facts; the sum over all ports stands at the device itself.

    Where a port is told in both forms, the wide counters stay: the classic ones may stand at their ceiling.
    """
    if port is None:
        return
    path = ("devices", port.name) if port.number == _ALL_PORTS else ("ports", f"{port.name}/{port.number}")
    before = dict(notes.get(*path) or {})
    notes.thing(port.line, *path)
    facts = port_counters(port.raw, port.wide)
    raw, full = facts.pop("counters", None), facts.pop("saturated", None)
    told = {key: value for key, value in facts.items() if port.wide or key not in before}
    notes.put_all(port.line, told, *path)
    earlier = [key for key in before.get("saturated", []) if not (port.wide and key in told)]
    ceiling = earlier + [key for key in (full if isinstance(full, list) else []) if key in told]
    if ceiling:
        notes.put(port.line, ceiling, *path, "saturated")
    elif "saturated" in before:
        del notes.get(*path)["saturated"]
    for name, count in (raw if isinstance(raw, dict) else {}).items():
        if port.wide or name not in before.get("counters", {}):
            notes.put(port.lines.get(name, port.line), count, *path, "counters", name)


def _closed(notes: Notes, block: Block, start: int, end: int) -> Iterator[Part]:
    notes.count("ports", "port_count")
    if not notes.is_empty:
        lines = block.lines[start:end]
        notes.block = Block(lines, block.command, block.host, block.first if start == 0 else lines.numbers[0])
        yield notes.part()


READER = Reader("perfquery", read, commands=command("perfquery"), starts=_STARTS)
