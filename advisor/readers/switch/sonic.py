"""SONiC: tables of `show interfaces`, `queue`, `pfc`, `pfcwd`, `priority-group`, `buffer_pool`, `ecn` and `lldp`.

A column is told by its header. Rates are printed in multiples of bytes whose base the tool does not say, so they are left aside.
Forms: sonic-utilities, doc/Command-Reference.md.
"""

import re
from collections.abc import Callable, Iterator

from advisor.evidence.reading import Part
from advisor.readers._switch import (
    Cursor,
    Grid,
    Run,
    Section,
    count,
    is_nothing,
    is_rule,
    link_state,
    percent,
    rate_gbps,
    read_sections,
    real,
    rows,
    speed_gbps,
)
from advisor.readers.contract import Block, Notes, Reader, command

_PORT = r"(?:Ethernet|PortChannel|Eth|eth|Loopback|Vlan|Management|Bridge|etp)[\w./-]*"
_ROW = re.compile(rf"\s*{_PORT}(?::\d+)?(?:\s|$)")
_ERROR = re.compile(r"\s*(?:Error|Traceback|Usage:|Try \")")
_CACHED = re.compile(r"\s*Last cached time was ")
_NAMESPACE = re.compile(r"\s*For namespace\s*(\S*?)\s*:\s*$")
_TITLES = {
    "ingress pg dropped packets": "rx_discards",
    "ingress headroom per pg": "headroom_peak_bytes",
    "ingress shared pool occupancy per pg": "shared_peak_bytes",
    "egress shared pool occupancy per unicast queue": "shared_peak_bytes",
    "egress shared pool occupancy per multicast queue": "shared_peak_bytes",
    "egress shared pool occupancy per all queues": "shared_peak_bytes",
    "shared pool maximum occupancy": "peak_bytes",
    "headroom pool maximum occupancy": "peak_bytes",
}
# Column -> fact and how its cell is read.
_COUNTERS: dict[str, tuple[str, Callable[[str], object]]] = {
    "RX_OK": ("rx_packets", count),
    "RX_BPS": ("rx_gbps", rate_gbps),
    "RX_UTIL": ("rx_util_percent", percent),
    "RX_ERR": ("rx_errors", count),
    "RX_DRP": ("rx_discards", count),
    "RX_DROPS": ("rx_discards", count),
    "TX_OK": ("tx_packets", count),
    "TX_BPS": ("tx_gbps", rate_gbps),
    "TX_UTIL": ("tx_util_percent", percent),
    "TX_ERR": ("tx_errors", count),
    "TX_DRP": ("tx_discards", count),
    "TX_DROPS": ("tx_discards", count),
    "FEC_CORR": ("fec_corrected", count),
    "FEC_UNCORR": ("fec_uncorrected", count),
    "FEC_SYMBOL_ERR": ("fec_symbol_errors", count),
    "FEC_PRE_BER": ("raw_ber", real),
    "FEC_POST_BER": ("effective_ber", real),
    "FEC_PRE_BER_MAX": ("raw_ber_max", real),
    "TRIM": ("trimmed", count),
    "TRIM_PKTS": ("trimmed", count),
    "TRIM_TX_PKTS": ("trim_sent", count),
    "TRIM_TX": ("trim_sent", count),
    "TRIM_DRP_PKTS": ("trim_discards", count),
    "TRIM_DRP": ("trim_discards", count),
}
_RAW = {"RX_OVR", "TX_OVR", "RX_PPS", "TX_PPS"}
_QUEUE_COLUMNS = {
    "Counter/pkts": "tx_packets",
    "Counter/bytes": "tx_bytes",
    "Drop/pkts": "tx_discards",
    "Drop/bytes": "tx_discard_bytes",
    "WredDrp/pkts": "wred_discards",
    "WredDrp/bytes": "wred_discard_bytes",
    "EcnMarked/pkts": "ecn_marked",
    "EcnMarked/bytes": "ecn_marked_bytes",
    "Trim/pkts": "trimmed",
    "TrimSent/pkts": "trim_sent",
    "TrimDrop/pkts": "trim_discards",
}
_FEC = {"rs": "rs", "fc": "firecode", "none": "none"}
_ECN_KEY = re.compile(r"(green|yellow|red)_(min_threshold|max_threshold|drop_probability)\Z")
_ECN_PARTS = {"min_threshold": "min_bytes", "max_threshold": "max_bytes", "drop_probability": "drop_percent"}
_PROFILE = re.compile(r"\s*Profile:\s*\**([^*\s]+)\**\s*$")
_PAIR = re.compile(r"\s*([a-z_]+)\s+(\S+)\s*$")
_LLDP = re.compile(rf"\s*Interface:\s+({_PORT}|\S+),\s+via: ")
_DOTS = re.compile(r"\s*([A-Z][\w /().-]*?)\s*\.{2,}\s*(\S.*?)\s*$")


