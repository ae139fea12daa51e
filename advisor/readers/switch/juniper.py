"""Junos: `show interfaces` (brief to extensive), its queues and PFC statistics, and `show lldp neighbors`.

The names of counters repeat under other headings, so a heading is kept until its indentation ends. Tail drops and RED drops are separate.
Forms: Junos CLI reference, show interfaces.
"""

import re
from collections.abc import Callable, Iterator

from advisor.evidence.reading import Part
from advisor.readers._figures import count, is_nothing, rate_gbps, real, speed_gbps
from advisor.readers._switch import Cursor, Port, Run, Section, read_sections
from advisor.readers._switch_tables import Grid, is_rule
from advisor.readers.contract import Block, Notes, Reader, command

_HEADER = re.compile(r"\s*Physical interface: ([\w/:.-]+?), ([\w -]+), Physical link is (\w+)")
_LOGICAL = re.compile(r"\s*Logical interface (\S+)")
_QUEUE = re.compile(r"\s*Queue: (\d+), Forwarding classes: (.*)")
_ERROR = re.compile(r"\s*(?:error: |syntax error|unknown command|\^)")
_FIGURES = re.compile(r"(\d[\d,]*)(?=\s|$)")
_NAMED = re.compile(r"([A-Z][\w /-]*?): (\d+)(?:,|$)")
_MTU = re.compile(r"\bMTU: (\d+)")
_SPEED = re.compile(r"\bSpeed: (\w+)")
_FLOW = re.compile(r"\bFlow control: (\w+)")
_NEGOTIATION = re.compile(r"\bAuto-negotiation: (\w+)")
_DUPLEX = re.compile(r"\bLink-mode: (\w+)-duplex|\bDuplex: (\w+)")
_FEC = re.compile(r"\bFEC Mode\s*:\s*(\w+)", re.IGNORECASE)
_RATE = re.compile(r"\s*(Input|Output) rate\s*:\s*(\d+ bps)")
_TRAFFIC = re.compile(r"\s*(Input|Output)\s+(bytes|packets)\s*:\s*(\d+)(?:\s+(\d+ bps))?")
_QUEUE_ROW = re.compile(r"\s*(\d+)\s+(\d+)\s+(\d+)\s+(\d+)\s*$")
_QUEUE_NAMED = re.compile(r"\s*(\d+)\s+[A-Za-z][\w-]*\s+(\d+)\s+(\d+)\s+(\d+)\s*$")
_PRIORITY = re.compile(r"\s*Priority :\s*(\d)\s+(\d+)\s+(\d+)\s*$")
_FECS = {"fec91": "rs", "fec119": "rs", "fec74": "firecode", "none": "none"}
# Lines of `MAC statistics`: received, then transmitted.
_MAC = {
    "Total octets": ("rx_bytes", "tx_bytes"),
    "Total packets": ("rx_packets", "tx_packets"),
    "CRC/Align errors": ("crc_errors", ""),
    "MAC pause frames": ("rx_pause", "tx_pause"),
}
_FEC_COUNTS: dict[str, tuple[str, Callable[[str], object]]] = {
    "FEC Corrected Errors": ("fec_corrected", count),
    "FEC Uncorrected Errors": ("fec_uncorrected", count),
    "FEC Codewords Corrected": ("fec_corrected", count),
    "FEC Uncorrectable Codewords": ("fec_uncorrected", count),
    "Pre FEC BER": ("raw_ber", real),
    "Pre-FEC BER": ("raw_ber", real),
}
_QUEUE_FACTS = {
    ("Transmitted", "Packets"): "tx_packets",
    ("Transmitted", "Bytes"): "tx_bytes",
    ("Transmitted", "Tail-dropped packets"): "tx_discards",
    ("Transmitted", "RED-dropped packets"): "wred_discards",
    ("Transmitted", "RED-dropped bytes"): "wred_discard_bytes",
    ("Transmitted", "RL-dropped packets"): "rate_limit_discards",
    ("Transmitted", "Total-dropped packets"): "tx_discards",
    ("Transmitted", "Total-dropped bytes"): "tx_discard_bytes",
    ("Transmitted", "ECN-CE packets"): "ecn_marked",
    ("Transmitted", "ECN-CE bytes"): "ecn_marked_bytes",
}
_OWN_HEADINGS = ("MAC statistics", "MAC Priority", "Ethernet FEC", "PCS statistics", "Queue number", "Queue counters")


def read(block: Block) -> Iterator[Part]:
    yield from read_sections("juniper", block, _find, _ERROR)


def _find(text: str) -> Section | None:
    first = text.split(None, 1)[0]
    if first == "Physical" and _HEADER.match(text):
        return _ports
    if first == "Local" and "Chassis Id" in text:
        return _lldp
    if first == "Interface" and "Admin" in text and "Link" in text:
        return _terse
    return _terse_rows if _TERSE_ROW.match(text) else None


class _State:
    """Where a line stands: the heading, the queue and the side that the lines below belong to."""

    __slots__ = ("heading", "queue", "side")

    def __init__(self) -> None:
        self.heading = ""
        self.queue = ""
        self.side = "Egress"


