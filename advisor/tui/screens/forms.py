"""A dialog of a few fields to fill in, with what there is to know above them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Container
from textual.widgets import Input

from advisor.base.text import say
from advisor.tui.screens.dialogs import Dialog, Paths
from advisor.tui.views.words import Para, word
from advisor.tui.widgets.field import Field
from advisor.tui.widgets.paint import harmless, safe
from advisor.tui.widgets.prose import Prose


@dataclass(frozen=True, slots=True)
class Asked:
    """label: key of the catalogue. needed: an empty one is not accepted. path: what is on the disk is suggested.

    brief: half a line does.
    """

    id: str
    label: str
    value: str = ""
    needed: bool = False
    path: bool = False
    brief: bool = False


class Form(Dialog):
    """The result is what each field holds, by its id; None where the dialog was left."""

    BINDINGS = [Binding("ctrl+s", "accept", "tui.key.accept", priority=True)]

    def __init__(self, title: str, about: Sequence[Para], fields: Sequence[Asked], hint: str = "") -> None:
        super().__init__()
        self.title_key = title
        self._about, self._fields, self._hint = about, fields, hint
        self.add_class("-form")

    def body(self) -> ComposeResult:
        yield Prose(id="words", focus=False)
        with Container(id="fields"):
            for field in self._fields:
                enter = "tui.key.submit" if field is self._fields[-1] else "tui.key.next-field"
                wide = None if field.brief else "-wide"
                yield Field(harmless(field.value), id=field.id, classes=wide, enter=enter, suggester=Paths() if field.path else None)

    def on_mount(self) -> None:
        super().on_mount()
        self._say(self._hint)
        for field in self._fields:
            self.query_one(f"#{field.id}", Input).border_title = safe(say(field.label, self.lang))
        self.query_one(f"#{self._fields[0].id}").focus()

    def _say(self, key: str, tone: str = "dim") -> None:
        said = [Para(word(say(key, self.lang), tone))] if key else []  # type: ignore[arg-type]
        self.query_one("#words", Prose).show([*self._about, *said])

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Enter goes to the next field; on the last one it accepts."""
        places = [field.id for field in self._fields]
        at = places.index(event.input.id or places[-1])
        if at + 1 < len(places):
            self.query_one(f"#{places[at + 1]}").focus()
        else:
            self.action_accept()

    def action_accept(self) -> None:
        values: Mapping[str, str] = {field.id: self.query_one(f"#{field.id}", Input).value.strip() for field in self._fields}
        lacking = next((field for field in self._fields if field.needed and not values[field.id]), None)
        if lacking:
            self._say("tui.form.needed", "warn")
            self.query_one(f"#{lacking.id}").focus()
        else:
            self.dismiss(values)
