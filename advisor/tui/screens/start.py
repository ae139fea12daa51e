"""The start: recent assessments, a new one, one to open, or the example site."""

from textual.app import ComposeResult
from textual.binding import Binding

from advisor.base.text import say
from advisor.tui.page import Page
from advisor.tui.views import start as views
from advisor.tui.widgets.listing import Listing
from advisor.tui.widgets.prose import Prose


class StartScreen(Page):
    main = "#acts"
    BINDINGS = [
        Binding("n", "app.import", "tui.key.new"),
        Binding("o", "app.open", "tui.key.open"),
        Binding("e", "app.example", "tui.key.example"),
        Binding("t", "app.tour", "tui.key.tour"),
    ]

    def body(self) -> ComposeResult:
        yield Prose(id="welcome", focus=False)
        yield Listing(id="acts", enter="tui.key.act")
        yield Listing(id="recent")

    def titles(self) -> dict[str, str]:
        return {"#acts": say("tui.start.begin", self.lang), "#recent": say("tui.start.recent", self.lang)}

    def draw(self) -> None:
        from advisor.usecases.recent import recent

        self.query_one("#welcome", Prose).show(views.welcome(self.lang))
        kept = recent()
        acts = self.query_one("#acts", Listing)
        acts.show(views.acts(self.lang), at=None if acts.row else "new" if kept else "tour")
        self.query_one("#recent", Listing).show(views.recent(kept, self.lang))

    def on_listing_chosen(self, message: Listing.Chosen) -> None:
        if message.listing.id == "recent":
            self.advisor.open(message.row.key)
            return
        app = self.advisor
        {"tour": app.action_tour, "new": app.action_import, "open": app.action_open, "example": app.action_example}[message.row.key]()