def _ports(cursor: Cursor, notes: Notes, run: Run) -> None:
    port: Port | None = None
    state = _State()
    margin = 0
    numbers, texts = cursor.numbers, cursor.texts
    while cursor.more:
        n, text = numbers[cursor.i], texts[cursor.i]
        depth = len(text) - len(text.lstrip())
        header = _HEADER.match(text) if "Physical interface:" in text else None
        if header:
            if header[1] in notes.facts.get("interfaces", ()):
                return
            port, state, margin = Port(notes, n, header[1]), _State(), depth
            off = "Administratively down" in header[2]
            port.put(n, "state", "down" if off or header[3].lower() != "up" else "active")
            port.put(n, "admin_state", "down" if off else "up" if header[2].startswith("Enabled") else None)
        elif port is None or (depth <= margin and not _QUEUE.match(text) and not text.strip().endswith("in use")):
            return
        elif _LOGICAL.match(text):
            _skip_logical(cursor, notes, depth)
            continue
        else:
            known = _line(port, notes, n, text, state)
            if n == cursor.last and not known:
                notes.problem(n, "cut")
        cursor.i += 1


def _skip_logical(cursor: Cursor, notes: Notes, depth: int) -> None:
    """A logical interface below the port: its counters are not the port's."""
    notes.ignore(cursor.numbers[cursor.i], "logical interface")
    cursor.i += 1
    while cursor.more and len(cursor.peek()) - len(cursor.peek().lstrip()) > depth:
        notes.ignore(cursor.numbers[cursor.i], "logical interface")
        cursor.i += 1


def _line(port: Port, notes: Notes, n: int, text: str, state: _State) -> bool:
    """Whether a line of a port is understood."""
    bare = text.strip()
    key, colon, rest = bare.partition(":")
    key = key.rstrip()
    port.accounted.add(n)
    if key == "Queue" and (queue := _QUEUE.match(text)):
        state.queue, state.heading = queue[1], ""
    elif "FEC Mode" in bare and (fec := _FEC.search(bare)):
        port.put(n, "fec", _FECS.get(fec[1].lower()))
    elif colon and not rest.strip() and not bare.startswith(_OWN_HEADINGS):
        state.heading = key
    elif state.queue and colon and (fact := _QUEUE_FACTS.get((state.heading, key))):
        figure = _FIGURES.search(rest)
        value = count(figure[1]) if figure else None
        if value is not None and state.side == "Egress":
            notes.put(n, value, "interfaces", port.name, "queues", state.queue, fact)
    elif key in ("Ingress queues", "Egress queues"):
        state.side, state.queue, state.heading = key.split()[0], "", "queues"
    elif key == "Queue counters" or bare.startswith(
        ("MAC statistics:", "MAC Priority Flow Control", "Ethernet FEC", "PCS statistics", "Queue number")
    ):
        state.heading = bare.split(":")[0].split("  ")[0].removesuffix(" Seconds").strip()
    elif state.heading == "Queue counters" and (row := _QUEUE_ROW.match(text) or _QUEUE_NAMED.match(text)):
        if state.side == "Egress":
            notes.put(n, int(row[3]), "interfaces", port.name, "queues", row[1], "tx_packets")
            notes.put(n, int(row[4]), "interfaces", port.name, "queues", row[1], "tx_discards")
    elif priority := _PRIORITY.match(text):
        notes.put(n, int(priority[2]), "interfaces", port.name, "priorities", priority[1], "rx_pause")
        notes.put(n, int(priority[3]), "interfaces", port.name, "priorities", priority[1], "tx_pause")
    elif state.heading == "MAC statistics" and (name := next((name for name in _MAC if bare.startswith(name)), None)):
        for fact, figure in zip(_MAC[name], _FIGURES.findall(bare[len(name) :]), strict=False):
            if fact and fact not in port.entry:
                port.put(n, fact, count(figure))
    elif key in ("Errors", "Carrier transitions") and state.heading in ("Input errors", "Output errors"):
        _errors(port, n, bare, state.heading)
    elif bare.startswith(("Input errors:", "Output errors:")):  # brief forms: `Input errors: 0, Output errors: 0`
        for name, figure in _NAMED.findall(bare):
            side = {"Input errors": "rx_errors", "Output errors": "tx_errors"}.get(name)
            if side:
                port.put(n, side, int(figure))
    elif state.heading in ("", "Traffic statistics") and (traffic := _TRAFFIC.match(text)):
        way = "rx" if traffic[1] == "Input" else "tx"
        port.put(n, f"{way}_{traffic[2]}", int(traffic[3]))
        port.put(n, f"{way}_gbps", rate_gbps(traffic[4]) if traffic[4] else None)
    elif rate := _RATE.match(text):
        port.put(n, "rx_gbps" if rate[1] == "Input" else "tx_gbps", rate_gbps(rate[2]))
    elif name := next((name for name in _FEC_COUNTS if bare.startswith(name) and not bare.startswith(name + " Rate")), None):
        fact, reading = _FEC_COUNTS[name]
        words = bare[len(name) :].split()
        port.put(n, fact, reading(words[0]) if words else None)
    elif key == "Link-level type" or "Speed:" in bare or "Flow control:" in bare or "Link-mode:" in bare or "Auto-negotiation:" in bare:
        _settings(port, n, bare)
    elif key == "Statistics last cleared" and rest.strip().lower() not in ("never", ""):
        notes.put(n, True, "counters_cleared")
    return bool(colon) or bool(_FIGURES.search(bare)) or bare[:1].isupper()


