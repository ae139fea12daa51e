"""What the tools of RDMA ports share: keys with their facts, and GIDs with RoCE version and IPv4 address."""

import re
from collections.abc import Callable, Mapping
from ipaddress import IPv6Address

from advisor.readers.contract import Notes
from advisor.readers.shapes import known

Fact = tuple[str, Callable[[str], object]]
STATES = frozenset({"active", "armed", "init", "down"})
_PHYSICAL = frozenset({"linkup", "polling", "disabled", "sleep", "training", "linkerrorrecovery", "phytest", "no state change"})
_WORDS = frozenset({"state", "physical_state", "link_layer"})
_VERSION = re.compile(r"v?(1|2)(?:\.0)?\Z")


def put_key(notes: Notes, n: int, port: str, facts: Mapping[str, Fact], key: str, text: str, cut: bool = False) -> None:
    """A key's value as a fact of a port. What is no value of this key is a problem.

    cut  nothing ends the line: a figure may go on, a word counts if it is one of the known
    """
    fact, as_value = facts[key]
    value = as_value(text)
    if not _is_value(fact, value, cut):
        value = None
    notes.put(n, value, "ports", port, fact)
    if cut and not (fact in _WORDS and value):
        notes.problem(n, "cut", key)
    elif value is None and known(text) and "???" not in text:
        notes.problem(n, "damaged", key)


def _is_value(fact: str, value: object, cut: bool) -> bool:
    if fact == "state":
        return value in STATES
    return _is_physical(value, cut) if fact == "physical_state" else isinstance(value, str) or not cut


def _is_physical(value: object, cut: bool) -> bool:
    return value in _PHYSICAL or (isinstance(value, str) and not cut and not value.isdecimal() and value.strip("?") != "")


def ipv4_of(gid: str) -> str | None:
    """The IPv4 address in a GID (`::ffff:10.0.0.1`, `0000:...:ffff:0a00:0001`); None where it holds none."""
    try:
        mapped = IPv6Address(gid).ipv4_mapped
    except ValueError:
        return None
    return str(mapped) if mapped else None


def roce_version(text: str) -> int | None:
    """`v2`, `RoCE v2`, `2` as a number."""
    match = _VERSION.match(text.strip().lower().removeprefix("roce").strip())
    return int(match[1]) if match else None


def derive_gids(notes: Notes) -> None:
    """Number of GIDs of each port, and the lowest index of a RoCE v2 GID with an IPv4 address."""
    for port, facts in (notes.get("ports") or {}).items():
        gids = facts.get("gids")
        if not gids:
            continue
        line = notes.at.get(("ports", port, "gids", next(iter(gids))), notes.block.first)
        notes.put(line, len(gids), "ports", port, "gid_count")
        routed = [int(index) for index, gid in gids.items() if gid.get("roce_version") == 2 and gid.get("ipv4")]
        if routed:
            best = min(routed)
            notes.put(notes.at.get(("ports", port, "gids", str(best)), line), best, "ports", port, "roce_v2_ipv4_gid_index")
