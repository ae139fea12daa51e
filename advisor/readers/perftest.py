"""perftest: `ib_write_bw`, `ib_read_lat` and their kin, also of hccn_tool; as text and as `--out_json`.

Bandwidth is given in Gb/s of the message payload. The tool's `MB/sec` is 2^20 byte/s (its own message rate agrees with nothing else).
A bidirectional figure is the sum of both directions and stays one.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from advisor.evidence.reading import Part
from advisor.readers._again import Runs
from advisor.readers._json import parse
from advisor.readers.contract import Block, Notes, Reader, command
from advisor.readers.shapes import is_left_out, known, link_layer, number, open_end

TOOL = "perftest"
_MIB = 2**20 * 8 / 1e9  # Gb/s of one MiB/s
_UNITS = {"MB/sec": _MIB, "MiB/sec": _MIB, "Gb/sec": 1.0, "Gbits/sec": 1.0, "Mb/sec": 1e-3, "GB/sec": _MIB * 1024}
_TITLE = re.compile(
    r"[\s#]*(?P<verb>RDMA_[A-Za-z]+(?:_(?:with_)?imm)?|Send|Atomic(?: Fetch and Add| Compare and Swap)?|Write|Read)[ _]"
    r"(?P<words>[A-Za-z_ -]{0,60}?)(?P<kind>BW|Latency)[ _](?:[A-Za-z-]{1,20}[ _])?Test(?:\s*\(.*\))?\s*\Z"
)
_COLUMNS = re.compile(r"[\s#]*#?bytes\s+#?iterations\s")
_COLUMN = re.compile(
    r"#?bytes|#?iterations|BW[ _]peak\[(?P<peak>[^\]]+)\]|BW[ _]average\[(?P<average>[^\]]+)\]|MsgRate\[Mpps\]|"
    r"t_(?P<time>min|max|typical|avg)\[usec\]|(?P<p999>99\.9%[ _]?percentile\[usec\])|(?P<p99>99%[ _]?percentile\[usec\])|"
    r"\w+(?: \w+)?\[[^\]]+\]|tps average"
)
_COUNT = r"(?:\d+|\d{1,3}(?:,\d{3})+)"
_ROW = re.compile(rf"[\s#]*(?P<cells>{_COUNT}\s+{_COUNT}(?:\s+(?:\d{{1,3}}(?:,\d{{3}})+(?:\.\d+)?|[\d.]+)(?:[eE][-+]?\d+)?)*)\s*\Z")
_WRAPPED_HEADER = re.compile(r"\s*(?:[^\s\d\-*#]|99(?:\.9+)?%).*\]\s*\Z|\w*\]")
_WRAPPED_ROW = re.compile(r"\s*[\d.]+(?:\s+[\d.]+)*\s*\Z")
_FIELD = re.compile(
    r"(?P<key>Dual-port|Device|Number of qps|Transport type|Connection type|Using SRQ|PCIe relax order|Lock-free|ibv_wr\* API|Using DDP|"
    r"Using Enhanced Reorder|TX depth|RX depth|Post List|CQ Moderation|CQE Poll Batch|Mtu|Link type|CPU freq|GID index|Max inline data|"
    r"Outstand reads|"
    r"rdma_cm QPs|Use \w+ memory|Data ex\. method|MAC attached|TOS|Traffic class)\s*:\s*(?P<value>\S+)"
)
_ADDRESS = re.compile(r"[\s#]*(?P<side>local|remote) address:.*?QPN\s*(?P<qpn>\S+)\s+PSN\s*(?P<psn>\S+)")
_TALK = re.compile(
    r"[\s#]*(?:[-*]{5,}|\*.*\*|(?:local|remote) address:|GID:|Conflicting CPU|Using |Connected:|Completed:|"
    r"Total run time|Perftest v|Disabling |Enabling |"
    r"WARNING: BW peak|(?:de)?allocat|destroying |initializing |Listing all|CUDA |Picking |creating |making |cuMemAlloc|"
    r"Waiting for|Please |Dsmi |roce_report|"
    r"new post send|Requested mtu|Changing to|Force |Port number|Inline |Pinging |\|.*\|)"
)
_ERROR = re.compile(
    r"Couldn't|Could not|Unable to|[Ff]ailed|not found|[Ee]rror|scnt=|syndrom|Problems with|Invalid|Cannot|"
    r"can't|does not support|Parser function"
)
_PROGRAM = re.compile(
    r"\b(?:ib|raw_ethernet|rdma)_(?P<test>(?:write|read|send|atomic|fs|burst)(?:_\w+?)??_(?:bw|lat))\b(?P<options>[^|;]*)"
)
_BOTH_WAYS = re.compile(r"\s(?:-\w*b|--bidirectional)\b")


@dataclass(slots=True)
class _State:
    """What is known inside the present run: columns of its table (name and factor), cells of its sizes, addresses of the far end."""

    columns: list[tuple[str, float]] = field(default_factory=list)
    rows: dict[str, list[str]] = field(default_factory=dict)
    remote: set[tuple[str, str]] = field(default_factory=set)
    is_other_end: bool = False  # of a run whose first end is read


def read(block: Block) -> Iterator[Part]:
    if _is_json(block.lines.text[:65536]):
        yield from _read_json(block)
        return
    runs = Runs(TOOL, block, (("sizes", "size_count"),), finish=lambda notes: _from_command(notes, block.command))
    state = _State()
    texts, numbers = block.lines.texts, block.lines.numbers
    cut = open_end(block.lines)
    skip = -1
    for i, (n, text) in enumerate(block.lines):
        if i <= skip or not text or text.isspace():
            continue
        title = _TITLE.match(text)
        if title:
            state.is_other_end = _is_other_end(texts, i, state.remote)
            if state.rows and not state.is_other_end:
                runs.begin(i)
                state = _State()
            _put_title(runs.notes, n, title)
        elif _COLUMNS.match(text):
            skip = _columns(runs.notes, block, i, state)
            if state.rows and not state.is_other_end and _differs(texts, skip + 1, state):
                runs.begin(i)
                state.rows = {}
            runs.notes.use(*numbers[i : skip + 1])
        elif state.columns and (row := _ROW.match(text)):
            skip = _row(runs.notes, block, i, row, state, cut)
        elif fields := list(_FIELD.finditer(text)):
            for found in fields:
                if n == cut and found.end() == len(text):
                    runs.notes.problem(n, "cut")
                else:
                    _put_field(runs.notes, n, found["key"], found["value"])
        elif address := _ADDRESS.match(text):
            runs.notes.ignore(n, "addresses")
            if address["side"] == "remote":
                state.remote.add((address["qpn"], address["psn"]))
        elif is_left_out(text) or text.strip() == "[...]":
            runs.notes.problem(n, "left-out")
        elif _TALK.match(text):
            runs.notes.ignore(n, "words of the tool")
        elif _ERROR.search(text):
            runs.notes.problem(n, "tool-error")
    yield from runs.parts()


# --- header -------------------------------------------------------------------------------------------------------


def _put_title(notes: Notes, n: int, title: re.Match[str]) -> None:
    verb = title["verb"].lower().removeprefix("rdma_").replace(" ", "_")
    _keep(notes, n, f"{verb}_{'bw' if title['kind'] == 'BW' else 'lat'}", "test")
    if title["kind"] == "BW":
        _keep(notes, n, "bidirectional" in title["words"].lower(), "bidirectional")


def _put_field(notes: Notes, n: int, key: str, value: str) -> None:
    """A header line's entry. The first of both ends counts; a placeholder in angle brackets is no name."""
    notes.use(n)
    if key == "Device" and not value.startswith("<"):
        _keep(notes, n, known(value), "device")
    elif key == "Number of qps":
        _keep(notes, n, number(value), "qp_count")
    elif key == "TX depth":
        _keep(notes, n, number(value), "tx_depth")
    elif key == "RX depth":
        _keep(notes, n, number(value), "rx_depth")
    elif key == "Mtu":
        _keep(notes, n, number(value.partition("[")[0]), "mtu_bytes")
    elif key == "Link type":
        _keep(notes, n, link_layer(value), "link_layer")
    elif key == "GID index":
        _keep(notes, n, number(value), "gid_index")
    elif key == "Connection type":
        _keep(notes, n, known(value), "connection_type")


