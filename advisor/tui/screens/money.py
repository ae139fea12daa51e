"""The dialogs of money: currency, taxes, budget and all other settings; one price; a list of quotes."""

from functools import partial

from textual.app import ComposeResult
from textual.binding import Binding

from advisor.base.text import say
from advisor.tui.screens.dialogs import Dialog
from advisor.tui.screens.forms import Ask
from advisor.tui.views import settings as views
from advisor.tui.views.words import Para, text_of, word
from advisor.tui.widgets.listing import Listing
from advisor.tui.widgets.prose import Prose


class MoneyScreen(Dialog):
    """Every setting of money; enter changes one, delete takes it away. Each change counts at once."""

    title_key = "tui.money-set.title"
    BINDINGS = [Binding("delete", "unset", "tui.key.unset")]

    def __init__(self) -> None:
        super().__init__()
        self.add_class("-settings")

    def body(self) -> ComposeResult:
        yield Prose(id="words", focus=False)
        yield Listing(id="settings", enter="tui.key.edit")
        yield Prose(id="about", focus=False)

    def on_mount(self) -> None:
        super().on_mount()
        self.query_one("#words", Prose).show([Para(word(say("tui.money-set.hint", self.lang), "dim"))])
        self._draw()
        self.query_one("#settings").focus()
        self.watch(self.app, "assessment", self._draw, init=False)

    def _draw(self) -> None:
        site = self.advisor.assessment
        if site and self.is_attached:
            self.query_one("#settings", Listing).show(views.table(site.settings, site.own, site.plan, self.lang))
            self._about()

    def on_listing_moved(self) -> None:
        self._about()

    def _about(self) -> None:
        """What the setting under the cursor is, in full: on a narrow screen its column has no room."""
        row = self.query_one("#settings", Listing).row
        self.query_one("#about", Prose).show([Para(row.cells[2])] if row else ())

    def on_listing_chosen(self, message: Listing.Chosen) -> None:
        site = self.advisor.assessment
        if site:
            value = views.value_of(site.settings, message.row.key)
            name = text_of(message.row.cells[0])
            ask = Ask("tui.ask.setting", "tui.ask.setting-hint", value, optional=True, about=name)
            self.app.push_screen(ask, partial(self._set, message.row.key))

    def _set(self, name: str, value: object) -> None:
        if isinstance(value, str):
            from advisor.usecases import reprice

            self.advisor.change("tui.work.reprice", lambda now: reprice.set_money(now, name, value.replace(" ", "") or None))

    def action_unset(self) -> None:
        row = self.query_one("#settings", Listing).row
        if row:
            self._set(row.key, "")
