"""Stage 7: the report as it will be handed over, and its export to a file."""

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding
from textual.message import Message

from advisor.base.text import say
from advisor.tui.page import Page
from advisor.tui.screens.dialogs import Ask
from advisor.tui.views import frame
from advisor.tui.views.markdown import paragraphs
from advisor.tui.views.words import Para, word
from advisor.tui.widgets.prose import Prose

if TYPE_CHECKING:
    from advisor.usecases.assess import Assessment


class Written(Message):
    """The report is here as Markdown, or why not."""

    def __init__(self, text: str, error: Exception | None = None) -> None:
        super().__init__()
        self.text, self.error = text, error


class ReportScreen(Page):
    stage = "report"
    main = "#report"
    BINDINGS = [Binding("x", "export", "tui.key.export")]

    def __init__(self) -> None:
        super().__init__()
        self._text = ""

    def body(self) -> ComposeResult:
        yield Prose(id="report")

    def titles(self) -> dict[str, str]:
        return {"#report": say("tui.report.title", self.lang)}

    def draw(self) -> None:
        self.query_one("#report", Prose).show([Para(word(say("tui.report.making", self.lang), "dim"))])
        self.run_worker(partial(self._write, self.assessment), thread=True, exclusive=True, group="report", exit_on_error=False)

    def _write(self, assessment: "Assessment") -> None:
        from advisor.usecases.export import report_markdown

        try:
            self.post_message(Written(report_markdown(assessment, self.lang)))
        except Exception as error:
            self.post_message(Written("", error))

    def on_written(self, message: Written) -> None:
        panel = self.query_one("#report", Prose)
        self._text = message.text
        panel.show(
            [Para(word(frame.explained(message.error, self.lang), "bad"))] if message.error else paragraphs(message.text, self._room)
        )

    @property
    def _room(self) -> int:
        return max(self.query_one("#report", Prose).size.width - 2, 40)

    def on_resize(self, event: events.Resize) -> None:  # tables are as wide as there is room
        super().on_resize(event)
        if self._text:
            self.call_after_refresh(lambda: self.query_one("#report", Prose).show(paragraphs(self._text, self._room), keep=True))

    def action_export(self) -> None:
        start = Path.cwd() / f"{self.assessment.name}-report.{self.lang}.md"
        self.app.push_screen(Ask("tui.ask.export", "tui.ask.export-hint", str(start), paths=True), self._export)

    def _export(self, path: object) -> None:
        if not isinstance(path, str):
            return
        place = Path(path).expanduser()
        assessment, lang = self.assessment, self.lang

        def job(*_: object) -> Path:
            from advisor.usecases.export import write_report

            write_report(assessment, place, lang)
            return place

        self.advisor.begin("tui.work.export", job, lambda done: self.advisor.tell("tui.report.written", path=str(done)))
