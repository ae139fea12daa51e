"""Text of nothing but `name: integer` lines, read at once.

A site has thousands of such files with a thousand counters each, and most cards have the same driver: names are worked out once for each
layout, values in one pass.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from advisor.evidence.columns import Columns, Shape, integers

Path = tuple[str, ...]
_MOST_LAYOUTS = 256


@dataclass(frozen=True, slots=True, eq=False)
class Layout:
    """The counters that a driver prints, in order, and where those with a common name stand.

    heads    what stands before the value of each line
    names    the counters
    common   path of a common name -> position
    none     the names without values
    flat     the common names of one step, with their counters
    nested   the others: the first two steps -> the last, with their counters
    """

    heads: list[bytes]
    shape: Shape
    names: list[str]
    common: dict[Path, int]
    none: dict[str, int]
    flat: list[tuple[str, str]]
    nested: dict[tuple[str, str], list[tuple[str, str]]]

    def columns(self, lines: list[bytes], size: int) -> Columns | None:
        """Lines with these heads by their values (`size`: of all lines); None where one has another head or no integer."""
        spelt = b",".join(map(bytes.removeprefix, lines, self.heads))
        if size - (len(spelt) - len(lines) + 1) != self.shape.size:
            return None
        values = integers(spelt, len(lines))
        if values is None:
            return None
        table = self.none.copy()  # of the right size at once
        table.update(zip(self.names, values, strict=True))
        return Columns(self.shape, spelt, table)

    def facts(self, table: Mapping[str, int]) -> dict[str, Any]:
        """Common counters in their tree, and all of them under `counters`."""
        tree: dict[str, Any] = {key: table[name] for key, name in self.flat}
        for (first, second), keys in self.nested.items():
            tree.setdefault(first, {})[second] = {key: table[name] for key, name in keys}
        tree["counters"] = table
        return tree


def _layout(heads: list[bytes], names: list[str], common: dict[Path, int]) -> Layout:
    nested: dict[tuple[str, str], list[tuple[str, str]]] = {}
    for path, i in common.items():
        if len(path) == 3:
            nested.setdefault((path[0], path[1]), []).append((path[2], names[i]))
    flat = [(path[0], names[i]) for path, i in common.items() if len(path) == 1]
    return Layout(heads, Shape(b"\n".join(heads), sum(map(len, heads))), names, common, dict.fromkeys(names, 0), flat, nested)


class Layouts:
    """Layouts that were met, so that the next file of the same driver costs only its values."""

    def __init__(self, common: Callable[[list[str]], list[tuple[str, Path]]]) -> None:
        self._common = common
        self._met: dict[tuple[int, bytes, bytes], Layout] = {}

    def read(self, body: bytes) -> tuple[Layout, Columns] | None:
        """Layout and values, one for each line; None if any line holds something else than a name, a colon and an integer."""
        lines = body.split(b"\n")
        if lines.pop() or not lines:
            return None
        key = (len(lines), _head(lines[0]), _head(lines[-1]))
        layout, size = self._met.get(key), len(body) - len(lines)
        columns = layout.columns(lines, size) if layout else None
        if columns is None:
            layout = self._new([_head(line) for line in lines]) if body.isascii() else None
            columns = layout.columns(lines, size) if layout else None
            if layout is None or columns is None:
                return None
            if len(self._met) >= _MOST_LAYOUTS:
                self._met.clear()
            self._met[key] = layout
        return (layout, columns) if layout else None

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
