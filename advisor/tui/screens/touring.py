"""The tour of two minutes: a few words at the bottom of each stage of the example site. It can be left at any time."""

from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.binding import Binding

from advisor.tui.screens.dialogs import Dialog
from advisor.tui.views import tour
from advisor.tui.widgets.paint import safe
from advisor.tui.widgets.prose import Prose

if TYPE_CHECKING:
    from advisor.tui.app import AdvisorApp


class TourScreen(Dialog):
    """One step. `before`: what was open when the tour began; it is opened again afterwards."""

    title_key = "tui.tour.title"
    BINDINGS = [
        Binding("enter,right", "step(1)", "tui.key.tour-next", key_display="⏎"),
        Binding("left", "step(-1)", "tui.key.tour-last", key_display="←"),
    ]

    def __init__(self, place: int = 0, before: str | None = None) -> None:
        super().__init__()
        self._place, self._before = place, before
        self.add_class("-tour")
        ends = {0: "tui.key.tour-begin", len(tour.STEPS) - 1: "tui.key.tour-end"}
        self.labels = {
            "step(1)": ends.get(place, "tui.key.tour-next"),
            "step(-1)": "tui.key.tour-last" if place else "",
            "leave": "tui.key.leave-tour",
        }

    def body(self) -> ComposeResult:
        yield Prose(id="words", focus=False)

    def on_mount(self) -> None:
        super().on_mount()
        self.query_one("#box").border_subtitle = safe(f"{self._place + 1}/{len(tour.STEPS)}")
        self.query_one("#words", Prose).show(tour.words(self._place, self.lang))
        self.watch(self.app, "lang", self._said, init=False)

    def _said(self) -> None:
        self.query_one("#words", Prose).show(tour.words(self._place, self.lang))

    def action_step(self, by: int) -> None:
        """The next step, or the one before; the first one opens the example site."""
        place = self._place + by
        if place < 0:
            return
        if place >= len(tour.STEPS):
            self.action_leave()
            return
        if place == 1:
            self._open_example()
        else:
            self._go(place)

    def _open_example(self) -> None:
        from advisor.usecases import assess

        app, example = self.advisor, assess.example()
        if app.assessment is not None and app.assessment.source == example:
            self._go(1)
            return
        before = app.target if app.assessment else None
        self.dismiss(None)
        app.open(example)
        app.begin("tui.work.open", lambda *_: None, lambda _: show(app, 1, before) if app.assessment else None)  # after the opening

    def _go(self, place: int) -> None:
        self.dismiss(None)
        self.app.call_later(show, self.advisor, place, self._before)

    def action_leave(self) -> None:
        before = self._before
        self.dismiss(None)
        if before:
            self.advisor.open(before)


def show(app: "AdvisorApp", place: int, before: str | None) -> None:
    """A step over its stage."""
    app.go(tour.STEPS[place])
    app.push_screen(TourScreen(place, before))
