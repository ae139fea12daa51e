"""The network that flows meet: ports of hosts, parallel uplinks of leaves; and what share of its port the slowest flow of a job gets.

Two tiers: a flow to another leaf goes up one uplink of its leaf and down one link of the other. Balanced, the parallel links of a leaf
are one wide link; hashed, every part of a flow falls on one of them by chance, and the result is the mean over many throws.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from advisor.fabric.hosts import host_rate_gbps
from advisor.fabric.model import Fabric
from advisor.traffic.demand import Send
from advisor.traffic.fairshare import fill

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

SEED = 1
_TRIALS, _WORK = 200, 40_000  # throws at the most, and parts of flows in all of them together
# Queue pairs differ in the UDP source port and in the destination queue pair; a hash of addresses alone sees one flow.
_TELLS_PAIRS = re.compile(r"port|qp|queue|l4|tuple|udf|entropy|bth", re.IGNORECASE)
_BALANCED = {"adaptive", "spray", "packet-spray", "single-switch"}


@dataclass(frozen=True, slots=True)
class Network:
    """ports: of each host; port_gbps: rate of one. uplinks: leaf -> how many, and the rate of one over that of a host port."""

    ports: int
    port_gbps: float
    leaf_of: Mapping[str, str]
    uplinks: Mapping[str, tuple[int, float]]
    balanced: bool
    spines: int | None = None
    sees_pairs: bool = True  # whether the hash tells the queue pairs of a connection apart


def network(fabric: Fabric, ports: tuple[int, float] | None = None) -> Network | None:
    """The network of a fabric; None where the hosts' ports, the leaves of hosts, or what leads up from a leaf is not known.

    ports: of a host and the rate of one, where they are worked out already (no change touches them).
    """
    ports = ports or _ports(fabric)
    if ports is None or not fabric.leaves:
        return None
    count, rate = ports
    uplinks: dict[str, tuple[int, float]] = {}
    for leaf in fabric.leaves:
        if not leaf.hosts:  # nothing is sent from there; a stated design without names of leaves places no host
            continue
        if leaf.up_gbps is None:
            return None
        links = leaf.uplinks or max(round(leaf.up_gbps / rate), 1)
        uplinks[leaf.name] = (links, leaf.up_gbps / links / rate)
    if not uplinks:
        return None
    leaf_of = {host: leaf.name for leaf in fabric.leaves for host in leaf.hosts}
    sees_pairs = not fabric.hash_fields or any(_TELLS_PAIRS.search(field) for field in fabric.hash_fields)
    return Network(count, rate, leaf_of, uplinks, (fabric.routing or "") in _BALANCED, fabric.spines, sees_pairs)


def as_one_rail(net: Network) -> Network:
    """The same with all ports of a host as one. Where parallel links carry equal shares, flows on all rails alike share as on one."""
    uplinks = {leaf: (count, speed / net.ports) for leaf, (count, speed) in net.uplinks.items()}
    return Network(1, net.port_gbps * net.ports, net.leaf_of, uplinks, net.balanced, net.spines)


def _ports(fabric: Fabric) -> tuple[int, float] | None:
    """Ports of a host that carry data, and the rate of one: of the one stated kind, else the commonest among captured hosts."""
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
    return max(sorted(found), key=lambda key: found[key]) if found else None


def slowest_share(net: Network, sends: Sequence[Send], job: str) -> float | None:
    """The rate of the slowest flow of a job over a port's rate, 0 to 1: what a collective reaches. None where the job sends nothing.

    Raises KeyError for a host whose leaf the network does not know.
    """
    return slowest_shares(net, sends, {job: {}}).get(job)


def slowest_shares(net: Network, sends: Sequence[Send], scenarios: Mapping[str, Mapping[str, float]]) -> dict[str, float]:
    """The same for several jobs, each beside others that send at their own pace: job -> other job -> factor on its flows' demand (else 1).

    All are thrown alike. Jobs that send nothing are left out.
    """
    import numpy as np

    if not sends:
        return {}
    names = list(dict.fromkeys(send.job for send in sends))
    number = {name: i for i, name in enumerate(names)}
    job_of = np.array([number[send.job] for send in sends])
    thrown = _Throws(net, sends)
    found: dict[str, float] = {}
    solved: dict[bytes, NDArray[np.float64]] = {}
    for job, paces in scenarios.items():
        if job not in number:
            continue
        pace = np.array([paces.get(name, 1.0) for name in names])
        key = pace.tobytes()
        if key not in solved:
            solved[key] = thrown.slowest_parts(pace[job_of])
        found[job] = float(np.minimum(solved[key][:, job_of == number[job]].min(axis=1), 1.0).mean())
    return found


def flow_rates(net: Network, sends: Sequence[Send]) -> list[float]:
    """The rate of every flow over a port's rate, all of its parts together: the mean over the throws. Raises KeyError as slowest_share."""
    import numpy as np

    if not sends:
        return []
    thrown = _Throws(net, sends)
    rates = thrown.rates(np.ones(len(sends)))
    return [float(rate) for rate in np.add.reduceat(rates, thrown.starts, axis=1).mean(axis=0)]


