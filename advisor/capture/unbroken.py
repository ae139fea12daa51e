"""Lines that a terminal broke at its last column are put back together."""

import re
from itertools import compress

# Usual widths of a terminal; how many lines it must have broken to be believed, how many of the pieces must be a line's shorter rest, and
# how many rows a line takes at most.
_TERMINALS = {80, 100, 120, 132, 160, 200}
_BREAKS = 3
_BROKEN_SHARE = 0.4
_ALIKE_SHARE = 0.75  # of the pieces that begin as other lines do: lines of their own
_MOST_ROWS = 6
_HEAD = re.compile(r"(?P<blanks>\s*)(?:\d+(?P<next>\D?)|(?P<letters>\D{1,4}))")
_SECOND_COLUMN = re.compile(r"\s*\S+(?: \S+)*\s{2,}")
_RULE = re.compile(r".*?([^\w\s])\1{9,}\s*\Z")


def unbroken(texts: list[str]) -> list[str]:
    """The lines as they were before a terminal broke them at its last column; what was behind a break is left empty, so numbers stay.

    Told by several lines that are as long as a terminal is wide, with nothing longer, and mostly with a shorter rest behind them that
    does not begin as other lines do. Rows of a table that are that long are followed by each other.
    """
    lengths = list(map(len, texts))
    width = max(lengths, default=0)
    if width not in _TERMINALS or lengths.count(width) < _BREAKS:
        return texts
    full = [length == width and not _RULE.match(text) for length, text in zip(lengths, texts, strict=True)]
    if len(set(compress(texts, full))) < _BREAKS:
        return texts
    heads = {_head(text) for text, is_behind in zip(texts, [False, *full], strict=False) if text and not is_behind}
    behind = [text for text, is_behind in zip(texts, [False, *full], strict=False) if text and is_behind]
    if sum(_head(text) in heads for text in behind) >= _ALIKE_SHARE * len(behind):
        return texts
    joined = list(texts)
    start, rows, ends = -1, 0, 0  # the line that the next one goes on with; how many were put to such lines, and how many of them end one
    for i, length in enumerate(lengths):
        if start >= 0 and _are_rows(texts[start], texts[i]):
            start = -1
        if start >= 0 and length and i - start < _MOST_ROWS:
            joined[start] += texts[i]
            joined[i] = ""
            rows += 1
            ends += length < width
        elif start >= 0 and length == width:
            return texts
        start = (start if start >= 0 else i) if full[i] else -1
    return joined if rows >= _BREAKS and ends >= _BROKEN_SHARE * rows else texts


def _are_rows(line: str, below: str) -> bool:
    """Whether a line that happens to be that long is a table's head, or one of its rows: the second column is below its own."""
    column, column_below = _SECOND_COLUMN.match(line), _SECOND_COLUMN.match(below)
    return column is not None and column_below is not None and column.end() == column_below.end()


def _head(text: str) -> str:
    """What a line begins with, any number as 0."""
    found = _HEAD.match(text)
    return "" if found is None else found["blanks"] + (found["letters"] or f"0{found['next']}")
