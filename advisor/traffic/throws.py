"""Flows on the links of a network: the path of every part of every flow, thrown by a hash where parallel links are not balanced.

A flow between leaves goes up one uplink of its leaf and down one link of the other; between pods also up one link to the core and down
one. Balanced, the parallel links of a switch are one wide link; hashed, every part of a flow falls on one of them by chance, and the
figure is the mean over many throws.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from advisor.traffic.demand import Send
from advisor.traffic.fairshare import fill
from advisor.traffic.topology import Network

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Ints = NDArray[np.int64]

SEED = 1
TRIALS, WORK, _FEWEST = 1000, 40_000, 4  # throws at the most, parts of flows in all of them together, and throws at the least
_AT_ONCE = 250_000  # links of paths that are filled together: more take memory, fewer take time
_UP, _CORE_UP, _CORE_DOWN, _DOWN = range(4)
_PORT, _NO_LINK, _STAYS = (1.0,), (0, 0), (0,) * 8


@dataclass(slots=True)
class Layout:
    """The links of a network by number, and the paths of flows over them: ports, and choices among parallel links.

    ports    flow, link
    choices  for each flow and each stage (up, to the core, from the core, down): first link and how many; 0 where it takes none
    """

    net: Network
    speeds: list[float] = field(default_factory=list)
    ports: list[tuple[int, int]] = field(default_factory=list)
    choices: list[tuple[int, ...]] = field(default_factory=list)
    _first: dict[tuple[str, str, int], tuple[int, int]] = field(default_factory=dict)

    def _links(self, device: str, way: str, switch: int, speeds: tuple[float, ...]) -> tuple[int, int]:
        key = (device, way, switch)
        if key not in self._first:
            if self.net.balanced and len(speeds) > 1:
                speeds = (sum(speeds),)
            self._first[key] = len(self.speeds), len(speeds)
            self.speeds.extend(speeds)
        return self._first[key]

    def _leaf(self, leaf: str, way: str, switch: int) -> tuple[int, int]:
        known = self._first.get((leaf, way, switch))
        if known is not None:
            return known
        members = self.net.members.get(leaf)
        if members is None and leaf not in self.net.uplinks:  # nothing leads up: what comes from beyond hangs on this leaf
            return 0, 0
        count, speed = self.net.uplinks.get(leaf, (0, 0.0))
        return self._links(leaf, way, switch, members[switch] if members else (speed,) * count)

    def _core(self, pod: str, way: str) -> tuple[int, int]:
        count, speed = self.net.cores[pod]
        return self._links(pod, f"core {way}", 0, (speed,) * count)

    def add(self, flow: int, send: Send) -> None:
        """Raises KeyError for a host whose leaf the network does not know."""
        net, there_rail = self.net, send.rail if send.to_rail is None else send.to_rail
        here = net.leaf_of[send.host] if send.host is not None else send.leaf
        there = net.leaf_of[send.to] if send.to is not None else send.to_leaf
        if send.host is not None:
            self.ports.append((flow, self._links(send.host, "tx", send.rail, _PORT)[0]))
        if send.to is not None:
            self.ports.append((flow, self._links(send.to, "rx", there_rail, _PORT)[0]))
        out, into = (net.switch(here, send.rail), net.switch(there, there_rail)) if net.members else (0, 0)
        if here == there and out == into:
            self.choices.append(_STAYS)
            return
        up = self._leaf(here, "up", out) if here else _NO_LINK
        down = self._leaf(there, "down", into) if there else _NO_LINK
        core_up = core_down = _NO_LINK
        if net.pod_of:
            pods = net.pod_of.get(here or ""), net.pod_of.get(there or "")
            if pods[0] and pods[1] and pods[0] != pods[1]:
                core_up, core_down = self._core(pods[0], "up"), self._core(pods[1], "down")
        self.choices.append((*up, *core_up, *core_down, *down))


class Throws:
    """The flows of a network with the links that each part of each falls on, in every trial."""

    def __init__(self, net: Network, sends: Sequence[Send], trials: int = 1) -> None:
        """trials: at least so many, a whole multiple of them."""
        import numpy as np

        pieces = np.array([1 if net.balanced or not net.sees_pairs else send.pieces for send in sends])
        wanted = 1 if net.balanced else max(min(TRIALS, WORK // int(pieces.sum())), _FEWEST)
        self.trials = -(-wanted // trials) * trials
        layout = Layout(net)
        for number, send in enumerate(sends):
            layout.add(number, send)
        self.pieces, self.starts = pieces, np.cumsum(pieces) - pieces
        self._flow = np.repeat(np.arange(len(sends)), pieces)
        ports = np.array(layout.ports, dtype=np.int64).reshape(-1, 2)
        times = pieces[ports[:, 0]]
        within = np.arange(int(times.sum())) - np.repeat(np.cumsum(times) - times, times)
        parts = [np.repeat(self.starts[ports[:, 0]], times) + within]
        links = [np.broadcast_to(np.repeat(ports[:, 1], times), (self.trials, int(times.sum())))]
        for part, link in _chosen(net, np.array(layout.choices, dtype=np.int64).reshape(-1, 8)[self._flow], self.trials):
            parts.append(part)
            links.append(link)
        self._on, self._over = np.concatenate(parts), np.concatenate(links, axis=1)
        self._speeds = np.array(layout.speeds)
        self.demand = np.array([send.demand for send in sends])

    def rates(self, pace: "NDArray[np.float64]", behind: "NDArray[np.bool_] | None" = None) -> "NDArray[np.float64]":
        """Rates of all parts by trial, over a port's rate. pace: by flow, or by trial and flow, what each wants of its demand.

        behind: flows that stand back for all others: they share what those leave.
        """
        import numpy as np

        wanted = np.broadcast_to(pace * self.demand / self.pieces, (self.trials, len(self.demand)))
        rows = max(_AT_ONCE // max(len(self._on), 1), 1)
        blocks = [slice(first, first + rows) for first in range(0, self.trials, rows)]
        return np.concatenate([self._filled(self._over[rows], wanted[rows][:, self._flow], behind) for rows in blocks])

    def _filled(self, over: "Ints", wanted: "NDArray[np.float64]", behind: "NDArray[np.bool_] | None") -> "NDArray[np.float64]":
        """The rates of some trials, which share nothing: networks beside one another."""
        import numpy as np

        trial = np.arange(len(over))[:, None]
        on, over = (self._on + trial * wanted.shape[1]).ravel(), (over + trial * len(self._speeds)).ravel()
        capacity, wanted_each = np.tile(self._speeds, len(trial)), wanted.ravel()
        if behind is None or not behind.any():
            return fill(on, over, capacity, wanted_each).reshape(wanted.shape)
        late = np.tile(behind[self._flow], len(trial))
        first = fill(on, over, capacity, np.where(late, 0.0, wanted_each))
        left = capacity - np.bincount(over, weights=first[on], minlength=len(capacity))
        rest = fill(on, over, np.maximum(left, 0.0), np.where(late, wanted_each, 0.0))
        return (first + rest).reshape(wanted.shape)

    def slowest_parts(self, pace: "NDArray[np.float64]", behind: "NDArray[np.bool_] | None" = None) -> "NDArray[np.float64]":
        """By trial and flow, the share of its demand that a flow gets, as its slowest part lets it end; 1 for one without a demand."""
        import numpy as np

        slowest = np.minimum.reduceat(self.rates(pace, behind), self.starts, axis=1) * self.pieces
        found: NDArray[np.float64] = np.where(self.demand > 0, slowest / np.where(self.demand > 0, self.demand, 1.0), 1.0)
        return found


def _chosen(net: Network, choices: "Ints", trials: int) -> "list[tuple[Ints, Ints]]":
    """For every stage: the parts that take a link there, and which, by trial. choices: by part, as in Layout."""
    import numpy as np

    dice = np.random.default_rng(SEED)
    count = choices[:, 1::2]
    crossing = np.flatnonzero(count.any(axis=1))
    count, first = count[crossing], choices[crossing, 0::2]
    hashed = dice.integers(0, 1 << 40, size=(trials, len(crossing)))

    def throw(links: "Ints") -> "Ints":
        """One of so many links: by the one hash of all tiers, or by one of its own."""
        fresh = hashed if net.same_seed else dice.integers(0, 1 << 40, size=hashed.shape)
        found: Ints = fresh % np.maximum(links, 1)
        return found

    up = hashed % np.maximum(count[:, _UP], 1)
    core_up = _of_spine(net, count[:, _UP], up, count[:, _CORE_UP], throw)
    down = np.where(count[:, _CORE_UP] > 0, throw(count[:, _DOWN]), _way_down(net, count[:, _UP], up, count[:, _DOWN], throw))
    picked = (up, core_up, throw(count[:, _CORE_DOWN]), down)
    found = []
    for stage, link in enumerate(picked):
        taken = count[:, stage] > 0
        if taken.any():
            found.append((crossing[taken], first[taken, stage] + link[:, taken]))
    return found


def _of_spine(net: Network, ups: "Ints", up: "Ints", links: "Ints", throw: "Callable[[Ints], Ints]") -> "Ints":
    """The link to the core of the spine that the uplink led to, where each spine has as many; else any of the pod's."""
    import numpy as np

    spines = set(net.pod_spines.values())
    if len(spines) == 1 and (count := spines.pop()) and (links % count == 0).all() and (ups % count == 0).all():
        per = np.maximum(links // count, 1)
        found: Ints = up // np.maximum(ups // count, 1) * per + throw(per)
        return found
    return throw(links)


def _way_down(net: Network, ups: "Ints", up: "Ints", downs: "Ints", throw: "Callable[[Ints], Ints]") -> "Ints":
    """The link down from the spine that the link up led to: the only one of that spine, or one of its parallel ones by the hash."""
    import numpy as np

    both = (ups > 0) & (downs > 0)
    if net.spines and (ups[both] % net.spines == 0).all() and (downs[both] % net.spines == 0).all():
        per = np.maximum(downs // net.spines, 1)
        return np.where(both, up // np.maximum(ups // net.spines, 1) * per + throw(per), throw(downs))
    return np.where(ups == downs, up, throw(downs))
