"""Texts in one piece (JSON, XML, tables with a heading): no line starts them for sure, so each reader is asked by their head."""

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache

from advisor.capture.lines import Lines
from advisor.evidence.reading import Part
from advisor.readers._json import end_of
from advisor.readers.contract import Block, Reader
from advisor.readers.registry import readers

TRIES = 8  # places that are looked at in vain
_HEAD = 65536
_DOCUMENT = re.compile(r"\s*(?:[{\[]|<[?!\w])")


@dataclass(slots=True)
class _Alone:
    """Tools whose reader was seen to read one JSON value and no more, and how often all that follows may still be given to readers.

    With both, thousands of documents in one text take no more time each than a few.
    """

    tools: set[str] = field(default_factory=set)
    wide: int = 64


def documents(lines: Lines, host: str | None) -> Iterator[Part]:
    """Texts in one piece, one after another. What stands before one (a remark, a heading) is passed over."""
    alone, at = _Alone(), 0
    while at < len(lines):
        found, at = _next_document(lines, at, host, alone)
        if not found:
            return
        yield from found


def _next_document(lines: Lines, since: int, host: str | None, alone: _Alone) -> tuple[list[Part], int]:
    """The parts of the next document that a reader knows, and the place behind it."""
    for at in _beginnings(lines, since):
        end = end_of(lines, at) if alone.tools else None
        parts = _document(lines[at:end], host) if end else []
        if alone.wide and not (parts and alone.tools.issuperset(part.tool for part in parts)):
            alone.wide -= end is not None
            parts = _document(lines[at:], host)
        if parts:
            behind = max(bisect_right(lines.numbers, max(part.lines[1] for part in parts)), since + 1)
            if behind == (end or end_of(lines, at)):
                alone.tools.update(part.tool for part in parts)
            return parts, behind
    return [], since


def _beginnings(lines: Lines, since: int) -> Iterator[int]:
    """Where a document may begin: the first line with ink, then a few lines that begin with a bracket."""
    inked = (i for i in range(since, len(lines.texts)) if lines.texts[i] and not lines.texts[i].isspace())
    first = next(inked, None)
    if first is None:
        return
    yield first
    tries = 0
    for i in inked:
        if tries < TRIES and _DOCUMENT.match(lines.texts[i]) and not lines.texts[i][:1].isspace():
            tries += 1
            yield i


def _document(lines: Lines, host: str | None) -> list[Part]:
    """What the first reader makes of it that finds facts; else that which finds that the tool failed."""
    head, failed = _head(lines), list[Part]()
    for reader, recognises in _recognisers():
        if recognises(head):
            parts = [part for part in reader.read(block_of(lines, None, host)) if part.facts or part.problems]
            if any(part.facts for part in parts):
                return parts
            if any(problem.why == "tool-error" for part in parts for problem in part.problems):
                failed = failed or parts
    return failed


@cache
def _recognisers() -> tuple[tuple[Reader, Callable[[str], bool]], ...]:
    return tuple((reader, reader.recognises) for reader in readers() if reader.recognises)


def _head(lines: Lines) -> str:
    size, taken = 0, 0
    for text in lines.texts:
        size += len(text) + 1
        taken += 1
        if size > _HEAD:
            break
    return "\n".join(lines.texts[:taken])[:_HEAD]


def block_of(lines: Lines, command: str | None, host: str | None) -> Block:
    return Block(lines, command, host or prefix_host(lines), lines.numbers[0] if len(lines) else 1)


def prefix_host(lines: Lines) -> str | None:
    """The host that the prefixes of these lines name, if it is one. A few lines around may have none: what a person wrote."""
    if not lines.hosts:
        return None
    named = Counter(lines.hosts.get(n) for n, _ in lines.inked())
    bare = named.pop(None, 0)
    return next(iter(named)) if len(named) == 1 and named.total() > bare else None
