"""Paragraphs, wrapped to the width there is, with a scroll bar where they are long."""

from collections.abc import Sequence

from rich.segment import Segment
from textual.binding import Binding
from textual.geometry import Size
from textual.scroll_view import ScrollView
from textual.strip import Strip

from advisor.tui.views.words import Para, Phrase, Span, text_of
from advisor.tui.widgets.paint import Copied, Painted, harmless, line, wrapped


class Prose(Painted, ScrollView, can_focus=True):
    DEFAULT_CSS = """
    Prose { background: $surface; scrollbar-size-vertical: 1; overflow: hidden auto; }
    Prose.-still { overflow-y: hidden; }
    """
    BINDINGS = [
        Binding("up", "scroll_up", "tui.key.up", show=False),
        Binding("down", "scroll_down", "tui.key.down", show=False),
        Binding("pageup", "page_up", "tui.key.page-up", show=False),
        Binding("pagedown", "page_down", "tui.key.page-down", show=False),
        Binding("home", "scroll_home", "tui.key.top", show=False),
        Binding("end", "scroll_end", "tui.key.bottom", show=False),
        Binding("y,Y", "copy", "tui.key.copy", show=False),
    ]

    def __init__(self, id: str | None = None, classes: str | None = None, focus: bool = True) -> None:
        super().__init__(id=id, classes=classes)
        self.can_focus = focus
        self.set_class(not focus, "-still")
        self._paras: Sequence[Para] = ()
        self._wrapped: list[Phrase] = []
        self._was_longer = False

    @property
    def paras(self) -> Sequence[Para]:
        return self._paras

    def show(self, paras: Sequence[Para], keep: bool = False) -> None:
        """Show paragraphs, from the top unless `keep`."""
        lines = len(self._wrapped)
        with self.only_changes():
            self._paras = paras
            self._wrap()
            if not keep:
                self.scroll_to(y=0, animate=False, immediate=True, force=True)
        if self.styles.auto_dimensions and len(self._wrapped) != lines:
            self.refresh(layout=True)

    def action_copy(self) -> None:
        """All of it, as plain text, unwrapped."""
        self.post_message(Copied("\n".join(harmless(text_of(para.phrase)) for para in self._paras)))

    def find(self, needle: str) -> None:
        """Go to the next line that holds a text."""
        wanted = needle.casefold()
        start = self.scroll_offset.y + 1
        for i in [*range(start, len(self._wrapped)), *range(start)]:
            if wanted and i < len(self._wrapped) and wanted in "".join(span.text for span in self._wrapped[i]).casefold():
                self.scroll_to(y=i, animate=False, immediate=True, force=True)
                return

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """As many lines as the paragraphs take, for `height: auto`."""
        return sum(len(wrapped(para, max(width - 1, 8))) for para in self._paras)

    def on_resize(self) -> None:
        self._wrap()
        self.refresh()  # what was painted before this message came was wrapped to the old width

    def _wrap(self) -> None:
        self._wrapped = self._lines_of(self.size.width - 1)
        if len(self._wrapped) > self.size.height:  # a blank between the text and the bar
            self._wrapped = self._lines_of(self.size.width - 2)
        self.virtual_size = Size(self.size.width, len(self._wrapped))
        longer = len(self._wrapped) > self.size.height
        if longer != self._was_longer and not self.can_focus and self.is_attached:
            self.screen.refresh_bindings()  # a key reads all of it
        self._was_longer = longer

    def _lines_of(self, width: int) -> list[Phrase]:
        return [phrase for para in self._paras for phrase in wrapped(para, max(width, 8))]

    def render_line(self, y: int) -> Strip:
        at = y + self.scroll_offset.y
        phrase: Phrase = self._wrapped[at] if at < len(self._wrapped) else (Span(""),)
        segments: list[Segment] = self.paint(phrase)
        width = self.size.width
        if y == self.size.height - 1 and at + 1 < len(self._wrapped) and not self.can_focus:
            return line([*line(segments, width - 1, self.rich_style), Segment("…", self.tone("dim"))], width, self.rich_style)
        return line(segments, width, self.rich_style)
