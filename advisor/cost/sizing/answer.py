"""From what is stated to what it takes: checks that need several fields, the parts that are sized, and what was taken for granted."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import ceil

from advisor.base.text import Text
from advisor.cost.sizing.clos import exact, uplink_ports
from advisor.cost.sizing.design import design, fewer_switches, rail_only
from advisor.cost.sizing.growth import Growth, Installed, Room, grow, room
from advisor.cost.sizing.impossible import Impossible
from advisor.cost.sizing.model import Demand, Design, Wanted, full_units
from advisor.cost.sizing.planes import Pair, Plane, storage_plane, two_switches
from advisor.cost.sizing.request import Request
from advisor.remedy.words import both

_TIERS = {"leaf-spine": 2, "rail-optimised": None, "three-tier": 3, "single-switch": 1}
_DECIDED = ("leaves", "spines", "down_ports", "up_ports", "uplinks_per_leaf")
_JOINED = ("switch_radix", "switches_redundant", "isl_ports_per_switch")  # a storage plane of joined switches, no spines
PORTS_PER_STORAGE_NIC = 2


@dataclass(frozen=True, slots=True)
class Sizing:
    """What a request comes to; a part that was not asked for, or that too little is stated for, is None.

    demand       ports of the compute fabric. fabric, pair, growth and room: what carries them
    storage      leaves and spines of storage; plane: its joined switches
    node_gbps, uplink_gbps   rates of links to hosts and between switches, where stated
    fewer        the fabric with a few more uplinks on each leaf, where that takes fewer switches
    assumed      what was taken for granted. figures: key -> figure, as `advisor size --json` has them
    """

    request: Request
    demand: Demand | None = None
    fabric: Design | None = None
    pair: Pair | None = None
    growth: Growth | None = None
    room: Room | None = None
    storage: Design | None = None
    plane: Plane | None = None
    fewer: Design | None = None
    assumed: tuple[Text, ...] = ()
    figures: Mapping[str, int | float] = field(default_factory=dict)

    @property
    def node_gbps(self) -> Fraction | None:
        return _rate(self.request.node_link_gbps, self.request.link_gbps)

    @property
    def uplink_gbps(self) -> Fraction | None:
        return _rate(self.request.uplink_gbps, self.request.link_gbps, self.request.node_link_gbps)

    @property
    def raised_from(self) -> int | None:
        """Uplinks of a leaf that the ratio alone asks for, where more are built for an even spread."""
        made, r = self.fabric, self.request
        if made is None or made.tiers != 2 or made.radix is None or any(getattr(r, name) is not None for name in _DECIDED):
            return None
        plain = uplink_ports(made.radix, target(r) or 1, _speed(r))
        return plain if made.up > plain else None


def size(request: Request) -> Sizing:
    """Sizes what is stated. Raises Impossible, with the field that stands in the way."""
    from advisor.cost.sizing.figures import figures  # figures are made of a Sizing

    _check(request)
    assumed: list[Text] = []
    demand = _demand(request, assumed)
    fabric: Design | None = None
    pair: Pair | None = None
    growth: Growth | None = None
    left: Room | None = None
    fewer: Design | None = None
    speed, radix = _speed(request), radix_of(request)
    ratio = exact(target(request) or 1)
    if request.installed is not None:
        if request.oversubscription is not None and request.target_oversubscription is not None:
            assumed.append(both("size.assumed.aim", ratio=float(request.target_oversubscription)))
        growth, left = _growth(request, demand, radix, ratio, speed)
    elif demand is not None and request.topology == "two-switch":
        pair = two_switches(demand.nodes, demand.ports_per_node, radix, ratio, speed, demand.endpoints - demand.links)
    elif demand is not None and request.topology == "rail-only":
        fabric = rail_only(demand, radix or 0)
    elif demand is not None and _can_design(request, radix):
        wanted = _wanted(request, assumed)
        fabric = design(demand, wanted)
        fewer = fewer_switches(demand, wanted, fabric)
    storage, plane = _storage(request)
    found = Sizing(request, demand, fabric, pair, growth, left, storage, plane, fewer, tuple(assumed))
    known = figures(found)
    if not known:
        raise Impossible("nothing", "nodes")
    return replace(found, figures=known)


def radix_of(request: Request) -> int | None:
    """Ports of a switch at the links' rate, each port split where it is broken out. Without storage, switch_radix is the one radix."""
    radix = request.switch_radix if request.radix is None and not _has_storage(request) else request.radix
    return None if radix is None else radix * (request.breakout or 1)


