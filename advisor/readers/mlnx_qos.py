"""`mlnx_qos -i DEVICE`: trust, PFC, buffers and traffic classes of an mlx5 port. Also where a web page lost the line ends."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from advisor.evidence.reading import Part
from advisor.readers._again import Runs
from advisor.readers._loops import loop_names, nth_name
from advisor.readers._titles import title_above, titled_name
from advisor.readers.contract import Block, Notes, Reader, command
from advisor.readers.shapes import integer, is_left_out, known, open_end

TOOL = "mlnx_qos"
# Where a line of this tool begins; used where several stand in one.
_LABELS = re.compile(
    r"(?<=\S)\s*(?=DCBX mode:|Priority trust state:|dscp2prio mapping:|prio:\d+ +dscp:|default priority:|Receive buffer size \(bytes\):|"
    r"Cable len:|PFC configuration:|tc:? *\d+ +ratelimit)"
    r"|(?<=\S)\s+(?=(?:priority|enabled|buffer):?\s{2,}\d|(?:priority|up):\s+\d+\s*(?:\Z|tc:|priority:|up:))"
)
_STATED = re.compile(
    r"\s*(?P<key>DCBX mode|Priority trust state|default priority|Receive buffer size \(bytes\)|Cable len):(?P<value>.*)\Z", re.IGNORECASE
)
_DSCP = re.compile(r"\s*prio:(?P<priority>\d+)\s+dscp:(?P<dscp>[\d,\s]*)\Z")
_TABLE = re.compile(r"\s*(?P<row>priority|enabled|buffer):?\s+(?P<cells>\d+(?:\s+\d+)+)\s*\Z")
_CLASS = re.compile(
    r"\s*tc:?\s*(?P<tc>\d+)\s+ratelimit:\s*(?P<limit>unlimited|(?P<rate>\d+(?:\.\d+)?)\s*(?P<unit>[GMK])?(?:bps|bit|b/s)?),?\s*tsa:\s*(?P<tsa>\w+)(?P<rest>.*)\Z"
)
_BANDWIDTH = re.compile(r"bw:\s*(?P<percent>\d+)%")
_MEMBER = re.compile(r"\s*(?:priority|up):\s+(?P<priority>\d+)\s*\Z")
_PLAIN = re.compile(r"\s*(?:dscp2prio mapping:|PFC configuration:|skprio:|Enabled TC:|.*not supported on your system)")
_ERROR = re.compile(r"doesn't exist|[Ee]rror|Operation not permitted|No such device|Usage:|Permission denied")
_INTERFACE = re.compile(r"\bmlnx_qos\b.*?\s(?:-i|--interface)[ =]?(?P<name>[^\s;|&<>]+)")
_UNIT_GBPS = {"G": 1.0, "M": 1e-3, "K": 1e-6, None: 1e-9}
_LONGEST = 20_000
_CODE_POINTS = 8  # at the most in a line


@dataclass(slots=True)
class _State:
    """Where the reading stands: the interface, its traffic class and table columns; a title for the next interface."""

    names: list[str]
    above: str | None
    name: str = ""
    tc: str = ""
    columns: list[str] = field(default_factory=list)
    count: int = 0
    title_line: int = 0


def read(block: Block) -> Iterator[Part]:
    command_line, glued = _cut_command(block.command)
    block = Block(block.lines, command_line, block.host, block.first)
    runs = Runs(TOOL, block, (("interfaces", "interface_count"),), finish=_finish)
    state = _State(_names(command_line), None if command_line else title_above(block.lines, block.first))
    cut = open_end(block.lines)
    if glued:
        _texts(runs, state, 0, block.first, glued, not glued.endswith(("\n", "%")))
    for i, (n, text) in enumerate(block.lines):
        _texts(runs, state, i, n, text, n == cut)
    yield from runs.parts()


def _texts(runs: Runs, state: _State, i: int, n: int, whole: str, is_open: bool) -> None:
    """One line of the file: one line of the tool, or several where their ends were lost."""
    pieces = _LABELS.split(whole) if len(whole) < _LONGEST else [whole]
    if len(pieces) > 2 or (len(pieces) > 1 and _is_line(pieces[0])):
        runs.notes.problem(n, "repaired", "line ends were lost")
    for k, text in enumerate(pieces):
        if _is_line(text):
            if not state.name or _begins(runs.notes, state.name, text):
                _interface(runs, state, i, n)
            _line(runs.notes, n, text, state, is_open and k == len(pieces) - 1)
        elif state.name and is_left_out(text):
            runs.notes.problem(n, "left-out")
        elif _ERROR.search(text) and (state.name or runs.block.command):
            runs.notes.problem(n, "tool-error")
        elif state.name and text.strip() and (is_open or k > 0):
            runs.notes.problem(n, "cut")
        elif titled := titled_name(text) or (text.strip() if text.strip() in state.names else None):
            state.above, state.name, state.title_line = titled, "", n


def _interface(runs: Runs, state: _State, i: int, n: int) -> None:
    state.count += 1
    state.name = state.above or nth_name(state.names, state.count)
    if runs.notes.get("interfaces", state.name) is not None:
        runs.begin(i)
    runs.notes.thing(n, "interfaces", state.name)
    if state.title_line:
        runs.notes.ignore(state.title_line, "title")
    state.above, state.tc, state.columns, state.title_line = None, "", [], 0


def _cut_command(command_line: str | None) -> tuple[str | None, str]:
    """The command line, and the output that stands behind it on the same line."""
    if not command_line:
        return command_line, ""
    pieces = _LABELS.split(command_line, maxsplit=1)
    return pieces[0], command_line[len(pieces[0]) :] if len(pieces) > 1 else ""


def _names(command_line: str | None) -> list[str]:
    match = _INTERFACE.search(command_line or "")
    if not match:
        return []
    argument = match["name"].strip("\"'")
    return loop_names(command_line, argument) or ([] if any(mark in argument for mark in "$`{*") else [argument])


def _is_line(text: str) -> bool:
    return any(pattern.match(text) for pattern in (_STATED, _DSCP, _TABLE, _CLASS, _MEMBER, _PLAIN))


def _begins(notes: Notes, name: str, text: str) -> bool:
    """Whether a line is told again for the same interface: the next run."""
    table = _TABLE.match(text)
    if table and table["row"] == "priority":
        return any("pfc" in entry for entry in (notes.get("interfaces", name, "priorities") or {}).values())
    stated = _STATED.match(text)
    fact = {"dcbx mode": "dcbx_mode", "priority trust state": "trust"}.get(stated["key"].lower()) if stated else None
    return fact is not None and notes.get("interfaces", name, fact) is not None


def _line(notes: Notes, n: int, text: str, state: _State, is_open: bool) -> None:
    where = ("interfaces", state.name)
    if found := _STATED.match(text):
        if is_open:
            notes.problem(n, "cut")
        else:
            _stated(notes, n, where, found["key"].lower(), found["value"].strip())
    elif found := _DSCP.match(text):
        _dscp(notes, n, where, found, is_open)
    elif found := _TABLE.match(text):
        _table(notes, n, where, found, state, is_open)
    elif found := _CLASS.match(text):
        state.tc = "" if is_open else found["tc"]
        if is_open:
            notes.problem(n, "cut")
        else:
            _class(notes, n, where, found)
    elif found := _MEMBER.match(text):
        if is_open:
            notes.problem(n, "cut")
        else:
            notes.put(n, int(state.tc) if state.tc else None, *where, "priorities", found["priority"], "tc")
    else:
        notes.ignore(n, "words of the tool")


def _dscp(notes: Notes, n: int, where: tuple[str, str], found: re.Match[str], is_open: bool) -> None:
    """A priority's code points; they may go on in a second line."""
    listed = [int(word) for word in found["dscp"].replace(",", " ").split()]
    if is_open and len(listed) < _CODE_POINTS:
        notes.problem(n, "cut")
        return
    before = notes.get(*where, "priorities", found["priority"], "dscp") or []
    notes.put(n, sorted({*before, *listed}), *where, "priorities", found["priority"], "dscp")


