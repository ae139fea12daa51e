"""Shapley values against published small games."""

from math import prod

import pytest

from advisor.traffic.attribution import if_first, shapley


def test_factors_that_multiply() -> None:
    factors = {"placement": 0.80, "storage": 0.90, "convergence": 0.85}
    shares = shapley(list(factors), lambda fixed: prod(f for cause, f in factors.items() if cause not in fixed))
    assert shares == pytest.approx({"placement": 0.176, "storage": 0.0835, "convergence": 0.1285}, abs=1e-9)
    assert sum(shares.values()) == pytest.approx(0.388)


def test_the_tightest_of_several_caps() -> None:
    caps = {"placement": 0.5, "storage": 0.7, "convergence": 0.6}

    def value(fixed: frozenset[str]) -> float:
        return min((cap for cause, cap in caps.items() if cause not in fixed), default=1.0)

    assert shapley(list(caps), value) == pytest.approx({"placement": 0.25, "storage": 0.10, "convergence": 0.15}, abs=1e-9)
    assert if_first(list(caps), value) == pytest.approx({"placement": 0.1, "storage": 0, "convergence": 0})
