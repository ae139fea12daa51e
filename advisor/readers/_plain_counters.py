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

    keys     as they stand in the text, with their colon
    names    the same without it
    common   path of a common name -> position
    none     the names without values
    flat     the common names of one step, with their positions
    nested   the others: the first two steps -> the last, with their positions
    """

    keys: list[bytes]
    names: list[str]
    common: dict[Path, int]
    flat: list[tuple[str, int]]
    nested: dict[tuple[str, str], list[tuple[str, int]]]
    none: dict[str, int | None]

    def facts(self, values: list[int]) -> dict[str, Any]:
        """Common counters in their tree, and all of them under `counters`."""
        tree: dict[str, Any] = {key: values[i] for key, i in self.flat}
        for (first, second), keys in self.nested.items():
            tree.setdefault(first, {})[second] = {key: values[i] for key, i in keys}
        counters = self.none.copy()  # of the right size at once
        counters.update(zip(self.names, values, strict=True))
        tree["counters"] = counters
        return tree


def _layout(keys: list[bytes], names: list[str], common: dict[Path, int]) -> Layout:
    nested: dict[tuple[str, str], list[tuple[str, int]]] = {}
    for path, i in common.items():
        if len(path) == 3:
            nested.setdefault((path[0], path[1]), []).append((path[2], i))
    return Layout(keys, names, common, [(path[0], i) for path, i in common.items() if len(path) == 1], nested, dict.fromkeys(names))


def _integers(words: list[bytes]) -> list[int] | None:
    try:
        values: list[int] = _decoder()(b"[" + b",".join(words) + b"]")
        return values if len(values) == len(words) else None
    except ValueError:  # signs and figures of more than 64 bits, or no integers
        try:
            return list(map(int, words))
        except ValueError:
            return None


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
        values = _integers(words[1::2])
        return (layout, values) if values is not None else None

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
