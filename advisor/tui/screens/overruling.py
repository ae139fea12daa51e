"""The dialog in which a person puts a verdict of their own in place of the evidence's, with the reason."""

from dataclasses import dataclass

from textual.app import ComposeResult
from textual.widgets import Input

from advisor.base.text import say
from advisor.diagnosis.verdict import Diagnosis
from advisor.diagnosis.verdicts import VERDICTS
from advisor.tui.screens.dialogs import Dialog
from advisor.tui.views.words import Column, Para, Row, Table, word
from advisor.tui.widgets.field import Field
from advisor.tui.widgets.listing import Listing
from advisor.tui.widgets.paint import harmless
from advisor.tui.widgets.prose import Prose


@dataclass(frozen=True, slots=True)
class Said:
    """A person's verdict and reason; no verdict takes an earlier one back."""

    verdict: str | None
    reason: str


class OverruleScreen(Dialog):
    title_key = "tui.overrule.title"

    def __init__(self, diagnosis: Diagnosis) -> None:
        super().__init__()
        self._diagnosis = diagnosis

    def body(self) -> ComposeResult:
        yield Prose(id="words", focus=False)
        yield Field(harmless(self._diagnosis.overruled.reason if self._diagnosis.overruled else ""), id="field", enter="tui.key.next-field")
        yield Listing(id="roles", enter="tui.key.submit")

    def on_mount(self) -> None:
        super().on_mount()
        self.add_class("-correct", "-overrule")
        lang = self.lang
        self._hint()
        self.query_one("#field", Input).border_title = say("tui.overrule.reason", lang)
        verdicts = self.query_one("#roles", Listing)
        verdicts.border_title = say("tui.overrule.verdict", lang)
        rows = [
            Row("", (word(say("tui.overrule.none", lang), "dim"),)),
            *(Row(verdict, (word(say(f"tui.verdict.{verdict}", lang)),)) for verdict in VERDICTS),
        ]
        at = self._diagnosis.verdict if self._diagnosis.overruled else ""
        verdicts.show(Table((Column("", flex=True),), tuple(rows), headed=False), at=at)
        self.query_one("#field").focus()

    def _hint(self, key: str = "tui.overrule.hint") -> None:
        evidence = self._diagnosis.overruled
        headline = (evidence.headline if evidence else self._diagnosis.headline).say(self.lang)
        self.query_one("#words", Prose).show([Para(word(headline, "strong")), Para(word(say(key, self.lang), "dim"))])

    def on_input_submitted(self) -> None:
        self.query_one("#roles").focus()

    def on_listing_chosen(self) -> None:
        row = self.query_one("#roles", Listing).row
        verdict = row.key if row and row.key else None
        reason = self.query_one("#field", Input).value.strip()
        if verdict and not reason:
            self._hint("tui.overrule.needs-reason")
            self.query_one("#field").focus()
            return
        self.dismiss(Said(verdict, reason))
