"""What a person does at the keyboard, on the site of the screens."""

import time
from pathlib import Path

import pytest

from advisor.base.text import LANGS, Lang, catalogue
from advisor.tui.keys import said
from advisor.tui.screens.help import HelpScreen
from advisor.tui.views.frame import STAGES
from advisor.tui.widgets.capture_view import CaptureView
from advisor.tui.widgets.listing import Listing
from advisor.usecases import assess
from tui import site
from tui.driving import opened, screen_text, settled, stage, until

WORDS = {
    "evidence": "ibstat.txt",
    "fabric": "leaf-1",
    "diagnosis": "cross-leaf share of job llm-70b",
    "remedies": "Stagger checkpoint",
    "costs": "Free steps only",
    "compare": "all_reduce",
    "report": "pd-east-h100",
}


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (200, 60)])
async def test_every_stage_shows_its_own(tmp_path: Path, size: tuple[int, int]) -> None:
    async with opened(tmp_path, size) as (app, pilot):
        for name in STAGES:
            await stage(pilot, name)
            assert app.current_mode == name
            assert WORDS[name] in screen_text(app)
            assert "shared-link contention" in screen_text(app).splitlines()[0]


async def test_the_rail_goes_where_there_is_no_room(tmp_path: Path) -> None:
    async with opened(tmp_path, (80, 24)) as (app, _):
        assert "3 Diagnosis" not in screen_text(app)
    async with opened(tmp_path, (120, 40)) as (app, _):
        assert "3 Diagnosis" in screen_text(app)


async def test_escape_goes_back_and_ends_at_the_start(tmp_path: Path) -> None:
    async with opened(tmp_path) as (app, pilot):
        await stage(pilot, "costs")
        await pilot.press("escape")
        assert app.current_mode == "evidence"
        await pilot.press("escape")
        assert app.current_mode == "start"


async def test_evidence_opens_its_capture_at_the_line_and_escape_comes_back(tmp_path: Path) -> None:
    async with opened(tmp_path) as (app, pilot):
        await stage(pilot, "diagnosis")
        await pilot.press("enter", "down", "enter")
        await settled(pilot)
        assert app.current_mode == "evidence"
        view = app.screen.query_one("#capture", CaptureView)
        assert view.at == 3
        assert "busbw" in view.lines[1]
        await pilot.press("escape")
        assert app.current_mode == "diagnosis"


async def test_a_piece_of_evidence_is_set_aside_and_taken_back(tmp_path: Path) -> None:
    async with opened(tmp_path) as (app, pilot):
        await stage(pilot, "diagnosis")
        await pilot.press("enter", "x")
        await settled(pilot)
        assert app.assessment is not None
        assert app.assessment.set_aside == {"crossing_share"}
        assert "0.61" in screen_text(app).splitlines()[0]
        assert "1 set aside" in screen_text(app).splitlines()[0]
        await pilot.press("x")
        await settled(pilot)
        assert app.assessment.set_aside == frozenset()


async def test_remedies_are_taken_skipped_with_a_reason_and_put_off(tmp_path: Path) -> None:
    async with opened(tmp_path) as (app, pilot):
        await stage(pilot, "remedies")
        assert "recovered 0 %" in screen_text(app)
        await pilot.press("t")
        await settled(pilot)
        assert "recovered 14 %" in screen_text(app)
        assert "still lost 17 %" in screen_text(app)
        listing = app.screen.query_one("#ladder", Listing)
        assert listing.row
        assert listing.row.key == "stagger-checkpoints", "the walk goes on to the next one"
        await pilot.press("s", *"no window", "enter")
        await settled(pilot)
        assert app.assessment is not None
        assert app.assessment.decisions["stagger-checkpoints"].reason == "no window"
        await pilot.press("l")
        await settled(pilot)
        assert app.assessment.decisions["more-spines"].choice == "later"


