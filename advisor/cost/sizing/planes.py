"""Fabrics without spines: a storage plane of joined switches, and two switches joined for a small cluster."""

from dataclasses import dataclass
from fractions import Fraction
from math import ceil

from advisor.cost.sizing.clos import Number, exact
from advisor.cost.sizing.impossible import Impossible


@dataclass(frozen=True, slots=True)
class Plane:
    """A storage plane of its own: what it takes. links_between: between its switches, two ports each."""

    ports: int
    usable: int
    switches: int
    nics: int
    cables: int
    links_between: int


def storage_plane(
    nodes: int,
    ports_per_node: int = 2,
    servers: int = 0,
    ports_per_server: int = 0,
    radix: int = 64,
    isl_ports: int = 8,
    redundant: bool = True,
    ports_per_nic: int = 2,
) -> Plane:
    """Switches for all storage ports. Raises Impossible.

    isl_ports   of each switch, which join the switches; hosts have the rest. A redundant pair needs an even number of switches.
    """
    ports, usable = nodes * ports_per_node + servers * ports_per_server, radix - isl_ports
    if usable < 1:
        raise Impossible("isl", "isl_ports_per_switch", radix=radix, isl=isl_ports)
    switches = ceil(ports / usable)
    if redundant:
        switches += switches % 2
    between = switches * isl_ports // 2 if switches > 1 else 0
    return Plane(ports, usable, switches, nodes * ceil(ports_per_node / ports_per_nic), ports, between)


@dataclass(frozen=True, slots=True)
class Pair:
    """Two switches without a spine: half of the hosts' links end on each; `between` links join the two."""

    links: int
    between: int
    twin_cables: int
    ratio: float


def two_switches(
    nodes: int, ports_per_node: int, radix: int | None = None, ratio: Number = 1, speed: Number = 1, kept_free: int = 0
) -> Pair:
    """Two joined switches, with so many ports kept free for other things on both together. Raises Impossible where ports are too few.

    At 1:1 as many links join the two as end on one.
    """
    links = nodes * ports_per_node
    half = ceil(links / 2)
    between = ceil(Fraction(half) / (exact(ratio) * exact(speed)))
    if radix is not None and half + ceil(kept_free / 2) + between > radix:
        raise Impossible("two-switches", "radix", radix=radix, links=links, down=half + ceil(kept_free / 2), between=between)
    return Pair(links, between, ceil(between / 2), float(half / (between * exact(speed))) if between else 0.0)
