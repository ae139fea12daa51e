"""The growth of this site's fabric to its target ratio, by the engine of `advisor size`; None where the fabric does not tell enough."""

from dataclasses import dataclass

from advisor.cost.settings import Settings
from advisor.cost.sizing.clos import exact
from advisor.cost.sizing.growth import Growth, Installed, grow
from advisor.cost.sizing.impossible import Impossible
from advisor.cost.sizing.model import Demand
from advisor.fabric.model import Fabric, Leaf


@dataclass(frozen=True, slots=True)
class Expansion:
    """What is installed, and what it grows to."""

    installed: Installed
    growth: Growth

    @property
    def switches(self) -> int:
        return self.growth.buy_leaves + self.growth.buy_spines + self.growth.buy_cores

    @property
    def links(self) -> int:
        """Links between switches that are bought, of both tiers."""
        return self.growth.buy_links + self.growth.buy_links_spine_core


def expansion(fabric: Fabric, settings: Settings, radix: int | None) -> Expansion | None:
    """Growth of a fabric whose leaves are alike and whose links all have one rate, with switches of `radix` ports like the installed ones.

    None too where the installed switches show more ports than that: they are others than those that would be bought.
    """
    there = installed(fabric)
    if there is None or radix is None:
        return None
    try:
        return Expansion(there, grow(Demand(0, 1), radix, there, exact(settings.target_ratio)))
    except Impossible:
        return None


def installed(fabric: Fabric) -> Installed | None:
    """Leaves, spines, uplinks and used host ports, where every leaf tells the same and no uplink is down."""
    leaves = fabric.leaves
    spines = fabric.spines or sum(switch.tier == "spine" for switch in fabric.switches.values())
    kinds = {_ports(leaf) for leaf in leaves}
    ports = kinds.pop() if len(kinds) == 1 else None
    if not spines or ports is None or fabric.pods or any(leaf.name == "*" or leaf.members for leaf in leaves):
        return None
    return Installed(len(leaves), spines, ports[1], ports[0])


def _ports(leaf: Leaf) -> tuple[int, int] | None:
    """Host ports in use and uplinks of a leaf, where both have the same rate."""
    if leaf.down_gbps is None or leaf.uplinks is None or not leaf.uplink_gbps or leaf.uplinks_down:
        return None
    down = leaf.down_gbps / leaf.uplink_gbps
    return (round(down), leaf.uplinks) if abs(down - round(down)) < 1e-6 and leaf.uplinks else None
