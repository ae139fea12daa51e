"""A person puts a verdict of their own in place of the evidence's on the screen, and takes it back."""

from pathlib import Path

import pytest

from advisor.usecases import assess
from advisor.usecases.import_ import import_into
from tui.driving import opened, screen_text, settled, stage


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
async def test_a_verdict_is_overruled_with_a_reason_and_taken_back(captures: Path, tmp_path: Path, size: tuple[int, int]) -> None:
    kept = str(tmp_path / "hall.advisor")
    import_into(kept, [str(captures)])
    async with opened(tmp_path, size, site=assess.open_site(kept)) as (app, pilot):
        await stage(pilot, "diagnosis")
        await pilot.press("o")
        await settled(pilot)
        assert "A verdict of your own" in screen_text(app)
        await pilot.press("enter", "down", "enter")  # a verdict without a reason: the dialog asks for it
        await settled(pilot)
        assert "with a reason" in screen_text(app)
        await pilot.press(*"moved", "enter", "enter")
        await settled(pilot)
        assert app.assessment is not None
        assert app.assessment.overrule is not None
        assert (app.assessment.overrule.verdict, app.assessment.overrule.reason) == ("shared-contention", "moved")
        assert "moved" in screen_text(app)
        assert assess.open_site(kept).diagnosis.overruled is not None
        await pilot.press("o")
        await settled(pilot)
        await pilot.press("enter", "home", "enter")
        await settled(pilot)
        assert assess.open_site(kept).diagnosis.overruled is None
