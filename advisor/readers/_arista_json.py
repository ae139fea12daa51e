"""`show interfaces`, its `status`, `show lldp neighbors` and `show priority-flow-control counters` of Arista EOS with `| json`."""

import re
from collections.abc import Iterator
from typing import Any

from advisor.evidence.reading import Part
from advisor.readers._json import Json, parse
from advisor.readers.contract import Block, Notes

_JSON_COUNTERS = {
    "inOctets": "rx_bytes",
    "outOctets": "tx_bytes",
    "inDiscards": "rx_discards",
    "outDiscards": "tx_discards",
    "totalInErrors": "rx_errors",
    "totalOutErrors": "tx_errors",
    "inTotalPkts": "rx_packets",
}


_OWN_KEYS = re.compile(
    r'"(?:lineProtocolStatus|interfaceStatuses|lldpNeighbors)"\s*:|"interfaceCounters"\s*:\s*\{\s*"Ethernet[^"]*"\s*:\s*\{\s*"[rt]xFrames"'
)


def is_json(head: str) -> bool:
    """Whether a text is one of these answers."""
    if not head.lstrip().startswith("{"):
        return False
    return _OWN_KEYS.search(head) is not None or ('"interfaces"' in head and '"interfaceCounters"' in head)


def read_json(block: Block) -> Iterator[Part]:
    found = parse(block.lines)
    if found is None or not isinstance(found.tree, dict):
        return
    notes = Notes("arista-eos", block)
    for name, content in _things(found.tree, "interfaces"):
        if "lineProtocolStatus" in content or "interfaceCounters" in content:
            _json_port(notes, found, name, content)
    for name, content in _things(found.tree, "interfaceStatuses"):
        _status(notes, found.line("interfaceStatuses", name), name, content)
    for name, content in _things(found.tree, "interfaceCounters"):
        line = found.line("interfaceCounters", name)
        for key, fact in (("rxFrames", "rx_pfc"), ("txFrames", "tx_pfc")):
            notes.put(line, content.get(key) if isinstance(content.get(key), int) else None, "interfaces", name, fact)
    neighbours = found.tree.get("lldpNeighbors")
    for i, row in enumerate(neighbours if isinstance(neighbours, list) else []):
        if isinstance(row, dict) and isinstance(row.get("port"), str) and notes.get("interfaces", row["port"]) is None:
            place = ("interfaces", row["port"])
            notes.thing(found.line("lldpNeighbors", i), *place)
            notes.put(found.line("lldpNeighbors", i), row.get("neighborDevice") or None, *place, "peer_device")
            notes.put(found.line("lldpNeighbors", i), row.get("neighborPort") or None, *place, "peer_port")
    notes.count("interfaces", "interface_count")
    if notes.facts:
        notes.use_range(block.lines.numbers[0], found.last)
        if found.broken is not None:
            notes.problem(found.broken, "cut")
        yield notes.part()


def _things(tree: dict[str, Any], key: str) -> Iterator[tuple[str, dict[str, Any]]]:
    things = tree.get(key)
    yield from ((name, content) for name, content in things.items() if isinstance(content, dict)) if isinstance(things, dict) else ()


def _status(notes: Notes, line: int, name: str, content: dict[str, Any]) -> None:
    """A port of `show interfaces status`: only `disabled` says that somebody wants it down."""
    word, bandwidth = content.get("linkStatus"), content.get("bandwidth")
    facts = {
        "state": ("active" if word == "connected" else "down") if isinstance(word, str) else None,
        "admin_state": "down" if word == "disabled" else None,
        "rate_gbps": bandwidth / 1e9 if isinstance(bandwidth, int) and bandwidth else None,
        "duplex": {"duplexFull": "full", "duplexHalf": "half"}.get(str(content.get("duplex"))),
    }
    notes.thing(line, "interfaces", name)
    notes.put_all(line, facts, "interfaces", name)


def _json_port(notes: Notes, found: Json, name: str, content: dict[str, Any]) -> None:
    def put(key: str, value: object, fact: str) -> None:
        notes.put(found.line("interfaces", name, key), value, "interfaces", name, fact)

    notes.thing(found.line("interfaces", name), "interfaces", name)
    if isinstance(content.get("lineProtocolStatus"), str):
        put("lineProtocolStatus", "active" if content["lineProtocolStatus"] == "up" else "down", "state")
    if content.get("interfaceStatus") == "disabled":
        put("interfaceStatus", "down", "admin_state")
    bandwidth, mtu = content.get("bandwidth"), content.get("mtu")
    put("bandwidth", bandwidth / 1e9 if isinstance(bandwidth, int) and bandwidth else None, "rate_gbps")
    put("mtu", mtu if isinstance(mtu, int) else None, "mtu_bytes")
    put("duplex", {"duplexFull": "full", "duplexHalf": "half"}.get(str(content.get("duplex"))), "duplex")
    given = content.get("interfaceCounters")
    counters: dict[str, Any] = given if isinstance(given, dict) else {}
    for key, fact in _JSON_COUNTERS.items():
        put("interfaceCounters", counters.get(key) if isinstance(counters.get(key), int) else None, fact)
    for detail, keys in (
        ("inputErrorsDetail", {"fcsErrors": "crc_errors", "symbolErrors": "symbol_errors", "rxPause": "rx_pause"}),
        ("outputErrorsDetail", {"txPause": "tx_pause"}),
    ):
        inner = counters.get(detail)
        values = inner if isinstance(inner, dict) else {}
        for key, fact in keys.items():
            put("interfaceCounters", values.get(key) if isinstance(values.get(key), int) else None, fact)
