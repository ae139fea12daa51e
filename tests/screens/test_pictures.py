"""A handful of pictures, so that a change of look is seen before a customer sees it.

Redraw after a change that is meant: pytest tests/screens --snapshot-update, and look at each picture.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot
from tui.driving import settled
from tui.site import assessment

from advisor.base.text import Lang
from advisor.tui.app import AdvisorApp

PICTURES = [
    ("evidence", (), (80, 24), "en"),
    ("evidence", (), (120, 40), "zh"),
    ("fabric", (), (120, 40), "en"),
    ("fabric", ("l",), (80, 24), "zh"),
    ("diagnosis", ("enter", "down"), (80, 24), "en"),
    ("diagnosis", (), (120, 40), "zh"),
    ("remedies", (), (80, 24), "zh"),
    ("costs", ("end", "b"), (120, 40), "en"),
    ("compare", (), (80, 24), "en"),
]


@pytest.mark.parametrize(("stage", "keys", "size", "lang"), PICTURES)
def test_picture(
    snap_compare: Callable[..., bool], tmp_path: Path, stage: str, keys: tuple[str, ...], size: tuple[int, int], lang: Lang
) -> None:
    app = AdvisorApp(None, lang)

    async def show(pilot: Pilot[Any]) -> None:
        app.assessment = assessment(tmp_path)
        app.go(stage)
        await settled(pilot)
        await pilot.press(*keys)
        await settled(pilot)

    assert snap_compare(app, terminal_size=size, run_before=show)


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_picture_of_the_start(snap_compare: Callable[..., bool], lang: Lang) -> None:
    assert snap_compare(AdvisorApp(None, lang), terminal_size=(80, 24))


def test_picture_of_a_dialog_over_chinese_text(snap_compare: Callable[..., bool], tmp_path: Path) -> None:
    """Wide characters behind a dialog keep their places (Textualize/textual#5243)."""
    app = AdvisorApp(None, "zh")

    async def show(pilot: Pilot[Any]) -> None:
        app.assessment = assessment(tmp_path)
        app.go("remedies")
        await settled(pilot)
        await pilot.press("s")
        await settled(pilot)

    assert snap_compare(app, terminal_size=(100, 30), run_before=show)
