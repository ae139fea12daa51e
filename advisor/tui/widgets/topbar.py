"""The first line: what is open, and the answer so far; while something goes on, how far it is."""

from textual.strip import Strip

from advisor.tui.views.words import Phrase, Span, joined
from advisor.tui.widgets.paint import Painted, fitted, line, width_of


class TopBar(Painted):
    DEFAULT_CSS = """
    TopBar { height: 1; background: $panel; color: $foreground; }
    """

    def __init__(self) -> None:
        super().__init__()
        self._left: Phrase = ()
        self._pieces: tuple[Phrase, ...] = ()

    def show(self, left: Phrase, pieces: tuple[Phrase, ...]) -> None:
        """`pieces` stand right; the last ones go first where there is no room."""
        with self.only_changes():
            self._left, self._pieces = left, pieces

    def render_line(self, y: int) -> Strip:
        width = self.size.width
        pieces = list(self._pieces)
        right = joined(*pieces, between=" ▏")
        least = min(width_of(self._left), max(width // 5, 16))
        while len(pieces) > 1 and width_of(right) + least + 4 > width:
            pieces.pop()
            right = joined(*pieces, between=" ▏")
        room = max(width - width_of(right) - 3, 0)
        left = fitted(self.paint((Span(" "), *self._left)), room, fill=self.rich_style)
        return line([*left, *self.paint((Span("  "), *right, Span(" ")))], width, self.rich_style)
