"""Whose machine a name is: hosts by their short and long names, and the devices that fabric tools and LLDP name."""

import re
from collections.abc import Iterable, Mapping
from typing import Literal

from advisor.evidence.bundle import Known

_ADAPTER = re.compile(r"(?:HCA-\d+|mlx\d+_\d+|ib\S*\d\S*|bnxt_re\S*|hfi1_\d+|ConnectX\S*)\Z", re.IGNORECASE)
_SWITCH = re.compile(r"leaf|spine|tor\b|tor\d|core|agg|switch|\bsw[-_]?\d|\bmf0;|quantum", re.IGNORECASE)
_TIER = re.compile(r"leaf|spine|core(?![a-z])", re.IGNORECASE)
# How switches name their ports in LLDP; hosts send a netdev name or a MAC address.
_SWITCH_PORT = re.compile(
    r"(?:Ethernet|Eth|swp|etp|Et|(?:HundredGig|FortyGig|FourHundredGig|TwentyFiveGig|TenGig)\w*|\d+GE|xe-|et-|ge-|Twenty\w*)\s?\d",
    re.IGNORECASE,
)
_HOST_PORT = re.compile(
    r"(?:[0-9a-f]{2}[:-]){5}[0-9a-f]{2}\Z|[0-9a-f]{4}\.[0-9a-f]{4}\.[0-9a-f]{4}\Z|(?:en[psox]|eth\d|mlx|ib|bond|HCA-\d)\S*\Z", re.IGNORECASE
)


def short_names(hosts: Iterable[str]) -> Mapping[str, str]:
    """Long names of which the short one is used too: `gpu-07.dc1.example` -> `gpu-07`. Other names stay as they are."""
    known = set(hosts)
    return {name: short for name in known if "." in name and (short := name.split(".", 1)[0]) in known}


def tier_of_name(name: str) -> Literal["leaf", "spine", "core"] | None:
    """The tier that a switch's own name tells (`IB-ComputeLeaf-101`), where it tells one."""
    found = {word.lower() for word in _TIER.findall(name)}
    return found.pop() if len(found) == 1 else None


def adapter_of(description: str) -> tuple[str, str | None] | None:
    """Host and adapter of a channel adapter's node description (`gpu-07 HCA-1`, `gpu-07 mlx5_0`), or None where it names no host.

    A description of one word is a host's name; one of several words that does not end in an adapter's name is the maker's default text.
    """
    words = description.split()
    if len(words) == 1:
        return words[0], None
    if len(words) == 2 and _ADAPTER.match(words[1]):
        return words[0], words[1]
    return None


def is_switch(name: str, port: str | None) -> bool | None:
    """Whether a neighbour that LLDP or a fabric tool names is a switch, by its port's name, then by its own; None where neither tells."""
    if port:
        if _HOST_PORT.match(port):
            return False
        if _SWITCH_PORT.match(port):
            return True
    if _SWITCH.search(name):
        return True
    return None


def own_name(known: Known) -> str:
    """The name of a listed thing; one that the text does not name (`#1`) is told apart by its capture, so that two such are never one."""
    name = known.names[0]
    return f"{known.origin.name} {name}" if name.startswith("#") else name


class HostNames:
    """The name that the fabric gives to the host of a fact: its short name where sources use both; the capture's name where none tells."""

    def __init__(self, short: Mapping[str, str]) -> None:
        self._short = short
        self.unnamed: set[str] = set()

    def __call__(self, known: Known) -> str:
        if known.host:
            return self.short(known.host)
        self.unnamed.add(known.capture.name)
        return known.capture.name

    def short(self, host: str) -> str:
        return self._short.get(host, host)
