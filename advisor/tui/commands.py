"""The command palette: every action of the key map, by its name in the reader's language."""

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING, cast

from textual.command import DiscoveryHit, Hit, Hits, Provider

from advisor.base.text import say

if TYPE_CHECKING:
    from advisor.tui.app import AdvisorApp


class Actions(Provider):
    """All keys that work on the screen below the palette, with what they do."""

    def _entries(self) -> Iterator[tuple[str, str, str]]:
        """Name, key as displayed, key."""
        app = cast("AdvisorApp", self.app)
        seen: set[str] = set()
        for _, binding, enabled, _ in sorted(self.screen.active_bindings.values(), key=lambda active: not active.binding.show):
            if (
                enabled
                and binding.description.startswith("tui.")
                and binding.action not in seen
                and not binding.action.endswith("command_palette")
            ):
                seen.add(binding.action)
                yield say(binding.description, app.lang), app.get_key_display(binding), binding.key

    async def discover(self) -> Hits:
        for name, shown, key in self._entries():
            yield DiscoveryHit(f"{name}  ({shown})", partial(self.app.simulate_key, key))

    async def search(self, query: str) -> Hits:
        matcher = self.matcher(query)
        for name, shown, key in self._entries():
            score = matcher.match(name)
            if score > 0:
                yield Hit(score, matcher.highlight(f"{name}  ({shown})"), partial(self.app.simulate_key, key))