def _keep(notes: Notes, n: int, value: object, key: str) -> None:
    notes.use(n)
    if notes.get(key) is None:
        notes.put(n, value, key)


def _from_command(notes: Notes, command_line: str | None) -> None:
    """The test's name, where the output itself was cut down to its rows."""
    match = _PROGRAM.search(command_line or "")
    if not match or notes.get("test") is not None or not notes.facts:
        return
    notes.put(notes.block.first, match["test"], "test")
    if match["test"].endswith("_bw"):
        notes.put(notes.block.first, _BOTH_WAYS.search(match["options"]) is not None, "bidirectional")


def _is_other_end(texts: Sequence[str], i: int, remote: set[tuple[str, str]]) -> bool:
    """Whether the header that begins here is the far end of the same run: its own address is the one that was remote."""
    if not remote:
        return False
    for text in texts[i + 1 : i + 40]:
        address = _ADDRESS.match(text)
        if address and address["side"] == "local":
            return (address["qpn"], address["psn"]) in remote
        if _TITLE.match(text) or _COLUMNS.match(text):
            return False
    return False


# --- table --------------------------------------------------------------------------------------------------------


def _columns(notes: Notes, block: Block, i: int, state: _State) -> int:
    """Reads the table's header, which a narrow terminal may have wrapped; returns the index of its last line."""
    texts = block.lines.texts
    text, last = texts[i].rstrip(), i
    while last + 1 < len(texts) and last < i + 2 and _WRAPPED_HEADER.match(texts[last + 1]) and not _COLUMNS.match(texts[last + 1]):
        last += 1
        text += texts[last].rstrip()
    state.columns = []
    for match in _COLUMN.finditer(text):
        unit = match["peak"] or match["average"]
        if unit and unit not in _UNITS:
            notes.problem(block.lines.numbers[i], "unknown-unit", unit)
        state.columns.append(("", 1.0) if unit and unit not in _UNITS else (_column(match), _UNITS[unit] if unit else 1.0))
    return last


