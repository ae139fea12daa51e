"""The text of a capture as data: numbered, its lines marked by what became of them.

Only what is seen is drawn, so 100,000 lines stay quick.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.binding import Binding
from textual.geometry import Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from advisor.tui.views.capture import KINDS, Marks
from advisor.tui.views.words import Span
from advisor.tui.widgets.paint import Copied, Painted, harmless, line

_LONGEST = 20_000  # characters of one line that are drawn
_NOTHING = Marks({}, {}, {})


class CaptureView(Painted, ScrollView, can_focus=True):
    DEFAULT_CSS = """
    CaptureView { background: $surface; scrollbar-size-vertical: 1; overflow: hidden auto; }
    CaptureView > .capture--cursor { background: $panel; }
    CaptureView:focus > .capture--cursor { background: $cursor; }
    CaptureView > .capture--hit { text-style: reverse; }
    CaptureView:nocolor:focus > .capture--cursor { text-style: underline; }
    """
    COMPONENT_CLASSES = {"capture--cursor", "capture--hit"}
    BINDINGS = [
        Binding("up", "move(-1)", "tui.key.up", show=False),
        Binding("down", "move(1)", "tui.key.down", show=False),
        Binding("pageup", "page(-1)", "tui.key.page-up", show=False),
        Binding("pagedown", "page(1)", "tui.key.page-down", show=False),
        Binding("home", "edge(-1)", "tui.key.top", show=False),
        Binding("end", "edge(1)", "tui.key.bottom", show=False),
        Binding("left", "aside(-8)", "tui.key.left", show=False),
        Binding("right", "aside(8)", "tui.key.right", show=False),
        Binding("y", "copy_line", "tui.key.copy-row", show=False),
        Binding("Y", "copy", "tui.key.copy", show=False),
        Binding("n", "hit(1)", "tui.key.next-hit", show=False),
        Binding("N", "hit(-1)", "tui.key.last-hit", show=False),
    ]

    @dataclass
    class Moved(Message):
        """The cursor stands on another line (from 1)."""

        view: "CaptureView"
        line: int

        @property
        def control(self) -> "CaptureView":
            return self.view

    def __init__(self, id: str | None = None) -> None:
        super().__init__(id=id)
        self.lines: Sequence[str] = ()
        self._marks = _NOTHING
        self._at = 0
        self._needle = ""

    def show(self, lines: Sequence[str], found: Marks, at: int | None = None) -> None:
        """Show a capture, with the cursor on line `at`."""
        self.lines, self._marks = lines, found
        self._needle = ""
        widest = max((len(text) if text.isascii() else 2 * len(text) for text in lines), default=0)
        self.virtual_size = Size(min(widest, _LONGEST) + self._gutter + 1, len(lines))
        self._at = min(max((at or 1) - 1, 0), max(len(lines) - 1, 0))
        self.scroll_to(x=0, y=max(self._at - self.size.height // 3, 0), animate=False, immediate=True, force=True)
        self.refresh()
        self.post_message(self.Moved(self, self._at + 1))

    def remark(self, found: Marks) -> None:
        """The same lines with other marks (in another language)."""
        self._marks = found
        self.refresh()
        self.post_message(self.Moved(self, self._at + 1))

    @property
    def at(self) -> int:
        """The line of the cursor, from 1."""
        return self._at + 1

    @property
    def _gutter(self) -> int:
        return max(len(str(len(self.lines))), 3) + 3

    # ---- moving

    def _go(self, at: int) -> None:
        at = min(max(at, 0), max(len(self.lines) - 1, 0))
        if at == self._at:
            return
        room = self.scrollable_content_region.height or 1
        with self.only_changes():
            self._at = at
            if at < self.scroll_offset.y:
                self.scroll_to(y=at, animate=False, immediate=True, force=True)
            elif at >= self.scroll_offset.y + room:
                self.scroll_to(y=at - room + 1, animate=False, immediate=True, force=True)
        self.post_message(self.Moved(self, at + 1))

    def action_move(self, step: int) -> None:
        self._go(self._at + step)

    def action_page(self, step: int) -> None:
        self._go(self._at + step * max(self.size.height - 1, 1))

    def action_edge(self, step: int) -> None:
        self._go(0 if step < 0 else len(self.lines) - 1)

    def action_aside(self, step: int) -> None:
        self.scroll_to(x=max(self.scroll_offset.x + step, 0), animate=False, immediate=True, force=True)

    def action_hit(self, step: int) -> None:
        """The next line that holds the searched text; without a search, the next one with a problem or not read."""
        if self._needle:
            order = range(1, len(self.lines) + 1)
            for away in order:
                at = (self._at + step * away) % len(self.lines)
                if self._needle in self.lines[at].casefold():
                    self._go(at)
                    return
            return
        hits = self._marks.hits
        if hits:
            after = [hit for hit in hits if (hit - 1 > self._at if step > 0 else hit - 1 < self._at)]
            self._go((after or hits)[0 if step > 0 else -1] - 1)

    def action_copy(self) -> None:
        self.post_message(Copied("\n".join(harmless(text.rstrip("\r\n")) for text in self.lines)))

    def action_copy_line(self) -> None:
        if self.lines:
            self.post_message(Copied(harmless(self.lines[self._at].rstrip("\r\n"))))

    def find(self, needle: str) -> None:
        """Go to the first line from the cursor on that holds a text; an empty text ends the search."""
        self._needle = needle.casefold()
        if self._needle and self.lines and self._needle not in self.lines[self._at].casefold():
            self.action_hit(1)
        self.refresh()

    def on_click(self, event: events.Click) -> None:
        self.focus()
        self._go(event.y - self.gutter.top + self.scroll_offset.y)

    # ---- drawing

    def render_line(self, y: int) -> Strip:
        width = self.scrollable_content_region.width
        at = y + self.scroll_offset.y
        if at >= len(self.lines):
            return Strip.blank(width, self.rich_style)
        kind = self._marks.kinds.get(at + 1)
        mark, tone = KINDS[kind] if kind else (" ", "dim")
        base = self.get_component_rich_style("capture--cursor", partial=True) if at == self._at else None
        fill = self.rich_style + base if base else self.rich_style
        head = (Span(f"{at + 1:>{self._gutter - 3}} ", "dim"), Span(f"{mark} ", tone))
        segments = self.paint(head, base)
        text = harmless(self.lines[at][:_LONGEST].rstrip("\r\n"))
        body = self.paint((Span(text, tone if kind in ("problem", "unread") else "plain" if kind == "fact" else "dim"),), base)
        if self._needle:
            body = _lit(body, self._needle, self.get_component_rich_style("capture--hit", partial=True))
        start, room = self.scroll_offset.x, max(width - self._gutter, 0)
        shown = Strip(body).crop(start)
        if shown.cell_length > room:  # more of it stands to the right
            shown = Strip.join([shown.crop(0, max(room - 1, 0)), Strip(self.paint((Span("›", "mark"),), base))])
        return line([*segments, *shown], width, fill)


def _lit(segments: list[Segment], needle: str, style: Style) -> list[Segment]:
    """Segments with the places of a text made to stand out."""
    found: list[Segment] = []
    for text, base, _ in segments:
        start, folded = 0, text.casefold()
        if len(folded) != len(text):
            found.append(Segment(text, base))
            continue
        while (at := folded.find(needle, start)) >= 0:
            found.append(Segment(text[start:at], base))
            found.append(Segment(text[at : at + len(needle)], (base or Style()) + style))
            start = at + len(needle)
        found.append(Segment(text[start:], base))
    return [segment for segment in found if segment.text]
