"""Captures of the node tools, damaged in any way: a reader never raises, and every line with ink is in a part or unread."""

import random
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from advisor.capture.lines import clean
from advisor.evidence.reading import Reading, leaves
from advisor.readers.contract import Block
from advisor.readers.recognise import read
from advisor.readers.registry import readers

CAPTURES = Path(__file__).parent.parent / "captures"
TOOLS = (
    *("nvidia-smi-topo", "ibstat", "rocm-smi-topo", "nvidia-smi-nvlink", "nvidia-smi-csv", "nvidia-smi-q", "dcgm-exporter", "dcgmi-dmon"),
    *("ibstatus", "ibv_devinfo", "ibdev2netdev", "show_gids", "numactl", "lspci", "nccl-topo-xml"),
)
DMON = """# gpu    pwr  gtemp  mtemp     sm    mem  rxpci  txpci
# Idx      W      C      C      %      %   MB/s   MB/s
    0    365     55      -     99     58  21846   6849
    1    372     53      -    100     58  19397  11676
"""
LSCPU = """Architecture:            x86_64
  CPU op-mode(s):        32-bit, 64-bit
NUMA node(s):            2
  NUMA node0 CPU(s):     0-27
  NUMA node1 CPU(s):     28-57
"""


def _files() -> list[bytes]:
    found = [path.read_bytes() for tool in TOOLS for path in sorted((CAPTURES / tool).glob("*")) if path.suffix != ".yaml"]
    return [*found, DMON.encode(), LSCPU.encode()]


FILES = _files()
pytestmark = pytest.mark.skipif(len(FILES) < 20, reason="no captures here")


def _accounted(reading: Reading, data: bytes) -> None:
    if reading.refused:
        assert not any(part.facts for part in reading.parts)
        return
    raw = clean(data).raw
    covered = {n for part in reading.parts for n in range(part.lines[0], part.lines[1] + 1)}
    covered |= {n for first, last in reading.unread for n in range(first, last + 1)}
    lost = [n for n, text in enumerate(raw, 1) if text.strip("\ufeff \t\r") and n not in covered]
    assert lost == []
    for part in reading.parts:
        assert 1 <= part.lines[0] <= part.lines[1] <= len(raw)
        assert all(1 <= problem.line <= len(raw) for problem in part.problems)


@settings(max_examples=120, deadline=None)
@given(st.sampled_from(range(len(FILES))), st.floats(0, 1), st.floats(0, 1))
def test_cut_at_any_byte(which: int, start: float, end: float) -> None:
    data = FILES[which]
    a, b = sorted((int(start * len(data)), int(end * len(data))))
    for piece in (data[:b], data[a:], data[a:b]):
        _accounted(read(piece), piece)


def _told(data: bytes) -> set[tuple[str, ...]]:
    """Every fact as tool, path and value; samples one by one. Counts, and what hangs on the NIC legend, may differ in a cut text."""
    found = set()
    for part in read(data).parts:
        for path, value in leaves(part.facts):
            if path[-1].endswith("_count") or path[-1] == "best_nics" or any(re.fullmatch(r"NIC\d+", step) for step in path):
                continue
            if path[-1] == "samples":
                found |= {(part.tool, *path, str(i), key, repr(v)) for i, sample in enumerate(value) for key, v in sample.items()}
            else:
                found.add((part.tool, *path, repr(value)))
    return found


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(range(len(FILES))), st.floats(0, 1))
def test_a_cut_text_says_nothing_that_the_whole_does_not(which: int, end: float) -> None:
    data = FILES[which].rstrip(b"\n") + b"\n"
    assert _told(data[: int(end * len(data))]) <= _told(data)


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(range(len(FILES))), st.randoms(use_true_random=False))
def test_lines_doubled_and_shuffled(which: int, chance: random.Random) -> None:
    lines = FILES[which].splitlines(keepends=True)[:200]
    doubled = b"".join(line for line in lines for _ in range(chance.choice((0, 1, 1, 2))))
    chance.shuffle(lines)
    for piece in (FILES[which] * 2, doubled, b"".join(lines)):
        _accounted(read(piece), piece)


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(range(len(FILES))), st.randoms(use_true_random=False))
def test_any_reader_takes_any_text(which: int, chance: random.Random) -> None:
    """A wrong command line above a text: the reader of that command finds little or nothing, and does not raise."""
    data = bytearray(FILES[which][:4000])
    for _ in range(20):
        if data:
            data[chance.randrange(len(data))] = chance.choice(b"\n\t :=0123456789XANU-,.[]<>")
    lines = clean(bytes(data))
    for reader in readers():
        if reader.tool in (*TOOLS, "lscpu", "nvidia-smi-dmon"):
            for part in reader.read(Block(lines, "x")):
                assert part.lines[0] <= part.lines[1]
