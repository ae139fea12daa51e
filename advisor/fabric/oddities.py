"""What cannot be so in a fabric, or hides a part of it from the model: each named, with its place."""

from collections.abc import Iterator

from advisor.evidence.origin import Origin
from advisor.fabric.model import Fabric, Oddity

__all__ = ["Oddity", "oddities"]
_SHOWN = 6


def oddities(fabric: Fabric) -> tuple[Oddity, ...]:
    """All of them: what was left out while building, then by kind; an empty fabric has none."""
    found = (_leaves, _links, _jobs, _two_leaves, _above, _parts)
    return (*fabric.doubts, *(oddity for look in found for oddity in look(fabric)))


def _leaves(fabric: Fabric) -> Iterator[Oddity]:
    known = {leaf.name for leaf in fabric.leaves}
    for leaf in fabric.leaves:
        if not leaf.hosts and leaf.name != "*":
            yield Oddity(kind="leaf-without-hosts", thing=leaf.name, origin=leaf.origin)
    for switch in fabric.switches.values():
        if switch.tier == "leaf" and not switch.hosts and switch.name not in known:
            yield Oddity(kind="leaf-without-hosts", thing=switch.name, origin=next(iter(switch.origins), None))
    for leaf in fabric.leaves:
        if leaf.hosts and leaf.up_gbps == 0 and not fabric.one_leaf:
            yield Oddity(kind="leaf-without-uplinks", thing=leaf.name, detail=str(leaf.uplinks_down), origin=leaf.origin)


def _links(fabric: Fabric) -> Iterator[Oddity]:
    for link in fabric.links:
        if link.rate_gbps == 0 and link.is_up:
            ends = " - ".join(f"{end.device} {end.port or ''}".strip() for end in (link.a, link.b))
            yield Oddity(kind="zero-rate", thing=ends, origin=link.origin)


def _jobs(fabric: Fabric) -> Iterator[Oddity]:
    if not any(leaf.hosts for leaf in fabric.leaves):
        return
    placed = {host for leaf in fabric.leaves for host in leaf.hosts}
    for job in fabric.jobs:
        unknown = [host for host in job.hosts if host not in placed]
        if unknown:
            yield Oddity(kind="job-on-unknown-hosts", thing=job.name, detail=_names(unknown), origin=job.origin)


def _two_leaves(fabric: Fabric) -> Iterator[Oddity]:
    """Hosts that two leaves list, or whose leaf switches belong to other hosts' leaf only in part: rails are groups that all share."""
    listed: dict[str, list[str]] = {}
    for leaf in fabric.leaves:
        for host in leaf.hosts:
            listed.setdefault(host, []).append(leaf.name)
    twice = {host: leaves for host, leaves in listed.items() if len(leaves) > 1}
    twice |= {c.thing: list(c.values) for c in fabric.conflicts if c.figure == "leaf" and c.thing in fabric.hosts}
    groups: dict[tuple[str, ...], list[str]] = {}
    for host in fabric.hosts:
        near = {_other(link.a.device, link.b.device, host) for link in fabric.links_by_device.get(host, ())}
        group = tuple(sorted(near & fabric.switches.keys()))
        if group:
            groups.setdefault(group, []).append(host)
    of_switch: dict[str, list[tuple[str, ...]]] = {}
    for group in groups:
        for switch in group:
            of_switch.setdefault(switch, []).append(group)
    for group, hosts in groups.items():
        others = [other for switch in group for other in of_switch[switch] if other != group]
        # The odd one has more switches than another group that it reaches into, and fewer hosts than that.
        if any(len(hosts) < len(groups[other]) and len(group) > len(other) for other in others):
            twice |= {host: list(group) for host in hosts if host not in twice}
    for host, leaves in sorted(twice.items()):
        yield Oddity(kind="host-on-two-leaves", thing=host, detail=_names(leaves), origin=_origin(fabric, host))


def _above(fabric: Fabric) -> Iterator[Oddity]:
    """Hosts on switches above the leaves, and on no leaf."""
    tops = {switch.name for switch in fabric.switches.values() if switch.tier in ("spine", "core")}
    for name, host in fabric.hosts.items():
        if host.leaf is None and tops:
            near = {_other(link.a.device, link.b.device, name) for link in fabric.links_by_device.get(name, ())} & tops
            if near:
                yield Oddity(kind="host-above-leaves", thing=name, detail=_names(sorted(near)), origin=_origin(fabric, name))


def _other(a: str, b: str, device: str) -> str:
    return b if a == device else a


def _origin(fabric: Fabric, host: str) -> Origin | None:
    links = fabric.links_by_device.get(host, ())
    return links[0].origin if links else next(iter(fabric.hosts[host].origins), None) if host in fabric.hosts else None


def _parts(fabric: Fabric) -> Iterator[Oddity]:
    """Parts of the fabric, each with switches and hosts, that no cable joins, if there are several and each has seen uplinks or none has.

    Cables of one leaf alone, the others known by name only, are no sign of it: a part counts that has hosts behind a spine.
    """
    part_of: dict[str, str] = {}

    def root(device: str) -> str:
        while part_of.setdefault(device, device) != device:
            part_of[device] = part_of[part_of[device]]
            device = part_of[device]
        return device

    for link in fabric.links:
        if link.a.device != link.b.device:
            part_of[root(link.a.device)] = root(link.b.device)
    spines = {root(switch.name) for switch in fabric.switches.values() if switch.tier == "spine" and switch.name in part_of}
    parts: dict[str, list[str]] = {}
    for host in fabric.hosts:
        if host in part_of and root(host) in spines:
            parts.setdefault(root(host), []).append(host)
    if len(parts) > 1:
        for hosts in sorted(parts.values(), key=lambda some: (-len(some), some))[1:]:
            yield Oddity(kind="parts-apart", thing=hosts[0], detail=_names(hosts), origin=_origin(fabric, hosts[0]))


def _names(names: list[str]) -> str:
    shown = ", ".join(names[:_SHOWN])
    return shown if len(names) <= _SHOWN else f"{shown}, +{len(names) - _SHOWN}"
