"""How counters end: growth computed by hand, and where the widths come from."""

import pytest

from advisor.base.content import parse
from advisor.base.places import knowledge
from advisor.fabric.counters import Grown, Width, grown, width_of, widths
from advisor.readers.registry import tools

OCTETS = Width(tools=("x",), names=("rx_bytes",), bits=32, at_top="wraps", sources=())
PACKETS = Width(tools=("x",), names=("rx_packets",), bits=32, at_top="wraps", sources=())


@pytest.mark.parametrize(
    ("tool", "counter", "top"),
    [
        ("perfquery", "rx_bytes", 17_179_869_180),  # 4 294 967 295 words of four octets
        ("sysfs-ib-counters", "tx_bytes", 17_179_869_180),
        ("perfquery", "xmit_wait", 4_294_967_295),
        ("ibqueryerrors", "symbol_errors", 65_535),
        ("perfquery", "link_downed", 255),
        ("sysfs-ib-counters", "out_of_sequence", 4_294_967_295),
    ],
)
def test_tops(tool: str, counter: str, top: int) -> None:
    width = width_of(tool, counter)
    assert width is not None
    assert width.top == top


@pytest.mark.parametrize("counter", ["rx_bytes", "rx_discards", "priorities.3.rx_pause_us", "cnp_sent"])
def test_an_mlx5_port_counts_in_64_bits(counter: str) -> None:
    assert width_of("ethtool-S", counter) is None


def test_every_width_is_of_a_tool_of_ours_and_has_a_source() -> None:
    sources, _ = parse((knowledge() / "sources.yaml").read_text(encoding="utf-8"), "sources.yaml")
    for width in widths().values():
        assert set(width.tools) <= set(tools())
        assert width.sources
        assert set(width.sources) <= sources.keys()


@pytest.mark.parametrize(
    ("first", "second", "found"),
    [
        (100, 350, Grown(250, 250)),
        (350, 100, Grown(None, 100, "reset")),  # 64 bits never wrap: at least what it counted since
        (0, 2**40, Grown(2**40, 2**40)),
    ],
)
def test_64_bits(first: int, second: int, found: Grown) -> None:
    assert grown(first, second, None) == found


@pytest.mark.parametrize(
    ("tool", "counter", "first", "second", "found"),
    [
        ("perfquery", "rx_bytes", 4_000, 17_179_869_180, Grown(None, 17_179_865_180, "saturated")),
        ("perfquery", "rx_bytes", 17_179_869_180, 17_179_869_180, Grown(None, 0, "saturated")),
        ("perfquery", "rx_bytes", 4_000, 5_000, Grown(1_000, 1_000)),
        ("perfquery", "symbol_errors", 65_530, 65_535, Grown(None, 5, "saturated")),
        ("perfquery", "symbol_errors", 65_535, 3, Grown(None, 0, "saturated")),  # cleared in between: nothing is sure
        ("perfquery", "link_downed", 3, 1, Grown(None, 1, "reset")),
        ("perfquery", "rx_bytes", 17_179_869_184, 17_179_869_284, Grown(100, 100)),  # beyond the top: the wide form
        ("sysfs-ib-counters", "out_of_sequence", 4_294_967_290, 10, Grown(None, 10, "reset")),  # nobody says whether it wraps
    ],
)
def test_counters_that_stay_at_their_top(tool: str, counter: str, first: int, second: int, found: Grown) -> None:
    assert grown(first, second, width_of(tool, counter)) == found


def test_a_wrap_is_added_where_the_port_cannot_carry_a_whole_turn() -> None:
    """At 1 Gb/s a turn of 2^32 octets takes 34.36 s."""
    assert grown(4_294_967_000, 704, OCTETS, elapsed_s=10, rate_gbps=1) == Grown(1_000, 1_000)
    assert grown(4_294_967_000, 704, OCTETS, elapsed_s=34, rate_gbps=1) == Grown(1_000, 1_000)
    assert grown(4_294_967_000, 704, OCTETS, elapsed_s=35, rate_gbps=1) == Grown(None, 1_000, "wrapped")


def test_a_rise_may_hide_a_turn_too() -> None:
    """At 400 Gb/s 2^32 octets take 0.0859 s: no two figures a second apart say anything."""
    assert grown(0, 1_000, OCTETS, elapsed_s=0.085, rate_gbps=400) == Grown(1_000, 1_000)
    assert grown(0, 1_000, OCTETS, elapsed_s=0.087, rate_gbps=400) == Grown(None, 1_000, "wrapped")
    assert grown(0, 1_000, OCTETS, elapsed_s=1) == Grown(None, 1_000, "wrapped")  # of a port whose rate nobody knows


def test_packets_wrap_more_slowly() -> None:
    """Frames of 84 octets on the wire: 148.8 million a second at 100 Gb/s, a turn in 28.9 s."""
    assert grown(4_294_967_290, 4, PACKETS, elapsed_s=28, rate_gbps=100) == Grown(10, 10)
    assert grown(4_294_967_290, 4, PACKETS, elapsed_s=29, rate_gbps=100) == Grown(None, 10, "wrapped")
