"""The figures of a sizing by key: those that `advisor size --json` prints. A figure that does not follow from what is stated is absent."""

from collections.abc import Mapping
from fractions import Fraction

from advisor.cost.sizing.answer import Sizing, radix_of, target, uplinks
from advisor.cost.sizing.clos import most_leaves
from advisor.cost.sizing.design import leaf_ports
from advisor.cost.sizing.facility import management, storage, storage_target
from advisor.cost.sizing.model import Wanted
from advisor.cost.sizing.optics import cables, every_cage, node_side_modules, switch_side_modules, twin_port_modules
from advisor.cost.sizing.reference import bill, misprints

Figures = dict[str, int | float]
TWIN_RATES = (400, 800)  # Gb/s of a link whose cages hold two (OSFP 2x400G, 2x800G)


def figures(found: Sizing) -> Mapping[str, int | float]:
    known: Figures = {}
    for part in (_leaf, _hosts, _fabric, _pair, _rates, _modules, _growth, _room, storage, management, storage_target):
        known |= part(found)
    counts, _ = bill(found.request, known)
    known |= counts
    known |= {f"{one.figure}_as_printed": one.printed for one in misprints(known | _stated(found))}
    return known


def _stated(found: Sizing) -> Figures:
    stated = {name: getattr(found.request, name) for name in ("nodes", "radix")}
    return {name: value for name, value in stated.items() if value is not None}


def _leaf(found: Sizing) -> Figures:
    """Of one leaf alone, and what such leaves hold: R * d endpoints in two tiers, R * R/2 * d in three."""
    r, radix = found.request, radix_of(found.request)
    down, up = r.down_ports, uplinks(r)
    node, uplink = found.node_gbps, found.uplink_gbps
    known: Figures = {}
    without_spines = r.topology in ("single-switch", "two-switch", "rail-only") or r.tiers == 1
    if radix is not None and r.installed is None and not without_spines:
        speed = uplink / node if node and uplink else Fraction(1)
        down, up = leaf_ports(Wanted(radix=radix, ratio=target(r), speed=speed, down=down, up=up, spines=r.spines), r.planes or 1)
        made = found.fabric
        known |= {"down_ports_per_leaf": made.down if made else down, "uplinks_per_leaf": made.up if made and made.up else up}
        known["max_endpoints_two_tier"] = most_leaves(radix, 2) * down
        known["max_endpoints_three_tier"] = most_leaves(radix, 3) * down
    if found.demand is None and down is not None and up is not None:
        known["oversubscription"] = _ratio(down, node, up, uplink)
    return known


def _hosts(found: Sizing) -> Figures:
    r, demand = found.request, found.demand
    known: Figures = {}
    if r.nodes is not None and r.gpus_per_node is not None:
        known["gpus"] = r.nodes * r.gpus_per_node
    if demand is None or found.growth is not None:
        return known
    links = demand.links
    known |= {"nics_total": demand.nodes * demand.ports_per_node, "compute_links": links}
    known["compute_cages_node"] = node_side_modules(demand.nodes, demand.ports_per_node * demand.planes)
    known["cables_node_leaf"] = cables(links + demand.reserved_ports, r.links_per_cable or 1)
    known["fibres_to_buy"] = 0 if r.node_cable in ("dac", "aoc") else cables(links, r.links_per_cable or 1)
    if r.breakout:
        known["breakout_cables_node_leaf"] = cables(links, r.breakout)
    return known


def _fabric(found: Sizing) -> Figures:
    made, r = found.fabric, found.request
    if made is None or found.demand is None:
        return {}
    per = r.links_per_cable or 1
    known: Figures = {"tiers": made.tiers, "leaves": made.leaves, "cores": made.cores}
    if made.spines or made.tiers == 1:
        known |= {"spines": made.spines, "switches_total": made.switches}
    known["cables_leaf_spine"] = cables(made.links_leaf_spine, per)
    known["cables_spine_core"] = cables(made.links_spine_core, per)
    switch_links = made.links_leaf_spine + made.links_spine_core
    links = found.demand.links
    known["cables_compute"] = cables(links, per) + cables(made.links_leaf_spine, per) + cables(made.links_spine_core, per)
    known |= {"of_which_node_leaf": cables(links, per), "of_which_leaf_spine": cables(made.links_leaf_spine, per)}
    if r.link_gbps == 400:
        known["ndr_cables_compute"] = known["cables_compute"]
    node_fibres = 0 if r.node_cable in ("dac", "aoc") else links
    switch_fibres = 0 if r.switch_cable in ("dac", "aoc") else switch_links
    known["fibres_to_buy"] = cables(node_fibres, per) + cables(switch_fibres, per)
    known |= {"optics_node_leaf": 2 * cables(node_fibres, per), "optics_between_switches": 2 * cables(switch_fibres, per)}
    if made.links_leaf_spine:
        by_port = r.down_ports is not None or r.leaves is None
        used = _ratio(links, found.node_gbps, made.links_leaf_spine, found.uplink_gbps)
        known["oversubscription"] = made.ratio if by_port and made.ratio is not None else used
        known["oversubscription_in_use"] = used
    if made.spine_ratio is not None:
        known["spine_oversubscription"] = made.spine_ratio
    for tier, (ports, of) in made.ports().items():
        known |= {f"{tier}_ports_used": ports, f"{tier}_ports_free": of - ports}
    if made.endpoints_max is not None:
        known["endpoints_max"] = made.endpoints_max
    return known


