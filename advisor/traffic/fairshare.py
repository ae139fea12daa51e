"""Max-min fair rates by progressive filling: all flows grow together; a flow stops at its demand, or where a link of its path is full.

The fluid model of Bertsekas and Gallager (Data Networks, 1992, 6.5.2): what congestion control and fair queues approach, without
their transients. With weights flows grow in proportion to them (deficit round robin, ETS shares); with minimum rates no flow has less than
its own, and the others wait until they have caught up (max-min fairness under lower bounds). Rates and capacities share one unit.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_SLACK = 1e-12  # relative: levels nearer than this fill together


@dataclass(frozen=True, slots=True)
class Flow:
    """What wants to go along a path.

    priority   higher is served first, to the last bit but what lower ones are guaranteed: it can starve what is below it
    weight     share of a full link over that of a flow of weight 1 in the same priority
    limit      cap on the rate (policer, client or tenant limit)
    guarantee  rate that it gets whatever others want, as far as it wants it
    """

    name: str
    path: tuple[str, ...]
    demand: float = float("inf")
    priority: int = 0
    weight: float = 1.0
    limit: float = float("inf")
    guarantee: float = 0.0

    @property
    def wanted(self) -> float:
        return min(self.demand, self.limit)


def max_min(flows: Sequence[Flow], capacity: Mapping[str, float]) -> dict[str, float]:
    """The rate of every flow by name. Raises KeyError for a link without a capacity, ValueError for a flow that nothing bounds, a weight
    that is not above 0, or guarantees that a link cannot keep.
    """
    import numpy as np

    links = {name: i for i, name in enumerate(capacity)}
    left = np.array([float(capacity[name]) for name in links])
    for flow in flows:
        if not flow.path and flow.wanted == float("inf"):
            raise ValueError(f"nothing bounds the flow {flow.name}")
        if not flow.weight > 0:
            raise ValueError(f"the weight of the flow {flow.name} is not above 0")
    rates: dict[str, float] = {}
    promised = _promised(flows, links)
    if (promised > left * (1 + _SLACK)).any():
        full = next(name for name, i in links.items() if promised[i] > left[i] * (1 + _SLACK))
        raise ValueError(f"the link {full} cannot keep what is guaranteed on it")
    for priority in sorted({flow.priority for flow in flows}, reverse=True):
        here = [flow for flow in flows if flow.priority == priority]
        later = _promised([flow for flow in flows if flow.priority < priority], links)
        entries = [(i, links[link]) for i, flow in enumerate(here) for link in flow.path]
        on = np.array([i for i, _ in entries], dtype=np.int64)
        over = np.array([link for _, link in entries], dtype=np.int64)
        wanted = np.array([flow.wanted for flow in here])
        weight = np.array([flow.weight for flow in here])
        floor = np.array([min(flow.guarantee, flow.wanted) for flow in here])
        found = fill(on, over, np.maximum(left - later, 0.0), wanted, weight, floor)
        np.subtract.at(left, over, found[on])
        rates.update(zip((flow.name for flow in here), found.tolist(), strict=True))
    return {flow.name: rates[flow.name] for flow in flows}


def _promised(flows: Sequence[Flow], links: Mapping[str, int]) -> "NDArray[np.float64]":
    """What is guaranteed on each link."""
    import numpy as np

    found = np.zeros(len(links))
    for flow in flows:
        for link in flow.path:
            found[links[link]] += min(flow.guarantee, flow.wanted)
    return found


def starved(flows: Sequence[Flow], rates: Mapping[str, float]) -> tuple[str, ...]:
    """Flows that want something and get nothing, because what has priority over them takes all."""
    return tuple(flow.name for flow in flows if flow.demand > 0 and rates[flow.name] <= _SLACK)


def fill(
    on: "NDArray[np.int64]",
    over: "NDArray[np.int64]",
    capacity: "NDArray[np.float64]",
    demand: "NDArray[np.float64]",
    weight: "NDArray[np.float64] | None" = None,
    floor: "NDArray[np.float64] | None" = None,
) -> "NDArray[np.float64]":
    """Rates of flows; many independent networks (trials) at once are one network in parts.

    on, over   one entry for each link of each flow's path: the flow's number and the link's
    capacity   by link; demand by flow (may be inf for a flow with a path)
    weight     by flow, above 0; floor by flow: its least rate, at most its demand, and no more on a link than it carries

    Links fill in parallel: as flows stop at no more than a link's level (what is left, shared by weight), levels only rise; so a link that
    is the lowest of all its flows keeps its level, and a flow whose demand is below all its levels gets it, whatever happens elsewhere.
    """
    import numpy as np

    flow_count, link_count = len(demand), len(capacity)
    rate = np.zeros(flow_count)
    open_ = np.ones(flow_count, dtype=bool)
    left = capacity.astype(float)
    share = np.ones(flow_count) if weight is None else weight
    least = None if floor is None or not floor.any() else floor
    full_at = demand if weight is None else demand / share  # the level at which a flow has all that it wants
    while open_.any():
        level = _levels(on, over, left, None if weight is None else share, least)
        reach = np.where(open_, full_at, np.inf)  # the level at which each open flow would stop if nothing else changed
        np.minimum.at(reach, on, level[over])
        lowest = np.full(link_count, np.inf)
        np.minimum.at(lowest, over, reach[on])
        tight = lowest >= level * (1 - _SLACK)
        stops = open_ & (full_at <= reach * (1 + _SLACK))
        stops[on[tight[over]]] = True
        rate[stops] = reach[stops] if weight is None else reach[stops] * share[stops]
        if least is not None:
            rate[stops] = np.maximum(rate[stops], least[stops])
        open_ &= ~stops
        gone = stops[on]
        left -= np.bincount(over[gone], weights=rate[on[gone]], minlength=link_count)
        on, over = on[~gone], over[~gone]
    return rate


def _levels(
    on: "NDArray[np.int64]",
    over: "NDArray[np.int64]",
    left: "NDArray[np.float64]",
    share: "NDArray[np.float64] | None",
    least: "NDArray[np.float64] | None",
) -> "NDArray[np.float64]":
    """The level of every link: what is left over the weight of its open flows, after those that have more by their least rate."""
    import numpy as np

    count = np.bincount(over, minlength=len(left)) if share is None else np.bincount(over, weights=share[on], minlength=len(left))
    level: NDArray[np.float64] = np.maximum(left, 0.0) / np.where(count > 0, count, 1.0)
    if least is None:
        return level
    weights = np.ones(len(on)) if share is None else share[on]
    above = np.zeros(len(on), dtype=bool)
    while True:  # as levels fall, more flows stand on their least rate; never fewer
        now = least[on] > weights * level[over] * (1 + _SLACK)
        if (now == above).all():
            return level
        above |= now
        taken = np.bincount(over[above], weights=least[on[above]], minlength=len(left))
        grow = np.bincount(over[~above], weights=weights[~above], minlength=len(left))
        level = np.maximum(left - taken, 0.0) / np.where(grow > 0, grow, 1.0)
