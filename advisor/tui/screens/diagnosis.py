"""Stage 3: the verdict that can be defended. Every cause opens to its evidence, every piece of evidence to its line."""

from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Container

from advisor.base.text import Lang, say
from advisor.diagnosis.verdict import Cause
from advisor.tui.page import Page
from advisor.tui.screens.asking import ask
from advisor.tui.screens.dialogs import Reading
from advisor.tui.screens.overruling import OverruleScreen, Said
from advisor.tui.screens.tabled import Tabled
from advisor.tui.views import diagnosis as views
from advisor.tui.views import flow, frame
from advisor.tui.views.words import Para, Row
from advisor.tui.widgets.listing import Listing
from advisor.tui.widgets.paint import safe
from advisor.tui.widgets.prose import Prose


class DiagnosisScreen(Page):
    stage = "diagnosis"
    main = "#causes"
    BINDINGS = [
        Binding("x", "aside", "tui.key.aside"),
        Binding("X", "all_back", "tui.key.all-back", show=False),
        Binding("o", "overrule", "tui.key.overrule"),
        Binding("w", "walk", "tui.key.walk"),
        Binding("t", "turning", "tui.key.turning"),
        Binding("f", "flow", "tui.key.flow"),
        Binding("b", "probes", "tui.key.probes"),
        Binding("p", "copy_probe", "tui.key.copy-probe"),
    ]

    def body(self) -> ComposeResult:
        with Container(id="question"):
            yield Prose(id="money")
            yield Prose(id="walk", focus=False)
        yield Listing(id="causes", enter="tui.key.to-evidence")
        yield Listing(id="evidence", enter="tui.key.origin")
        yield Prose(id="detail")
        yield Prose(id="probe")

    def titles(self) -> dict[str, str]:
        return {
            "#question": say("tui.money.title", self.lang),
            "#causes": say("tui.cause.heading", self.lang),
            "#probe": say("tui.probe.change", self.lang),
        }

    def draw(self) -> None:
        diagnosis, lang = self.assessment.diagnosis, self.lang
        self._draw_money()
        self.call_after_refresh(self._draw_money)  # its width is known then
        self.query_one("#walk", Prose).show((Para(views.walk(diagnosis, lang)),))
        self.query_one("#causes", Listing).show(views.causes(diagnosis, lang))
        self.query_one("#probe", Prose).show((*frame.probe_lines(diagnosis, lang), *views.missing(diagnosis, lang)))
        self.set_class(not diagnosis.causes, "-open")
        self._draw_evidence()

    def _draw_money(self) -> None:
        money = self.query_one("#money", Prose)
        money.show(views.money(self.assessment.diagnosis, self.lang, max(money.size.width, 40)))

    def on_resize(self, event: object) -> None:  # the bars are as long as there is room
        super().on_resize(event)  # type: ignore[arg-type]
        if self.advisor.assessment and self._drawn:
            self.call_after_refresh(self.redraw)

    @property
    def cause(self) -> Cause | None:
        row = self.query_one("#causes", Listing).row
        return next((cause for cause in self.assessment.diagnosis.causes if row and cause.cause == row.key), None)

    def _draw_evidence(self) -> None:
        cause = self.cause
        listing = self.query_one("#evidence", Listing)
        listing.show(views.evidence(cause, self.assessment.set_aside, self.lang))
        listing.border_title = safe(
            say("tui.cause.why", self.lang, cause=cause.title.say(self.lang)) if cause else say("tui.cause.no-why", self.lang)
        )
        self._draw_detail()

    def _draw_detail(self) -> None:
        row = self.query_one("#evidence", Listing).row
        item = views.evidence_of(self.cause, row.key) if row else None
        self.query_one("#detail", Prose).show(views.detail(self.cause, item, self.lang, self.assessment.diagnosis))

    def on_listing_moved(self, message: Listing.Moved) -> None:
        if message.listing.id == "causes":
            self._draw_evidence()
        else:
            self._draw_detail()

    def on_listing_chosen(self, message: Listing.Chosen) -> None:
        if message.listing.id == "causes":
            self.query_one("#evidence", Listing).focus()
            return
        origin = views.place_of(views.evidence_of(self.cause, message.row.key))
        if origin:
            self.advisor.show_capture(origin.capture, origin.line or 1)
        else:
            self.advisor.tell("tui.no-origin")

    def leave(self) -> bool:
        if super().leave():
            return True
        if self.focused is self.query_one("#evidence"):
            self.query_one("#causes").focus()
            return True
        return False

    def action_aside(self) -> None:
        """Set a piece of evidence aside, or take it back: what if it were wrong?"""
        row = self.query_one("#evidence", Listing).row
        measure = views.measure_of(self.cause, row.key) if row else None
        if measure is None:
            return
        self._put_aside(measure)

    def _put_aside(self, measure: str) -> None:
        from advisor.usecases import assess

        self.advisor.change("tui.work.aside", lambda now: assess.set_aside(now, now.set_aside ^ {measure}))

    def action_all_back(self) -> None:
        if self.assessment.set_aside:
            from advisor.usecases import assess

            self.advisor.change("tui.work.aside", lambda now: assess.set_aside(now, frozenset()))

    def action_overrule(self) -> None:
        """Put a verdict of one's own in place of the evidence's, or take it back."""
        self.app.push_screen(OverruleScreen(self.assessment.diagnosis), self._overruled)

    def _overruled(self, said: object) -> None:
        if not isinstance(said, Said):
            return
        from advisor.usecases import assess

        if said.verdict:
            verdict, reason = said.verdict, said.reason
            self.advisor.change("tui.work.overrule", lambda now: assess.overrule(now, verdict, reason))
        elif self.assessment.overrule:
            self.advisor.change("tui.work.overrule", assess.undo_overrule)

    def action_walk(self) -> None:
        """The gates with what each saw, what is not known, and every probe."""
        self.app.push_screen(Reading("tui.walk.title", views.whole_walk(self.assessment.diagnosis, self.lang)))

    def action_turning(self) -> None:
        """What the verdict hangs on, and what would turn it."""
        diagnosis = self.assessment.diagnosis

        def detail(row: Row, lang: Lang) -> tuple[Para, ...]:
            return views.turning_detail(diagnosis, row.key, lang)

        table = views.turning(diagnosis, self.lang)
        self.app.push_screen(Tabled("tui.turning.title", "tui.turning.hint", table, detail, self._set_measure, "tui.key.set-aside"))

    def _set_measure(self, row: Row) -> None:
        """Set the measure of a row aside: the verdict without it stands on the screen then."""
        measure = row.key.partition(":")[2] if row.key.startswith("without:") else ""
        if measure:
            self._put_aside(measure)

    def action_flow(self) -> None:
        """What NIC and switch make of each priority."""
        found = self.assessment.diagnosis.flow_control

        def detail(row: Row, lang: Lang) -> tuple[Para, ...]:
            return flow.detail(found, row.key, lang)

        def choose(row: Row) -> None:
            origin = flow.origin_of(found, row.key)
            if origin:
                self.advisor.show_capture(origin.capture, origin.line or 1)

        self.app.push_screen(Tabled("flow-control.title", "tui.flow.hint", flow.table(found, self.lang), detail, choose, "tui.key.origin"))

    def action_probes(self) -> None:
        ask(self)

    def action_copy_probe(self) -> None:
        probe = self.assessment.diagnosis.next_probe
        if probe:
            self.advisor.copy(probe.run.say(self.lang))
