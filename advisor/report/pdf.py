"""A document as PDF, set by typst. Texts go in as data, charts as drawings; fonts are our own, so that Chinese comes out everywhere."""

import json
import re
from pathlib import Path
from typing import Any

from advisor.base.plain import plain
from advisor.base.text import Lang, say
from advisor.report.charts.svg import TONES, svg
from advisor.report.document import Choices, Code, Document, Folded, Heading, Items, Paragraph, Picture, Table
from advisor.report.terminal import width

_TEMPLATES = Path(__file__).parent / "templates"
_MOST_ROWS = 300  # of a folded table: nobody reads more of it on paper
FONTS = Path(__file__).parent / "fonts"


def style() -> str:
    """The light colours of the page, as classes of the drawings: typst knows no variables."""
    light = (_TEMPLATES / "page.css").read_text(encoding="utf-8").partition(":root {")[2].partition("}")[0]
    colours = dict(re.findall(r"--([\w-]+):\s*(#\w+)", light))
    fills = "".join(f".f-{tone}{{fill:{colours[tone]}}}" for tone in TONES)
    ink, soft, line = colours["ink"], colours["soft"], colours["line"]
    return (
        f"{fills}.t{{fill:{ink};font-family:'Noto Sans CJK SC'}}.dim.t{{fill:{soft}}}.s-axis{{stroke:{soft}}}.s-grid{{stroke:{line}}}"
        f".s-middle{{stroke:{ink};stroke-width:2}}.curve{{fill:none;stroke:{colours['info']};stroke-width:1.4}}"
        f".steps{{fill:none;stroke:{colours['good']};stroke-width:1.6;stroke-dasharray:5 3}}.soft{{opacity:.35}}"
    )


def render(document: Document, title: str, lang: Lang) -> bytes:
    """The document as a PDF file."""
    import typst

    data = {"title": plain(title), "lang": lang, "blocks": _blocks(document, 3, lang)}
    made = typst.compile(
        str(_TEMPLATES / "report.typ"),
        font_paths=[str(FONTS)],
        ignore_system_fonts=True,
        sys_inputs={"data": json.dumps(data, ensure_ascii=False)},
    )
    return bytes(made)


def _blocks(document: Document, level: int, lang: Lang) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    for block in document:
        match block:
            case Heading():
                found.append({"kind": "heading", "level": block.level, "text": _one(block.text)})
            case Paragraph():
                found.append({"kind": "paragraph", "text": _one(block.text), "strong": block.strong})
            case Items():
                found.append({"kind": "items", "items": [_one(item) for item in block.items], "numbered": block.numbered})
            case Code():
                found.append({"kind": "code", "text": "\n".join(plain(line) for line in block.text.split("\n"))})
            case Table():
                found.append(_table(block))
            case Picture():
                found.append({"kind": "picture", "title": _one(block.title), "svg": svg(block.chart, block.title, style())})
            case Choices():
                for title, inner in block.choices:
                    found += [{"kind": "heading", "level": level + 1, "text": _one(title)}, *_blocks(inner, level + 1, lang)]
            case Folded():
                found.append({"kind": "heading", "level": level + 1, "text": _one(block.title)})
                long = max((len(inner.rows) for inner in block.inner if isinstance(inner, Table)), default=0)
                if long > _MOST_ROWS:
                    told = say("report.not-printed", lang, rows=long)
                    found.append({"kind": "paragraph", "text": told, "strong": False})
                else:
                    found += _blocks(block.inner, level + 1, lang)
    return found


def _table(table: Table) -> dict[str, Any]:
    """Columns as wide as their texts ask for, within bounds: a long text folds, a short column keeps its words whole."""
    rows = [[_one(cell) for cell in row] for row in table.rows]
    header = [_one(cell) for cell in table.header]
    columns = range(len(header))
    asked = [max([width(header[i]) * 1.2, *(width(row[i]) for row in rows)], default=4) for i in columns]
    widths = [min(max(size, 5), 48) ** 0.8 for size in asked]
    return {"kind": "table", "header": header, "rows": rows, "align": [table.side(i) for i in columns], "widths": widths}


def _one(text: str) -> str:
    return plain(" ".join(text.split("\n")))
