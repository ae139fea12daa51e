"""How hosts and switches hang together: cables that tools saw first, then what a person wrote, then the schedulers' topologies.

Where the hosts of a group hang on the same several leaves (one for each rail, or two for redundancy), those leaves together are the
group's leaf: traffic inside the group need not go up.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from advisor.evidence.bundle import Bundle
from advisor.evidence.origin import Origin
from advisor.fabric.claims import Claims
from advisor.fabric.identities import Systems
from advisor.fabric.links import cables, cables_by_hosts, channel_adapters, stated_links, switch_names
from advisor.fabric.model import Conflict, Link, Oddity, Tier
from advisor.fabric.names import HostNames, is_switch
from advisor.fabric.scheduled import disagreements, scheduled
from advisor.fabric.tiers import tiers, with_tier
from advisor.fabric.written import beside_cables, written

_WORDS = re.compile(r"\d+|\D+")


@dataclass(frozen=True, slots=True)
class Wiring:
    """hosts: every machine that is no switch. leaf_of: host -> leaf. groups: leaf -> its switches, for leaves known by cables.

    leaves_of   host -> the switches that it hangs on, in order of its ports, where they are several
    pod_of      leaf or spine -> the pod that a source other than cables names
    isolated    leaf switches without any uplink, as stated
    told_at     switch -> where a person wrote of it
    """

    hosts: frozenset[str]
    links: tuple[Link, ...]
    tier_of: Mapping[str, Tier]
    leaf_of: Mapping[str, str]
    leaves_of: Mapping[str, tuple[str, ...]]
    groups: Mapping[str, tuple[str, ...]]
    pod_of: Mapping[str, str]
    told_at: Mapping[str, Origin]
    isolated: frozenset[str]
    conflicts: tuple[Conflict, ...]
    doubts: tuple[Oddity, ...]

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


def wiring(bundle: Bundle, claims: tuple[Claims, Claims], host_names: HostNames, named: set[str], systems: Systems) -> Wiring:
    """claims: on hosts and on switches. named: hosts that tools, jobs and runs name."""
    on_hosts, on_switches = claims
    plan = scheduled(bundle, host_names)
    known_switches = switch_names(bundle)
    hosts = ({*named, *plan.leaf_of, *map(host_names.short, systems.hosts)} | channel_adapters(bundle, host_names)) - known_switches
    seen = cables(bundle, on_switches, host_names, hosts, systems)
    more, tops = cables_by_hosts(bundle, on_hosts, host_names, seen)
    hosts = hosts - tops
    seen = (*seen, *more)
    ends = {end.device: end.port for link in seen for end in (link.a, link.b)}
    wired = {*on_switches.things(), *tops, *(systems.switches & ends.keys())} | {
        d for d, port in ends.items() if d not in hosts and is_switch(d, port)
    }
    made = written(bundle, host_names, hosts, wired | plan.tier_of.keys())
    switches = wired | made.tier_of.keys() | _scheduled_switches(plan.tier_of, wired | made.tier_of.keys())
    # A neighbour of which nothing tells what it is stays a bare end of its cable.
    hosts = (hosts | made.hosts | {device for device, port in ends.items() if is_switch(device, port) is False}) - switches
    told: dict[str, Tier] = {**plan.tier_of, **systems.tier_of, **made.tier_of}
    contradictions: tuple[Conflict, ...] = ()
    links = (*seen, *made.links)
    if seen and made.links:
        tier_of = tiers(seen, switches, hosts, told)
        kept, contradictions = beside_cables(made, tuple(with_tier(link, tier_of, hosts) for link in seen), tier_of, hosts)
        links = (*seen, *kept)
    tier_of = tiers(links, switches, hosts, told)
    links = (*(with_tier(link, tier_of, hosts) for link in links), *stated_links(bundle))
    near = cabled(links, hosts, {name for name, tier in tier_of.items() if tier == "leaf"})
    by_cable = {host: group_name(found) for host, found in near.items()}
    groups = {by_cable[host]: found for host, found in near.items()}
    pod_of = dict(plan.pod_of) | {
        leaf: pod for leaf, found in groups.items() if (pod := next(filter(None, map(made.pod_of.get, found)), None))
    }
    return Wiring(
        hosts=frozenset(hosts),
        links=links,
        tier_of=tier_of,
        leaf_of={**plan.leaf_of, **by_cable},
        leaves_of={host: rails for host, rails in _by_port(links, hosts, near).items() if len(rails) > 1},
        groups=groups,
        pod_of=pod_of | {name: pod for name, pod in made.pod_of.items() if tier_of.get(name) == "spine"},
        told_at=made.told_at,
        isolated=made.isolated,
        conflicts=(*plan.conflicts, *contradictions, *disagreements(by_cable, plan.leaf_of, plan.told_by)),
        doubts=(*plan.doubts, *made.doubts),
    )


def _by_port(links: Iterable[Link], hosts: set[str], near: Mapping[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
    """The leaf switches of each host in order of its ports, each once: of a rail-optimised fabric the i-th is rail i."""
    ports: dict[str, list[tuple[str, str]]] = {}
    for link in links:
        for end, other in ((link.a, link.b), (link.b, link.a)):
            if end.device in hosts and other.device in near.get(end.device, ()):
                ports.setdefault(end.device, []).append((end.port or "", other.device))
    return {host: tuple(dict.fromkeys(switch for _, switch in sorted(found, key=_natural))) for host, found in ports.items()}


def _natural(pair: tuple[str, str]) -> tuple[tuple[tuple[bool, int, str], ...], ...]:
    """Order in which mlx5_10 comes after mlx5_9."""
    return tuple(tuple((word.isdecimal(), int(word) if word.isdecimal() else 0, word) for word in _WORDS.findall(text)) for text in pair)


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
