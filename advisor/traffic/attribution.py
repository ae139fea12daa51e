"""Shares of a loss among causes that act together: Shapley values, and beside them what each would gain if it were fixed first."""

from collections.abc import Callable, Sequence
from itertools import combinations
from math import factorial


def shapley(causes: Sequence[str], value: Callable[[frozenset[str]], float]) -> dict[str, float]:
    """The Shapley value of each cause: its mean gain over all orders in which the causes can be fixed. They add up to the whole gain.

    value(fixed) is what is reached with these causes fixed; it is asked once for every set (2^n for n causes).
    """
    known = {frozenset(some): value(frozenset(some)) for k in range(len(causes) + 1) for some in combinations(causes, k)}
    n = len(causes)
    shares = {}
    for cause in causes:
        others = [other for other in causes if other != cause]
        shares[cause] = sum(
            factorial(k) * factorial(n - k - 1) / factorial(n) * (known[frozenset((*some, cause))] - known[frozenset(some)])
            for k in range(n)
            for some in combinations(others, k)
        )
    return shares


def if_first(causes: Sequence[str], value: Callable[[frozenset[str]], float]) -> dict[str, float]:
    """What fixing each cause alone would gain."""
    now = value(frozenset())
    return {cause: value(frozenset({cause})) - now for cause in causes}
