"""Prometheus: answers to queries (JSON), and the exposition text of node_exporter (InfiniBand, networks) and snmp_exporter (IF-MIB)."""

import re
from collections.abc import Callable, Iterator
from typing import Any

from advisor.evidence.reading import Part
from advisor.readers._ib_counters import port_counters
from advisor.readers._promtool import INSTANT, RANGE, promtool
from advisor.readers._series import answer, counter, label_pairs, put_series
from advisor.readers.contract import Block, Notes, Reader, command

_SAMPLE = re.compile(r"\s*([A-Za-z_:][\w:]*)(?:\{(.*)\})?\s+([-+]?(?:\d[\d.]*(?:[eE][-+]?\d+)?|Inf|NaN))(?:\s+-?\d+)?\s*\Z")
_OPEN_SAMPLE = re.compile(r"\s*(?:node_|if[A-Z])[\w:]*(?:\{[^}]*\}?\s*[\d.e+-]*|\s*[\d.]*)\Z")
_COMMENT = re.compile(r"\s*#(?: (?:HELP|TYPE|UNIT|EOF)\b.*)?\s*\Z")
_OTHER_READER = "DCGM_FI_"
_INFINIBAND = "node_infiniband_"
_NETWORK = "node_network_"

# node_exporter's words for port counters -> their name in InfiniBand; bytes are octets here, not words.
_PORT_COUNTERS = {
    "port_packets_received_total": "PortRcvPkts",
    "port_packets_transmitted_total": "PortXmitPkts",
    "port_errors_received_total": "PortRcvErrors",
    "port_discards_transmitted_total": "PortXmitDiscards",
    "port_transmit_wait_total": "PortXmitWait",
    "link_downed_total": "LinkDownedCounter",
    "link_error_recovery_total": "LinkErrorRecoveryCounter",
    "symbol_error_total": "SymbolErrorCounter",
}
_PORT_BYTES = {"port_data_received_bytes_total": "rx_bytes", "port_data_transmitted_bytes_total": "tx_bytes"}
_STATES = {1: "down", 2: "init", 3: "armed", 4: "active"}
_PHYSICAL = {1: "sleep", 2: "polling", 3: "disabled", 4: "training", 5: "linkup", 6: "linkerrorrecovery", 7: "phytest"}


def _same(value: float) -> object:
    return value


def _gbps(factor: float) -> Callable[[float], object]:
    return lambda value: value * factor / 1e9


def _up(value: float) -> object:
    return {1: "up", 2: "down", 3: "testing"}.get(int(value))


def _active(value: float) -> object:
    return {1: "active", 2: "down", 7: "down"}.get(int(value))


_Fact = tuple[str, Callable[[float], object]]
_NETWORK_FACTS: dict[str, _Fact] = {
    "receive_bytes_total": ("rx_bytes", _same),
    "transmit_bytes_total": ("tx_bytes", _same),
    "receive_packets_total": ("rx_packets", _same),
    "transmit_packets_total": ("tx_packets", _same),
    "receive_errs_total": ("rx_errors", _same),
    "transmit_errs_total": ("tx_errors", _same),
    "mtu_bytes": ("mtu_bytes", _same),
    "speed_bytes": ("rate_gbps", lambda value: value * 8 / 1e9 if value > 0 else None),
    "up": ("state", lambda value: "active" if value == 1 else "down"),
}
# IF-MIB (RFC 2863). The 32-bit octets count only where the 64-bit ones are missing.
_SNMP_FACTS: dict[str, _Fact] = {
    "ifHCInOctets": ("rx_bytes", _same),
    "ifHCOutOctets": ("tx_bytes", _same),
    "ifInErrors": ("rx_errors", _same),
    "ifOutErrors": ("tx_errors", _same),
    "ifInDiscards": ("rx_discards", _same),
    "ifOutDiscards": ("tx_discards", _same),
    "ifMtu": ("mtu_bytes", _same),
    "ifHighSpeed": ("rate_gbps", _gbps(1e6)),
    "ifOperStatus": ("state", _active),
    "ifAdminStatus": ("admin_state", _up),
}
_SNMP_NARROW: dict[str, _Fact] = {
    "ifInOctets": ("rx_bytes", _same),
    "ifOutOctets": ("tx_bytes", _same),
    "ifSpeed": ("rate_gbps", lambda value: value / 1e9 if 0 < value < 0xFFFFFFFF else None),
}
_SNMP_COUNTERS = re.compile(r"if(?:HC)?(?:In|Out)(?:Ucast|Multicast|Broadcast|NUcast)Pkts\Z|dot3\w+\Z")


