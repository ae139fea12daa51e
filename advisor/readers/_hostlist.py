"""Slurm host lists: `a[1-2,07-08],b` is a1, a2, a07, a08, b."""

import re

# More names than any cluster has; a list that asks for more is damage or an attack.
_MOST = 100_000
_BRACKETS = re.compile(r"\[([^\[\]]*)\]")
_RANGE = re.compile(r"\s*([A-Za-z]*)(\d+)(?:-([A-Za-z]*)(\d+))?\s*\Z")


def expand(text: str) -> list[str] | None:
    """The names of a host list in order, each once. None for a list that is cut, damaged or absurdly long."""
    found: dict[str, None] = {}
    for word in _words(text) or ():
        names = _names(word)
        if names is None or len(found) + len(names) > _MOST:
            return None
        found.update(dict.fromkeys(names))
    return list(found) if found else None


def _words(text: str) -> list[str] | None:
    """The list at its commas outside brackets; None where brackets do not pair or a word is empty."""
    words, depth, start = [], 0, 0
    for at, letter in enumerate(text):
        if letter == "[":
            depth += 1
        elif letter == "]":
            depth -= 1
        elif letter == "," and depth == 0:
            words.append(text[start:at].strip())
            start = at + 1
        if not 0 <= depth <= 1:
            return None
    words.append(text[start:].strip())
    return words if depth == 0 and all(word and not any(c.isspace() for c in word.split("[")[0]) for word in words) else None


def _names(word: str) -> list[str] | None:
    names = [""]
    at = 0
    for bracket in _BRACKETS.finditer(word):
        numbers = _numbers(bracket[1])
        if numbers is None or len(names) * len(numbers) > _MOST:
            return None
        before = word[at : bracket.start()]
        names = [f"{name}{before}{number}" for name in names for number in numbers]
        at = bracket.end()
    return [name + word[at:] for name in names]


def _numbers(inside: str) -> list[str] | None:
    found: list[str] = []
    for part in inside.split(","):
        match = _RANGE.match(part)
        if not match:
            return None
        prefix, first, other, last = match.groups()
        last = last or first
        if (other and other != prefix) or int(last) < int(first) or int(last) - int(first) > _MOST:
            return None
        width = len(first) if first.startswith("0") or len(first) == len(last) else 0
        found.extend(f"{prefix}{number:0{width}d}" for number in range(int(first), int(last) + 1))
        if len(found) > _MOST:
            return None
    return found
