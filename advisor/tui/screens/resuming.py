"""After a session that was cut off: go on where it was, or not."""

from pathlib import Path

from textual.app import ComposeResult
from textual.binding import Binding

from advisor.base.text import say
from advisor.tui.memory import Place
from advisor.tui.screens.dialogs import Dialog
from advisor.tui.views.frame import STAGES
from advisor.tui.views.words import Para, word
from advisor.tui.widgets.prose import Prose


class ResumeScreen(Dialog):
    title_key = "tui.resume.title"
    BINDINGS = [Binding("enter", "go_on", "tui.key.go-on")]
    labels = {"leave": "tui.key.not-now"}

    def __init__(self, site: str, place: Place | None) -> None:
        super().__init__()
        self._site, self._place = site, place

    def body(self) -> ComposeResult:
        yield Prose(id="words")

    def on_mount(self) -> None:
        super().on_mount()
        self.add_class("-ask")
        lang = self.lang
        stage = self._place.stage if self._place and self._place.stage in STAGES else STAGES[0]
        words = self.query_one("#words", Prose)
        named = say("tui.resume.where", lang, name=Path(self._site).name, stage=say(f"tui.stage.{stage}", lang))
        words.show([Para(word(named, "strong")), Para(word(say("tui.resume.how", lang), "dim"))])
        words.focus()

    def action_go_on(self) -> None:
        self.dismiss(True)
