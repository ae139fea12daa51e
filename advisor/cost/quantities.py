"""How many of each thing a remedy takes at this site: named rules over the fabric. None is unknown, with what would tell it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from math import ceil

from advisor.base.text import Text
from advisor.cost.expansion import Expansion, expansion
from advisor.cost.model import Price, Range
from advisor.cost.settings import Settings
from advisor.cost.sizing.clos import even_spines
from advisor.cost.sizing.optics import twin_port_modules
from advisor.cost.sizing.planes import storage_plane
from advisor.fabric.model import Fabric, Leaf
from advisor.remedy.remedy import Proposal
from advisor.remedy.words import both

NICS_FOR_STORAGE_PORTS = 2  # ports of one card of the plane


@dataclass(frozen=True)
class Site:
    """What a rule looks at. `switch` is the switch that the template chose, for its radix."""

    proposal: Proposal
    fabric: Fabric
    settings: Settings
    switch: Price | None = None


@dataclass(frozen=True)
class Quantity:
    amount: Range | None
    basis: Text


Rule = Callable[[Site], Quantity]


def host_count(fabric: Fabric) -> int | None:
    """Hosts of the site: as stated of every kind, else those that captures show by name."""
    stated = [kind.count for kind in fabric.host_kinds if kind.count is not None]
    seen = len(fabric.hosts)
    return max(sum(stated), seen) or None


def gpu_count(fabric: Fabric) -> int | None:
    """GPUs of the site: hosts times GPUs of a host where both are stated, else the sum of what hosts show; None where a host is silent."""
    if fabric.host_kinds and all(kind.count is not None and kind.gpus_per_host is not None for kind in fabric.host_kinds):
        return sum((kind.count or 0) * (kind.gpus_per_host or 0) for kind in fabric.host_kinds)
    counts = [host.gpu_count if host.gpu_count is not None else len(host.gpus) or None for host in fabric.hosts.values()]
    known = [count for count in counts if count is not None]
    return sum(known) if known and len(known) == len(counts) else None


def touched_hosts(proposal: Proposal, fabric: Fabric) -> int | None:
    """Hosts that the evidence names, itself or by a job; where it names none, all of the site."""
    where = set(proposal.where)
    named = {thing.partition("/")[0] for thing in where} & set(fabric.hosts)
    jobs = [job for job in fabric.jobs if job.name in where]
    if not named and jobs:
        return (
            len({host for job in jobs for host in job.hosts}) or max((job.host_count or 0 for job in jobs), default=0) or host_count(fabric)
        )
    return len(named) or host_count(fabric)


def leaf_count(fabric: Fabric) -> int | None:
    """Leaves with a name of their own; a design that is stated for every leaf does not say how many there are."""
    named = {leaf.name for leaf in fabric.leaves if leaf.name != "*"} | {s.name for s in fabric.switches.values() if s.tier == "leaf"}
    return len(named) or None


def touched_leaves(proposal: Proposal, fabric: Fabric) -> int | None:
    named = {leaf.name for leaf in fabric.leaves} & set(proposal.where)
    return len(named) or leaf_count(fabric)


def touched_links(proposal: Proposal, fabric: Fabric) -> int | None:
    """Ports that the evidence names; a bad host without a named port counts as one link."""
    ports = [thing for thing in proposal.where if "/" in thing]
    return len(ports) or len(set(proposal.where) & set(fabric.hosts)) or None


def uplink_rate(fabric: Fabric) -> float | None:
    """Rate of one uplink where all leaves that tell it agree."""
    rates = {leaf.uplink_gbps for leaf in fabric.leaves if leaf.uplink_gbps is not None}
    return rates.pop() if len(rates) == 1 else None


def port_rate(fabric: Fabric) -> float | None:
    """Rate of one host port where all that tell it agree: as stated of the kinds of host, else as the ports show."""
    stated = {kind.nic_rate_gbps for kind in fabric.host_kinds if kind.nic_rate_gbps is not None}
    seen = {port.rate_gbps for host in fabric.hosts.values() for port in host.ports.values() if port.rate_gbps is not None}
    rates = stated or seen
    return rates.pop() if len(rates) == 1 else None


def new_uplinks(fabric: Fabric, settings: Settings) -> tuple[int, int] | None:
    """Uplinks to add over all leaves for the target ratio, and the leaves that they are counted over. None: a leaf does not tell enough."""
    tight = [leaf for leaf in fabric.leaves if leaf.ratio is not None]
    added = [_added(leaf, settings) for leaf in tight]
    if not added or any(count is None for count in added):
        return None
    if tight[0].name == "*" and len(tight) == 1:
        leaves = leaf_count(fabric)
        return None if leaves is None else ((added[0] or 0) * leaves, leaves)
    return sum(count or 0 for count in added), len(added)


def _added(leaf: Leaf, settings: Settings) -> int | None:
    if leaf.down_gbps is None or leaf.up_gbps is None or not leaf.uplink_gbps:
        return None
    target = leaf.down_gbps / float(settings.target_ratio)
    return max(0, ceil((target - leaf.up_gbps) / leaf.uplink_gbps - 1e-9))


def _exact(count: int | None, key: str, **values: object) -> Quantity:
    if count is None:
        return Quantity(None, both(f"cost.unknown.{key}"))
    return Quantity(Range.of(Decimal(count)), both(f"cost.basis.{key}", count=count, **values))


def _hosts(site: Site) -> Quantity:
    return _exact(touched_hosts(site.proposal, site.fabric), "hosts")


def _links(site: Site) -> Quantity:
    return _exact(touched_links(site.proposal, site.fabric), "links")


def _grown(site: Site) -> Expansion | None:
    return expansion(site.fabric, site.settings, site.switch.radix if site.switch else None)


def _links_to_add(site: Site) -> tuple[int, int] | None:
    """Links between switches to add, and the leaves that they are counted over: by the growth of the whole fabric, else leaf by leaf."""
    grown = _grown(site)
    return new_uplinks(site.fabric, site.settings) if grown is None else (grown.links, grown.growth.leaves)


def _new_uplinks(site: Site) -> Quantity:
    found = _links_to_add(site)
    return _exact(None if found is None else found[0], "uplinks", leaves=found[1] if found else 0, ratio=site.settings.target_ratio)


def _modules(site: Site) -> Quantity:
    """Modules at both ends of each new uplink, one link each."""
    found = _links_to_add(site)
    return _exact(None if found is None else 2 * found[0], "modules")


def _twin_modules(site: Site) -> Quantity:
    """Twin-port modules at both ends of the new uplinks."""
    found = _links_to_add(site)
    return _exact(None if found is None else twin_port_modules(found[0]), "modules-twin")


def _spines(site: Site) -> Quantity:
    """Switches that take the new uplinks: by the growth of the fabric, leaves and cores too where ports end; else full spines."""
    found, radix, grown = new_uplinks(site.fabric, site.settings), site.switch.radix if site.switch else None, _grown(site)
    if found is None or radix is None:
        return _exact(None, "spines")
    if grown is not None:
        made, there = grown.growth, grown.installed
        values = {"radix": radix, "links": grown.links, "installed": there.spines, "moved": made.links_moved + made.node_cables_moved}
        key = "switches-grown" if made.buy_leaves or made.buy_cores else "spines-even"
        return _exact(grown.switches, key, **values, leaves=made.buy_leaves, spines=made.buy_spines, cores=made.buy_cores)
    links, leaves = found
    spines = sum(switch.tier == "spine" for switch in site.fabric.switches.values())
    per_leaf = {leaf.uplinks for leaf in site.fabric.leaves if leaf.ratio is not None}
    uplinks = per_leaf.pop() if len(per_leaf) == 1 else None
    if spines and uplinks and links % leaves == 0:
        needed = max(0, even_spines(leaves, uplinks + links // leaves, radix) - spines)
        return _exact(needed, "spines-even", radix=radix, links=links, installed=spines, moved=0)
    return _exact(ceil(links / radix), "spines", radix=radix, links=links)


def _plane_nics(site: Site) -> Quantity:
    return _exact(host_count(site.fabric), "plane-nics")


def _plane_switches(site: Site) -> Quantity:
    hosts, radix = host_count(site.fabric), site.switch.radix if site.switch else None
    if hosts is None or radix is None:
        return _exact(None, "plane-switches")
    plane = storage_plane(hosts, NICS_FOR_STORAGE_PORTS, radix=radix)
    return _exact(plane.switches, "plane-switches", ports=plane.ports, radix=radix)


def _plane_cables(site: Site) -> Quantity:
    hosts = host_count(site.fabric)
    return _exact(None if hosts is None else hosts * NICS_FOR_STORAGE_PORTS, "plane-cables")


def _host_links(site: Site) -> Quantity:
    """Cables between hosts and leaves, where every kind of host tells its ports."""
    kinds = site.fabric.host_kinds
    known = [(kind.count or 0) * (kind.nics_per_host or 0) * (kind.nic_ports or 1) for kind in kinds if kind.count and kind.nics_per_host]
    return _exact(sum(known) if kinds and len(known) == len(kinds) else None, "host-links")


RULES: Mapping[str, Rule] = {
    "one": lambda site: _exact(1, "one"),
    "hosts": _hosts,
    "links": _links,
    "host-links": _host_links,
    "new-uplinks": _new_uplinks,
    "uplink-modules": _modules,
    "uplink-twin-modules": _twin_modules,
    "spines-to-add": _spines,
    "plane-nics": _plane_nics,
    "plane-switches": _plane_switches,
    "plane-cables": _plane_cables,
}
