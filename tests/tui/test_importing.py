"""Import from the screen into a real assessment: paths, pasted text, progress, cancel, background."""

import threading
import time
from itertools import count
from pathlib import Path

import pytest
from textual.widgets import Input, TextArea

from advisor.base.errors import Cancelled
from advisor.tui.app import AdvisorApp
from advisor.tui.views.importing import paths_of, target_of
from advisor.usecases import import_
from tui.driving import screen_text, settled, shown, until


async def test_a_folder_and_a_paste_become_an_assessment(captures: Path, tmp_path: Path) -> None:
    site = tmp_path / "east.advisor"
    app = AdvisorApp()
    async with app.run_test(size=(100, 34)) as pilot:
        await pilot.press("n")
        await settled(pilot)
        app.screen.query_one("#paths", Input).value = str(captures)
        app.screen.query_one("#pasted", TextArea).text = "mlx5_0 port 1 ==> ens10np0 (Up)\n"
        app.screen.query_one("#into", Input).value = str(site)
        await pilot.press("ctrl+r", "ctrl+d")
        await settled(pilot)
        assert "4 files" in screen_text(app), "two captures that are one, a note, and the paste"
        assert site.is_file()
        await pilot.press("escape")
        await settled(pilot)
        assert app.current_mode == "evidence"
        assert app.assessment is not None
        assert len(app.assessment.bundle.captures) == 3
        assert {capture.role for capture in app.assessment.bundle.captures} == {"quiet"}


async def test_nothing_given_is_said_before_anything_is_made(tmp_path: Path) -> None:
    app = AdvisorApp()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("n")
        await settled(pilot)
        app.screen.query_one("#into", Input).value = str(tmp_path / "x.advisor")
        await pilot.press("ctrl+d")
        assert "Nothing to import yet" in screen_text(app)
        assert not (tmp_path / "x.advisor").exists()


async def test_an_import_shows_how_far_it_is_and_can_be_cancelled(captures: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from advisor.usecases.progress import Step

    def endless(*_: object, progress: object, cancelled: object, **__: object) -> None:
        for i in count():
            progress(Step(min(i, 999), 1000, f"file-{i}\x1b[2J", 60.0))  # type: ignore[operator]
            if cancelled():  # type: ignore[operator]
                raise Cancelled("cancelled")
            time.sleep(0.01)

    monkeypatch.setattr(import_, "import_into", endless)
    app = AdvisorApp()
    async with app.run_test(size=(100, 34)) as pilot:
        await pilot.press("n")
        await settled(pilot)
        app.screen.query_one("#paths", Input).value = str(captures)
        app.screen.query_one("#into", Input).value = str(tmp_path / "x.advisor")
        await pilot.press("ctrl+d")
        await shown(pilot, "/ 1,000")
        await shown(pilot, "60 s left")
        await pilot.press("ctrl+x")
        await settled(pilot)
        assert app.work is None
        assert "Stopped" in screen_text(app) or "ancelled" in screen_text(app)


async def test_an_import_goes_on_in_the_background(captures: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    quick = import_.import_into
    looked = threading.Event()

    def slow(*given: object, **named: object) -> object:
        assert looked.wait(120)
        return quick(*given, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(import_, "import_into", slow)
    app = AdvisorApp()
    async with app.run_test(size=(100, 34)) as pilot:
        await pilot.press("n")
        await settled(pilot)
        app.screen.query_one("#paths", Input).value = str(captures)
        app.screen.query_one("#into", Input).value = str(tmp_path / "x.advisor")
        await pilot.press("ctrl+d", "ctrl+g")
        await until(pilot, lambda: "importing" in screen_text(app).splitlines()[0], "the first line says that something goes on")
        looked.set()
        await settled(pilot)
        assert app.current_mode == "evidence"
        assert app.assessment is not None


async def test_a_path_that_is_not_there_is_explained(tmp_path: Path) -> None:
    app = AdvisorApp(str(tmp_path / "nowhere"))
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        assert "is not there" in screen_text(app)
        await pilot.press("escape")
        assert app.current_mode == "start"


async def test_the_report_is_written_where_a_person_says(captures: Path, tmp_path: Path) -> None:
    app = AdvisorApp(str(captures))
    async with app.run_test(size=(100, 34)) as pilot:
        await settled(pilot)
        await pilot.press("7")
        await settled(pilot)
        await pilot.press("x")
        await settled(pilot)
        app.screen.query_one("#field", Input).value = str(tmp_path / "out.md")
        await pilot.press("ctrl+s")
        await settled(pilot)
        assert (tmp_path / "out.md").read_text(encoding="utf-8").startswith("# ")


async def test_host_time_and_role_of_a_capture_are_corrected(captures: Path) -> None:
    app = AdvisorApp(str(captures))
    async with app.run_test(size=(100, 34)) as pilot:
        await settled(pilot)
        await pilot.press("c")
        await settled(pilot)
        app.screen.query_one("#field", Input).value = "gpu-99"
        app.screen.query_one("#time", Input).value = "last monday"
        await pilot.press("tab", "tab", "down", "down", "enter")
        await settled(pilot)
        assert "last monday is no date or time" in screen_text(app)
        assert app.focused is app.screen.query_one("#time")
        app.screen.query_one("#time", Input).value = "2026-09-14 13:05"
        await pilot.press("enter")
        await settled(pilot)
        assert app.assessment is not None
        said = [(c.host, c.role, c.time) for c in app.assessment.bundle.captures if c.host == "gpu-99"]
        assert said == [("gpu-99", "busy", "2026-09-14T13:05:00")]
        await pilot.press("ctrl+z")
        await settled(pilot)
        assert not [c for c in app.assessment.bundle.captures if c.host == "gpu-99" or c.time == "2026-09-14T13:05:00"]


@pytest.mark.parametrize(
    ("typed", "paths"),
    [("a b", ["a", "b"]), ("'my files/x.tar.gz' b", ["my files/x.tar.gz", "b"]), ("a\\ b", ["a b"]), ("it's", ["it's"]), ("  ", [])],
)
def test_paths_as_typed(typed: str, paths: list[str]) -> None:
    assert paths_of(typed) == paths


def test_a_path_with_blanks_that_is_there_is_one_path(tmp_path: Path) -> None:
    (tmp_path / "my files").mkdir()
    assert paths_of(str(tmp_path / "my files")) == [str(tmp_path / "my files")]
    assert target_of(None) == "site.advisor"
