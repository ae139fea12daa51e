"""The command palette: every action of the key map, every theme and every command of the command line, by name."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING, cast

from textual.command import DiscoveryHit, Hit, Hits, Provider
from textual.content import Content

from advisor.base.text import say
from advisor.tui import keys, themes

if TYPE_CHECKING:
    from advisor.tui.app import AdvisorApp

Entry = tuple[str, Callable[[], object]]


class Actions(Provider):
    """What can be done on the screen below the palette."""

    def entries(self) -> Iterator[Entry]:
        """Name with its key, and what it does."""
        yield from self._keys()
        app = cast("AdvisorApp", self.app)
        for theme in themes.ORDER:
            yield say(f"tui.theme.{theme}", app.lang), partial(app.dress, theme)
        from advisor.tui.screens.commanding import commands, prefilled

        for name, what in commands(app.lang).items():
            yield f"advisor {name}: {what}", partial(app.action_command, prefilled(name, app.site))

    def _keys(self) -> Iterator[Entry]:
        app = cast("AdvisorApp", self.app)
        seen: set[str] = set()
        for node, binding, enabled, _ in sorted(self.screen.active_bindings.values(), key=lambda active: not active.binding.show):
            what = keys.said(node, binding)
            if enabled and what.startswith("tui.") and binding.action not in seen and not binding.action.endswith("command_palette"):
                seen.add(binding.action)
                yield f"{say(what, app.lang)}  ({app.get_key_display(binding)})", partial(app.simulate_key, binding.key)

    async def discover(self) -> Hits:
        for name, act in self.entries():
            yield DiscoveryHit(Content(name), act, text=name)

    async def search(self, query: str) -> Hits:
        matcher = self.matcher(query)
        for name, act in self.entries():
            score, places = matcher.fuzzy_search.match(query, name)
            if score > 0:
                shown = Content(name)  # never markup: a site may be called anything
                for at in places:
                    shown = shown.stylize("bold", at, at + 1)
                yield Hit(score, shown, act, text=name)
