"""Jump keys: a letter on each pane, and that letter goes there. A click on the letter does too."""

from textual import events
from textual.app import ComposeResult
from textual.screen import ModalScreen
from textual.strip import Strip
from textual.widget import Widget

from advisor.tui.keys import Keyed
from advisor.tui.views.words import Span
from advisor.tui.widgets.paint import Painted, line

_LETTERS = "asdfghjkl"  # the row under the fingers


class Letter(Painted):
    """The letter of a pane, at the right end of its first line."""

    DEFAULT_CSS = """
    Letter { width: 3; height: 1; background: $primary; color: $background; text-style: bold; }
    Letter:nocolor, Letter:ansi { text-style: bold reverse; }
    """

    def __init__(self, letter: str, pane: Widget) -> None:
        super().__init__()
        self.letter, self.pane = letter, pane

    def render_line(self, y: int) -> Strip:
        return line(self.paint((Span(f" {self.letter} "),)), self.size.width, self.rich_style)

    def on_click(self) -> None:
        if isinstance(self.screen, JumpScreen):
            self.screen.go(self.letter)


class JumpScreen(Keyed, ModalScreen[object]):
    DEFAULT_CSS = "JumpScreen { background: transparent; align: left top; }"

    def __init__(self, panes: list[Widget]) -> None:
        super().__init__()
        self._panes = dict(zip(_LETTERS, panes, strict=False))

    def compose(self) -> ComposeResult:
        for letter, pane in self._panes.items():
            mark = Letter(letter, pane)
            mark.styles.position = "absolute"
            mark.styles.offset = (max(pane.region.right - 5, pane.region.x), pane.region.y)  # what stands there first stays readable
            yield mark

    def on_key(self, event: events.Key) -> None:
        """Any other key ends it."""
        event.stop()
        self.go(event.key)

    def go(self, letter: str) -> None:
        pane = self._panes.get(letter)
        self.dismiss(None)
        if pane:
            pane.focus()
