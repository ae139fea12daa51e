"""The tables of queues and buffers of Huawei switches: PFC, its thresholds, queue statistics, drops on arrival, buffer usage.

A row of several of them is two lines: receive above transmit, packets above bytes. Forms: Huawei CloudEngine command references.
"""

import re

from advisor.readers._display import port_in_command
from advisor.readers._figures import count
from advisor.readers._switch import Cursor, Run, Section
from advisor.readers._switch_tables import is_rule
from advisor.readers.contract import Notes
from advisor.readers.shapes import number

NAME = (
    r"(?:\d+GE|GE|XGE|GigabitEthernet|XGigabitEthernet|Eth-Trunk|MEth|Ethernet|Vlanif|LoopBack|NULL|Nve|Stack-Port|Tunnel|Sip|Global-VE|Vbdif)"
    r"[\d/.:]+"
)
ROW = re.compile(rf"\s*{NAME}(?:\(\w\))?\s")
LEGEND = (
    "Total:",
    "*: Dynamic threshold",
    "Lossless Service Pool",
    "Lossy    Service Pool",
    "Total indicates the queue",
    "If ECN is enabled and",
    "PFC-Profile Maximum",
    *("Xon: ", "Xoff: ", "Hdrm: ", "Guaranteed: ", "B:bytes", "K:kilobytes", "C:cells"),
    *("The actual PFC backpressure stop threshold", "xon-lowest and the difference"),
)
# Columns of `display dcb pfc buffer`. Backpressure never stops above `Xon-Lowest`; the offset that may raise it is in K, of unknown base.
_THRESHOLDS = {
    "Guaranteed": {"B": "pfc_guaranteed_bytes"},
    "Xon": {"B": "pfc_xon_bytes", "D": "pfc_xon_alpha"},
    "Xon-Lowest": {"B": "pfc_xon_bytes"},
    "Xoff": {"B": "pfc_xoff_bytes", "D": "pfc_xoff_alpha"},
    "Hdrm": {"B": "pfc_headroom_bytes"},
}
_THRESHOLD_ROW = re.compile(rf"\s*(?:({NAME})\s+)?(\d)((?:\s+(?:[\d.]+\([A-Z]\)|-+))+)\s*$")
_AMOUNT = re.compile(r"([\d.]+)\(([A-Z])\)")
_PFC_ROW = re.compile(rf"\s*(?:({NAME})\s+)?(\d)\s+(\d+)\s+(\d+)(?:\s+(\d+|-))?\s*$")
_PAIR_ROW = re.compile(r"\s*(\d+)\s+(\d+)(?:\s+(\d+|-))?\s*$")
_QUEUE_ROW = re.compile(r"\s*(\d)\s+\S+\s+(\d+)\s+(\d+)\s+(\d+)\s+(\d+)\s+\S.*$")
_QUEUE_BELOW = re.compile(r"\s*\S+\s+(\d+)\s+(\d+)\s+(\d+)\s+(\d+)\s*$")
_USAGE_ROW = re.compile(rf"\s*(?:({NAME})\s+)?(\d)\s+(Lossy|Lossless)(?:\s+\d+/\d+\*?)+\s*$", re.IGNORECASE)


def queue_table(text: str) -> Section | None:
    """The section that a header of such a table starts."""
    bare = text.strip()
    first = bare.partition(" ")[0]
    if first == "Queue":
        return _queue_list if bare.startswith("Queue ID") else _queues
    if bare.lower().startswith(("egress buffer usage", "ingress buffer usage")):
        return _usage
    if first != "Interface":
        return None
    if "Received(Frames)" in bare:
        return _pfc
    if "Queue" not in bare:
        return _ingress if "Dropped" in bare else None
    return _thresholds if "Xoff" in bare else _usage


def _header(cursor: Cursor, notes: Notes, *below: str) -> None:
    """Passes over a header of one or two lines."""
    notes.use(cursor.numbers[cursor.i])
    cursor.i += 1
    if cursor.more and cursor.peek().split()[0].startswith(below):
        notes.use(cursor.numbers[cursor.i])
        cursor.i += 1


def _pfc(cursor: Cursor, notes: Notes, run: Run) -> None:
    """`display dcb pfc`: receive above transmit, with storms seen and recoveries in the last column."""
    _header(cursor, notes, "Transmitted")
    name, queue = "", ""
    while cursor.more:
        n, text = cursor.numbers[cursor.i], cursor.peek()
        row, below = _PFC_ROW.match(text), _PAIR_ROW.match(text)
        if is_rule(text):
            notes.ignore(n, "rule")
        elif below and queue:
            notes.put(n, int(below[1]), "interfaces", name, "priorities", queue, "tx_pause")
            notes.put(n, count(below[3] or ""), "interfaces", name, "priorities", queue, "pfcwd_restored")
            queue = ""
        elif row and (row[1] or name):
            name, queue = row[1] or name, row[2]
            notes.put(n, int(row[3]), "interfaces", name, "priorities", queue, "rx_pause")
            notes.put(n, count(row[5] or ""), "interfaces", name, "priorities", queue, "pfcwd_detected")
        elif ROW.match(text):
            notes.problem(n, "cut" if n == cursor.last else "damaged")
        else:
            return
        cursor.i += 1


