"""Arista EOS: `show interfaces` with its counters, queues, PFC, flow control and FEC, and `show lldp neighbors`.

PAUSE is 802.3x, of the whole port; PFC frames stand in a table of their own. Forms: Arista EOS user manual.
"""

import re
from collections.abc import Callable, Iterator

from advisor.evidence.reading import Part
from advisor.readers._arista_json import read_json
from advisor.readers._ends import is_whole
from advisor.readers._figures import count, is_nothing, percent, rate_gbps, real, speed_gbps
from advisor.readers._switch import Cursor, Port, Run, Section, counted, ends_whole, read_sections
from advisor.readers._switch_tables import STATUS_ROW, Grid, flow_control, is_rule, put_status, rows, words_table
from advisor.readers.contract import Block, Notes, Reader, command

_ROW = re.compile(r"\s*(?:Et|Po|Ma|Vl|Lo|Un|Re|Fa)\d[\d/.]*\s")
_HEADER = re.compile(r"(\S+) is (up|down|administratively down), line protocol is (\w+)(?: \(([\w -]+)\))?")
_ERROR = re.compile(r"\s*% ?\S")
_NAMES = {
    "packets input": "rx_packets",
    "packets output": "tx_packets",
    "input errors": "rx_errors",
    "CRC": "crc_errors",
    "symbol": "symbol_errors",
    "input discards": "rx_discards",
    "PAUSE input": "rx_pause",
    "output errors": "tx_errors",
    "output discards": "tx_discards",
    "PAUSE output": "tx_pause",
}
_OTHERS = {
    "runts",
    "giants",
    "collisions",
    "late collision",
    "deferred",
    "alignment",
    "multicast",
    "broadcasts",
    "link status changes since last clear",
}
# The second word of lines that hold no counter of ours, and of the lines of rates.
_UNCOUNTED = {"runts,", "link"}
_SPANS = {"second", "seconds", "minute", "minutes", "hour", "hours"}
_WHOLE = {*_NAMES, *_OTHERS, "bytes"}
# The first word of a port's lines that hold nothing of ours.
_WITHOUT = {
    *(
        "Hardware",
        "Description:",
        "Internet",
        "Broadcast",
        "Address",
        "Member",
        "Loopback",
        "Up",
        "Down",
        "Received",
        "Sent",
        "Active",
        "...",
    ),
    *("Fallback", "Interface", "Secondary", "IPv6", "Bandwidth", "Link", "Not", "Vxlan", "Source", "Replication", "BFD", "Multicast", "No"),
    *("Tunnel", "Host", "Proxy-ARP", "Gratuitous", "VLAN", "MPLS", "Minimum", "Uni-link", "Encapsulation", "Flood", "Static", "Dynamic"),
    *("Local", "Remote"),
}
_AGE = re.compile(r"counters (?:(\d+) days?, )?(\d+):(\d\d):(\d\d) ago")
_PFC_STATUS = re.compile(r"\s*(\S+)\s+((?:[EDAW]\s+){1,3})((?:\d(?:\s+|$))*)")
_RATES_ROW = re.compile(r"\s*(\S+)\s+(?:.*?\s+)?\d+:\d\d\s+([\d.]+)\s+([\d.]+)%\s+[\d.]+\s+([\d.]+)\s+([\d.]+)%\s+[\d.]+\s*$")
_QUEUE_ROW = re.compile(r"\s*(\S+)\s+(TC\d+)\s+\S+\s+(UC|MC)\s+(\d+)\s+(\d+)\s+(\d+)\s+(\d+)\s*$")
_PHY = re.compile(r"(?:Et|Ethernet)\d[\d/]*\s*$")
_FEC = {
    "FEC corrected codewords": ("fec_corrected", count),
    "FEC uncorrected codewords": ("fec_uncorrected", count),
    "Pre-FEC bit error rate": ("raw_ber", real),
}


def read(block: Block) -> Iterator[Part]:
    first = next(iter(block.lines.inked()), (0, ""))[1].lstrip()
    if first.startswith("{"):
        yield from read_json(block)
    else:
        yield from read_sections("arista-eos", block, _find, _ERROR, _is_whole)


def _is_whole(text: str, before: list[str]) -> bool:
    return is_whole(text, before) or (text.strip()[0].isdecimal() and ends_whole(text, _WHOLE))


def _find(text: str) -> Section | None:
    words = text.split(None, 3)
    if len(words) > 2 and words[1] == "is" and _HEADER.match(text):
        return _ports
    if words[0] == "Port":
        return _table_of(text)
    if words[0] in ("Last", "Number") and text.split(":")[0].strip() in _LLDP_REMARKS:
        return _remark
    if text.startswith(_PFC_REMARKS):
        return _remark
    if words[0] == "Interface" and " LLDP neighbors:" in text:
        return _lldp_detail
    if text.startswith(("Egress Queue Counters", "Ingress Queue Counters")):
        return _queues
    return _phy if _PHY.match(text) else None


