"""The shape of a fabric as a whole: how many tiers, how many rails, and whether anything crosses at all."""

from collections.abc import Iterator, Mapping

from advisor.evidence.bundle import Bundle
from advisor.fabric import design
from advisor.fabric.facts import entries, number, whole
from advisor.fabric.model import Conflict, Host, Leaf
from advisor.fabric.wiring import Wiring

# Statements of a design that leads up from its leaves.
_LEADS_UP = ("uplinks_per_leaf", "spine_count", "ratio")


def tier_count(bundle: Bundle, wires: Wiring, one_leaf: bool) -> int | None:
    """Tiers of switches: three where cables or a scheduler show a core, else as stated, else one for a single leaf; None where open."""
    seen = set(wires.tier_of.values())
    if "core" in seen or any(link.tier == "spine" for link in wires.links):
        return 3
    return whole(design.figure(bundle, "fabric", "tiers")) or (1 if one_leaf else None)


def is_one_leaf(bundle: Bundle, wires: Wiring, hosts: Mapping[str, Host], leaves: tuple[Leaf, ...]) -> bool:
    """Whether all hosts hang on one leaf and nothing leads up from it, as seen or stated.

    As seen: one leaf, no uplink of it, no other switch, and every known host is on it. A stated design that leads up is no such fabric.
    """
    if any(design.figure(bundle, "fabric", key) for key in _LEADS_UP) or (whole(design.figure(bundle, "fabric", "tiers")) or 1) > 1:
        return False
    if design.word(bundle, "fabric", "topology") == "single-switch" or whole(design.figure(bundle, "fabric", "leaf_count")) == 1:
        return len(leaves) <= 1
    others = wires.tier_of.keys() - {switch for leaf in leaves for switch in wires.groups.get(leaf.name, (leaf.name,))}
    if len(leaves) != 1 or others or leaves[0].uplinks or leaves[0].uplinks_down or leaves[0].up_gbps:
        return False
    return bool(hosts) and all(host.leaf == leaves[0].name for host in hosts.values())


def rails(bundle: Bundle, wires: Wiring, technology: str | None) -> int | None:
    """Rails by cables: the leaf switches that hosts have ports on, where all have as many. None where it is one, or a redundant pair.

    Two switches are a pair, not rails, where a cable joins them, hosts bond their ports, or the network is Ethernet and nothing tells.
    """
    stated = {number(entry.get("rail")) for _, part in bundle.parts("site") for entry in entries(part.facts.get("leaves"))} - {None}
    if len(stated) > 1:
        return len(stated)
    sizes = {len(switches) for switches in wires.groups.values()}
    size = sizes.pop() if len(sizes) == 1 else 1
    if size < 2:
        return None
    of_group = {switch: leaf for leaf, switches in wires.groups.items() for switch in switches}
    joined = any(_same(of_group.get(link.a.device), of_group.get(link.b.device)) for link in wires.links)
    bonded = any(bundle.parts("proc-net-bonding")) or any(known.value is True for known in bundle.find("hosts.*.bonded", "site"))
    is_ib = technology == "ib" or any(bundle.parts("ibnetdiscover", "iblinkinfo", "ibdiagnet", "ufm"))
    return None if joined or bonded or (size == 2 and not is_ib) else size


def _same(one: str | None, other: str | None) -> bool:
    return one is not None and one == other


def contradictions(bundle: Bundle, wires: Wiring, leaves: tuple[Leaf, ...]) -> Iterator[Conflict]:
    """What a person stated of the design, where what tools saw says otherwise; what was seen is used.

    Tools may have seen only a part, so fewer leaves or spines than stated are none, and leaves count whose cables upwards a tool saw.
    """
    seen = [
        one
        for leaf in leaves
        if leaf.origin is not None and leaf.origin.kind == "capture" and leaf.uplinks is not None
        for one in (leaf.members or (leaf,))
    ]
    tiers = list(wires.tier_of.values()) if any(link.origin and link.origin.kind == "capture" for link in wires.links) else []
    figures = {
        "uplinks_per_leaf": {float((one.uplinks or 0) + one.uplinks_down) for one in seen},
        "uplink_rate_gbps": {one.uplink_gbps for one in seen if one.uplink_gbps is not None},
        "leaf_count": {float(tiers.count("leaf"))},
        "spine_count": {float(tiers.count("spine"))},
        "tiers": {3.0} if "core" in tiers else set(),
    }
    for key, found in figures.items():
        for known in bundle.find(f"fabric.{key}", "site"):
            stated = number(known.value)
            at_most = key in ("leaf_count", "spine_count")
            if stated is None or not found or (max(found) <= stated if at_most else found == {stated}):
                continue
            words = " ".join(f"{value:g}" for value in sorted(found))
            where = seen[0].origin if seen else next((link.origin for link in wires.links), None)
            yield Conflict(
                thing="fabric",
                figure=key,
                values=(words, f"{stated:g}"),
                origins=(*((where,) if where else ()), known.origin),
                used=words,
            )
