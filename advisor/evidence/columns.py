"""A capture in its plainest form: lines of a name and an integer, the names those that a driver always prints, the integers the file's own.

A site has thousands of such files. Whoever knows the names can write the file down as its integers, and make its bytes again from them.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any


@dataclass(frozen=True, slots=True)
class Shape:
    """What all files of a driver have alike: what stands before the integer of each line, lines' ends between; `size`: without these."""

    heads: bytes
    size: int


@dataclass(frozen=True, slots=True, eq=False)
class Columns:
    """The lines that a text ends with.

    values   the integers as they are spelt, commas between them
    table    the same by name: this very object is a part of the facts
    """

    shape: Shape
    values: bytes
    table: Mapping[str, int]

    @property
    def size(self) -> int:
        """Bytes of these lines; a comma stands for the end of each but the last."""
        return self.shape.size + len(self.values) + 1


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


def names_of(heads: str) -> list[str]:
    """The names in the heads of a shape: each stands between blanks and a colon."""
    return [head.strip()[:-1] for head in heads.split("\n")]


def lines_of(heads: list[str], values: bytes) -> bytes:
    """The lines again. Raises ValueError where there are not as many integers as heads."""
    pairs = zip(heads, values.decode("ascii").split(","), strict=True)
    return "".join([f"{head}{value}\n" for head, value in pairs]).encode("ascii")