_PFC_REMARKS = ("The hardware supports PFC", "PFC receive processing", "The PFC watchdog", "Global PFC", "E: PFC Enabled")
_LLDP_REMARKS = {"Last table change time", *(f"Number of table {word}" for word in ("inserts", "deletes", "drops", "age-outs"))}


# --- show interfaces --------------------------------------------------------------------------------------------


def _ports(cursor: Cursor, notes: Notes, run: Run) -> None:
    """Port after port. The first word of a line tells what it holds, so a line costs one look, not one for each pattern."""
    port: Port | None = None
    numbers, texts, last = cursor.numbers, cursor.texts, cursor.last
    known = notes._accounted.add
    while cursor.more:
        for i in range(cursor.i, len(texts)):
            n, text = numbers[i], texts[i]
            if text[0] > " ":
                header = _HEADER.match(text)
                if not header or header[1] in notes.facts.get("interfaces", ()):
                    cursor.i = i
                    return
                port = Port(notes, n, header[1])
                port.put(n, "state", "active" if header[3] == "up" else "down")
                port.put(n, "admin_state", "down" if header[2].startswith("admin") else None)
            elif port is not None:
                bare = text.strip()
                if _line(port, notes, n, bare):
                    known(n)
                    if n == last and not ends_whole(bare, _WHOLE):
                        notes.problem(n, "cut")
                elif n == last:
                    notes.problem(n, "cut")
        cursor.i = len(texts)


def _line(port: Port, notes: Notes, n: int, bare: str) -> bool:
    """Whether a line of a port is understood."""
    if bare[0] in "0123456789":
        second = bare.split(" ", 2)[1:2]
        if second and second[0] in _UNCOUNTED:
            return True
        if second and second[0] in _SPANS and " rate " in bare:
            _rate(port, n, bare)
            return True
        return counted(port, n, bare, _NAMES) or bare.endswith(("giants", "clear", "deferred", "collisions"))
    word = bare.partition(" ")[0]
    handler = _HANDLERS.get(word)
    if handler:
        handler(port, notes, n, bare)
        return True
    return word in _WITHOUT


def _rate(port: Port, n: int, bare: str) -> None:
    """`5 minutes input rate 7.39 kbps (0.0% with framing overhead), 6 packets/sec`."""
    words = bare.split()
    if len(words) < 6 or words[3] != "rate":
        return
    side = "rx" if words[2] == "input" else "tx"
    port.put(n, f"{side}_gbps", rate_gbps(f"{words[4]} {words[5].rstrip(',')}"))
    if len(words) > 6 and words[6][0] == "(":
        port.put(n, f"{side}_util_percent", percent(words[6][1:]))


def _duplex(port: Port, notes: Notes, n: int, bare: str) -> None:
    parts = bare.split(",")
    port.put(n, "duplex", "full" if parts[0] == "Full-duplex" else "half" if parts[0] == "Half-duplex" else None)
    port.put(n, "rate_gbps", speed_gbps(parts[1]) if len(parts) > 1 else None)
    negotiation = bare.partition("auto negotiation: ")[2].partition(",")[0]
    port.put(n, "auto_negotiation", {"on": True, "off": False, "success": True}.get(negotiation))


def _mtu(port: Port, notes: Notes, n: int, bare: str) -> None:
    words = bare.partition("MTU ")[2].split(None, 1)
    port.put(n, "mtu_bytes", count(words[0]) if words else None)


def _cleared(port: Port, notes: Notes, n: int, bare: str) -> None:
    age = _AGE.search(bare) if bare.endswith("ago") else None
    if age:
        days, hours, minutes, seconds = (int(part or 0) for part in age.groups())
        port.put(n, "counters_age_s", ((days * 24 + hours) * 60 + minutes) * 60 + seconds)
        notes.put(n, True, "counters_cleared")


_HANDLERS: dict[str, Callable[[Port, Notes, int, str], None]] = {
    **dict.fromkeys(("Full-duplex,", "Half-duplex,", "Auto-duplex,"), _duplex),
    "Ethernet": _mtu,
    "IP": _mtu,
    "Last": _cleared,
}


# --- tables -----------------------------------------------------------------------------------------------------


