"""Documents of a YAML text with the line of each place; a text that is cut or damaged gives what stands whole before it."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from advisor.base.content import Place, parse
from advisor.base.errors import ContentError
from advisor.capture.lines import Lines
from advisor.readers.shapes import open_end

_TRIES = 4
_SENTENCE = re.compile(r"(?=\S*\s)[^\W\d_][^:{}\[\]]*\Z")


@dataclass(frozen=True, slots=True)
class Document:
    """One document: its tree (scalars are text), the line of the capture that each place stands in, and the line that damage starts at."""

    tree: Any
    at: dict[Place, int]
    first: int
    last: int
    damaged: int | None = None

    def line(self, *place: str | int) -> int:
        """The line of the nearest part of a place."""
        while place and place not in self.at:
            place = place[:-1]
        return self.at.get(place, self.first)


def documents(lines: Lines) -> Iterator[Document]:
    """The documents between `---` lines, in order. Documents without content are left out."""
    start, cut = 0, None
    texts = lines.texts
    last = open_end(lines)
    if last is not None and len(lines) and lines.numbers[-1] == last and texts[-1].rstrip()[-1:] not in "\"'}])":
        cut, lines = last, lines[: len(lines) - 1]  # the last word may be cut
        texts = lines.texts
    for at in range(len(texts) + 1):
        if at == len(texts) or texts[at].rstrip() in ("---", "..."):
            part = lines[start:at]
            if any(text.strip() and not text.lstrip().startswith("#") for text in part.texts):
                document = _document(part)
                yield replace(document, last=cut, damaged=document.damaged or cut) if cut and at == len(texts) else document
            start = at + 1


def _document(lines: Lines) -> Document:
    texts = [text.expandtabs(2) for text in lines.texts]
    # A paste may have moved the whole text to the right.
    margin = min((len(text) - len(text.lstrip()) for text in texts if text.strip()), default=0)
    texts = [text[margin:] for text in texts]
    numbers = list(lines.numbers)
    damaged = None
    keep = len(texts)
    for _ in range(_TRIES):
        try:
            tree, at = parse("\n".join(texts[:keep]), "capture")
        except ContentError as error:
            bad = min(int(str(error.values["line"])), keep) - 1
            behind = _other_text(texts, bad)
            if behind is not None:
                keep = behind
                texts, numbers = texts[:keep], numbers[:keep]
                continue
            damaged = numbers[bad] if damaged is None else damaged
            keep = bad if bad < keep else keep - 1
            if keep <= 0:
                break
            continue
        lined = {place: numbers[min(line, len(numbers)) - 1] for place, line in at.items()}
        return Document(tree, lined, numbers[0], numbers[-1], damaged)
    return Document(None, {}, numbers[0], numbers[-1], damaged or numbers[0])


def _other_text(texts: list[str], bad: int) -> int | None:
    """Where other text begins behind a document, if it is that which cannot be parsed: sentences at the margin, behind a blank line."""
    at = next((i for i in range(min(bad, len(texts) - 1), -1, -1) if texts[i].strip()), 0)
    while at > 0 and _SENTENCE.match(texts[at]):
        if not texts[at - 1].strip():
            return at
        at -= 1
    return None
