"""The tables of Arista EOS: neighbours, states, PFC, 802.3x flow control, rates and queues. Forms: Arista EOS user manual."""

import re

from advisor.readers._figures import count, is_nothing
from advisor.readers._switch import Cursor, Run, Section
from advisor.readers._switch_tables import Grid, fitting, flow_control, is_rule, rows, status, words_table
from advisor.readers.contract import Notes

_ROW = re.compile(r"\s*(?:Et|Po|Ma|Vl|Lo|Un|Re|Fa)\d[\d/.]*\s")
_ANY_PORT = re.compile(r"\s*(?:Et|Ethernet|Po|Port-Channel)\d[\d/.]*\s")
_DESCRIPTIONS = re.compile(r"Interface\s+Status\s+Protocol\s+Description")
_DESCRIPTION_ROW = re.compile(r"(\S+)\s+(admin down|up|down)\s+(up|down|lowerlayerdown|notpresent|dormant|testing|unknown)(?:\s|$)")
_PFC_LISTED = re.compile(r"\s*(\S+)\s+(Yes|No)\s+((?:\d[\d, ]*)?)\s*(Yes|No)(?:\s|$)")
_PFC_STATUS = re.compile(r"\s*(\S+)\s+((?:[EDAW]\s+){1,3})((?:\d(?:\s+|$))*)")
_RATES_ROW = re.compile(r"\s*(\S+)\s+(?:.*?\s+)?\d+:\d\d\s+([\d.]+)\s+([\d.]+)%\s+[\d.]+\s+([\d.]+)\s+([\d.]+)%\s+[\d.]+\s*$")
_QUEUE_ROW = re.compile(r"\s*(\S+)\s+(TC\d+)\s+\S+\s+(UC|MC)\s+(\d+)\s+(\d+)\s+(\d+)\s+(\d+)\s*$")
_PFC_REMARKS = ("The hardware supports PFC", "PFC receive processing", "The PFC watchdog", "Global PFC", "E: PFC Enabled")
_LLDP_REMARKS = {"Last table change time", *(f"Number of table {word}" for word in ("inserts", "deletes", "drops", "age-outs"))}


def table_of(text: str) -> Section | None:
    """The section that a table's header, or a remark around one, starts."""
    words = text.split(None, 3)
    if words[0] == "Port":
        return _of_columns(text)
    if _DESCRIPTIONS.match(text):
        return _descriptions
    if words[0] in ("Last", "Number") and text.split(":")[0].strip() in _LLDP_REMARKS:
        return _remark
    if text.startswith(_PFC_REMARKS):
        return _remark
    if words[0] == "Interface" and " LLDP neighbors:" in text:
        return _lldp_detail
    if text.startswith(("Egress Queue Counters", "Ingress Queue Counters")):
        return _queues
    return None


def _of_columns(text: str) -> Section | None:
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
        return status(_ROW)
    if {"Status", "Priorities", "Action"} <= columns:
        return _pfc
    if {"Enabled", "Priorities", "Active"} <= columns:
        return _pfc_listed
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
    """`show lldp neighbors detail`. A port's identity is below its type; that of an aggregation below has the same name. The first of
    several neighbours stays."""
    name = cursor.peek().split()[1]
    notes.thing(cursor.numbers[cursor.i], "interfaces", name)
    cursor.i += 1
    neighbours, heading = 0, ""
    while cursor.more and cursor.peek()[:1].isspace():
        n, bare = cursor.numbers[cursor.i], cursor.peek().strip()
        key, _, value = bare.lstrip("- ").partition(":")
        neighbours += bare.startswith("Neighbor ")
        heading = bare[1:].strip() if bare.startswith("-") else heading
        fact = "peer_device" if key.strip() == "System Name" else None
        if key.strip() == "Port ID" and heading.startswith("Port ID type"):
            fact = "peer_port"
        told = value.strip().strip('"')
        notes.put(n, told if fact and told and neighbours < 2 else None, "interfaces", name, fact or "")
        cursor.i += 1


def _descriptions(cursor: Cursor, notes: Notes, run: Run) -> None:
    """`show interfaces description`: the operator's state, then the line protocol's."""
    notes.use(cursor.numbers[cursor.i])
    cursor.i += 1
    for n, row in fitting(cursor, notes, _ROW.match, _DESCRIPTION_ROW):
        notes.thing(n, "interfaces", row[1])
        values = {"state": "active" if row[3] == "up" else "down", "admin_state": "down" if row[2].startswith("admin") else None}
        notes.put_all(n, values, "interfaces", row[1])


def _pfc(cursor: Cursor, notes: Notes, run: Run) -> None:
    """`show priority-flow-control`: E is enabled, D disabled, A active; then the priorities."""
    notes.use(cursor.numbers[cursor.i])
    cursor.i += 1
    if "Interval/Mode" in cursor.peek():
        notes.use(cursor.numbers[cursor.i])
        cursor.i += 1
    for n, match in fitting(cursor, notes, _ROW.match, _PFC_STATUS):
        letters, listed = match[2].split(), [int(word) for word in match[3].split()]
        values = {
            "pfc_admin": "on" if "E" in letters else "off" if "D" in letters else None,
            "pfc_active": "A" in letters,
            "pfc_priorities": listed if "A" in letters or listed else None,
        }
        notes.thing(n, "interfaces", match[1])
        notes.put_all(n, values, "interfaces", match[1])


def _pfc_listed(cursor: Cursor, notes: Notes, run: Run) -> None:
    """`show priority-flow-control` of older versions: enabled, the priorities (`34` are 3 and 4), active."""
    notes.use(cursor.numbers[cursor.i])
    cursor.i += 1
    for n, match in fitting(cursor, notes, _ANY_PORT.match, _PFC_LISTED):
        listed = [int(digit) for digit in match[3] if digit.isdecimal()]
        values = {"pfc_admin": "on" if match[2] == "Yes" else "off", "pfc_active": match[4] == "Yes", "pfc_priorities": listed or None}
        notes.thing(n, "interfaces", match[1])
        notes.put_all(n, values, "interfaces", match[1])


def _rates(cursor: Cursor, notes: Notes, run: Run) -> None:
    notes.use(cursor.numbers[cursor.i])
    cursor.i += 1
    for n, row in fitting(cursor, notes, _ROW.match, _RATES_ROW):
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
    for n, row in fitting(cursor, notes, _ROW.match, _QUEUE_ROW):
        queue = row[2] if row[3] == "UC" else f"{row[2]}-{row[3]}"
        facts = ("tx_packets", "tx_bytes", "tx_discards", "tx_discard_bytes")
        notes.put_all(n, {fact: int(row[4 + i]) for i, fact in enumerate(facts)}, "interfaces", row[1], "queues", queue)