def _column(match: re.Match[str]) -> str:
    """The fact that a column holds; nothing where it holds none of ours."""
    if match["time"]:
        return f"latency_{match['time']}_us"
    named = {"peak": "peak_gbps", "average": "avg_gbps", "p99": "latency_p99_us", "p999": "latency_p999_us"}
    bare = match.group().lstrip("#")
    plain = {"bytes": "bytes", "iterations": "iterations", "MsgRate[Mpps]": "msg_rate_mpps"}
    return next((fact for group, fact in named.items() if match[group]), plain.get(bare, ""))


def _row(notes: Notes, block: Block, i: int, row: re.Match[str], state: _State, cut: int | None) -> int:
    """Reads a row; returns the index of its last line."""
    lines = block.lines
    cells, last = row["cells"].split(), i
    if len(cells) < len(state.columns) and i + 1 < len(lines) and _WRAPPED_ROW.match(lines.texts[i + 1]):
        more = lines.texts[i + 1].split()
        if len(cells) + len(more) == len(state.columns):
            cells, last = cells + more, i + 1
    n = lines.numbers[i]
    notes.use(*lines.numbers[i : last + 1])
    if len(cells) > len(state.columns):
        notes.problem(n, "damaged")
        return last
    is_cut = len(cells) < len(state.columns) or lines.numbers[last] == cut
    if is_cut:
        notes.problem(n, "cut")
        cells = cells[:-1]
    size = cells[0].replace(",", "") if cells else ""
    if not size or size in state.rows:
        return last
    state.rows[size] = cells
    notes.thing(n, "sizes", size)
    values = {name: _value(cell, factor) for (name, factor), cell in zip(state.columns[1:], cells[1:], strict=False) if name}
    if values.get("peak_gbps") == 0 and values.get("avg_gbps") != 0:
        del values["peak_gbps"]  # the tool measures no peak then
    notes.put_all(n, values, "sizes", size)
    return last


def _value(cell: str, factor: float) -> int | float | None:
    value = number(cell)
    return value if value is None or factor == 1.0 else value * factor


