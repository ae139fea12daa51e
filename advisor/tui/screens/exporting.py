"""The dialog of what is handed over: in which form, in which languages, masked or not, and where to."""

from dataclasses import dataclass
from pathlib import Path

from textual.app import ComposeResult
from textual.binding import Binding
from textual.widgets import Input

from advisor.base.text import Lang, say
from advisor.tui.screens.dialogs import Dialog
from advisor.tui.screens.forms import Paths
from advisor.tui.views.words import Column, Para, Row, Span, Table, word
from advisor.tui.widgets.field import Field
from advisor.tui.widgets.listing import Listing
from advisor.tui.widgets.paint import safe
from advisor.tui.widgets.prose import Prose

FORMS = (".html", ".pdf", ".xlsx", ".md", ".json")
LANGUAGES: tuple[tuple[Lang, ...], ...] = (("en",), ("zh",), ("en", "zh"))


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is written: `masked` with every name and address a pseudonym, the pairs kept beside the site."""

    to: Path
    langs: tuple[Lang, ...]
    masked: bool


class ExportScreen(Dialog):
    title_key = "tui.ask.export"
    BINDINGS = [Binding("ctrl+s", "accept", "tui.key.write", priority=True)]

    def __init__(self, start: Path, lang: Lang) -> None:
        super().__init__()
        self._start = start  # without an ending
        self._form, self._masked = FORMS[0], False
        self._langs: tuple[Lang, ...] = (lang,)
        self.add_class("-export")

    def body(self) -> ComposeResult:
        yield Listing(id="options", enter="tui.key.pick")
        yield Field(str(self._start) + self._form, id="field", enter="tui.key.write", suggester=Paths())
        yield Prose(id="words", focus=False)

    def on_mount(self) -> None:
        super().on_mount()
        self.query_one("#field").border_title = safe(say("tui.export.to", self.lang))
        self.query_one("#words", Prose).show([Para(word(say("tui.export.hint", self.lang), "dim"))])
        self._draw()
        self.query_one("#options").focus()

    def _draw(self) -> None:
        lang = self.lang
        rows = [Row(form, (self._mark(form == self._form), word(say(f"tui.export.form{form.replace('.', '-')}", lang)))) for form in FORMS]
        rows.append(Row("head", (word(say("tui.export.languages", lang), "title"),), heading=True))
        for langs in LANGUAGES:
            name = "-".join(langs)
            rows.append(Row(f"lang:{name}", (self._mark(langs == self._langs), word(say(f"tui.export.lang-{name}", lang)))))
        rows.append(Row("head2", (word(say("tui.export.names", lang), "title"),), heading=True))
        for masked in (False, True):
            row = say("tui.export.masked" if masked else "tui.export.plain", lang)
            rows.append(Row(f"mask:{masked}", (self._mark(masked == self._masked), word(row))))
        self.query_one("#options", Listing).show(Table((Column(""), Column("", flex=True)), tuple(rows), headed=False))

    @staticmethod
    def _mark(chosen: bool) -> tuple[Span, ...]:
        return (Span("●" if chosen else "○", "good" if chosen else "dim"),)

    def on_listing_chosen(self, message: Listing.Chosen) -> None:
        key = message.row.key
        if key in FORMS:
            self._form = key
            field = self.query_one("#field", Input)
            path = Path(field.value)
            field.value = str(path.with_suffix(key)) if path.suffix in FORMS else field.value + key
        elif key.startswith("lang:"):
            self._langs = next(langs for langs in LANGUAGES if "-".join(langs) == key.removeprefix("lang:"))
        elif key.startswith("mask:"):
            self._masked = key == "mask:True"
        self._draw()

    def on_input_submitted(self) -> None:
        self.action_accept()

    def action_accept(self) -> None:
        path = self.query_one("#field", Input).value.strip()
        if path:
            self.dismiss(Wanted(Path(path).expanduser(), self._langs, self._masked))
