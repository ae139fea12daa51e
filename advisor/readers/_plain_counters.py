"""Text of nothing but `name: integer` lines, read at once.

A site has thousands of such files with a thousand counters each, and most cards have the same driver: names are worked out once for each
layout, values in one pass.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from advisor.evidence.columns import ALL, At, Path, Shape, integers

_MOST_LAYOUTS = 256
_WINDOW = 2000  # no more than twice as many digits stand between two commas, if one is in each; `int` takes 4300


@dataclass(frozen=True, slots=True, eq=False)
class Layout:
    """The counters that a driver prints, in order, and where those with a common name stand.

    heads    what stands before the value of each line
    common   path of a common name -> its line, from 0
    facts    common counters in their tree, and all of them under `counters`, each by its line
    """

    heads: list[bytes]
    shape: Shape
    common: dict[Path, int]
    facts: dict[str, Any]

    def spelt(self, lines: list[bytes], size: int) -> bytes | None:
        """The values of lines with these heads (`size`: of all lines); None where one has another head or no integer."""
        spelt = b",".join(map(bytes.removeprefix, lines, self.heads))
        if size - (len(spelt) - len(lines) + 1) != self.shape.size:
            return None
        return spelt if _are_plain(spelt, len(lines)) or integers(spelt, len(lines)) else None


def _are_plain(spelt: bytes, count: int) -> bool:
    """Whether there are so many integers of nothing but digits, none of them empty, or too long for `int`."""
    if spelt.count(b",") != count - 1 or spelt.translate(None, b"0123456789,") or b",," in spelt or spelt[:1] in b"," or spelt[-1:] in b",":
        return False
    return all(spelt.find(b",", at, at + _WINDOW) >= 0 for at in range(0, len(spelt) - _WINDOW, _WINDOW))


def _layout(heads: list[bytes], common: dict[Path, int]) -> Layout:
    facts: dict[str, Any] = {path[0]: At(line) for path, line in common.items() if len(path) == 1}
    for path, line in common.items():
        if len(path) == 3:
            facts.setdefault(path[0], {}).setdefault(path[1], {})[path[2]] = At(line)
    return Layout(heads, Shape(b"\n".join(heads), sum(map(len, heads))), common, facts | {"counters": ALL})


class Layouts:
    """Layouts that were met, so that the next file of the same driver costs only its values."""

    def __init__(self, common: Callable[[list[str]], list[tuple[str, Path]]]) -> None:
        self._common = common
        self._met: dict[tuple[int, bytes, bytes], Layout] = {}

    def read(self, body: bytes) -> tuple[Layout, bytes] | None:
        """Layout and values, one for each line; None if any line holds something else than a name, a colon and an integer."""
        lines = body.split(b"\n")
        if lines.pop() or not lines:
            return None
        key = (len(lines), _head(lines[0]), _head(lines[-1]))
        layout, size = self._met.get(key), len(body) - len(lines)
        spelt = layout.spelt(lines, size) if layout else None
        if spelt is None:
            layout = self._new([_head(line) for line in lines]) if body.isascii() else None
            spelt = layout.spelt(lines, size) if layout else None
            if layout is None or spelt is None:
                return None
            if len(self._met) >= _MOST_LAYOUTS:
                self._met.clear()
            self._met[key] = layout
        return (layout, spelt) if layout else None

    def _new(self, heads: list[bytes]) -> Layout | None:
        words = [head.split() for head in heads]
        if not all(len(word) == 1 for word in words):
            return None
        keys = [word[0].decode("ascii") for word in words]
        if len(set(keys)) != len(keys) or not all(key.isprintable() and key.find(":") == len(key) - 1 > 0 for key in keys):
            return None
        names = [key[:-1] for key in keys]
        position = {name: i for i, name in enumerate(names)}
        return _layout(heads, {path: position[name] for name, path in self._common(names)})


def _head(line: bytes) -> bytes:
    """What stands before a line's last word."""
    return line[: line.rfind(b" ") + 1]
