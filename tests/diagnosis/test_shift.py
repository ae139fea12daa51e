"""Shifts against known truths: seeded draws, and figures worked out by hand."""

import numpy as np
import pytest

from advisor.diagnosis.shift import MARGIN, shift

PAIRS = 120


def draws(seed: int, scatter: float, centre: float, count: int = 20) -> list[float]:
    return list(centre * (1 + scatter * np.random.default_rng(seed).standard_normal(count)))


def test_the_shift_is_the_median_of_all_ratios() -> None:
    found = shift([10.0, 20.0], [20.0, 20.0, 40.0])
    # ratios of every pair: 2, 2, 4, 1, 1, 2; their median is 2
    assert found.ratio == pytest.approx(2.0)
    assert found.outcome == "few"
    assert found.low is None


def test_no_change_is_called_an_improvement_in_at_most_one_of_twenty() -> None:
    called = [shift(draws(2 * i, 0.05, 100), draws(2 * i + 1, 0.05, 100)).outcome for i in range(PAIRS)]
    assert called.count("higher") / PAIRS <= 0.05
    assert called.count("lower") / PAIRS <= 0.05


@pytest.mark.parametrize("scatter", [0.03, 0.08])
def test_a_tenth_more_is_found_with_twenty_runs_each(scatter: float) -> None:
    called = [shift(draws(1000 + 2 * i, scatter, 100), draws(1001 + 2 * i, scatter, 110)) for i in range(PAIRS)]
    assert sum(one.outcome == "higher" for one in called) / PAIRS >= 0.90
    inside = [one.low <= 1.1 <= one.high for one in called if one.low is not None and one.high is not None]
    assert sum(inside) / PAIRS >= 0.90  # the 95 % interval, with its own scatter over so many pairs


def test_steady_runs_are_called_the_same_and_noisy_ones_noise() -> None:
    same = shift(draws(1, 0.01, 100), draws(2, 0.01, 100))
    assert same.outcome == "same"
    assert same.low is not None
    assert same.high is not None
    assert 1 / (1 + MARGIN) < same.low < same.high < 1 + MARGIN
    assert shift(draws(3, 0.3, 100), draws(4, 0.3, 104)).outcome == "noise"


def test_thousands_of_steps_cost_no_more_than_dozens() -> None:
    found = shift(draws(5, 0.05, 15.4, 4000), draws(6, 0.05, 14.0, 3000))
    assert found.outcome == "lower"
    assert found.ratio == pytest.approx(14.0 / 15.4, rel=0.01)


@pytest.mark.parametrize(("first", "second"), [([], [1.0]), ([1.0], []), ([0.0] * 12, [1.0] * 12)])
def test_a_side_without_runs_says_nothing(first: list[float], second: list[float]) -> None:
    found = shift(first, second)
    assert found.ratio is None
    assert found.outcome == "few"


def test_the_same_runs_give_the_same_interval_every_time() -> None:
    one, two = draws(7, 0.05, 100), draws(8, 0.05, 103)
    assert shift(one, two) == shift(one, two)
