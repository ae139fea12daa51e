"""From phrases to cells of a terminal: harmless, measured in cells, wrapped and cut where a language allows it.

The one door for every text: `segments` takes off what could act (advisor.base.plain), so captured text can never move the cursor,
change the window's title or turn around what is read.
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import zip_longest

from rich.cells import cell_len, set_cell_size
from rich.segment import Segment
from rich.style import Style
from textual.content import Content
from textual.geometry import Region
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from advisor.base.plain import plain
from advisor.tui.keys import Keyed
from advisor.tui.views.words import TONES, Para, Phrase, Span, Tone

_TAB = 8
_NOT_FIRST = "，。；：！？、）》】”’%"  # what Chinese does not put at the start of a line
_CSS = """
.tone-dim { color: $text-muted; }
.tone-strong { text-style: bold; }
.tone-title { color: $primary; text-style: bold; }
.tone-good { color: $success; }
.tone-warn { color: $warning; }
.tone-bad { color: $error; }
.tone-info { color: $secondary; }
.tone-mark { color: $accent; }
"""


class Painted(Keyed, Widget, inherit_css=True):
    """A widget that knows the tones."""

    DEFAULT_CSS = _CSS
    COMPONENT_CLASSES = {f"tone-{tone}" for tone in TONES}
    ALLOW_SELECT = False

    def tone(self, tone: Tone) -> Style:
        """The style of a tone, without a background."""
        if tone == "plain":
            return self._own_style
        return self._own_style + self.get_component_rich_style(f"tone-{tone}", partial=True)

    @property
    def _own_style(self) -> Style:
        return self.rich_style

    def paint(self, phrase: Phrase, base: Style | None = None) -> list[Segment]:
        """The segments of a phrase; `base` is laid over the tones (a cursor's background)."""
        return [Segment(harmless(text), self.tone(tone) + base if base else self.tone(tone)) for text, tone in phrase if text]

    @contextmanager
    def only_changes(self) -> Iterator[None]:
        """Of what is done inside, only lines that look different then are drawn again: over a slow line every byte is waited for."""
        before = self._lines()
        yield
        after = self._lines()
        for y, (old, new) in enumerate(zip_longest(before, after)):
            if old is None or new is None:
                self.refresh(Region(0, y, self.size.width, 1))
            elif old != new and (span := changed_span(old, new)):
                self.refresh(Region(span[0], y, span[1] - span[0], 1))

    def _lines(self) -> list[Strip]:
        return [self.render_line(y) for y in range(self.size.height)]


class Copied(Message):
    """A person asks for a text in the clipboard."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.text = text


def changed_span(old: Strip, new: Strip) -> tuple[int, int] | None:
    """The cells in which two lines differ, from the first to behind the last; None where they look the same."""
    was, now = _in_cells(old), _in_cells(new)
    if len(was) != len(now):
        return 0, max(len(was), len(now))
    differ = [x for x, (a, b) in enumerate(zip(was, now, strict=True)) if a != b]
    return (differ[0], differ[-1] + 1) if differ else None


def _in_cells(strip: Strip) -> list[tuple[str, Style | None]]:
    """A line cell by cell; the second cell of a wide character is one of its own, so that none is cut in two."""
    found: list[tuple[str, Style | None]] = []
    for text, style, _ in strip:
        for char in text:
            wide = 1 if char < "\u0300" else cell_len(char)
            found.extend([(char, style)] * wide)
    return found


def harmless(text: str) -> str:
    """A text that cannot act and has a width: control characters and line ends become a sign, tabs become blanks."""
    return plain(text).expandtabs(_TAB)


def safe(text: str) -> Content:
    """Text for a place that would read markup: titles, notices, buttons."""
    return Content(harmless(text))


def width_of(phrase: Phrase) -> int:
    return sum(cell_len(harmless(span.text)) for span in phrase)


def fitted(segments: list[Segment], width: int, right: bool = False, fill: Style | None = None) -> list[Segment]:
    """Segments in exactly `width` cells: cut with an ellipsis, or filled up with blanks on the side that alignment leaves."""
    used = sum(segment.cell_length for segment in segments)
    if used == width:
        return segments
    if used < width:
        pad = Segment(" " * (width - used), fill)
        return [pad, *segments] if right else [*segments, pad]
    if width <= 0:
        return []
    kept: list[Segment] = []
    room = width - 1
    for segment in segments:
        if segment.cell_length <= room:
            kept.append(segment)
            room -= segment.cell_length
            continue
        kept.append(Segment(set_cell_size(segment.text, room) + "…", segment.style))
        return kept
    return kept


def line(segments: Iterable[Segment], width: int, fill: Style | None = None) -> Strip:
    """A strip of exactly `width` cells."""
    return Strip(fitted(list(segments), width, fill=fill), width)


def wrapped(para: Para, width: int) -> list[Phrase]:
    """A paragraph as lines of at most `width` cells. Breaks at blanks and between wide characters; cuts what is longer than a line."""

    lines: list[list[Span]] = []
    current: list[Span] = []
    room = max(width - para.indent, 8)
    used = 0

    def end() -> None:
        nonlocal current, used, room
        lines.append(current)
        current, used = [], 0
        room = max(width - para.indent - para.hang, 8)

    for text, tone in para.phrase:
        for piece in _pieces(harmless(text)):
            wide = cell_len(piece)
            if used + wide > room and current:
                end()
                piece = piece.lstrip(" ")
                wide = cell_len(piece)
            while wide > room:
                head = set_cell_size(piece, room)
                current.append(Span(head, tone))
                piece, wide = piece[len(head) :] if head.strip() else piece[1:], 0
                end()
                wide = cell_len(piece)
            if piece:
                current.append(Span(piece, tone))
                used += wide
    if current or not lines:
        lines.append(current)
    first, rest = " " * para.indent, " " * (para.indent + para.hang)
    return [(Span(first if i == 0 else rest), *spans) if (first if i == 0 else rest) else tuple(spans) for i, spans in enumerate(lines)]


def _pieces(text: str) -> list[str]:
    """Pieces that stay together: words with the blank in front of them, single wide characters with the punctuation after them."""
    pieces: list[str] = []
    current = ""
    for char in text:
        wide = ord(char) >= 0x2E80
        if char in _NOT_FIRST:
            current += char
        elif wide:
            if current:
                pieces.append(current)
            current = char
        elif char == " ":
            if current and not current.isspace():
                pieces.append(current)
                current = ""
            current += char
        else:
            if current and ord(current[-1]) >= 0x2E80:
                pieces.append(current)
                current = ""
            current += char
    if current:
        pieces.append(current)
    return pieces