def _queues(cursor: Cursor, notes: Notes, run: Run) -> None:
    """`display qos queue statistics`: packets above bytes; the port stands on the command line alone."""
    if "Passed" not in cursor.peek():
        return
    _header(cursor, notes, "(%")
    name, queue = port_in_command(run.command) or "#1", ""
    notes.thing(cursor.numbers[cursor.i - 1], "interfaces", name)
    while cursor.more:
        n, text = cursor.numbers[cursor.i], cursor.peek()
        row, below = _QUEUE_ROW.match(text), _QUEUE_BELOW.match(text)
        if is_rule(text):
            notes.ignore(n, "rule")
        elif row:
            queue = row[1]
            notes.put_all(n, {"tx_packets": int(row[2]), "tx_discards": int(row[4])}, "interfaces", name, "queues", queue)
        elif below and queue:
            notes.put_all(n, {"tx_bytes": int(below[1]), "tx_discard_bytes": int(below[3])}, "interfaces", name, "queues", queue)
            queue = ""
        elif re.match(r"\s*\d", text):
            notes.problem(n, "cut" if n == cursor.last else "damaged")
        elif not re.match(r"\s*bps\)\s*$", text):
            return
        else:
            notes.use(n)
        cursor.i += 1


_LIST = {
    "Passed Packets": "tx_packets",
    "Passed Bytes": "tx_bytes",
    "Dropped Packets": "tx_discards",
    "Dropped Bytes": "tx_discard_bytes",
}


def _queue_list(cursor: Cursor, notes: Notes, run: Run) -> None:
    """The same of campus switches, a key on each line."""
    name, queue = port_in_command(run.command) or "#1", ""
    while cursor.more:
        n, text = cursor.numbers[cursor.i], cursor.peek()
        key, colon, value = (part.strip() for part in text.partition(":"))
        if is_rule(text):
            notes.ignore(n, "rule")
        elif not colon:
            return
        elif key == "Queue ID":
            queue = value
            notes.thing(n, "interfaces", name, "queues", queue)
        elif queue and key in _LIST:
            notes.put(n, count(value), "interfaces", name, "queues", queue, _LIST[key])
        elif re.match(r"(?:CIR|PIR|Passed Rate|Dropped Rate)", key):
            notes.use(n)
        else:
            return
        cursor.i += 1


def _ingress(cursor: Cursor, notes: Notes, run: Run) -> None:
    """`display qos buffer ingress-statistics`: packets dropped on arrival above their bytes."""
    _header(cursor, notes, "(Packets")
    name = ""
    while cursor.more:
        n, text = cursor.numbers[cursor.i], cursor.peek()
        words = text.split()
        if is_rule(text):
            notes.ignore(n, "rule")
        elif ROW.match(text) and len(words) > 2:
            name = words[0]
            notes.put(n, count(words[1]), "interfaces", name, "rx_discards")
        elif name and words[0].isdecimal():
            notes.put(n, count(words[0]), "interfaces", name, "rx_discard_bytes")
            name = ""
        else:
            return
        cursor.i += 1


def _usage(cursor: Cursor, notes: Notes, run: Run) -> None:
    """`display qos buffer egress-usage`: which queues are lossless."""
    egress = not cursor.peek().lower().startswith("ingress")
    notes.use(cursor.numbers[cursor.i])
    cursor.i += 1
    name = ""
    while cursor.more:
        n, text = cursor.numbers[cursor.i], cursor.peek()
        row = _USAGE_ROW.match(text)
        if row and (row[1] or name):
            name = row[1] or name
            notes.put(n, row[3].lower() == "lossless" if egress else None, "interfaces", name, "queues", row[2], "lossless")
        elif is_rule(text) or text.startswith(LEGEND) or text.split()[0] in ("Interface", "Lossless", "Lossy"):
            notes.ignore(n, "rule or legend")
        else:
            return
        cursor.i += 1


def _thresholds(cursor: Cursor, notes: Notes, run: Run) -> None:
    """`display dcb pfc buffer`: thresholds of a priority, each with its unit: B bytes, K kilobytes, C cells, D alpha."""
    columns = cursor.peek().split()[2:]
    _header(cursor, notes, "(")
    name = ""
    while cursor.more:
        n, text = cursor.numbers[cursor.i], cursor.peek()
        row = _THRESHOLD_ROW.match(text)
        cells = row[3].split() if row else []
        if row and (row[1] or name) and len(cells) == len(columns):
            name = row[1] or name
            for column, cell in zip(columns, cells, strict=True):
                amount = _AMOUNT.match(cell)
                key = _THRESHOLDS.get(column, {}).get(amount[2]) if amount else None
                if amount and key:
                    notes.put(n, number(amount[1]), "interfaces", name, "priorities", row[2], key)
            notes.use(n)
        elif is_rule(text):
            notes.ignore(n, "rule")
        elif ROW.match(text):
            notes.problem(n, "cut" if n == cursor.last else "damaged")
        else:
            return
        cursor.i += 1
