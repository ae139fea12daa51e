"""The document tree: what a report says, before any form. A string here is data; each form makes it harmless in its own way."""

from dataclasses import dataclass
from typing import Literal

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


Block = Heading | Paragraph | Items | Table | Code
Document = tuple[Block, ...]
