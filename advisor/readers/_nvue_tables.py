"""The tables of NVUE and `net show`: states and counters of ports, counters both ways, queues, RoCE classes and pools.

MB and GB have no stated base and are left aside. Forms: NVIDIA Cumulus Linux user guide and NVUE reference.
"""

import re
from collections.abc import Callable

from advisor.readers._figures import count, is_nothing, link_state, percent, speed_gbps
from advisor.readers._switch import Cursor, Run, Section
from advisor.readers._switch_tables import Grid, is_rule
from advisor.readers.contract import Notes
from advisor.readers.shapes import is_left_out

PORT = r"(?:swp|eth|bond|lo|br|vlan|peerlink|mgmt|vni|vxlan)[\w.-]*"
IN_COMMAND = re.compile(rf"\binterface\s+({PORT}(?:,{PORT})*)(?=\s|$)")
_BYTES = re.compile(r"(\d+)\s*[Bb]ytes\Z")
_UNIT = re.compile(r"\d+(?:\.\d+)?\s*[KMGTP]i?B\Z")
_WEIGHT = re.compile(r"(?:dwrr|DWRR)-(\d+)%")
_COLUMNS = {
    "priority-group": ("priority_groups", {"rx-frames": "rx_packets", "rx-bytes": "rx_bytes", "rx-buffer-discards": "rx_discards"}),
    "traffic-class": (
        "queues",
        {
            "tx-frames": "tx_packets",
            "tx-bytes": "tx_bytes",
            "tx-uc-buffer-discards": "tx_discards",
            "wred-discards": "wred_discards",
            "ecn-marked": "ecn_marked",
        },
    ),
    "switch-priority": (
        "priorities",
        {"rx-pause-frames": "rx_pause", "tx-pause-frames": "tx_pause", "rx-frames": "rx_packets", "rx-bytes": "rx_bytes"},
    ),
}
_OF_PORT = {
    "RX_OK": "rx_packets",
    "RX_ERR": "rx_errors",
    "RX_DRP": "rx_discards",
    "TX_OK": "tx_packets",
    "TX_ERR": "tx_errors",
    "TX_DRP": "tx_discards",
}


def port_name(run: Run) -> str:
    named = IN_COMMAND.search(run.command)
    return named[1] if named else "#1"


def figure(notes: Notes, n: int, text: str, *place: str, fact: str) -> None:
    """A figure of a port; one in bytes gets its unit into its name."""
    sized = _BYTES.match(text)
    if sized:
        key = fact if fact.endswith("_bytes") else f"{fact.removesuffix('s')}_bytes" if "discards" in fact else None
        notes.put(n, int(sized[1]) if key else None, "interfaces", *place, *((key,) if key else ("",)))
        return
    value = count(text)
    if value is not None:
        notes.put(n, value, "interfaces", *place, fact)
    elif not is_nothing(text) and not _UNIT.match(text):
        notes.problem(n, "not-a-number", text)


# Counters of received and sent frames; what only a receiver can see is the port's.
_BOTH_WAYS = {
    "Total Packets": "packets",
    "Total Octets": "bytes",
    "Total Drops": "discards",
    "Total Errors": "errors",
    "FCS Errors": "crc_errors",
    "Symbol Errors": "symbol_errors",
}


def table_of(names: list[str]) -> Section | None:
    columns = set(names)
    first = names[0] if names else ""
    if {"traffic-class", "status", "deadlock-count"} <= columns:
        return _rows(_watchdog)
    if {"pcp", "dscp", "switch-prio"} <= columns:
        return _rows(_classes, unnamed=True)
    if {"switch-prio", "traffic-class", "scheduler-weight"} <= columns:
        return _rows(_schedule, unnamed=True)
    if {"name", "switch-priorities", "traffic-class"} <= columns:
        return _rows(_pools, unnamed=True)
    if first in _COLUMNS and columns & set(_COLUMNS[first][1]):
        return _rows(_by_index)
    if {"Counter", "Receive", "Transmit"} <= columns:
        return _rows(_both_ways)
    if {"Traffic Class", "Trim Eligible Packets"} <= columns:
        return _rows(_trimmed)
    if first in ("Interface", "Iface", "State") and columns & {"Speed", "Spd", "RX_OK", "MTU"}:
        return _rows(_ports)
    return None


def _rows(row: Callable[[Notes, int, dict[str, str], Run], None], unnamed: bool = False) -> Section:
    """A table over dashes. `unnamed`: the first column has no header."""

    def section(cursor: Cursor, notes: Notes, run: Run) -> None:
        header, rule = cursor.peek(), cursor.peek(1)
        ruled = len(re.findall(r"-+", rule))
        names = Grid(header).names
        if unnamed and len(names) == ruled - 1:
            names = ["", *names]
        grid = Grid(header, rule, names)
        fits = len(grid.names) == max(ruled, 1)  # else the blanks between the columns are lost
        indent = len(rule) - len(rule.lstrip())
        notes.use(cursor.numbers[cursor.i], cursor.numbers[cursor.i + 1])
        cursor.i += 2
        while cursor.more:
            n, text = cursor.numbers[cursor.i], cursor.peek()
            below = cursor.peek(1).strip()
            if is_left_out(text) or (below and set(below) == {"="}) or (is_rule(below) and "--" in below) or text[:indent].strip(" +*"):
                return
            bare = re.sub(r"^(\s*)[+*] ", r"\1  ", text)
            cells = grid.cells(bare) if fits else None
            if cells is None:
                notes.problem(n, "cut" if n == cursor.last else "damaged")
            elif cells[0]:
                row(notes, n, dict(zip(grid.names, cells, strict=True)), run)
            notes.use(n)
            cursor.i += 1

    return section


