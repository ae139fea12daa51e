"""What is longer than its pane is scrolled: the cursor is always seen, and a bar tells that there is more."""

from pathlib import Path

import pytest

from advisor.tui.views.capture import marks
from advisor.tui.views.fabric import links
from advisor.tui.views.words import text_of
from advisor.tui.widgets.capture_view import CaptureView
from advisor.tui.widgets.listing import Listing
from advisor.tui.widgets.prose import Prose
from tui import site
from tui.driving import opened, screen_text, settled, stage


@pytest.mark.parametrize(("keys", "place"), [(("end",), -1), (("end", "home"), 0), (("pagedown",), None), (("end", "pageup"), None)])
async def test_the_row_of_the_cursor_is_always_seen(tmp_path: Path, keys: tuple[str, ...], place: int | None) -> None:
    here = site.assessment(tmp_path)
    many = tuple(link for _ in range(10) for link in site.fabric().links)
    here.__dict__["fabric"] = here.fabric.model_copy(update={"links": many})
    assert len(links(here.fabric, "en").rows) > 100
    async with opened(tmp_path, (80, 24), site=here) as (app, pilot):
        await stage(pilot, "fabric")
        await pilot.press("l", *keys)
        await settled(pilot)
        table = app.screen.query_one("#links", Listing)
        rows = table.table.rows
        assert table.row is not None
        at = next(i for i, row in enumerate(rows) if row.key == table.row.key)
        if place is not None:
            assert at == place % len(rows)
        assert table.scroll_offset.y <= at < table.scroll_offset.y + table.size.height - 1, "one line is the heading"
        assert table.show_vertical_scrollbar
        shown = "".join(segment.text for segment in table.render_line(at - table.scroll_offset.y + 1))
        assert text_of(rows[at].cells[0])[:6] in shown


async def test_the_first_row_shows_what_stands_above_it(tmp_path: Path) -> None:
    async with opened(tmp_path, (80, 24)) as (app, pilot):
        table = app.screen.query_one("#captures", Listing)
        await pilot.press("end", "home")
        await settled(pilot)
        assert table.scroll_offset.y == 0


async def test_the_last_line_of_a_capture_is_reached(tmp_path: Path) -> None:
    async with opened(tmp_path, (80, 24)) as (app, pilot):
        view = app.screen.query_one("#capture", CaptureView)
        capture = app.assessment.bundle.captures[0]  # type: ignore[union-attr]
        view.show([f"line {i}" for i in range(1, 5001)], marks(capture, "en"), at=3000)
        await settled(pilot)
        assert "line 3000" in screen_text(app)
        view.focus()
        await pilot.press("end")
        await settled(pilot)
        assert "line 5000" in screen_text(app)


async def test_a_long_dialog_is_read_to_its_end(tmp_path: Path) -> None:
    async with opened(tmp_path, (80, 24)) as (app, pilot):
        await pilot.press("question_mark")
        await settled(pilot)
        words = app.screen.query_one("#words", Prose)
        first = screen_text(app)
        assert words.show_vertical_scrollbar
        await pilot.press("end")
        await settled(pilot)
        assert screen_text(app) != first
        assert words.scroll_offset.y == words.max_scroll_y > 0


async def test_a_line_that_is_too_long_says_so_and_is_read_to_its_end(tmp_path: Path) -> None:
    async with opened(tmp_path, (80, 24)) as (app, pilot):
        view = app.screen.query_one("#capture", CaptureView)
        capture = app.assessment.bundle.captures[0]  # type: ignore[union-attr]
        view.show(["x" * 100 + " the end", "short"], marks(capture, "en"))
        await settled(pilot)
        assert "xxx›" in screen_text(app)
        view.focus()
        await pilot.press(*["right"] * 10)
        await settled(pilot)
        assert "the end" in screen_text(app)
        assert "›" not in screen_text(app)
