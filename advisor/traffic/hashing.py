"""What a hash makes of parallel links: flows fall on them like balls into bins, and a collective waits for its slowest flow.

All of it is exact: bins that fill by independent Poisson counts, given that they hold n balls in all, hold them as n thrown balls do
(Mitzenmacher and Upfal, Probability and Computing, 5.4), so P(no bin above k) = P(all counts <= k and their sum is n) / P(sum is n).
"""

from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from math import comb, exp, inf, lgamma, log, sqrt


@cache
def busiest_at_most(flows: int, links: int, limit: int) -> float:
    """Probability that no link gets more than `limit` of the flows, each thrown evenly and independently."""
    if flows <= limit:
        return 1.0
    if links * limit < flows:
        return 0.0
    import numpy as np

    load = flows / links
    base = np.array([exp(j * log(load) - load - lgamma(j + 1)) for j in range(limit + 1)])
    power, exponent = np.ones(1), links
    while exponent:
        if exponent & 1:
            power = np.convolve(power, base)[: flows + 1]
        exponent >>= 1
        if exponent:
            base = np.convolve(base, base)[: flows + 1]
    in_all = exp(flows * log(flows) - flows - lgamma(flows + 1))
    return min(float(power[flows]) / in_all, 1.0)


@cache
def busiest(flows: int, links: int) -> tuple[float, ...]:
    """Probability that the busiest link gets exactly k flows, for k = 0, 1, ..., flows."""
    cumulated = [0.0]
    for k in range(flows + 1):
        cumulated.append(1.0 if cumulated[-1] > 1 - 1e-14 else busiest_at_most(flows, links, k))
    return tuple(b - a for a, b in pairwise(cumulated))


def no_collision(flows: int, links: int) -> float:
    """Probability that every flow has a link of its own."""
    return busiest_at_most(flows, links, 1)


def expected_busiest(flows: int, links: int) -> float:
    """Expected number of flows on the busiest link."""
    return sum(k * p for k, p in enumerate(busiest(flows, links)))


def mean_rate(flows: int, links: int, speed: float = 1.0) -> float:
    """Expected rate of a flow whose own limit is 1, on links `speed` times as fast, shared evenly: a mean over flows and hashes."""
    others = flows - 1
    return sum(comb(others, k) * (1 / links) ** k * (1 - 1 / links) ** (others - k) * min(1.0, speed / (k + 1)) for k in range(others + 1))


def slowest_share(flows: int, links: int, speed: float = 1.0, pieces: int = 1) -> float:
    """Expected rate of the slowest flow over its own limit, 0 to 1: what a collective over these flows reaches.

    speed    rate of a link over that of a flow
    pieces   parts that each flow is cut into (queue pairs), hashed apart: only where the switch hashes something that tells them apart.
             A flow then ends with its slowest part.
    """
    if flows == 0:
        return 1.0
    parts = flows * pieces
    return sum(p * min(1.0, speed * pieces / k) for k, p in enumerate(busiest(parts, links)) if k)


def slowdown(flows: int, links: int, pieces: int = 1) -> float:
    """Expected time of the last flow to finish over that of a flow alone, for links as fast as flows."""
    return sum(p * max(1.0, k / pieces) for k, p in enumerate(busiest(flows * pieces, links)))


def effective_flows(weights: Sequence[float]) -> float:
    """How many equal flows scatter as these do: (sum w)^2 / sum w^2."""
    squares = sum(w * w for w in weights)
    return sum(weights) ** 2 / squares if squares else 0.0


def expected_cv(links: int, weights: Sequence[float]) -> float:
    """Coefficient of variation of the links' loads under a fair hash: sqrt((m - 1) / n_eff). inf without flows."""
    flows = effective_flows(weights)
    return sqrt((links - 1) / flows) if flows else inf
