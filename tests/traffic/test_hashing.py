"""Balls in bins against small counts by hand and the published exact values."""

from itertools import product

import pytest

from advisor.traffic.hashing import (
    busiest,
    effective_flows,
    expected_busiest,
    expected_cv,
    mean_rate,
    no_collision,
    slowdown,
    slowest_share,
)


def test_against_counting_every_way() -> None:
    flows, links = 5, 3
    ways = [max(throw.count(link) for link in range(links)) for throw in product(range(links), repeat=flows)]
    for k, p in enumerate(busiest(flows, links)):
        assert p == pytest.approx(ways.count(k) / len(ways), abs=1e-12)


# n flows on n links as fast: chance of no collision, mean rate, expected flows on the busiest link.
@pytest.mark.parametrize(
    ("n", "free", "rate", "most"),
    [
        (4, 0.09375, 0.683594, 2.125),
        (8, 0.00240325, 0.656391, 2.597233),
        (16, 1.13423e-6, 0.643926, 3.078247),
        (32, None, 0.637945, 3.532941),
    ],
)
def test_as_many_flows_as_links(n: int, free: float | None, rate: float, most: float) -> None:
    if free is not None:
        assert no_collision(n, n) == pytest.approx(free, rel=1e-5)
    assert mean_rate(n, n) == pytest.approx(rate, rel=1e-5)
    assert mean_rate(n, n) == pytest.approx(1 - (1 - 1 / n) ** n, rel=1e-12)
    assert expected_busiest(n, n) == pytest.approx(most, rel=1e-6)


@pytest.mark.parametrize(("links", "speed", "mean", "slowest"), [(8, 2, 0.7472, 0.4978), (4, 4, 0.8310, 0.6707), (16, 1, 0.6439, 0.3447)])
def test_fewer_and_faster_uplinks_collide_less(links: int, speed: float, mean: float, slowest: float) -> None:
    assert mean_rate(16, links, speed) == pytest.approx(mean, rel=0.01)
    assert slowest_share(16, links, speed) == pytest.approx(slowest, rel=0.01)


@pytest.mark.parametrize(
    ("pieces", "slower", "effective"),
    [(1, 2.597, 0.410), (2, 2.101, 0.498), (4, 1.761, 0.583), (8, 1.528, 0.665), (16, 1.370, 0.738), (32, 1.259, 0.798)],
)
def test_cutting_flows_into_pieces(pieces: int, slower: float, effective: float) -> None:
    assert slowdown(8, 8, pieces) == pytest.approx(slower, rel=0.015)
    assert slowest_share(8, 8, pieces=pieces) == pytest.approx(effective, rel=0.015)


def test_many_flows_do_not_overflow() -> None:
    assert 1.0 < slowdown(1024, 64, 1) / (1024 / 64) < 2.0


def test_no_flow_and_one_link() -> None:
    assert slowest_share(0, 4) == 1.0
    assert slowest_share(4, 1) == pytest.approx(0.25)


def test_scatter_of_a_fair_hash() -> None:
    assert effective_flows([1, 1, 1, 1]) == 4
    assert effective_flows([2, 1]) == pytest.approx(1.8)
    assert expected_cv(16, [1] * 60) == pytest.approx(0.5)
    assert expected_cv(16, []) == float("inf")
