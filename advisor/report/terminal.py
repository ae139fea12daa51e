"""A document as plain text for a terminal or a pipe: no colours, columns aligned by the width of their cells, Chinese counted as two."""

import unicodedata

from advisor.base.plain import plain
from advisor.report.document import Code, Document, Heading, Items, Paragraph, Table, flat


def width(text: str) -> int:
    """Columns that a text takes in a terminal."""
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def padded(text: str, columns: int, right: bool = False) -> str:
    blank = " " * max(0, columns - width(text))
    return blank + text if right else text + blank


def wrapped(text: str, columns: int) -> list[str]:
    """Lines of at most `columns`: broken at blanks, and between Chinese characters."""
    lines, line, used = [], "", 0
    for word in _words(plain(" ".join(text.split("\n")))):
        size = width(word)
        if used + size > columns and line.strip():
            lines.append(line.rstrip())
            line, used = "", 0
            word = word.lstrip()
            size = width(word)
        line, used = line + word, used + size
    return [*lines, line.rstrip()] if line.strip() or not lines else lines


def _words(text: str) -> list[str]:
    words: list[str] = []
    for c in text:
        wide = unicodedata.east_asian_width(c) in "WF"
        if not words or c == " " or wide or (words[-1] and unicodedata.east_asian_width(words[-1][-1]) in "WF"):
            closing = wide and unicodedata.category(c) in ("Po", "Pe", "Pf") and words
            if closing:
                words[-1] += c
            else:
                words.append(c)
        else:
            words[-1] += c
    return words


def render(document: Document, columns: int = 100) -> str:
    """The document as one text with a line feed at its end."""
    return "\n\n".join(filter(None, (_block(block, columns) for block in flat(document)))) + "\n"


def _block(block: Heading | Paragraph | Items | Table | Code, columns: int) -> str:
    match block:
        case Heading():
            text = plain(block.text)
            return f"{text}\n{('=' if block.level == 1 else '-') * width(text)}" if block.level < 3 else text
        case Paragraph():
            return "\n".join(wrapped(block.text, columns))
        case Items():
            return "\n".join(_item(f"{i}. " if block.numbered else "- ", item, columns) for i, item in enumerate(block.items, 1))
        case Table():
            return _table(block, columns)
        case Code():
            return "\n".join("    " + plain(line) for line in block.text.split("\n"))


def _item(mark: str, text: str, columns: int) -> str:
    first, *rest = wrapped(text, columns - len(mark))
    return "\n".join([mark + first, *(" " * len(mark) + line for line in rest)])


_LEAST = 10  # columns that a folded cell keeps


def _table(table: Table, columns: int) -> str:
    """Cells are folded, the widest column first, until the table is no wider than the terminal."""
    cells = [tuple(plain(cell) for cell in row) for row in (table.header, *table.rows)]
    widths = _fitted([max(width(row[i]) for row in cells) for i in range(len(table.header))], columns)
    headed = any(table.header)
    lines = []
    for number, row in enumerate(cells if headed else cells[1:]):
        folded = [wrapped(cell, widths[i]) for i, cell in enumerate(row)]
        for level in range(max(map(len, folded))):
            parts = [padded(f[level] if level < len(f) else "", widths[i], table.side(i) == "right") for i, f in enumerate(folded)]
            lines.append("  ".join(parts).rstrip())
        if headed and number == 0:
            lines.append("  ".join("-" * w for w in widths))
    return "\n".join(lines)


def _fitted(widths: list[int], columns: int) -> list[int]:
    """Widths of columns, two blanks between them, that fit: the widest give first."""
    over = sum(widths) + 2 * (len(widths) - 1) - columns
    while over > 0 and max(widths) > _LEAST:
        widest = max(range(len(widths)), key=lambda i: widths[i])
        widths[widest] -= 1
        over -= 1
    return widths
