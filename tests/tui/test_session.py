"""What is remembered, offered again after a cut, and taken back."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from textual.pilot import Pilot

from advisor.base.places import user_state
from advisor.tui import memory
from advisor.tui.app import AdvisorApp
from advisor.tui.terminal import Terminal, terminal
from advisor.tui.widgets.listing import Listing
from advisor.usecases.import_ import import_into
from tui.driving import opened, screen_text, settled, until


@pytest.fixture
def site(captures: Path, tmp_path: Path) -> str:
    path = tmp_path / "hall.advisor"
    import_into(str(path), [str(captures)])
    return str(path)


async def test_language_and_theme_are_remembered(tmp_path: Path) -> None:
    async with opened(tmp_path) as (_, pilot):
        await pilot.press("ctrl+l", "ctrl+t")
        await settled(pilot)
    later = AdvisorApp(None, "en", lang_said=False)
    assert (later.lang, later.theme) == ("zh", "advisor-light")
    assert AdvisorApp(None, "en").lang == "en", "a language that is asked for goes first"
    assert AdvisorApp(None, "en", Terminal("ansi")).theme == "advisor-ansi", "a terminal with sixteen colours gets its own"


async def test_a_site_opens_where_it_was_left(site: str) -> None:
    app = AdvisorApp(site)
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        await pilot.press("slash", *"note", "enter")
        await settled(pilot)
        kept = app.screen.query_one("#captures", Listing)
        row = kept.row
        assert row
        await pilot.press("q")
    again = AdvisorApp(site)
    async with again.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        listing = again.screen.query_one("#captures", Listing)
        assert listing.needle == "note"
        assert listing.row
        assert listing.row.key == row.key
        await pilot.press("escape")
        await settled(pilot)
        assert listing.needle == "", "escape ends the filter that came back"
        await pilot.press("3")
        await settled(pilot)
    third = AdvisorApp(site)
    async with third.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        assert third.current_mode == "diagnosis"


async def test_a_session_that_was_cut_off_is_offered(site: str) -> None:
    app = AdvisorApp(site)
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        await pilot.press("2")
        await settled(pilot)
        assert json.loads((user_state() / "screens.json").read_text())["open"] == site
        app._cut_off(129)
    assert app.return_value == 129
    again = AdvisorApp(None)
    async with again.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        assert "hall.advisor" in screen_text(again)
        await pilot.press("enter")
        await settled(pilot)
        assert again.current_mode == "fabric"
        await pilot.press("q")
    third = AdvisorApp(None)
    async with third.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        assert third.current_mode == "start"
        assert len(third.screen_stack) == 1, "who quits is not asked"


@pytest.mark.parametrize("text", ["", "{", "[]", '{"sites": [1], "lang": 3}', '{"sites": {"a": {"rows": {"b": 1}, "line": "x"}}}'])
def test_a_damaged_memory_costs_only_the_memory(text: str) -> None:
    user_state().mkdir(parents=True, exist_ok=True)
    (user_state() / "screens.json").write_text(text)
    assert memory.recall().lang == ""
    AdvisorApp(None)


def test_only_the_owner_reads_what_is_remembered() -> None:
    memory.keep(memory.Memory(lang="zh").with_place("/a.advisor", memory.Place("costs", rows={"costs#scenarios": "x"})))
    assert (user_state() / "screens.json").stat().st_mode & 0o077 == 0
    assert memory.recall().sites["/a.advisor"].rows == {"costs#scenarios": "x"}


async def test_decisions_are_taken_back_one_by_one_and_done_again(site: str) -> None:
    from advisor.store.file import opened as store

    app = AdvisorApp(site)
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        from advisor.usecases import assess

        assert app.assessment is not None
        names = sorted(assess.remedies())[:2]
        for name in names:
            app.change("tui.work.decide", lambda now, name=name: assess.decide(now, name, "skip", "no window"))
        app.change("tui.work.aside", lambda now: assess.set_aside(now, frozenset({"crossing_share"})))
        app.change("tui.work.overrule", lambda now: assess.overrule(now, "none", "seen it"))
        await decided(pilot, 4)
        assert app.assessment.overrule
        await pilot.press("ctrl+z", "ctrl+z", "ctrl+z")
        await decided(pilot, 1)
        with store(Path(site)) as file:
            assert file.overrule() is None
            assert file.set_aside() == frozenset()
            assert {name: made[0] for name, made in file.decisions().items() if made[0] != "open"} == {names[0]: "skip"}
        assert {name for name, made in app.assessment.decisions.items() if made.choice != "open"} == {names[0]}
        await pilot.press("ctrl+y")
        await decided(pilot, 2)
        with store(Path(site)) as file:
            assert file.decisions()[names[1]] == ("skip", "no window")
        await pilot.press(*["ctrl+z"] * 5)
        await decided(pilot, 0)
        assert all(made.choice == "open" for made in app.assessment.decisions.values())


async def decided(pilot: Pilot[int], count: int) -> None:
    """Wait until that many decisions can be taken back."""
    app: AdvisorApp = pilot.app  # type: ignore[assignment]
    await until(pilot, lambda: len(app.history.past) == count and app.work is None, f"{count} decisions")


@pytest.mark.parametrize(
    ("env", "known", "there"),
    [
        ({"TERM": "xterm-256color"}, None, Terminal("full")),
        ({"TERM": "tmux-256color"}, (256, True), Terminal("full")),
        ({"TERM": "screen"}, (8, True), Terminal("ansi")),
        ({"TERM": "screen", "COLORTERM": "truecolor"}, (8, True), Terminal("full")),
        ({"TERM": "linux"}, (8, True), Terminal("ansi", round=False)),
        ({"TERM": "vt100"}, None, Terminal("none", round=False)),
        ({"TERM": "dumb"}, None, Terminal("none", draws=False)),
        ({"TERM": "xterm-256color", "NO_COLOR": "1"}, (256, True), Terminal("none")),
        ({"TERM": "xterm-256color", "NO_COLOR": ""}, (256, True), Terminal("full")),
    ],
)
def test_what_a_terminal_can_do(env: dict[str, str], known: tuple[int, bool] | None, there: Terminal) -> None:
    """Colours by terminfo(5); NO_COLOR counts where it is set and not empty (no-color.org)."""
    assert terminal(env, known) == there


@pytest.mark.parametrize(
    ("term", "can"),
    [
        ("xterm-256color", ["True", "True"]),
        ("screen", ["True", "False"]),
        ("linux", ["True", "True"]),
        ("vt100", ["True", "False"]),
        ("ansi", ["False", "False"]),
    ],
)
def test_lines_are_moved_and_cells_erased_only_where_terminfo_says_so(term: str, can: list[str]) -> None:
    """terminfo(5): csr and ri, in the form of the VT100; ech and bce. A process for each: curses asks once."""
    code = "from advisor.tui.terminal import saves, terminfo; print(terminfo() is None, *saves())"
    env = {**os.environ, "TERM": term}
    found = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=True)
    unknown, *said = found.stdout.split()
    if unknown == "True":
        pytest.skip(f"terminfo does not know {term} here")
    assert said == can