def read(block: Block) -> Iterator[Part]:
    yield from read_sections("sonic", block, _find, _ERROR)


def _find(text: str) -> Section | None:
    words = text.split(None, 2)
    if not words:
        return None
    section = _SECTIONS.get(words[0]) or _SECTIONS.get(" ".join(words[:2]))
    if section is None and words[0] == "Last" and _CACHED.match(text):
        return _cached
    if section is None and text.rstrip().endswith(":") and text.strip().rstrip(":").lower() in _TITLES:
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
            if cells is None:
                notes.problem(n, "cut" if n == cursor.last else "damaged")
                continue
            if right and "" in cells:
                notes.problem(n, "cut" if n == cursor.last else "damaged")
                if n == cursor.last:  # the last word may be cut
                    last = max(i for i, cell in enumerate(cells) if cell)
                    cells[last] = ""
            name = cells[0].split(":")[0]
            notes.thing(n, "interfaces", name)
            if run.said.get("namespace"):
                notes.put(n, run.said["namespace"], "interfaces", name, "namespace")
            row(notes, n, dict(zip(grid.names, cells, strict=True)), run)

    return section


def _figure(notes: Notes, n: int, text: str, reading: Callable[[str], object], *path: str) -> None:
    """A figure at a path. N/A is unknown; what is no figure is a problem."""
    value = reading(text)
    if value is None:
        if not is_nothing(text) and not (reading is rate_gbps and text.endswith("/s")):
            notes.problem(n, "not-a-number", text)
        return
    notes.put(n, value, "interfaces", *path)


def _counters(notes: Notes, n: int, row: dict[str, str], run: Run) -> None:
    name = row["IFACE"]
    for column, text in row.items():
        if column == "STATE":
            state, admin = link_state(text)
            notes.put_all(n, {"state": state, "admin_state": admin}, "interfaces", name)
        elif column in _COUNTERS:
            fact, reading = _COUNTERS[column]
            _figure(notes, n, text, reading, name, fact)
        elif column in _RAW and count(text) is not None:
            notes.put(n, count(text), "interfaces", name, "counters", column)
        elif column.startswith("BIN") and column[3:].isdigit():
            _figure(notes, n, text, count, name, "fec_histogram", column[3:])


def _queues(notes: Notes, n: int, row: dict[str, str], run: Run) -> None:
    queue = row.get("TxQ") or row.get("Voq") or ""
    for column, text in row.items():
        if column in _QUEUE_COLUMNS:
            _figure(notes, n, text, count, row["Port"], "queues", queue, _QUEUE_COLUMNS[column])


def _pfc(direction: str) -> Callable[[Notes, int, dict[str, str], Run], None]:
    def row(notes: Notes, n: int, cells: dict[str, str], run: Run) -> None:
        name = next(iter(cells.values()))
        for column, text in cells.items():
            if column.startswith("PFC"):
                _figure(notes, n, text, count, name, "priorities", column[3:], f"{direction}_pause")

    return row


def _history(notes: Notes, n: int, row: dict[str, str], run: Run) -> None:
    place = (row["Port"], "priorities", row["Priority"].removeprefix("PFC"))
    for column, text in row.items():
        scale = {"US": 1, "MS": 1000}.get(column.rsplit(" ", 1)[-1])
        if column == "RX Pause Transitions":
            _figure(notes, n, text, count, *place, "rx_pause_transitions")
        elif scale and column.startswith(("Total RX Pause Time", "Recent RX Pause Time")):
            fact = "rx_pause_us" if column.startswith("Total") else "rx_pause_recent_us"
            value = count(text)
            _figure(notes, n, str(value * scale) if value is not None else text, count, *place, fact)


def _groups(notes: Notes, n: int, row: dict[str, str], run: Run) -> None:
    """Priority groups or queues, one a column: what the figures are, the title or the command line says."""
    title = _TITLES.get(run.said.get("title", "")) or _by_command(run.command)
    for column, text in row.items():
        if title and column.startswith("PG"):
            _figure(notes, n, text, count, row["Port"], "priority_groups", column[2:], title)
        elif title == "shared_peak_bytes" and re.fullmatch(r"(?:UC|MC|ALL)\d+", column):
            _figure(notes, n, text, count, row["Port"], "queues", column, title)


def _by_command(text: str) -> str | None:
    if "drop" in text:
        return "rx_discards"
    if "watermark" in text:
        return "headroom_peak_bytes" if "headroom" in text else "shared_peak_bytes"
    return None


