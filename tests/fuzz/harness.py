"""What must hold for any bytes: a function for each door that bytes come in by. Raises AssertionError, or what the code under test raised.

whole    a file as `advisor inspect` reads it: recognised and read
reader   one reader, given a block that is not its own; the first byte chooses which
site     the fabric that a file gives by itself
intake   a file as an import takes it in: packed, archived, nested
"""

import os
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from advisor.capture.intake import Bounds, items
from advisor.capture.lines import clean
from advisor.evidence.bundle import Bundle, Capture
from advisor.evidence.reading import Reading
from advisor.fabric.build import build
from advisor.readers._tame import tamed
from advisor.readers.contract import Block
from advisor.readers.recognise import read
from advisor.readers.registry import readers
from advisor.store.encoding import pack, unpack

# Processor time that a text may take: a start for what is compiled and imported once, and so much for each byte. A reader takes about 0.3
# microseconds for a byte (make bench); what grows faster than its input passes this within a few kilobytes.
START_S = 2.0
BYTE_S = 100e-6
HOST_S = 1e-4
SMALL = Bounds(file_bytes=2**20, total_bytes=2**23, files=2000, member_free_bytes=2**18, archive_free_bytes=2**20)


def whole(data: bytes) -> None:
    begun = time.process_time()
    reading = read(data)
    _in_time(begun, data)
    accounted(reading, data)
    assert unpack(pack(reading)) == reading  # what is read can be kept


def reader(data: bytes) -> None:
    if not data:
        return
    known = readers()
    one, text = known[data[0] % len(known)], data[1:]
    lines = clean(text)
    begun = time.process_time()
    try:
        for part in one.read(Block(lines, "x")):
            first, last = part.lines
            assert 1 <= first <= last <= max(len(lines.raw), 1), (one.tool, part.lines)
    except (ValueError, OverflowError):
        if tamed(text) is None:  # `read` would read it without its endless numbers
            raise
    _in_time(begun, text)


def site(data: bytes) -> None:
    """As `whole`, and the fabric that it gives: what one strange capture says must not stop the others' diagnosis."""
    reading = read(data)
    begun = time.process_time()
    bundle = Bundle.of([Capture("0" * 64, "gpu-01/given.txt", len(data), reading)])
    known = build(bundle)
    known.model_dump_json()
    _in_time(begun, data, len(known.hosts))


def intake(data: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder, "given.bin")
        place.write_bytes(data)
        begun = time.process_time()
        total = 0
        for item in items([str(place)], SMALL):
            total += len(item.data)
            assert not item.name.startswith("/")
            assert ".." not in item.name.split("/")
        assert total <= SMALL.total_bytes
        assert time.process_time() - begun < START_S + SMALL.total_bytes * 2e-6
        assert os.listdir(folder) == ["given.bin"]  # nothing is unpacked beside it


DOORS: dict[str, Callable[[bytes], None]] = {"whole": whole, "reader": reader, "site": site, "intake": intake}


def _in_time(begun: float, data: bytes, hosts: int = 0) -> None:
    """hosts: a range names a hundred thousand of them in a line, and each is one of the fabric"""
    took = time.process_time() - begun
    assert took < START_S + len(data) * BYTE_S + hosts * HOST_S, f"{took:.1f} s for {len(data)} bytes and {hosts} hosts"


def accounted(reading: Reading, data: bytes) -> None:
    """Every inked line is in a part or unread, and whatever names a line names one of the file."""
    if reading.refused:
        assert not any(part.facts for part in reading.parts)
        return
    raw = clean(data).raw
    spans = [*reading.unread, *(part.lines for part in reading.parts)]
    covered = {n for first, last in spans for n in range(first, last + 1)}
    lost = [n for n, text in enumerate(raw, 1) if text.strip("\ufeff \t\r") and n not in covered]
    assert not lost, lost[:5]
    for part in reading.parts:
        first, last = part.lines
        assert 1 <= first <= last <= len(raw), (part.tool, part.lines)
        assert all(first <= a <= b <= last for a, b in part.unread), part.tool
        assert all(1 <= line <= len(raw) for line in (*part.at.values(), *(problem.line for problem in part.problems))), part.tool
