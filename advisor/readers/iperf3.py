"""iperf3, as text (client or server), `--json` and `--json-stream`: totals of the whole run.

Rates are payload rates. A figure with `bits` counts 10^3, 10^6, 10^9; one with `Bytes` counts 2^10, 2^20, 2^30.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from advisor.evidence.reading import Part
from advisor.readers._again import Runs
from advisor.readers._json import Json, end_of, parse
from advisor.readers.contract import Block, Notes, Reader, command
from advisor.readers.shapes import is_left_out, open_end

TOOL = "iperf3"
_VERSION = re.compile(r"\s*(?P<version>iperf 3\.\S+)")
_CONNECTED = re.compile(r"\s*\[\s*(?P<id>\d+)\](?:\[\w+-\w+\])? local \S+ port \d+ connected to ")
_HEADER = re.compile(r"\s*\[ ID\](?:\[Role\])?\s+Interval\s+Transfer\s+(?:Bitrate|Bandwidth)(?P<rest>.*)\Z")
_ROW = re.compile(
    r"\s*\[\s*(?P<id>\d+|SUM)\](?:\[(?P<role>[TR]X-[CS])\])?\s+(?P<start>\d+(?:\.\d+)?)-(?P<end>\d+(?:\.\d+)?)\s+sec\s+\d+(?:\.\d+)?\s+[KMGT]?Bytes\s+"
    r"(?P<rate>\d+(?:\.\d+)?)\s+(?P<unit>[KMGT]?(?:bits|Bytes))/sec(?P<rest>.*)\Z"
)
_REST = re.compile(
    r"\s*(?:\d+(?:\.\d+)? ms\s+)?(?:\d+/\d+ \((?P<percent>[\d.e+-]+|nan)%\)|(?P<retransmits>\d+))?\s*(?P<end>sender|receiver)?\s*\Z"
)
_REVERSE = re.compile(r"\s*Reverse mode, remote host")
_BOTH = re.compile(r"\s*\[ ID\]\[Role\]")
_BEGINNING = re.compile(r"\s*(?:Connecting to host|Accepted connection from|Server listening on)")
_PLAIN = re.compile(
    r"\s*(?:(?:- ){5,}-?|-{20,}|iperf Done\.|Connecting to host|Accepted connection from|Server listening on|"
    r"Cookie:|TCP MSS|Time:|Starting Test|Test Complete|"
    r"CPU Utilization|snd_tcp_congestion|rcv_tcp_congestion|Linux |Control connection|Target Bitrate|Server output:|UDP MSS)"
)
_ERROR = re.compile(r"iperf3?: (?:error|the client has|interrupt|warning)|unable to connect|Connection refused", re.IGNORECASE)
_TARGET = re.compile(r"\s(?:-b|--bitrate|--bandwidth)[ =]*(?P<target>\d+(?:\.\d+)?)(?P<unit>[KMGkmg]?)(?:/\d+)?\b")
_FACTORS = {"": 1e-9, "K": 1e-6, "M": 1e-3, "G": 1.0, "T": 1e3}
_BINARY = {"": 8e-9, "K": 8e-9 * 2**10, "M": 8e-9 * 2**20, "G": 8e-9 * 2**30, "T": 8e-9 * 2**40}


def _gbps(rate: str, unit: str) -> float:
    scale = unit.removesuffix("bits").removesuffix("Bytes")
    return float(rate) * (_BINARY if unit.endswith("Bytes") else _FACTORS)[scale]


@dataclass(slots=True)
class _Run:
    """What the lines of one run have said so far. Totals are kept by role and end; a sum goes before a single stream."""

    streams: set[str] = field(default_factory=set)
    sending: set[str] = field(default_factory=set)  # of both directions at once
    totals: dict[tuple[str, str], re.Match[str]] = field(default_factory=dict)
    at: dict[tuple[str, str], int] = field(default_factory=dict)
    is_udp: bool | None = None
    is_reverse: bool = False
    header_at: int = 0
    connected_at: int = 0
    is_server: bool = False
    of_roles: set[tuple[str, str]] = field(default_factory=set)  # roles with their streams


def read(block: Block) -> Iterator[Part]:
    head = block.lines.text[:4096].lstrip()
    if head.startswith("{"):
        yield from _json(block, is_stream='"event"' in head[:200])
        return
    state = _Run()

    def finish(notes: Notes) -> None:
        nonlocal state
        _close(notes, state, block.command)
        state = _Run()

    runs = Runs(TOOL, block, (), finish=finish)
    cut = open_end(block.lines)
    for i, (n, text) in enumerate(block.lines):
        if not text.strip():
            continue
        if state.totals and _BEGINNING.match(text):
            runs.begin(i)
        _line(runs.notes, state, n, text, n == cut)
    yield from runs.parts()


def _line(notes: Notes, run: _Run, n: int, text: str, is_open: bool) -> None:
    if row := _ROW.match(text):
        _row(notes, run, n, row, is_open)
    elif connected := _CONNECTED.match(text):
        run.streams.add(connected["id"])
        run.connected_at = run.connected_at or n
        notes.use(n)
    elif header := _HEADER.match(text):
        if is_open:  # the words that tell the protocol may be cut off
            notes.problem(n, "cut")
            return
        notes.use(n)
        run.header_at = run.header_at or n
        run.is_udp = bool(run.is_udp) or "Jitter" in header["rest"] or "Datagrams" in header["rest"]
    elif _REVERSE.match(text):
        run.is_reverse = True
        notes.use(n)
    elif found := _VERSION.match(text):
        notes.put(n, found["version"], "version")
    elif _ERROR.search(text):
        notes.problem(n, "tool-error")
    elif is_left_out(text):
        notes.problem(n, "left-out")
    elif _PLAIN.match(text):
        run.is_server = run.is_server or "Accepted connection" in text
        notes.ignore(n, "words of the tool")


def _row(notes: Notes, run: _Run, n: int, row: re.Match[str], is_open: bool) -> None:
    """A row counts if it says whose total it is; the others are intervals."""
    rest = _REST.match(row["rest"])
    notes.use(n)
    if is_open and not (rest and rest["end"]):
        notes.problem(n, "cut")
        return
    if row["id"] != "SUM":
        run.streams.add(row["id"])
        run.of_roles.add((row["role"] or "", row["id"]))
        if (row["role"] or "").startswith("TX"):
            run.sending.add(row["id"])
    if not rest or not rest["end"]:
        return
    key = (row["role"] or "", rest["end"])
    if key not in run.totals or row["id"] == "SUM":
        run.totals[key] = row
        run.at[key] = n


def _close(notes: Notes, run: _Run, command_line: str | None) -> None:
    if not run.totals and not (run.header_at and run.streams):
        return
    if run.header_at:
        notes.put(run.header_at, "udp" if run.is_udp else "tcp", "protocol")
    roles = sorted({role for role, _ in run.totals})
    both = any(role for role in roles)
    if run.connected_at:
        notes.put(run.connected_at, len(run.sending or run.streams), "stream_count")
        if not run.is_server:
            notes.put(run.connected_at, "both" if both else "reverse" if run.is_reverse else "forward", "direction")
    target = _TARGET.search(command_line or "")
    if target and float(target["target"]):
        notes.put(notes.block.first, float(target["target"]) * _FACTORS[target["unit"].upper()], "target_gbps")
    for (role, end), row in run.totals.items():
        n = run.at[role, end]
        if row["id"] != "SUM" and len({stream for of_role, stream in run.of_roles if of_role == role}) > 1:
            continue  # one of several streams: their sum is cut off or left out
        where = (role[:2].lower(),) if role else ()
        notes.put(n, _gbps(row["rate"], row["unit"]), *where, "sent_gbps" if end == "sender" else "received_gbps")
        rest = _REST.match(row["rest"])
        if end == "sender":
            notes.put(n, round(float(row["end"]) - float(row["start"]), 3), "duration_s")
            notes.put(n, int(rest["retransmits"]) if rest and rest["retransmits"] else None, *where, "retransmits")
        elif notes.get("duration_s") is None:
            notes.put(n, round(float(row["end"]) - float(row["start"]), 3), "duration_s")
        if end == "receiver" and rest and rest["percent"] and rest["percent"] != "nan":
            notes.put(n, float(rest["percent"]), *where, "lost_percent")


# --- JSON ---------------------------------------------------------------------------------------------------------


def _json(block: Block, is_stream: bool) -> Iterator[Part]:
    at = 0
    while at < len(block.lines):
        lines = block.lines[at:]
        text, tree, end = _events(block, at) if is_stream else _one(block, at)
        if text is None or not isinstance(tree, dict):
            return
        notes = Notes(TOOL, Block(lines, block.command, block.host, block.first if at == 0 else lines.numbers[0]))
        _put_tree(notes, text, tree)
        notes.use_range(lines.numbers[0], block.lines.numbers[end - 1])
        if text.broken is not None:
            notes.problem(text.broken, "cut")
        if tree.get("error"):
            notes.problem(text.line("error"), "tool-error", str(tree["error"])[:200])
        if not notes.is_empty:
            yield notes.part()
        at = end
        while at < len(block.lines) and not block.lines.texts[at].lstrip().startswith("{"):
            at += 1


def _one(block: Block, at: int) -> tuple[Json | None, Any, int]:
    text = parse(block.lines[at : end_of(block.lines, at)])
    if text is None:
        return None, None, at + 1
    end = next((i for i in range(at, len(block.lines)) if block.lines.numbers[i] > text.last), len(block.lines))
    return text, text.tree, end


def _events(block: Block, at: int) -> tuple[Json | None, Any, int]:
    """The start and end of an event stream as one answer."""
    tree: dict[str, Any] = {}
    first: Json | None = None
    end = at
    for i in range(at, len(block.lines)):
        entry = parse(block.lines[i : i + 1])
        if entry is None or not isinstance(entry.tree, dict):
            continue
        event = entry.tree.get("event")
        if event == "start" and "start" in tree:
            break
        first = first or entry
        end = i + 1
        if event in ("start", "end", "error"):
            tree[str(event)] = entry.tree.get("data")
    return first, tree, end


def _put_tree(notes: Notes, text: Json, tree: dict[str, Any]) -> None:
    start, end = tree.get("start"), tree.get("end")
    test = start.get("test_start") if isinstance(start, dict) else None
    if not isinstance(start, dict) or not isinstance(test, dict):
        return
    n = text.line("start", "test_start")
    notes.put(text.line("start", "version"), start.get("version"), "version")
    notes.put(n, str(test["protocol"]).lower() if test.get("protocol") else None, "protocol")
    if "reverse" in test or "bidir" in test:
        notes.put(n, "both" if test.get("bidir") else "reverse" if test.get("reverse") else "forward", "direction")
    notes.put(n, test.get("num_streams"), "stream_count")
    target = test.get("target_bitrate")
    notes.put(n, target / 1e9 if isinstance(target, (int, float)) and target > 0 else None, "target_gbps")
    totals = end if isinstance(end, dict) else {}
    seconds = next((totals[key].get("seconds") for key in ("sum_sent", "sum", "sum_received") if isinstance(totals.get(key), dict)), None)
    notes.put(n, test.get("duration") or seconds, "duration_s")
    if test.get("bidir"):
        _put_totals(notes, text, totals, "sum_sent", "sum_received", ("tx",))
        _put_totals(notes, text, totals, "sum_sent_bidir_reverse", "sum_received_bidir_reverse", ("rx",))
    else:
        _put_totals(notes, text, totals, "sum_sent", "sum_received", ())


def _put_totals(notes: Notes, text: Json, totals: dict[str, Any], sent: str, received: str, where: tuple[str, ...]) -> None:
    whole = totals.get("sum") if not where else None
    for key, fact in ((sent, "sent_gbps"), (received, "received_gbps")):
        entry = totals.get(key)
        rate = entry.get("bits_per_second") if isinstance(entry, dict) else None
        if isinstance(rate, (int, float)):
            notes.put(text.line("end", key), rate / 1e9, *where, fact)
    if isinstance(totals.get(sent), dict):
        notes.put(text.line("end", sent), totals[sent].get("retransmits"), *where, "retransmits")
    lost = next((entry for entry in (totals.get(received), whole) if isinstance(entry, dict) and "lost_percent" in entry), None)
    if lost is not None:
        notes.put(text.line("end"), lost["lost_percent"], *where, "lost_percent")
    if isinstance(whole, dict) and notes.get("sent_gbps") is None and isinstance(whole.get("bits_per_second"), (int, float)):
        notes.put(text.line("end", "sum"), whole["bits_per_second"] / 1e9, "sent_gbps")


READER = Reader(
    TOOL,
    read,
    commands=command("iperf3"),
    starts=re.compile(
        r"\s*\[\s*\d+\](?:\[[RT]X-[CS]\])? local \S+ port \d+ connected to \S+ port \d+\s*\Z|"
        rf"\s*Connecting to host \S+, port \d+|\s*Server listening on \d+|\s*iperf 3\.\d|{_HEADER.pattern}|"
        r"\s*Accepted connection from \S+, port"
    ),
    recognises=lambda head: (
        re.match(r"\s*\{", head) is not None and ('"test_start"' in head or '"version":\t"iperf 3' in head or '"iperf 3.' in head)
    ),
)