def _by_index(notes: Notes, n: int, row: dict[str, str], run: Run) -> None:
    first = next(iter(row))
    things, facts = _COLUMNS[first]
    for column, fact in facts.items():
        if column in row:
            figure(notes, n, row[column], port_name(run), things, row[first], fact=fact)


def _both_ways(notes: Notes, n: int, row: dict[str, str], run: Run) -> None:
    name, label = port_name(run), row["Counter"]
    if label == "ecn-marked-packets":
        figure(notes, n, row["Transmit"], name, fact="ecn_marked")
    elif label == "pause-frames":
        figure(notes, n, row["Receive"], name, fact="rx_pause")
        figure(notes, n, row["Transmit"], name, fact="tx_pause")
    else:
        fact = _BOTH_WAYS.get(label, "")
        for side, column in (("rx", "Receive"), ("tx", "Transmit")):
            value = count(row[column])
            if value is None:
                continue
            if fact and (side == "rx" or "_" not in fact):
                notes.put(n, value, "interfaces", name, fact if "_" in fact else f"{side}_{fact}")
            else:
                notes.put(n, value, "interfaces", name, "counters", f"{side}_{label}")


def _trimmed(notes: Notes, n: int, row: dict[str, str], run: Run) -> None:
    place = ("interfaces", port_name(run), "queues", row["Traffic Class"])
    for column, fact in (("Trim Eligible Packets", "trimmed"), ("Trimmed TxPackets", "trim_sent")):
        notes.put(n, count(row.get(column, "")), *place, fact)


def _watchdog(notes: Notes, n: int, row: dict[str, str], run: Run) -> None:
    place = ("interfaces", port_name(run), "priorities", row["traffic-class"])
    notes.put(n, row["status"].lower() or None, *place, "pfcwd_status")
    notes.put(n, count(row["deadlock-count"]), *place, "pfcwd_detected")


def _classes(notes: Notes, n: int, row: dict[str, str], run: Run) -> None:
    for column, fact in (("pcp", "pcp"), ("dscp", "dscp"), ("switch-prio", "priority")):
        notes.put(n, _listed(row[column]), "roce_classes", row[""], fact)


def _schedule(notes: Notes, n: int, row: dict[str, str], run: Run) -> None:
    weight = _WEIGHT.match(row["scheduler-weight"])
    strict = row["scheduler-weight"].lower().startswith("strict")
    values = {
        "priority": _listed(row["switch-prio"]),
        "tc": _listed(row["traffic-class"]),
        "tsa": "dwrr" if weight else "strict" if strict else None,
        "bandwidth_percent": int(weight[1]) if weight else None,
    }
    notes.put_all(n, values, "roce_classes", row[""])


def _listed(text: str) -> int | list[int] | None:
    """`26` is a number, `24,25,26` a list; `-` is unknown."""
    found = [value for word in text.split(",") if (value := count(word.strip())) is not None]
    return None if not found else found[0] if len(found) == 1 else found


def _pools(notes: Notes, n: int, row: dict[str, str], run: Run) -> None:
    name = row["name"]
    notes.thing(n, "buffer_pools", name)
    for column, fact in (("switch-priorities", "priorities"), ("traffic-class", "tcs")):
        listed = _listed(row[column])
        notes.put(n, [listed] if isinstance(listed, int) else listed, "buffer_pools", name, fact)
    peak = _BYTES.match(row.get("max-usage", ""))
    notes.put(n, int(peak[1]) if peak else None, "buffer_pools", name, "peak_bytes")


def _ports(notes: Notes, n: int, row: dict[str, str], run: Run) -> None:
    """`nv show interface`, its counters, and `net show interface`."""
    name = row.get("Interface") or row.get("Iface") or row.get("Name") or ""
    if not re.fullmatch(r"[A-Za-z][\w.-]*", name):
        return
    notes.thing(n, "interfaces", name)
    state, admin = link_state(row.get("Oper Status") or row.get("State") or "")
    wanted = row.get("Admin Status", "").lower()
    neighbour = re.fullmatch(r"(\S+) \((\S+)\)", row.get("LLDP", ""))
    device, port = (neighbour[1], neighbour[2]) if neighbour else (row.get("Remote Host", ""), row.get("Remote Port", ""))
    values = {
        "state": state,
        "admin_state": wanted if wanted in ("up", "down") else admin,
        "rate_gbps": speed_gbps(row.get("Speed") or row.get("Spd") or ""),
        "mtu_bytes": count(row.get("MTU", "")),
        "peer_device": None if is_nothing(device) else device,
        "peer_port": None if is_nothing(port) else port,
        **{fact: count(row[column]) for column, fact in _OF_PORT.items() if column in row},
        "rx_util_percent": percent(row["RX_UTIL"]) if "RX_UTIL" in row else None,
    }
    notes.put_all(n, values, "interfaces", name)
