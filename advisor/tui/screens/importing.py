"""The import: paths or pasted text into an assessment, with progress, a cancel, and going on in the background."""

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, get_args

from textual.app import ComposeResult
from textual.binding import Binding
from textual.widgets import Input, TextArea

from advisor.base.text import say
from advisor.evidence.bundle import Role
from advisor.tui.screens.dialogs import Dialog
from advisor.tui.screens.forms import Paths
from advisor.tui.views import frame
from advisor.tui.views.figures import bar
from advisor.tui.views.importing import imported_words, paths_of, target_of
from advisor.tui.views.words import Para, Span, word
from advisor.tui.widgets.field import Field
from advisor.tui.widgets.paint import harmless, safe
from advisor.tui.widgets.prose import Prose
from advisor.tui.work import Work

if TYPE_CHECKING:
    from advisor.usecases.assess import Assessment
    from advisor.usecases.import_ import Imported
    from advisor.usecases.progress import Progress


class ImportScreen(Dialog):
    title_key = "tui.import.title"
    BINDINGS = [
        Binding("ctrl+d", "begin", "tui.key.begin", priority=True),
        Binding("ctrl+r", "role", "tui.key.role", priority=True),
        Binding("ctrl+x", "stop", "tui.key.cancel", priority=True),
        Binding("ctrl+g", "background", "tui.key.background", priority=True),
    ]

    def __init__(self) -> None:
        super().__init__()
        self._work: Work | None = None
        self._over = False
        self._role: Role | None = None

    def body(self) -> ComposeResult:
        yield Field(id="paths", enter="", suggester=Paths())
        yield TextArea(id="pasted")
        yield Field(id="host", enter="")
        yield Field(id="into", enter="")
        yield Prose(id="words")

    def on_mount(self) -> None:
        super().on_mount()
        self.add_class("-import")
        lang, app = self.lang, self.advisor
        for name in ("paths", "pasted", "host", "into"):
            self.query_one(f"#{name}").border_title = safe(say(f"tui.import.{name}", lang))
        self.query_one("#into", Input).value = harmless(target_of(app.assessment))
        self._hint()
        self.query_one("#paths", Input).focus()
        self.watch(app, "step", self._progress, init=False)
        self.watch(app, "work", self._progress, init=False)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        running = self._work is not None
        return {
            "begin": not running and not self._over,
            "role": not running and not self._over,
            "stop": running,
            "background": running,
            "next_field": not running,
        }.get(action, True)

    def _hint(self) -> None:
        lang = self.lang
        role = say(f"tui.role.{self._role}", lang) if self._role else say("tui.correct.no-role", lang)
        about = Para((Span(say("tui.import.role", lang), "dim"), Span(role, "info")))
        self.query_one("#words", Prose).show([about, Para(word(say("tui.import.hint", lang), "dim"))])

    def action_role(self) -> None:
        """The next role, or none after the last."""
        order: tuple[Role | None, ...] = (None, *get_args(Role))
        self._role = order[(order.index(self._role) + 1) % len(order)]
        self._hint()

    # ---- the work

    def action_begin(self) -> None:
        app, lang = self.advisor, self.lang
        paths = paths_of(self.query_one("#paths", Input).value)
        pasted = self.query_one("#pasted", TextArea).text
        host = self.query_one("#host", Input).value.strip() or None
        into = self.query_one("#into", Input).value.strip()
        if not paths and not pasted.strip():
            self.query_one("#words", Prose).show([Para(word(say("tui.import.nothing", lang), "warn"))])
            return
        role, now = self._role, app.assessment
        kept = [now.source] if now and not now.path and now.source else []  # what was only read from a folder comes along

        def job(progress: "Progress", cancelled: Callable[[], bool]) -> "tuple[Imported, Assessment]":
            from advisor.tui.ready import ready
            from advisor.usecases import assess
            from advisor.usecases.import_ import import_into

            with tempfile.TemporaryDirectory() as folder:
                given = [*kept, *paths]
                if pasted.strip():
                    text = Path(folder, say("tui.import.pasted-name", "en"))
                    text.write_text(pasted, encoding="utf-8")
                    given.append(str(text))
                found = import_into(into, given, host=host, role=role, progress=progress, cancelled=cancelled)
            return found, ready(assess.open_site(into, progress, cancelled), progress, cancelled)

        self._work = app.begin("tui.work.import", job, lambda result: self._done(into, *result), self._failed)
        self.add_class("-running")
        self.refresh_bindings()
        self._progress()

    def _progress(self) -> None:
        if self._work is None or not self.is_attached:
            return
        app, lang = self.advisor, self.lang
        step = app.step if app.work is self._work else None
        share = step.done / step.total if step and step.total else None
        paras = [
            Para((Span(bar(share, 50), "info"),)),
            Para(frame.working(step, say("tui.work.import", lang), lang)),
            Para(word(step.name if step else "", "dim")),
        ]
        self.query_one("#words", Prose).show(paras)

    def _done(self, into: str, found: "Imported", assessment: "Assessment") -> None:
        app = self.advisor
        app.target = into
        app.assessment = assessment
        self._end()
        words = imported_words(found, app.lang)
        if self.is_attached:
            self._over = True
            self.refresh_bindings()
            self.query_one("#words", Prose).show(words)
            self.query_one("#words", Prose).focus()
        else:
            app.tell("tui.import.ready", new=found.new)
            if app.current_mode == "start":
                app.go("evidence")

    def _failed(self, error: Exception) -> None:
        self._end()
        sentence = frame.explained(error, self.advisor.lang)
        if self.is_attached:
            self.query_one("#words", Prose).show([Para(word(sentence, "bad"))])
        else:
            self.advisor.explain(error)

    def _end(self) -> None:
        self._work = None
        if self.is_attached:
            self.remove_class("-running")
            self.refresh_bindings()

    # ---- keys

    def action_stop(self) -> None:
        if self._work:
            self._work.stop.set()

    def action_background(self) -> None:
        self.dismiss(None)

    def action_leave(self) -> None:
        app = self.advisor
        self.dismiss(None)
        if self._over and app.current_mode == "start":
            app.call_later(app.go, "evidence")
