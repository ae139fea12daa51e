"""Max-min fair rates of 16,000 hashed flows against one linear program of HiGHS on the same flows and links.

The program is the first level of max-min fairness alone: the largest rate t that every flow can have at once (max t, t <= rate of each
flow <= its demand, sum of rates <= capacity of each link). The whole of it would take one such program for each level; ours gives all.
"""

import numpy as np
from scipy.optimize import linprog
from scipy.sparse import coo_array, hstack, vstack

from advisor.traffic.fairshare import fill
from tests.benchmarks import inputs
from tests.benchmarks.rounds import Row, agree, ratios, rounds

HOSTS = 16_000
ROUNDS = 5


def compare() -> list[Row]:
    flows = inputs.hashed_flows(HOSTS)
    rates = fill(*flows)
    load = np.bincount(flows.link, weights=rates[flows.flow], minlength=len(flows.capacity))
    agree(bool((load <= flows.capacity * (1 + 1e-9)).all()), True, "no link above its capacity")
    solve = _program(flows)
    agree(round(float(rates.min()), 6), round(solve(), 6), "rate of the slowest flow")
    seconds = rounds({"ours": lambda: fill(*flows), "highs": solve}, ROUNDS)
    text = f"max-min fair rates, {HOSTS:,} hosts, one hashed flow each"
    return [Row(text, "all levels", "scipy linprog (HiGHS), first level", ratios(seconds, "ours", "highs"), 5)]


def _program(flows: inputs.Hashed):  # type: ignore[no-untyped-def]
    """The program, made ready; solving it gives t."""
    count, links = len(flows.demand), len(flows.capacity)
    over = coo_array((np.ones(len(flows.flow)), (flows.link, flows.flow)), shape=(links, count))
    ones, each = coo_array(np.ones((count, 1))), coo_array((np.ones(count), (np.arange(count), np.arange(count))))
    rows = vstack([hstack([over, coo_array((links, 1))]), hstack([-each, ones])]).tocsr()
    limits = np.concatenate([flows.capacity, np.zeros(count)])
    goal = np.concatenate([np.zeros(count), [-1.0]])
    bounds = np.column_stack([np.zeros(count + 1), np.concatenate([flows.demand, [np.inf]])])

    def solve() -> float:
        return -float(linprog(goal, A_ub=rows, b_ub=limits, bounds=bounds, method="highs").fun)

    return solve
