"""The end of a file that no line's end closes: its last word may be cut, and a cut word is unknown, never a value."""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from advisor.capture.lines import Lines
from advisor.capture.secrets import veiled
from advisor.evidence.reading import Part, Problem
from advisor.readers.contract import Block
from advisor.readers.shapes import open_end

# What closes a word: brackets, quotes, a percent sign, a unit.
_RIGHT = frozenset("0123456789-%")
_CLOSED = re.compile(r"(?:[)\]}>\"'%;:|]|\d (?:[KMG]?[bB]ytes?|[kKMG]?bps|pps|packets/sec|bytes/sec|bits/sec|Gb/sec|[KMGT]i?B))\s*\Z")


def is_whole(text: str, before: list[str]) -> bool:
    """Whether the last line is complete as it stands; `before` holds the inked lines above it, nearest first.

    Columns of figures that stand at the right end in one place, under a rule or another row.
    """
    return _CLOSED.search(text) is not None or (
        text[-1:].isdecimal() and len(before) > 1 and all(len(line) == len(text) and line[-1:] in _RIGHT for line in before)
    )


def guarded(
    read: Callable[[Block], Iterable[Part]], whole: Callable[[str, list[str]], bool] = is_whole
) -> Callable[[Block], Iterator[Part]]:
    """A reader that is given an open last line without its last word, and whose part says that it was cut there."""

    def reading(block: Block) -> Iterator[Part]:
        line = open_end(block.lines)
        if line is None or not len(block.lines) or block.lines.numbers[-1] != line:
            yield from read(block)
            return
        texts = block.lines.texts
        above = [texts[i].rstrip() for i in range(len(texts) - 2, max(len(texts) - 8, -1), -1) if texts[i].strip()][:2]
        bare = texts[-1].rstrip()
        if not bare or whole(bare, above):
            yield from read(block)
            return
        shorter = bare[: len(bare) - len(_last_word(bare))]
        lines = Lines([*texts[:-1], shorter], block.lines.numbers, block.lines.raw, block.lines.encoding, block.lines.hosts)
        parts = list(read(replace(block, lines=lines)))
        nearest = next((block.lines.numbers[i] for i in range(len(texts) - 2, -1, -1) if texts[i].strip()), 0)
        for part in parts:
            yield _cut(part, line, bare) if part is parts[-1] and part.lines[1] >= nearest else part

    return reading


def _last_word(text: str) -> str:
    """The last word, or the last cell of a table: there words stand one blank apart."""
    cell = re.split(r"\s{2,}", text.strip())[-1]
    return cell if len(cell) < len(text.strip()) else text.split()[-1]


def _cut(part: Part, line: int, text: str) -> Part:
    """The part, up to the cut line, with the cut as its problem."""
    first, last = part.lines
    if any(problem.line == line for problem in part.problems):
        return part
    return replace(part, lines=(first, max(last, line)), problems=(*part.problems, Problem(line, veiled(text.strip()[:400]), "cut")))
