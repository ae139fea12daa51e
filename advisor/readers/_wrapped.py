"""Rows of figures that a narrow terminal broke: at its last column, in the middle of a word too."""

import re
from collections.abc import Sequence

_FIGURES = re.compile(r"\s*[\w.+/-]+(?:\s+[\w.+/-]+)*\s*\Z")
_NARROWEST = 60


def unwrapped(texts: Sequence[str], i: int, want: int) -> tuple[list[str], int]:
    """The words of the row at an index, and the index of its last line: with the next line, if both together have the words wanted."""
    words = texts[i].split()
    if len(words) >= want or i + 1 >= len(texts):
        return words, i
    text, after = texts[i], texts[i + 1]
    if not _FIGURES.match(after) or len(after) > len(text) or len(text) < _NARROWEST:
        return words, i
    for joined in (text + after, text + " " + after):
        if len(joined.split()) == want:
            return joined.split(), i + 1
    return words, i
