"""What tests of the screens share: an application with the site open, and the text that stands on the screen."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from textual.pilot import Pilot

from advisor.base.text import Lang
from advisor.tui import memory
from advisor.tui.app import AdvisorApp
from advisor.tui.views.frame import STAGES
from advisor.usecases.assess import Assessment
from tui.site import assessment


def screen_text(app: AdvisorApp) -> str:
    """All that stands on the screen, line by line."""
    return "\n".join("".join(segment.text for segment in strip) for strip in app.screen._compositor.render_strips())


async def settled(pilot: Pilot[int]) -> None:
    """Wait until nothing works in the background and all is drawn."""
    for _ in range(100):
        await pilot.pause(0.02)
        if pilot.app.work is None and all(worker.is_finished for worker in pilot.app.workers):  # type: ignore[attr-defined]
            break
    await pilot.pause(0.15)  # a capture is fetched when the cursor rests
    for _ in range(100):
        if all(worker.is_finished for worker in pilot.app.workers):
            break
        await asyncio.sleep(0.02)
    await pilot.pause()


@asynccontextmanager
async def opened(
    folder: Path, size: tuple[int, int] = (120, 40), lang: Lang = "en", site: Assessment | None = None
) -> AsyncIterator[tuple[AdvisorApp, Pilot[int]]]:
    """The application with the site open at stage 1."""
    memory.keep(memory.Memory())  # no session of before
    app = AdvisorApp(None, lang)
    async with app.run_test(size=size) as pilot:
        app.assessment = site or assessment(folder)
        await pilot.press("1")
        await settled(pilot)
        yield app, pilot


async def stage(pilot: Pilot[int], name: str) -> None:
    await pilot.press(str([*STAGES].index(name) + 1))  # type: ignore[arg-type]
    await settled(pilot)
