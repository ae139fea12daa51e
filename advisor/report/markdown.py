"""A document as Markdown (CommonMark with GitHub's tables). Captured text stays text: no markup, link, HTML or control code of it acts."""

import re

from advisor.base.plain import plain
from advisor.report.document import Code, Document, Heading, Items, Paragraph, Table, flat

_ACTS = re.compile(r"([\\`*_\[\]<>|~&])")
_AT_START = re.compile(r"^(\s*)([#+\-=>]|\d+[.)])")
_LINK = re.compile(r"(?i)\b(https?|ftp|mailto|www)([:.])")


def render(document: Document) -> str:
    """The document as one text with a line feed at its end."""
    return "\n\n".join(filter(None, map(_block, flat(document)))) + "\n"


def escaped(text: str) -> str:
    """Text that a Markdown reader shows as it is."""
    one_line = plain(" ".join(text.split("\n")))
    safe = _LINK.sub(r"\1\\\2", _ACTS.sub(r"\\\1", one_line))
    return _AT_START.sub(lambda m: f"{m[1]}\\{m[2]}" if not m[2][0].isdigit() else f"{m[1]}{m[2][:-1]}\\{m[2][-1]}", safe)


def _block(block: Heading | Paragraph | Items | Table | Code) -> str:
    match block:
        case Heading():
            return f"{'#' * block.level} {escaped(block.text)}"
        case Paragraph():
            return f"**{escaped(block.text)}**" if block.strong and block.text.strip() else escaped(block.text)
        case Items():
            marks = (f"{i}." if block.numbered else "-" for i in range(1, len(block.items) + 1))
            return "\n".join(f"{mark} {escaped(item)}" for mark, item in zip(marks, block.items, strict=True))
        case Table():
            return _table(block)
        case Code():
            return _code(block.text)


def _table(table: Table) -> str:
    def row(cells: tuple[str, ...]) -> str:
        return "| " + " | ".join(escaped(cell) or " " for cell in cells) + " |"

    rule = "| " + " | ".join("---:" if table.side(i) == "right" else "---" for i in range(len(table.header))) + " |"
    return "\n".join([row(table.header), rule, *map(row, table.rows)])


def _code(text: str) -> str:
    lines = [plain(line) for line in text.split("\n")]
    longest = max((len(run) for line in lines for run in re.findall("`+", line)), default=0)
    fence = "`" * max(3, longest + 1)
    return "\n".join([fence, *lines, fence])
