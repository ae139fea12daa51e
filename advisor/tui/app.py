"""The application: which stage shows, which keys work everywhere, dialogs and settings."""

import contextlib
import os
import signal
import sys
from dataclasses import replace
from functools import partial
from importlib import import_module
from pathlib import Path

from rich.console import RenderableType
from textual.binding import Binding
from textual.command import CommandPalette
from textual.screen import Screen

from advisor.base.errors import AdvisorError
from advisor.base.text import Lang, say
from advisor.tui import keys, memory, themes
from advisor.tui.commands import Actions
from advisor.tui.screens.dialogs import Notice
from advisor.tui.screens.forms import Ask
from advisor.tui.screens.help import HelpScreen
from advisor.tui.screens.start import StartScreen
from advisor.tui.sent import Sent, sending
from advisor.tui.session import Session
from advisor.tui.terminal import Terminal, is_one, left_clean, saves, terminal, terminfo
from advisor.tui.views.frame import STAGES, Stage, explained
from advisor.tui.widgets.paint import harmless


def _stage(name: Stage) -> Screen[None]:
    """The screen of a stage, imported when somebody first goes there: the start screen waits for none of them."""
    screen: Screen[None] = getattr(import_module(f"advisor.tui.screens.{name}"), f"{name.capitalize()}Screen")()
    return screen


