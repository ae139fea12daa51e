"""Stage 5: scenarios side by side, and below them what the chosen one is made of."""

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding

from advisor.base.text import say
from advisor.cost.model import Estimate
from advisor.tui.page import Page
from advisor.tui.views import costs as views
from advisor.tui.views.frontier import frontier
from advisor.tui.widgets.listing import Listing
from advisor.tui.widgets.prose import Prose


class CostsScreen(Page):
    stage = "costs"
    main = "#scenarios"
    BINDINGS = [
        Binding("b", "breakdown", "tui.key.breakdown"),
        Binding("p", "plot", "tui.key.frontier"),
        Binding("f", "fold", "tui.key.fold-all"),
    ]

    def __init__(self) -> None:
        super().__init__()
        self._folded: frozenset[str] = frozenset()

    def body(self) -> ComposeResult:
        yield Listing(id="scenarios")
        yield Prose(id="note", focus=False)
        yield Listing(id="breakdown")
        yield Prose(id="price", focus=False)
        yield Prose(id="frontier")

    def titles(self) -> dict[str, str]:
        currency = self.assessment.plan.currency if self.advisor.assessment else ""
        return {
            "#scenarios": f"{say('tui.costs.scenarios', self.lang)} · {currency}",
            "#breakdown": say("tui.costs.breakdown", self.lang),
            "#frontier": say("tui.costs.frontier", self.lang),
        }

    def draw(self) -> None:
        plan = self.assessment.plan
        listing = self.query_one("#scenarios", Listing)
        first = None if listing.row or plan.taken.lines else views.first_with_lines(plan)
        listing.show(views.scenarios(plan, self.lang), at=first)
        self._draw_breakdown()
        self._draw_frontier()

    @property
    def estimate(self) -> Estimate:
        row = self.query_one("#scenarios", Listing).row
        return views.estimate_of(self.assessment.plan, row.key if row else "")

    def _draw_breakdown(self) -> None:
        plan, lang = self.assessment.plan, self.lang
        row = self.query_one("#scenarios", Listing).row
        self.query_one("#note", Prose).show(views.note_of(plan, row.key if row else "", lang))
        self.query_one("#breakdown", Listing).show(views.breakdown(self.estimate, plan, lang, self._folded))
        self._draw_price()

    def _draw_frontier(self) -> None:
        if self.has_class("-frontier"):
            panel = self.query_one("#frontier", Prose)
            panel.show(frontier(self.assessment.plan, self.lang, panel.size.width, panel.size.height))

    def action_plot(self) -> None:
        """The plot of recovery against cost in the place of the breakdown, and back."""
        self.toggle_class("-frontier")
        self.call_after_refresh(self._draw_frontier)
        self.query_one("#scenarios").focus()

    def on_resize(self, event: events.Resize) -> None:
        super().on_resize(event)
        if self.advisor.assessment:
            self.call_after_refresh(self._draw_frontier)

    def _draw_price(self) -> None:
        row = self.query_one("#breakdown", Listing).row
        line = views.line_of(self.estimate, row.key) if row else None
        self.query_one("#price", Prose).show(views.detail(line, self.lang))

    def on_listing_moved(self, message: Listing.Moved) -> None:
        if message.listing.id == "scenarios":
            self._draw_breakdown()
        else:
            self._draw_price()

    def on_listing_chosen(self, message: Listing.Chosen) -> None:
        if message.listing.id == "scenarios":
            self.query_one("#breakdown").focus()
        elif message.row.opened is not None:
            self._fold(message.row.key)

    def on_listing_unfold(self, message: Listing.Unfold) -> None:
        self._fold(message.row.key)

    def _fold(self, key: str) -> None:
        self._folded ^= {key}
        self._draw_breakdown()

    def action_breakdown(self) -> None:
        self.query_one("#breakdown").focus()

    def action_fold(self) -> None:
        groups = frozenset(f"group:{group}" for group in views.GROUPS)
        self._folded = frozenset() if self._folded >= groups else groups
        self._draw_breakdown()

    def leave(self) -> bool:
        if super().leave():
            return True
        if self.has_class("-frontier"):
            self.action_plot()
            return True
        if self.focused is self.query_one("#breakdown"):
            self.query_one("#scenarios").focus()
            return True
        return False
