"""Cumulus Linux: `nv show interface`, its counters and RoCE, `nv show qos roce`; also `net show`.

A tree of keys stands under `operational`; the same last key means another thing under another parent. Tables have a rule of dashes, and
their titles one of equals signs. MB and GB have no stated base and are left aside. Forms: NVIDIA Cumulus Linux NVUE reference.
"""

import re
from collections.abc import Callable, Iterator
from typing import Any

from advisor.evidence.reading import Part
from advisor.readers._figures import count, is_nothing, link_state, percent, speed_gbps
from advisor.readers._json import parse
from advisor.readers._switch import Cursor, Run, Section, read_sections
from advisor.readers._switch_tables import Grid, is_rule
from advisor.readers.contract import Block, Notes, Reader, command
from advisor.readers.shapes import is_left_out

_PORT = r"(?:swp|eth|bond|lo|br|vlan|peerlink|mgmt|vni|vxlan)[\w.-]*"
_IN_COMMAND = re.compile(rf"\binterface\s+({_PORT}(?:,{_PORT})*)(?=\s|$)")
_ERROR = re.compile(r"\s*(?:Error:|'\S+' is not one of|ERROR:)")
_BYTES = re.compile(r"(\d+)\s*[Bb]ytes\Z")
_UNIT = re.compile(r"\d+(?:\.\d+)?\s*[KMGTP]i?B\Z")
_WEIGHT = re.compile(r"(?:dwrr|DWRR)-(\d+)%")
_FEC = {"rs": "rs", "baser": "firecode", "off": "none", "none": "none"}
# Path of keys (its end) -> fact of the port.
_ROCE: dict[tuple[str, ...], str] = {
    ("rx-non-roce-stats", "no-buffer-discard"): "non_roce_rx_discards",
    ("rx-non-roce-stats", "non-roce-packets"): "non_roce_rx_packets",
    ("rx-non-roce-stats", "non-roce-bytes"): "non_roce_rx_bytes",
    ("rx-pfc-stats", "pause-packets"): "rx_pfc",
    ("rx-roce-stats", "no-buffer-discard"): "roce_rx_discards",
    ("rx-roce-stats", "roce-packets"): "roce_rx_packets",
    ("rx-roce-stats", "roce-bytes"): "roce_rx_bytes",
    ("tx-cnp-stats", "cnp-packets"): "cnp_tx_packets",
    ("tx-cnp-stats", "unicast-no-buffer-discard"): "cnp_tx_discards",
    ("tx-ecn-stats", "ecn-marked-packets"): "ecn_marked",
    ("tx-pfc-stats", "pause-packets"): "tx_pfc",
    ("tx-roce-stats", "roce-packets"): "roce_tx_packets",
    ("tx-roce-stats", "roce-bytes"): "roce_tx_bytes",
    ("tx-roce-stats", "unicast-no-buffer-discard"): "roce_tx_discards",
    ("stats", "in-pkts"): "rx_packets",
    ("stats", "in-bytes"): "rx_bytes",
    ("stats", "in-errors"): "rx_errors",
    ("stats", "in-drops"): "rx_discards",
    ("stats", "out-pkts"): "tx_packets",
    ("stats", "out-bytes"): "tx_bytes",
    ("stats", "out-errors"): "tx_errors",
    ("stats", "out-drops"): "tx_discards",
}
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


def read(block: Block) -> Iterator[Part]:
    first = next(iter(block.lines.inked()), (0, ""))[1].lstrip()
    if first.startswith("{"):
        yield from _json(block)
    else:
        yield from read_sections("cumulus-nvue", block, _find, _ERROR)


def _find(text: str) -> Section | None:
    words = text.split(None, 1)
    if set(words[0]) == {"="} and len(words) == 1:
        return _rule
    return _section


def _rule(cursor: Cursor, notes: Notes, run: Run) -> None:
    notes.ignore(cursor.numbers[cursor.i], "rule")
    cursor.i += 1


