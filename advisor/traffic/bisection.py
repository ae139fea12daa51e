"""The bisection of a fabric: what half of the hosts can send to the other half at most, in one direction, over healthy links.

Which half is the worst is hard to say of any graph (minimum bisection is NP-hard; Garey, Johnson and Stockmeyer, 1976), and easy on a
tree: hosts below leaves, leaves below pods, pods below cores, the links up of each as one. The worst half of that tree is found exactly,
by dynamic programming over how many hosts of each part are taken; what flows to the other half then is found on the single links.
Any way through the fabric counts, also down through a leaf and up again, which routing need not use.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from advisor.base.model import Model
from advisor.fabric.model import Fabric
from advisor.traffic.maxflow import Wire, wiring

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

SPINES = "spines"  # what lies above the leaves where no source tells single links


class Bisection(Model):
    """The worst even split of the hosts.

    gbps       what one half can send to the other at most, 10^9 bit/s
    line_gbps  what the ports of that half carry: the same as gbps with full bisection bandwidth
    hosts      in each half; they differ by one at the most
    """

    gbps: float
    line_gbps: float
    hosts: tuple[int, int]

    @property
    def share(self) -> float:
        """Of what the ports carry, 0 to 1."""
        return self.gbps / self.line_gbps


@dataclass(frozen=True, slots=True)
class Part:
    """What hangs below links up of `up_gbps` in all, its switches taken as one: hosts of `port_gbps` each, or further parts."""

    up_gbps: float
    hosts: tuple[str, ...] = ()
    port_gbps: float = 0.0
    parts: "tuple[Part, ...]" = ()


def bisection(fabric: Fabric) -> Bisection | None:
    """The bisection of a fabric. None where fewer than two hosts are placed, or where what a leaf carries down or up is not known."""
    wires = wires_of(fabric)
    hosts = {host for leaf in fabric.leaves for host in leaf.hosts}
    if wires is None or len(hosts) < 2:
        return None
    cores = {name for name, switch in fabric.switches.items() if switch.tier == "core"}
    one = worst_half(tree(wires, hosts, {leaf.name for leaf in fabric.leaves}, cores))
    line = [sum(rate for host, _, rate in wires if host in side) for side in (one, hosts - one)]
    return Bisection(gbps=wiring(wires, hosts).flow(one, hosts - one), line_gbps=min(line), hosts=(len(one), len(hosts) - len(one)))


def wires_of(fabric: Fabric) -> list[Wire] | None:
    """Healthy links: those of hosts to their leaves, and those of switches among one another.

    Where no source tells the single links of every leaf, all uplinks of a leaf are one wire to SPINES. None where neither is known.
    """
    leaves = [leaf for leaf in fabric.leaves if leaf.hosts]
    between: dict[tuple[str, str], float] = defaultdict(float)
    for link in fabric.links:
        if link.is_up and link.capacity_gbps and link.a.device in fabric.switches and link.b.device in fabric.switches:
            a, b = sorted((link.a.device, link.b.device))
            between[a, b] += link.capacity_gbps
    ends = {end for pair in between for end in pair}
    by_link = all(leaf.name in ends for leaf in leaves)
    wires: list[Wire] = []
    for leaf in leaves:
        if not leaf.down_gbps or (leaf.up_gbps is None and not by_link and len(leaves) > 1):
            return None
        wires += [(host, leaf.name, leaf.down_gbps / len(leaf.hosts)) for host in leaf.hosts]
        if not by_link and leaf.up_gbps:
            wires.append((leaf.name, SPINES, leaf.up_gbps))
    return [*wires, *((a, b, rate) for (a, b), rate in sorted(between.items()))] if by_link else wires


def tree(wires: Iterable[Wire], hosts: Collection[str], leaves: Collection[str], cores: Collection[str] = ()) -> Part:
    """The tree of a fabric: its pods are what still hangs together without the cores; hosts that share all their leaves are one part."""
    group: dict[str, str] = {}  # a device -> another one of its pod, or itself

    def pod(device: str) -> str:
        while (near := group.setdefault(device, device)) != device:
            group[device] = device = group[near]
        return device

    ports: dict[str, list[tuple[str, float]]] = defaultdict(list)
    up: dict[str, float] = defaultdict(float)  # of a leaf
    above: dict[str, float] = defaultdict(float)  # of a device to cores
    for wire in wires:
        for end, other, rate in (wire, (wire[1], wire[0], wire[2])):
            if end in hosts:
                ports[end].append((other, rate))
            elif end in leaves and other not in hosts:
                up[end] += rate
            if end not in cores and other in cores:
                above[end] += rate
        if wire[0] not in cores and wire[1] not in cores:
            group[pod(wire[0])] = pod(wire[1])
    alike: dict[tuple[tuple[str, float], ...], list[str]] = defaultdict(list)
    for host in sorted(ports):
        alike[tuple(sorted(ports[host]))].append(host)
    in_pod: dict[str, list[Part]] = defaultdict(list)
    for on, members in alike.items():
        part = Part(sum(up[leaf] for leaf, _ in on), tuple(members), sum(rate for _, rate in on))
        in_pod[pod(members[0])].append(part)
    to_cores: dict[str, float] = defaultdict(float)
    for device, rate in above.items():
        to_cores[pod(device)] += rate
    return Part(0.0, parts=tuple(Part(to_cores[name], parts=tuple(parts)) for name, parts in in_pod.items()))


def worst_half(whole: Part) -> set[str]:
    """Half of the hosts, rounded down or up, that can be cut from the others at the least cost. Of equals one is taken, always the same."""
    cost, taken = _cheapest(whole)
    half = (len(cost) - 1) // 2
    return set(taken(min(half, len(cost) - 1 - half, key=lambda n: float(cost[n]))))


Taken = Callable[[int], Sequence[str]]


def _cheapest(part: Part) -> "tuple[NDArray[np.floating], Taken]":
    """By number of hosts taken: what is cut at the least while what lies above the part is not taken; and which hosts these are."""
    import numpy as np

    if part.parts:
        below, take = _side_by_side([_cheapest(one) for one in part.parts])
    else:
        below, take = np.arange(len(part.hosts) + 1) * part.port_gbps, lambda n: part.hosts[:n]
    turned = below[::-1] + part.up_gbps  # its switches are taken too: what is cut then are the hosts that are not, and the way up

    def taken(n: int) -> Sequence[str]:
        if below[n] <= turned[n]:
            return take(n)
        stay = set(take(len(below) - 1 - n))
        return [host for host in take(len(below) - 1) if host not in stay]

    return np.minimum(below, turned), taken


def _side_by_side(parts: "Sequence[tuple[NDArray[np.floating], Taken]]") -> "tuple[NDArray[np.floating], Taken]":
    """The least sum over parts for every number of hosts, one part after the other."""
    import numpy as np

    cost: NDArray[np.floating] = parts[0][0]
    given: list[NDArray[np.int32]] = []
    for own, _ in parts[1:]:
        width = len(cost) + len(own) - 1
        least: NDArray[np.floating] = np.full(width, np.inf)
        from_own = np.zeros(width, dtype=np.int32)
        for n, price in enumerate(own):
            here = slice(n, n + len(cost))
            better = cost + price < least[here]
            least[here] = np.where(better, cost + price, least[here])
            from_own[here][better] = n
        cost = least
        given.append(from_own)

    def taken(n: int) -> Sequence[str]:
        found: list[str] = []
        for (_, take), from_own in zip(reversed(parts[1:]), reversed(given), strict=True):
            found += take(int(from_own[n]))
            n -= int(from_own[n])
        return [*parts[0][1](n), *found]

    return cost, taken
