"""The one base of all stages: the frame, redrawing when what is open or the language changes, and the search line."""

from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar, Protocol, cast, runtime_checkable

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Container, Horizontal
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import Input

from advisor.base.text import Lang, say
from advisor.tui.keys import Keyed
from advisor.tui.memory import Place
from advisor.tui.screens.whole import cut_off, read_whole
from advisor.tui.views import frame
from advisor.tui.views.words import Phrase, Span
from advisor.tui.widgets.field import Field
from advisor.tui.widgets.keybar import KeyBar
from advisor.tui.widgets.listing import Listing
from advisor.tui.widgets.paint import safe
from advisor.tui.widgets.prose import Prose
from advisor.tui.widgets.rail import Rail
from advisor.tui.widgets.topbar import TopBar

if TYPE_CHECKING:
    from advisor.tui.app import AdvisorApp
    from advisor.usecases.assess import Assessment


@runtime_checkable
class Findable(Protocol):
    """A widget that can be searched or filtered."""

    def find(self, needle: str) -> None: ...


class Page(Keyed, Screen[None]):
    """A screen of the walk. A stage says what it holds (`body`), how it is drawn (`draw`), and what its title is."""

    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (100, "-wide"), (150, "-broad")]
    VERTICAL_BREAKPOINTS = [(0, "-low"), (32, "-tall")]
    BINDINGS = [Binding("z", "whole", "tui.key.whole")]
    stage: ClassVar[frame.Stage | None] = None
    AUTO_FOCUS = ""
    main: ClassVar[str] = ""  # selector of what is focused first and searched

    def __init__(self) -> None:
        super().__init__()
        self._drawn: tuple[object, Lang] | None = None
        self._searched: Findable | None = None
        self._resumed: Place | None = None

    @property
    def advisor(self) -> "AdvisorApp":
        return cast("AdvisorApp", self.app)

    @property
    def lang(self) -> Lang:
        return self.advisor.lang

    @property
    def assessment(self) -> "Assessment":
        """What is open; only asked where something is."""
        assessment = self.advisor.assessment
        assert assessment is not None
        return assessment

    def compose(self) -> ComposeResult:
        yield TopBar()
        with Horizontal(id="frame"):
            yield Rail()
            with Container(id="stage"):
                yield Prose(id="lack")
                with Container(id="body"):
                    yield from self.body()
        yield Field(id="find", enter="tui.key.keep-find")
        yield KeyBar()

    def body(self) -> ComposeResult:
        """The widgets of the stage."""
        yield from ()

    def draw(self) -> None:
        """Put what is open into the widgets."""

    def titles(self) -> dict[str, str]:
        """Titles of borders: selector -> text."""
        return {}

    # ---- redrawing

    def on_mount(self) -> None:
        self.watch(self.app, "lang", self._changed)
        self.watch(self.app, "assessment", self._changed)
        self.watch(self.app, "work", self._frame)
        self.watch(self.app, "step", self._head)

    def on_screen_resume(self) -> None:
        self._changed()

    def _changed(self) -> None:
        if not self.is_attached or not self.query("#body") or self is not self.app.screen_stack[0]:
            return
        self._frame()
        now = (self.advisor.assessment, self.lang)
        if self._drawn is not None and self._drawn[0] is now[0] and self._drawn[1] == now[1]:
            return
        self._drawn = now
        for selector, text in self.titles().items():
            self.query_one(selector).border_title = safe(text)
        missing = frame.lacks(self.stage, self.assessment, self.lang) if self.stage and self.advisor.assessment else ()
        self.set_class(bool(missing), "-lacking")
        self.refresh_bindings()
        if missing:
            self.query_one("#lack", Prose).show(missing)
        else:
            self.draw()
            self._resume()
        if self.focused is None:
            self._focus_main()

    def _focus_main(self) -> None:
        place = "#lack" if self.has_class("-lacking") else self.main
        if place:
            self.query_one(place).focus()

    def redraw(self) -> None:
        """Draw again although nothing that is open has changed (another tab, another order)."""
        if not self.has_class("-lacking"):
            self.draw()

    # ---- where a person is

    def where(self, old: Place) -> Place:
        """The place of a person, as it was before and with what stands on this screen."""
        tables = {f"{self.stage}#{listing.id}": listing for listing in self.query(Listing) if listing.id}
        rows = {name: listing.row.key for name, listing in tables.items() if listing.row}
        filters = {name: listing.needle for name, listing in tables.items()}
        capture, line = self.reading() or (old.capture, old.line)
        kept = {name: needle for name, needle in {**old.filters, **filters}.items() if needle}
        return replace(old, stage=self.stage or "", rows={**old.rows, **rows}, filters=kept, capture=capture, line=line)

    def reading(self) -> tuple[str, int] | None:
        """The capture that is read on this screen, by sha256, and the line."""
        return None

    def _resume(self) -> None:
        """Once after a site was opened: rows and filters as they were when it was left."""
        place = self.advisor.resuming
        if place is None or place is self._resumed:
            return
        self._resumed = place
        for listing in self.query(Listing):
            name = f"{self.stage}#{listing.id}"
            if needle := place.filters.get(name):
                self._searched = listing
                self.query_one("#find", Input).value = needle
                listing.find(needle)
            if key := place.rows.get(name):
                listing.go_to(key)

    # ---- panes

    def panes(self) -> list[Widget]:
        """What can be focused, from the top left on."""
        found = [widget for widget in self.focus_chain if widget.id != "find" and widget.region.area]
        return sorted(found, key=lambda widget: (widget.region.y, widget.region.x))

    def _frame(self) -> None:
        if not self.query(KeyBar) or self is not self.app.screen_stack[0]:
            return
        app, lang = self.advisor, self.lang
        self.query_one(KeyBar).show(lang)
        self._head()
        assessment = app.assessment
        if self.stage and self.query(Rail):
            lines = []
            for i, stage in enumerate(frame.STAGES):
                mark, tone = frame.stage_sign(stage, assessment)
                title = say(f"tui.stage.{stage}", lang)
                lines.append(((Span(f"{i + 1} ", "dim"), Span(title, "strong" if stage == self.stage else "plain")), (Span(mark, tone),)))
            below = frame.layers(assessment.diagnosis if assessment else None, lang)
            self.query_one(Rail).show(tuple(lines), frame.STAGES.index(self.stage), below)

    def _head(self) -> None:
        """The first line: what goes on now, else the answer so far. Work tells of itself ten times a second."""
        if not self.query(TopBar) or self is not self.app.screen_stack[0]:
            return
        app, lang, assessment = self.advisor, self.lang, self.advisor.assessment
        here = say(f"tui.stage.{self.stage}", lang) if self.stage else ""
        name: Phrase = (Span(app.TITLE or "", "title"),)
        if self.stage and self.has_class("-narrow"):
            name = (Span(f"{frame.STAGES.index(self.stage) + 1} {here}", "title"),)
        elif assessment and self.has_class("-narrow"):
            name = ()  # no room for the program's name beside the answer
        if assessment:
            name = (*name, Span(f"  {assessment.name}" if name else assessment.name, "strong"))
        if app.work:
            self.query_one(TopBar).show(name, (frame.working(app.step, say(app.work.title, lang), lang),))
        else:
            self.query_one(TopBar).show(name, frame.answer(assessment, lang, self.has_class("-narrow")) if assessment else ())

    def on_resize(self, event: events.Resize) -> None:
        self.set_class(event.size.width >= 100 and event.size.height >= 32, "-large")
        self.set_class(event.size.height >= 50, "-high")
        self.call_after_refresh(self._frame)

    def on_rail_picked(self, message: Rail.Picked) -> None:
        self.advisor.action_go(frame.STAGES[message.place])

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """The keys of a stage work where it has something to show."""
        if action in getattr(self.app, "forbidden", ()):  # the screens are only looked at (served)
            return False
        if action == "whole":
            return bool(cut_off(self))
        return not (self.has_class("-lacking") and action in self._own_actions)

    @property
    def _own_actions(self) -> frozenset[str]:
        return frozenset(binding.action.partition("(")[0] for binding in type(self).BINDINGS if isinstance(binding, Binding))

    def action_whole(self) -> None:
        """All of the texts of which there is only room for the beginning."""
        read_whole(self)

    # ---- searching

    def open_find(self) -> None:
        focused = self.focused
        target = focused if isinstance(focused, Findable) else self.query_one(self.main) if self.main else None
        if isinstance(target, Findable):
            self._searched = target
            field = self.query_one("#find", Input)
            field.placeholder = say("tui.find", self.lang)
            self.add_class("-finding")
            field.focus()

    def on_input_changed(self, event: Input.Changed) -> None:
        if event.input.id == "find":
            self.set_class(bool(event.value), "-filtered")
            if self._searched:
                self._searched.find(event.value)
                self.advisor.note()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        if event.input.id == "find":
            self._close_find()

    def _close_find(self) -> None:
        self.remove_class("-finding")
        if self._searched:
            cast("Prose", self._searched).focus()

    def leave(self) -> bool:
        """What escape ends on this screen before it goes back. True if there was something."""
        field = self.query_one("#find", Input)
        if self.has_class("-finding") or field.value:
            field.value = ""
            if self._searched:
                self._searched.find("")
            self._close_find()
            self._searched = None
            return True
        return False