def _pair(found: Sizing) -> Figures:
    pair = found.pair
    if pair is None:
        return {}
    return {
        "tiers": 1,
        "switches": 2,
        "switches_total": 2,
        "leaves": 2,
        "spines": 0,
        "cores": 0,
        "isl_links": pair.between,
        "isl_dacs_twin": pair.twin_cables,
        "oversubscription": pair.ratio,
    }


def _rates(found: Sizing) -> Figures:
    """Sums over all leaves, in Gb/s, where the rates are stated."""
    known: Figures = {}
    if found.demand is not None and found.node_gbps is not None:
        known["server_to_leaf_gbps"] = _number(found.demand.links * found.node_gbps)
    made = found.fabric
    if made is not None and made.links_leaf_spine and found.uplink_gbps is not None:
        known["leaf_to_spine_gbps"] = _number(made.links_leaf_spine * found.uplink_gbps)
        if made.links_spine_core:
            known["spine_to_core_gbps"] = _number(made.links_spine_core * found.uplink_gbps)
    return known


def _modules(found: Sizing) -> Figures:
    """Twin-port modules, where the links' rate is one that comes two to a cage: those that fill every cage, and those of ports in use."""
    made, demand, rate = found.fabric, found.demand, found.node_gbps
    if demand is None or rate not in TWIN_RATES or found.growth is not None:
        return {}
    known: Figures = {"node_twin_port_modules": node_side_modules(demand.nodes, demand.ports_per_node * demand.planes)}
    if made is not None and made.radix is not None:
        between = made.links_leaf_spine + made.links_spine_core
        known["switch_twin_port_modules"] = every_cage(made.switches, made.radix)
        known["switch_twin_port_modules_in_use"] = switch_side_modules(demand.links + demand.reserved_ports, between)
    return known


def _growth(found: Sizing) -> Figures:
    grown = found.growth
    if grown is None:
        return {}
    fibres = grown.buy_links + grown.buy_links_spine_core
    ratio: Figures = {} if grown.ratio is None else {"oversubscription": grown.ratio}
    return {
        **ratio,
        "tiers": grown.tiers,
        "leaves": grown.leaves,
        "spines": grown.spines,
        "cores": grown.cores,
        "switches_total": grown.leaves + grown.spines + grown.cores,
        "uplinks_per_leaf": grown.uplinks_per_leaf,
        "leaf_spine_links": grown.links_leaf_spine,
        "cables_leaf_spine": grown.links_leaf_spine,
        "cables_spine_core": grown.links_spine_core,
        "buy_leaves": grown.buy_leaves,
        "buy_spines": grown.buy_spines,
        "buy_cores": grown.buy_cores,
        "buy_leaf_spine_links": grown.buy_links,
        "buy_spine_core_links": grown.buy_links_spine_core,
        "buy_node_cables": grown.buy_node_links,
        "links_moved": grown.links_moved,
        "leaf_spine_links_moved": grown.links_moved,
        "node_cables_moved": grown.node_cables_moved,
        "spare_spines": grown.spare_spines,
        "buy_twin_port_modules": twin_port_modules(fibres),
        "buy_fibres": fibres,
    }


def _room(found: Sizing) -> Figures:
    left = found.room
    if left is None:
        return {}
    ratios = {"oversubscription_now": left.ratio_now, "oversubscription_reachable": left.ratio_then}
    return {
        **{key: ratio for key, ratio in ratios.items() if ratio is not None},
        "free_leaf_ports_per_leaf": left.free_leaf_ports,
        "free_spine_ports": left.free_spine_ports,
        "uplinks_addable_per_leaf": left.uplinks_addable,
        "nodes_on_free_ports": left.nodes_on_free_ports,
        "nodes_at_target": left.nodes_at_ratio,
    }


def _ratio(down: int, node: Fraction | None, up: int, uplink: Fraction | None) -> float:
    return float(Fraction(down) * (node or 1) / (up * (uplink or 1))) if (node and uplink) else down / up


def _number(value: Fraction) -> int | float:
    return int(value) if value.denominator == 1 else float(value)