class AdvisorApp(keys.Keyed, Session):
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
        Binding("ctrl+x", "cancel_work", "tui.key.cancel"),
        Binding("ctrl+z", "undo", "tui.key.undo", show=False),
        Binding("ctrl+y", "redo", "tui.key.redo", show=False),
        Binding("space", "jump", "tui.key.jump", show=False),
        Binding("f2", "tour", "tui.key.tour", show=False),
        Binding("colon", "command", "tui.key.command", show=False, key_display=":"),
        Binding("ctrl+l", "language", "tui.key.language", show=False),
        Binding("ctrl+t", "theme", "tui.key.theme", show=False),
        Binding("ctrl+p", "command_palette", "tui.key.palette", priority=True),
        Binding("question_mark", "help", "tui.key.help", key_display="?"),
        Binding("q", "quit", "tui.key.quit"),
    ]

    def __init__(self, target: str | None = None, lang: Lang = "en", there: Terminal | None = None, lang_said: bool = True) -> None:
        """there: what the terminal can do. lang_said: whether a person asked for the language now, so that a remembered one gives way."""
        self.there = there or Terminal("none" if os.environ.get("NO_COLOR") else "full")
        super().__init__(lang_said, ansi_color=True if self.there.colours == "none" else None)
        self.no_color = self.there.colours == "none"
        self._filters.append(themes.LastDoor())
        self._sent = Sent(self.there.scrolls, self.there.erases)
        if self.no_color:
            self._filters.append(themes.Colourless())
        for theme in themes.THEMES:
            self.register_theme(theme)
        self.theme = self._first_theme()
        self.set_reactive(AdvisorApp.lang, lang if lang_said else memory.language(self.memory.lang) or lang)
        self.target = target
        self._trouble: AdvisorError | None = None
        try:
            self.set_keymap(keys.own_keys())
        except AdvisorError as error:
            self._trouble = error
        self.visiting = False  # whether the evidence was opened from another stage, so that escape goes back there

    def _display(self, screen: Screen[object], renderable: RenderableType | None) -> None:
        super()._display(screen, sending(renderable, self._sent))

    def _first_theme(self) -> str:
        if self.there.colours != "full":
            return themes.ANSI.name
        return self.memory.theme if self.memory.theme in themes.ORDER else themes.DARK.name

    def on_mount(self) -> None:
        self.set_class(not self.there.round, "-plain-font")
        for name in ("SIGTERM", "SIGHUP"):  # leave the terminal as it was, also when the session goes away
            with contextlib.suppress(NotImplementedError, AttributeError, RuntimeError, ValueError):
                import asyncio

                number = getattr(signal, name)
                asyncio.get_running_loop().add_signal_handler(number, partial(self._cut_off, 128 + number))
        self.set_interval(1, self._tick)
        if self._trouble:
            self.explain(self._trouble)
        if self.target:
            self.open(self.target)
        elif self.memory.open and Path(self.memory.open).exists():
            self._offer(self.memory.open)

    def get_theme_variable_defaults(self) -> dict[str, str]:
        return themes.DEFAULTS

    # ---- going about

    def go(self, mode: str) -> None:
        """Show a stage; escape comes back to the one before."""
        self.visiting = False
        if mode != self.current_mode:
            self._past = [*self._past[-20:], self.current_mode]
            self.switch_mode(mode)
            self.note()

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
        if action == "undo":
            return bool(self.history.past)
        if action == "redo":
            return bool(self.history.future)
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
            Ask("tui.ask.open", "tui.ask.open-hint", str(Path.cwd()) + "/", paths=True, enter="tui.key.choose"),
            lambda path: self.open(path) if path else None,
        )

    def action_example(self) -> None:
        from advisor.usecases import assess

        self.open(assess.example())

    def action_tour(self) -> None:
        """The tour over the example site, from its beginning."""
        from advisor.tui.screens.touring import TourScreen

        self.push_screen(TourScreen())

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
        self.lang_said = True
        self._keep(replace(self.memory, lang=self.lang))
        self.note()

    def action_theme(self) -> None:
        """The next theme."""
        order = themes.ORDER
        self.dress(order[(order.index(self.theme) + 1) % len(order)] if self.theme in order else order[0])

    def dress(self, theme: str) -> None:
        """Put on a theme, and remember it."""
        if self.no_color:
            self.tell("tui.theme.no-colour")
            return
        self.theme = theme
        self._keep(replace(self.memory, theme=theme))
        self.tell(f"tui.theme.{theme}")

    def action_jump(self) -> None:
        """Go to a pane by its letter."""
        from advisor.tui.page import Page
        from advisor.tui.screens.jumping import JumpScreen

        if isinstance(self.screen, Page) and (panes := self.screen.panes()):
            self.push_screen(JumpScreen(panes))

    def action_command(self, words: str = "") -> None:
        """A line of the command line, with its answer, without leaving the screens."""
        from advisor.tui.screens.commanding import CommandScreen

        self.push_screen(CommandScreen(words))

    async def action_quit(self) -> None:
        self.action_cancel_work()
        self.note_place()
        self._keep(replace(self.memory, open=""))
        self.exit(0)

    def _fatal_error(self) -> None:
        """Something inside broke: a sentence, and the details in a file. What a person decided is in the site's file already."""
        from advisor.tui.crash import kept

        self.bell()
        self._exit_renderables.append(harmless(say("tui.error.crash", self.lang, path=kept(self._exception))))
        self._close_messages_no_wait()

    def tell(self, key: str, **values: object) -> None:
        """A short notice in a corner."""
        words = harmless(say(key, self.lang, **values))
        self.notify(words, timeout=6 + len(words) / 25, markup=False)  # who reads a path needs longer

    def explain(self, error: Exception) -> None:
        """Say what went wrong, in a box."""
        self.push_screen(Notice(explained(error, self.lang)))


def run(target: str | None, lang: Lang, mouse: bool = True, lang_said: bool = True) -> int:
    """Show the application until a person quits. Returns the exit code.

    The screen is drawn on standard error; where that is not a terminal, or one that cannot move its cursor, this says so and ends with 2.
    """
    if not is_one():
        print(say("tui.error.no-terminal", lang), file=sys.stderr)
        return 2
    there = terminal(os.environ, terminfo(), saves())
    if not there.draws:
        print(say("tui.error.dumb-terminal", lang, term=os.environ.get("TERM", "")), file=sys.stderr)
        return 2
    with left_clean():
        app = AdvisorApp(target, lang, there, lang_said)
        result = app.run(mouse=mouse)
    return app.return_code or (result if isinstance(result, int) else 0)
