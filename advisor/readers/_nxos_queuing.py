"""NX-OS `show queuing interface` (boxes of QoS groups, and the older lists), and `show queuing pfc-queue` (the PFC watchdog)."""

import re

from advisor.readers._figures import count
from advisor.readers._switch import Cursor, Run, Section
from advisor.readers.contract import Notes

STARTS = (
    r"(?:Egress|Ingress) Queuing for \S+|Ethernet\S+ queuing information:|Ethernet\S+ Interface PFC watchdog:|PFC Statistics\s*$|"
    r"\|\s+(?:CONTROL |SPAN )?QOS GROUP"
)
_FOR = re.compile(r"(Egress|Ingress) Queuing for (\S+)")
_OLD = re.compile(r"(\S+) queuing information:")
_WATCHED = re.compile(r"(\S+) Interface PFC watchdog:\s*\[(\w+)\]")
_GROUP = re.compile(r"\|\s*(?:(\w+) )?QOS GROUP ?(\d*)\s*(?:\[(\w+)\]\s*PFC \[(\w+)\]\s*PFC-COS \[(\d+)\])?")
_TOTALS = re.compile(r"\s*TxPPP:\s*(\d+),\s*RxPPP:\s*(\d+)")
_COS = re.compile(r"\s*(\d)\s+(?:\S+\s+){1,2}(?:In)?[Aa]ctive\s+(\d+)\s+(?:In)?[Aa]ctive\s+(\d+)\s*$")
_NAMED = re.compile(r"([A-Z][\w &/-]*?[a-z])\s+(\d+)\s*$")
_OLD_GROUP = re.compile(r"\s*qos-group (\d+)\s*$")
_OLD_MTU = re.compile(r"\s*q-size: \d+, HW MTU: (\d+)")
_OLD_DROP = re.compile(r"\s*drop-type: (no-drop|drop)\b")
_OLD_COUNT = re.compile(r"\s*([A-Z][\w -]*?)\s*: (\d+)\s*$")
_BOX = {
    "Tx Pkts": "tx_packets",
    "Tx Byts": "tx_bytes",
    "Dropped Pkts": "tx_discards",
    "Dropped Byts": "tx_discard_bytes",
    "Tail Drop Pkts": "tx_discards",
    "Tail Drop Byts": "tx_discard_bytes",
    "WRED/AFD & Tail Drop Pkts": "tx_discards",
    "WRED/AFD & Tail Drop Byts": "tx_discard_bytes",
    "WRED Drop Pkts": "wred_discards",
    "WRED Drop Byts": "wred_discard_bytes",
    "WRED/AFD Drop Pkts": "wred_discards",
    "WRED/AFD Drop Byts": "wred_discard_bytes",
    "ECN Marked Pkts": "ecn_marked",
    "ECN Marked Byts": "ecn_marked_bytes",
}
_OF_PORT = {
    "WRED Drop Pkts": "wred_discards",
    "Ingress MMU Drop Pkts": "rx_discards",
    "Ingress MMU Drop Bytes": "rx_discard_bytes",
}
_WATCHDOG = {
    "Shutdown": "pfcwd_detected",
    "Restored": "pfcwd_restored",
    "Total pkts dropped": "pfcwd_tx_discards",
    "Total Ingress pkts dropped": "pfcwd_rx_discards",
}
_SAID = re.compile(
    r"(?:Per )?Port (?:Egress|Ingress) Statistics|PFC Statistics|\s*(?:PFC_)?COS\s+QOS|[-=]{5,}\s*$|\+[-+]+\+\s*$|(?:TX|RX) Queuing|"
    r"\s*qos-group\s+sched-type|\s*\d+\s+(?:WRR|priority|DWRR)\s+\d+|Statistics:|Per-priority-pause status|QoS-Group#|"
    r"\s+(?:Min\s+Max|Buff Size)|\s+\d\s+[\d-]+\s+[\d-]+\s|Disable-action|PFC watch-?dog|Total Multicast crossbar|Priority-flow-control"
)


