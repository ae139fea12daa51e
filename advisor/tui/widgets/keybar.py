"""The last line: the keys that work here, from the real key map. A click on one presses it."""

from textual import events
from textual.binding import Binding
from textual.strip import Strip
from textual.widgets import Input, TextArea

from advisor.base.text import Lang, say
from advisor.tui.keys import said
from advisor.tui.views.words import Phrase, Span
from advisor.tui.widgets.paint import Painted, line, width_of

_ALWAYS = ("whole", "cancel_work", "command_palette", "help", "quit")  # actions that keep their place at the right
_TYPED = frozenset({"slash", "colon", "question_mark", "space"})  # keys that are letters of a text in a field


class KeyBar(Painted):
    DEFAULT_CSS = """
    KeyBar { height: 1; background: $panel; color: $foreground; }
    """

    def __init__(self) -> None:
        super().__init__()
        self.lang: Lang = "en"
        self._places: list[tuple[int, int, str]] = []  # first cell, end, key
        self._drawn: object = None

    def on_mount(self) -> None:
        self.screen.bindings_updated_signal.subscribe(self, lambda _: self._update())

    def show(self, lang: Lang) -> None:
        self.lang = lang
        self._update()

    def _update(self) -> None:
        if self._drawn != self._items():
            self.refresh()

    def _items(self) -> tuple[list[tuple[Phrase, str]], list[tuple[Phrase, str]]]:
        left: list[tuple[Phrase, str]] = []
        right: list[tuple[Phrase, str]] = []
        seen: set[str] = set()
        typing = isinstance(self.screen.focused, Input | TextArea)
        for node, binding, enabled, _ in self.screen.active_bindings.values():
            what = said(node, binding)
            if not binding.show or not enabled or not what.startswith("tui.") or {binding.action, what} & seen:
                continue
            if typing and (binding.key in _TYPED or len(binding.key) == 1):
                continue
            seen |= {binding.action, what}
            always = binding.action.removeprefix("app.") in _ALWAYS
            (right if always else left).append((self._words(binding, what), binding.key))
        return left, right

    def _words(self, binding: Binding, what: str) -> Phrase:
        key = self.app.get_key_display(binding)
        return (Span(f" {key}", "title"), Span(f" {say(what, self.lang)} "))

    def render_line(self, y: int) -> Strip:
        width = self.size.width
        left, right = self._drawn = self._items()
        right = list(right)
        while right and sum(width_of(phrase) for phrase, _ in right) > width // 2:
            right.pop(0)
        room = width - sum(width_of(phrase) for phrase, _ in right)
        self._places = []
        words: list[Span] = []
        at = 0
        for phrase, key in left:
            wide = width_of(phrase)
            if at + wide > room:  # a shorter one further on may still fit
                continue
            self._places.append((at, at + wide, key))
            words.extend(phrase)
            at += wide
        words.append(Span(" " * (room - at)))
        at = room
        for phrase, key in right:
            self._places.append((at, at + width_of(phrase), key))
            words.extend(phrase)
            at += width_of(phrase)
        return line(self.paint(tuple(words)), width, self.rich_style)

    def on_click(self, event: events.Click) -> None:
        for start, end, key in self._places:
            if start <= event.x < end:
                self.app.simulate_key(key)
