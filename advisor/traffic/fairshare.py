"""Max-min fair rates by progressive filling: all flows grow together; a flow stops at its demand, or where a link of its path is full.

The fluid model of Bertsekas and Gallager (Data Networks, 1992, 6.5.2): what congestion control and fair queues approach, without
their transients. Rates and capacities share one unit.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_SLACK = 1e-12  # relative: levels nearer than this fill together


@dataclass(frozen=True, slots=True)
class Flow:
    """What wants to go along a path. Higher priority is served first, to the last bit: it can starve what is below it."""

    name: str
    path: tuple[str, ...]
    demand: float = float("inf")
    priority: int = 0


def max_min(flows: Sequence[Flow], capacity: Mapping[str, float]) -> dict[str, float]:
    """The rate of every flow by name. Raises KeyError for a link without a capacity, ValueError for a flow that nothing bounds."""
    import numpy as np

    links = {name: i for i, name in enumerate(capacity)}
    left = np.array([float(capacity[name]) for name in links])
    rates: dict[str, float] = {}
    for priority in sorted({flow.priority for flow in flows}, reverse=True):
        here = [flow for flow in flows if flow.priority == priority]
        unbounded = [flow.name for flow in here if not flow.path and flow.demand == float("inf")]
        if unbounded:
            raise ValueError(f"nothing bounds the flow {unbounded[0]}")
        entries = [(i, links[link]) for i, flow in enumerate(here) for link in flow.path]
        on = np.array([i for i, _ in entries], dtype=np.int64)
        over = np.array([link for _, link in entries], dtype=np.int64)
        found = fill(on, over, np.maximum(left, 0.0), np.array([flow.demand for flow in here]))
        np.subtract.at(left, over, found[on])
        rates.update(zip((flow.name for flow in here), found.tolist(), strict=True))
    return {flow.name: rates[flow.name] for flow in flows}


def starved(flows: Sequence[Flow], rates: Mapping[str, float]) -> tuple[str, ...]:
    """Flows that want something and get nothing, because what has priority over them takes all."""
    return tuple(flow.name for flow in flows if flow.demand > 0 and rates[flow.name] <= _SLACK)


def fill(
    on: "NDArray[np.int64]",
    over: "NDArray[np.int64]",
    capacity: "NDArray[np.float64]",
    demand: "NDArray[np.float64]",
    block: "NDArray[np.int64] | None" = None,
) -> "NDArray[np.float64]":
    """Rates of flows, for many independent networks at once.

    on, over   one entry for each link of each flow's path: the flow's number and the link's
    capacity   by link; demand by flow (may be inf for a flow with a path)
    block      the network of each flow, 0 upwards; flows of different blocks share no link (trials of one network). None: one network.
    """
    import numpy as np

    flow_count, link_count = len(demand), len(capacity)
    if flow_count == 0:
        return np.zeros(0)
    net = np.zeros(flow_count, dtype=np.int64) if block is None else block
    net_count = int(net.max()) + 1
    rate = np.zeros(flow_count)
    open_ = np.ones(flow_count, dtype=bool)
    frozen_load = np.zeros(link_count)
    alive: Any = open_[on]
    while open_.any():
        on, over = on[alive], over[alive]
        count = np.bincount(over, minlength=link_count)
        with np.errstate(divide="ignore", invalid="ignore"):
            level = np.where(count > 0, np.maximum(capacity - frozen_load, 0.0) / count, np.inf)
        reach = np.where(open_, demand, np.inf)  # the level at which each open flow stops for its own sake
        np.minimum.at(reach, on, level[over])
        bound = np.full(net_count, np.inf)
        np.minimum.at(bound, net[open_], reach[open_])
        stops = open_ & (reach <= bound[net] * (1 + _SLACK))
        rate[stops] = np.minimum(demand, bound[net])[stops]
        open_ &= ~stops
        gone = stops[on]
        frozen_load += np.bincount(over[gone], weights=rate[on[gone]], minlength=link_count)
        alive = ~gone
    return rate
