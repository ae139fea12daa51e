"""Captures of network cards, links and benchmarks, damaged in any way: a reader never raises, loses no line, and adds no fact."""

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from advisor.capture.lines import clean
from advisor.evidence.reading import Reading
from advisor.readers.contract import Block
from advisor.readers.recognise import read
from advisor.readers.registry import readers

CAPTURES = Path(__file__).parent.parent / "captures"
TOOLS = (
    *("ethtool-S", "perftest", "nccl-tests", "nccl-log", "ethtool", "ethtool-i", "proc-net-bonding", "mlnx_qos"),
    *("sysfs-ib-counters", "mlxlink", "nvbandwidth", "iperf3"),
)
DRIVER = b"""# ethtool -i ens1f0
driver: mlx5_core
version: 5.8-2.0.3
firmware-version: 22.36.1010 (MT_0000000359)
expansion-rom-version:
bus-info: 0000:3b:00.0
supports-statistics: yes
"""
LATENCY = b"""                    RDMA_Write Latency Test
 Dual-port       : OFF          Device         : mlx5_0
 Mtu             : 4096[B]
 #bytes #iterations   t_min[usec]   t_max[usec]  t_typical[usec]   t_avg[usec]   t_stdev[usec]  99% percentile[usec]  99.9% percentile[usec]
 2       1000         1.76          6.12         1.79              1.80          0.06           1.88                  6.12
"""
FILES = [
    *(path.read_bytes() for tool in (*TOOLS, "awkward") for path in sorted((CAPTURES / tool).glob("*")) if path.suffix != ".yaml"),
    DRIVER,
    LATENCY,
]
pytestmark = pytest.mark.skipif(len(FILES) < 20, reason="no captures here")
# What a text says of itself as a whole: a part of it says less.
_OF_THE_WHOLE = {"hops", "gdrdma_hops", "net_devices", "networks", "network", "dscp", "nccl_version"}


def _accounted(reading: Reading, data: bytes) -> None:
    if reading.refused:
        assert not any(part.facts for part in reading.parts)
        return
    raw = clean(data).raw
    covered = {n for part in reading.parts for n in range(part.lines[0], part.lines[1] + 1)}
    covered |= {n for first, last in reading.unread for n in range(first, last + 1)}
    assert [n for n, text in enumerate(raw, 1) if text.strip("\ufeff \t\r") and n not in covered] == []
    for part in reading.parts:
        assert 1 <= part.lines[0] <= part.lines[1] <= len(raw)
        assert all(part.lines[0] <= first <= last <= part.lines[1] for first, last in part.unread)
        assert all(1 <= problem.line <= len(raw) for problem in part.problems)
        assert all(1 <= line <= len(raw) for line in part.at.values())


def _leaves(tree: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    if isinstance(tree, dict):
        for key, value in tree.items():
            yield from _leaves(value, (*path, str(key)))
    else:
        yield (*path, repr(tree))


def _told(data: bytes) -> set[tuple[str, ...]]:
    return {
        (part.tool, *leaf)
        for part in read(data).parts
        if part.tool in TOOLS
        for leaf in _leaves(part.facts)
        if not any(step.endswith("_count") or step in _OF_THE_WHOLE for step in leaf)
    }


def _has_sums_over_rings(data: bytes) -> bool:
    return b"[0]: rx_bytes" in data


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(range(len(FILES))), st.floats(0, 1), st.floats(0, 1))
def test_cut_at_any_byte(which: int, start: float, end: float) -> None:
    data = FILES[which]
    a, b = sorted((int(start * len(data)), int(end * len(data))))
    for piece in (data[:b], data[a:], data[a:b]):
        _accounted(read(piece), piece)


@settings(max_examples=200, deadline=None)
@given(st.sampled_from(range(len(FILES))), st.floats(0, 1))
def test_a_cut_text_says_nothing_that_the_whole_does_not(which: int, end: float) -> None:
    data = FILES[which].rstrip(b"\n") + b"\n"
    if not _has_sums_over_rings(data):
        assert _told(data[: int(end * len(data))]) <= _told(data)


@settings(max_examples=80, deadline=None)
@given(st.sampled_from(range(len(FILES))), st.randoms(use_true_random=False))
def test_lines_doubled_and_shuffled(which: int, chance: random.Random) -> None:
    lines = FILES[which].splitlines(keepends=True)[:200]
    doubled = b"".join(line for line in lines for _ in range(chance.choice((0, 1, 1, 2))))
    chance.shuffle(lines)
    for piece in (FILES[which] * 2, doubled, b"".join(lines)):
        _accounted(read(piece), piece)


@settings(max_examples=80, deadline=None)
@given(st.sampled_from(range(len(FILES))), st.randoms(use_true_random=False))
def test_any_reader_takes_any_text(which: int, chance: random.Random) -> None:
    """A wrong command line above a text: the reader of that command finds little or nothing, and does not raise."""
    data = bytearray(FILES[which][:4000])
    for _ in range(20):
        if data:
            data[chance.randrange(len(data))] = chance.choice(b'\n\t :=0123456789XANU-,.[]<>{}"#')
    lines = clean(bytes(data))
    for reader in readers():
        if reader.tool in TOOLS:
            for part in reader.read(Block(lines, "x")):
                assert part.lines[0] <= part.lines[1]
