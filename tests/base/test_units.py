from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.base.ranges import range_text, ranges
from advisor.base.units import gBps, gbps, mib_per_s_in_gbps, size_bytes


def test_perftest_means_mebibyte() -> None:
    """4554.89 MB/sec at 0.072878 million messages of 65536 byte a second is 38.2 Gb/s, not 36.4 (a public perftest output)."""
    assert mib_per_s_in_gbps(4554.89) == pytest.approx(0.072878e6 * 65536 * 8 / 1e9, rel=1e-4)


def test_bits_and_bytes() -> None:
    assert gBps(400) == 50
    assert gbps(46.8) == pytest.approx(374.4)


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("64Ki", 65536),
        ("1.5 GiB", 1610612736),
        ("4096", 4096),
        ("32G", 32_000_000_000),
        ("8k", None),
        ("", None),
        ("-3", None),
        ("1055950504Ki", 1055950504 * 1024),
    ],
)
def test_sizes(text: str, size: int | None) -> None:
    assert size_bytes(text) == size


def test_letters_can_mean_binary() -> None:
    assert size_bytes("64K", base=1024) == 65536


@given(st.lists(st.integers(0, 400), max_size=60))
def test_ranges_hold_the_same_numbers(numbers: list[int]) -> None:
    found = ranges(numbers)
    assert {n for a, b in found for n in range(a, b + 1)} == set(numbers)
    assert all(b + 1 < c for (_, b), (c, _) in pairwise(found))


def test_range_text() -> None:
    assert range_text([96, 0, 1, 2, 97, 98, 5]) == "0-2,5,96-98"
