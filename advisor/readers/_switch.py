"""What the outputs of switch operating systems share: sections one after another, tables of several layouts, figures with units.

A section (a table, the lines of one port) is read into notes of its own and then taken into those of the run; if it says another
thing of the same name, the run ends before it, for it is another run.
"""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from advisor.capture.lines import Lines
from advisor.evidence.reading import Part
from advisor.readers._ends import guarded, is_whole
from advisor.readers.contract import Block, Notes
from advisor.readers.shapes import is_left_out, open_end

_CHUNK = re.compile(r"\S+(?: \S+)*")
_WORD = re.compile(r"\S+")
_RULE = re.compile(r"[-=+| ]*[-=]{2,}[-=+| ]*$")
_SPAN = re.compile(r"[-=]+")
_SPEED = re.compile(r"(?:a-)?(\d+(?:\.\d+)?)\s*([KMGT]?)(?:b(?:it)?(?:/s|ps)?|E|)?\s*\Z", re.IGNORECASE)
_RATE = re.compile(r"(\d+(?:\.\d+)?)\s*([kKMGT]?)(bps|bits?/s(?:ec)?|b/s|bytes?/s(?:ec)?|B/s)\Z")
# What a figure is divided by to be 10^9 bits per second: a division by a whole power of ten keeps the figure's digits.
_PER_GBPS = {"": 1e9, "K": 1e6, "M": 1e3, "G": 1.0, "T": 1e-3}
_NOTHING = frozenset({"", "-", "--", "---", "n/a", "na", "none", "null", "not supported", "unsupported", "unknown"})
_COUNTED = (
    ("interfaces", "interface_count"),
    ("buffer_pools", "buffer_pool_count"),
    ("ecn_profiles", "ecn_profile_count"),
    ("roce_classes", "roce_class_count"),
)
_CHUNK_LINES = 4000
# Unknown lines in a row after which a run of a switch is over.
_STRANGE = 60


# --- figures ----------------------------------------------------------------------------------------------------


def count(text: str) -> int | None:
    """A whole number, thousands commas allowed; None for N/A, dashes and anything else."""
    try:
        return int(text.replace(",", "")) if text else None
    except ValueError:
        return None


def real(text: str) -> float | int | None:
    """A number with or without an exponent (`1.48e-20`)."""
    try:
        value = float(text.replace(",", ""))
    except ValueError:
        return None
    return value if value == value and abs(value) != float("inf") else None


def percent(text: str) -> float | int | None:
    return real(text.strip().rstrip("%"))


def is_nothing(text: str) -> bool:
    """Whether a cell stands for no value: N/A, dashes, blank."""
    return text.strip().lower() in _NOTHING


def speed_gbps(text: str) -> float | int | None:
    """A port's rate: `100G`, `40000M`, `a-1G`, `10 Gb/s`, `1000Mbps`; None for `auto` and a figure without a unit."""
    match = _SPEED.match(text.strip())
    if not match or not match[2]:
        return None
    return _whole(float(match[1]) / _PER_GBPS[match[2].upper()])


def rate_gbps(text: str) -> float | None:
    """A rate that the switch prints: `8 bits/sec`, `7.39 kbps`, `0.00 B/s`. A multiple of bytes has no clear base: None."""
    match = _RATE.match(text.strip())
    if not match:
        return None
    if match[3] in ("B/s",) or match[3].startswith("byte"):
        return round(float(match[1]) * 8 / 1e9, 12) if not match[2] else None
    return round(float(match[1]) / _PER_GBPS[match[2].upper()], 12)


def _whole(value: float) -> float | int:
    rounded = round(value, 9)
    return int(rounded) if rounded == int(rounded) else rounded


def link_state(text: str) -> tuple[str | None, str | None]:
    """State and administrative state of a word: `up`, `down`, `administratively down`, `ADM`, `connected`, `notconnect`."""
    return _STATES.get(text.strip().lower(), (None, None))


