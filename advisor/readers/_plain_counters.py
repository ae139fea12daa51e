"""Text of nothing but `name: integer` lines, read at once.

A site has thousands of such files with a thousand counters each, and most cards have the same driver: names are worked out once for each
layout, values in one pass.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

Path = tuple[str, ...]
_MOST_LAYOUTS = 256


@dataclass(frozen=True, slots=True, eq=False)
class Layout:
    """The counters that a driver prints, in order, and where those with a common name stand.

    keys     as they stand in the text, with their colon
    names    the same without it
    common   path of a common name -> position
    flat     the common names of one step, with their positions
    nested   the others: the first two steps -> the last, with their positions
    """

    keys: list[bytes]
    names: list[str]
    common: dict[Path, int]
    flat: list[tuple[str, int]]
    nested: dict[tuple[str, str], list[tuple[str, int]]]

    def facts(self, values: list[int]) -> dict[str, Any]:
        """Common counters in their tree, and all of them under `counters`."""
        tree: dict[str, Any] = {key: values[i] for key, i in self.flat}
        for (first, second), keys in self.nested.items():
            tree.setdefault(first, {})[second] = {key: values[i] for key, i in keys}
        tree["counters"] = dict(zip(self.names, values, strict=True))
        return tree


def _layout(keys: list[bytes], names: list[str], common: dict[Path, int]) -> Layout:
    nested: dict[tuple[str, str], list[tuple[str, int]]] = {}
    for path, i in common.items():
        if len(path) == 3:
            nested.setdefault((path[0], path[1]), []).append((path[2], i))
    return Layout(keys, names, common, [(path[0], i) for path, i in common.items() if len(path) == 1], nested)


class Layouts:
    """Layouts that were met, so that the next file of the same driver costs only its values."""

    def __init__(self, common: Callable[[list[str]], list[tuple[str, Path]]]) -> None:
        self._common = common
        self._met: dict[tuple[int, bytes, bytes], Layout] = {}

    def read(self, body: bytes) -> tuple[Layout, list[int]] | None:
        """Layout and values, one for each line; None if any line holds something else than a name, a colon and an integer."""
        words = body.split()
        count = len(words) // 2
        if count == 0 or len(words) != 2 * count or body.count(b"\n") != count:
            return None
        keys = words[::2]
        layout = self._met.get((count, keys[0], keys[-1]))
        if layout is None or layout.keys != keys:
            layout = self._new(keys, body)
        if layout is None:
            return None
        try:
            return layout, list(map(int, words[1::2]))
        except ValueError:
            return None

    def _new(self, keys: list[bytes], body: bytes) -> Layout | None:
        count = len(keys)
        if body.count(b": ") != count or len(set(keys)) != count or not body.isascii():
            return None
        names = [key.decode("ascii") for key in keys]
        if not all(name.isprintable() and name.find(":") == len(name) - 1 for name in names):
            return None
        names = [name[:-1] for name in names]
        position = {name: i for i, name in enumerate(names)}
        layout = _layout(keys, names, {path: position[name] for name, path in self._common(names)})
        if len(self._met) >= _MOST_LAYOUTS:
            self._met.clear()
        self._met[count, keys[0], keys[-1]] = layout
        return layout
