"""Text of nothing but `name: integer` lines, read at once.

A site has thousands of such files with a thousand counters each, and most cards have the same driver: names are worked out once for each
layout, values in one pass.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

Path = tuple[str, ...]
_MOST_LAYOUTS = 256


@dataclass(frozen=True, slots=True, eq=False)
class Layout:
    """The counters that a driver prints, in order, and where those with a common name stand.

    heads    what stands before the value of each line
    names    the counters
    common   path of a common name -> position
    none     the names without values
    flat     the common names of one step, with their positions
    nested   the others: the first two steps -> the last, with their positions
    size     of all heads together
    """

    heads: list[bytes]
    names: list[str]
    common: dict[Path, int]
    none: dict[str, int | None]
    flat: list[tuple[str, int]]
    nested: dict[tuple[str, str], list[tuple[str, int]]]
    size: int

    def values(self, lines: list[bytes], size: int) -> list[int] | None:
        """The values of lines with these heads (`size`: of all lines); None where one has another head or no integer."""
        joined = b",".join(map(bytes.removeprefix, lines, self.heads))
        if size - (len(joined) - len(lines) + 1) != self.size:
            return None
        return _integers(joined, len(lines))

    def facts(self, values: list[int]) -> dict[str, Any]:
        """Common counters in their tree, and all of them under `counters`."""
        tree: dict[str, Any] = {key: values[i] for key, i in self.flat}
        for (first, second), keys in self.nested.items():
            tree.setdefault(first, {})[second] = {key: values[i] for key, i in keys}
        counters = self.none.copy()  # of the right size at once
        counters.update(zip(self.names, values, strict=True))
        tree["counters"] = counters
        return tree


def _layout(heads: list[bytes], names: list[str], common: dict[Path, int]) -> Layout:
    nested: dict[tuple[str, str], list[tuple[str, int]]] = {}
    for path, i in common.items():
        if len(path) == 3:
            nested.setdefault((path[0], path[1]), []).append((path[2], i))
    flat = [(path[0], i) for path, i in common.items() if len(path) == 1]
    return Layout(heads, names, common, dict.fromkeys(names), flat, nested, sum(map(len, heads)))


def _integers(joined: bytes, count: int) -> list[int] | None:
    """Integers with commas between them; None if one is none."""
    try:
        values: list[int] = _decoder()(b"[%b]" % joined)
    except ValueError:  # a plus or a zero in front, or no integers
        try:
            values = list(map(int, joined.split(b",")))
        except ValueError:
            return None
    return values if len(values) == count else None


@cache
def _decoder() -> Callable[[bytes], Any]:
    """A decoder of lists of integers: a third of the time of `int` for each. Its errors are ValueErrors."""
    import msgspec

    return msgspec.json.Decoder(list[int]).decode


class Layouts:
    """Layouts that were met, so that the next file of the same driver costs only its values."""

    def __init__(self, common: Callable[[list[str]], list[tuple[str, Path]]]) -> None:
        self._common = common
        self._met: dict[tuple[int, bytes, bytes], Layout] = {}

    def read(self, body: bytes) -> tuple[Layout, list[int]] | None:
        """Layout and values, one for each line; None if any line holds something else than a name, a colon and an integer."""
        lines = body.split(b"\n")
        if lines.pop() or not lines:
            return None
        key = (len(lines), _head(lines[0]), _head(lines[-1]))
        layout, size = self._met.get(key), len(body) - len(lines)
        values = layout.values(lines, size) if layout else None
        if values is None:
            layout = self._new([_head(line) for line in lines]) if body.isascii() else None
            values = layout.values(lines, size) if layout else None
            if layout is None or values is None:
                return None
            if len(self._met) >= _MOST_LAYOUTS:
                self._met.clear()
            self._met[key] = layout
        return (layout, values) if layout else None

    def _new(self, heads: list[bytes]) -> Layout | None:
        words = [head.split() for head in heads]
        if not all(len(word) == 1 for word in words):
            return None
        keys = [word[0].decode("ascii") for word in words]
        if len(set(keys)) != len(keys) or not all(key.isprintable() and key.find(":") == len(key) - 1 > 0 for key in keys):
            return None
        names = [key[:-1] for key in keys]
        position = {name: i for i, name in enumerate(names)}
        return _layout(heads, names, {path: position[name] for name, path in self._common(names)})


def _head(line: bytes) -> bytes:
    """What stands before a line's last word."""
    return line[: line.rfind(b" ") + 1]
