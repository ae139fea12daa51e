"""An installed fabric of two tiers that grows: what must be bought and moved, and what it can still take as it is."""

from dataclasses import dataclass
from math import ceil

from advisor.cost.sizing.clos import Number, even_spines, exact, leaves_for, links_moved, most_leaves, uplink_ports, uplinks_for
from advisor.cost.sizing.design import Demand, Design, Wanted, design
from advisor.cost.sizing.impossible import Impossible


@dataclass(frozen=True, slots=True)
class Installed:
    leaves: int
    spines: int
    uplinks_per_leaf: int
    down_used_per_leaf: int

    @property
    def links(self) -> int:
        return self.leaves * self.uplinks_per_leaf

    @property
    def node_links(self) -> int:
        return self.leaves * self.down_used_per_leaf


@dataclass(frozen=True, slots=True)
class Growth:
    """The target, and what must be bought and moved for it. A link is one fibre and, at each end, one port."""

    tiers: int
    leaves: int
    spines: int
    cores: int
    uplinks_per_leaf: int
    links_leaf_spine: int
    links_spine_core: int
    buy_leaves: int
    buy_spines: int
    buy_cores: int
    buy_links: int
    buy_links_spine_core: int
    buy_node_links: int
    links_moved: int
    node_cables_moved: int
    spare_spines: int
    ratio: float


@dataclass(frozen=True, slots=True)
class Room:
    """What the installed gear takes before a switch must be bought.

    free_leaf_ports           of each leaf. free_spine_ports: of all spines
    uplinks_addable           more uplinks for each leaf, on free ports of both, spread evenly
    ratio_now, ratio_then     with the uplinks of today, and with those
    nodes_on_free_ports       nodes for which leaves have free ports, whatever becomes of the ratio
    nodes_at_ratio            nodes that still fit at the target ratio, with uplinks on free ports
    """

    free_leaf_ports: int
    free_spine_ports: int
    uplinks_addable: int
    ratio_now: float
    ratio_then: float
    nodes_on_free_ports: int
    nodes_at_ratio: int


def check(installed: Installed, radix: int) -> None:
    """Raises Impossible for an installed fabric whose ports do not exist."""
    if installed.down_used_per_leaf + installed.uplinks_per_leaf > radix:
        raise Impossible("leaf-full", "installed", radix=radix, down=installed.down_used_per_leaf, up=installed.uplinks_per_leaf)
    if installed.links > installed.spines * radix:
        raise Impossible("few-spines", "installed", spines=installed.spines, needed=ceil(installed.links / radix))
    if installed.spines > installed.uplinks_per_leaf:
        raise Impossible("many-spines", "installed", spines=installed.spines, up=installed.uplinks_per_leaf)


def grow(demand: Demand, radix: int, installed: Installed, ratio: Number = 1, speed: Number = 1) -> Growth:
    """Brings an installed fabric to a demand and a ratio. Raises Impossible.

    Free ports of leaves become uplinks first; leaves are added where a leaf has no ports for its hosts and the uplinks that the
    ratio asks for; with more leaves than a spine has ports, a core tier is added.
    """
    check(installed, radix)
    if demand.planes != 1:
        raise Impossible("one-plane", "planes")
    down = max(installed.down_used_per_leaf, _down_needed(demand, installed))
    up = uplinks_for(down, ratio, speed)
    if down <= installed.down_used_per_leaf and up <= installed.uplinks_per_leaf:
        return _grown(demand, installed, installed.leaves, installed.spines, installed.uplinks_per_leaf, down, speed)
    if down + up <= radix and installed.leaves >= demand.rails and installed.leaves <= radix:
        low = max(up, min(installed.uplinks_per_leaf, radix - down))
        spines, up = _least_change(installed, installed.leaves, range(low, radix - down + 1), radix)
        return _grown(demand, installed, installed.leaves, spines, up, down, speed)
    up = uplink_ports(radix, ratio, speed)
    down = radix - up
    if down < 1:
        raise Impossible("no-ports", "radix", radix=radix, down=down, up=up)
    attached = demand.rails * ceil(installed.node_links / demand.rails / down)
    leaves = max(installed.leaves, leaves_for(demand.ports_by_rail, demand.rails, down), attached)
    if leaves > most_leaves(radix, 2):
        return _with_cores(demand, radix, installed, leaves, ratio, speed)
    spines, up = _least_change(installed, leaves, range(up, up + 1), radix)
    return _grown(demand, installed, leaves, spines, up, down, speed)


