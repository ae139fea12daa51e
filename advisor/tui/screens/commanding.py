"""A line of the command line and its answer: every command works here as outside, in a process of its own, and can be stopped."""

import os
import shlex
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.binding import Binding
from textual.widgets import Input

from advisor.base.errors import Cancelled
from advisor.base.text import Lang, catalogue, say
from advisor.tui.screens.dialogs import Dialog
from advisor.tui.views import frame
from advisor.tui.views.words import Para, word
from advisor.tui.widgets.field import Field
from advisor.tui.widgets.prose import Prose
from advisor.tui.work import Work

if TYPE_CHECKING:
    from advisor.usecases.progress import Progress

_GRACE_S = 5.0  # that a command has to take back what it began
_MOST = 400_000  # characters of an answer that are shown
# Commands that speak of no site, or of none that is open; all others get the site that is open.
SITELESS = frozenset({"inspect", "measures", "calc", "size", "prices", "cost", "demo", "collect", "template", "open", "baseline"})
_HERE = frozenset({"open", "demo", "serve"})  # they would open screens inside the screens, or never end


def commands(lang: Lang) -> dict[str, str]:
    """All commands with what they do, from the texts of the command line."""
    keys = [key.split(".") for key in catalogue() if key.startswith("cli.")]
    names = [key[1] for key in keys if len(key) == 3 and key[2] == "help" and key[1] not in _HERE]
    return {name: say(f"cli.{name}.help", lang) for name in sorted(names)}


def prefilled(name: str, site: str) -> str:
    """The line to go on from: the command, and the site where it takes one."""
    return f"{name} {shlex.quote(site)} " if site and name not in SITELESS else f"{name} "


def answer(line: str, lang: Lang, cancelled: Callable[[], bool], width: int = 100) -> tuple[str, int]:
    """What a command says in lines of `width` cells, and its exit code. Raises Cancelled, ValueError for quotes that do not end."""
    words = shlex.split(line)
    words = words[1:] if words[:1] == ["advisor"] else words
    program = [sys.executable] if getattr(sys, "frozen", False) else [sys.executable, "-m", "advisor"]
    env = {**os.environ, "ADVISOR_LANG": lang, "COLUMNS": str(width), "PYTHONIOENCODING": "utf-8"}
    with subprocess.Popen(
        [*program, *words], env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, encoding="utf-8"
    ) as process:
        while True:
            try:
                text, _ = process.communicate(timeout=0.1)
            except subprocess.TimeoutExpired:
                if cancelled():
                    _ended(process)
                    raise Cancelled("cancelled") from None
            else:
                return text[:_MOST], process.returncode


def _ended(process: "subprocess.Popen[str]") -> None:
    """As with ctrl+c, so that it takes back what it has only half written; what does not go by that is made to."""
    process.send_signal(signal.SIGINT)
    try:
        process.communicate(timeout=_GRACE_S)
    except subprocess.TimeoutExpired:
        process.terminate()
        process.communicate()


class CommandScreen(Dialog):
    title_key = "tui.command.title"
    BINDINGS = [
        Binding("ctrl+x", "stop", "tui.key.cancel", priority=True),
    ]

    def __init__(self, words: str = "") -> None:
        super().__init__()
        self._words = words
        self._work: Work | None = None

    def body(self) -> ComposeResult:
        yield Field(self._words, id="field", enter="tui.key.run")
        yield Prose(id="words")

    def on_mount(self) -> None:
        super().on_mount()
        self.add_class("-command")
        lang = self.lang
        known = commands(lang)
        name = self._words.split(" ", 1)[0]
        paras = [Para(word(say("tui.command.hint", lang), "dim")), Para()]
        if name in known:
            paras += [Para(word(text)) for key in ("help", "about", "example") for text in say(f"cli.{name}.{key}", lang).splitlines()]
        else:
            wide = max(map(len, known)) + 2
            paras += [Para((*word(f"{each:<{wide}}", "title"), *word(what)), hang=wide) for each, what in known.items()]
        self.query_one("#words", Prose).show(paras)
        self.query_one("#field").focus()
        self.watch(self.advisor, "step", self._progress, init=False)

    @property
    def labels(self) -> Mapping[str, str]:
        return {"next_field": "tui.key.to-answer" if isinstance(self.focused, Input) else "tui.key.to-line"}

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        return self._work is not None if action == "stop" else super().check_action(action, parameters)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        line, lang, app = event.value.strip(), self.lang, self.advisor
        first = line.removeprefix("advisor").split()
        if self._work or not first or first[0] in _HERE:
            self._say(say("tui.command.not-here", lang), "warn")
            return
        place = Path(app.site) if app.site else None
        before = place.stat().st_mtime_ns if place and place.is_file() else 0

        width = max(self.query_one("#words", Prose).size.width - 1, 40)

        def job(progress: "Progress", cancelled: Callable[[], bool]) -> tuple[str, int, bool]:
            text, code = answer(line, lang, cancelled, width)
            return text, code, bool(place and place.is_file() and place.stat().st_mtime_ns != before)

        self._work = app.begin("tui.work.command", job, partial(self._done, line), self._failed)
        self.refresh_bindings()
        self._say(say("tui.work.command", lang), "info")

    def _progress(self) -> None:
        if self._work and self.advisor.work is self._work and self.is_attached:
            self.query_one("#words", Prose).show([Para(frame.working(self.advisor.step, say("tui.work.command", self.lang), self.lang))])

    def _done(self, line: str, answered: tuple[str, int, bool]) -> None:
        text, code, changed = answered
        self._end()
        if self.is_attached:
            head = [
                Para(word(f"advisor {line}", "title")),
                *([Para(word(say("tui.command.code", self.lang, code=code), "warn"))] if code else []),
            ]
            words = self.query_one("#words", Prose)
            words.show([*head, Para(), *(Para(word(each)) for each in text.splitlines())])
            words.focus()
        if changed:  # the command wrote into the site that is open
            self.advisor.reopen()

    def _failed(self, error: Exception) -> None:
        self._end()
        if self.is_attached:
            self._say(frame.explained(error, self.lang), "bad")

    def _say(self, text: str, tone: str) -> None:
        self.query_one("#words", Prose).show([Para(word(text, tone))])  # type: ignore[arg-type]

    def _end(self) -> None:
        self._work = None
        if self.is_attached:
            self.refresh_bindings()

    def action_stop(self) -> None:
        if self._work:
            self._work.stop.set()
