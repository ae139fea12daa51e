"""An installed fabric of one or two tiers that grows: what must be bought and moved, and what it can still take as it is."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, isqrt

from advisor.cost.sizing.clos import Number, even_spines, exact, leaves_for, links_moved, most_leaves, uplink_ports, uplinks_for
from advisor.cost.sizing.design import MORE_UPLINKS, design
from advisor.cost.sizing.impossible import Impossible
from advisor.cost.sizing.model import Demand, Design, Wanted


@dataclass(frozen=True, slots=True)
class Installed:
    """Spines and uplinks are 0 where leaves hang on nothing: one switch, or a leaf for each rail."""

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

    @property
    def is_one_switch(self) -> bool:
        return self.leaves == 1 and not self.spines


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
    ratio: float | None


@dataclass(frozen=True, slots=True)
class Room:
    """What the installed gear takes before a switch must be bought.

    free_leaf_ports           of each leaf. free_spine_ports: of all spines
    uplinks_addable           more uplinks for each leaf, on free ports of both, spread evenly
    ratio_now, ratio_then     with the uplinks of today, and with those; None without uplinks
    nodes_on_free_ports       nodes for which leaves have free ports, whatever becomes of the ratio
    nodes_at_ratio            nodes that still fit at the target ratio, with uplinks on free ports
    """

    free_leaf_ports: int
    free_spine_ports: int
    uplinks_addable: int
    ratio_now: float | None
    ratio_then: float | None
    nodes_on_free_ports: int
    nodes_at_ratio: int


def check(installed: Installed, radix: int) -> None:
    """Raises Impossible for an installed fabric whose ports do not exist."""
    if bool(installed.spines) != bool(installed.uplinks_per_leaf):
        raise Impossible("half-spines", "installed", spines=installed.spines, up=installed.uplinks_per_leaf)
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
    fits = installed.is_one_switch and down <= radix  # one switch needs no uplinks
    stays = installed.leaves >= demand.rails and up <= installed.uplinks_per_leaf <= radix - down
    if fits or stays:
        return _grown(demand, installed, installed.leaves, installed.spines, installed.uplinks_per_leaf, down, speed)
    if down + up <= radix and installed.leaves >= demand.rails and installed.leaves <= radix:
        low = max(up, min(installed.uplinks_per_leaf, radix - down))
        spines, up = _least_change(installed, installed.leaves, range(low, radix - down + 1), radix)
        return _grown(demand, installed, installed.leaves, spines, up, down, speed)
    return _with_leaves(demand, radix, installed, ratio, speed)


def _with_leaves(demand: Demand, radix: int, installed: Installed, ratio: Number, speed: Number) -> Growth:
    """Growth by leaves that are split for the ratio; uplinks are rounded up for an even spread as in a fabric that is built."""
    least = uplink_ports(radix, ratio, speed)
    if least >= radix:
        raise Impossible("no-ports", "radix", radix=radix, down=0, up=least)
    leaves = _leaves(demand, installed, radix - least)
    if leaves > most_leaves(radix, 2):
        return _with_cores(demand, radix, installed, leaves, ratio, speed)
    tried = range(least, least + 1 if exact(ratio) * exact(speed) == 1 else min(least + MORE_UPLINKS + 1, radix))
    uplinks = [up for up in tried if _leaves(demand, installed, radix - up) == leaves]
    spines, up = _least_change(installed, leaves, uplinks, radix)
    return _grown(demand, installed, leaves, spines, up, radix - up, speed)


def _leaves(demand: Demand, installed: Installed, down: int) -> int:
    """Leaves of `down` host ports for all that is there and all that comes, rail by rail; never fewer than are installed."""
    attached = demand.rails * ceil(installed.node_links / demand.rails / down)
    return max(installed.leaves, leaves_for(demand.ports_by_rail, demand.rails, down), attached)


def room(demand: Demand, radix: int, installed: Installed, ratio: Number = 1, speed: Number = 1) -> Room:
    """What the installed gear can still take. Raises Impossible."""
    check(installed, radix)
    up, used = installed.uplinks_per_leaf, installed.down_used_per_leaf
    free = radix - used - up
    steps = installed.spines if installed.spines and up % installed.spines == 0 else 1
    spine_side = (installed.spines * radix - installed.links) // installed.leaves
    addable = min(free, spine_side) // steps * steps
    rails = 1 if installed.is_one_switch else demand.rails
    each, groups = max(1, demand.ports_per_node // rails), installed.leaves // rails
    most_down = radix if installed.is_one_switch else _most_down(radix, installed, ratio, speed)
    return Room(
        free_leaf_ports=free,
        free_spine_ports=installed.spines * radix - installed.links,
        uplinks_addable=addable,
        ratio_now=_ratio(used, up, speed),
        ratio_then=_ratio(used, up + addable, speed),
        nodes_on_free_ports=groups * free // each,
        nodes_at_ratio=groups * max(0, most_down - used) // each,
    )


def _most_down(radix: int, installed: Installed, ratio: Number, speed: Number) -> int:
    """The most host ports of a leaf for which the installed switches have uplinks at the ratio."""
    if not installed.spines:
        return 0
    return max((down for down in range(1, radix) if _fits(down, uplinks_for(down, ratio, speed), radix, installed)), default=0)


def _fits(down: int, needed: int, radix: int, installed: Installed) -> bool:
    up = max(needed, installed.uplinks_per_leaf)
    if needed > installed.uplinks_per_leaf:  # uplinks are added in even steps
        up = ceil(needed / installed.spines) * installed.spines
    return down + up <= radix and installed.leaves * up <= installed.spines * radix


def _down_needed(demand: Demand, installed: Installed) -> int:
    """Host ports of each installed leaf if all hosts went on them, each rail on its own."""
    if installed.is_one_switch:
        return demand.endpoints
    groups = installed.leaves // demand.rails
    return ceil(demand.ports_by_rail / groups) if groups else demand.ports_by_rail


def _least_change(installed: Installed, leaves: int, uplinks: Sequence[int], radix: int) -> tuple[int, int]:
    """Spines in use and uplinks of a leaf: fewest spines bought, then fewest links moved, then fewest links, then most spines in use."""
    best: tuple[tuple[int, int, int, int], int, int] | None = None
    for up in uplinks:
        least = even_spines(leaves, up, radix)
        for spines in _divisors(up, least):
            moved = links_moved(installed.leaves, installed.uplinks_per_leaf, installed.spines, up, spines)
            rank = (max(0, spines - installed.spines), moved, up, -spines)
            if best is None or rank < best[0]:
                best = (rank, spines, up)
    if best is None:
        raise Impossible("two-tiers", "radix", radix=radix, leaves=leaves, most=radix, endpoints=radix * (radix - uplinks[0]))
    return best[1], best[2]


def _divisors(number: int, at_least: int) -> list[int]:
    small = [n for n in range(1, isqrt(number) + 1) if number % n == 0]
    return sorted({n for low in small for n in (low, number // low) if n >= at_least})


def _grown(demand: Demand, installed: Installed, leaves: int, spines: int, up: int, down: int, speed: Number) -> Growth:
    used = max(demand.endpoints, installed.node_links)
    spread = ceil(used / leaves)
    return Growth(
        tiers=2 if spines else 1,
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
        ratio=made.ratio,
    )


def _ratio(down: int, up: int, speed: Number) -> float | None:
    return float(down / (up * exact(speed))) if up else None