def _table_of(text: str) -> Section | None:
    words = text.split()
    columns = set(words)
    if "Neighbor" in columns:
        return _lldp
    if {"RxPfc", "TxPfc"} <= columns:
        return words_table({"RxPfc": "rx_pfc", "TxPfc": "tx_pfc"}, _ROW)
    if {"TxQ", "Counter/pkts"} <= columns:
        return _tx_queues
    if "FlowControl" in columns:
        return flow_control(_ROW)
    if {"Status", "Vlan", "Duplex", "Speed"} <= columns:
        return _status
    if {"Status", "Priorities", "Action"} <= columns:
        return _pfc
    if {"Intvl", "Mbps"} <= columns:
        return _rates
    if {"InDiscards", "OutDiscards"} <= columns:
        return words_table({"InDiscards": "rx_discards", "OutDiscards": "tx_discards"}, _ROW)
    if {"FCS", "Symbol", "Rx", "Tx"} <= columns:
        facts = {"FCS": "crc_errors", "Symbol": "symbol_errors", "Rx": "rx_errors", "Tx": "tx_errors"}
        return words_table(facts, _ROW, raw=("Align", "Runts", "Giants"))
    if "InOctets" in columns or "OutOctets" in columns:
        return words_table({"InOctets": "rx_bytes", "OutOctets": "tx_bytes"}, _ROW, raw=[word for word in words if word.endswith("Pkts")])
    return None


def _remark(cursor: Cursor, notes: Notes, run: Run) -> None:
    notes.ignore(cursor.numbers[cursor.i], "remark")
    cursor.i += 1


def _lldp(cursor: Cursor, notes: Notes, run: Run) -> None:
    header, below = cursor.peek(), cursor.peek(1)
    grid = Grid(header, below if is_rule(below) else "")
    notes.use(cursor.numbers[cursor.i])
    cursor.i += 1
    for n, text in rows(cursor, notes, _ROW.match):
        cells = grid.cells(text)
        row = dict(zip(grid.names, cells, strict=True)) if cells else {}
        if not cells:
            notes.problem(n, "cut" if n == cursor.last else "damaged")
            continue
        name = cells[0]
        notes.thing(n, "interfaces", name)
        for column, fact in (("Neighbor Device ID", "peer_device"), ("Neighbor Port ID", "peer_port")):
            value = row.get(column, "")
            notes.put(n, None if is_nothing(value) else value, "interfaces", name, fact)


def _lldp_detail(cursor: Cursor, notes: Notes, run: Run) -> None:
    name = cursor.peek().split()[1]
    notes.thing(cursor.numbers[cursor.i], "interfaces", name)
    cursor.i += 1
    while cursor.more and cursor.peek()[:1].isspace():
        n, (key, _, value) = cursor.numbers[cursor.i], cursor.peek().strip().lstrip("- ").partition(":")
        fact = {"System Name": "peer_device", "Port ID": "peer_port"}.get(key.strip())
        bare = value.strip().strip('"')
        notes.put(n, bare if fact and bare else None, "interfaces", name, fact or "")
        cursor.i += 1


def _status(cursor: Cursor, notes: Notes, run: Run) -> None:
    notes.use(cursor.numbers[cursor.i])
    cursor.i += 1
    for n, text in rows(cursor, notes, _ROW.match):
        row = STATUS_ROW.match(text)
        if row:
            put_status(notes, n, row)
        else:
            notes.problem(n, "cut" if n == cursor.last else "damaged")


def _pfc(cursor: Cursor, notes: Notes, run: Run) -> None:
    """`show priority-flow-control`: E is enabled, D disabled, A active; then the priorities."""
    notes.use(cursor.numbers[cursor.i])
    cursor.i += 1
    if "Interval/Mode" in cursor.peek():
        notes.use(cursor.numbers[cursor.i])
        cursor.i += 1
    for n, text in rows(cursor, notes, _ROW.match):
        match = _PFC_STATUS.match(text)
        if not match:
            notes.problem(n, "damaged")
            continue
        letters, listed = match[2].split(), [int(word) for word in match[3].split()]
        values = {
            "pfc_admin": "on" if "E" in letters else "off" if "D" in letters else None,
            "pfc_active": "A" in letters,
            "pfc_priorities": listed if "A" in letters or listed else None,
        }
        notes.thing(n, "interfaces", match[1])
        notes.put_all(n, values, "interfaces", match[1])


def _rates(cursor: Cursor, notes: Notes, run: Run) -> None:
    notes.use(cursor.numbers[cursor.i])
    cursor.i += 1
    for n, text in rows(cursor, notes, _ROW.match):
        row = _RATES_ROW.match(text)
        if not row:
            notes.problem(n, "cut" if n == cursor.last else "damaged")
            continue
        values = {
            "rx_gbps": float(row[2]) / 1000,
            "rx_util_percent": float(row[3]),
            "tx_gbps": float(row[4]) / 1000,
            "tx_util_percent": float(row[5]),
        }
        notes.put_all(n, values, "interfaces", row[1])


