"""How hosts and switches hang together: cables first, the schedulers' topologies where there are none.

Where the hosts of a group hang on the same several leaves (one for each rail, or two for redundancy), those leaves together are the
group's leaf: traffic inside the group need not go up.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from advisor.evidence.bundle import Bundle
from advisor.evidence.origin import Origin
from advisor.fabric.claims import Claims
from advisor.fabric.facts import names, tree, whole
from advisor.fabric.links import cables, channel_adapters, stated_links, switch_names, tiers, with_tier
from advisor.fabric.model import Conflict, Link, Tier
from advisor.fabric.names import HostNames, is_switch


@dataclass(frozen=True, slots=True)
class Wiring:
    """hosts: every machine that is no switch. leaf_of: host -> leaf. groups: leaf -> its switches, for leaves known by cables."""

    hosts: frozenset[str]
    links: tuple[Link, ...]
    tier_of: Mapping[str, Tier]
    leaf_of: Mapping[str, str]
    groups: Mapping[str, tuple[str, ...]]
    conflicts: tuple[Conflict, ...]

    @property
    def members(self) -> dict[str, tuple[str, ...]]:
        """leaf -> its hosts, in order of name"""
        found: dict[str, list[str]] = {}
        for host in sorted(self.leaf_of):
            found.setdefault(self.leaf_of[host], []).append(host)
        return {leaf: tuple(found[leaf]) for leaf in sorted(found)}

    @property
    def hosts_of_switch(self) -> dict[str, tuple[str, ...]]:
        members = self.members
        by_cable = {switch: members[leaf] for leaf, switches in self.groups.items() for switch in switches}
        return {leaf: hosts for leaf, hosts in members.items() if leaf not in self.groups} | by_cable


def wiring(bundle: Bundle, on_switches: Claims, host_names: HostNames, named: set[str]) -> Wiring:
    """named: hosts that tools, jobs and runs name."""
    scheduled_leaf, scheduled_tier, told_by = scheduled(bundle, host_names)
    hosts = ({*named, *scheduled_leaf} | channel_adapters(bundle, host_names)) - switch_names(bundle)
    links = cables(bundle, on_switches, host_names, hosts)
    ends = {end.device: end.port for link in links for end in (link.a, link.b)}
    wired = {*on_switches.things()} | {d for d, port in ends.items() if d not in hosts and is_switch(d, port)}
    switches = wired | _scheduled_switches(scheduled_tier, wired)
    # A neighbour of which nothing tells what it is stays a bare end of its cable.
    hosts = (hosts | {device for device, port in ends.items() if is_switch(device, port) is False}) - switches
    tier_of = tiers(links, switches, hosts, scheduled_tier)
    links = (*(with_tier(link, tier_of, hosts) for link in links), *stated_links(bundle))
    near = cabled(links, hosts, switches)
    by_cable = {host: group_name(found) for host, found in near.items()}
    return Wiring(
        hosts=frozenset(hosts),
        links=links,
        tier_of=tier_of,
        leaf_of={**scheduled_leaf, **by_cable},
        groups={by_cable[host]: found for host, found in near.items()},
        conflicts=(*listed_twice(bundle, host_names), *disagreements(by_cable, scheduled_leaf, told_by)),
    )


def _scheduled_switches(tier_of: Mapping[str, Tier], wired: set[str]) -> set[str]:
    """Switches that only a scheduler's topology names. Its upper levels are groups of leaves, not devices: where cables or switches
    tell of anything, only its leaves count beside them."""
    return {switch for switch, tier in tier_of.items() if tier == "leaf" or not wired}


def cabled(links: Iterable[Link], hosts: set[str], switches: set[str]) -> dict[str, tuple[str, ...]]:
    """The leaf switches that each host has a cable to."""
    found: dict[str, set[str]] = {}
    for link in links:
        for end, other in ((link.a.device, link.b.device), (link.b.device, link.a.device)):
            if end in hosts and other in switches:
                found.setdefault(end, set()).add(other)
    return {host: tuple(sorted(near)) for host, near in found.items()}


def group_name(switches: tuple[str, ...]) -> str:
    """One name for the leaves of a group."""
    return switches[0] if len(switches) == 1 else f"{switches[0]}..{switches[-1]}"


def scheduled(bundle: Bundle, host_names: HostNames) -> tuple[dict[str, str], dict[str, Tier], dict[str, Origin]]:
    """What the schedulers' topologies say: leaf of each host, tier of each switch, origin of each host's word."""
    leaf_of: dict[str, str] = {}
    tier_of: dict[str, Tier] = {}
    origins: dict[str, Origin] = {}
    for pattern in ("hosts.*.leaf", "topologies.*.hosts.*.leaf"):
        for known in bundle.find(pattern, "slurm-topology"):
            host = host_names.short(known.names[-1])
            leaf_of.setdefault(host, str(known.value))
            origins.setdefault(host, known.origin)
    for known in bundle.find("switches.*", "slurm-topology"):
        level = whole(tree(known.value).get("level"))
        if level is None:
            level = 0 if tree(known.value).get("hosts") else None
        if level is not None:
            tier_of[known.names[0]] = "leaf" if level == 0 else "spine" if level == 1 else "core"
    lowest = min((t for known in bundle.find("hypernodes.*.tier", "k8s-topology") if (t := whole(known.value)) is not None), default=None)
    for known in bundle.find("hypernodes.*", "k8s-topology"):
        node = tree(known.value)
        if lowest is not None and whole(node.get("tier")) == lowest:
            tier_of.setdefault(known.names[0], "leaf")
            for member in names(node.get("members")):
                leaf_of.setdefault(host_names.short(member), known.names[0])
                origins.setdefault(host_names.short(member), known.origin)
    return leaf_of, tier_of, origins


def listed_twice(bundle: Bundle, host_names: HostNames) -> tuple[Conflict, ...]:
    """Hosts that one topology of a scheduler puts below several leaves: the first of them is used."""
    found: dict[tuple[str, tuple[str, ...], str], dict[str, Origin]] = {}
    for pattern in ("switches.*", "topologies.*.switches.*"):
        for known in bundle.find(pattern, "slurm-topology"):
            entry = tree(known.value)
            if entry.get("children") or whole(entry.get("level")) not in (None, 0):
                continue
            for host in names(entry.get("hosts")):
                place = (known.origin.capture, known.names[:-1], host_names.short(host))
                found.setdefault(place, {}).setdefault(known.names[-1], known.origin)
    used = scheduled(bundle, host_names)[0]
    return tuple(
        Conflict(thing=host, figure="leaf", values=tuple(leaves), origins=tuple(leaves.values()), used=used.get(host, next(iter(leaves))))
        for (_, _, host), leaves in found.items()
        if len(leaves) > 1
    )


def disagreements(cables: Mapping[str, str], schedule: Mapping[str, str], origins: Mapping[str, Origin]) -> tuple[Conflict, ...]:
    """Leaves of the scheduler's topology whose hosts hang on several leaves by their cables: names may differ, groups may not."""
    groups: dict[str, set[str]] = {}
    for host, leaf in schedule.items():
        if host in cables:
            groups.setdefault(leaf, set()).add(cables[host])
    return tuple(
        Conflict(
            thing=leaf,
            figure="hosts",
            values=(leaf, " ".join(sorted(found))),
            origins=tuple(origins[host] for host in sorted(schedule) if schedule[host] == leaf and host in cables)[:1],
            used=" ".join(sorted(found)),
        )
        for leaf, found in sorted(groups.items())
        if len(found) > 1
    )
