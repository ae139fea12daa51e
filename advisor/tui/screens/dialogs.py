"""A dialog: a box over the screen, and those that are only read."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Container
from textual.screen import ModalScreen

from advisor.base.text import Lang, say
from advisor.tui.keys import Keyed
from advisor.tui.views.words import Para, word
from advisor.tui.widgets.keybar import KeyBar
from advisor.tui.widgets.paint import safe
from advisor.tui.widgets.prose import Prose

if TYPE_CHECKING:
    from advisor.tui.app import AdvisorApp


class Dialog(Keyed, ModalScreen[object]):
    """A box over the screen, with the keys that work in it. Escape leaves it without a result."""

    title_key = ""
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (100, "-wide")]
    VERTICAL_BREAKPOINTS = [(0, "-low"), (32, "-tall")]
    BINDINGS = [
        Binding("tab", "next_field", "tui.key.next-field", key_display="tab"),
        Binding("escape", "leave", "tui.key.close", key_display="esc"),
        Binding("pageup", "page(-1)", "tui.key.page-up", show=False),
        Binding("pagedown", "page(1)", "tui.key.page-down", show=False),
    ]

    @property
    def advisor(self) -> "AdvisorApp":
        return cast("AdvisorApp", self.app)

    @property
    def lang(self) -> Lang:
        return self.advisor.lang

    def compose(self) -> ComposeResult:
        with Container(id="box"):
            yield from self.body()
        yield KeyBar()

    def body(self) -> ComposeResult:
        yield from ()

    def on_mount(self) -> None:
        self.query_one("#box").border_title = safe(say(self.title_key, self.lang))
        self.query_one(KeyBar).show(self.lang)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        return len(self.focus_chain) > 1 if action == "next_field" else True

    def action_next_field(self) -> None:
        self.focus_next()

    def action_page(self, step: int) -> None:
        """The words over a field, where there is no room for all of them: the focus stays in the field."""
        for words in self.query(Prose):
            if not words.focusable:
                words.scroll_relative(y=step * max(words.size.height - 1, 1), animate=False, immediate=True, force=True)

    def action_leave(self) -> None:
        self.dismiss(None)


class Reading(Dialog):
    """Paragraphs to read."""

    BINDINGS = [Binding("enter", "leave", "tui.key.close")]

    def __init__(self, title: str, paras: Sequence[Para]) -> None:
        super().__init__()
        self.title_key = title
        self._paras = paras
        self.add_class("-reading")

    def body(self) -> ComposeResult:
        yield Prose(id="words")

    def on_mount(self) -> None:
        super().on_mount()
        words = self.query_one("#words", Prose)
        words.show(self._paras)
        words.focus()


class Notice(Reading):
    """Something went wrong: what happened, where, what to do next."""

    def __init__(self, sentence: str) -> None:
        super().__init__("tui.error.title", [Para(word(text)) for text in sentence.splitlines()])
        self.add_class("-error")
