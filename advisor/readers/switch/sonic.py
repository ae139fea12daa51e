"""SONiC: tables of `show interfaces`, `queue`, `pfc`, `pfcwd`, `priority-group`, `buffer_pool`, `ecn` and `lldp`.

A column is told by its header. Rates are printed in multiples of bytes whose base the tool does not say, so they are left aside.
Forms: sonic-utilities, doc/Command-Reference.md.
"""

import re
from collections.abc import Callable, Iterator

from advisor.evidence.reading import Part
from advisor.readers._figures import count
from advisor.readers._json import parse
from advisor.readers._sonic_rows import (
    TITLES,
    by_command,
    counters,
    figure,
    groups,
    history,
    neighbours,
    nothing,
    pfc,
    priority,
    queues,
    status,
    watchdog,
    watchdog_config,
)
from advisor.readers._switch import Cursor, Run, Section, read_sections
from advisor.readers._switch_tables import Grid, is_rule, rows
from advisor.readers.contract import Block, Notes, Reader, command

_PORT = r"(?:Ethernet|PortChannel|Eth|eth|Loopback|Vlan|Management|Bridge|etp)[\w./-]*"
_ROW = re.compile(rf"\s*(?:[\w.-]+\|[\w.-]+\|)?{_PORT}(?::\d+)?(?:\s|$)")
_ERROR = re.compile(r"\s*(?:Error|Traceback|Usage:|Try \")")
_CACHED = re.compile(r"\s*Last cached time was ")
_NAMESPACE = re.compile(r"\s*For namespace\s*(\S*?)\s*:\s*$")
_ECN_KEY = re.compile(r"(green|yellow|red)_(min_threshold|max_threshold|drop_probability)\Z")
_ECN_PARTS = {"min_threshold": "min_bytes", "max_threshold": "max_bytes", "drop_probability": "drop_percent"}
_PROFILE = re.compile(r"\s*Profile:\s*\**([^*\s]+)\**\s*$")
_PAIR = re.compile(r"\s*([a-z_]+)\s+(\S+)\s*$")
_LLDP = re.compile(rf"\s*Interface:\s+({_PORT}|\S+),\s+via: ")
_DOTS = re.compile(r"\s*([A-Z][\w /().-]*?)\s*\.{2,}\s*(\S.*?)\s*$")


def read(block: Block) -> Iterator[Part]:
    if next(iter(block.lines.inked()), (0, ""))[1].lstrip().startswith("{"):
        yield from _json(block)
    else:
        yield from read_sections("sonic", block, _find, _ERROR)


def _json(block: Block) -> Iterator[Part]:
    """`portstat -j`: the columns of `show interfaces counters` by port."""
    found = parse(block.lines)
    if found is None or not isinstance(found.tree, dict):
        return
    notes, run = Notes("sonic", block), Run(block.command or "")
    for name, content in found.tree.items():
        if isinstance(content, dict) and "RX_OK" in content:
            line = found.line(name)
            notes.thing(line, "interfaces", name)
            counters(notes, line, {"IFACE": name, **{str(key): str(cell) for key, cell in content.items()}}, run)
    notes.count("interfaces", "interface_count")
    if notes.facts:
        notes.use_range(block.lines.numbers[0], found.last)
        if found.broken is not None:
            notes.problem(found.broken, "cut")
        yield notes.part()


def _find(text: str) -> Section | None:
    words = text.split(None, 2)
    if not words:
        return None
    section = _SECTIONS.get(words[0]) or _SECTIONS.get(" ".join(words[:2]))
    if section is None and words[0] == "Last" and _CACHED.match(text):
        return _cached
    if section is None and text.rstrip().endswith(":") and text.strip().rstrip(":").lower() in TITLES:
        return _title
    return section


# --- lines of their own -----------------------------------------------------------------------------------------


def _cached(cursor: Cursor, notes: Notes, run: Run) -> None:
    notes.put(cursor.numbers[cursor.i], True, "counters_cleared")
    cursor.i += 1


def _title(cursor: Cursor, notes: Notes, run: Run) -> None:
    run.said["title"] = cursor.peek().strip().rstrip(":").lower()
    notes.use(cursor.numbers[cursor.i])
    cursor.i += 1


def _for(cursor: Cursor, notes: Notes, run: Run) -> None:
    match = _NAMESPACE.match(cursor.peek())
    if match:
        run.said["namespace"] = match[1]
        notes.use(cursor.numbers[cursor.i])
        cursor.i += 1


def _said(cursor: Cursor, notes: Notes, run: Run) -> None:
    """Sentences around tables that hold nothing of ours."""
    text = cursor.peek().strip()
    if text.startswith(
        (
            "Capability codes:",
            "Total entries displayed",
            "Reminder:",
            "The rates are calculated",
            "Changed polling interval",
            "BIG_RED_SWITCH",
        )
    ):
        notes.ignore(cursor.numbers[cursor.i], "remark")
        cursor.i += 1