@dataclass(slots=True)
class _Layout:
    """The links of a network by number, and the paths over them: fixed links of parts, and choices among parallel ones.

    fixed    part, link
    choices  part, first link up, how many, first link down, how many (0: the flow ends behind the spines)
    """

    net: Network
    capacity: list[float] = field(default_factory=list)
    fixed: list[tuple[int, int]] = field(default_factory=list)
    choices: list[tuple[int, int, int, int, int]] = field(default_factory=list)
    _first: dict[tuple[str, ...], int] = field(default_factory=dict)

    def _links(self, name: tuple[str, ...], count: int, speed: float) -> int:
        if name not in self._first:
            self._first[name] = len(self.capacity)
            self.capacity.extend([speed] * count)
        return self._first[name]

    def _group(self, leaf: str, way: str) -> tuple[int, int]:
        count, speed = self.net.uplinks[leaf]
        if self.net.balanced:
            count, speed = 1, count * speed
        return self._links((leaf, way), count, speed), count

    def add(self, part: int, send: Send) -> None:
        here = self.net.leaf_of[send.host]
        self.fixed.append((part, self._links((send.host, "tx", str(send.rail)), 1, 1.0)))
        if send.to is None:
            self.choices.append((part, *self._group(here, "up"), 0, 0))
            return
        there = self.net.leaf_of[send.to]
        self.fixed.append((part, self._links((send.to, "rx", str(send.rail)), 1, 1.0)))
        if here != there:
            self.choices.append((part, *self._group(here, "up"), *self._group(there, "down")))


class _Throws:
    """The flows of a network with the links that each part of each falls on, in every trial."""

    def __init__(self, net: Network, sends: Sequence[Send]) -> None:
        import numpy as np

        pieces = np.array([1 if net.balanced or not net.sees_pairs else send.pieces for send in sends])
        trials = 1 if net.balanced else max(min(_TRIALS, _WORK // int(pieces.sum())), 4)
        flow = np.repeat(np.arange(len(sends)), pieces)
        layout = _Layout(net)
        for number, i in enumerate(flow.tolist()):
            layout.add(number, sends[i])
        fixed = np.array(layout.fixed, dtype=np.int64).reshape(-1, 2)
        choices = np.array(layout.choices, dtype=np.int64).reshape(-1, 5)
        part, up, ups, down, downs = (choices[:, column] for column in range(5))
        dice = np.random.default_rng(SEED)
        throw = dice.integers(0, np.maximum(ups, 1), size=(trials, len(part)))
        below = downs > 0
        lower = down[below] + _way_down(net, dice, throw[:, below], ups[below], downs[below])
        on = np.concatenate([fixed[:, 0], part, part[below]])
        over = np.concatenate([np.tile(fixed[:, 1], (trials, 1)), up + throw, lower], axis=1)
        total, width = len(flow), len(layout.capacity)
        trial = np.arange(trials)[:, None]
        self.pieces, self.starts = pieces, np.cumsum(pieces) - pieces
        self._flow, self._trials = flow, trials
        self._on, self._over = (on + trial * total).ravel(), (over + trial * width).ravel()
        self._capacity = np.tile(np.array(layout.capacity), trials)
        self._demand = np.array([send.demand for send in sends]) / pieces

    def rates(self, pace: "NDArray[np.float64]") -> "NDArray[np.float64]":
        """Rates of all parts in every trial over a port's rate, each flow's demand times its pace."""
        import numpy as np

        demand = np.tile((self._demand * pace)[self._flow], self._trials)
        return fill(self._on, self._over, self._capacity, demand).reshape(self._trials, -1)

    def slowest_parts(self, pace: "NDArray[np.float64]") -> "NDArray[np.float64]":
        """Rates of all flows in every trial, each as its slowest part lets it end."""
        import numpy as np

        slowest: NDArray[np.float64] = np.minimum.reduceat(self.rates(pace), self.starts, axis=1) * self.pieces
        return slowest


def _way_down(
    net: Network,
    dice: "np.random.Generator",
    throw: "NDArray[np.int64]",
    ups: "NDArray[np.int64]",
    downs: "NDArray[np.int64]",
) -> "NDArray[np.int64]":
    """The link down from the spine that the link up led to: the only one of that spine, or one of its parallel ones by chance."""
    import numpy as np

    spines = net.spines
    if spines and (ups % spines == 0).all() and (downs % spines == 0).all():
        return throw // (ups // spines) * (downs // spines) + dice.integers(0, downs // spines, size=throw.shape)
    return np.where(ups == downs, throw, dice.integers(0, downs, size=throw.shape))
