"""What a screen is for and which keys work on it, from the real key map."""

from textual.app import ComposeResult
from textual.screen import Screen

from advisor.base.text import say
from advisor.tui.keys import file, said
from advisor.tui.screens.dialogs import Dialog
from advisor.tui.views.words import Para, Span, padded, word
from advisor.tui.widgets.prose import Prose


class HelpScreen(Dialog):
    title_key = "tui.key.help"

    def __init__(self, about: Screen[object]) -> None:
        super().__init__()
        self._about = about
        # Asked now: once this dialog is on top, the keys below it are no longer active.
        active = [(binding, said(node, binding)) for node, binding, enabled, _ in about.active_bindings.values() if enabled]
        found = [(binding, what) for binding, what in active if what.startswith("tui.")]
        found.sort(key=lambda one: not one[0].show)  # what the screen is for comes before moving about
        self._keys = [(about.app.get_key_display(binding), what, binding.id or "") for binding, what in found]

    def body(self) -> ComposeResult:
        yield Prose(id="words")

    def on_mount(self) -> None:
        super().on_mount()
        lang = self.lang
        stage = getattr(self._about, "stage", None) or "start"
        paras = [Para(word(text), hang=0) for text in say(f"tui.help.{stage}", lang).splitlines()]
        head = padded(say("tui.help.keys", lang), 11 + 30)
        paras += [Para(), Para((Span(head, "title"), Span(f" {say('tui.help.name', lang)}", "dim")))]
        seen: dict[tuple[str, str], list[str]] = {}
        for key, description, name in self._keys:
            seen.setdefault((description, name), []).append(key)
        for (description, name), keys in seen.items():
            shown = " ".join(dict.fromkeys(keys))
            what = padded(say(description, lang), 30)
            paras.append(Para((Span(f"{shown:<10} ", "title"), Span(what), Span(f" {name}", "dim")), hang=11))
        paras += [Para(), Para(word(say("tui.help.own-keys", lang, path=file()), "dim"))]
        paras += [Para(), Para(word(say("tui.help.signs", lang), "title"))]
        for key, sign, tone in (
            ("good", "✓", "good"),
            ("warn", "!", "warn"),
            ("bad", "✗", "bad"),
            ("unknown", "?", "mark"),
            ("none", "·", "dim"),
        ):
            paras.append(Para((Span(f"{sign:<10} ", tone), Span(say(f"tui.help.sign-{key}", lang))), hang=11))  # type: ignore[arg-type]
        words = self.query_one("#words", Prose)
        words.show(paras)
        words.focus()
