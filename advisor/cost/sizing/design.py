"""A fabric that is built: one, two or three tiers, rails, planes, stated or derived ports, growth and reserve."""

from dataclasses import replace
from fractions import Fraction
from math import ceil

from advisor.cost.sizing.clos import (
    cores_for,
    even_spines,
    exact,
    leaves_for,
    most_leaves,
    rounded_to_spines,
    spines_of_pods,
    uplink_ports,
    uplinks_for,
)
from advisor.cost.sizing.impossible import Impossible
from advisor.cost.sizing.model import Demand, Design, Wanted

MORE_UPLINKS = 8  # that are tried on each leaf for a spread over fewer spines


def design(demand: Demand, wanted: Wanted) -> Design:
    """The fabric for a demand. Raises Impossible.

    At other ratios than 1:1, u is rounded up to what spreads evenly over fewer spines, where that takes fewer switches in all. At 1:1
    leaves keep R/2 uplinks, as published designs do, and the spines follow.
    """
    if _one_switch(demand, wanted):
        return one_switch(demand, wanted.radix)
    if wanted.radix is None:
        return _given(demand, wanted)
    down, up = leaf_ports(wanted, demand.planes)
    leaves = leaves_for(demand.ports_by_rail, demand.rails, down)
    if wanted.leaves is not None:
        leaves = _stated_leaves(demand, wanted, leaves, up)
        down = wanted.radix - up if wanted.down is None else down
    if leaves == 1 and wanted.spines is None and wanted.tiers is None:
        return one_switch(demand, wanted.radix)
    tiers = wanted.tiers or (2 if leaves <= wanted.radix else 3)
    if tiers == 3:
        return _three(demand, wanted, leaves, down, up)
    if leaves > most_leaves(wanted.radix, 2):
        raise Impossible("two-tiers", "radix", radix=wanted.radix, leaves=leaves, most=wanted.radix, endpoints=wanted.radix * down)
    spines = _stated_spines(wanted, demand.planes, leaves, up) if wanted.spines else even_spines(leaves, up, wanted.radix)
    made = _made(demand, wanted, 2, leaves, spines, 0, down, up)
    is_one_to_one = exact(1 if wanted.ratio is None else wanted.ratio) * exact(wanted.speed) == 1
    return made if is_one_to_one else fewer_switches(demand, wanted, made) or made


def fewer_switches(demand: Demand, wanted: Wanted, made: Design) -> Design | None:
    """The same demand with a few more uplinks on each leaf, where that spreads over fewer spines: 24 uplinks on 6, where 22 take 11.

    None where no such split takes fewer switches in all, or where the split of a leaf is decided.
    """
    if made.tiers != 2 or (wanted.down, wanted.up, wanted.leaves, wanted.spines) != (None,) * 4 or wanted.radix is None:
        return None
    best: Design | None = None
    for up in range(made.up + 1, min(made.up + MORE_UPLINKS, wanted.radix - 1) + 1):
        try:
            other = design(demand, replace(wanted, up=up, down=wanted.radix - up))
        except Impossible:
            continue
        if other.switches < (best or made).switches:
            best = other
    return best


def one_switch(demand: Demand, radix: int | None) -> Design:
    """One switch for each plane. Raises Impossible where it has too few ports."""
    if radix is not None and demand.endpoints > radix:
        raise Impossible("one-switch", "radix", radix=radix, ports=demand.endpoints)
    return Design(
        tiers=1,
        leaves=demand.planes,
        spines=0,
        cores=0,
        links_to_nodes=demand.links,
        links_leaf_spine=0,
        links_spine_core=0,
        down=radix or demand.endpoints,
        up=0,
        ratio=None,
        radix=radix,
        reserved_ports=demand.reserved_ports,
        endpoints_max=None if radix is None else radix * demand.planes,
    )


def rail_only(demand: Demand, radix: int) -> Design:
    """One leaf for each rail and no spine: traffic between rails goes through the GPUs' own links.

    Raises Impossible beyond one leaf a rail: two leaves of one rail without a spine would not reach each other.
    """
    if demand.ports_by_rail > radix:
        raise Impossible("rail-only", "radix", radix=radix, ports=demand.ports_by_rail)
    leaves = demand.rails * demand.planes
    return Design(
        tiers=1,
        leaves=leaves,
        spines=0,
        cores=0,
        links_to_nodes=demand.links,
        links_leaf_spine=0,
        links_spine_core=0,
        down=radix,
        up=0,
        ratio=None,
        radix=radix,
        reserved_ports=demand.reserved_ports,
        endpoints_max=leaves * radix,
    )


def leaf_ports(wanted: Wanted, planes: int = 1) -> tuple[int, int]:
    """d and u of a leaf: as stated, else for the ratio (1:1 where none is stated). Raises Impossible.

    A stated number of spines rounds u up to a multiple of theirs, so that links spread evenly.
    """
    radix = wanted.radix or 0
    down, up, ratio = wanted.down, wanted.up, wanted.ratio
    if up is None:
        found = uplink_ports(radix, 1 if ratio is None else ratio, wanted.speed)
        if down is not None:
            found = radix - down if ratio is None else uplinks_for(down, ratio, wanted.speed)
        up = rounded_to_spines(found, ceil(wanted.spines / planes)) if wanted.spines else found
    if down is None:
        down = radix - up
        if wanted.up is not None and ratio is not None:
            down = min(down, int(exact(ratio) * exact(wanted.speed) * up))
    if down < 1 or up < 1:
        raise Impossible("no-ports", "radix", radix=radix, down=max(0, down), up=max(0, up))
    if down + up > radix:
        raise Impossible("leaf-full", "down_ports" if wanted.down else "uplinks_per_leaf", radix=radix, down=down, up=up)
    got = Fraction(down) / (up * exact(wanted.speed))
    if ratio is not None and wanted.down is not None and got > exact(ratio):
        raise Impossible("ratio-missed", "oversubscription", got=round(float(got), 3), ratio=float(exact(ratio)), down=down, up=up)
    return down, up


