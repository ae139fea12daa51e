"""JSON with the line of each place. A text that ends early or breaks gives the keys that are complete, and the line where it breaks."""

import json
import re
from bisect import bisect_right
from dataclasses import dataclass, field
from typing import Any

from advisor.capture.lines import Lines

Place = tuple[str | int, ...]
_TOKEN = re.compile(r'\s*(?:([{}\[\],:])|("(?:[^"\\\n]|\\.)*")|([^\s{}\[\],:"]+))')
_WORDS = {"true": True, "false": False, "null": None}
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?\Z")
_DEEPEST = 60
_BRACKET = re.compile(r'"(?:[^"\\]|\\.)*+"?|([{\[])|([}\]])')
# What may stand in front of a document without being a part of another text: a remark, no markup and no key.
_NO_REMARK = re.compile(r"\s*(?:<|---|- |[\w.\"-]+:(?:\s|$))")
_REMARKS = 3


@dataclass(slots=True)
class Json:
    """A value, the line of each place in it, its last line, and the line at which it was cut or is damaged (None: it is whole)."""

    tree: Any
    at: dict[Place, int] = field(default_factory=dict)
    last: int = 0
    broken: int | None = None

    def line(self, *place: str | int) -> int:
        """The line of the nearest part of a place that has one."""
        while place and place not in self.at:
            place = place[:-1]
        return self.at.get(place, 0)


class _Broken(Exception):
    """The text ends early or is no JSON at this offset."""

    def __init__(self, offset: int) -> None:
        self.offset = offset


class _Text:
    def __init__(self, lines: Lines, start: int) -> None:
        self.text = lines.text
        self.numbers = lines.numbers
        self.offsets = [0]
        for text in lines.texts:
            self.offsets.append(self.offsets[-1] + len(text) + 1)
        self.offset = start
        self.at: dict[Place, int] = {}

    def line(self, offset: int) -> int:
        return self.numbers[min(max(bisect_right(self.offsets, offset) - 1, 0), len(self.numbers) - 1)]

    def token(self) -> tuple[str, int, str]:
        """Kind, start and text of the next token: a mark, a string, or a word."""
        match = _TOKEN.match(self.text, self.offset)
        if not match:
            raise _Broken(self.offset)
        self.offset = match.end()
        kind = match.lastindex or 0
        return ("mark", "string", "word")[kind - 1], match.start(kind), match[kind]

    def value(self, place: Place, into: list[Any]) -> None:
        """Reads a value and puts it into `into`; a map or list is put there before it is filled, so what is complete stays."""
        kind, start, text = self.token()
        self.at.setdefault(place, self.line(start))
        if kind == "string":
            into.append(_string(text))
        elif kind == "word":
            if text in _WORDS:
                into.append(_WORDS[text])
            elif _NUMBER.match(text) and (self.offset < len(self.text) or not place):
                into.append(_number(text, start))
            else:
                raise _Broken(start)
        elif text == "{" and len(place) < _DEEPEST:
            into.append({})
            self.members(place, into[-1])
        elif text == "[" and len(place) < _DEEPEST:
            into.append([])
            self.items(place, into[-1])
        else:
            raise _Broken(start)

    def members(self, place: Place, into: dict[str, Any]) -> None:
        kind, start, text = self.token()
        while text != "}" or kind == "string":
            if kind != "string":
                raise _Broken(start)
            key = _string(text)
            _, start, text = self.token()
            if text != ":":
                raise _Broken(start)
            here = (*place, key)
            self.at[here] = self.line(start)
            found: list[Any] = []
            try:
                self.value(here, found)
            finally:
                if found:
                    into[key] = found[0]
            _, start, text = self.token()
            if text == ",":
                kind, start, text = self.token()
            elif text != "}":
                raise _Broken(start)
            else:
                kind = "mark"

    def items(self, place: Place, into: list[Any]) -> None:
        before = self.offset
        kind, start, text = self.token()
        if kind == "mark" and text == "]":
            return
        self.offset = before
        while True:
            self.value((*place, len(into)), into)
            _, start, text = self.token()
            if text == "]":
                return
            if text != ",":
                raise _Broken(start)


def _number(text: str, start: int) -> int | float:
    """A number. One with a zero in front (`06`), or beyond what can be held, is none."""
    try:
        value: int | float = json.loads(text)
    except ValueError:
        raise _Broken(start) from None
    if abs(value) == float("inf"):
        raise _Broken(start)
    return value


def _string(text: str) -> str:
    try:
        return str(json.loads(text, strict=False))
    except ValueError:
        return text[1:-1]


def parse(lines: Lines) -> Json | None:
    """The first JSON value of the lines, from their first `{` or `[`; None where there is none."""
    first = next((i for i, text in enumerate(lines.texts) if "{" in text or "[" in text), None)
    if first is None:
        return None
    lines = lines[: _closed(lines, first)]
    start = min(at for at in (lines.text.find("{"), lines.text.find("[")) if at >= 0)
    text = _Text(lines, start)
    found: list[Any] = []
    broken = None
    try:
        text.value((), found)
    except _Broken as error:
        broken = text.line(max(error.offset - 1, 0))
    if not found:
        return None
    last = max((n for n, _ in lines.inked()), default=0) if broken is not None else text.line(max(text.offset - 1, 0))
    return Json(found[0], text.at, last, broken)


def end_of(lines: Lines, start: int) -> int | None:
    """The place behind the JSON value that begins at a place, a few remarks in front of it; None where none begins or it does not end."""
    remarks = 0
    for i in range(start, len(lines.texts)):
        text = lines.texts[i]
        if text.lstrip()[:1] in ("{", "["):
            return _closed(lines, i)
        remarks += bool(text) and not text.isspace()
        if remarks > _REMARKS or _NO_REMARK.match(text):
            return None
    return None


def _closed(lines: Lines, start: int) -> int | None:
    """The place behind the line in which the brackets that open in a line are closed; None where they are not, or no line follows."""
    depth = 0
    texts = lines.texts
    for i in range(start, len(texts) if start + 1 < len(texts) else start):
        for match in _BRACKET.finditer(texts[i]):
            depth += (match[1] is not None) - (match[2] is not None)
            if depth == 0 and match[2] is not None:
                return i + 1
    return None