def _tx_queues(cursor: Cursor, notes: Notes, run: Run) -> None:
    names = cursor.peek().split()
    facts = {"Counter/pkts": "tx_packets", "Counter/bytes": "tx_bytes", "Drop/pkts": "tx_discards", "Drop/bytes": "tx_discard_bytes"}
    notes.use(cursor.numbers[cursor.i])
    cursor.i += 1
    for n, text in rows(cursor, notes, _ROW.match):
        cells = text.split()
        if len(cells) != len(names):
            notes.problem(n, "cut" if n == cursor.last else "damaged")
            continue
        for column, cell in zip(names[2:], cells[2:], strict=True):
            if column in facts:
                notes.put(n, count(cell), "interfaces", cells[0], "queues", cells[1], facts[column])


def _queues(cursor: Cursor, notes: Notes, run: Run) -> None:
    """`show interfaces counters queue detail`: unicast under the class's name, multicast beside it."""
    if not cursor.peek().startswith("Egress"):
        return
    notes.use(cursor.numbers[cursor.i])
    cursor.i += 1
    while cursor.more and cursor.peek().split()[0] in ("Port", "Class", "Traffic"):
        notes.use(cursor.numbers[cursor.i])
        cursor.i += 1
    for n, text in rows(cursor, notes, _ROW.match):
        row = _QUEUE_ROW.match(text)
        if not row:
            notes.problem(n, "cut" if n == cursor.last else "damaged")
            continue
        queue = row[2] if row[3] == "UC" else f"{row[2]}-{row[3]}"
        facts = ("tx_packets", "tx_bytes", "tx_discards", "tx_discard_bytes")
        notes.put_all(n, {fact: int(row[4 + i]) for i, fact in enumerate(facts)}, "interfaces", row[1], "queues", queue)


def _phy(cursor: Cursor, notes: Notes, run: Run) -> None:
    """`show interfaces phy detail`: a port's name alone, then what its PHY counts."""
    if "Current State" not in cursor.peek(1):
        return
    name = cursor.peek().strip()
    notes.thing(cursor.numbers[cursor.i], "interfaces", name)
    cursor.i += 1
    while cursor.more and cursor.peek()[:1].isspace():
        n, bare = cursor.numbers[cursor.i], cursor.peek().strip()
        key = next((key for key in _FEC if bare.startswith(key)), None)
        if key:
            fact, reading = _FEC[key]
            notes.put(n, reading(bare[len(key) :].split()[0]) if bare[len(key) :].split() else None, "interfaces", name, fact)
        elif bare.startswith("Forward Error Correction"):
            notes.put(n, "rs" if "Reed-Solomon" in bare else "firecode" if "ire-code" in bare else None, "interfaces", name, "fec")
        else:
            notes.ignore(n, "no fact of ours")
        cursor.i += 1


READER = Reader(
    "arista-eos",
    read,
    commands=command(
        "show",
        options=r"(?:priority-flow-control|interfaces\s+(?:\S+\s+)?(?:counters\s+(?:queue|discards|rates)|phy\b)|"
        r"interfaces(?:\s+(?:et|ethernet|ma|management|po|port-channel)\S*)?\s*(?:$|\|))",
    ),
    starts=re.compile(
        r"(?:(?:Ethernet|Management|Port-Channel|Vlan|Loopback|Vxlan|Tunnel|Recirc-Channel)\S* is (?:up|down|administratively down), "
        r"line protocol is \w+ \(|"
        r"Port\s+Neighbor Device ID\s+Neighbor Port ID|Last table change time\s+:|Port\s+RxPfc\s+TxPfc|Port\s+TxQ\s+Counter/pkts|"
        r"Port\s+Send\s+FlowControl\s|Port\s+Name\s+Status\s+Vlan\s+Duplex\s+Speed\s+Type|Port\s+Status\s+Priorities\s+Action|"
        r"Port\s+(?:Name\s+)?Intvl\s+In Mbps|Port\s+InDiscards\s+OutDiscards|Port\s+FCS\s+Align\s+Symbol|Port\s+(?:In|Out)Octets\s|"
        r"Egress Queue Counters\s*$|Interface \S+ detected \d+ LLDP neighbors:)"
    ),
    recognises=lambda head: (
        head.lstrip().startswith("{") and '"interfaces"' in head and ('"lineProtocolStatus"' in head or '"interfaceCounters"' in head)
    ),
    stops=True,
)