def _one_switch(demand: Demand, wanted: Wanted) -> bool:
    """One switch does where it holds everything, no rail asks for a leaf of its own, and nothing of more tiers is stated."""
    stated = (wanted.down, wanted.up, wanted.leaves, wanted.spines, wanted.leaf_spine)
    if wanted.tiers is not None:
        return wanted.tiers == 1
    return demand.rails == 1 and wanted.radix is not None and demand.endpoints <= wanted.radix and not any(stated)


def _stated_leaves(demand: Demand, wanted: Wanted, needed: int, up: int) -> int:
    """Leaves of one plane, as stated, which may be fuller than the ratio wants only where no ratio is stated."""
    leaves = _by_plane("leaves", wanted.leaves or 0, demand.planes)
    least = (
        needed
        if wanted.ratio is not None or wanted.down is not None
        else leaves_for(demand.ports_by_rail, demand.rails, (wanted.radix or 0) - up)
    )
    if leaves < least:
        raise Impossible("few-leaves", "leaves", leaves=leaves * demand.planes, needed=least * demand.planes)
    return leaves


def _stated_spines(wanted: Wanted, planes: int, leaves: int, up: int) -> int:
    spines, radix = _by_plane("spines", wanted.spines or 0, planes), wanted.radix or 0
    least = ceil(leaves * up / radix)
    if spines < least:
        raise Impossible("few-spines", "spines", spines=spines * planes, needed=even_spines(leaves, up, radix) * planes)
    if spines > up:
        raise Impossible("many-spines", "spines", spines=spines * planes, up=up)
    return spines


def _by_plane(field: str, count: int, planes: int) -> int:
    if count % planes:
        raise Impossible("planes", field, count=count, planes=planes)
    return count // planes


def _three(demand: Demand, wanted: Wanted, leaves: int, down: int, up: int) -> Design:
    """Leaves, spines and cores of each plane. Raises Impossible beyond R * R/2 leaves, which are R^3/4 endpoints at 1:1."""
    radix = wanted.radix or 0
    spine_up = radix // 2 if exact(wanted.spine_ratio) == 1 else uplink_ports(radix, wanted.spine_ratio)
    spine_down = radix // 2 if exact(wanted.spine_ratio) == 1 else radix - spine_up
    if spine_down < 1:
        raise Impossible("no-ports", "radix", radix=radix, down=spine_down, up=spine_up)
    most = most_leaves(radix, 3, spine_down)
    if leaves > most:
        raise Impossible("three-tiers", "radix", radix=radix, leaves=leaves, most=most, endpoints=most * down)
    spines = spines_of_pods(leaves, up, spine_down)
    if wanted.spines is not None:
        stated = _by_plane("spines", wanted.spines, demand.planes)
        if stated < spines:
            raise Impossible("few-spines", "spines", spines=wanted.spines, needed=spines * demand.planes)
        spines = stated
    cores = cores_for(spines, spine_up, radix)
    return _made(demand, wanted, 3, leaves, spines, cores, down, up, spine_down, spine_up)


def _given(demand: Demand, wanted: Wanted) -> Design:
    """A fabric all of whose counts are stated; no radix to check them by."""
    up = wanted.up
    if wanted.leaves is None or up is None:
        raise Impossible("no-radix", "radix")
    leaves = _by_plane("leaves", wanted.leaves, demand.planes)
    spines = _by_plane("spines", wanted.spines or 0, demand.planes)
    down = wanted.down if wanted.down is not None else ceil(demand.endpoints / leaves)
    if demand.endpoints > leaves * down:
        raise Impossible("few-leaves", "leaves", leaves=wanted.leaves, needed=leaves_for(demand.ports_by_rail, demand.rails, down))
    if spines > up:
        raise Impossible("many-spines", "spines", spines=wanted.spines, up=up)
    return _made(demand, wanted, 2, leaves, spines, 0, down, up)


def _made(
    demand: Demand,
    wanted: Wanted,
    tiers: int,
    leaves: int,
    spines: int,
    cores: int,
    down: int,
    up: int,
    spine_down: int = 0,
    spine_up: int = 0,
) -> Design:
    planes, radix = demand.planes, wanted.radix
    most = None if radix is None else most_leaves(radix, tiers, spine_down or None) * down * planes
    return Design(
        tiers=tiers,
        leaves=leaves * planes,
        spines=spines * planes,
        cores=cores * planes,
        links_to_nodes=demand.links,
        links_leaf_spine=leaves * up * planes,
        links_spine_core=spines * spine_up * planes,
        down=down,
        up=up,
        ratio=float(Fraction(down) / (up * exact(wanted.speed))),
        radix=radix,
        reserved_ports=demand.reserved_ports,
        spine_down=spine_down,
        spine_up=spine_up,
        endpoints_max=most,
    )
