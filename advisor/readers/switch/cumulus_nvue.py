"""Cumulus Linux: `nv show interface`, its counters and RoCE, `nv show qos roce`; also `net show`.

A tree of keys stands under `operational`; the same last key means another thing under another parent. Tables have a rule of dashes, and
their titles one of equals signs. MB and GB have no stated base and are left aside. Forms: NVIDIA Cumulus Linux NVUE reference.
"""

import re
from collections.abc import Iterator
from typing import Any

from advisor.evidence.reading import Part
from advisor.readers._figures import count, link_state, speed_gbps
from advisor.readers._json import parse
from advisor.readers._nvue_tables import IN_COMMAND, PORT, figure, port_name, table_of
from advisor.readers._switch import Cursor, Run, Section, read_sections
from advisor.readers._switch_tables import Grid, is_rule
from advisor.readers.contract import Block, Notes, Reader, command
from advisor.readers.shapes import is_left_out

_ERROR = re.compile(r"\s*(?:Error:|'\S+' is not one of|ERROR:)")
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
    elif reading := table_of(Grid(header, below).names):
        reading(cursor, notes, run)


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
    name = port_name(run) if IN_COMMAND.search(run.command) or path[-2:] in _ROCE else ""
    key = path[-1]
    fact = _ROCE.get(path[-2:] if len(path) > 1 else ("stats", key))  # older versions give a port's totals at the margin
    if name and fact:
        figure(notes, n, value, name, fact=fact)
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
        if re.fullmatch(PORT, name) and isinstance(content, dict) and not IN_COMMAND.search(run.command):
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
