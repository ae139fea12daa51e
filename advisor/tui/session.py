"""A session: what is open, undo and redo of what a person decided in it, and where the person is, so that the next one goes on there."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from textual.reactive import reactive
from textual.timer import Timer

from advisor.base.text import Lang, say
from advisor.tui import clipboard, memory
from advisor.tui.history import History
from advisor.tui.order import RESTS
from advisor.tui.ready import ready
from advisor.tui.views.frame import STAGES
from advisor.tui.widgets.paint import Copied, harmless
from advisor.tui.work import Working

if TYPE_CHECKING:
    from advisor.usecases.assess import Assessment
    from advisor.usecases.progress import Progress

_PAUSE_S = 0.3  # without a further key before the place of a person is written down


class Session(Working):
    """`assessment` is what is open."""

    assessment: reactive["Assessment | None"] = reactive(None, always_update=True)
    lang: reactive[Lang] = reactive("en")

    def __init__(self, lang_said: bool, **given: Any) -> None:
        """lang_said: whether a person asked for the language now, so that a remembered one gives way."""
        super().__init__(**given)
        self.memory = memory.recall()
        self.lang_said = lang_said
        self.history = History()
        self.target: str | None = None
        self.resuming: memory.Place | None = None  # where a person was in what is open; each screen takes up its part
        self.place: tuple[str, int] | None = None  # capture and line that the evidence screen shall open
        self._noting: Timer | None = None
        self._past: list[str] = []

    # ---- what is open

    def open(self, target: str) -> None:
        """Open NAME.advisor, a folder or an archive."""

        def job(progress: "Progress", cancelled: Callable[[], bool]) -> "Assessment":
            from advisor.usecases import assess

            return ready(assess.open_site(target, progress, cancelled), progress, cancelled)

        def done(assessment: "Assessment") -> None:
            self.target = target
            self.resume(assessment)
            self.assessment = assessment
            self.history.clear()
            self._past = ["start"]
            self.switch_mode(self.resuming.stage if self.resuming else "evidence")

        self.begin("tui.work.open", job, done, pure=True)

    def reopen(self) -> None:
        """Read again what is open, as something else has written into it; the screens stay where they are."""
        target = self.target or ""

        def job(progress: "Progress", cancelled: Callable[[], bool]) -> "Assessment":
            from advisor.usecases import assess

            return ready(assess.open_site(target, progress, cancelled), progress, cancelled)

        def done(assessment: "Assessment") -> None:
            self.history.clear()
            self.assessment = assessment

        if target:
            self.begin("tui.work.open", job, done, pure=True)

    def change(self, title: str, change: Callable[["Assessment"], "Assessment"], after: Callable[[], None] | None = None) -> None:
        """Change what is open by a use-case: off the screen's thread, in order of the keys pressed."""

        def job(_: "Progress", __: Callable[[], bool]) -> "Assessment | None":
            return ready(change(self.assessment)) if self.assessment else None

        def done(assessment: "Assessment | None") -> None:
            if assessment and self.assessment:
                self.history.changed(self.assessment)
                self.assessment = assessment
                if assessment.elsewhere:
                    self.tell("kept.elsewhere", what=", ".join(say(f"kept.{name}", self.lang) for name in assessment.elsewhere))
                if after:
                    after()

        self.begin(title, job, done)

    def action_undo(self) -> None:
        self._turn_back("past", self.history.undone, "tui.undone")

    def action_redo(self) -> None:
        self._turn_back("future", self.history.redone, "tui.redone")

    def _turn_back(self, side: str, told: Callable[["Assessment"], None], words: str) -> None:
        def job(*_: object) -> "Assessment | None":
            from advisor.usecases.undo import put_back

            kept = getattr(self.history, side)
            return ready(put_back(self.assessment, kept[-1])) if kept and self.assessment else None

        def done(assessment: "Assessment | None") -> None:
            if assessment and self.assessment:
                told(self.assessment)
                self.assessment = assessment
                self.refresh_bindings()
                self.tell(words)

        self.begin("tui.work.undo", job, done)

    # ---- where a person is

    @property
    def site(self) -> str:
        """The name under which a site is remembered."""
        given = self.assessment.path or self.assessment.source if self.assessment else ""
        return str(Path(given).resolve()) if given else ""

    def _keep(self, now: memory.Memory) -> None:
        if now != self.memory:
            self.memory = now
            memory.keep(now)

    def resume(self, assessment: "Assessment") -> None:
        """Take up where a person was in a site."""
        given = assessment.path or assessment.source
        place = self.memory.sites.get(str(Path(given).resolve())) if given else None
        self.resuming = place if place and place.stage in STAGES else None
        if place and not self.lang_said and (lang := memory.language(place.lang)):
            self.lang = lang
        if self.resuming and self.resuming.stage == "evidence" and self.resuming.capture in assessment.bundle.by_sha:
            self.place = (self.resuming.capture, self.resuming.line)

    def note(self) -> None:
        """Something of the place of a person has changed: it is written down when no further key comes for a moment."""
        if self._noting is not None:
            self._noting.stop()
        self._noting = self.set_timer(_PAUSE_S, self.note_place, name=RESTS)

    def note_place(self) -> None:
        from advisor.tui.page import Page

        page = self.screen_stack[0] if self.screen_stack else None
        if not self.site or not isinstance(page, Page) or page.stage is None:
            return
        old = self.memory.sites.get(self.site, memory.Place())
        self._keep(replace(self.memory, open=self.site, lang=self.lang).with_place(self.site, page.where(replace(old, lang=self.lang))))

    def on_listing_moved(self) -> None:
        self.note()

    def on_capture_view_moved(self) -> None:
        self.note()

    def _cut_off(self, code: int) -> None:
        """The session goes away: what it held is offered the next time."""
        self.note_place()
        self.exit(code)

    def _offer(self, site: str) -> None:
        """A session that was cut off can go on where it was."""
        from advisor.tui.screens.resuming import ResumeScreen

        def answered(go_on: object) -> None:
            if go_on:
                self.open(site)
            else:
                self._keep(replace(self.memory, open=""))

        self.push_screen(ResumeScreen(site, self.memory.sites.get(site)), answered)

    # ---- copying

    def copy(self, text: str) -> None:
        """Into a file, to the terminal (OSC 52), and to a tool of this machine. What is said is what was done, not that it arrived."""
        self._clipboard = text
        code = clipboard.osc52(text)
        if code and self._driver is not None:
            self._driver.write(code)
        place = clipboard.kept(text)

        def job(*_: object) -> str:
            return clipboard.handed(text, clipboard.tools()) if not self.is_headless else ""

        def done(tool: str) -> None:
            ways = [say("tui.copied.terminal" if code else "tui.copied.too-long", self.lang)]
            ways += [say("tui.copied.tool", self.lang, tool=tool)] if tool else []
            ways += [say("tui.copied.file", self.lang, path=place) if place else say("tui.copied.no-file", self.lang)]
            self.notify(harmless(" ".join(ways)), timeout=8, markup=False)

        self.run_worker(partial(self._copying, job, done), thread=True, exit_on_error=False, group="copy", exclusive=True)

    def _copying(self, job: Callable[[], str], done: Callable[[str], None]) -> None:
        self.call_from_thread(done, job())

    def on_copied(self, message: Copied) -> None:
        self.copy(message.text)
