"""Convergence of leaves: what their hosts can send against what leads up, from cables, else from the stated design."""

from collections.abc import Mapping

from advisor.evidence.bundle import Bundle
from advisor.fabric import design
from advisor.fabric.hosts import host_rate_gbps
from advisor.fabric.model import Host, HostKind, Leaf, Link
from advisor.fabric.wiring import Wiring


def leaves(bundle: Bundle, wires: Wiring, hosts: Mapping[str, Host], kinds: tuple[HostKind, ...]) -> tuple[Leaf, ...]:
    """Every leaf with its convergence, from cables where they lead up, else from the stated design."""
    found = [
        _from_cables(leaf, members, wires.groups[leaf], wires.links, hosts)
        if leaf in wires.groups and _uplinks(wires.groups[leaf], wires.links)
        else _from_design(bundle, leaf, members, hosts, kinds)
        for leaf, members in wires.members.items()
    ]
    if not found:
        stated = _from_design(bundle, "*", (), hosts, kinds)
        found = [stated] if stated.ratio is not None or stated.up_gbps is not None else []
    return tuple(found)


def _uplinks(switches: tuple[str, ...], links: tuple[Link, ...]) -> list[Link]:
    return [link for link in links if link.tier == "leaf-uplink" and {link.a.device, link.b.device} & set(switches)]


def _from_cables(
    name: str, members: tuple[str, ...], switches: tuple[str, ...], links: tuple[Link, ...], hosts: Mapping[str, Host]
) -> Leaf:
    up = _uplinks(switches, links)
    healthy = [link for link in up if link.is_up]
    down = [link for link in links if link.tier == "host-port" and {link.a.device, link.b.device} & set(switches) and link.is_up]
    down_gbps = _sum([link.capacity_gbps for link in down])
    up_gbps = _sum([link.capacity_gbps for link in healthy])
    if down_gbps is None:
        down_gbps = _sum([host_rate_gbps(hosts[host]) if host in hosts else None for host in members])
    return Leaf(
        name=name,
        hosts=members,
        down_gbps=down_gbps,
        up_gbps=up_gbps,
        ratio=down_gbps / up_gbps if down_gbps and up_gbps else None,
        uplinks=sum(link.count for link in healthy),
        uplinks_down=sum(link.count for link in up if not link.is_up),
        uplink_gbps=_one([link.rate_gbps for link in healthy]),
        origin=next((link.origin for link in up), None),
    )


def _from_design(bundle: Bundle, name: str, members: tuple[str, ...], hosts: Mapping[str, Host], kinds: tuple[HostKind, ...]) -> Leaf:
    """A leaf as the design states it, with its own hosts where they are known. A stated ratio goes before a computed one."""
    per_leaf = design.figure(bundle, "fabric", "hosts_per_leaf")
    uplinks, rate = design.figure(bundle, "fabric", "uplinks_per_leaf"), design.figure(bundle, "fabric", "uplink_rate_gbps")
    ratio = design.figure(bundle, "fabric", "ratio")
    host_gbps = _host_gbps(members, hosts, kinds)
    count = len(members) or per_leaf
    down = count * host_gbps if count and host_gbps else None
    up = uplinks * rate if uplinks and rate else down / ratio if down and ratio else None
    where = next((known.origin for known in bundle.find("fabric", "site")), None)
    return Leaf(
        name=name,
        hosts=members,
        down_gbps=down,
        up_gbps=up,
        ratio=ratio if ratio is not None else down / up if down and up else None,
        uplinks=int(uplinks) if uplinks else None,
        uplink_gbps=rate,
        origin=where,
    )


def _host_gbps(members: tuple[str, ...], hosts: Mapping[str, Host], kinds: tuple[HostKind, ...]) -> float | None:
    """Rate of one host: of the only stated kind, else the mean of the members whose ports a capture shows."""
    stated = [rate for kind in kinds if (rate := kind.all_ports_gbps)]
    if len(stated) == 1:
        return stated[0]
    seen = [rate for host in (members or tuple(hosts)) if host in hosts and (rate := host_rate_gbps(hosts[host]))]
    return sum(seen) / len(seen) if seen else None


def _sum(values: list[float | None]) -> float | None:
    """The sum; unknown where one is unknown or none is there."""
    known = [value for value in values if value is not None]
    return sum(known) if known and len(known) == len(values) else None


def _one(values: list[float | None]) -> float | None:
    """The value that all have."""
    return values[0] if values and len(set(values)) == 1 else None
