"""Dialogs to fill in: one line, or a few fields with what there is to know above them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Container
from textual.suggester import Suggester
from textual.widgets import Input

from advisor.base.text import say
from advisor.tui.screens.dialogs import Dialog
from advisor.tui.views.words import Para, word
from advisor.tui.widgets.field import Field
from advisor.tui.widgets.paint import harmless, safe
from advisor.tui.widgets.prose import Prose


class Ask(Dialog):
    """One line to type. The result is the line, or None; an empty line counts where it is `optional`."""

    def __init__(
        self,
        title: str,
        hint: str,
        value: str = "",
        paths: bool = False,
        optional: bool = False,
        about: str = "",
        enter: str = "tui.key.submit",
    ) -> None:
        """about: what the line is for, where the title alone does not tell. enter: key of the words for what enter does."""
        super().__init__()
        self.title_key = title
        self._hint, self._value, self._paths, self._optional = hint, value, paths, optional
        self._about, self._enter = about, enter

    def body(self) -> ComposeResult:
        yield Field(harmless(self._value), id="field", enter=self._enter, suggester=Paths() if self._paths else None)
        yield Prose(id="words", focus=False)

    def on_mount(self) -> None:
        super().on_mount()
        self.add_class("-ask")
        self.query_one("#words", Prose).show([Para(word(say(self._hint, self.lang), "dim"))])
        self.query_one("#field", Input).border_title = safe(self._about)
        self.query_one("#field").focus()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        value = event.value.strip()
        self.dismiss(value if value or self._optional else None)


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


class Paths(Suggester):
    """Suggests the rest of a path from what is on the disk."""

    def __init__(self) -> None:
        super().__init__(use_cache=False, case_sensitive=True)

    async def get_suggestion(self, value: str) -> str | None:
        path = Path(value).expanduser()
        folder, start = (path, "") if value.endswith("/") else (path.parent, path.name)
        try:
            names = sorted(entry.name + ("/" if entry.is_dir() else "") for entry in folder.iterdir() if entry.name.startswith(start))
        except OSError:
            return None
        names = [name for name in names if not name.startswith(".")]
        return value[: len(value) - len(start)] + names[0] if names and len(names[0]) > len(start) else None