def _priority(notes: Notes, n: int, row: dict[str, str], run: Run) -> None:
    text = row["Lossless priorities"]
    if not is_nothing(text):
        listed = [count(word) for word in text.split(",")]
        notes.put(n, listed if None not in listed else None, "interfaces", row["Interface"], "pfc_priorities")


def _watchdog(notes: Notes, n: int, row: dict[str, str], run: Run) -> None:
    name, _, priority = row["QUEUE"].partition(":")
    if not priority:
        notes.problem(n, "damaged")
        return
    place = ("interfaces", name, "priorities", priority)
    notes.put(n, None if is_nothing(row["STATUS"]) else row["STATUS"].lower(), *place, "pfcwd_status")
    for column, facts in (
        ("STORM DETECTED/RESTORED", ("pfcwd_detected", "pfcwd_restored")),
        ("TX OK/DROP", ("pfcwd_tx_packets", "pfcwd_tx_discards")),
        ("RX OK/DROP", ("pfcwd_rx_packets", "pfcwd_rx_discards")),
    ):
        pair = row.get(column, "").split("/")
        if len(pair) == 2:
            for fact, text in zip(facts, pair, strict=True):
                _figure(notes, n, text, count, *place[1:], fact)


def _watchdog_config(notes: Notes, n: int, row: dict[str, str], run: Run) -> None:
    if not is_nothing(row["ACTION"]):
        notes.put(n, row["ACTION"].lower(), "interfaces", row["PORT"], "pfcwd_action")


def _status(notes: Notes, n: int, row: dict[str, str], run: Run) -> None:
    name = row["Interface"]
    state, _ = link_state(row["Oper"])
    admin = row["Admin"].lower()
    fec = row.get("FEC", "").lower()
    values = {
        "state": "down" if admin == "down" else state,
        "admin_state": admin if admin in ("up", "down") else None,
        "rate_gbps": speed_gbps(row.get("Speed", "")),
        "mtu_bytes": count(row.get("MTU", "")),
        "fec": _FEC.get(fec),
    }
    notes.put_all(n, values, "interfaces", name)


def _neighbours(notes: Notes, n: int, row: dict[str, str], run: Run) -> None:
    for column, fact in (("RemoteDevice", "peer_device"), ("RemotePortID", "peer_port")):
        if not is_nothing(row[column]):
            notes.put(n, row[column], "interfaces", row["LocalPort"], fact)


def _nothing(notes: Notes, n: int, row: dict[str, str], run: Run) -> None:
    notes.use(n)


def _port(cursor: Cursor, notes: Notes, run: Run) -> None:
    """Tables whose first column is `Port`."""
    names = set(Grid(cursor.peek()).names)
    if "TxQ" in names or "Voq" in names:
        _table(_queues, {"Port"})(cursor, notes, run)
    elif "RX Pause Transitions" in names:
        _table(_history, {"Port", "Priority"})(cursor, notes, run)
    elif "Port Rx" in names:
        _table(_pfc("rx"), {"PFC0"})(cursor, notes, run)
    elif "Port Tx" in names:
        _table(_pfc("tx"), {"PFC0"})(cursor, notes, run)
    elif any(re.fullmatch(r"(?:PG|UC|MC|ALL)\d+", name) for name in names) and (run.said.get("title") or _by_command(run.command)):
        _table(_groups, {"Port"})(cursor, notes, run)


def _interface(cursor: Cursor, notes: Notes, run: Run) -> None:
    """Tables whose first column is `Interface`."""
    names = set(Grid(cursor.peek()).names)
    if "Lossless priorities" in names:
        _table(_priority, {"Interface"}, right=False)(cursor, notes, run)
    elif {"Oper", "Admin", "Speed", "MTU"} <= names:
        _table(_status, {"Interface"}, right=False)(cursor, notes, run)
    elif {"Oper", "Admin"} <= names or "Asymmetric" in names:
        _table(_nothing, {"Interface"}, right=False)(cursor, notes, run)


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
    for n, text in rows(cursor, notes, re.compile(r"\s*BIN\d+\s").match):
        label, _, value = text.strip().partition(" ")
        _figure(notes, n, value.strip(), count, name, "fec_histogram", label[3:])


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
    "IFACE": _table(_counters, {"IFACE"}),
    "Port": _port,
    "Interface": _interface,
    "QUEUE": _table(_watchdog, {"QUEUE", "STATUS"}),
    "PORT": _table(_watchdog_config, {"PORT", "ACTION"}, right=False),
    "LocalPort": _table(_neighbours, {"LocalPort", "RemoteDevice", "RemotePortID"}, right=False),
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
    stops=True,
)
