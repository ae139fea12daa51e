"""Counts, and how long the rest takes: by hand."""

import pytest

from advisor.base.errors import Cancelled
from advisor.usecases import progress
from advisor.usecases.progress import Pace, Step, never


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    now = [100.0]
    monkeypatch.setattr(progress.time, "monotonic", lambda: now[0])
    return now


def _pace(told: list[Step], clock: list[float], total: int | None = None, whole: float | None = None) -> Pace:
    return Pace(told.append, never, total, whole, _since=clock[0])


def test_the_rest_by_what_is_done(clock: list[float]) -> None:
    told: list[Step] = []
    pace = _pace(told, clock, total=10)
    for seconds in (4, 4, 4):
        clock[0] += seconds
        pace.step("x")
    assert [(step.done, step.total, step.seconds_left) for step in told] == [(1, 10, 36), (2, 10, 32), (3, 10, 28)]


def test_where_things_differ_in_size_their_size_counts(clock: list[float]) -> None:
    """900 of 1000 bytes took 9 s: the rest takes one, however many files it is."""
    told: list[Step] = []
    pace = _pace(told, clock, total=101, whole=1000)
    clock[0] += 9
    pace.step("large", 900)
    assert told[0].seconds_left == pytest.approx(1)


def test_too_little_tells_nothing(clock: list[float]) -> None:
    told: list[Step] = []
    pace = _pace(told, clock, total=100_000)
    for seconds in (0.5, 2, 8):  # early; 2 of 100,000; after ten seconds a bad estimate is better than none
        clock[0] += seconds
        pace.step("x")
    assert [step.seconds_left is None for step in told] == [True, True, False]


def test_no_total_no_estimate(clock: list[float]) -> None:
    told: list[Step] = []
    pace = _pace(told, clock)
    clock[0] += 20
    pace.step("x")
    assert (told[0].total, told[0].seconds_left) == (None, None)


def test_it_tells_ten_times_a_second_at_most_and_of_the_last(clock: list[float]) -> None:
    told: list[Step] = []
    pace = _pace(told, clock, total=1000)
    for _ in range(1000):
        clock[0] += 0.001
        pace.step("x")
    assert len(told) <= 12
    assert told[-1].done == told[-1].total == 1000


def test_a_person_stops_it() -> None:
    pace = Pace(lambda step: None, lambda: True, 10)
    with pytest.raises(Cancelled):
        pace.step("x")
