"""A line to type; it says what enter does with it."""

from textual.binding import Binding
from textual.widgets import Input

from advisor.tui.keys import Keyed


class Field(Keyed, Input):
    """`enter`: key of the words for what enter does here."""

    BINDINGS = [Binding("enter", "submit", "tui.key.submit")]

    def __init__(self, value: str = "", *, enter: str = "tui.key.submit", select_on_focus: bool = False, **given: object) -> None:
        super().__init__(value, select_on_focus=select_on_focus, **given)  # type: ignore[arg-type]
        self.labels = {"submit": enter}