_UP: tuple[str | None, str | None] = ("active", None)
_DOWN: tuple[str | None, str | None] = ("down", None)
_OFF: tuple[str | None, str | None] = ("down", "down")
_STATES = {
    **dict.fromkeys(("up", "u", "connected", "active", "linkup"), _UP),
    **dict.fromkeys(
        ("down", "d", "notconnect", "notconnec", "notconnected", "lowerlayerdown", "errdisabled", "err-disabled", "linkdown"), _DOWN
    ),
    **dict.fromkeys(
        ("administratively down", "adm", "x", "disabled", "*down", "admin down", "admindown", "adm down", "administratively"), _OFF
    ),
}


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


# --- tables -----------------------------------------------------------------------------------------------------


def is_rule(text: str) -> bool:
    return _RULE.match(text) is not None


class Grid:
    """A table's columns. Cells are told apart by two blanks, by single ones, or by the place of their column."""

    __slots__ = ("centres", "names", "ruled", "spans")

    def __init__(self, header: str, rule: str = "", names: Iterable[str] = ()) -> None:
        chunks = [(m.start(), m.end()) for m in _CHUNK.finditer(header)]
        ruled = [(m.start(), m.end()) for m in _SPAN.finditer(rule)]
        given = list(names)
        if not given and len(ruled) > len(chunks) and len(ruled) == len(header.split()):
            chunks = [(m.start(), m.end()) for m in _WORD.finditer(header)]
        self.names = given or [header[a:b] for a, b in chunks]
        self.spans = ruled if len(ruled) == len(self.names) else chunks
        self.ruled = self.spans is ruled
        self.centres = [(a + b) / 2 for a, b in self.spans]

    def cells(self, text: str) -> list[str] | None:
        """The cells of a row, an empty one as an empty text; None where words cannot be told to columns."""
        chunks = list(_CHUNK.finditer(text))
        if len(chunks) == len(self.names):
            return [m.group() for m in chunks]
        words = list(_WORD.finditer(text))
        placed = len(chunks) < len(self.names) and self._fits(chunks)
        if len(words) == len(self.names) and not (placed and self.ruled):
            return [m.group() for m in words]
        if not placed:
            return None
        found = [""] * len(self.names)
        for chunk in chunks:
            at = self._column(chunk.start(), chunk.end())
            found[at] = f"{found[at]} {chunk.group()}".strip()
        return found

    def _fits(self, chunks: list[re.Match[str]]) -> bool:
        """Whether each chunk stands under one column alone."""
        if len(self.spans) != len(self.names):
            return False
        return all(sum(1 for a, b in self.spans if min(chunk.end(), b) > max(chunk.start(), a)) <= 1 for chunk in chunks)

    def _column(self, start: int, end: int) -> int:
        overlaps = [min(end, b) - max(start, a) for a, b in self.spans]
        best = max(overlaps)
        if best > 0:
            return overlaps.index(best)
        centre = (start + end) / 2
        at = bisect_right(self.centres, centre)
        near = [i for i in (at - 1, at) if 0 <= i < len(self.centres)]
        return min(near, key=lambda i: abs(self.centres[i] - centre))


def rows(cursor: Cursor, notes: Notes, is_row: Callable[[str], object]) -> Iterator[tuple[int, str]]:
    """The rows below a header, with their line: rules are passed over, and the first line that is no row ends the table."""
    while cursor.more:
        n, text = cursor.numbers[cursor.i], cursor.texts[cursor.i]
        if is_rule(text):
            notes.ignore(n, "rule")
        elif is_row(text):
            yield n, text
        elif is_left_out(text):
            notes.problem(n, "left-out")
        else:
            return
        cursor.i += 1


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
        if figure.isdigit():
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
    if not bare[:1].isdigit():
        return True
    match = _NAMED.match(re.split(r",|\s{2,}", bare)[-1].strip())
    return (match is not None and match[1] in names) or bare.endswith(("/sec", "pps", "bytes"))


