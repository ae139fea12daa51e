"""What the metrics of node_exporter (InfiniBand, networks) and snmp_exporter (IF-MIB) are to this program."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from advisor.readers._ib_counters import port_counters

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
CEILINGS = frozenset({0xFF, 0xFFFF, 0xFFFFFFFF})  # of some counter: `port_counters` knows of which
_STATES = {1: "down", 2: "init", 3: "armed", 4: "active"}
_PHYSICAL = {1: "sleep", 2: "polling", 3: "disabled", 4: "training", 5: "linkup", 6: "linkerrorrecovery", 7: "phytest"}
_ADMIN = {1: "up", 2: "down", 3: "testing"}
_OPERATION = {1: "active", 2: "down", 7: "down"}

Convert = Callable[[Any], object]
_Fact = tuple[str, Convert | None]


def _gbps(factor: float) -> Convert:
    return lambda value: value * factor / 1e9


def _word_of(words: dict[int, str]) -> Convert:
    return lambda value: words.get(int(value))


_PORT_FACTS: dict[str, _Fact] = {
    "port_data_received_bytes_total": ("rx_bytes", None),
    "port_data_transmitted_bytes_total": ("tx_bytes", None),
    "rate_bytes_per_second": ("rate_gbps", _gbps(8)),
    "state_id": ("state", _word_of(_STATES)),
    "physical_state_id": ("physical_state", _word_of(_PHYSICAL)),
}
_NETWORK_FACTS: dict[str, _Fact] = {
    "receive_bytes_total": ("rx_bytes", None),
    "transmit_bytes_total": ("tx_bytes", None),
    "receive_packets_total": ("rx_packets", None),
    "transmit_packets_total": ("tx_packets", None),
    "receive_errs_total": ("rx_errors", None),
    "transmit_errs_total": ("tx_errors", None),
    "mtu_bytes": ("mtu_bytes", None),
    "speed_bytes": ("rate_gbps", lambda value: value * 8 / 1e9 if value > 0 else None),
    "up": ("state", lambda value: "active" if value == 1 else "down"),
}
# IF-MIB (RFC 2863). The 32-bit octets count only where the 64-bit ones are missing.
_SNMP_FACTS: dict[str, _Fact] = {
    "ifHCInOctets": ("rx_bytes", None),
    "ifHCOutOctets": ("tx_bytes", None),
    "ifInErrors": ("rx_errors", None),
    "ifOutErrors": ("tx_errors", None),
    "ifInDiscards": ("rx_discards", None),
    "ifOutDiscards": ("tx_discards", None),
    "ifMtu": ("mtu_bytes", None),
    "ifHighSpeed": ("rate_gbps", _gbps(1e6)),
    "ifOperStatus": ("state", _word_of(_OPERATION)),
    "ifAdminStatus": ("admin_state", _word_of(_ADMIN)),
}
_SNMP_NARROW: dict[str, _Fact] = {
    "ifInOctets": ("rx_bytes", None),
    "ifOutOctets": ("tx_bytes", None),
    "ifSpeed": ("rate_gbps", lambda value: value / 1e9 if 0 < value < 0xFFFFFFFF else None),
}
_SNMP_COUNTERS = re.compile(r"if(?:HC)?(?:In|Out)(?:Ucast|Multicast|Broadcast|NUcast)Pkts\Z|dot3\w+\Z")


# --- what a metric means --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Metric:
    """What the samples of a metric are to us.

    things   the things that its labels name: "ports", "interfaces"; None where it is nothing of ours
    key      of the fact; None where the samples hold no fact of ours
    convert  the value as a fact; None leaves it as it is
    raw      name of an InfiniBand counter, which may stand at its ceiling
    counter  the fact stands under the thing's `counters`
    narrow   it counts only where a wider figure is missing
    info     its labels are the facts
    """

    things: str | None = None
    key: str | None = None
    convert: Convert | None = None
    raw: str | None = None
    counter: bool = False
    narrow: bool = False
    info: bool = False


@lru_cache(maxsize=4096)
def metric(name: str) -> Metric:
    if name.startswith(_INFINIBAND):
        return _infiniband(name, name.removeprefix(_INFINIBAND))
    if name.startswith(_NETWORK):
        fact = _NETWORK_FACTS.get(name.removeprefix(_NETWORK))
        if fact:
            return Metric("interfaces", *fact)
        return Metric("interfaces", name, counter=True) if name.endswith("_total") else Metric("interfaces")
    if not name.startswith(("if", "dot3")):
        return Metric()
    if fact := _SNMP_FACTS.get(name):
        return Metric("interfaces", *fact)
    if fact := _SNMP_NARROW.get(name):
        return Metric("interfaces", *fact, narrow=True)
    return Metric("interfaces", name, counter=True) if _SNMP_COUNTERS.match(name) else Metric("interfaces")


def _infiniband(name: str, word: str) -> Metric:
    if word == "info":
        return Metric("ports", info=True)
    if fact := _PORT_FACTS.get(word):
        return Metric("ports", *fact)
    if raw := _PORT_COUNTERS.get(word):
        return Metric("ports", next(iter(port_counters({raw: 0}))), raw=raw)
    return Metric("ports", name, counter=True)


def named_by(name: str, labels: dict[str, str]) -> str | None:
    """The port or interface that a sample's labels name."""
    if name.startswith(("if", "dot3")):
        return labels.get("ifName") or labels.get("ifDescr") or labels.get("ifIndex")
    device = labels.get("device")
    return f"{device}/{labels['port']}" if device and name.startswith(_INFINIBAND) and labels.get("port") else device
