"""Max-min fair rates by progressive filling: all flows grow together; a flow stops at its demand, or where a link of its path is full.

The fluid model of Bertsekas and Gallager (Data Networks, 1992, 6.5.2): what congestion control and fair queues approach, without
their transients. Rates and capacities share one unit.
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
) -> "NDArray[np.float64]":
    """Rates of flows; many independent networks (trials) at once are one network in parts.

    on, over   one entry for each link of each flow's path: the flow's number and the link's
    capacity   by link; demand by flow (may be inf for a flow with a path)

    Links fill in parallel: as flows stop at no more than a link's level (what is left, shared evenly), levels only rise; so a link that
    is the lowest of all its flows keeps its level, and a flow whose demand is below all its levels gets it, whatever happens elsewhere.
    """
    import numpy as np

    flow_count, link_count = len(demand), len(capacity)
    rate = np.zeros(flow_count)
    open_ = np.ones(flow_count, dtype=bool)
    left = capacity.astype(float)
    while open_.any():
        count = np.bincount(over, minlength=link_count)
        level = np.maximum(left, 0.0) / np.maximum(count, 1)
        reach = np.where(open_, demand, np.inf)  # where each open flow would stop if nothing else changed
        np.minimum.at(reach, on, level[over])
        lowest = np.full(link_count, np.inf)
        np.minimum.at(lowest, over, reach[on])
        tight = lowest >= level * (1 - _SLACK)
        stops = open_ & (demand <= reach * (1 + _SLACK))
        stops[on[tight[over]]] = True
        rate[stops] = reach[stops]
        open_ &= ~stops
        gone = stops[on]
        left -= np.bincount(over[gone], weights=rate[on[gone]], minlength=link_count)
        on, over = on[~gone], over[~gone]
    return rate
