"""What a row of each of SONiC's tables says: column by column into the facts of its port."""

import re
from collections.abc import Callable

from advisor.readers._figures import count, is_nothing, link_state, percent, rate_gbps, real, speed_gbps
from advisor.readers._switch import Run
from advisor.readers.contract import Notes

TITLES = {
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


def figure(notes: Notes, n: int, text: str, reading: Callable[[str], object], *path: str) -> None:
    """A figure at a path. N/A is unknown; what is no figure is a problem."""
    value = reading(text)
    if value is None:
        if not is_nothing(text) and not (reading is rate_gbps and text.endswith("/s")):
            notes.problem(n, "not-a-number", text)
        return
    notes.put(n, value, "interfaces", *path)


def counters(notes: Notes, n: int, row: dict[str, str], run: Run) -> None:
    name = row["IFACE"]
    for column, text in row.items():
        if column == "STATE":
            state, admin = link_state(text)
            notes.put_all(n, {"state": state, "admin_state": admin}, "interfaces", name)
        elif column in _COUNTERS:
            fact, reading = _COUNTERS[column]
            figure(notes, n, text, reading, name, fact)
        elif column in _RAW and count(text) is not None:
            notes.put(n, count(text), "interfaces", name, "counters", column)
        elif column.startswith("BIN") and column[3:].isdecimal():
            figure(notes, n, text, count, name, "fec_histogram", column[3:])


def queues(notes: Notes, n: int, row: dict[str, str], run: Run) -> None:
    queue = row.get("TxQ") or row.get("Voq") or ""
    for column, text in row.items():
        if column in _QUEUE_COLUMNS:
            figure(notes, n, text, count, row["Port"], "queues", queue, _QUEUE_COLUMNS[column])


def pfc(direction: str) -> Callable[[Notes, int, dict[str, str], Run], None]:
    def row(notes: Notes, n: int, cells: dict[str, str], run: Run) -> None:
        name = next(iter(cells.values()))
        for column, text in cells.items():
            if column.startswith("PFC"):
                figure(notes, n, text, count, name, "priorities", column[3:], f"{direction}_pause")

    return row


def history(notes: Notes, n: int, row: dict[str, str], run: Run) -> None:
    place = (row["Port"], "priorities", row["Priority"].removeprefix("PFC"))
    for column, text in row.items():
        scale = {"US": 1, "MS": 1000}.get(column.rsplit(" ", 1)[-1])
        if column == "RX Pause Transitions":
            figure(notes, n, text, count, *place, "rx_pause_transitions")
        elif scale and column.startswith(("Total RX Pause Time", "Recent RX Pause Time")):
            fact = "rx_pause_us" if column.startswith("Total") else "rx_pause_recent_us"
            value = count(text)
            figure(notes, n, str(value * scale) if value is not None else text, count, *place, fact)


def groups(notes: Notes, n: int, row: dict[str, str], run: Run) -> None:
    """Priority groups or queues, one a column: what the figures are, the title or the command line says."""
    title = TITLES.get(run.said.get("title", "")) or by_command(run.command)
    for column, text in row.items():
        if title and column.startswith("PG"):
            figure(notes, n, text, count, row["Port"], "priority_groups", column[2:], title)
        elif title == "shared_peak_bytes" and re.fullmatch(r"(?:UC|MC|ALL)\d+", column):
            figure(notes, n, text, count, row["Port"], "queues", column, title)


def by_command(text: str) -> str | None:
    if "drop" in text:
        return "rx_discards"
    if "watermark" in text:
        return "headroom_peak_bytes" if "headroom" in text else "shared_peak_bytes"
    return None


def priority(notes: Notes, n: int, row: dict[str, str], run: Run) -> None:
    text = row["Lossless priorities"]
    if not is_nothing(text):
        listed = [count(word) for word in text.split(",")]
        notes.put(n, listed if None not in listed else None, "interfaces", row["Interface"], "pfc_priorities")


def watchdog(notes: Notes, n: int, row: dict[str, str], run: Run) -> None:
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
        text = row.get(column, "")
        pair = text.split("/")
        if len(pair) == 2 and not is_nothing(text):
            for fact, cell in zip(facts, pair, strict=True):
                figure(notes, n, cell, count, *place[1:], fact)


def watchdog_config(notes: Notes, n: int, row: dict[str, str], run: Run) -> None:
    if not is_nothing(row["ACTION"]):
        notes.put(n, row["ACTION"].lower(), "interfaces", row["PORT"], "pfcwd_action")


def status(notes: Notes, n: int, row: dict[str, str], run: Run) -> None:
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


def neighbours(notes: Notes, n: int, row: dict[str, str], run: Run) -> None:
    for column, fact in (("RemoteDevice", "peer_device"), ("RemotePortID", "peer_port")):
        if not is_nothing(row[column]):
            notes.put(n, row[column], "interfaces", row["LocalPort"], fact)


def nothing(notes: Notes, n: int, row: dict[str, str], run: Run) -> None:
    notes.use(n)
