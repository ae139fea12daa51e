"""A sample of the soak: twenty seconds of use on small sites without a fault and without memory that only grows; `make soak` is the whole."""

import pytest

from tests.benchmarks.soak import MOST_GROWTH, soak

pytestmark = pytest.mark.slow


def test_use_for_twenty_seconds() -> None:
    done = soak(20, sizes=(4,))
    assert set(done.steps) == {"import", "open", "decide", "browse", "export"}
    assert done.growth() < MOST_GROWTH
