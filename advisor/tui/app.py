"""The application: what is open, which stage shows, which keys work everywhere, and work in the background."""

import contextlib
import signal
import sys
from collections.abc import Callable
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from textual.app import App
from textual.binding import Binding
from textual.command import CommandPalette
from textual.reactive import reactive
from textual.screen import Screen

from advisor.base.errors import Cancelled
from advisor.base.text import Lang, say
from advisor.tui import themes
from advisor.tui.commands import Actions
from advisor.tui.screens.dialogs import Ask, Notice
from advisor.tui.screens.help import HelpScreen
from advisor.tui.screens.start import StartScreen
from advisor.tui.views.frame import STAGES, Stage, explained
from advisor.tui.widgets.paint import Copied, harmless
from advisor.tui.work import Ended, Job, Told, Work

if TYPE_CHECKING:
    from advisor.usecases.assess import Assessment
    from advisor.usecases.progress import Progress, Step


def _stage(name: Stage) -> Screen[None]:
    """The screen of a stage, imported when somebody first goes there: the start screen waits for none of them."""
    screen: Screen[None] = getattr(import_module(f"advisor.tui.screens.{name}"), f"{name.capitalize()}Screen")()
    return screen


class AdvisorApp(App[int]):
    """`assessment` is what is open. Screens watch it, and `lang`, `work` and `step`; they hold nothing of it themselves."""

    TITLE = "Fabric Advisor"
    ENABLE_COMMAND_PALETTE = True
    COMMANDS = {Actions}
    CSS_PATH = "app.tcss"
    MODES = {"start": StartScreen, **{stage: partial(_stage, stage) for stage in STAGES}}
    DEFAULT_MODE = "start"
    BINDINGS = [
        *[Binding(str(i), f"go('{stage}')", f"tui.stage.{stage}", show=False) for i, stage in enumerate(STAGES, 1)],
        Binding("0", "start", "tui.key.start", show=False),
        Binding("i", "import", "tui.key.import", show=False),
        Binding("slash", "find", "tui.key.find", key_display="/"),
        Binding("escape", "back", "tui.key.back", key_display="esc"),
        Binding("ctrl+x", "cancel_work", "tui.key.cancel", show=False),
        Binding("ctrl+l", "language", "tui.key.language", show=False),
        Binding("ctrl+t", "theme", "tui.key.theme", show=False),
        Binding("ctrl+p", "command_palette", "tui.key.palette", priority=True),
        Binding("question_mark", "help", "tui.key.help", key_display="?"),
        Binding("q", "quit", "tui.key.quit"),
    ]

    assessment: reactive["Assessment | None"] = reactive(None, always_update=True)
    lang: reactive[Lang] = reactive("en")
    work: reactive[Work | None] = reactive(None)
    step: reactive["Step | None"] = reactive(None)

    def __init__(self, target: str | None = None, lang: Lang = "en") -> None:
        colourless = _no_colour()
        super().__init__(ansi_color=True if colourless else None)
        for theme in (themes.DARK, themes.LIGHT):
            self.register_theme(theme)
        self.theme = themes.PLAIN.name if colourless else themes.DARK.name
        self.set_reactive(AdvisorApp.lang, lang)
        self.target = target
        self._queue: list[Work] = []
        self._past: list[str] = []
        self.place: tuple[str, int] | None = None  # capture and line that the evidence screen shall open
        self.visiting = False  # whether the evidence was opened from another stage, so that escape goes back there

    def on_mount(self) -> None:
        for name in ("SIGTERM", "SIGHUP"):  # leave the terminal as it was, also when the session goes away
            with contextlib.suppress(NotImplementedError, AttributeError, RuntimeError, ValueError):
                import asyncio

                number = getattr(signal, name)
                asyncio.get_running_loop().add_signal_handler(number, partial(self.exit, 128 + number))
        if self.target:
            self.open(self.target)

    def get_theme_variable_defaults(self) -> dict[str, str]:
        return themes.DEFAULTS

    # ---- what is open

    def open(self, target: str) -> None:
        """Open NAME.advisor, a folder or an archive."""

        def job(progress: "Progress", cancelled: Callable[[], bool]) -> "Assessment":
            from advisor.usecases import assess

            return ready(assess.open_site(target, progress, cancelled))

        def done(assessment: "Assessment") -> None:
            self.target = target
            self.assessment = assessment
            self._past = ["start"]
            self.switch_mode("evidence")

        self.begin("tui.work.open", job, done)

    def change(self, title: str, change: Callable[["Assessment"], "Assessment"], after: Callable[[], None] | None = None) -> None:
        """Change what is open by a use-case: off the screen's thread, in order of the keys pressed."""

        def job(_: "Progress", __: Callable[[], bool]) -> "Assessment | None":
            return ready(change(self.assessment)) if self.assessment else None

        def done(assessment: "Assessment | None") -> None:
            if assessment:
                self.assessment = assessment
                if after:
                    after()

        self.begin(title, job, done)

    # ---- work

    def begin(self, title: str, job: Job, done: Callable[[Any], None], failed: Callable[[Exception], None] | None = None) -> Work:
        work = Work(title, job, done, failed)
        self._queue.append(work)
        self._next()
        return work

    def _next(self) -> None:
        if self.work is None and self._queue:
            self.step = None
            self.work = self._queue.pop(0)
            self.run_worker(partial(self._run, self.work), thread=True, exit_on_error=False, group="work")

    def _run(self, work: Work) -> None:
        try:
            result = work.job(lambda step: self._tell(work, step), work.stop.is_set)
        except Exception as error:  # told in the application's own thread; nothing is lost
            self.post_message(Ended(work, error=error))
        else:
            self.post_message(Ended(work, result))

    def _tell(self, work: Work, step: "Step") -> None:
        self.post_message(Told(work, step))

    def on_told(self, message: Told) -> None:
        if message.work is self.work:
            self.step = message.step

    def on_ended(self, message: Ended) -> None:
        if message.work is self.work:
            self.work, self.step = None, None
        if message.error is None:
            message.work.done(message.result)
        elif message.work.failed:
            message.work.failed(message.error)
        elif isinstance(message.error, Cancelled):
            self.tell("tui.work.cancelled")
        else:
            self.explain(message.error)
        self._next()

    def action_cancel_work(self) -> None:
        if self.work:
            self.work.stop.set()
        self._queue.clear()

    # ---- going about

    def go(self, mode: str) -> None:
        """Show a stage; escape comes back to the one before."""
        self.visiting = False
        if mode != self.current_mode:
            self._past = [*self._past[-20:], self.current_mode]
            self.switch_mode(mode)

    def action_go(self, stage: Stage) -> None:
        if self.assessment:
            self.go(stage)

    def action_start(self) -> None:
        self.go("start")

    async def action_back(self) -> None:
        from advisor.tui.page import Page

        if isinstance(self.screen, Page) and self.screen.leave():
            return
        if self._past:
            self.switch_mode(self._past.pop())
        elif self.current_mode != "start":
            self.switch_mode("start")

    def show_capture(self, sha256: str, line: int) -> None:
        """Open a capture at a line."""
        self.place = (sha256, line)
        self.go("evidence")
        self.visiting = True

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "go":
            return self.assessment is not None
        if action == "cancel_work":
            return self.work is not None
        if action == "find":
            return self.current_mode != "start"
        if action == "back":
            return self.current_mode != "start" or len(self.screen_stack) > 1
        return True

    # ---- dialogs and settings

    def action_import(self) -> None:
        from advisor.tui.screens.importing import ImportScreen

        self.push_screen(ImportScreen())

    def action_open(self) -> None:
        self.push_screen(
            Ask("tui.ask.open", "tui.ask.open-hint", str(Path.cwd()) + "/", paths=True), lambda path: self.open(path) if path else None
        )

    def action_example(self) -> None:
        from advisor.usecases import assess

        self.open(assess.example())

    def action_help(self) -> None:
        self.push_screen(HelpScreen(self.screen))

    def action_find(self) -> None:
        from advisor.tui.page import Page

        if isinstance(self.screen, Page):
            self.screen.open_find()

    def action_command_palette(self) -> None:
        if not any(isinstance(screen, CommandPalette) for screen in self.screen_stack):
            self.push_screen(CommandPalette(placeholder=say("tui.palette", self.lang), id="--command-palette"))

    def action_language(self) -> None:
        self.lang = "zh" if self.lang == "en" else "en"

    def action_theme(self) -> None:
        order = themes.ORDER
        self.theme = order[(order.index(self.theme) + 1) % len(order)] if self.theme in order else order[0]

    async def action_quit(self) -> None:
        self.action_cancel_work()
        self.exit(0)

    def tell(self, key: str, **values: object) -> None:
        """A short notice in a corner."""
        self.notify(harmless(say(key, self.lang, **values)), timeout=6, markup=False)

    def explain(self, error: Exception) -> None:
        """Say what went wrong, in a box."""
        self.push_screen(Notice(explained(error, self.lang)))

    def copy(self, text: str) -> None:
        """Hand a text to the terminal's clipboard. Some terminals drop it, so it is said that it was sent, not that it arrived."""
        self.copy_to_clipboard(text)
        self.tell("tui.copied")

    def on_copied(self, message: Copied) -> None:
        self.copy(message.text)


def ready(assessment: "Assessment") -> "Assessment":
    """An assessment with all that its stages show worked out, so that no screen waits for it; the start screen keeps its verdict."""
    _ = assessment.fabric, assessment.diagnosis, assessment.plan
    if assessment.path:
        from advisor.usecases.recent import remember

        remember(assessment.path, assessment.diagnosis.verdict, assessment.diagnosis.confidence)
    return assessment


def _no_colour() -> bool:
    import os

    return bool(os.environ.get("NO_COLOR"))


def run(target: str | None, lang: Lang, mouse: bool = True) -> int:
    """Show the application until a person quits. Returns the exit code.

    The screen is drawn on standard error; where that is not a terminal this says so and ends with code 2.
    """
    if not (sys.__stderr__ and sys.__stderr__.isatty() and sys.__stdin__ and sys.__stdin__.isatty()):
        print(say("tui.error.no-terminal", lang), file=sys.stderr)
        return 2
    app = AdvisorApp(target, lang)
    result = app.run(mouse=mouse)
    return app.return_code or (result if isinstance(result, int) else 0)
