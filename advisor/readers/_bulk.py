"""A file that is one tool's output in its plainest form is read in bulk, without making lines of it: counters of thousands of hosts."""

import re
from collections.abc import Callable
from dataclasses import replace
from functools import cache

from advisor.capture.lines import clean
from advisor.evidence.reading import Part, Reading
from advisor.readers._runs import runs
from advisor.readers.named import Named
from advisor.readers.registry import readers

_LONGEST_PROMPT = 400
_BULK_COMMAND = re.compile(rb"\bethtool\b")  # whose reader reads in bulk under a command line


def in_bulk(data: bytes, sure: Named | None) -> Reading | None:
    """The reading of such a file; None for all else. `sure`: the command that its name spells."""
    for read in (sure.reader.bulk,) if sure else _bulk_readers():
        part = read(data, sure.command if sure else None, 0) if read else None
        if part is not None:
            return _whole(data, part)
    return _under_a_prompt(data)


def _whole(data: bytes, part: Part) -> Reading:
    return Reading(None, (part,), (), part.lines[1] + data.endswith(b"\n"))


def _under_a_prompt(data: bytes) -> Reading | None:
    """A prompt with a command, and behind it what the command printed in its plainest form, as scripts write it; None for all else."""
    end = data.find(b"\n", 0, _LONGEST_PROMPT)
    if end < 0 or not data[:end].isascii() or not _BULK_COMMAND.search(data, 0, end):
        return None
    found = list(runs(clean(data[: end + 1])))
    if len(found) != 1 or found[0].reader is None or found[0].reader.bulk is None:
        return None
    part = found[0].reader.bulk(data[end + 1 :], found[0].command, 1)
    return _whole(data, replace(part, lines=(1, part.lines[1]), host=found[0].host)) if part else None


@cache
def _bulk_readers() -> tuple[Callable[[bytes, str | None, int], Part | None], ...]:
    return tuple(reader.bulk for reader in readers() if reader.bulk)