def _section(cursor: Cursor, notes: Notes, run: Run) -> None:
    """A title over equals signs, or a table or tree over dashes."""
    header, below = cursor.peek(), cursor.peek(1)
    if below.strip() and set(below.strip()) == {"="}:
        run.said["title"] = header.strip()
        if run.command or "Statistics" in header or "RoCE" in header:
            notes.use(cursor.numbers[cursor.i], cursor.numbers[cursor.i + 1])
            cursor.i += 2
        return
    if not (is_rule(below) and "--" in below):
        if header.strip() == "No Data":
            _rule(cursor, notes, run)
        return
    if "operational" in header.split():
        _tree(cursor, notes, run)
    elif reading := _table_of(_names(header, below)):
        reading(cursor, notes, run)


def _names(header: str, rule: str) -> list[str]:
    return Grid(header, rule).names


def _port_name(run: Run) -> str:
    named = _IN_COMMAND.search(run.command)
    return named[1] if named else "#1"


# --- trees of keys ----------------------------------------------------------------------------------------------


def _tree(cursor: Cursor, notes: Notes, run: Run) -> None:
    """Keys by indentation, their value under `operational`."""
    header, rule = cursor.peek(), cursor.peek(1)
    spans = [(m.start(), m.end()) for m in re.finditer(r"-+", rule)]
    at = next((i for i, (a, b) in enumerate(spans) if min(b, header.find("operational") + 11) > max(a, header.find("operational"))), 1)
    notes.use(cursor.numbers[cursor.i], cursor.numbers[cursor.i + 1])
    cursor.i += 2
    start = spans[at][0] if at < len(spans) else 0
    end = spans[at + 1][0] if at + 1 < len(spans) else None
    path: list[tuple[int, str]] = []
    while cursor.more:
        n, text = cursor.numbers[cursor.i], cursor.peek()
        below = cursor.peek(1)
        if (below.strip() and set(below.strip()) == {"="}) or (is_rule(below) and "--" in below) or is_left_out(text):
            return
        key, value = text[:start].rstrip(), text[start:end].strip()
        depth = len(key) - len(key.lstrip())
        if not re.match(r"\s*\[?[a-z][\w./:-]*\]?\s*$", key):
            if not key.strip() and path:  # a value that goes on
                notes.use(n)
                cursor.i += 1
                continue
            return
        while path and path[-1][0] >= depth:
            path.pop()
        path.append((depth, key.strip()))
        _leaf(notes, n, tuple(name for _, name in path), value, run)
        notes.use(n)
        cursor.i += 1


def _leaf(notes: Notes, n: int, path: tuple[str, ...], value: str, run: Run) -> None:
    """One key with its value; where the command names a port, it is the port's."""
    name = _port_name(run) if _IN_COMMAND.search(run.command) or path[-2:] in _ROCE else ""
    key = path[-1]
    if name and path[-2:] in _ROCE:
        _figure(notes, n, value, name, fact=_ROCE[path[-2:]])
    elif key == "pfc-priority" and path[-2:-1] == ("pfc",):
        listed = [count(word) for word in value.split(",")]
        place = ("interfaces", name) if name else ()
        notes.put(n, listed if value and None not in listed else None, *place, "pfc_priorities")
    elif key == "mode" and len(path) == 1 and ("roce" in run.command or not run.command):
        notes.put(n, value.lower() or None, "roce_mode")
    elif name and (len(path) == 1 or path[0] == "link"):
        _link(notes, n, name, path, value, run)


def _link(notes: Notes, n: int, name: str, path: tuple[str, ...], value: str, run: Run) -> None:
    key = path[-1]
    facts: dict[str, Any] = {}
    if "link-pause" in run.command and key in ("rx", "tx"):
        facts[f"{key}_flow_control"] = {"enable": True, "disable": False, "on": True, "off": False}.get(value)
    elif key == "speed":
        facts["rate_gbps"] = speed_gbps(value)
    elif key == "mtu":
        facts["mtu_bytes"] = count(value)
    elif key == "duplex" and value in ("full", "half"):
        facts["duplex"] = value
    elif key == "auto-negotiate":
        facts["auto_negotiation"] = {"on": True, "off": False}.get(value)
    elif key == "fec":
        facts["fec"] = _FEC.get(value.lower())
    elif key in ("oper-status", "state") or path[-2:-1] == ("state",):
        facts["state"] = link_state(value or key)[0]
    elif key == "admin-status" and value in ("up", "down"):
        facts["admin_state"] = value
    if facts:
        notes.thing(n, "interfaces", name)
        notes.put_all(n, facts, "interfaces", name)


