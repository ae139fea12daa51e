"""Captures of switches and schedulers, damaged in any way: a reader never raises, loses no line, and adds no fact."""

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
SWITCHES = ("sonic", "sonic-config", "arista-eos", "cisco-nxos", "cumulus-nvue", "huawei-ce", "h3c-comware", "juniper")
SCHEDULERS = ("kubectl-describe-node", "kubectl-get", "k8s-topology", "slurm-topology", "slurm-node", "slurm-job")
TOOLS = (*SWITCHES, *SCHEDULERS)
FILES = [path.read_bytes() for tool in TOOLS for path in sorted((CAPTURES / tool).glob("*")) if ".expect." not in path.name]
pytestmark = pytest.mark.skipif(len(FILES) < 20, reason="no captures here")
# What a text says of itself as a whole: a part of it says less.
_OF_THE_WHOLE = {"unresolved", "block_sizes", "partitions", "pods", "ecn_profiles", "levels", "members", "taints", "pfc_priorities"}


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
        assert all(1 <= problem.line <= len(raw) for problem in part.problems)
        assert all(1 <= line <= len(raw) for line in part.at.values())


def _leaves(tree: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    if isinstance(tree, dict | list):
        for key, value in tree.items() if isinstance(tree, dict) else enumerate(tree):
            yield from _leaves(value, (*path, str(key)))
    else:
        yield (*path, repr(tree))


def _told(data: bytes) -> set[tuple[str, ...]]:
    return {
        (part.tool, *leaf)
        for part in read(data).parts
        for leaf in _leaves(part.facts)
        if not any(step.endswith("_count") or step in _OF_THE_WHOLE for step in leaf)
    }


@settings(max_examples=120, deadline=None)
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
            data[chance.randrange(len(data))] = chance.choice(b"\n\t :=0123456789XANU-,.[]{}<>\"'|/")
    lines = clean(bytes(data))
    for reader in readers():
        if reader.tool in (*TOOLS, "ruijie"):
            for part in reader.read(Block(lines, "x")):
                assert part.lines[0] <= part.lines[1]


def test_runs_that_say_other_things_of_the_same_port_stay_apart() -> None:
    """The same table twice, with one figure grown between: before and after are two parts, in order."""
    text = next(data for data in FILES if b"PFC3" in data and b"Port Rx" in data)
    grown = text.replace(b"1,974,230,000,000", b"1,974,230,000,009")
    parts = [part for part in read(text + grown).parts if part.tool == "sonic"]
    seen = [part.facts["interfaces"]["Ethernet0"]["priorities"]["3"]["rx_pause"] for part in parts]
    assert seen == [1_974_230_000_000, 1_974_230_000_009]
