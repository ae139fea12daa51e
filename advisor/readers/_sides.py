"""Both sides of a comparison (`diff`, `diff -u`, `diff -y`): each is read as a text of its own."""

import re
from collections import Counter

from advisor.capture.lines import Lines

_PLAIN = re.compile(r"\d+(?:,\d+)?[acd]\d+(?:,\d+)?\s*\Z")
_HUNK = re.compile(r"@@ -\d+(?:,\d+)? \+\d+(?:,\d+)? @@")
_FILE = re.compile(r"(?:---|\+\+\+) \S")
_BESIDE = re.compile(r"\b(?:diff\s.*(?:-y|--side-by-side)\b|sdiff\b)")
_GUTTER = re.compile(r"\s([|<>])(?:\s|\Z)")
_SUBSTITUTED = re.compile(r"<\(([^()]*(?:\([^()]*\)[^()]*)*)\)")


def sides(lines: Lines, command: str | None) -> tuple[Lines, Lines] | None:
    """The two texts that a comparison shows, or None for any other text. What stands above it stays with neither."""
    if command and _BESIDE.search(command):
        return _beside(lines)
    sample = lines.texts[:5000]
    if {text[:1] for text in sample}.isdisjoint("<>@"):
        return None
    if any(_HUNK.match(text) for text in sample):
        return _unified(lines)
    if any(_PLAIN.match(text) for text in sample) and any(text.startswith(("< ", "> ")) for text in sample):
        return _marked(lines, "<"), _marked(lines, ">")
    return None


def side_commands(command: str | None) -> tuple[str | None, str | None]:
    """The commands whose outputs are compared: `diff <(ethtool -S eth0) <(ethtool -S eth1)`."""
    found = _SUBSTITUTED.findall(command or "")
    return (found[0].strip(), found[1].strip()) if len(found) == 2 else (None, None)


def _marked(lines: Lines, mark: str) -> Lines:
    return _taken(lines, [(i, text[2:]) for i, text in enumerate(lines.texts) if text.startswith(mark + " ") or text == mark])


def _unified(lines: Lines) -> tuple[Lines, Lines]:
    old: list[tuple[int, str]] = []
    new: list[tuple[int, str]] = []
    inside = False
    for i, text in enumerate(lines.texts):
        if _HUNK.match(text):
            inside = True
        elif _FILE.match(text) or text.startswith(("diff ", "index ")):
            inside = False
        elif inside and text[:1] == "-":
            old.append((i, text[1:]))
        elif inside and text[:1] == "+":
            new.append((i, text[1:]))
        elif inside:
            old.append((i, text[1:]))
            new.append((i, text[1:]))
    return _taken(lines, old), _taken(lines, new)


def _beside(lines: Lines) -> tuple[Lines, Lines] | None:
    wide = [text.expandtabs(8) for text in lines.texts]
    columns = Counter(match.start(1) for text in wide for match in _GUTTER.finditer(text))
    if not columns:
        return None
    gutter = columns.most_common(1)[0][0]
    old, new = [], []
    for i, text in enumerate(wide):
        left, mark, right = text[:gutter].rstrip(), text[gutter : gutter + 1], text[gutter + 2 :].rstrip()
        if left and mark != ">":
            old.append((i, left))
        if right and mark != "<":
            new.append((i, right))
    return _taken(lines, old), _taken(lines, new)


def _taken(lines: Lines, kept: list[tuple[int, str]]) -> Lines:
    return Lines([text for _, text in kept], [lines.numbers[i] for i, _ in kept], lines.raw, lines.encoding, lines.hosts)