def _figure(notes: Notes, n: int, text: str, *place: str, fact: str) -> None:
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


# --- tables -----------------------------------------------------------------------------------------------------


def _table_of(names: list[str]) -> Section | None:
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
            _figure(notes, n, row[column], _port_name(run), things, row[first], fact=fact)


def _both_ways(notes: Notes, n: int, row: dict[str, str], run: Run) -> None:
    name, label = _port_name(run), row["Counter"]
    if label == "ecn-marked-packets":
        _figure(notes, n, row["Transmit"], name, fact="ecn_marked")
    elif label == "pause-frames":
        _figure(notes, n, row["Receive"], name, fact="rx_pause")
        _figure(notes, n, row["Transmit"], name, fact="tx_pause")
    else:
        for side, column in (("rx", "Receive"), ("tx", "Transmit")):
            value = count(row[column])
            if value is not None:
                notes.put(n, value, "interfaces", name, "counters", f"{side}_{label}")


def _watchdog(notes: Notes, n: int, row: dict[str, str], run: Run) -> None:
    place = ("interfaces", _port_name(run), "priorities", row["traffic-class"])
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
    if not re.fullmatch(_PORT, name):
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


# --- JSON -------------------------------------------------------------------------------------------------------


def _json(block: Block) -> Iterator[Part]:
    """`nv show ... -o json`: the same keys as the tree; ports by name where the command names none."""
    found = parse(block.lines)
    if found is None or not isinstance(found.tree, dict):
        return
    notes, run = Notes("cumulus-nvue", block), Run(block.command or "")

    def walk(tree: Any, place: tuple[str | int, ...], path: tuple[str, ...], run: Run) -> None:
        for key, value in tree.items():
            if isinstance(value, dict) and (value or path[-1:] != ("state",)):
                walk(value, (*place, key), (*path, key), run)
            elif isinstance(value, (dict, str, int, float)) and not isinstance(value, bool):  # `"state": {"up": {}}`
                _leaf(notes, found.line(*place, key), (*path, key), "" if value == {} else str(value), run)

    for name, content in found.tree.items():
        if re.fullmatch(_PORT, name) and isinstance(content, dict) and not _IN_COMMAND.search(run.command):
            walk(content, (name,), (), Run(f"nv show interface {name}"))
        elif isinstance(content, dict):
            walk(content, (name,), (name,), run)
        elif isinstance(content, (str, int)) and not isinstance(content, bool):
            _leaf(notes, found.line(name), (name,), str(content), run)
    notes.count("interfaces", "interface_count")
    if notes.facts:
        notes.use_range(block.lines.numbers[0], found.last)
        if found.broken is not None:
            notes.problem(found.broken, "cut")
        yield notes.part()


_JSON_PORTS = re.compile(r'\s*\{\s*"(?:swp|eth|bond)\w*"\s*:\s*\{')
_JSON_KEYS = re.compile(r'"(?:auto-negotiate|oper-status|admin-status|in-pkts|in-drops|carrier-transitions|pfc-watchdog)"\s*:')


READER = Reader(
    "cumulus-nvue",
    read,
    commands=re.compile(f"(?:{command('nv', options=r'show').pattern})|(?:{command('net', options=r'show').pattern})"),
    starts=re.compile(
        r"\s+operational(?:\s+applied|\s+pending|\s+description|\s*$)|(?:Ingress Buffer|Egress Queue|PFC|Qos Port) Statistics\s*$|"
        r"RoCE (?:PCP/DSCP->SP|SP->TC|[Pp]ool)\b|\s+(?:priority-group|traffic-class|switch-priority)\s+(?:[rt]x-|status\s+deadlock)|"
        r"Interface\s+(?:State|Admin Status\s+Oper Status)\s+Speed\s+MTU\s+Type|Interface\s+MTU\s+RX_OK|State\s+Name\s+Spd\s+MTU\s+Mode"
    ),
    recognises=lambda head: _JSON_PORTS.match(head) is not None and _JSON_KEYS.search(head) is not None,
    stops=True,
)