# `Et1   name of it   connected   in Po1   full   10G   10GBASE-CR`: a name may hold blanks, or be empty.
STATUS_ROW = re.compile(
    r"\s*(?P<port>\S+)\s+(?:(?P<name>.*?)\s+)?(?P<status>connected|notconnec(?:t|ted)?|disabled|errdisabled|err-disabled|inactive|suspended|suspnd|"
    r"sfpAbsent|xcvrAbsen|xcvrAbsent|noOperMem|linkFlapE|down|up|faulty|monitoring|err-vpcPe|sdpTimeOu|channelDo|udldEmpty|hwFailure|vpcPeerLn|"
    r"outOfServ|sfpInvali|xcvrInval|notconn|bpduguard|UP|DOWN)\s+(?P<vlan>(?:in\s)?\S+)\s+(?P<duplex>a-full|a-half|full|half|auto|unconf|--|Full|Half|Auto|Unknown)"
    r"\s+(?P<speed>\S+)(?:\s+(?P<type>\S.*?))?\s*$"
)


def put_status(notes: Notes, n: int, row: re.Match[str]) -> None:
    """A row of `show interface status`. An absent transceiver, a suspended or a failed port is down; only `disabled` says who wants it."""
    name, word, duplex, speed = row["port"], row["status"].lower(), row["duplex"].lower(), row["speed"]
    state, admin = link_state(word)
    notes.thing(n, "interfaces", name)
    rate = speed_gbps(speed)
    if rate is None and (bare := re.fullmatch(r"(?:a-)?(\d+)", speed)):
        rate = _whole(int(bare[1]) / 1000)  # Mb/s without a letter, as Cisco and Arista print it
    values = {
        "state": state or "down",
        "admin_state": admin,
        "rate_gbps": rate,
        "duplex": duplex.removeprefix("a-") if duplex.removeprefix("a-") in ("full", "half") else None,
        "auto_negotiation": True if duplex.startswith("a-") or speed.startswith("a-") else None,
    }
    notes.put_all(n, values, "interfaces", name)


def flow_control(port: re.Pattern[str]) -> Section:
    """The table of 802.3x flow control: what is sent and received in operation, and pause frames."""

    def section(cursor: Cursor, notes: Notes, run: Run) -> None:
        notes.use(cursor.numbers[cursor.i])
        cursor.i += 1
        if cursor.peek().split()[:2] == ["admin", "oper"]:
            notes.use(cursor.numbers[cursor.i])
            cursor.i += 1
        for n, text in rows(cursor, notes, port.match):
            words = text.split()
            if len(words) != 7:
                notes.problem(n, "cut" if n == cursor.last else "damaged")
                continue
            sides = {"tx_flow_control": words[2], "rx_flow_control": words[4]}
            notes.thing(n, "interfaces", words[0])
            for key, word in sides.items():
                notes.put(n, {"on": True, "off": False}.get(word.lower()), "interfaces", words[0], key)
            notes.put_all(n, {"rx_pause": count(words[5]), "tx_pause": count(words[6])}, "interfaces", words[0])

    return section


def words_table(columns: dict[str, str], port: re.Pattern[str], raw: Iterable[str] = ()) -> Section:
    """A table whose headers and cells are single words: column -> fact; columns of `raw` go to the raw counters under their names."""
    kept = set(raw)

    def section(cursor: Cursor, notes: Notes, run: Run) -> None:
        names = cursor.peek().split()
        notes.use(cursor.numbers[cursor.i])
        cursor.i += 1
        for n, text in rows(cursor, notes, port.match):
            cells = text.split()
            name = cells[0]
            if len(cells) != len(names):
                notes.problem(n, "cut" if n == cursor.last else "damaged")
                cells = cells[:-1] if len(cells) < len(names) else []
                if not cells:
                    continue
            notes.thing(n, "interfaces", name)
            for column, cell in zip(names[1:], cells[1:], strict=False):
                value = count(cell)
                if value is None:
                    if not is_nothing(cell):
                        notes.problem(n, "not-a-number", cell)
                elif column in columns:
                    notes.put(n, value, "interfaces", name, columns[column])
                elif column in kept:
                    notes.put(n, value, "interfaces", name, "counters", column)
        if cursor.peek().split(None, 1)[:1] in (["Totals"], ["Total"]):
            notes.ignore(cursor.numbers[cursor.i], "sum of all ports")
            cursor.i += 1

    return section
