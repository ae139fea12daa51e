"""In full can be read by keyboard alone at 80x24: a pane that has the focus is scrolled, of any other `z` shows the whole."""

from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.widgets import Input

from advisor.base.text import Lang
from advisor.tui.app import AdvisorApp
from advisor.tui.screens.dialogs import Reading
from advisor.tui.screens.forms import Ask
from advisor.tui.screens.whole import cut_off
from advisor.tui.views.frame import STAGES
from advisor.tui.views.words import text_of
from advisor.tui.widgets.prose import Prose
from advisor.usecases import assess
from tui.driving import opened, screen_text, settled, stage

SMALL = (80, 24)


def longer(app: AdvisorApp) -> list[Prose]:
    return [one for one in app.screen.query(Prose) if one.region.area and one.virtual_size.height > one.size.height]


async def down_to_the_end(pilot: Pilot[int], one: Prose) -> bool:
    """Whether the keys for a page come to the last line."""
    one.focus()
    await pilot.pause()
    for _ in range(400):
        await pilot.press("pagedown")
        if one.scroll_offset.y >= one.virtual_size.height - one.size.height:
            return True
    return False


@pytest.mark.parametrize("lang", ["en", "zh"])
async def test_every_text_is_read_by_keys(tmp_path: Path, lang: Lang) -> None:
    async with opened(tmp_path, SMALL, lang, assess.open_site(assess.example())) as (app, pilot):
        seen = 0
        for name in STAGES:
            await stage(pilot, name)
            for one in longer(app):
                if one.focusable:
                    if name != "report":  # thousands of lines
                        assert await down_to_the_end(pilot, one), (name, one.id)
                    continue
                seen += 1
                assert one in cut_off(app.screen)
                await pilot.press("z")
                await settled(pilot)
                assert isinstance(app.screen, Reading)
                words = [text_of(para.phrase) for para in app.screen.query_one("#words", Prose).paras]
                assert set(words) >= {text_of(para.phrase) for para in one.paras}, (name, one.id)
                assert await down_to_the_end(pilot, app.screen.query_one("#words", Prose)) or not longer(app)
                await pilot.press("escape")
                await settled(pilot)
        assert seen


async def test_the_key_stands_where_it_works(tmp_path: Path) -> None:
    async with opened(tmp_path, SMALL, site=assess.open_site(assess.example())) as (app, pilot):
        await stage(pilot, "costs")
        assert "z In full" in screen_text(app).splitlines()[-1]
        await pilot.press("?")
        await settled(pilot)
        assert "In full" in "\n".join(text_of(para.phrase) for para in app.screen.query_one("#words", Prose).paras)
        await pilot.press("escape")
        await stage(pilot, "report")
        assert not cut_off(app.screen)
        assert "z In full" not in screen_text(app).splitlines()[-1]


async def test_the_words_over_a_field_are_scrolled_from_the_field(tmp_path: Path) -> None:
    async with opened(tmp_path, SMALL) as (app, pilot):
        await app.push_screen(Ask("tui.ask.open", "tui.ask.open-hint"))
        await settled(pilot)
        words = app.screen.query_one("#words", Prose)
        words.show([*words.paras] * 12)
        await settled(pilot)
        await pilot.press("pagedown", "x")
        assert words.scroll_offset.y > 0
        assert app.screen.query_one("#field", Input).value == "x"
        await pilot.press("pageup")
        assert words.scroll_offset.y == 0
