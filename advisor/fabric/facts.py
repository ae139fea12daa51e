"""Facts as they come out of a bundle's tree, narrowed to the type that a model takes. What does not fit is unknown."""

from collections.abc import Iterable, Mapping
from typing import Any

_BOUND = 1e300  # what a text says beyond it is no figure; also neither infinite nor no number at all


def number(value: Any) -> float | None:
    """A number as float; a sign, text, or a figure beyond any bound is none."""
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < _BOUND else None


def whole(value: Any) -> int | None:
    """A whole number; 8.0 is 8, 8.5 is none."""
    found = number(value)
    return int(found) if found is not None and found == int(found) else None


def text(value: Any) -> str | None:
    """A word; a number becomes its text, a sign, list or map is none."""
    if isinstance(value, str):
        return value.strip() or None
    return str(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


def names(value: Any) -> tuple[str, ...]:
    """A list of words; one word alone is a list of it."""
    if isinstance(value, str):
        return (value,)
    return tuple(str(item) for item in value) if isinstance(value, list) else ()


def numbers(value: Any) -> tuple[float, ...]:
    """A list of numbers; one number alone is a list of it."""
    items: Iterable[Any] = value if isinstance(value, list) else (value,)
    return tuple(found for item in items if (found := number(item)) is not None)


def tree(value: Any) -> Mapping[str, Any]:
    """A map, or an empty one."""
    return value if isinstance(value, Mapping) else {}


def entries(value: Any) -> tuple[Mapping[str, Any], ...]:
    """The maps of a list."""
    return tuple(item for item in value if isinstance(item, Mapping)) if isinstance(value, list) else ()
