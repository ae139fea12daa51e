"""Stage 4: one remedy at a time, cheapest first; the bar on top grows with what is taken."""

from functools import partial
from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal
from textual.message import Message

from advisor.base.text import say
from advisor.plan.plan import Choice
from advisor.tui.page import Page
from advisor.tui.screens.forms import Ask
from advisor.tui.views import remedies as views
from advisor.tui.widgets.listing import Listing
from advisor.tui.widgets.paint import safe
from advisor.tui.widgets.prose import Prose

if TYPE_CHECKING:
    from advisor.usecases.assess import Assessment


class Tried(Message):
    """What a remedy would bring is here, and what was worked out for it."""

    def __init__(self, site: "Assessment", trial: views.Trial, found: dict[frozenset[str], float | None]) -> None:
        super().__init__()
        self.site, self.trial, self.found = site, trial, found


class RemediesScreen(Page):
    stage = "remedies"
    main = "#ladder"
    BINDINGS = [
        Binding("t", "choose('take')", "tui.key.take"),
        Binding("s", "skip", "tui.key.skip"),
        Binding("l", "choose('later')", "tui.key.later"),
        Binding("u", "choose('open')", "tui.key.undecide"),
        Binding("n", "next", "tui.key.next-open"),
    ]

    def body(self) -> ComposeResult:
        yield Prose(id="bar", focus=False)
        with Horizontal(id="walk-of-remedies"):
            yield Listing(id="ladder", enter="tui.key.details")
            yield Prose(id="remedy")

    def __init__(self) -> None:
        super().__init__()
        self._trial: views.Trial | None = None
        self._known: dict[frozenset[str], float | None] = {}  # what the jobs reach with these remedies
        self._of: object = None  # the fabric that this was worked out for

    def titles(self) -> dict[str, str]:
        return {"#bar": say("tui.plan.so-far-title", self.lang), "#ladder": say("tui.plan.ladder", self.lang)}

    def draw(self) -> None:
        self.query_one("#ladder", Listing).show(views.ladder(self.assessment.plan, self.lang))
        self._draw_bar()
        self.call_after_refresh(self._draw_bar)  # its width is known then
        self._draw_remedy()
        self._try()

    def _draw_bar(self) -> None:
        bar = self.query_one("#bar", Prose)
        trial = self._trial if self._trial and self._trial.remedy == self.remedy else None
        bar.show(views.live_bar(self.assessment.plan, self.assessment.diagnosis, self.lang, max(bar.size.width, 40), trial))

    def on_resize(self, event: object) -> None:  # the bar is as long as there is room
        super().on_resize(event)  # type: ignore[arg-type]
        if self.advisor.assessment and self._drawn:
            self.call_after_refresh(self.redraw)

    @property
    def remedy(self) -> str:
        row = self.query_one("#ladder", Listing).row
        return row.key if row else ""

    def _draw_remedy(self) -> None:
        plan, lang = self.assessment.plan, self.lang
        rung = views.rung_of(plan, self.remedy)
        panel = self.query_one("#remedy", Prose)
        panel.show(views.detail(rung, plan, self.assessment.diagnosis, lang))
        panel.border_title = safe(rung.proposal.remedy.title.say(lang)) if rung else None

    def on_listing_moved(self) -> None:
        self._draw_remedy()
        self._try()

    # ---- what if

    def _try(self) -> None:
        """Ask the model what the remedy under the cursor would bring beside what is taken; the answer comes while one reads."""
        site, remedy = self.assessment, self.remedy
        if self._of is not site.fabric:
            self._of, self._known = site.fabric, {}
        rung = views.rung_of(site.plan, remedy)
        if rung is None:
            return
        taken = frozenset(each.proposal.remedy.id for each in site.plan.rungs if each.decision.choice == "take")
        if not rung.proposal.remedy.changes:
            self._show_trial(views.Trial(remedy, speaks=False))
        elif taken in self._known and taken ^ {remedy} in self._known:
            self._show_trial(views.Trial(remedy, self._known[taken], self._known[taken ^ {remedy}]))
        else:
            work = partial(self._reach, site, remedy, taken)
            self.run_worker(work, thread=True, exclusive=True, group="whatif", exit_on_error=False)

    def _reach(self, site: "Assessment", remedy: str, taken: frozenset[str]) -> None:
        from advisor.base.errors import AdvisorError
        from advisor.usecases.whatif import reached_with

        found: dict[frozenset[str], float | None] = {}
        for those in (taken, taken ^ {remedy}):
            try:
                found[those] = self._known[those] if those in self._known else reached_with(site, sorted(those))
            except AdvisorError:  # of knowledge that the model does not know
                found[those] = None
        self.post_message(Tried(site, views.Trial(remedy, found[taken], found[taken ^ {remedy}]), found))

    def on_tried(self, message: "Tried") -> None:
        if message.site.fabric is self._of:
            self._known |= message.found
        if message.site is self.advisor.assessment and message.trial.remedy == self.remedy:
            self._show_trial(message.trial)

    def _show_trial(self, trial: views.Trial) -> None:
        self._trial = trial
        self._draw_bar()

    def on_listing_chosen(self) -> None:
        self.query_one("#remedy", Prose).focus()

    def leave(self) -> bool:
        if super().leave():
            return True
        if self.focused is self.query_one("#remedy"):
            self.query_one("#ladder").focus()
            return True
        return False

    # ---- decisions

    def action_choose(self, choice: Choice) -> None:
        self._decide(self.remedy, choice, "")

    def action_skip(self) -> None:
        remedy = self.remedy
        rung = views.rung_of(self.assessment.plan, remedy)
        if rung:
            ask = Ask(
                "tui.ask.skip",
                "tui.ask.skip-hint",
                rung.decision.reason,
                optional=True,
                about=rung.proposal.remedy.title.say(self.lang),
                enter="tui.key.skip",
            )
            self.app.push_screen(ask, partial(self._skipped, remedy))

    def _skipped(self, remedy: str, reason: object) -> None:
        if isinstance(reason, str):
            self._decide(remedy, "skip", reason)

    def _decide(self, remedy: str, choice: Choice, reason: str) -> None:
        if not remedy:
            return
        from advisor.usecases import assess

        after = partial(self._go_on, remedy) if choice != "open" else None
        self.advisor.change("tui.work.decide", lambda now: assess.decide(now, remedy, choice, reason), after)

    def _go_on(self, remedy: str) -> None:
        """The cursor goes to the next remedy that is open, as on a walk."""
        name = views.next_open(self.assessment.plan, remedy)
        if name and self.remedy == remedy:
            self.query_one("#ladder", Listing).go_to(name)

    def action_next(self) -> None:
        name = views.next_open(self.assessment.plan, self.remedy)
        if name:
            self.query_one("#ladder", Listing).go_to(name)
        else:
            self.advisor.tell("tui.plan.all-decided")
