"""Calculators against counts by hand and closed forms."""

from collections.abc import Callable

import pytest

from advisor.base.errors import UsageError
from advisor.base.text import catalogue
from advisor.usecases.calculators import collisions, crossing, gpu_hours, line, phases, rail_only, wire


def test_two_flows_on_two_links() -> None:
    found = collisions(2, 2)
    assert found.no_collision == pytest.approx(0.5)
    assert found.slowest == pytest.approx(0.75)  # half of the time 1, half of the time 1/2
    assert found.mean == pytest.approx(0.75)
    assert found.busiest_flows == pytest.approx(1.5)
    assert found.balanced == 1.0


def test_what_is_missing_at_equal_shares_is_capacity() -> None:
    assert collisions(8, 4).balanced == pytest.approx(0.5)
    assert collisions(8, 4, speed=2).balanced == 1.0
    assert collisions(8, 4).slowest < 0.5


@pytest.mark.parametrize("pairs", [2, 4, 16])
def test_more_queue_pairs_collide_less(pairs: int) -> None:
    assert collisions(8, 8).slowest < collisions(8, 8, queue_pairs=pairs).slowest < 1
    assert collisions(8, 8).mean < collisions(8, 8, queue_pairs=pairs).mean < 1


def test_crossing_of_a_placement() -> None:
    found = crossing([3, 3, 2], leaf_size=16)
    assert found.by_leaf == pytest.approx(3 / 8)
    assert found.random == pytest.approx(1 - (3 * 2 + 3 * 2 + 2 * 1) / (8 * 7))
    assert (found.best, found.leaves_needed) == (0.0, 1)


def test_random_order_on_equal_leaves_is_the_published_formula() -> None:
    assert crossing([8, 8, 8, 8]).random * 32 == pytest.approx(24.774, rel=1e-4)
    assert crossing([8, 8, 8, 8]).best is None


def test_one_leaf_crosses_nothing() -> None:
    assert (crossing([8, 0]).by_leaf, crossing([8]).random) == (0.0, 0.0)


def test_gpu_hours() -> None:
    found = gpu_hours(gpus=100, hours=10, loss=0.5, communication_share=0.5)
    assert found.step_longer == pytest.approx(0.5)  # half a step takes twice as long
    assert found.lost == pytest.approx(1000 / 3)
    assert found.per_day == pytest.approx(2400 / 3)
    assert gpu_hours(8, 24, 0.0, 0.3).lost == 0
    assert gpu_hours(8, 24, 0.3, 0.0).lost == 0


@pytest.mark.parametrize("call", [
    lambda: collisions(0, 4),
    lambda: collisions(4, 0),
    lambda: collisions(4, 4, speed=0),
    lambda: collisions(4, 4, queue_pairs=0),
    lambda: collisions(4096, 4, queue_pairs=2),
    lambda: crossing([]),
    lambda: crossing([1]),
    lambda: crossing([-1, 4]),
    lambda: crossing([8, 8], leaf_size=4),
    lambda: gpu_hours(0, 1, 0.1, 0.1),
    lambda: gpu_hours(1, -1, 0.1, 0.1),
    lambda: gpu_hours(1, 1, 1.0, 0.1),
    lambda: gpu_hours(1, 1, 0.1, 1.1),
    lambda: wire(0, 16, 2, 8),
    lambda: wire(300, 16, 1, 8),
    lambda: wire(300, 1, 2, 8),
    lambda: wire(300, 16, 2, 0),
    lambda: wire(300, 16, 2, 8, nic=-1),
    lambda: rail_only(0, 450, 8),
    lambda: rail_only(50, 0, 8),
    lambda: rail_only(50, 450, 0),
    lambda: phases(1.5),
    lambda: line(0, 2, 200),
    lambda: line(1, 2, 0),
    lambda: line(1, 2, 200, measured_TiBps=-1),
])  # fmt: skip
def test_what_cannot_be_is_a_sentence(call: Callable[[], object]) -> None:
    with pytest.raises(UsageError) as caught:
        call()
    assert f"error.{caught.value.key}" in catalogue()
