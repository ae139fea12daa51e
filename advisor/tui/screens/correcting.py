"""The dialog that says of a capture which host it is from and which role it plays."""

from dataclasses import dataclass

from textual.app import ComposeResult
from textual.widgets import Input

from advisor.base.text import say
from advisor.evidence.bundle import ROLES, Capture, Role
from advisor.tui.screens.dialogs import Dialog
from advisor.tui.views.words import Column, Para, Row, Table, word
from advisor.tui.widgets.listing import Listing
from advisor.tui.widgets.paint import harmless
from advisor.tui.widgets.prose import Prose


@dataclass(frozen=True, slots=True)
class Corrected:
    """What a person says of a capture; None is unknown."""

    host: str | None
    role: Role | None


class CorrectScreen(Dialog):
    title_key = "tui.correct.title"

    def __init__(self, capture: Capture) -> None:
        super().__init__()
        self._capture = capture

    def body(self) -> ComposeResult:
        yield Prose(id="words", focus=False)
        yield Input(harmless(self._capture.host or ""), id="field", select_on_focus=False)
        yield Listing(id="roles")

    def on_mount(self) -> None:
        super().on_mount()
        self.add_class("-correct")
        lang = self.lang
        self.query_one("#words", Prose).show([Para(word(self._capture.name, "strong")), Para(word(say("tui.correct.hint", lang), "dim"))])
        self.query_one("#field", Input).border_title = say("tui.correct.host", lang)
        roles = self.query_one("#roles", Listing)
        roles.border_title = say("tui.correct.role", lang)
        rows = [
            Row("", (word(say("tui.correct.no-role", lang), "dim"),)),
            *(Row(role, (word(say(f"tui.role.{role}", lang)),)) for role in ROLES),
        ]
        roles.show(Table((Column("", flex=True),), tuple(rows), headed=False), at=self._capture.role or "")
        self.query_one("#field").focus()

    def on_input_submitted(self) -> None:
        self.accept()

    def on_listing_chosen(self) -> None:
        self.accept()

    def accept(self) -> None:
        row = self.query_one("#roles", Listing).row
        role = next((role for role in ROLES if row and role == row.key), None)
        said, before = self.query_one("#field", Input).value.strip(), self._capture.host
        host = before if before and said == harmless(before).strip() else said or None  # untouched stays as it was captured
        self.dismiss(Corrected(host, role))  # type: ignore[arg-type]
