"""What tests of the screens share: an application with the site open, and the text that stands on the screen."""

import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

from textual.pilot import Pilot

from advisor.base.text import Lang
from advisor.tui import memory
from advisor.tui.app import AdvisorApp
from advisor.tui.order import RESTS
from advisor.tui.views.frame import STAGES
from advisor.usecases.assess import Assessment
from tui.site import assessment


def screen_text(app: AdvisorApp) -> str:
    """All that stands on the screen, line by line."""
    return "\n".join("".join(segment.text for segment in strip) for strip in app.screen._compositor.render_strips())


_LIMIT_S = 120  # for what never comes; a busy machine takes its time


async def until(pilot: Pilot[int], so: Callable[[], object], what: str) -> None:
    """Wait until something is so. Raises AssertionError with the screen where it never comes."""
    end = time.monotonic() + _LIMIT_S
    while not so():
        assert time.monotonic() < end, f"{what} did not come:\n{screen_text(pilot.app)}"  # type: ignore[arg-type]
        await pilot.pause(0.01)


async def shown(pilot: Pilot[int], words: str) -> str:
    """The screen once words stand on it."""
    await until(pilot, lambda: words in screen_text(pilot.app), repr(words))  # type: ignore[arg-type]
    return screen_text(pilot.app)  # type: ignore[arg-type]


async def settled(pilot: Pilot[int]) -> None:
    """Wait until nothing works in the background, nothing waits for the keys to rest, and all is drawn."""
    app: AdvisorApp = pilot.app  # type: ignore[assignment]
    await pilot.pause()
    for _ in range(2):  # what ends may bring on the next
        await until(pilot, lambda: not _busy(app), "an end of the work")
        await pilot.pause()


def _busy(app: AdvisorApp) -> bool:
    """Whether something works, keys wait, or something comes when no further key does."""
    timers = [timer for pump in (app, *app.screen_stack) for timer in pump._timers if timer.name == RESTS and timer._task]
    working = app.work is not None or not all(worker.is_finished for worker in app.workers)
    return working or bool(app._ahead) or not all(timer._task.done() for timer in timers)  # type: ignore[union-attr]


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