def read(block: Block) -> Iterator[Part]:
    first = next((text for _, text in block.lines.inked()), "")
    if INSTANT.match(first) or RANGE.match(first):
        yield from (notes.part() for notes in promtool(block))
    elif first.lstrip()[:1] in ("{", "["):
        yield from _answers(block)
    else:
        yield from _exposition(block)


# --- answers --------------------------------------------------------------------------------------------------


def _answers(block: Block) -> Iterator[Part]:
    found = answer(block.lines)
    if found is None:
        return
    notes = Notes("prometheus", block)
    notes.use_range(block.lines.numbers[0], found.last)
    first = next(n for n, _ in block.lines.inked())
    if found.error is not None:
        notes.problem(first, "tool-error", found.error)
        yield notes.part()
        return
    notes.put(first, found.result_type, "result_type")
    put_series(notes, found.series)
    if found.broken is not None:
        notes.problem(found.broken, "cut")
        del notes.facts["series_count"]  # more series followed
    yield notes.part()


# --- exposition -----------------------------------------------------------------------------------------------


class _Scrape:
    """The samples of one scrape that this program has a use for, by port and interface."""

    def __init__(self, block: Block) -> None:
        self.notes = Notes("prometheus", block)
        self.raw: dict[str, dict[str, tuple[int, int]]] = {}  # port -> counter -> value and line
        self.devices: dict[str, tuple[int, dict[str, str]]] = {}
        self.seen: set[str] = set()


def _exposition(block: Block) -> Iterator[Part]:
    scrape, start = _Scrape(block), 0
    for i, (n, text) in enumerate(block.lines):
        if not text or text.isspace():
            continue
        if _OTHER_READER in text:
            break
        if _COMMENT.match(text):
            scrape.notes.ignore(n, "comment")
            continue
        sample = _SAMPLE.match(text)
        if sample is None:
            _other(scrape.notes, n, text)
            continue
        key = text[: sample.start(3)].strip()
        ours = sample[1].startswith((_INFINIBAND, _NETWORK, "if", "dot3"))
        if ours and key in scrape.seen:  # another scrape, or another target
            yield from _closed(scrape, block, start, i)
            scrape, start = _Scrape(block), i
        if ours:
            scrape.seen.add(key)
            if n == len(block.lines.raw):
                scrape.notes.problem(n, "cut")  # no line end behind it: more digits may have followed
                continue
        _sample(scrape, n, sample[1], dict(label_pairs(sample[2] or "")), sample[3])
    yield from _closed(scrape, block, start, len(block.lines))


def _other(notes: Notes, n: int, text: str) -> None:
    if text.strip() in ("...", "…"):
        notes.problem(n, "left-out")
    elif _OPEN_SAMPLE.match(text):
        notes.problem(n, "cut" if n == len(notes.block.lines.raw) else "damaged")


def _sample(scrape: _Scrape, n: int, name: str, labels: dict[str, str], text: str) -> None:
    notes, value = scrape.notes, counter(text)
    if value is None:
        notes.ignore(n, "no number")
    elif name.startswith(_INFINIBAND):
        _infiniband(scrape, n, name, labels, value)
    elif name.startswith(_NETWORK) and "device" in labels:
        fact = _NETWORK_FACTS.get(name.removeprefix(_NETWORK))
        path = ("interfaces", labels["device"])
        if fact:
            notes.put(n, fact[1](value), *path, fact[0])
        elif name.endswith("_total"):
            notes.put(n, value, *path, "counters", name)
        else:
            notes.ignore(n, "no fact of ours")
    elif name.startswith(("if", "dot3")) and (interface := labels.get("ifName") or labels.get("ifDescr") or labels.get("ifIndex")):
        _snmp(notes, n, name, interface, labels, value)
    else:
        notes.ignore(n, "no fact of ours")


