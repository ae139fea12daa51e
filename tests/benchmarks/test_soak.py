"""A sample of the soak: 20 s of use on small sites without a fault and without memory that only grows; the whole: `make soak`."""

import pytest

from tests.benchmarks.soak import MOST_GROWTH, soak

pytestmark = pytest.mark.slow


def test_use_for_twenty_seconds() -> None:
    done = soak(20, sizes=(4,))
    assert set(done.steps) == {"import", "open", "decide", "browse", "export"}
    assert done.growth() < MOST_GROWTH