def room(demand: Demand, radix: int, installed: Installed, ratio: Number = 1, speed: Number = 1) -> Room:
    """What the installed gear can still take. Raises Impossible."""
    check(installed, radix)
    up, used = installed.uplinks_per_leaf, installed.down_used_per_leaf
    free = radix - used - up
    steps = installed.spines if up % installed.spines == 0 else 1
    spine_side = (installed.spines * radix - installed.links) // installed.leaves
    addable = min(free, spine_side) // steps * steps
    each = max(1, demand.ports_per_node // demand.rails)
    groups = installed.leaves // demand.rails
    most_down = max((d for d in range(radix) if _fits(d, uplinks_for(d, ratio, speed) if d else 0, radix, installed)), default=0)
    return Room(
        free_leaf_ports=free,
        free_spine_ports=installed.spines * radix - installed.links,
        uplinks_addable=addable,
        ratio_now=_ratio(used, up, speed),
        ratio_then=_ratio(used, up + addable, speed),
        nodes_on_free_ports=groups * free // each,
        nodes_at_ratio=groups * max(0, most_down - used) // each,
    )


def _fits(down: int, needed: int, radix: int, installed: Installed) -> bool:
    up = max(needed, installed.uplinks_per_leaf)
    if needed > installed.uplinks_per_leaf:  # uplinks are added in even steps
        up = ceil(needed / installed.spines) * installed.spines
    return down + up <= radix and installed.leaves * up <= installed.spines * radix


def _down_needed(demand: Demand, installed: Installed) -> int:
    """Host ports of each installed leaf if all hosts went on them, each rail on its own."""
    groups = installed.leaves // demand.rails
    return ceil(demand.ports_by_rail / groups) if groups else demand.ports_by_rail


def _least_change(installed: Installed, leaves: int, uplinks: range, radix: int) -> tuple[int, int]:
    """Spines in use and uplinks of a leaf: fewest spines bought, then fewest links moved, then fewest links, then most spines in use."""
    best: tuple[tuple[int, int, int, int], int, int] | None = None
    for up in uplinks:
        least = even_spines(leaves, up, radix)
        for spines in (n for n in range(least, up + 1) if up % n == 0):
            moved = links_moved(installed.leaves, installed.uplinks_per_leaf, installed.spines, up, spines)
            rank = (max(0, spines - installed.spines), moved, up, -spines)
            if best is None or rank < best[0]:
                best = (rank, spines, up)
    if best is None:
        raise Impossible("two-tiers", "radix", radix=radix, leaves=leaves, most=radix, endpoints=radix * (radix - uplinks.start))
    return best[1], best[2]


def _grown(demand: Demand, installed: Installed, leaves: int, spines: int, up: int, down: int, speed: Number) -> Growth:
    used = max(demand.endpoints, installed.node_links)
    spread = ceil(used / leaves)
    return Growth(
        tiers=2,
        leaves=leaves,
        spines=max(spines, installed.spines),
        cores=0,
        uplinks_per_leaf=up,
        links_leaf_spine=leaves * up,
        links_spine_core=0,
        buy_leaves=leaves - installed.leaves,
        buy_spines=max(0, spines - installed.spines),
        buy_cores=0,
        buy_links=max(0, leaves * up - installed.links),
        buy_links_spine_core=0,
        buy_node_links=max(0, demand.links - installed.node_links),
        links_moved=0
        if up == installed.uplinks_per_leaf and spines == installed.spines
        else links_moved(installed.leaves, installed.uplinks_per_leaf, installed.spines, up, spines),
        node_cables_moved=installed.leaves * max(0, installed.down_used_per_leaf - down),
        spare_spines=max(0, installed.spines - spines),
        ratio=_ratio(min(down, spread), up, speed),
    )


def _with_cores(demand: Demand, radix: int, installed: Installed, leaves: int, ratio: Number, speed: Number) -> Growth:
    """Growth into three tiers: every spine gives half of its ports to cores, so links beyond that half move to new spines."""
    made: Design = design(demand, Wanted(radix=radix, ratio=ratio, speed=speed, leaves=leaves, tiers=3))
    spines = max(made.spines, installed.spines)
    kept = min(installed.links, installed.spines * made.spine_down)
    return Growth(
        tiers=3,
        leaves=made.leaves,
        spines=spines,
        cores=made.cores,
        uplinks_per_leaf=made.up,
        links_leaf_spine=made.links_leaf_spine,
        links_spine_core=made.links_spine_core,
        buy_leaves=made.leaves - installed.leaves,
        buy_spines=spines - installed.spines,
        buy_cores=made.cores,
        buy_links=max(0, made.links_leaf_spine - installed.links),
        buy_links_spine_core=made.links_spine_core,
        buy_node_links=max(0, demand.links - installed.node_links),
        links_moved=installed.links - kept,
        node_cables_moved=installed.leaves * max(0, installed.down_used_per_leaf - made.down),
        spare_spines=spines - made.spines,
        ratio=made.ratio or 0.0,
    )


def _ratio(down: int, up: int, speed: Number) -> float:
    return float(down / (up * exact(speed))) if up else 0.0
