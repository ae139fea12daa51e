"""Words with a tone, rows, tables and paragraphs: all that a view hands to a widget.

A tone is a meaning, not a colour. No tone stands alone: where it matters a sign or a word says the same, so that nothing is lost
without colours.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple, get_args, overload

from advisor.base.writing import listed

Tone = Literal["plain", "dim", "strong", "title", "good", "warn", "bad", "info", "mark"]
TONES: tuple[str, ...] = get_args(Tone)


class Span(NamedTuple):
    text: str
    tone: Tone = "plain"


Phrase = tuple[Span, ...]


def word(text: object, tone: Tone = "plain") -> Phrase:
    return (Span(str(text), tone),)


def joined(*phrases: Phrase, between: str = "") -> Phrase:
    """Phrases in a row, empty ones left out."""
    found: list[Span] = []
    for phrase in phrases:
        if not any(span.text for span in phrase):
            continue
        if found and between:
            found.append(Span(between, "dim"))
        found.extend(phrase)
    return tuple(found)


def cells(text: str) -> int:
    """Cells of a terminal that a text of ours takes: Chinese signs and punctuation are two wide."""
    return sum(2 if ord(char) >= 0x2E80 else 1 for char in text)


def padded(text: str, width: int) -> str:
    """A text with blanks up to a width in cells."""
    return text + " " * max(width - cells(text), 0)


def text_of(phrase: Phrase) -> str:
    return "".join(span.text for span in phrase)


@dataclass(frozen=True, slots=True)
class Para:
    """A paragraph, wrapped where it is drawn; further lines of it start `hang` cells to the right."""

    phrase: Phrase = ()
    indent: int = 0
    hang: int = 0


@dataclass(frozen=True, slots=True)
class Column:
    """flex: takes what width is left. drop: rank of leaving on a narrow screen, higher first; 0 stays. most: its widest where
    there is not room for all, 0 for no bound. middle: cut so that what tells a name from those around it stays."""

    title: str
    right: bool = False
    flex: bool = False
    drop: int = 0
    most: int = 0
    middle: bool = False


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a table. `order` holds the raw values that columns sort by; None (unknown) goes last either way."""

    key: str
    cells: tuple[Phrase, ...]
    order: tuple[float | str | None, ...] = ()
    depth: int = 0
    opened: bool | None = None  # of a row with rows below it: whether they show
    heading: bool = False  # cannot be chosen


class Rows(Sequence[Row]):
    """Rows that are made when somebody looks at them, and kept: 50,000 of them are drawn at once. Sorting and filtering look at all."""

    def __init__(self, count: int, make: Callable[[int], Row]) -> None:
        self._made: list[Row | None] = [None] * count
        self._make = make

    def __len__(self) -> int:
        return len(self._made)

    @overload
    def __getitem__(self, place: int) -> Row: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[Row, ...]: ...
    def __getitem__(self, place: int | slice) -> Row | tuple[Row, ...]:
        if isinstance(place, slice):
            return tuple(self[i] for i in range(*place.indices(len(self))))
        row = self._made[place]
        if row is None:
            row = self._made[place] = self._make(place % len(self._made))
        return row


@dataclass(frozen=True, slots=True)
class Table:
    columns: tuple[Column, ...] = ()
    rows: Sequence[Row] = ()
    empty: str = ""  # said where there are no rows
    headed: bool = True


def sorted_by(table: Table, column: int, descending: bool) -> Table:
    """The table by one column, unknown values last. Rows below others and headings keep a table as it is."""
    if any(row.depth or row.heading or len(row.order) <= column for row in table.rows):
        return table
    known = [row for row in table.rows if row.order[column] is not None]
    unknown = [row for row in table.rows if row.order[column] is None]
    numbers = [row for row in known if isinstance(row.order[column], int | float)]
    words = [row for row in known if isinstance(row.order[column], str)]
    numbers.sort(key=lambda row: row.order[column], reverse=descending)  # type: ignore[arg-type, return-value]
    words.sort(key=lambda row: row.order[column], reverse=descending)  # type: ignore[arg-type, return-value]
    return replace(table, rows=(*numbers, *words, *unknown))


def holding(table: Table, needle: str) -> Table:
    """The rows in which a text stands, in any case; what they stand below stays too."""
    if not needle:
        return table
    wanted = needle.casefold()
    kept: list[Row] = []
    above: list[Row] = []
    for row in table.rows:
        while above and above[-1].depth >= row.depth:
            above.pop()
        if any(wanted in text_of(cell).casefold() for cell in row.cells):
            kept.extend(parent for parent in above if parent not in kept)
            kept.append(row)
        if row.opened:
            above.append(row)
    return replace(table, rows=tuple(kept))


def bullet(phrase: Phrase, mark: str = "- ") -> Para:
    return Para((Span(mark, "dim"), *phrase), hang=len(mark))


def some(items: Sequence[str], most: int, lang: str) -> str:
    """The first names of a row, and how many more there are."""
    if len(items) <= most:
        return listed(items, lang)
    more = len(items) - most
    return f"{listed(items[:most], lang)} +{more}"