def _differs(texts: Sequence[str], start: int, state: _State) -> bool:
    """Whether the rows below tell a size again, and otherwise."""
    for text in texts[start : start + 40]:
        row = _ROW.match(text)
        if row:
            cells = row["cells"].split()
            size = cells[0].replace(",", "")
            return size in state.rows and state.rows[size] != cells
        if _TITLE.match(text) or _COLUMNS.match(text):
            return False
    return False


# --- JSON ---------------------------------------------------------------------------------------------------------


def _is_json(head: str) -> bool:
    return '"test_info"' in head and ('"MsgSize"' in head or '"results"' in head)


_JSON_FIELDS = {
    "Device": "Device",
    "Number_of_qps": "Number of qps",
    "TX_depth": "TX depth",
    "RX_depth": "RX depth",
    "Mtu": "Mtu",
    "Link_type": "Link type",
    "GID_index": "GID index",
    "Connection_type": "Connection type",
}
_JSON_TIMES = {"t_min": "min", "t_max": "max", "t_typical": "typical", "t_avg": "avg", "t_99": "p99", "t_999": "p999"}


def _read_json(block: Block) -> Iterator[Part]:
    text = parse(block.lines)
    if text is None or not isinstance(text.tree, dict):
        return
    notes = Notes(TOOL, block)
    info, results = text.tree.get("test_info"), text.tree.get("results")
    for key, value in info.items() if isinstance(info, dict) else ():
        n = text.line("test_info", key)
        if key == "test" and (title := _TITLE.match(str(value))):
            _put_title(notes, n, title)
        elif key in _JSON_FIELDS:
            _put_field(notes, n, _JSON_FIELDS[key], str(value))
    for i, result in enumerate(results) if isinstance(results, list) else [(None, results)]:
        if isinstance(result, dict) and "MsgSize" in result:
            n = text.line("results", "MsgSize") if i is None else text.line("results", i)
            _put_result(notes, n, result)
    notes.use_range(min(block.lines.numbers, default=1), text.last)
    if text.broken is not None:
        notes.problem(text.broken, "cut")
    notes.count("sizes", "size_count")
    if notes.facts:
        yield notes.part()


def _put_result(notes: Notes, n: int, result: dict[str, object]) -> None:
    size = number(str(result["MsgSize"]))
    if not isinstance(size, int):
        return
    where = ("sizes", str(size))
    notes.thing(n, *where)
    rate = number(str(result.get("MsgRate", "")))
    notes.put(n, number(str(result.get("n_iterations", ""))), *where, "iterations")
    notes.put(n, rate, *where, "msg_rate_mpps")
    average = number(str(result.get("BW_average", "")))
    peak = number(str(result.get("BW_peak", "")))
    factor = _factor(average, rate, size)
    if average is not None and factor is None:
        notes.problem(n, "unknown-unit")
    if factor is not None and average is not None:
        notes.put(n, average * factor, *where, "avg_gbps")
        notes.put(n, peak * factor if peak else None, *where, "peak_gbps")
    for key, name in _JSON_TIMES.items():
        if key in result:
            notes.put(n, number(str(result[key])), *where, f"latency_{name}_us")


def _factor(average: float | None, rate: float | None, size: int) -> float | None:
    """The unit of a bandwidth that is printed without one: that which agrees with message rate x size."""
    if not average or not rate:
        return None
    payload = rate * size * 8 / 1000  # Gb/s
    fits = [factor for factor in (1.0, _MIB, 8e-3) if abs(average * factor / payload - 1) < 0.02]
    return min(fits, key=lambda factor: abs(average * factor / payload - 1)) if fits else None


READER = Reader(
    TOOL,
    read,
    commands=command(r"(?:ib|raw_ethernet)_(?:write|read|send|atomic|fs|burst)_(?:\w+_)?(?:bw|lat)", r"hccn_tool(?=\s.*?-roce_test\s+ib_)"),
    starts=re.compile(rf"{_TITLE.pattern}|{_COLUMNS.pattern}|[\s#]*Dual-port\s+:\s|\*{{36}}\s*\Z"),
    recognises=_is_json,
)
