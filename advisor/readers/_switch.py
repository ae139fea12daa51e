"""What the outputs of switch operating systems share: sections one after another, and ports as blocks of lines.

A section (a table, the lines of one port) is read into notes of its own and then taken into those of the run; if it says another
thing of the same name, the run ends before it, for it is another run.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from advisor.capture.lines import Lines
from advisor.evidence.reading import Part
from advisor.readers._ends import guarded, is_whole
from advisor.readers._figures import count
from advisor.readers.contract import Block, Notes
from advisor.readers.shapes import is_left_out, open_end

_COUNTED = (
    ("interfaces", "interface_count"),
    ("buffer_pools", "buffer_pool_count"),
    ("ecn_profiles", "ecn_profile_count"),
    ("roce_classes", "roce_class_count"),
)
_CHUNK_LINES = 4000
# Unknown lines in a row after which a run of a switch is over.
_STRANGE = 60


# --- lines and sections -----------------------------------------------------------------------------------------


class Cursor:
    """The inked lines of a block, and where the reading stands. Lines are taken from the block as they are needed."""

    __slots__ = ("_source", "i", "last", "numbers", "texts")

    def __init__(self, lines: Lines) -> None:
        self._source = lines.inked()
        self.numbers: list[int] = []
        self.texts: list[str] = []
        self.i = 0
        self.last = open_end(lines)

    @property
    def more(self) -> bool:
        return self.i < len(self.texts) or self._fill()

    def peek(self, ahead: int = 0) -> str:
        at = self.i + ahead
        return self.texts[at] if at < len(self.texts) or (self._fill() and at < len(self.texts)) else ""

    def _fill(self) -> bool:
        before = len(self.texts)
        for n, text in islice(self._source, _CHUNK_LINES):
            self.numbers.append(n)
            self.texts.append(text)
        return len(self.texts) > before


Section = Callable[[Cursor, Notes, "Run"], None]


@dataclass
class Run:
    """What holds for a whole run: what the command line says, and what titles said last."""

    command: str
    said: dict[str, Any] = field(default_factory=dict)


def read_sections(
    tool: str,
    block: Block,
    find: Callable[[str], Section | None],
    error: re.Pattern[str],
    whole: Callable[[str, list[str]], bool] = is_whole,
) -> Iterator[Part]:
    """Reads a run section by section. `find` gives the section that a line starts; `error` matches messages of the device.

    Behind a command line, lines that no section starts are passed over; without one, the first of them behind something read is the end.
    `whole` tells whether a last line that nothing ends is complete.
    """
    yield from guarded(lambda given: _sections(tool, given, find, error), whole)(block)


def _sections(tool: str, block: Block, find: Callable[[str], Section | None], error: re.Pattern[str]) -> Iterator[Part]:
    cursor, main, run = Cursor(block.lines), Notes(tool, block), Run(block.command or "")
    strange, most = 0, _STRANGE if block.command else 0
    while cursor.more and (strange <= most or (not main.facts and strange <= _STRANGE)):
        n, text = cursor.numbers[cursor.i], cursor.texts[cursor.i]
        section = find(text)
        if section is not None:
            part, start = Notes(tool, block), cursor.i
            section(cursor, part, run)
            if cursor.i == start:
                cursor.i += 1
                if not part._accounted:
                    strange += 1
                    continue
            if not take(main, part):
                break
            strange = 0
            continue
        if is_left_out(text):
            main.problem(n, "left-out")
        elif (main.facts or block.command) and error.match(text):
            main.problem(n, "tool-error")
        else:
            strange += 1
        cursor.i += 1
    for things, key in _COUNTED:
        main.count(things, key)
    if main.facts or main.problems:
        yield main.part()


def take(main: Notes, part: Notes) -> bool:
    """Takes a section's notes into the run's, unless it says another thing of the same name. Whether it did."""
    if not main.facts and not main.at:
        main.facts, main.at = part.facts, part.at
    elif _contradicts(main.facts, part.facts):
        return False
    else:
        _join(main.facts, part.facts)
    if main.at is not part.at:
        for path, line in part.at.items():
            main.at.setdefault(path, line)
    main.problems += part.problems
    main._accounted |= part._accounted
    for reason, number in part.ignored.items():
        main.ignored[reason] = main.ignored.get(reason, 0) + number
    return True


def _contradicts(into: dict[str, Any], more: dict[str, Any]) -> bool:
    for key, value in more.items():
        if key in into:
            old = into[key]
            if isinstance(value, dict) and isinstance(old, dict):
                if _contradicts(old, value):
                    return True
            elif old != value:
                return True
    return False


def _join(into: dict[str, Any], more: dict[str, Any]) -> None:
    for key, value in more.items():
        if isinstance(value, dict) and isinstance(into.get(key), dict):
            _join(into[key], value)
        else:
            into[key] = value


# --- ports as blocks of lines -----------------------------------------------------------------------------------

# Figures and their names with single blanks between them: `0 runts 0 giants`.
_PAIRS = re.compile(r"(\d[\d,]*|--?)\s+([A-Za-z][A-Za-z/ -]*?)(?=\s*,|\s{2}|\s*$|\s\d|\s-\s)")


class Port:
    """One port while its lines are read: facts go straight to their place."""

    __slots__ = ("accounted", "at", "entry", "name")

    def __init__(self, notes: Notes, n: int, name: str) -> None:
        self.name = name
        self.entry: dict[str, Any] = notes.facts.setdefault("interfaces", {}).setdefault(name, {})
        self.at = notes.at
        self.accounted = notes._accounted
        self.at.setdefault(("interfaces", name), n)
        self.accounted.add(n)

    def put(self, n: int, key: str, value: Any) -> None:
        if value is not None:
            self.entry[key] = value
            self.at[("interfaces", self.name, key)] = n


def counted(port: Port, n: int, text: str, names: dict[str, str], between: str = ", ") -> bool:
    """Counters of a line, each a figure before its name. `bytes` alone belongs to the packets before it. Whether any has a name here.

    between     what stands between two counters; where it is lost, a pattern tells them apart
    """
    side = ""
    found = False
    pieces = text.split(between)
    put = port.put
    for piece in pieces:
        figure, _, name = piece.partition(" ")
        fact = names.get(name)
        if fact is None:
            figure, _, name = piece.strip().partition(" ")
            fact = names.get(name)
            if fact is None:
                if name != "bytes" or not side:
                    continue
                fact = f"{side}_bytes"
        if fact == "rx_packets" or fact == "tx_packets":
            side = fact[:2]
        found = True
        if figure.isdecimal():
            put(n, fact, int(figure))
    if found or len(pieces) > 1:
        return found
    return _paired(port, n, text, names)


def _paired(port: Port, n: int, text: str, names: dict[str, str]) -> bool:
    side = ""
    found = False
    for figure, name in _PAIRS.findall(text):
        fact = names.get(name)
        if fact is None:
            if name != "bytes" or not side:
                continue
            fact = f"{side}_bytes"
        found = True
        if fact in ("rx_packets", "tx_packets"):
            side = fact[:2]
        value = count(figure)
        if value is not None:
            port.put(n, fact, value)
    return found


_NAMED = re.compile(r"(?:\d[\d,]*|--?)\s+(.*?)\s*\Z")


def ends_whole(text: str, names: set[str]) -> bool:
    """Whether a line of counters ends with a whole name. Other lines are taken as whole."""
    bare = text.strip()
    if not bare[:1].isdecimal():
        return True
    match = _NAMED.match(re.split(r",|\s{2,}", bare)[-1].strip())
    return (match is not None and match[1] in names) or bare.endswith(("/sec", "pps", "bytes"))
