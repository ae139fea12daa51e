"""Stage 6: the same measurement on the same hosts, before and after, quiet and busy."""

from textual.app import ComposeResult
from textual.binding import Binding

from advisor.base.text import say
from advisor.diagnosis.comparison import Pair, pairs
from advisor.tui.page import Page
from advisor.tui.views import compare as views
from advisor.tui.widgets.listing import Listing
from advisor.tui.widgets.prose import Prose


class CompareScreen(Page):
    stage = "compare"
    main = "#pairs"
    BINDINGS = [Binding("o", "origin", "tui.key.origin")]

    def body(self) -> ComposeResult:
        yield Listing(id="pairs")
        yield Prose(id="distribution")

    def titles(self) -> dict[str, str]:
        return {"#pairs": say("tui.compare.title", self.lang), "#distribution": say("tui.compare.distribution", self.lang)}

    def draw(self) -> None:
        self.query_one("#pairs", Listing).show(views.table(pairs(self.assessment.fabric), self.lang))
        self._draw_pair()

    @property
    def pair(self) -> Pair | None:
        row = self.query_one("#pairs", Listing).row
        found = pairs(self.assessment.fabric)
        return found[int(row.key.removeprefix("pair:"))] if row else None

    def _draw_pair(self) -> None:
        panel = self.query_one("#distribution", Prose)
        panel.show(views.detail(self.pair, self.lang, max(panel.size.width, 60)))

    def on_listing_moved(self) -> None:
        self._draw_pair()

    def on_listing_chosen(self) -> None:
        self.action_origin()

    def action_origin(self) -> None:
        pair = self.pair
        origins = [run.origin for run in pair.runs if run.origin and run.origin.capture] if pair else []
        if origins:
            self.advisor.show_capture(origins[0].capture, origins[0].line or 1)
        else:
            self.advisor.tell("tui.no-origin")
