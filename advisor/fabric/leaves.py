"""Convergence of leaves: what their hosts can send against what leads up, from cables, else from the stated design."""

from collections.abc import Mapping
from dataclasses import dataclass

from advisor.evidence.bundle import Bundle
from advisor.evidence.origin import Origin
from advisor.fabric import design
from advisor.fabric.hosts import host_rate_gbps
from advisor.fabric.model import Convergence, Host, HostKind, Leaf, Link
from advisor.fabric.wiring import Wiring


def leaves(bundle: Bundle, wires: Wiring, hosts: Mapping[str, Host], kinds: tuple[HostKind, ...]) -> tuple[Leaf, ...]:
    """Every leaf with its convergence, from cables where they lead up, else from the stated design."""
    cables, stated_design = _by_switch(wires.links), Design.of(bundle)
    found = []
    for leaf, members in wires.members.items():
        here = _of(wires.groups.get(leaf, ()), cables)
        alone = bool(wires.isolated) and wires.isolated.issuperset(wires.groups.get(leaf, (leaf,)))
        if alone or any(link.tier == "leaf-uplink" for link in here):
            made = _from_cables(leaf, members, wires.groups.get(leaf, ()), cables, hosts, kinds, stated_design.rate)
            if alone and made.up_gbps is None:
                made = made.model_copy(
                    update={"up_gbps": 0.0, "uplinks": 0, "origin": wires.told_at.get(wires.groups.get(leaf, (leaf,))[0])}
                )
            found.append(made)
        else:
            found.append(_from_design(stated_design, leaf, members, hosts, kinds))
    if not found:
        stated = _from_design(stated_design, "*", (), hosts, kinds)
        found = [stated] if stated.ratio is not None or stated.up_gbps is not None else []
    return tuple(found)


def _by_switch(links: tuple[Link, ...]) -> dict[str, list[Link]]:
    """Links to hosts and leaf uplinks by the devices at their ends."""
    found: dict[str, list[Link]] = {}
    for link in links:
        if link.tier in ("host-port", "leaf-uplink"):
            for device in {link.a.device, link.b.device}:
                found.setdefault(device, []).append(link)
    return found


def _of(switches: tuple[str, ...], cables: Mapping[str, list[Link]]) -> list[Link]:
    """The links of a group of switches, each once."""
    return list({id(link): link for switch in switches for link in cables.get(switch, ())}.values())


def _from_cables(
    name: str,
    members: tuple[str, ...],
    switches: tuple[str, ...],
    cables: Mapping[str, list[Link]],
    hosts: Mapping[str, Host],
    kinds: tuple[HostKind, ...],
    stated_gbps: float | None,
) -> Leaf:
    """A leaf as its cables show it. Uplinks or hosts whose rates no source shows have those that the design states (`stated_gbps`)."""
    links = _of(switches, cables)
    down_gbps = _down_gbps(links)
    if down_gbps is None:
        down_gbps = in_all([host_rate_gbps(hosts[host]) if host in hosts else None for host in members])
    if down_gbps is None and (rate := _host_gbps(members, hosts, kinds)):
        down_gbps = len(members) * rate or None
    each = []
    for switch in switches if len(switches) > 1 else ():
        own = cables.get(switch, [])
        share = down_gbps / len(switches) if down_gbps is not None else None
        each.append(convergence(switch, share if (down := _down_gbps(own)) is None else down, _uplinks(own), stated_gbps))
    whole = convergence(name, down_gbps, _uplinks(links), stated_gbps)
    return Leaf.model_validate({**dict(whole), "hosts": members, "members": tuple(each)})


def _uplinks(links: list[Link]) -> list[Link]:
    return [link for link in links if link.tier == "leaf-uplink"]


def _down_gbps(links: list[Link]) -> float | None:
    return in_all([link.capacity_gbps for link in links if link.tier == "host-port" and link.is_up])


def convergence(name: str, down_gbps: float | None, up: list[Link], stated_gbps: float | None = None) -> Convergence:
    """What leads down against the uplinks of a place, of healthy ones. Without any uplink nothing is known of what leads up.

    stated_gbps: the rate of one uplink, for those of which nothing else tells it.
    """
    healthy = [link for link in up if link.is_up and link.count]
    up_gbps = None if not up else in_all([_rate(link, stated_gbps, link.count) for link in healthy]) if healthy else 0.0
    return Convergence(
        name=name,
        down_gbps=down_gbps,
        up_gbps=up_gbps,
        ratio=down_gbps / up_gbps if down_gbps and up_gbps else None,
        uplinks=sum(link.count for link in healthy) if up else None,
        uplinks_down=sum(link.count for link in up if not link.is_up),
        uplink_gbps=_one([_rate(link, stated_gbps) for link in healthy]),
        origin=next((link.origin for link in up), None),
    )


def _rate(link: Link, stated_gbps: float | None, count: int = 1) -> float | None:
    rate = link.rate_gbps if link.rate_gbps is not None else stated_gbps
    return None if rate is None else rate * count


@dataclass(frozen=True, slots=True)
class Design:
    """What a person stated of every leaf."""

    hosts_per_leaf: float | None
    uplinks: float | None
    rate: float | None
    ratio: float | None
    where: Origin | None

    @staticmethod
    def of(bundle: Bundle) -> "Design":
        keys = ("hosts_per_leaf", "uplinks_per_leaf", "uplink_rate_gbps", "ratio")
        hosts_per_leaf, uplinks, rate, ratio = (design.figure(bundle, "fabric", key) for key in keys)
        where = next((known.origin for known in bundle.find("fabric", "site")), None)
        return Design(hosts_per_leaf, uplinks, rate, ratio, where)


def _from_design(stated: Design, name: str, members: tuple[str, ...], hosts: Mapping[str, Host], kinds: tuple[HostKind, ...]) -> Leaf:
    """A leaf as the design states it, with its own hosts where they are known. A stated ratio goes before a computed one."""
    uplinks, rate, ratio = stated.uplinks, stated.rate, stated.ratio
    host_gbps = _host_gbps(members, hosts, kinds)
    count = len(members) or stated.hosts_per_leaf
    down = count * host_gbps if count and host_gbps else None
    up = uplinks * rate if uplinks and rate else down / ratio if down and ratio else None
    return Leaf(
        name=name,
        hosts=members,
        down_gbps=down,
        up_gbps=up,
        ratio=ratio if ratio is not None else down / up if down and up else None,
        uplinks=int(uplinks) if uplinks else None,
        uplink_gbps=rate,
        origin=stated.where,
    )


def _host_gbps(members: tuple[str, ...], hosts: Mapping[str, Host], kinds: tuple[HostKind, ...]) -> float | None:
    """Rate of one host: of the only stated kind, else the mean of the members whose ports a capture shows."""
    if stated := _stated_gbps(kinds):
        return stated
    seen = [rate for host in (members or tuple(hosts)) if host in hosts and (rate := host_rate_gbps(hosts[host]))]
    return sum(seen) / len(seen) if seen else None


def _stated_gbps(kinds: tuple[HostKind, ...]) -> float | None:
    """Rate of one host, where one is stated, or all kinds have the same."""
    stated = {rate for kind in kinds if (rate := kind.all_ports_gbps)}
    return stated.pop() if len(stated) == 1 else None


def in_all(values: list[float | None]) -> float | None:
    """The sum; unknown where one is unknown or none is there."""
    known = [value for value in values if value is not None]
    return sum(known) if known and len(known) == len(values) else None


def _one(values: list[float | None]) -> float | None:
    """The value that all have."""
    return values[0] if values and len(set(values)) == 1 else None
