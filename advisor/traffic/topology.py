"""The network that flows meet: ports of hosts, parallel uplinks of leaves, and the links from pods to the core where there is one."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from advisor.fabric.hosts import host_rate_gbps, ports_by_cable
from advisor.fabric.model import Fabric, Leaf

# Queue pairs differ in the UDP source port and in the destination queue pair; a hash of addresses alone sees one flow.
_TELLS_PAIRS = re.compile(r"port|qp|queue|l4|tuple|udf|entropy|bth", re.IGNORECASE)
BALANCED = frozenset({"adaptive", "spray", "packet-spray", "single-switch"})
# Routes by destination alone (InfiniBand tables) or by hand: all queue pairs of a connection take one path.
_ONE_PATH = frozenset({"static", "pinned"})


@dataclass(frozen=True, slots=True)
class Network:
    """Speeds are rates over that of a host port.

    ports, port_gbps  of each host, and the rate of one
    uplinks           leaf -> how many, and the speed of one. A leaf without an entry has none that is known: nothing of it may cross
    balanced          parallel links carry equal shares
    spines            that every leaf is cabled to alike; None where not known
    sees_pairs        whether the hash tells the queue pairs of a connection apart
    members           leaf -> the speeds of the uplinks of each of its switches, where its hosts' ports are spread over several (port r
                      hangs on switch r modulo so many: rails, or two planes) or where the rates of uplinks differ
    pod_of, cores     leaf -> pod, and pod -> links to the core and speed of one; between pods traffic takes them. Empty: two tiers
    pod_spines        pod -> its spines, where its links to the core are spread evenly over them
    same_seed         all tiers hash alike, so that flows that met on one tier meet again on the next (polarisation)
    """

    ports: int
    port_gbps: float
    leaf_of: Mapping[str, str]
    uplinks: Mapping[str, tuple[int, float]]
    balanced: bool
    spines: int | None = None
    sees_pairs: bool = True
    members: Mapping[str, tuple[tuple[float, ...], ...]] = field(default_factory=dict)
    pod_of: Mapping[str, str] = field(default_factory=dict)
    cores: Mapping[str, tuple[int, float]] = field(default_factory=dict)
    pod_spines: Mapping[str, int] = field(default_factory=dict)
    same_seed: bool = False

    def carries(self, hosts: Iterable[str]) -> bool:
        """Whether the way between these hosts is known: each has a leaf, and they share it or each leaf has uplinks that are known."""
        leaves = {self.leaf_of.get(host) for host in hosts}
        return None not in leaves and (len(leaves) < 2 or all(leaf in self.uplinks for leaf in leaves))

    def switch(self, leaf: str | None, rail: int) -> int:
        """Which switch of a leaf a port hangs on."""
        members = self.members.get(leaf or "")
        return rail % len(members) if members else 0


def network(fabric: Fabric, ports: tuple[int, float] | None = None) -> Network | None:
    """The network of a fabric; None where the ports of hosts or their leaves are not known, or what leads up from a leaf that jobs cross.

    ports: of a host and the rate of one, where they are worked out already (no change touches them).
    """
    ports = ports or ports_of(fabric)
    leaves = [leaf for leaf in fabric.leaves if leaf.hosts]  # a stated design without names of leaves places no host
    if ports is None or not leaves:
        return None
    count, rate = ports
    leaf_of = {host: leaf.name for leaf in leaves for host in leaf.hosts}
    uplinks: dict[str, tuple[int, float]] = {}
    for leaf in leaves:
        if leaf.up_gbps is not None:
            links = leaf.uplinks or max(round(leaf.up_gbps / rate), 1)
            uplinks[leaf.name] = (links, leaf.up_gbps / links / rate)
    crossing = (job for job in fabric.jobs if len({leaf_of.get(host) for host in job.hosts} - {None}) > 1)
    if any(leaf_of[host] not in uplinks for job in crossing for host in job.hosts if host in leaf_of):
        return None
    routing = fabric.routing or ""
    pods = _pods(fabric, rate)
    return Network(
        count,
        rate,
        leaf_of,
        uplinks,
        routing in BALANCED,
        fabric.spines if not pods else None,
        routing not in _ONE_PATH and (not fabric.hash_fields or any(_TELLS_PAIRS.search(name) for name in fabric.hash_fields)),
        members={leaf.name: found for leaf in leaves if leaf.name in uplinks and (found := _members(fabric, leaf, count, rate))},
        pod_of={leaf.name: leaf.pod for leaf in leaves if leaf.pod in pods} if len(pods) > 1 else {},
        cores=pods,
        pod_spines={pod.name: len(pod.spines) for pod in fabric.pods if len({spine.uplinks for spine in pod.spines}) == 1},
        same_seed=fabric.hash_seeds == "same",
    )


def as_one_rail(net: Network) -> Network:
    """The same with all ports of a host as one. Where parallel links carry equal shares, flows on all rails alike share as on one."""
    return replace(
        net,
        ports=1,
        port_gbps=net.port_gbps * net.ports,
        uplinks={leaf: (count, speed / net.ports) for leaf, (count, speed) in net.uplinks.items()},
        cores={pod: (count, speed / net.ports) for pod, (count, speed) in net.cores.items()},
        members={},
    )


def rails_alike(net: Network) -> bool:
    """Whether every port of a host meets the same: then one stands for all. Switches of one leaf may have uplinks of different sums."""
    return all(
        len({round(sum(speeds), 9) for speeds in members}) == 1 and net.ports % len(members) == 0 for members in net.members.values()
    )


def ports_of(fabric: Fabric) -> tuple[int, float] | None:
    """Ports of a host that carry data, and the rate of one: of the one stated kind, else the commonest among captured hosts, else
    among those of which only cables tell."""
    stated = [kind for kind in fabric.host_kinds if kind.nics_per_host and kind.nic_rate_gbps]
    if len(stated) == 1 and stated[0].nics_per_host and stated[0].nic_rate_gbps:
        return stated[0].nics_per_host * (stated[0].nic_ports or 1), stated[0].nic_rate_gbps
    found: dict[tuple[int, float], int] = {}
    for host in fabric.hosts.values():
        rates = [p.rate_gbps for p in host.ports.values() if p.state in ("active", "armed") and p.rate_gbps]
        whole = host_rate_gbps(host)
        if rates and whole:
            key = (round(whole / max(rates)), max(rates))
            found[key] = found.get(key, 0) + 1
    for key in ports_by_cable(fabric).values() if not found else ():
        found[key] = found.get(key, 0) + 1
    return max(sorted(found), key=lambda key: found[key]) if found else None


def _members(fabric: Fabric, leaf: Leaf, ports: int, rate: float) -> tuple[tuple[float, ...], ...]:
    """Speeds of the uplinks of each switch of a leaf. Nothing for a plain leaf with uplinks of one rate.

    Where cables do not tell what each switch has, the leaf's uplinks are spread evenly over its switches; a rail topology that somebody
    stated has one switch for each rail.
    """
    names = [member.name for member in leaf.members] or [leaf.name]
    by_cable = tuple(_speeds(fabric, name, rate) for name in names)
    total = sum(map(sum, by_cable)) * rate
    told = all(by_cable) and sum(map(len, by_cable)) == leaf.uplinks and abs(total - (leaf.up_gbps or 0.0)) <= 1e-6 * total
    if told and (len(names) > 1 or len(set(by_cable[0])) > 1):
        return by_cable
    stated = fabric.rails if (fabric.topology or "").startswith("rail") and not leaf.members else None
    count = min(len(names) if len(names) > 1 else stated or 1, ports)
    if count < 2 or leaf.up_gbps is None:
        return ()
    links = max((leaf.uplinks or round(leaf.up_gbps / rate)) // count, 1)
    return ((leaf.up_gbps / rate / count / links,) * links,) * count


def _speeds(fabric: Fabric, switch: str, rate: float) -> tuple[float, ...]:
    """Speeds of the healthy uplinks of a leaf switch by its cables, fastest first."""
    up = [link for link in fabric.links_by_device.get(switch, ()) if link.tier == "leaf-uplink" and link.is_up and link.rate_gbps]
    return tuple(sorted(((link.rate_gbps or 0.0) / rate for link in up for _ in range(link.count)), reverse=True))


def _pods(fabric: Fabric, rate: float) -> dict[str, tuple[int, float]]:
    """Links to the core of each pod; nothing where one is not known: then the core is taken to carry all that reaches it."""
    found: dict[str, tuple[int, float]] = {}
    for pod in fabric.pods:
        if pod.up_gbps is None:
            return {}
        links = pod.uplinks or max(round(pod.up_gbps / rate), 1)
        found[pod.name] = (links, pod.up_gbps / links / rate)
    return found if len(found) > 1 else {}
