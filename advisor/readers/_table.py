"""Tables of words under a header: cells by a delimiter, by a rule of dashes, by number of words, or by the place of the columns."""

import re
from itertools import pairwise

_GROUP = re.compile(r"\([^()]*\)\s*$")


def cells(header: list[tuple[str, int, int]], row: str, free: int | None = None) -> list[str] | None:
    """The cells of a row whose header has these words with their start and end; None where they cannot be told apart.

    A group in brackets at the end is one cell; `free` is the column that may hold blanks. Columns end under the ends of their
    headers, or start under their starts: whichever of the two cuts no word of the row.
    """
    group = _GROUP.search(row) if " " in row.strip() else None
    words = [*row[: group.start()].split(), group.group().strip()] if group and group.start() > 0 else row.split()
    if group and group.start() > 0 and not row[group.start() - 1].isspace():
        words = row.split()
    if len(words) == len(header):
        return words
    ends = [0, *(end for _, _, end in header[:-1])]
    starts = [0, *(start for _, start, _ in header[1:])]
    for cuts in (ends, starts):
        if all(at >= len(row) or row[at].isspace() or (at > 0 and row[at - 1].isspace()) for at in cuts[1:]):
            return [row[a:b].strip() for a, b in zip(cuts, [*cuts[1:], len(row)], strict=True)]
    if free is not None and len(words) > len(header):
        more = len(words) - len(header)
        return [*words[:free], " ".join(words[free : free + more + 1]), *words[free + more + 1 :]]
    return None


def words_of(header: str) -> list[tuple[str, int, int]]:
    """The words of a header with their start and end."""
    return [(match.group(), match.start(), match.end()) for match in re.finditer(r"\S+", header)]


def by_rule(rule: str, row: str) -> list[str] | None:
    """The cells of a row under a rule of dashes (`----- ---`); None where the rule cuts a word of the row."""
    starts = [match.start() for match in re.finditer(r"-+", rule)]
    if any(0 < at < len(row) and not row[at - 1].isspace() and not row[at].isspace() for at in starts[1:]):
        return None
    return [row[a:b].strip() for a, b in pairwise([*starts, max(len(row), starts[-1])])] if starts else None
