"""The dialog that says of a capture which host it is from, when it was taken and which role it plays."""

from dataclasses import dataclass

from textual.app import ComposeResult
from textual.widgets import Input

from advisor.base.errors import UsageError
from advisor.base.text import say
from advisor.evidence.bundle import ROLES, Capture, Role
from advisor.tui.screens.dialogs import Dialog
from advisor.tui.views import frame
from advisor.tui.views.words import Column, Para, Phrase, Row, Table, word
from advisor.tui.widgets.field import Field
from advisor.tui.widgets.listing import Listing
from advisor.tui.widgets.paint import harmless
from advisor.tui.widgets.prose import Prose


@dataclass(frozen=True, slots=True)
class Corrected:
    """What a person says of a capture; None is unknown."""

    host: str | None
    role: Role | None
    time: str | None


class CorrectScreen(Dialog):
    title_key = "tui.correct.title"

    def __init__(self, capture: Capture) -> None:
        super().__init__()
        self._capture = capture

    def body(self) -> ComposeResult:
        yield Prose(id="words", focus=False)
        found = harmless(self._capture.path_host or "")  # what its path says, where no person said anything
        yield Field(harmless(self._capture.host or ""), id="field", placeholder=found)
        yield Field(harmless(self._capture.time or ""), id="time")
        yield Listing(id="roles", enter="tui.key.submit")

    def on_mount(self) -> None:
        super().on_mount()
        self.add_class("-correct")
        lang = self.lang
        self._say(word(say("tui.correct.hint", lang), "dim"))
        self.query_one("#field", Input).border_title = say("tui.correct.host", lang)
        self.query_one("#time", Input).border_title = say("tui.correct.time", lang)
        roles = self.query_one("#roles", Listing)
        roles.border_title = say("tui.correct.role", lang)
        rows = [
            Row("", (word(say("tui.correct.no-role", lang), "dim"),)),
            *(Row(role, (word(say(f"tui.role.{role}", lang)),)) for role in ROLES),
        ]
        roles.show(Table((Column("", flex=True),), tuple(rows), headed=False), at=self._capture.role or "")
        self.query_one("#field").focus()

    def _say(self, phrase: Phrase) -> None:
        self.query_one("#words", Prose).show([Para(word(self._capture.name, "strong")), Para(phrase)])

    def on_input_submitted(self) -> None:
        self.accept()

    def on_listing_chosen(self) -> None:
        self.accept()

    def accept(self) -> None:
        row = self.query_one("#roles", Listing).row
        role = next((role for role in ROLES if row and role == row.key), None)
        host, time = self._said("field", self._capture.host), self._said("time", self._capture.time)
        if time != self._capture.time:
            from advisor.usecases.correct import stated_time

            try:
                time = stated_time(time or "")
            except UsageError as error:
                self._say(word(frame.explained(error, self.lang), "warn"))
                self.query_one("#time").focus()
                return
        self.dismiss(Corrected(host, role, time))  # type: ignore[arg-type]

    def _said(self, field: str, before: str | None) -> str | None:
        """What stands in a field; what nobody touched stays as it was captured."""
        said = self.query_one(f"#{field}", Input).value.strip()
        return before if before and said == harmless(before).strip() else said or None
