"""Port counters of InfiniBand (PMA) under the names that this program uses for all tools, and which of them stand at their ceiling.

Widths are those of the classic PortCounters attribute (InfiniBand Architecture, 16.1.3.5); data counters count words of four octets.
"""

from collections.abc import Mapping

# Name in lower case without `counter` at its end -> common key. Old perfquery, sysfs and ibdiagnet spell the same counters differently.
_COMMON = {
    "symbolerror": "symbol_errors",
    "symbolerrors": "symbol_errors",
    "linkerrorrecovery": "link_error_recovery",
    "linkrecovers": "link_error_recovery",
    "linkdowned": "link_downed",
    "portrcverrors": "rx_errors",
    "rcverrors": "rx_errors",
    "portxmitdiscards": "tx_discards",
    "portxmitdiscard": "tx_discards",
    "xmtdiscards": "tx_discards",
    "portxmitwait": "xmit_wait",
    "xmtwait": "xmit_wait",
    "portxmitpkts": "tx_packets",
    "xmtpkts": "tx_packets",
    "portrcvpkts": "rx_packets",
    "rcvpkts": "rx_packets",
}
_DATA = {
    "portxmitdata": "tx_bytes",
    "xmtdata": "tx_bytes",
    "xmtbytes": "tx_bytes",
    "portrcvdata": "rx_bytes",
    "rcvdata": "rx_bytes",
    "rcvbytes": "rx_bytes",
}
_CEILINGS = {
    "symbol_errors": 0xFFFF,
    "link_error_recovery": 0xFF,
    "link_downed": 0xFF,
    "rx_errors": 0xFFFF,
    "tx_discards": 0xFFFF,
    "xmit_wait": 0xFFFFFFFF,
    "tx_packets": 0xFFFFFFFF,
    "rx_packets": 0xFFFFFFFF,
}
_WORD_OCTETS = 4


def port_counters(raw: Mapping[str, int], wide: bool = False) -> dict[str, object]:
    """Facts of a port from its raw counters. `wide`: the counters have 64 bits, so the classic ceilings are plain values."""
    facts: dict[str, object] = {}
    rest: dict[str, int] = {}
    for name, value in raw.items():
        word = name.lower().replace("_", "").removesuffix("extended").removesuffix("counter")
        if word in _DATA:
            key = _DATA[word]
            if value == 0xFFFFFFFF and not wide:
                facts.setdefault("saturated", []).append(key)  # type: ignore[attr-defined]
            if key not in facts or name.lower().endswith("extended"):
                facts[key] = value * _WORD_OCTETS
            rest[name] = value
        elif word in _COMMON:
            key = _COMMON[word]
            if key not in facts or name.lower().endswith("extended"):
                facts[key] = value
            if value == _CEILINGS[key] and not wide:
                facts.setdefault("saturated", []).append(key)  # type: ignore[attr-defined]
        else:
            rest[name] = value
    if rest:
        facts["counters"] = rest
    return facts
