"""The walk: seven stages with their state, and below them the layers. A click goes to a stage."""

from textual import events
from textual.message import Message
from textual.strip import Strip

from advisor.tui.views.words import Phrase, Span
from advisor.tui.widgets.paint import Painted, fitted, line, width_of


class Rail(Painted):
    DEFAULT_CSS = """
    Rail { width: 19; background: $background; border: round $border-blurred; padding: 0 1; }
    Rail > .rail--here { background: $panel; }
    Rail:nocolor > .rail--here { text-style: reverse; }
    """
    COMPONENT_CLASSES = {"rail--here"}

    class Picked(Message):
        def __init__(self, place: int) -> None:
            super().__init__()
            self.place = place

    def __init__(self) -> None:
        super().__init__()
        self._stages: tuple[tuple[Phrase, Phrase], ...] = ()
        self._below: tuple[Phrase, ...] = ()
        self._here = -1

    def show(self, lines: tuple[tuple[Phrase, Phrase], ...], here: int, below: tuple[Phrase, ...]) -> None:
        """`lines`: name and sign of each stage."""
        with self.only_changes():
            self._stages, self._here, self._below = lines, here, below

    def render_line(self, y: int) -> Strip:
        width, height = self.size.width, self.size.height
        phrase: Phrase = (Span(""),)
        if y < len(self._stages):
            base = self.get_component_rich_style("rail--here", partial=True) if y == self._here else None
            fill = self.rich_style + base if base else self.rich_style
            name, sign = self._stages[y]
            room = width - width_of(sign)
            return line([*fitted(self.paint(name, base), room, fill=fill), *self.paint(sign, base)], width, fill)
        if height >= len(self._stages) + len(self._below) + 1:
            at = y - (height - len(self._below))
            if 0 <= at < len(self._below):
                phrase = self._below[at]
        return line(self.paint(phrase), width, self.rich_style)

    def on_click(self, event: events.Click) -> None:
        place = event.y - self.gutter.top
        if 0 <= place < len(self._stages):
            self.post_message(self.Picked(place))
