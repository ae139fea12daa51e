"""Keys typed ahead: what was pressed first works first, whatever opens, moves the focus or is written on the way."""

from pathlib import Path

import pytest
from textual import events
from textual.command import CommandPalette
from textual.keys import _character_to_key
from textual.pilot import Pilot
from textual.widgets import Input

from advisor.tui.order import Ordered
from advisor.tui.screens.commanding import CommandScreen
from advisor.tui.widgets.listing import Listing
from tui.driving import opened, settled, stage

NAMED = {"enter", "escape", "down", "ctrl+u", "ctrl+p"}


async def burst(pilot: Pilot[int], *keys: str) -> None:
    """Keys as a terminal sends them that got them in one piece: none waits for what the one before does."""
    for key in keys:
        for one in [key] if key in NAMED else key:
            char = one if len(one) == 1 else None
            event = events.Key(_character_to_key(one) if char else one, char)
            event.set_sender(pilot.app)
            pilot.app.post_message(event)
    await settled(pilot)
    assert isinstance(pilot.app, Ordered)
    await pilot.app.rest()
    await settled(pilot)


def field(pilot: Pilot[int], name: str) -> str:
    return pilot.app.screen.query_one(f"#{name}", Input).value


@pytest.mark.parametrize("times", range(3))
async def test_a_field_that_is_emptied_keeps_what_follows(tmp_path: Path, times: int) -> None:
    async with opened(tmp_path) as (_, pilot):
        await stage(pilot, "costs")
        await burst(pilot, "b", "down", "e")
        await burst(pilot, "ctrl+u", "1234.5", "enter", "EUR", "ctrl+u", "USD", "enter", "offer")
        assert (field(pilot, "amount"), field(pilot, "currency"), field(pilot, "source")) == ("1234.5", "USD", "offer")


async def test_what_opens_a_field_gets_the_keys_behind_it(tmp_path: Path) -> None:
    async with opened(tmp_path) as (app, pilot):
        await burst(pilot, "/", "37", "enter")
        assert app.screen.query_one("#captures", Listing).needle == "37"
        await burst(pilot, "escape", ":", "calc --help")
        assert isinstance(app.screen, CommandScreen)
        assert field(pilot, "field") == "calc --help"
        await burst(pilot, "escape", "5", "b", "down", "e", "ctrl+u", "77")
        assert field(pilot, "amount") == "77"
        await burst(pilot, "escape", "i", "some")
        assert field(pilot, "paths") == "some"


async def test_stages_and_dialogs_typed_in_one_go(tmp_path: Path) -> None:
    async with opened(tmp_path) as (app, pilot):
        await burst(pilot, "4", "s", "no time", "enter", "5", "2", "?", "escape", "3")
        assert app.current_mode == "diagnosis"
        assert app.assessment is not None
        assert [decision.reason for decision in app.assessment.decisions.values()] == ["no time"]


async def test_a_choice_in_the_palette_waits_for_its_list(tmp_path: Path) -> None:
    async with opened(tmp_path) as (app, pilot):
        await burst(pilot, "ctrl+p", "Costs", "enter")
        assert not isinstance(app.screen, CommandPalette)
        assert app.current_mode == "costs"


async def test_pasted_text_stays_in_its_place(tmp_path: Path) -> None:
    async with opened(tmp_path) as (app, pilot):
        for event in (events.Key("colon", ":"), events.Key("a", "a"), events.Paste("middle"), events.Key("z", "z")):
            app.post_message(event)
        await settled(pilot)
        assert field(pilot, "field") == "amiddlez"