async def test_keys_pressed_faster_than_the_plan_is_made_all_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    decide = assess.decide

    def slowly(*given: object) -> object:
        time.sleep(0.1)
        return decide(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(assess, "decide", slowly)
    async with opened(tmp_path) as (app, pilot):
        await stage(pilot, "remedies")
        await pilot.press("t", "down", "t", "down", "t")
        await settled(pilot)
        assert app.assessment is not None
        assert {name: made.choice for name, made in app.assessment.decisions.items()} == {
            "pack-jobs": "take",
            "stagger-checkpoints": "take",
            "more-spines": "take",
        }


async def test_the_language_switches_live_everywhere(tmp_path: Path) -> None:
    async with opened(tmp_path) as (app, pilot):
        await stage(pilot, "diagnosis")
        await pilot.press("ctrl+l")
        await settled(pilot)
        text = screen_text(app)
        assert "共享链路争用" in text
        assert "退出" in text.splitlines()[-1]
        assert "recoverable" not in text
        for name in STAGES:
            await stage(pilot, name)
            assert f"{STAGES.index(name) + 1} {catalogue()[f'tui.stage.{name}'].zh}" in screen_text(app)


@pytest.mark.parametrize("lang", LANGS)
async def test_every_line_is_as_wide_as_the_screen(tmp_path: Path, lang: Lang) -> None:
    """Wide characters stay aligned: each line measures what the terminal has."""
    async with opened(tmp_path, (100, 30), lang) as (app, pilot):
        for name in STAGES:
            await stage(pilot, name)
            for strip in app.screen._compositor.render_strips():
                assert strip.cell_length == 100
                assert sum(segment.cell_length for segment in strip) == 100


async def test_a_job_lights_its_hosts(tmp_path: Path) -> None:
    async with opened(tmp_path) as (app, pilot):
        await stage(pilot, "fabric")
        await pilot.press("j", "down", "enter")
        assert "◆◆" in screen_text(app)
        await pilot.press("l")
        assert "spine-2" in screen_text(app)


async def test_links_are_filtered_and_the_filter_ends_with_escape(tmp_path: Path) -> None:
    async with opened(tmp_path) as (app, pilot):
        await stage(pilot, "fabric")
        await pilot.press("l", "slash", *"leaf-4 36", "enter")
        table = app.screen.query_one("#links", Listing).table
        assert len(table.rows) == 1
        await pilot.press("escape")
        assert len(app.screen.query_one("#links", Listing).table.rows) == 48
        assert app.current_mode == "fabric"


async def test_search_in_a_capture_goes_from_hit_to_hit(tmp_path: Path) -> None:
    async with opened(tmp_path) as (app, pilot):
        await pilot.press("enter", "slash", *"linkup", "enter")
        view = app.screen.query_one("#capture", CaptureView)
        assert view.at == 6
        await pilot.press("escape", "n")
        assert view.at == 9, "without a search n goes to the next problem"


async def test_help_is_made_from_the_real_key_map(tmp_path: Path) -> None:
    async with opened(tmp_path) as (app, pilot):
        await stage(pilot, "remedies")
        active = {said(node, binding) for node, binding, _, _ in app.screen.active_bindings.values()}
        wanted = {what for what in active if what.startswith("tui.")}
        await pilot.press("question_mark")
        await pilot.pause()
        assert isinstance(app.screen, HelpScreen)
        assert {description for _, description, _ in app.screen._keys} == wanted
        assert {"tui.key.take", "tui.key.skip", "tui.key.details", "tui.key.quit"} <= wanted
        await pilot.press("escape")
        assert app.current_mode == "remedies"


async def test_the_palette_holds_every_action(tmp_path: Path) -> None:
    async with opened(tmp_path) as (app, pilot):
        await stage(pilot, "remedies")
        await pilot.press("ctrl+p", *"Undecide")
        await until(pilot, lambda: screen_text(app).count("Undecide") > 1, "the action under what was typed")
        await pilot.press("enter")
        await settled(pilot)
        assert app.assessment is not None
        assert app.assessment.decisions["pack-jobs"].choice == "open"


async def test_the_footer_presses_its_keys_by_mouse(tmp_path: Path) -> None:
    async with opened(tmp_path) as (app, pilot):
        await stage(pilot, "remedies")
        bar = screen_text(app).splitlines()[-1]
        await pilot.click(offset=(bar.index("Take"), 39))
        await settled(pilot)
        assert app.assessment is not None
        assert app.assessment.decisions["pack-jobs"].choice == "take"


async def test_a_click_on_the_rail_goes_to_the_stage(tmp_path: Path) -> None:
    async with opened(tmp_path) as (app, pilot):
        rows = screen_text(app).splitlines()
        await pilot.click(offset=(6, next(i for i, row in enumerate(rows) if "5 Costs" in row)))
        await settled(pilot)
        assert app.current_mode == "costs"


async def test_a_failure_inside_is_told_and_the_application_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError("[/nope] \x1b]0;title\x07")

    monkeypatch.setattr(assess, "decide", broken)
    async with opened(tmp_path) as (app, pilot):
        await stage(pilot, "remedies")
        await pilot.press("t")
        await settled(pilot)
        assert "ZeroDivisionError: [/nope]" in screen_text(app)
        await pilot.press("escape", "3")
        assert app.current_mode == "diagnosis"


async def test_themes_go_round(tmp_path: Path) -> None:
    async with opened(tmp_path) as (app, pilot):
        seen = set()
        for _ in range(4):
            seen.add(app.theme)
            await pilot.press("ctrl+t")
            await settled(pilot)
            assert "ibstat.txt" in screen_text(app)
        assert seen == {"advisor-dark", "advisor-light", "advisor-contrast", "advisor-ansi"}


async def test_a_capture_of_100_000_lines_stays_fluid(tmp_path: Path) -> None:
    """A key must not cost what the whole text costs: that would be a hundred times as much."""
    lines = [f"line {i} 速率 {i * 7 % 400} Gb/s" for i in range(100_000)]
    async with opened(tmp_path) as (app, pilot):
        view = app.screen.query_one("#capture", CaptureView)
        capture = app.assessment.bundle.captures[0]  # type: ignore[union-attr]
        from advisor.tui.views.capture import marks

        took: dict[int, list[float]] = {1_000: [], 100_000: []}
        for count in (*took,) * 3:
            view.show(lines[:count], marks(capture, "en"))
            view.focus()
            start = time.process_time()
            await pilot.press("end", "pageup", "pageup", "up", "home", "pagedown")
            took[count].append(time.process_time() - start)
        assert min(took[100_000]) < 10 * min(took[1_000])
        view.find("line 99999 ")
        assert view.at == 100_000


async def test_twenty_thousand_links_stay_fluid(tmp_path: Path) -> None:
    """Forty times the links cost no more than forty times as much, sorting too: their square would be 1,600 times."""
    took = []
    for times in (10, 400):
        here = site.assessment(tmp_path)
        links = tuple(link for _ in range(times) for link in site.fabric().links)
        here.__dict__["fabric"] = here.fabric.model_copy(update={"links": links})
        async with opened(tmp_path, site=here) as (app, pilot):
            await stage(pilot, "fabric")
            start = time.process_time()
            await pilot.press("l", "end", "pageup", "S")
            took.append(time.process_time() - start)
            assert len(app.screen.query_one("#links", Listing).table.rows) == 48 * times
    assert took[1] < 40 * took[0]


@pytest.mark.parametrize("size", [(20, 6), (40, 12), (300, 90)])
async def test_no_size_breaks_a_stage(tmp_path: Path, size: tuple[int, int]) -> None:
    async with opened(tmp_path, size) as (app, pilot):
        for name in STAGES:
            await stage(pilot, name)
            assert app.current_mode == name


async def test_a_stage_is_drawn_anew_when_the_terminal_grows_and_shrinks(tmp_path: Path) -> None:
    async with opened(tmp_path, (80, 24)) as (app, pilot):
        await stage(pilot, "diagnosis")
        narrow = max(line.count("█") for line in screen_text(app).splitlines())
        await pilot.resize_terminal(160, 50)
        await settled(pilot)
        assert max(line.count("█") for line in screen_text(app).splitlines()) > narrow
        assert "3 Diagnosis" in screen_text(app)
        await pilot.resize_terminal(80, 24)
        await settled(pilot)
        assert all(len(strip) and strip.cell_length == 80 for strip in app.screen._compositor.render_strips())


async def test_a_table_is_copied_whole_as_text(tmp_path: Path) -> None:
    async with opened(tmp_path, (80, 24)) as (app, pilot):
        await stage(pilot, "fabric")
        await pilot.press("l", "slash", *"spine-1", "enter", "Y")
        await pilot.pause()
        lines = app.clipboard.splitlines()
        assert lines[0].split("\t")[0] == "from"
        assert len(lines) == 9, "the head and the eight links of spine-1, also those off the screen"


async def test_a_large_fabric_opens_its_links_only_when_they_are_looked_at(tmp_path: Path) -> None:
    async with opened(tmp_path, (80, 24)) as (app, pilot):
        await stage(pilot, "fabric")
        assert not app.screen.query_one("#links", Listing).table.rows
        await pilot.press("l")
        assert len(app.screen.query_one("#links", Listing).table.rows) == 48