def _has_storage(request: Request) -> bool:
    return bool(request.storage_ports_per_node or request.storage_servers)


def target(request: Request) -> Fraction | None:
    first, second = request.oversubscription, request.target_oversubscription
    if request.installed is not None:  # there the one is of today, the other is aimed at
        first, second = second, first
    stated = first if first is not None else second
    return None if stated is None else exact(stated)


def uplinks(request: Request) -> int | None:
    return request.up_ports if request.up_ports is not None else request.uplinks_per_leaf


def nics(request: Request) -> int | None:
    """Ports of a node to the compute fabric: as stated, else one a rail, else one a GPU."""
    return request.nics_per_node or request.rails or request.gpus_per_node


def _rate(*stated: object) -> Fraction | None:
    return next((exact(rate) for rate in stated if rate is not None), None)


def _speed(request: Request) -> Fraction:
    """Rate of an uplink over that of a host's link; the same where only one is known."""
    node = _rate(request.node_link_gbps, request.link_gbps)
    up = _rate(request.uplink_gbps, request.link_gbps, request.node_link_gbps)
    return up / node if node is not None and up is not None else Fraction(1)


def _check(request: Request) -> None:
    """Raises Impossible for fields that contradict each other or need another."""
    r = request
    both_ratios = r.installed is None and r.oversubscription is not None and r.target_oversubscription is not None
    if both_ratios and r.oversubscription != r.target_oversubscription:
        raise Impossible("contradict", "target_oversubscription", other="oversubscription")
    if r.up_ports is not None and r.uplinks_per_leaf is not None and r.up_ports != r.uplinks_per_leaf:
        raise Impossible("contradict", "uplinks_per_leaf", other="up_ports")
    count = nics(r)
    if r.rails is not None and count is not None and count % r.rails:
        raise Impossible("rails", "rails", rails=r.rails, nics=count)
    if r.storage_servers and r.ports_per_storage_server is None:
        raise Impossible("needs", "storage_servers", other="ports_per_storage_server")
    one_radix = r.switch_radix is not None and r.radix is None and not _has_storage(r)
    joined = next((name for name in _JOINED if getattr(r, name) is not None and not (one_radix and name == "switch_radix")), None)
    if joined and r.storage_ports_per_node is None and not r.storage_servers:
        raise Impossible("needs", joined, other="storage_ports_per_node")
    if joined and r.switch_radix is None and r.radix is None:
        raise Impossible("needs", joined, other="switch_radix")
    if r.storage_gBps_per_gpu is not None and r.gpus_per_node is None:
        raise Impossible("needs", "storage_gBps_per_gpu", other="gpus_per_node")
    for name in ("nics_per_node", "storage_ports_per_node", "inband_ports_per_node", "bmc_ports_per_node", "storage_target"):
        if getattr(r, name) is not None and r.nodes is None:
            raise Impossible("needs", name, other="nodes")
    if r.nodes is not None and count is None and r.installed is None and (radix_of(r) or r.leaves) and r.storage_ports_per_node is None:
        raise Impossible("needs", "nodes", other="nics_per_node")
    _check_topology(r)


def _check_topology(r: Request) -> None:
    decided = next((name for name in (*_DECIDED, "installed") if getattr(r, name) is not None), None)
    if r.topology in ("single-switch", "two-switch", "rail-only") and decided:
        raise Impossible("contradict", decided, other="topology")
    tiers = _TIERS.get(r.topology or "")
    if r.tiers is not None and tiers is not None and r.tiers != tiers:
        raise Impossible("contradict", "tiers", other="topology")
    if r.tiers == 1 and decided:
        raise Impossible("contradict", decided, other="tiers")
    if r.topology == "two-switch" and (r.planes or 1) > 1:
        raise Impossible("contradict", "planes", other="topology")
    if (
        r.topology in ("single-switch", "rail-only", "leaf-spine", "three-tier", "rail-optimised")
        and radix_of(r) is None
        and r.leaves is None
    ):
        raise Impossible("needs", "topology", other="radix")
    if r.installed is not None:
        if radix_of(r) is None:
            raise Impossible("needs", "installed", other="radix")
        also = next((name for name in (*_DECIDED, "tiers") if getattr(r, name) is not None), None)
        if also is None and r.topology not in (None, "rail-optimised"):
            also = "topology"
        if also is not None:
            raise Impossible("contradict", also, other="installed")