# --- tables -----------------------------------------------------------------------------------------------------


def _table(row: Callable[[Notes, int, dict[str, str], Run], object], wanted: set[str], right: bool = True) -> Section:
    """A section that reads a table whose header has the wanted columns. `right`: figures stand at the right, so a missing cell is a cut."""

    def section(cursor: Cursor, notes: Notes, run: Run) -> None:
        header = cursor.peek()
        below = cursor.peek(1)
        grid = Grid(header, below if is_rule(below) else "")
        if not wanted <= set(grid.names):
            return
        notes.use(cursor.numbers[cursor.i])
        cursor.i += 1
        for n, text in rows(cursor, notes, _ROW.match):
            cells = grid.cells(text)
            found = re.split(r"\s{2,}", text.strip()) if right and n == cursor.last else []
            if 0 < len(found) < len(grid.names) and " " not in found[0]:  # cut: what is there comes in order, wherever it stands
                cells = [*found, *[""] * (len(grid.names) - len(found))]
            if cells is None:
                notes.problem(n, "cut" if n == cursor.last else "damaged")
                continue
            if right and "" in cells:
                notes.problem(n, "cut" if n == cursor.last else "damaged")
            if not cells[0]:
                continue
            name = cells[0].split(":")[0]
            notes.thing(n, "interfaces", name)
            if run.said.get("namespace"):
                notes.put(n, run.said["namespace"], "interfaces", name, "namespace")
            row(notes, n, dict(zip(grid.names, cells, strict=True)), run)

    return section


def _port(cursor: Cursor, notes: Notes, run: Run) -> None:
    """Tables whose first column is `Port`."""
    names = set(Grid(cursor.peek()).names)
    if "TxQ" in names or "Voq" in names:
        _table(queues, {"Port"})(cursor, notes, run)
    elif "RX Pause Transitions" in names:
        _table(history, {"Port", "Priority"})(cursor, notes, run)
    elif "Port Rx" in names:
        _table(pfc("rx"), {"PFC0"})(cursor, notes, run)
    elif "Port Tx" in names:
        _table(pfc("tx"), {"PFC0"})(cursor, notes, run)
    elif any(re.fullmatch(r"(?:PG|UC|MC|ALL)\d+", name) for name in names) and (run.said.get("title") or by_command(run.command)):
        _table(groups, {"Port"})(cursor, notes, run)


def _interface(cursor: Cursor, notes: Notes, run: Run) -> None:
    """Tables whose first column is `Interface`."""
    names = set(Grid(cursor.peek()).names)
    if "Lossless priorities" in names:
        _table(priority, {"Interface"}, right=False)(cursor, notes, run)
    elif {"Oper", "Admin", "Speed", "MTU"} <= names:
        _table(status, {"Interface"}, right=False)(cursor, notes, run)
    elif {"Oper", "Admin"} <= names or "Asymmetric" in names:
        _table(nothing, {"Interface"}, right=False)(cursor, notes, run)


def _pool(cursor: Cursor, notes: Notes, run: Run) -> None:
    grid = Grid(cursor.peek())
    if "Bytes" not in grid.names:
        return
    notes.use(cursor.numbers[cursor.i])
    cursor.i += 1
    for n, text in rows(cursor, notes, re.compile(r"\s*\w+_\w+\s+\S+").match):
        cells = grid.cells(text)
        if cells is None:
            notes.problem(n, "damaged")
            continue
        notes.thing(n, "buffer_pools", cells[0])
        notes.put(n, count(cells[grid.names.index("Bytes")]), "buffer_pools", cells[0], "peak_bytes")


def _ecn(cursor: Cursor, notes: Notes, run: Run) -> None:
    match = _PROFILE.match(cursor.peek())
    if not match:
        return
    name = match[1]
    notes.thing(cursor.numbers[cursor.i], "ecn_profiles", name)
    cursor.i += 1
    for n, text in rows(cursor, notes, _PAIR.match):
        pair = _PAIR.match(text)
        key, value = (pair[1], pair[2]) if pair else ("", "")
        part = _ECN_KEY.match(key)
        if key == "ecn":
            notes.put(n, value, "ecn_profiles", name, "ecn")
        elif part:
            notes.put(n, count(value), "ecn_profiles", name, f"{part[1]}_{_ECN_PARTS[part[2]]}")
            if count(value) is None:
                notes.problem(n, "not-a-number", value)
        else:
            notes.use(n)


