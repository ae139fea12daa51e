"""Closed forms against published and hand-counted figures."""

import pytest

from advisor.traffic.steps import aligned, checkpoint_loss, interleaved, step_time, throughput_gain


def test_a_published_before_and_after() -> None:
    # Tencent Xingmai: communication falls from 35 % to 3.7 % of the step, the step by 32 %, computing power rises by 48 %.
    after = step_time(0.35, 14)
    assert after == pytest.approx(0.675)
    assert 0.35 / 14 / after == pytest.approx(0.037037, rel=1e-5)
    assert throughput_gain(0.35, 14) == pytest.approx(0.481481, rel=1e-5)


@pytest.mark.parametrize(("share", "together", "in_turn"), [(0.4, 1.4, 1.0), (0.5, 1.5, 1.0), (0.6, 1.6, 1.2)])
def test_two_jobs_on_one_link(share: float, together: float, in_turn: float) -> None:
    assert aligned(share) == pytest.approx(together)
    assert interleaved(share) == pytest.approx(in_turn)


@pytest.mark.parametrize(("window", "interval", "inside", "loss"), [(60, 1800, 0.4, 0.02), (300, 1800, 0.5, 0.083333)])
def test_checkpoint_windows(window: float, interval: float, inside: float, loss: float) -> None:
    assert checkpoint_loss(window, interval, inside) == pytest.approx(loss, rel=1e-4)