def _table(notes: Notes, n: int, where: tuple[str, str], found: re.Match[str], state: _State, is_open: bool) -> None:
    cells = found["cells"].split()
    if found["row"] == "priority":
        notes.use(n)
        state.columns = cells
    elif is_open or len(cells) != len(state.columns):
        notes.problem(n, "cut" if len(cells) <= len(state.columns) else "damaged")
    else:
        for priority, cell in zip(state.columns, cells, strict=True):
            value: object = {"0": False, "1": True}.get(cell) if found["row"] == "enabled" else int(cell)
            notes.put(n, value, *where, "priorities", priority, "pfc" if found["row"] == "enabled" else "buffer")


def _stated(notes: Notes, n: int, where: tuple[str, str], key: str, value: str) -> None:
    if key == "dcbx mode":
        notes.put(n, known(value), *where, "dcbx_mode")
    elif key == "priority trust state":
        notes.put(n, known(value), *where, "trust")
    elif key == "default priority":
        notes.put(n, integer(value) if value else None, *where, "default_priority")
    elif key == "cable len":
        notes.put(n, integer(value), *where, "cable_length_m")
    else:
        notes.use(n)
        words = [word for word in value.replace(" ", "").split(",") if word]
        for i, word in enumerate(word for word in words if word.isdecimal()):
            notes.put(n, int(word), *where, "buffer_bytes", str(i))
        for label, fact in (("max_buffer_size=", "buffer_max_bytes"), ("total_size=", "buffer_total_bytes")):
            notes.put(n, next((integer(word.removeprefix(label)) for word in words if word.startswith(label)), None), *where, fact)


def _class(notes: Notes, n: int, where: tuple[str, str], found: re.Match[str]) -> None:
    tc = found["tc"]
    notes.put(n, found["tsa"], *where, "tcs", tc, "tsa")
    bandwidth = _BANDWIDTH.search(found["rest"])
    notes.put(n, int(bandwidth["percent"]) if bandwidth else None, *where, "tcs", tc, "bandwidth_percent")
    if found["rate"]:
        notes.put(n, round(float(found["rate"]) * _UNIT_GBPS[found["unit"]], 9), *where, "tcs", tc, "rate_limit_gbps")


def _finish(notes: Notes) -> None:
    """The priorities with PFC, where the whole row is known."""
    for name, interface in notes.facts.get("interfaces", {}).items():
        priorities = interface.get("priorities", {})
        told = {int(priority): entry["pfc"] for priority, entry in priorities.items() if entry.get("pfc") is not None}
        if told:
            interface["pfc_priorities"] = sorted(priority for priority, on in told.items() if on)
            first = next(priority for priority, entry in priorities.items() if "pfc" in entry)
            notes.at["interfaces", name, "pfc_priorities"] = notes.at["interfaces", name, "priorities", first, "pfc"]


READER = Reader(
    TOOL,
    read,
    commands=command(r"mlnx_qos(?:\.py)?"),
    starts=re.compile(r"\s*(?:DCBX mode: |Priority trust state: |dscp2prio mapping:\s*\Z|prio:\d dscp:|tc: \d+ ratelimit: )"),
)