def find(text: str) -> Section | None:
    return (
        _queuing
        if _FOR.match(text) or _OLD.match(text) or _WATCHED.match(text) or _GROUP.match(text) or text.startswith("PFC Statistics")
        else None
    )


class _Place:
    """The port and the group that lines belong to."""

    def __init__(self, notes: Notes, run: Run) -> None:
        self.notes = notes
        self.port: str = run.said.get("port", "")
        self.group = ""
        self.priority = ""
        self.columns = 0

    def put(self, n: int, value: object, *path: str) -> None:
        if self.port:
            self.notes.put(n, value, "interfaces", self.port, *path)


def _queuing(cursor: Cursor, notes: Notes, run: Run) -> None:
    place = _Place(notes, run)
    begun = False
    while cursor.more:
        n, text = cursor.numbers[cursor.i], cursor.peek()
        named = _FOR.match(text) or _OLD.match(text) or _WATCHED.match(text)
        if named:
            name = named[2] if named.re is _FOR else named[1]
            if begun and name != place.port:
                return
            place.port = run.said["port"] = name
            place.group = place.priority = ""
            notes.thing(n, "interfaces", name)
        elif not _line(place, n, text):
            return
        begun = True
        cursor.i += 1


def _line(place: _Place, n: int, text: str) -> bool:
    """Whether a line belongs to a report of queues."""
    notes = place.notes
    if text.lstrip().startswith("|"):
        _box(place, n, text.strip())
    elif total := _TOTALS.match(text):
        place.put(n, int(total[1]), "tx_pfc")
        place.put(n, int(total[2]), "rx_pfc")
    elif cos := _COS.match(text):
        place.put(n, int(cos[2]), "priorities", cos[1], "tx_pause")
        place.put(n, int(cos[3]), "priorities", cos[1], "rx_pause")
    elif group := _OLD_GROUP.match(text):
        place.group = group[1]
    elif place.group and (mtu := _OLD_MTU.match(text)):
        place.put(n, int(mtu[1]), "queues", place.group, "mtu_bytes")
    elif place.group and (drop := _OLD_DROP.match(text)):
        place.put(n, drop[1] == "no-drop", "queues", place.group, "lossless")
    elif place.group and (figure := _OLD_COUNT.match(text)):
        fact = {"Pkts discarded on ingress": "rx_discards", "Pkts received over the port": "rx_packets"}.get(figure[1])
        if fact:
            place.put(n, int(figure[2]), "queues", place.group, fact)
    elif named := _NAMED.match(text.strip()):
        fact = _OF_PORT.get(named[1])
        place.put(n, int(named[2]), *((fact,) if fact else ("counters", named[1])))
    elif not _SAID.match(text):
        return False
    notes.use(n)
    return True


def _box(place: _Place, n: int, text: str) -> None:
    group = _GROUP.match(text)
    if group:
        place.group = group[2] if not group[1] else group[1].lower()
        place.priority = group[5] or ""
        place.columns = 0
        if place.priority:
            place.put(n, group[3].lower(), "priorities", place.priority, "pfcwd_status")
        return
    if not text.endswith("|"):
        place.notes.problem(n, "cut")  # a sum of columns needs them all
        return
    cells = [cell.strip() for cell in text.strip("|").split("|")]
    if not cells[0]:
        place.columns = len(cells) - 1  # the heads of the columns
    label, figures = "", dict[str, list[int]]()
    for cell in cells:
        value = count(cell)
        if value is not None and label:
            figures.setdefault(label, []).append(value)
        elif cell:
            label = cell
    if len(figures) == 1 and place.columns and len(cells) - 1 < place.columns:
        place.notes.problem(n, "cut")
        return
    for name, values in figures.items():
        if place.priority and name in _WATCHDOG:
            place.put(n, sum(values), "priorities", place.priority, _WATCHDOG[name])
        elif not place.priority and place.group and name in _BOX:
            place.put(n, sum(values), "queues", place.group, _BOX[name])
