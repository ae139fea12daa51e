"""A document as one HTML file that stands alone: no script, no outside resource, and a policy in the page that forbids both.

Every text is data: Jinja2 escapes it, and what could act in a reader's eyes (controls, bidirectional marks) is replaced. Scenarios and
languages are switched by radio buttons and style alone.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any

from advisor.base.plain import plain
from advisor.base.text import LANGS, Lang
from advisor.report.charts.svg import TONES, svg
from advisor.report.document import Block, Choices, Document, Folded, Heading, Picture

TEMPLATES = Path(__file__).parent / "templates"
_NAMES = {"en": "English", "zh": "中文"}
_CODES = {"en": "en", "zh": "zh-CN"}
_MOST_CHOICES = 12
_AMOUNT = re.compile(r"[A-Z]{3} [\d,. /]{1,26}")


@dataclass(frozen=True, slots=True)
class _Tongue:
    code: str
    name: str
    document: Document

    @property
    def contents(self) -> tuple[Heading, ...]:
        return tuple(block for block in self.document if isinstance(block, Heading) and block.level == 2)


def render(documents: Mapping[Lang, Document], title: str) -> str:
    """The document as a page; in several languages, with a switch between them."""
    tongues = [_Tongue(_CODES[lang], _NAMES[lang], documents[lang]) for lang in LANGS if lang in documents]
    number, group = count(1), count(1)
    anchors = {id(b): f"s{next(number)}" for tongue in tongues for b in _all(tongue.document) if isinstance(b, Heading)}
    groups = {id(b): f"c{next(group)}" for tongue in tongues for b in _all(tongue.document) if isinstance(b, Choices)}
    page = _environment().get_template("page.html")
    text: str = page.render(
        langs=tongues, title=title, style=_markup(style(tongues)), anchors=_ById(anchors), groups=_ById(groups), draw=_drawn, size=_size
    )
    return text


def style(tongues: list[_Tongue]) -> str:
    """The style of the page: what stands in page.css, and the rules that hang on tones and languages."""
    rules = [(TEMPLATES / "page.css").read_text(encoding="utf-8")]
    rules += [f".f-{tone} {{ fill: var(--{tone}); }}" for tone in TONES]
    for i in range(1, _MOST_CHOICES + 1):
        rules.append(f".choices > input:nth-of-type({i}):checked ~ section.choice:nth-of-type({i}) {{ display: block; }}")
    if len(tongues) > 1:
        rules += [
            f"main.tongue-{t.code} {{ display: none; }} #tongue-{t.code}:checked ~ main.tongue-{t.code} {{ display: block; }}"
            for t in tongues
        ]
    return "\n".join(rules)


def _all(document: Document) -> Iterator[Block]:
    for block in document:
        yield block
        if isinstance(block, Choices):
            for _, inner in block.choices:
                yield from _all(inner)
        elif isinstance(block, Folded):
            yield from _all(block.inner)


class _ById:
    """Names of blocks by the block itself: two headings may be equal and still are two places."""

    def __init__(self, names: Mapping[int, str]) -> None:
        self._names = names

    def __getitem__(self, block: object) -> str:
        return self._names[id(block)]


def _size(cell: str) -> str:
    """Short figures and amounts stay on one line; where a word alone is longer than a column (a hash), it may break anywhere."""
    return " short" if len(cell) <= 14 or _AMOUNT.fullmatch(cell) else " long" if max(map(len, cell.split()), default=0) > 40 else ""


def _drawn(picture: Picture) -> Any:
    return _markup(svg(picture.chart, picture.title))


def _markup(text: str) -> Any:
    """Text of our own that is markup already."""
    from markupsafe import Markup

    return Markup(text)


@cache
def _environment() -> Any:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        loader=FileSystemLoader(TEMPLATES), autoescape=True, undefined=StrictUndefined, trim_blocks=True, auto_reload=False
    )
    environment.filters["safe_text"] = lambda text: plain(" ".join(text.split("\n")))
    environment.filters["safe_lines"] = lambda text: "\n".join(plain(line) for line in text.split("\n"))
    return environment