def _infiniband(scrape: _Scrape, n: int, name: str, labels: dict[str, str], value: int | float) -> None:
    notes, word, device = scrape.notes, name.removeprefix(_INFINIBAND), labels.get("device")
    if device is None:
        notes.ignore(n, "no fact of ours")
        return
    if word == "info":
        scrape.devices[device] = (n, labels)
        notes.use(n)
        return
    port = f"{device}/{labels['port']}" if labels.get("port") else device
    path = ("ports", port)
    notes.thing(n, *path)
    if word in _PORT_BYTES:
        notes.put(n, value, *path, _PORT_BYTES[word])
    elif word in _PORT_COUNTERS and isinstance(value, int):
        scrape.raw.setdefault(port, {})[_PORT_COUNTERS[word]] = (value, n)
    elif word == "rate_bytes_per_second":
        notes.put(n, value * 8 / 1e9, *path, "rate_gbps")
    elif word == "state_id":
        notes.put(n, _STATES.get(int(value)), *path, "state")
    elif word == "physical_state_id":
        notes.put(n, _PHYSICAL.get(int(value)), *path, "physical_state")
    else:
        notes.put(n, value, *path, "counters", name)


def _snmp(notes: Notes, n: int, name: str, interface: str, labels: dict[str, str], value: int | float) -> None:
    path = ("interfaces", interface)
    if fact := _SNMP_FACTS.get(name):
        notes.put(n, fact[1](value), *path, fact[0])
    elif fact := _SNMP_NARROW.get(name):
        if notes.get(*path, fact[0]) is None:
            notes.put(n, fact[1](value), *path, fact[0])
        else:
            notes.ignore(n, "told wider")
    elif _SNMP_COUNTERS.match(name):
        notes.put(n, value, *path, "counters", name)
    else:
        notes.ignore(n, "no fact of ours")
    if labels.get("ifAlias") and notes.get(*path) is not None:
        notes.put(n, labels["ifAlias"], *path, "description")


def _closed(scrape: _Scrape, block: Block, start: int, end: int) -> Iterator[Part]:
    notes = scrape.notes
    for port, raw in scrape.raw.items():
        facts: dict[str, Any] = port_counters({name: value for name, (value, _) in raw.items()})
        first = min(line for _, line in raw.values())
        notes.put_all(first, facts, "ports", port)
        for name, (_, line) in raw.items():
            for key in port_counters({name: 0}):
                notes.at[("ports", port, key)] = line
    for device, (line, labels) in scrape.devices.items():
        for port in notes.get("ports") or {}:
            if port == device or port.startswith(f"{device}/"):
                notes.put(line, labels.get("firmware_version") or None, "ports", port, "firmware")
                notes.put(line, labels.get("hca_type") or None, "ports", port, "model")
                notes.put(line, labels.get("board_id") or None, "ports", port, "board_id")
    notes.count("ports", "port_count")
    notes.count("interfaces", "interface_count")
    if notes.facts:
        lines = block.lines[start:end]
        notes.block = Block(lines, block.command, block.host, block.first if start == 0 else lines.numbers[0])
        yield notes.part()


_STARTS = re.compile(
    r"\s*(?:# (?:HELP|TYPE) (?:node_(?:infiniband|network|arp|boot|cpu|uname)|"
    r"if(?:HC|In|Out|Oper|Admin|High|Mtu|Speed|Alias|Last|Type|Phys))\w* |"
    r"[A-Za-z_:][\w:]*\{[^}]{0,2000}\} =>(?: [-+]?[\d.]|\s*\Z)|"
    r"(?:node_(?:infiniband|network)_\w+|if(?:HC|In|Out|Oper|Admin|High|Mtu|Speed)\w+)\{[^}]*\} [\d.])"
)
_HEAD = re.compile(r'"resultType"\s*:\s*"(?:matrix|vector|scalar|string|streams)"|"status"\s*:\s*"error"\s*,\s*"errorType"')
_RESULT = re.compile(r'\s*\[\s*\{\s*"metric"\s*:\s*\{[^}]*\}\s*,\s*"values?"\s*:\s*\[')


def _recognises(head: str) -> bool:
    start = head.lstrip()[:1]
    return (start == "{" and _HEAD.search(head, 0, 4096) is not None) or (start == "[" and _RESULT.match(head) is not None)


READER = Reader(
    "prometheus",
    read,
    commands=command("curl", "wget", "promtool", options=r"(?:/api/v1/query|query (?:instant|range)\b|:9100/metrics\b|/snmp\?)"),
    starts=_STARTS,
    recognises=_recognises,
)