def _errors(port: Port, n: int, bare: str, heading: str) -> None:
    side = "rx" if heading == "Input errors" else "tx"
    for name, figure in _NAMED.findall(bare):
        if name == "Errors":
            port.put(n, f"{side}_errors", int(figure))
        elif name == "Drops":
            port.put(n, f"{side}_discards", int(figure))


def _settings(port: Port, n: int, bare: str) -> None:
    if mtu := _MTU.search(bare):
        port.put(n, "mtu_bytes", int(mtu[1]))
    if speed := _SPEED.search(bare):
        port.put(n, "rate_gbps", speed_gbps(re.sub(r"bps$", "", speed[1], flags=re.IGNORECASE).upper()))
    if flow := _FLOW.search(bare):
        value = {"enabled": True, "disabled": False}.get(flow[1].lower())
        port.put(n, "rx_flow_control", value)
        port.put(n, "tx_flow_control", value)
    if negotiation := _NEGOTIATION.search(bare):
        port.put(n, "auto_negotiation", {"enabled": True, "disabled": False}.get(negotiation[1].lower()))
    if duplex := _DUPLEX.search(bare):
        word = (duplex[1] or duplex[2]).lower().removesuffix("-duplex")
        port.put(n, "duplex", word if word in ("full", "half") else None)


# --- tables -----------------------------------------------------------------------------------------------------

_PORT = re.compile(r"\s*(?:et|xe|ge|fe|ae|em|fxp|me|mge|vme|re\d|irb|lo|reth)[\w/:.-]*\d[\w:.]*\s")


_TERSE_ROW = re.compile(rf"{_PORT.pattern}\s*(?:up|down)\s+(?:up|down)(?:\s|$)")


def _lldp(cursor: Cursor, notes: Notes, run: Run) -> None:
    grid = Grid(cursor.peek())
    notes.use(cursor.numbers[cursor.i])
    cursor.i += 1
    while cursor.more:
        n, text = cursor.numbers[cursor.i], cursor.peek()
        if is_rule(text):
            notes.ignore(n, "rule")
        elif not _PORT.match(text):
            return
        else:
            apart = re.split(r"\s{2,}", text.strip())
            is_cut = n == cursor.last and len(apart) < len(grid.names)  # a word of a cell is no cell of its own
            cells = None if is_cut else grid.cells(text)
            row = dict(zip(grid.names, cells, strict=True)) if cells else {}
            name = text.split()[0]
            notes.thing(n, "interfaces", name)
            if not row:
                notes.problem(n, "cut" if n == cursor.last else "damaged")
            for column, fact in (("System Name", "peer_device"), ("Port info", "peer_port")):
                value = row.get(column, "")
                notes.put(n, None if is_nothing(value) else value, "interfaces", name, fact)
        cursor.i += 1


def _terse(cursor: Cursor, notes: Notes, run: Run) -> None:
    """`show interfaces terse` and `descriptions`: administrative state and link."""
    notes.use(cursor.numbers[cursor.i])
    cursor.i += 1
    _rows(cursor, notes)


def _terse_rows(cursor: Cursor, notes: Notes, run: Run) -> None:
    """The same where a filter left the header out."""
    if re.search(r"\b(?:terse|desc\w*)\b", run.command):
        _rows(cursor, notes)


def _rows(cursor: Cursor, notes: Notes) -> None:
    while cursor.more and (_PORT.match(cursor.peek()) or cursor.peek()[:1].isspace()):
        n, words = cursor.numbers[cursor.i], cursor.peek().split()
        if len(words) > 2 and words[1] in ("up", "down") and words[2] in ("up", "down") and "." not in words[0]:
            values = {"state": "active" if words[2] == "up" and words[1] == "up" else "down", "admin_state": words[1]}
            notes.thing(n, "interfaces", words[0])
            notes.put_all(n, values, "interfaces", words[0])
        else:
            notes.ignore(n, "logical interface")
        cursor.i += 1


READER = Reader(
    "juniper",
    read,
    commands=command("show", options=r"interfaces\s+(?:\S+\s+)?(?:extensive|terse|queue|descriptions)\b"),
    starts=re.compile(
        r"\s*Physical interface: \S+, |Local Interface\s+(?:Parent Interface\s+)?Chassis Id|"
        r"Interface\s+Admin\s+Link\s+(?:Proto|Description)"
    ),
    stops=True,
)
