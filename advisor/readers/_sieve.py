"""Many patterns sorted by the characters that they may begin with, so a line meets only those that could match it.

Patterns are compiled when a line first needs them: a program that reads one small file does not pay for all readers.
"""

import re
import string
from collections.abc import Callable, Iterable

Match = Callable[[str], re.Match[str] | None]

_GROUP = re.compile(r"\((?:\?(?:P<\w+>|:|>|(?P<flags>[a-z]+):|(?P<look><?[=!])))?")
_QUANTIFIER = re.compile(r"(?P<least>[?*+]|\{(?P<n>\d*)(?:,\d*)?\})[?+]?")
_MARGIN = re.compile(r"\A(?:\^|(?:\\s|\\t| |\[ \\t\])(?:[*+?][+?]?|\{\d*(?:,\d*)?\}[+?]?)?)*")
_BLANK = frozenset(string.whitespace)
_CLASSES: dict[str, frozenset[str]] = {
    "d": frozenset(string.digits),
    "w": frozenset(string.ascii_letters + string.digits + "_"),
    "s": _BLANK,
}
_NOTHING = frozenset("bBAZ")  # positions


class Sieve:
    """Whether a line matches one of many patterns at its start, apart from its margin. No match is missed; a few lines more may pass."""

    def __init__(self, patterns: Iterable[re.Pattern[str]]) -> None:
        self._patterns = list(patterns)
        self._firsts = [first_characters(pattern) for pattern in self._patterns]
        self._plain: dict[str, tuple[Match, ...]] = {}
        self._indented: dict[str, tuple[tuple[Match, ...], tuple[Match, ...]]] = {}

    def may_match(self, text: str) -> bool:
        bare = text.lstrip()
        if not bare:
            return False
        if len(bare) == len(text):
            plain = self._plain.get(bare[0])
            if plain is None:
                plain = self._plain[bare[0]] = tuple(pattern.match for pattern in self._of(bare[0]))
            return _any(plain, text)
        indented = self._indented.get(bare[0])
        if indented is None:
            indented = self._indented[bare[0]] = _split(self._of(bare[0]))
        at_margin, as_it_stands = indented
        return _any(at_margin, bare) or _any(as_it_stands, text)

    def _of(self, character: str) -> list[re.Pattern[str]]:
        """The patterns that a text with this first character may match. What is not ASCII may match any."""
        pairs = zip(self._patterns, self._firsts, strict=True)
        return [pattern for pattern, first in pairs if first is None or not character.isascii() or character in first]


def _any(matches: tuple[Match, ...], text: str) -> bool:
    for match in matches:  # noqa: SIM110 - a plain loop is half as slow, and this runs for every line
        if match(text):
            return True
    return False


def _split(patterns: list[re.Pattern[str]]) -> tuple[tuple[Match, ...], tuple[Match, ...]]:
    """The patterns that may as well look at a line without its margin, and those that may not. It saves a retry for every blank of it."""
    without: list[Match] = []
    others: list[Match] = []
    for pattern in patterns:
        bare = without_margin(pattern)
        if bare is None:
            others.append(pattern.match)
        else:
            without.append(re.compile(bare, pattern.flags).match)
    return tuple(without), tuple(others)


def without_margin(pattern: re.Pattern[str]) -> str | None:
    """A pattern without the blanks that its alternatives begin with; None where one may begin with a blank all the same."""
    if pattern.flags & re.VERBOSE:
        return None
    found = []
    for alternative in _alternatives(pattern.pattern):
        bare = _MARGIN.sub("", alternative, count=1)
        first = _of_sequence(bare, with_blanks=True)
        if first is None or first & _BLANK:
            return None
        found.append(bare)
    return "|".join(found)


def first_characters(pattern: re.Pattern[str]) -> frozenset[str] | None:
    """The ASCII characters that a match may begin with, blanks apart; None where it may begin with anything, or with nothing."""
    if pattern.flags & re.VERBOSE:
        return None
    first = _of_alternatives(pattern.pattern)
    if first is None or not pattern.flags & re.IGNORECASE:
        return first
    return frozenset(c for letter in first for c in (letter.lower(), letter.upper()))


def _of_alternatives(text: str, with_blanks: bool = False) -> frozenset[str] | None:
    found: frozenset[str] = frozenset()
    for alternative in _alternatives(text):
        first = _of_sequence(alternative, with_blanks)
        if first is None:
            return None
        found |= first
    return found


def _of_sequence(text: str, with_blanks: bool = False) -> frozenset[str] | None:
    """What a sequence may begin with. Without blanks: what stands behind those that it may begin with."""
    found: frozenset[str] = frozenset()
    i = 0
    while i < len(text):
        end = _atom_end(text, i)
        first, is_position = _of_atom(text[i:end], with_blanks)
        quantifier = _QUANTIFIER.match(text, end)
        i = quantifier.end() if quantifier else end
        if is_position:
            continue
        if first is None:
            return None
        found |= first if with_blanks else first - _BLANK
        is_optional = quantifier is not None and (quantifier["least"][0] in "?*" or quantifier["n"] in ("0", ""))
        if not is_optional and (with_blanks or not first & _BLANK):
            return found
    return None


def _of_atom(atom: str, with_blanks: bool) -> tuple[frozenset[str] | None, bool]:
    """What an atom may begin with, and whether it is a position that takes no character."""
    if atom[0] == "(":
        opening = _GROUP.match(atom)
        if opening is None or (atom.startswith("(?") and opening.group() == "("):
            return None, False
        if opening["look"]:
            return frozenset(), True
        first = _of_alternatives(atom[opening.end() : -1], with_blanks)
        if first is not None and "i" in (opening["flags"] or ""):
            first = frozenset(c for letter in first for c in (letter.lower(), letter.upper()))
        return first, False
    if atom[0] == "[":
        return _of_class(atom), False
    if atom[0] == "\\":
        letter = atom[1]
        if letter in _NOTHING:
            return frozenset(), True
        return (_CLASSES.get(letter) if letter.isalpha() else frozenset(letter)), False
    if atom in "^$":
        return frozenset(), True
    return (None if atom == "." else frozenset(atom)), False


def _of_class(atom: str) -> frozenset[str] | None:
    if atom.startswith("[^"):
        return None
    if "\\" in atom.replace("\\d", "").replace("\\w", "").replace("\\s", "").replace("\\-", "").replace("\\]", "").replace("\\[", ""):
        return None
    matcher = re.compile(atom)
    return frozenset(chr(code) for code in range(128) if matcher.match(chr(code)))


def _alternatives(text: str) -> list[str]:
    """A pattern split at its outermost bars."""
    found, start, i = [], 0, 0
    while i < len(text):
        if text[i] == "|":
            found.append(text[start:i])
            start = i = i + 1
        else:
            i = _atom_end(text, i)
    return [*found, text[start:]]


def _atom_end(text: str, i: int) -> int:
    """Where the atom at a place ends: an escape, a class, a group with all that is in it, or one character."""
    if text[i] == "\\":
        return i + 2
    if text[i] == "[":
        j = i + 2 if text[i + 1 : i + 2] == "^" else i + 1
        j += text[j : j + 1] == "]"  # a bracket that comes first stands for itself
        while j < len(text) and text[j] != "]":
            j += 2 if text[j] == "\\" else 1
        return j + 1
    if text[i] == "(":
        j = i + 1
        while j < len(text) and text[j] != ")":
            j = _atom_end(text, j)
        return j + 1
    return i + 1
