"""Stage 5: scenarios side by side, what the chosen one is made of, prices that can be put right, and what money buys at best."""

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding
from textual.message import Message

from advisor.base.text import say
from advisor.cost.model import Estimate, Line, Scenario
from advisor.tui.page import Page
from advisor.tui.screens.dialogs import Reading
from advisor.tui.screens.forms import Asked, Form
from advisor.tui.screens.money import MoneyScreen
from advisor.tui.views import costs as views
from advisor.tui.views import pricing
from advisor.tui.views.frontier import frontier
from advisor.tui.widgets.listing import Listing
from advisor.tui.widgets.prose import Prose

if TYPE_CHECKING:
    from advisor.usecases.assess import Assessment
    from advisor.usecases.reprice import Repriced


class Solved(Message):
    """The sets of remedies that no other beats are here."""

    def __init__(self, site: "Assessment", points: tuple[Scenario, ...], left_out: Mapping[str, object]) -> None:
        super().__init__()
        self.site, self.points, self.left_out = site, points, left_out


class CostsScreen(Page):
    stage = "costs"
    main = "#scenarios"
    BINDINGS = [
        Binding("b", "breakdown", "tui.key.breakdown"),
        Binding("p", "plot", "tui.key.frontier"),
        Binding("e", "price", "tui.key.price"),
        Binding("r", "book_price", "tui.key.book-price", show=False),
        Binding("g", "quotes", "tui.key.quotes"),
        Binding("c", "money", "tui.key.money"),
        Binding("f", "fold", "tui.key.fold-all"),
    ]

    def __init__(self) -> None:
        super().__init__()
        self._folded: frozenset[str] = frozenset()
        self._best: tuple[Scenario, ...] = ()
        self._left_out: Mapping[str, object] = {}
        self._solved: Assessment | None = None

    def body(self) -> ComposeResult:
        yield Listing(id="scenarios", enter="tui.key.breakdown")
        yield Prose(id="note", focus=False)
        yield Listing(id="breakdown", enter="tui.key.where-from")
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

    @property
    def line(self) -> Line | None:
        """The line of the breakdown that the cursor is on."""
        row = self.query_one("#breakdown", Listing).row
        return views.line_of(self.estimate, row.key) if row else None

    def _draw_breakdown(self) -> None:
        plan, lang = self.assessment.plan, self.lang
        row = self.query_one("#scenarios", Listing).row
        self.query_one("#note", Prose).show(views.note_of(plan, row.key if row else "", lang))
        self.query_one("#breakdown", Listing).show(views.breakdown(self.estimate, plan, lang, self._folded))
        self._draw_price()

    def _draw_price(self) -> None:
        self.query_one("#price", Prose).show(views.detail(self.line, self.lang))

    # ---- what money buys

    def _draw_frontier(self) -> None:
        if not self.has_class("-frontier"):
            return
        site = self.assessment
        if self._solved is not site:
            self._best = ()
            self.run_worker(partial(self._solve, site), thread=True, exclusive=True, group="frontier", exit_on_error=False)
        panel = self.query_one("#frontier", Prose)
        budget = site.settings.budget
        panel.show(frontier(site.plan, self.lang, panel.size.width, panel.size.height, self._best, budget, len(self._left_out)))

    def _solve(self, site: "Assessment") -> None:
        from advisor.usecases.budget import efficient_frontier

        found = efficient_frontier(site)
        self.post_message(Solved(site, found.points, found.left_out))

    def on_solved(self, message: Solved) -> None:
        if message.site is self.advisor.assessment:
            self._solved, self._best, self._left_out = message.site, message.points, message.left_out
            self._draw_frontier()

    def action_plot(self) -> None:
        """The plot of recovery against cost in the place of the breakdown, and back."""
        self.toggle_class("-frontier")
        self.call_after_refresh(self._draw_frontier)
        self.query_one("#frontier" if self.has_class("-frontier") else "#scenarios").focus()

    def on_resize(self, event: events.Resize) -> None:
        super().on_resize(event)
        if self.advisor.assessment:
            self.call_after_refresh(self._draw_frontier)

    # ---- going about

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
        elif self.line:
            self.app.push_screen(Reading("tui.costs.price-title", pricing.whole(self.line, self.assessment.today, self.lang)))

    def on_listing_unfold(self, message: Listing.Unfold) -> None:
        self._fold(message.row.key)

    def _fold(self, key: str) -> None:
        self._folded ^= {key}
        self._draw_breakdown()

    def action_breakdown(self) -> None:
        self.remove_class("-frontier")
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

    # ---- prices

    def action_price(self) -> None:
        """Another price for the line that the cursor is on, in place."""
        listing = self.query_one("#breakdown", Listing)
        line = views.nearest_line(self.estimate, listing.table, listing.row.key) if listing.row else None
        price = (line.price or self.assessment.prices.get(line.item)) if line else None
        if price is None:
            self.advisor.tell("tui.costs.no-line")
            return
        fields = [
            Asked("amount", "tui.price.amount", pricing.typed(price.price), needed=True, brief=True),
            Asked("currency", "tui.price.currency", price.currency, brief=True),
            Asked("source", "tui.price.source"),
            Asked("why", "tui.price.why"),
        ]
        about = pricing.head(price, self.assessment.today, self.lang)
        self.app.push_screen(Form("tui.price.title", about, fields, "tui.price.hint"), partial(self._priced, price.id))

    def _priced(self, item: str, given: object) -> None:
        if not isinstance(given, Mapping):
            return
        from advisor.usecases import reprice

        amounts = pricing.amounts(given["amount"])
        currency = given["currency"].upper() or None
        self.advisor.change(
            "tui.work.reprice",
            lambda now: reprice.set_price(now, item, amounts, currency, given["source"], given["why"]).assessment,
            lambda: self.advisor.tell("tui.price.set", item=item),
        )

    def action_book_price(self) -> None:
        """The price of the book again in the place of an own one."""
        line = self.line
        if line and line.price:
            from advisor.usecases import reprice

            item = line.price.id
            self.advisor.change("tui.work.reprice", lambda now: reprice.drop_price(now, item))

    def action_quotes(self) -> None:
        fields = [
            Asked("path", "tui.quotes.path", str(Path.cwd()) + "/", needed=True, path=True),
            Asked("currency", "tui.quotes.currency", brief=True),
            Asked("source", "tui.quotes.source", brief=True),
            Asked("date", "tui.quotes.date", self.assessment.today.isoformat(), brief=True),
            Asked("days", "tui.quotes.days", str(pricing.QUOTE_DAYS), brief=True),
        ]
        self.app.push_screen(Form("tui.quotes.title", pricing.quotes_about(self.lang), fields), self._quoted)

    def _quoted(self, given: object) -> None:
        if not isinstance(given, Mapping):
            return
        from advisor.usecases import reprice

        found: list[Repriced] = []

        def change(now: "Assessment") -> "Assessment":
            of_all = pricing.defaults(given["currency"], given["date"], given["days"], given["source"])
            found.append(reprice.take_quotes(now, Path(given["path"]).expanduser(), of_all))
            return found[0].assessment

        def after() -> None:
            self.app.push_screen(Reading("tui.quotes.taken", pricing.changes(found[0].changes, self.lang)))

        self.advisor.change("tui.work.reprice", change, after)

    def action_money(self) -> None:
        self.app.push_screen(MoneyScreen())
