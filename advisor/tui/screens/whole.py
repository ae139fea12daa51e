"""All of what a screen shows only the beginning of: what has no focus to be scrolled is read in a dialog."""

from typing import Any

from textual.screen import Screen

from advisor.tui.screens.dialogs import Reading
from advisor.tui.views.words import Para
from advisor.tui.widgets.prose import Prose


def cut_off(screen: Screen[Any]) -> list[Prose]:
    """The texts that are longer than their place and cannot be scrolled by keys, from the top left on."""
    found = [one for one in screen.query(Prose) if one.region.area and not one.focusable and one.virtual_size.height > one.size.height]
    return sorted(found, key=lambda one: (one.region.y, one.region.x))


def read_whole(screen: Screen[Any]) -> None:
    paras: list[Para] = []
    for one in cut_off(screen):
        paras += [*([Para()] if paras else []), *one.paras]
    if paras:
        screen.app.push_screen(Reading("tui.key.whole", paras))
