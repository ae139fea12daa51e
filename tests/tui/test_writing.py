"""Writing what is handed over: how far it is stands on the screen, and escape ends it with nothing left."""

import time
from collections.abc import Callable
from pathlib import Path

import pytest

from advisor.base.errors import Cancelled
from advisor.tui.screens.commanding import answer
from advisor.tui.screens.exporting import ExportScreen
from advisor.tui.screens.report import ReportScreen
from advisor.tui.views import frame
from advisor.usecases import export
from advisor.usecases.assess import example
from advisor.usecases.import_ import import_into
from advisor.usecases.progress import Pace, Progress, Step
from tui.driving import opened, screen_text, settled, stage, until


@pytest.mark.parametrize("key", ["escape", "ctrl+x"])
async def test_a_key_ends_the_writing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, key: str) -> None:
    ended: list[str] = []

    def slow(site: object, to: Path, *langs: str, progress: Progress, cancelled: Callable[[], bool]) -> None:
        pace = Pace(progress, cancelled, 400)
        try:
            while True:
                pace.reach(100, to.name)
                time.sleep(0.02)
        except Cancelled:
            ended.append(to.name)
            raise

    monkeypatch.setattr(export, "write_report", slow)
    monkeypatch.chdir(tmp_path)
    async with opened(tmp_path, (80, 24)) as (app, pilot):
        await stage(pilot, "report")
        await pilot.press("x")
        await until(pilot, lambda: isinstance(app.screen, ExportScreen), "the dialog")
        await pilot.press("ctrl+s")
        await until(pilot, lambda: "left" in screen_text(app).splitlines()[0], "the time left")
        assert "writing 100 / 400" in screen_text(app).splitlines()[0]
        await until(pilot, lambda: "^x Cancel" in screen_text(app).splitlines()[-1], "the key that ends it")
        await pilot.press(key)
        await settled(pilot)
        assert ended
        assert app.work is None
        assert isinstance(app.screen, ReportScreen), "escape ended the work, and did not go back"
        assert [note.message for note in app._notifications] == ["Cancelled. No file was written."]


def test_a_command_that_is_cancelled_takes_back_what_it_began(tmp_path: Path) -> None:
    site = tmp_path / "hall.advisor"
    import_into(str(site), [example()])
    before = sorted(path.name for path in tmp_path.iterdir())
    begun = tmp_path / ".copy.advisor.part"
    with pytest.raises(Cancelled):
        answer(f"mask {site} --to {tmp_path / 'copy.advisor'}", "en", begun.exists)
    assert sorted(path.name for path in tmp_path.iterdir()) == before


async def test_progress_draws_the_first_line_and_nothing_else_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Work tells of itself ten times a second: going over all captures each time took the thread that works its time on large sites."""
    async with opened(tmp_path) as (app, pilot):
        for name in ("fabric", "costs", "report"):
            await stage(pilot, name)
        signs: list[object] = []
        monkeypatch.setattr(frame, "stage_sign", lambda *given: signs.append(given))
        for done in range(5):
            app.step = Step(done, 5, "one")
            await pilot.pause()
        assert signs == []