def _demand(request: Request, assumed: list[Text]) -> Demand | None:
    count = nics(request)
    if request.nodes is None or count is None:
        return None
    if request.nics_per_node is None:
        assumed.append(both("size.assumed.nics", count=count, field="rails" if request.rails else "gpus_per_node"))
    rails, planes, reserved = request.rails or 1, request.planes or 1, request.reserved_ports or 0
    if request.topology in ("rail-optimised", "rail-only"):
        rails = request.rails or count
    elif request.topology in ("single-switch", "two-switch") or request.tiers == 1:
        rails = 1
    room_for = ceil(request.nodes * (1 + exact(request.growth_percent or 0) / 100))
    places = 0
    if request.build_full_units and request.nodes_per_unit:
        places = full_units(room_for, request.nodes_per_unit, reserved, count * planes)
    elif request.build_full_units:  # the unit of a rail-optimised fabric is what a leaf holds, and leaves are whole anyway
        assumed.append(both("size.assumed.unit"))
    return Demand(request.nodes, count, rails, planes, reserved, room_for, places)


def _can_design(request: Request, radix: int | None) -> bool:
    return radix is not None or (request.leaves is not None and (uplinks(request) or request.spines) is not None)


def _wanted(request: Request, assumed: list[Text]) -> Wanted:
    up, radix, ratio = uplinks(request), radix_of(request), target(request)
    if up is None and radix is None:
        up = request.spines
        assumed.append(both("size.assumed.one-each", spines=up))
    decided = (request.down_ports, up, request.leaves)
    if ratio is None and not any(decided) and request.topology != "single-switch" and request.tiers != 1:
        assumed.append(both("size.assumed.ratio"))
    return Wanted(
        radix=radix,
        ratio=ratio,
        speed=_speed(request),
        down=request.down_ports,
        up=up,
        leaves=request.leaves,
        spines=request.spines,
        tiers=request.tiers or _TIERS.get(request.topology or ""),
        spine_ratio=exact(request.spine_oversubscription or 1),
    )


def _growth(request: Request, demand: Demand | None, radix: int | None, ratio: Fraction, speed: Fraction) -> tuple[Growth, Room]:
    gear = request.installed
    if gear is None or radix is None:
        raise Impossible("needs", "installed", other="radix")
    demand = demand or Demand(0, 1)
    used = gear.down_used_per_leaf
    if used is None:
        used = min(max(0, radix - gear.uplinks_per_leaf), ceil(demand.endpoints / gear.leaves))
    there = Installed(gear.leaves, gear.spines, gear.uplinks_per_leaf, used)
    return grow(demand, radix, there, ratio, speed), room(demand, radix, there, ratio, speed)


def _storage(request: Request) -> tuple[Design | None, Plane | None]:
    """Storage: joined switches where their radix, redundancy or links are stated, else leaves and spines of the stated radix."""
    per_node, servers = request.storage_ports_per_node or 0, request.storage_servers or 0
    per_server, nodes = request.ports_per_storage_server or 0, request.nodes or 0
    if not nodes * per_node + servers * per_server:
        return None, None
    if any(getattr(request, name) is not None for name in _JOINED):
        radix, isl, pair = request.switch_radix or request.radix or 0, request.isl_ports_per_switch or 0, bool(request.switches_redundant)
        return None, storage_plane(nodes, per_node, servers, per_server, radix, isl, pair, PORTS_PER_STORAGE_NIC)
    if request.radix is None:
        return None, None
    ports = Demand(1, nodes * per_node + servers * per_server)
    return design(ports, Wanted(radix=radix_of(request), ratio=target(request) or 1, leaf_spine=True)), None
