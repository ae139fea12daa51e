"""A dialog with a table; what is known of the row under the cursor stands below it."""

from collections.abc import Callable, Sequence

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding

from advisor.base.text import Lang, say
from advisor.tui.screens.dialogs import Dialog
from advisor.tui.screens.whole import cut_off, read_whole
from advisor.tui.views.words import Para, Row, Table, word
from advisor.tui.widgets.listing import Listing
from advisor.tui.widgets.prose import Prose

Detail = Callable[[Row, Lang], Sequence[Para]]
Choose = Callable[[Row], object]


_AROUND = 14  # lines of the box beside the rows: border, padding, words above and below
_TALLEST = 40  # as app.tcss bounds it


class Tabled(Dialog):
    """`detail`: words of a row. `choose`: what enter does with a row, after the dialog is gone; `enter`: key of the words for it."""

    BINDINGS = [Binding("z", "whole", "tui.key.whole")]

    def __init__(self, title: str, hint: str, table: Table, detail: Detail, choose: Choose, enter: str) -> None:
        super().__init__()
        self.title_key = title
        self._hint, self._table, self._detail, self._choose, self._enter = hint, table, detail, choose, enter
        self.add_class("-tabled")
        self.set_class(not table.rows, "-empty")

    def on_resize(self, event: events.Resize) -> None:
        """Few rows on a tall screen: the box is as high as they are, with the words about them near."""
        rows = self.query_one("#rows", Listing)
        high = len(self._table.rows) + 3  # head and border
        short = bool(self._table.rows) and high + _AROUND <= min(event.size.height * 9 // 10, _TALLEST)
        self.set_class(short, "-short")
        rows.styles.max_height = high if short else None

    def body(self) -> ComposeResult:
        yield Prose(id="words", focus=False)
        yield Listing(id="rows", enter=self._enter)
        yield Prose(id="detail", focus=False)

    def on_mount(self) -> None:
        super().on_mount()
        self.query_one("#words", Prose).show([Para(word(say(self._hint, self.lang), "dim"))])
        rows = self.query_one("#rows", Listing)
        rows.show(self._table)
        rows.focus()
        self.call_after_refresh(self._draw)

    def _draw(self) -> None:
        row = self.query_one("#rows", Listing).row
        self.query_one("#detail", Prose).show(self._detail(row, self.lang) if row else ())

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        return bool(cut_off(self)) if action == "whole" else super().check_action(action, parameters)

    def action_whole(self) -> None:
        read_whole(self)

    def on_listing_moved(self) -> None:
        self._draw()

    def on_listing_chosen(self, message: Listing.Chosen) -> None:
        self.dismiss(None)
        self.app.call_later(self._choose, message.row)
