"""Statistics on series, held to what is known of the series that were made."""

from random import Random

import pytest

from advisor.diagnosis.statistics import aligned, best_lag, bursts, change_points, partial_rank_correlations, rank_correlation, shift_p


def test_the_permutation_tries_every_shift_of_a_short_log() -> None:
    """200 steps, 5 windows of 4 slow ones at uneven places: no other of the 199 shifts finds as much, so p is 1/200."""
    starts = (10, 37, 81, 122, 175)
    inside = [any(start <= i < start + 4 for start in starts) for i in range(200)]
    assert shift_p([2.0 if mark else 1.0 for mark in inside], inside) == pytest.approx(1 / 200)


def test_the_permutation_of_a_long_log_takes_ten_thousand_shifts() -> None:
    marks = [i % 500 < 20 + i // 5000 for i in range(30_000)]
    values = [1.5 if mark else 1.0 for mark in marks]
    p = shift_p(values, marks)
    assert 1 / 10_001 <= p < 0.01
    noise = Random(5)
    assert shift_p([noise.random() for _ in range(2_000)], marks[:2_000]) > 0.01


def test_slow_steps_that_follow_a_window_are_late_by_their_lag() -> None:
    inside = [i % 20 in (4, 5, 6) for i in range(100)]
    values = [3.0 if i % 20 in (6, 7, 8) else 1.0 for i in range(100)]
    assert best_lag(values, inside) == 2
    assert best_lag([3.0 if mark else 1.0 for mark in inside], inside) == 0


def test_a_level_that_falls_is_found_and_outliers_are_not() -> None:
    noise = Random(1)
    values = [100 + noise.gauss(0, 1) for _ in range(60)] + [80 + noise.gauss(0, 1) for _ in range(60)]
    values[30] = 20.0  # one sample that failed
    (shift,) = change_points(values)
    assert abs(shift.at - 60) <= 1
    assert shift.ratio == pytest.approx(0.8, abs=0.01)


@pytest.mark.parametrize("seed", range(5))
def test_noise_alone_has_no_level_that_changes(seed: int) -> None:
    noise = Random(seed)
    assert change_points([100 + noise.gauss(0, 2) for _ in range(200)]) == ()


def test_a_constant_or_short_series_has_none() -> None:
    assert change_points([5.0] * 50) == ()
    assert change_points([1.0, 9.0, 1.0]) == ()


def test_rank_correlations_see_the_order_alone() -> None:
    busy = [1, 2, 3, 4, 5, 6, 7, 8]
    found = rank_correlation([1 / value**3 for value in busy], busy)
    assert found is not None
    assert (found.rho, found.tau) == (pytest.approx(-1), pytest.approx(-1))
    assert rank_correlation([1.0] * 8, busy) is None
    assert rank_correlation([1, 2, 3], [3, 2, 1]) is None


def test_a_driver_that_only_moves_along_says_little_when_the_other_is_held_still() -> None:
    noise = Random(3)
    true = [noise.random() for _ in range(400)]
    along = [value + noise.gauss(0, 0.15) for value in true]
    target = [-value + noise.gauss(0, 0.1) for value in true]
    partial = partial_rank_correlations(target, [true, along])
    assert partial is not None
    assert partial[0] < -0.6
    assert abs(partial[1]) < 0.2


def test_bursts_by_hand() -> None:
    found = bursts([0.1, 0.95, 0.92, 0.1, 0.1, 0.9, 0.1, 0.1, 0.1, 0.1])
    assert found.duty == pytest.approx(0.3)
    assert found.longest == 2
    assert found.peak_over_mean == pytest.approx(0.95 / 0.347)
    assert found.median == pytest.approx(0.1)


def test_series_meet_at_the_times_of_the_sparser_one() -> None:
    pairs = aligned([0, 60, 120], [1, 2, 3], [1, 31, 61, 91, 200], [10, 20, 30, 40, 50])
    assert pairs == [(1.0, 10.0), (2.0, 30.0), (3.0, 40.0)]
