"""Tables of switch operating systems: cells told by two blanks, by single ones or by their column; tables that several print."""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator

from advisor.readers._figures import count, is_nothing, link_state, speed_gbps, whole
from advisor.readers._switch import Cursor, Run, Section
from advisor.readers.contract import Notes
from advisor.readers.shapes import is_left_out

_CHUNK = re.compile(r"\S+(?: \S+)*")
_WORD = re.compile(r"\S+")
_RULE = re.compile(r"[-=+| ]*[-=]{2,}[-=+| ]*$")
_SPAN = re.compile(r"[-=]+")


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


def fitting(cursor: Cursor, notes: Notes, is_row: Callable[[str], object], row: re.Pattern[str]) -> Iterator[tuple[int, re.Match[str]]]:
    """The rows below a header that have the form. Of the others, the last of the text is cut."""
    for n, text in rows(cursor, notes, is_row):
        if found := row.match(text):
            yield n, found
        else:
            notes.problem(n, "cut" if n == cursor.last else "damaged")


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
        rate = whole(int(bare[1]) / 1000)  # Mb/s without a letter, as Cisco and Arista print it
    values = {
        "state": state or "down",
        "admin_state": admin,
        "rate_gbps": rate,
        "duplex": duplex.removeprefix("a-") if duplex.removeprefix("a-") in ("full", "half") else None,
        "auto_negotiation": True if duplex.startswith("a-") or speed.startswith("a-") else None,
    }
    notes.put_all(n, values, "interfaces", name)


def status(port: re.Pattern[str]) -> Section:
    """The table of `show interface status`."""

    def section(cursor: Cursor, notes: Notes, run: Run) -> None:
        notes.use(cursor.numbers[cursor.i])
        cursor.i += 1
        for n, row in fitting(cursor, notes, port.match, STATUS_ROW):
            put_status(notes, n, row)

    return section


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
