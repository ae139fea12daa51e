"""The document tree: what a report says, before any form. A string here is data; each form makes it harmless in its own way."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from advisor.report.charts.model import Chart

Align = Literal["left", "right"]


@dataclass(frozen=True, slots=True)
class Heading:
    level: int
    text: str


@dataclass(frozen=True, slots=True)
class Paragraph:
    text: str
    strong: bool = False


@dataclass(frozen=True, slots=True)
class Items:
    items: tuple[str, ...]
    numbered: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """Rows under a header; `align` gives one word a column, left where it is too short."""

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    align: tuple[Align, ...] = ()

    def side(self, column: int) -> Align:
        return self.align[column] if column < len(self.align) else "left"


@dataclass(frozen=True, slots=True)
class Code:
    """What to type, or what a capture says, to the letter."""

    text: str


@dataclass(frozen=True, slots=True)
class Picture:
    """A chart under its title. A form that cannot draw it shows its table."""

    title: str
    chart: Chart


@dataclass(frozen=True, slots=True)
class Choices:
    """Parts of which a reader looks at one at a time where the form can switch (a page); one after the other where it cannot."""

    title: str
    choices: tuple[tuple[str, "Document"], ...]


@dataclass(frozen=True, slots=True)
class Folded:
    """A long part that a form may fold behind its title."""

    title: str
    inner: "Document"


Block = Heading | Paragraph | Items | Table | Code | Picture | Choices | Folded
Document = tuple[Block, ...]


def flat(document: Document, level: int = 3) -> Iterator[Heading | Paragraph | Items | Table | Code]:
    """The document for a form that neither draws, switches nor folds: pictures as tables, parts under headings of `level`."""
    for block in document:
        match block:
            case Picture():
                header, rows = block.chart.table
                yield Paragraph(block.title, strong=True)
                right: list[Align] = ["right"] * (len(header) - 1)
                yield Table(header, rows, ("left", *right))
            case Choices():
                yield Heading(level, block.title)
                for title, inner in block.choices:
                    yield Heading(level + 1, title)
                    yield from flat(inner, level + 2)
            case Folded():
                yield Heading(level, block.title)
                yield from flat(block.inner, level + 1)
            case _:
                yield block