def _histogram(cursor: Cursor, notes: Notes, run: Run) -> None:
    """`show interfaces counters fec-histogram PORT`: the port stands on the command line alone."""
    if not cursor.peek().strip().startswith("Symbol Errors Per Codeword"):
        return
    named = re.search(rf"fec-histogram\s+(?:-\S+\s+\S+\s+)*({_PORT})", run.command)
    name = named[1] if named else "#1"
    notes.thing(cursor.numbers[cursor.i], "interfaces", name)
    cursor.i += 1
    for n, text in rows(cursor, notes, re.compile(r"\s*BIN\d+:?\s").match):
        label, _, value = text.strip().partition(" ")
        figure(notes, n, value.strip(), count, name, "fec_histogram", label[3:].rstrip(":"))


def _lldp(cursor: Cursor, notes: Notes, run: Run) -> None:
    """`show lldp neighbors` (lldpcli): a block for each port."""
    match = _LLDP.match(cursor.peek())
    if not match:
        return
    name = match[1]
    notes.thing(cursor.numbers[cursor.i], "interfaces", name)
    cursor.i += 1
    while cursor.more:
        n, text = cursor.numbers[cursor.i], cursor.peek()
        key, _, value = text.strip().partition(":")
        if key == "Interface" or not (text[:1].isspace() or is_rule(text)):
            return
        value = value.strip()
        if key == "SysName" and value:
            notes.put(n, value, "interfaces", name, "peer_device")
        elif key == "PortID" and value:
            kind, _, port = value.partition(" ")
            notes.put(n, port.strip() if kind in ("ifname", "local", "mac") else value, "interfaces", name, "peer_port")
        else:
            notes.use(n)
        cursor.i += 1


def _detailed(cursor: Cursor, notes: Notes, run: Run) -> None:
    """`show interfaces counters detailed PORT`: `Packets Received 64 Octets....... 0`."""
    named = re.search(rf"detailed\s+(?:-\S+\s+\S+\s+)*({_PORT})", run.command)
    name = named[1] if named else "#1"
    while cursor.more:
        n, match = cursor.numbers[cursor.i], _DOTS.match(cursor.peek())
        if not match:
            return
        value = count(match[2])
        if value is not None:
            notes.put(n, value, "interfaces", name, "counters", match[1])
            if match[1] == "WRED Total Dropped Packets":
                notes.put(n, value, "interfaces", name, "wred_discards")
        else:
            notes.use(n)
        cursor.i += 1


_SECTIONS: dict[str, Section] = {
    "IFACE": _table(counters, {"IFACE"}),
    "Port": _port,
    "Interface": _interface,
    "QUEUE": _table(watchdog, {"QUEUE", "STATUS"}),
    "PORT": _table(watchdog_config, {"PORT", "ACTION"}, right=False),
    "LocalPort": _table(neighbours, {"LocalPort", "RemoteDevice", "RemotePortID"}, right=False),
    "Pool": _pool,
    "Profile:": _ecn,
    "Symbol": _histogram,
    "Interface:": _lldp,
    "For namespace": _for,
    "Packets Received": _detailed,
    "Capability codes:": _said,
    "Total entries": _said,
    "Reminder: Please": _said,
    "The rates": _said,
    "Changed polling": _said,
    "BIG_RED_SWITCH status": _said,
}

_SHOW = command(
    "show",
    options=r"(?:interfaces?\s+counters|queue\s|pfc\s|pfcwd\s|priority-group\s|buffer_pool\s|headroom-pool\s|ecn\b|lldp\s+table|dropcounters|"
    r"interfaces\s+(?:status|description|autoneg))",
)
_SCRIPTS = command("portstat", "queuestat", "pfcstat", "pg-drop", "watermarkstat", "ecnconfig")
READER = Reader(
    "sonic",
    read,
    commands=re.compile(f"(?:{_SHOW.pattern})|(?:{_SCRIPTS.pattern})"),
    starts=re.compile(
        r"\s*(?:IFACE\s+(?:STATE\s|BIN0)|Port\s+(?:TxQ|Voq)\s+\S+/pkts|Port [RT]x\s+PFC0|Port\s+Priority\s+RX Pause Transitions|"
        r"QUEUE\s+STATUS\s+STORM|PORT\s+ACTION\s+DETECTION|LocalPort\s+RemoteDevice\s|Interface\s+Lossless priorities|"
        r"Interface\s+Lanes\s+Speed\s+MTU|(?:Ingress|Egress) (?:PG dropped packets|headroom per PG|shared pool occupancy per .*):|"
        r"(?:Shared|Headroom) pool maximum occupancy:|For namespace\s*\S*\s*:|Profile:\s*\**\w+\**\s*$|"
        rf"Symbol Errors Per Codeword\s+Codewords|Last cached time was|Interface:\s+{_PORT},\s+via: LLDP)"
    ),
    recognises=lambda head: re.match(rf'\s*+\{{\s*+"{_PORT}"\s*+:\s*+\{{', head) is not None and '"RX_OK"' in head,
    stops=True,
)
