"""A capture in its plainest form: lines of a name and an integer, the names those that a driver always prints, the integers the file's own.

A site has thousands of such files. Whoever knows the names can write the file down as its integers, and make its bytes and its facts again
from them: names, facts' places and lines are one template for all of them.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

Path = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Shape:
    """What stands before the integer of each line, lines' ends between; `size`: bytes without these."""

    heads: bytes
    size: int


@dataclass(frozen=True, slots=True)
class At:
    """Stands in a template for the integer of a line, counted from 0."""

    line: int


ALL = "all counters by name"  # this very object stands in a template for them


@dataclass(frozen=True, slots=True, eq=False)
class Template:
    """What the captures of one driver tell alike: facts with an `At` for each integer and `ALL` for the whole table; lines by path."""

    shape: Shape
    facts: Mapping[str, Any]
    at: Mapping[Path, int]


class Counters(Mapping[str, int]):
    """All counters of a capture by name, taken from its integers when somebody asks: most are never asked for."""

    __slots__ = ("_shape", "_spelt")
    __hash__ = object.__hash__

    def __init__(self, shape: Shape, spelt: Callable[[], bytes]) -> None:
        self._shape, self._spelt = shape, spelt

    def __len__(self) -> int:
        return len(_places(self._shape))

    def __iter__(self) -> Iterator[str]:
        return iter(_places(self._shape))

    def __contains__(self, name: object) -> bool:
        return name in _places(self._shape)

    def __getitem__(self, name: str) -> int:
        return _values(self)[_places(self._shape)[name]]

    def values_in_order(self) -> list[int]:
        """Raises ValueError where there are not as many integers as names."""
        found = integers(self._spelt(), len(self))
        if found is None:
            raise ValueError("there are not as many integers as names")
        return found

    def __reduce__(self) -> tuple[Any, ...]:
        return dict, (dict(self),)


@lru_cache(maxsize=512)
def _values(counters: Counters) -> list[int]:
    return counters.values_in_order()


@lru_cache(maxsize=256)
def _places(shape: Shape) -> dict[str, int]:
    """Names in the heads of a shape, each between blanks and a colon: its line."""
    return {head.strip()[:-1]: line for line, head in enumerate(shape.heads.decode("ascii").split("\n"))}


class Told(Mapping[str, Any]):
    """The facts of a capture: those of its template, with its integers; made when somebody asks.

    spelt   the integers as they stand in the text, commas between them
    """

    __slots__ = ("_made", "spelt", "template")

    def __init__(self, template: Template, spelt: Callable[[], bytes]) -> None:
        self.template, self.spelt = template, spelt
        self._made: dict[str, Any] | None = None

    def __len__(self) -> int:
        return len(self.template.facts)

    def __iter__(self) -> Iterator[str]:
        return iter(self.template.facts)

    def __contains__(self, key: object) -> bool:
        return key in self.template.facts

    def __getitem__(self, key: str) -> Any:
        if self._made is None:
            counters = Counters(self.template.shape, self.spelt)
            self._made = _made(self.template.facts, counters.values_in_order(), counters)
        return self._made[key]

    def __repr__(self) -> str:
        return repr(plain(self))

    def __reduce__(self) -> tuple[Any, ...]:
        return dict, (plain(self),)


def _made(tree: Mapping[str, Any], values: list[int], counters: Counters) -> dict[str, Any]:
    return {
        key: values[value.line]
        if type(value) is At
        else counters
        if value is ALL
        else _made(value, values, counters)
        if isinstance(value, Mapping)
        else value
        for key, value in tree.items()
    }


def plain(facts: Mapping[str, Any]) -> dict[str, Any]:
    """Facts as dicts."""
    return {key: plain(value) if isinstance(value, Mapping) else value for key, value in facts.items()}


def integers(spelt: bytes, count: int) -> list[int] | None:
    """Integers with commas between them; None if one is none, or there are not so many."""
    try:
        values: list[int] = _decoder()(b"[%b]" % spelt)
    except ValueError:  # a plus or a zero in front, or no integers
        try:
            values = list(map(int, spelt.split(b",")))
        except ValueError:
            return None
    return values if len(values) == count else None


@cache
def _decoder() -> Callable[[bytes], Any]:
    """A decoder of lists of integers: a third of the time of `int` for each. Its errors are ValueErrors."""
    import msgspec

    return msgspec.json.Decoder(list[int]).decode


def size_of(told: Told) -> int:
    """Bytes of the lines: a comma stands for the end of each but the last."""
    return told.template.shape.size + len(told.spelt()) + 1


def lines_of(shape: Shape, spelt: bytes) -> bytes:
    """The lines again. Raises ValueError where there are not as many integers as heads."""
    pairs = zip(_heads(shape), spelt.decode("ascii").split(","), strict=True)
    return "".join([f"{head}{value}\n" for head, value in pairs]).encode("ascii")


@lru_cache(maxsize=64)
def _heads(shape: Shape) -> list[str]:
    return shape.heads.decode("ascii").split("\n")
