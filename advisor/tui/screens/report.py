"""Stage 7: the report as it will be handed over, its export in all forms, its seal, and what changed since another assessment."""

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding
from textual.message import Message

from advisor.base.errors import Cancelled
from advisor.base.text import say
from advisor.tui.page import Page
from advisor.tui.screens.dialogs import Reading
from advisor.tui.screens.exporting import ExportScreen, Wanted
from advisor.tui.screens.forms import Ask
from advisor.tui.views import frame
from advisor.tui.views.markdown import paragraphs
from advisor.tui.views.words import Para, word
from advisor.tui.widgets.prose import Prose
from advisor.tui.work import Work

if TYPE_CHECKING:
    from collections.abc import Callable

    from advisor.report.document import Document
    from advisor.usecases.assess import Assessment
    from advisor.usecases.progress import Progress


class Written(Message):
    """The report is here as Markdown, or why not."""

    def __init__(self, text: str, error: Exception | None = None) -> None:
        super().__init__()
        self.text, self.error = text, error


class ReportScreen(Page):
    stage = "report"
    main = "#report"
    BINDINGS = [
        Binding("x", "export", "tui.key.export"),
        Binding("s", "seal", "tui.key.seal"),
        Binding("v", "verify", "tui.key.verify"),
        Binding("d", "since", "tui.key.since"),
    ]

    def __init__(self) -> None:
        super().__init__()
        self._text = ""
        self._writing: Work | None = None

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

    # ---- handing over

    def action_export(self) -> None:
        name = "".join(char if char.isalnum() or char in " ._-" else "-" for char in self.assessment.name)
        self.app.push_screen(ExportScreen(Path.cwd() / f"{name}-report", self.lang), self._export)

    def _export(self, given: object) -> None:
        if not isinstance(given, Wanted):
            return
        site = self.assessment

        def job(progress: "Progress", cancelled: "Callable[[], bool]") -> Path:
            from advisor.tui.ready import ready
            from advisor.usecases.export import write_report
            from advisor.usecases.masking import mapping_of, masked_assessment

            if not given.masked:
                write_report(site, given.to, *given.langs, progress=progress, cancelled=cancelled)
                return given.to
            with masked_assessment(site, mapping_of(str(site.path or site.source)), (), progress, cancelled) as (masked, _done):
                ready(masked, progress, cancelled)
                write_report(masked, given.to, *given.langs, progress=progress, cancelled=cancelled)
            return given.to

        def done(to: Path) -> None:
            key = "tui.report.written-masked" if given.masked else "tui.report.written"
            self.advisor.tell(key, path=str(to), mapping=mapping_name(site) if given.masked else "")

        def failed(error: Exception) -> None:
            if isinstance(error, Cancelled):
                self.advisor.tell("tui.report.cancelled")
            else:
                self.advisor.explain(error)

        self._writing = self.advisor.begin("tui.work.export", job, done, failed)

    def leave(self) -> bool:
        """Escape ends the writing, as ctrl+x does; nothing of the file is left."""
        if super().leave():
            return True
        if self._writing is not None and self._writing is self.advisor.work and not self._writing.stop.is_set():
            self.advisor.action_cancel_work()
            return True
        return False

    # ---- seal, and what changed

    def action_seal(self) -> None:
        site = self.assessment

        def job(*_: object) -> "Document":
            from advisor.report.history import seal_document
            from advisor.usecases.seal import seal

            return seal_document(seal(site), self.lang)

        def done(document: "Document") -> None:
            self._read("tui.key.seal", document)
            self.advisor.reopen()  # the seal stands in the file now

        self.advisor.begin("tui.work.seal", job, done)

    def action_verify(self) -> None:
        site = self.assessment

        def job(*_: object) -> "Document":
            from advisor.report.history import verified_document
            from advisor.usecases.seal import verify

            return verified_document(verify(site), self.lang)

        self.advisor.begin("tui.work.verify", job, partial(self._read, "tui.key.verify"))

    def action_since(self) -> None:
        """What changed since an older assessment of the same site."""
        self.app.push_screen(
            Ask("tui.ask.since", "tui.ask.since-hint", str(Path.cwd()) + "/", paths=True, enter="tui.stage.compare"), self._since
        )

    def _since(self, path: object) -> None:
        if not isinstance(path, str):
            return
        site, lang = self.assessment, self.lang

        def job(progress: "Progress", cancelled: "Callable[[], bool]") -> "Document":
            from advisor.report.history import since_document
            from advisor.usecases.assess import open_site
            from advisor.usecases.since import changed_since, titles

            old = open_site(str(Path(path).expanduser()), progress, cancelled)
            return since_document(changed_since(old, site), titles(site), lang)

        self.advisor.begin("tui.work.open", job, partial(self._read, "tui.key.since"))

    def _read(self, title: str, document: "Document") -> None:
        from advisor.report import markdown

        self.app.push_screen(Reading(title, paragraphs(markdown.render(document), 90)))


def mapping_name(site: "Assessment") -> str:
    """The file that keeps the pairs of names and pseudonyms."""
    from advisor.usecases.masking import mapping_of

    return str(mapping_of(str(site.path or site.source)))
