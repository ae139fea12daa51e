"""What is to be connected, what is decided of a fabric, and what it comes to. Pure values; the rules are in clos and design."""

from dataclasses import dataclass
from math import ceil

from advisor.cost.sizing.clos import Number


@dataclass(frozen=True, slots=True)
class Demand:
    """What is to be connected, in each plane alike.

    ports_per_node   of one plane, over all rails. rails: groups of ports with leaves of their own; 1: none
    reserved_ports   ports of leaves for other things (fabric manager, controllers), over all planes
    room_for         nodes that leaves are to have ports for, where more are to come; never fewer than nodes
    places           places of nodes in full units, some of which the reserved ports take
    """

    nodes: int
    ports_per_node: int
    rails: int = 1
    planes: int = 1
    reserved_ports: int = 0
    room_for: int = 0
    places: int = 0

    @property
    def links(self) -> int:
        """Links between hosts and leaves, in all planes."""
        return self.nodes * self.ports_per_node * self.planes

    @property
    def ports_by_rail(self) -> int:
        """Leaf ports that each rail of each plane needs."""
        nodes = ceil(max(self.nodes, self.room_for) * self.ports_per_node / self.rails)
        return max(nodes + ceil(self.reserved_ports / (self.rails * self.planes)), ceil(self.places * self.ports_per_node / self.rails))

    @property
    def endpoints(self) -> int:
        """Leaf ports that each plane needs."""
        return self.rails * self.ports_by_rail


def full_units(nodes: int, nodes_per_unit: int, reserved_ports: int = 0, ports_per_node: int = 1) -> int:
    """Nodes of as many full units as hold these and the reserved ports, which take the places of nodes."""
    places = nodes + ceil(reserved_ports / max(1, ports_per_node))
    return ceil(places / nodes_per_unit) * nodes_per_unit


@dataclass(frozen=True, slots=True)
class Design:
    """What a fabric consists of, over all planes. Links join two ports; a cable may hold several.

    down, up         ports of a leaf towards hosts and spines; of a spine under cores: `spine_down`, `spine_up`
    ratio            of a leaf whose ports are all used: d * rate / (u * rate). None where nothing goes up
    """

    tiers: int
    leaves: int
    spines: int
    cores: int
    links_to_nodes: int
    links_leaf_spine: int
    links_spine_core: int
    down: int
    up: int
    ratio: float | None
    radix: int | None = None
    reserved_ports: int = 0
    spine_down: int = 0
    spine_up: int = 0
    endpoints_max: int | None = None

    @property
    def switches(self) -> int:
        return self.leaves + self.spines + self.cores

    @property
    def spine_ratio(self) -> float | None:
        return self.spine_down / self.spine_up if self.spine_up else None

    def ports(self) -> dict[str, tuple[int, int]]:
        """Tier -> ports in use and ports of all its switches; empty where the radix is not known."""
        if self.radix is None:
            return {}
        used = {
            "leaf": (self.leaves, self.links_to_nodes + self.reserved_ports + self.links_leaf_spine),
            "spine": (self.spines, self.links_leaf_spine + self.links_spine_core),
            "core": (self.cores, self.links_spine_core),
        }
        return {tier: (ports, count * self.radix) for tier, (count, ports) in used.items() if count}


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is stated of a fabric; None is to be found. `leaves` and `spines` count all planes.

    speed: rate of an uplink over that of a host port. tiers: 1 one switch, 2 leaves and spines, 3 cores as well.
    leaf_spine: leaves as for spines even where one switch would hold all, as it does where many more ports are to come
    """

    radix: int | None = None
    ratio: Number | None = None
    speed: Number = 1
    down: int | None = None
    up: int | None = None
    leaves: int | None = None
    spines: int | None = None
    tiers: int | None = None
    spine_ratio: Number = 1
    leaf_spine: bool = False
