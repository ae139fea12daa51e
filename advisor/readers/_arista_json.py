"""`show interfaces | json` of Arista EOS."""

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


def read_json(block: Block) -> Iterator[Part]:
    """`show interfaces | json`."""
    found = parse(block.lines)
    ports = found.tree.get("interfaces") if found and isinstance(found.tree, dict) else None
    if found is None or not isinstance(ports, dict):
        return
    notes = Notes("arista-eos", block)
    for name, content in ports.items():
        if isinstance(content, dict) and ("lineProtocolStatus" in content or "interfaceCounters" in content):
            _json_port(notes, found, name, content)
    notes.count("interfaces", "interface_count")
    if notes.facts:
        notes.use_range(block.lines.numbers[0], found.last)
        if found.broken is not None:
            notes.problem(found.broken, "cut")
        yield notes.part()


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
