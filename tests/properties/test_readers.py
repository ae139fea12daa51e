"""Every golden capture, damaged in any way: no reader raises, no line is lost, and no fact appears that the text does not carry."""

import random
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from advisor.capture.lines import clean
from advisor.evidence.reading import Reading
from advisor.readers.contract import Block
from advisor.readers.recognise import read
from advisor.readers.registry import readers

CAPTURES = Path(__file__).parent.parent / "captures"
PATHS = sorted(path for path in CAPTURES.glob("*/*") if path.suffix not in (".yaml", ".pyc") and path.is_file())
FILES = {f"{path.parent.name}/{path.stem}": path.read_bytes() for path in PATHS}
NAMES = sorted(FILES)
# What a text says of itself as a whole, so that a part of it rightly says less: numbers of things, last values, lists and sums of all rows.
OF_THE_WHOLE = {
    *("hops", "gdrdma_hops", "net_devices", "networks", "network", "dscp", "nccl_version", "last", "last_time_s", "last_time", "samples"),
    *("saturated", "runtime_s", "unresolved", "block_sizes", "partitions", "pods", "ecn_profiles", "levels", "members", "taints"),
    *("pfc_priorities", "best_nics"),
}
BYTES = b"\n\t :=0123456789XANU-,.[]{}<>\"'|/;#"

names = st.sampled_from(NAMES)
chances = st.randoms(use_true_random=False)


def accounted(reading: Reading, data: bytes) -> None:
    """The account sums up: every inked line is in a part or unread, and whatever names a line names one of the file."""
    if reading.refused:
        assert not any(part.facts for part in reading.parts)
        return
    raw = clean(data).raw
    spans = [*reading.unread, *(part.lines for part in reading.parts)]
    covered = {n for first, last in spans for n in range(first, last + 1)}
    assert [n for n, text in enumerate(raw, 1) if text.strip("\ufeff \t\r") and n not in covered] == []
    for part in reading.parts:
        first, last = part.lines
        assert 1 <= first <= last <= len(raw)
        assert all(first <= a <= b <= last for a, b in part.unread)
        assert all(1 <= line <= len(raw) for line in (*part.at.values(), *(problem.line for problem in part.problems)))


def _leaves(tree: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    if isinstance(tree, Mapping | list):
        for key, value in tree.items() if isinstance(tree, Mapping) else enumerate(tree):
            yield from _leaves(value, (*path, str(key)))
    else:
        yield (*path, repr(tree))


def _told(data: bytes) -> set[tuple[str, ...]]:
    """Every fact as tool, path and value, but what a text says of itself as a whole, and NICs by the labels that a legend replaces."""
    return {
        (part.tool, *leaf)
        for part in read(data).parts
        for leaf in _leaves(part.facts)
        if not any(step.endswith("_count") or step in OF_THE_WHOLE or re.fullmatch(r"NIC\d+", step) for step in leaf)
    }


@settings(max_examples=300, deadline=None)
@given(names, st.floats(0, 1), st.floats(0, 1))
def test_cut_at_any_byte(name: str, start: float, end: float) -> None:
    data = FILES[name]
    a, b = sorted((int(start * len(data)), int(end * len(data))))
    for piece in (data[:b], data[a:], data[a:b]):
        accounted(read(piece), piece)


@settings(max_examples=400, deadline=None)
@given(names, st.floats(0, 1))
@example("lldpctl/01-plain-two-rails", 0.9)  # after a port's address, before its description
@example("lldpctl/03-json", 0.9375)
@example("slurm-job/01-show-job-head-lost-two-nodes", 0.48609)  # within the key `AllocNode:Sid`
def test_a_cut_text_says_nothing_that_the_whole_does_not(name: str, end: float) -> None:
    data = FILES[name].rstrip(b"\n") + b"\n"
    if b"[0]: rx_bytes" not in data and b"CPU NODE" not in data:  # sums over rings and CPUs of a node are of the whole
        assert _told(data[: int(end * len(data))]) <= _told(data)


@settings(max_examples=150, deadline=None)
@given(names, chances)
def test_lines_doubled_and_shuffled(name: str, chance: random.Random) -> None:
    lines = FILES[name].splitlines(keepends=True)[:200]
    doubled = b"".join(line for line in lines for _ in range(chance.choice((0, 1, 1, 2))))
    chance.shuffle(lines)
    for piece in (FILES[name] * 2, doubled, b"".join(lines)):
        accounted(read(piece), piece)


@settings(max_examples=150, deadline=None)
@given(names, chances)
def test_bytes_put_in(name: str, chance: random.Random) -> None:
    data = bytearray(FILES[name][:8000])
    for _ in range(chance.randrange(1, 12)):
        data.insert(chance.randrange(len(data) + 1), chance.randrange(256))
    accounted(read(bytes(data)), bytes(data))


@settings(max_examples=150, deadline=None)
@given(names, names, st.floats(0, 1))
def test_another_tools_text_in_between(name: str, other: str, at: float) -> None:
    lines = FILES[name].splitlines(keepends=True)[:200]
    where = int(at * len(lines))
    piece = b"".join([*lines[:where], b"\n", *FILES[other].splitlines(keepends=True)[:60], b"\n", *lines[where:]])
    accounted(read(piece), piece)


@settings(max_examples=150, deadline=None)
@given(names, chances)
def test_any_reader_takes_any_text(name: str, chance: random.Random) -> None:
    """A wrong command line above a text: the reader of that command finds little or nothing, and does not raise."""
    data = bytearray(FILES[name][:4000])
    for _ in range(20):
        if data:
            data[chance.randrange(len(data))] = chance.choice(BYTES)
    lines = clean(bytes(data))
    for reader in chance.sample(readers(), 12):
        for part in reader.read(Block(lines, "x")):
            assert part.lines[0] <= part.lines[1]


def test_runs_that_say_other_things_of_the_same_port_stay_apart() -> None:
    """The same table twice, with one figure grown between: before and after are two parts, in order."""
    text = next(data for name, data in FILES.items() if name.startswith("sonic/") and b"PFC3" in data and b"Port Rx" in data)
    grown = text.replace(b"1,974,230,000,000", b"1,974,230,000,009")
    parts = [part for part in read(text + grown).parts if part.tool == "sonic"]
    seen = [part.facts["interfaces"]["Ethernet0"]["priorities"]["3"]["rx_pause"] for part in parts]
    assert seen == [1_974_230_000_000, 1_974_230_000_009]


def test_there_are_captures_to_damage() -> None:
    assert len(FILES) > 150


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES[::7])
def test_cut_at_every_line(name: str) -> None:
    data = FILES[name][:20_000]
    for at in [i for i, byte in enumerate(data) if byte == 10][:120]:
        accounted(read(data[:at]), data[:at])
