"""Switches and cables of a fabric that is built or grown: pure counting, no prices.

Rules of public reference designs (NVIDIA DGX SuperPOD H100, B200 and B300 architectures; checked against their tables):
a leaf of radix R at ratio r keeps u = ceil(R / (r + 1)) ports for uplinks; the number of spines divides u, so that every leaf
has as many links to each spine; where there are more leaves than a spine has ports, a core tier is needed.
"""

from dataclasses import dataclass
from fractions import Fraction
from math import ceil


@dataclass(frozen=True, slots=True)
class Design:
    """What a fabric consists of. Links count cables between tiers; `ratio` is down-links over uplinks of a leaf by rate."""

    tiers: int
    leaves: int
    spines: int
    cores: int
    links_to_nodes: int
    links_leaf_spine: int
    links_spine_core: int
    ratio: float

    @property
    def switches(self) -> int:
        return self.leaves + self.spines + self.cores


@dataclass(frozen=True, slots=True)
class Growth:
    """What must be bought and moved when an installed fabric grows."""

    leaves: int
    spines: int
    uplinks_per_leaf: int
    buy_leaves: int
    buy_spines: int
    links_leaf_spine: int
    buy_links: int
    links_moved: int
    node_cables_moved: int


def uplink_ports(radix: int, ratio: float) -> int:
    """Leaf ports kept for uplinks of the hosts' rate, so that down over up is at most the ratio."""
    return ceil(Fraction(radix) / (Fraction(ratio) + 1))


def even_spines(leaves: int, uplinks: int, radix: int) -> int:
    """The least number of spines that have ports for all uplinks and divide the uplinks of a leaf."""
    least = ceil(leaves * uplinks / radix)
    return next(n for n in range(max(1, least), uplinks + 1) if uplinks % n == 0) if least <= uplinks else least


def design(
    nodes: int,
    ports_per_node: int,
    radix: int,
    ratio: float = 1.0,
    rails: int = 1,
    planes: int = 1,
    down_ports: int | None = None,
    up_ports: int | None = None,
    single_switch: bool = True,
) -> Design:
    """A fabric for `nodes` hosts with `ports_per_node` ports over all rails in each plane; planes are separate fabrics.

    `down_ports` and `up_ports` of a leaf go before the ratio. One switch does where all ports fit on it and `single_switch` allows.
    """
    endpoints = nodes * ports_per_node
    if single_switch and rails == 1 and endpoints <= radix:
        return Design(1, planes, 0, 0, endpoints * planes, 0, 0, 0.0)
    up = uplink_ports(radix, ratio) if up_ports is None else up_ports
    down = radix - up if down_ports is None else down_ports
    leaves = rails * ceil(nodes * ports_per_node / rails / down)
    links = leaves * up
    if leaves > radix:
        spines, cores = leaves, ceil(leaves / 2)
        return Design(3, leaves * planes, spines * planes, cores * planes, endpoints * planes, links * planes, links * planes, down / up)
    spines = even_spines(leaves, up, radix)
    return Design(2, leaves * planes, spines * planes, 0, endpoints * planes, links * planes, 0, down / up)


def rail_only(nodes: int, rails: int, radix: int) -> Design:
    """Leaves without a spine: traffic between rails has to go through the GPUs' own links."""
    leaves = rails * ceil(nodes / radix)
    return Design(1, leaves, 0, 0, nodes * rails, 0, 0, 0.0)


def two_switches(nodes: int, ports_per_node: int) -> tuple[int, int]:
    """Links between two switches without a spine that carry all that crosses, and the twin-port cables that hold them.

    Half of the hosts' links end on each switch, and as many join the two.
    """
    between = ceil(nodes * ports_per_node / 2)
    return between, ceil(between / 2)


def oversubscription(down: int, down_gbps: float, up: int, up_gbps: float) -> float:
    """Ratio of a leaf by rate, not by number of ports."""
    return down * down_gbps / (up * up_gbps)


def grow(
    nodes: int, rails: int, radix: int, leaves: int, spines: int, uplinks_per_leaf: int, down_used_per_leaf: int, ratio: float = 1.0
) -> Growth:
    """A two-tier fabric of equal rates brought to a ratio: free leaf ports become uplinks; where they do not suffice, leaves are added.

    Links that stay: as many per pair of leaf and old spine as the new even spread allows; the others move.
    """
    up = ceil(Fraction(down_used_per_leaf) / Fraction(ratio))
    new_leaves = leaves
    if up + down_used_per_leaf > radix:
        up = uplink_ports(radix, ratio)
        new_leaves = max(leaves, rails * ceil(nodes / (radix - up)))
    up = max(up, uplinks_per_leaf)
    new_spines = max(spines, even_spines(new_leaves, up, radix))
    links, installed = new_leaves * up, leaves * uplinks_per_leaf
    per_pair, per_pair_now = up // new_spines, uplinks_per_leaf // spines
    return Growth(
        leaves=new_leaves,
        spines=new_spines,
        uplinks_per_leaf=up,
        buy_leaves=new_leaves - leaves,
        buy_spines=new_spines - spines,
        links_leaf_spine=links,
        buy_links=links - installed,
        links_moved=leaves * spines * max(0, per_pair_now - per_pair),
        node_cables_moved=leaves * max(0, down_used_per_leaf - (radix - up)),
    )


def twin_port_modules(links: int) -> int:
    """Twin-port modules (two links each) at both ends of links between switches."""
    return 2 * ceil(links / 2)


def node_side_modules(links: int) -> int:
    """Twin-port modules of hosts whose cages hold two links each."""
    return ceil(links / 2)


@dataclass(frozen=True, slots=True)
class Plane:
    """A storage plane of its own: what it takes."""

    ports: int
    switches: int
    nics: int
    cables: int


def storage_plane(
    nodes: int,
    ports_per_node: int = 2,
    servers: int = 0,
    ports_per_server: int = 4,
    radix: int = 64,
    links_between: int = 8,
    redundant: bool = True,
) -> Plane:
    """Switches for all storage ports; `links_between` ports of each join the switches, and a redundant pair needs an even number."""
    ports = nodes * ports_per_node + servers * ports_per_server
    switches = ceil(ports / (radix - links_between))
    if redundant and switches % 2:
        switches += 1
    return Plane(ports, switches, nodes, ports)
