"""The most that flows between two sets of hosts over full-duplex links: the least cut between them (Ford and Fulkerson, 1956).

The hosts of a set are one source or one sink, as each sends what its links carry. Switches that are alike are one node: those of a class
of the coarsest equitable partition, in which every node of a class has the same capacity towards every class. A flow between classes can be
spread over their nodes in proportion to capacity, so that its value stays (Grohe, Kersting, Mladenov and Selman, Dimension reduction
via colour refinement, 2014). A healthy fabric of any size folds to a few nodes, one with links down as far as it is still alike.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from math import ceil, gcd, isqrt
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Wire = tuple[str, str, float]  # two ends, and what goes over it in each direction: 10^9 bit/s
_MEGA = 1000  # capacities are counted in 10^6 bit/s, or in the largest multiple that all of them share
_LARGEST = 2**31 - 1  # the solver counts in 32 bits
_DENSE = 4  # a table of all pairs of classes is made where it has at most so many cells for each link


@dataclass(frozen=True, slots=True)
class Wiring:
    """Links as arrays, ready for any two sets of hosts.

    hosts             name -> number
    host, leaf, port  each host's links: the host's number, that of the switch, capacity
    start, tail, head, capacity  each direction of each link between switches once, sorted by tail; where each tail's begin
    unit              of all capacities, 10^9 bit/s
    """

    hosts: Mapping[str, int]
    host: "NDArray[np.int64]"
    leaf: "NDArray[np.int64]"
    port: "NDArray[np.int64]"
    start: "NDArray[np.int64]"
    tail: "NDArray[np.int64]"
    head: "NDArray[np.int64]"
    capacity: "NDArray[np.int64]"
    unit: float

    def flow(self, one: Collection[str], other: Collection[str]) -> float:
        """10^9 bit/s from one set of hosts to the other, at most; 0 where nothing joins them. Other hosts forward nothing.

        Exact in units of 10^6 bit/s as long as what leaves a set is less than 2^31 of the largest unit that all links share; beyond, a
        capacity is rounded down by less than 5 in 10^10 of the whole. Raises ValueError for a host in both sets, KeyError for an unknown.
        """
        import numpy as np

        size = len(self.start) - 1
        within = np.zeros((2, len(self.hosts)), dtype=bool)
        for side, here in zip((one, other), within, strict=True):
            here[list(map(self.hosts.__getitem__, side))] = True
        if within.all(axis=0).any():
            raise ValueError("a host is in both sets")
        source, sink = (np.bincount(self.leaf, self.port * here[self.host], size).astype(np.int64) for here in within)
        classes, count = self._alike(source, sink)
        if count > self._most_classes:  # too little is alike
            return _solved(self.start, self.head, self.capacity, source, sink) * self.unit
        across = np.bincount(classes[self.tail] * count + classes[self.head], self.capacity, count * count)
        across[:: count + 1] = 0.0  # within a class
        pair = np.flatnonzero(across)
        start, head = np.searchsorted(pair, np.arange(count + 1) * count), pair % count
        source, sink = (np.bincount(classes, end, count).astype(np.int64) for end in (source, sink))
        return _solved(start, head, across[pair].astype(np.int64), source, sink) * self.unit

    @property
    def _most_classes(self) -> int:
        return isqrt(_DENSE * len(self.tail))

    def _alike(self, source: "NDArray[np.int64]", sink: "NDArray[np.int64]") -> "tuple[NDArray[np.int64], int]":
        """The class of each switch, by colour refinement, and how many there are; refined no further than to more than _most_classes.

        A colour is a hash of 64 bits: that two of 10^4 switches that differ look alike has a chance of less than one in 10^11.
        """
        import numpy as np

        capacity = self.capacity.astype(np.uint64)
        colour = _mixed(_mixed(source.astype(np.uint64)) + sink.astype(np.uint64))
        linked = self.start[:-1] < self.start[1:]
        begin = self.start[:-1][linked]
        count, before = len(np.unique(colour)), 0
        while before < count <= self._most_classes and len(begin):  # there only come more of them
            seen = colour.copy()
            seen[linked] += np.add.reduceat(capacity * _mixed(colour)[self.head], begin)
            colour = _mixed(seen)
            count, before = len(np.unique(colour)), count
        names, classes = np.unique(colour, return_inverse=True)
        return classes, len(names)


def wiring(wires: Sequence[Wire], hosts: Collection[str]) -> Wiring:
    """Raises ValueError for a wire between two hosts. Parallel wires add up."""
    import numpy as np

    number = {host: i for i, host in enumerate(dict.fromkeys(hosts))}
    switch: dict[str, int] = {}
    down: list[tuple[int, int, float]] = []
    between: list[tuple[int, int, float]] = []
    for a, b, rate in wires:
        if a in number and b in number:
            raise ValueError(f"{a} and {b} are joined without a switch")
        if b in number:
            a, b = b, a
        into = between if a not in number else down
        into.append((switch.setdefault(a, len(switch)) if a not in number else number[a], switch.setdefault(b, len(switch)), rate))
    host, leaf, port = _columns(down)
    a_end, b_end, rates = _columns(between)
    size = max(len(switch), 1)
    pair, which = np.unique(np.concatenate([a_end * size + b_end, b_end * size + a_end]), return_inverse=True)
    capacity = np.bincount(which, weights=np.concatenate([rates, rates]), minlength=len(pair)).astype(np.int64)
    unit = reduce(gcd, np.unique(np.concatenate([port, capacity])).tolist(), 0) or 1
    tail, head = pair // size, pair % size
    start = np.searchsorted(tail, np.arange(size + 1))
    return Wiring(number, host, leaf, port // unit, start, tail, head, capacity // unit, unit / _MEGA)


def _columns(rows: list[tuple[int, int, float]]) -> "tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]":
    import numpy as np

    table = np.array(rows, dtype=float).reshape(-1, 3)
    return table[:, 0].astype(np.int64), table[:, 1].astype(np.int64), np.rint(table[:, 2] * _MEGA).astype(np.int64)


def _mixed(values: "NDArray[np.uint64]") -> "NDArray[np.uint64]":
    """A hash of each (splitmix64: Steele, Lea and Flood, 2014); sums and products of 64 bits wrap around."""
    import numpy as np

    z = values + np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


def _solved(
    start: "NDArray[np.int64]",
    head: "NDArray[np.int64]",
    capacity: "NDArray[np.int64]",
    source: "NDArray[np.int64]",
    sink: "NDArray[np.int64]",
) -> int:
    """The largest flow from a source to a sink, by what joins them to each node; links of node i are those from start[i] to start[i + 1].

    What exceeds all that a side sends never flows, so it is not counted.
    """
    import numpy as np
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import maximum_flow

    count = len(source)
    most = int(max(source.sum(), sink.sum()))
    scale = max(ceil(most / _LARGEST), 1)
    nodes = np.arange(count + 1)
    # Rows: each node with its heads and the sink behind them; the source with all nodes; the sink.
    begins = np.concatenate([start + nodes, [len(head) + 2 * count] * 2]).astype(np.int32)
    ends = np.concatenate([np.insert(head, start[1:], count + 1), nodes[:-1]]).astype(np.int32)
    counted = np.minimum(np.concatenate([np.insert(capacity, start[1:], sink), source]), most) // scale
    graph = csr_array((counted.astype(np.int32), ends, begins), shape=(count + 2, count + 2))
    return int(maximum_flow(graph, count, count + 1).flow_value) * scale
