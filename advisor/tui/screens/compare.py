"""Stage 6: the same measurement on the same hosts on two sides, or against a baseline; and whether the prediction held."""

from functools import partial
from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.binding import Binding
from textual.message import Message

from advisor.base.errors import AdvisorError
from advisor.base.text import Lang, say
from advisor.diagnosis.comparison import Pair
from advisor.tui.page import Page
from advisor.tui.screens.forms import Ask, Asked, Form
from advisor.tui.screens.tabled import Tabled
from advisor.tui.views import compare as views
from advisor.tui.views.words import Para, Row, word
from advisor.tui.widgets.listing import Listing
from advisor.tui.widgets.paint import safe
from advisor.tui.widgets.prose import Prose

if TYPE_CHECKING:
    from advisor.usecases.assess import Assessment
    from advisor.usecases.baseline import Baseline
    from advisor.usecases.compare import Comparison

Sides = tuple[str | None, str | None, str | None]  # before, after, baseline; all None: by the roles of the captures


class Compared(Message):
    """A comparison is here, or why not."""

    def __init__(self, site: "Assessment", sides: Sides, found: "Comparison | None", error: Exception | None = None) -> None:
        super().__init__()
        self.site, self.sides, self.found, self.error = site, sides, found, error


class CompareScreen(Page):
    stage = "compare"
    main = "#pairs"
    BINDINGS = [
        Binding("o", "origin", "tui.key.origin"),
        Binding("c", "sides", "tui.key.sides"),
        Binding("b", "baseline", "tui.key.baseline"),
        Binding("k", "keep", "tui.key.keep-baseline"),
    ]

    def __init__(self) -> None:
        super().__init__()
        self._found: Comparison | None = None
        self._sides: Sides = (None, None, None)

    def body(self) -> ComposeResult:
        yield Prose(id="held")
        yield Listing(id="pairs", enter="tui.key.origin")
        yield Prose(id="distribution")

    def titles(self) -> dict[str, str]:
        lang = self.lang
        return {
            "#pairs": say("tui.compare.title", lang),
            "#distribution": say("tui.compare.distribution", lang),
            "#held": say("compare.prediction", lang),
        }

    def draw(self) -> None:
        if self._found is None:
            self.query_one("#distribution", Prose).show([Para(word(say("tui.compare.making", self.lang), "dim"))])
        else:
            self._draw_found()
        self._compare(self._sides)

    def _compare(self, sides: Sides) -> None:
        self.run_worker(partial(self._work, self.assessment, sides), thread=True, exclusive=True, group="compare", exit_on_error=False)

    def _work(self, site: "Assessment", sides: Sides) -> None:
        from advisor.usecases.compare import compare

        before, after, baseline = sides
        try:
            self.post_message(Compared(site, sides, compare(site, before, after, baseline)))
        except AdvisorError as error:
            self.post_message(Compared(site, sides, None, error))

    def on_compared(self, message: Compared) -> None:
        if message.site is not self.advisor.assessment:
            return
        if message.found is None:
            if message.error:
                self.advisor.explain(message.error)
            return
        self._found, self._sides = message.found, message.sides
        self._draw_found()

    def _draw_found(self) -> None:
        found, lang = self._found, self.lang
        if found is None:
            return
        listing = self.query_one("#pairs", Listing)
        listing.show(views.table(found.pairs, lang, found.alone))
        listing.border_subtitle = safe(views.between(self._sides, lang))
        held = views.held(found, lang)
        self.set_class(bool(held), "-held")
        self.query_one("#held", Prose).show(held)
        self._draw_pair()

    @property
    def pair(self) -> Pair | None:
        row = self.query_one("#pairs", Listing).row
        return views.pair_of(self._found.pairs, row.key) if row and self._found else None

    def _draw_pair(self) -> None:
        panel = self.query_one("#distribution", Prose)
        row = self.query_one("#pairs", Listing).row
        alone = views.alone_of(self._found.alone, row.key) if row and self._found else None
        width = max(panel.size.width, 60)
        panel.show(views.alone_words(alone, self.lang) if alone else views.detail(self.pair, self.lang, width))

    def on_listing_moved(self) -> None:
        self._draw_pair()

    def on_listing_chosen(self) -> None:
        self.action_origin()

    def action_origin(self) -> None:
        pair = self.pair
        origins = [run.origin for run in pair.runs if run.origin and run.origin.capture] if pair else []
        known = [origin for origin in origins if origin.capture in self.assessment.bundle.by_sha]
        if known:
            self.advisor.show_capture(known[0].capture, known[0].line or 1)
        else:
            self.advisor.tell("tui.no-origin")

    # ---- sides and baselines

    def action_sides(self) -> None:
        """Other captures, or captures of the site by the beginnings of their names, as the two sides; empty ones: by their roles."""
        before, after, _ = self._sides
        fields = [
            Asked("before", "tui.compare.side-before", before or "", path=True),
            Asked("after", "tui.compare.side-after", after or "", path=True),
        ]
        about = [Para(word(text)) for text in say("tui.compare.sides-about", self.lang).splitlines()]
        self.app.push_screen(Form("tui.compare.sides", about, fields), self._take_sides)

    def _take_sides(self, given: object) -> None:
        if isinstance(given, dict):
            self._compare((given["before"] or None, given["after"] or None, None))

    def action_baseline(self) -> None:
        """Hold the site's runs against a kept baseline."""
        from advisor.usecases.baseline import baselines

        kept: list[Baseline] = baselines()

        def detail(row: Row, lang: Lang) -> tuple[Para, ...]:
            return views.conditions(kept[int(row.key)], lang)

        def choose(row: Row) -> None:
            self._compare((None, None, kept[int(row.key)].name))

        table = views.baselines(kept, self.lang)
        self.app.push_screen(Tabled("tui.compare.baselines", "tui.compare.baselines-hint", table, detail, choose, "tui.stage.compare"))

    def action_keep(self) -> None:
        name = "".join(char if char.isalnum() or char in "._-" else "-" for char in self.assessment.name)
        self.app.push_screen(Ask("tui.ask.baseline", "tui.ask.baseline-hint", name, enter="tui.key.keep-baseline"), self._keep)

    def _keep(self, name: object) -> None:
        if not isinstance(name, str):
            return
        site = self.assessment

        def job(*_: object) -> "Baseline":
            from advisor.usecases.baseline import keep

            return keep(site, name)

        self.advisor.begin(
            "tui.work.keep", job, lambda kept: self.advisor.tell("compare.baseline-kept", count=len(kept.runs), name=kept.name)
        )

    def leave(self) -> bool:
        if super().leave():
            return True
        if any(self._sides):  # back to what the roles say
            self._compare((None, None, None))
            return True
        return False
