"""Eight hours of use in ten minutes: `python -m tests.benchmarks.soak [SECONDS] [STEPS]`.

One program runs all the time, as on a person's terminal: it imports sites into assessments, opens them in its screens, walks through them
key by key, decides, sets evidence aside, undoes, and exports, from a seed. A person who works takes such a step about every twenty seconds,
so 1,440 steps are a working day: it ends with them, or with the time. The memory at the end is held against that after the warm-up: the
last tenth against the tenth behind the first fifth, by medians. What the allocator holds back is given to the system before each look.
"""

import asyncio
import ctypes
import gc
import os
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

SECONDS = 600.0
DAY_STEPS = 1_440
LEAST_ROUNDS = 10
MOST_GROWTH = 0.10
_SEED = 20261130
SIZES = (4, 12, 40)  # hosts of the sites
_KEYS = (*"12345678", "down", "down", "up", "pagedown", "end", "home", "enter", "escape", "tab", "question_mark", "ctrl+l", "ctrl+t", "0")
_SESSION = 30  # keys


@dataclass
class Soak:
    """What was done so far, and how much memory there was after each round."""

    folder: Path
    dice: random.Random
    steps: Counter[str] = field(default_factory=Counter)
    memory_mb: list[tuple[float, float]] = field(default_factory=list)  # seconds, MB

    def growth(self) -> float:
        """Of the last tenth over the tenth behind the first fifth, as a share."""
        end = self.memory_mb[-1][0]
        early = [mb for at, mb in self.memory_mb if 0.2 * end <= at <= 0.3 * end] or [self.memory_mb[0][1]]
        late = [mb for at, mb in self.memory_mb if at >= 0.9 * end]
        return median(late) / median(early) - 1


def soak(seconds: float, sizes: tuple[int, ...] = SIZES, seed: int = _SEED, steps: int = DAY_STEPS) -> Soak:
    """Use for so long, or so many steps, on sites of these sizes. Raises what goes wrong on the way."""
    with tempfile.TemporaryDirectory() as folder, _home(Path(folder) / "home"):
        done = Soak(Path(folder), random.Random(seed))
        sources = _sources(done.folder, sizes)
        asyncio.run(_used(done, sources, seconds, steps))
        return done


@contextmanager
def _home(folder: Path) -> Iterator[None]:
    """Settings and state of a person in a folder of their own."""
    before = dict(os.environ)
    os.environ.update({name: str(folder / name) for name in ("XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_DATA_HOME", "HOME")})
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)


def _sources(folder: Path, sizes: tuple[int, ...]) -> list[Path]:
    from tests.hall import hall

    return [hall(folder / f"hall-{hosts}", hosts) for hosts in sizes]


async def _used(done: Soak, sources: list[Path], seconds: float, steps: int) -> None:
    from advisor.tui.app import AdvisorApp

    app = AdvisorApp()
    begun = time.monotonic()
    async with app.run_test(size=(120, 40)) as pilot:
        while ((now := time.monotonic() - begun) < seconds and sum(done.steps.values()) < steps) or len(done.memory_mb) < LEAST_ROUNDS:
            site, assessment = _prepared(done, sources)
            app.open(site)
            await _browsed(done, pilot)
            _exported(done, assessment)
            done.memory_mb.append((now, _resident_mb()))


def _prepared(done: Soak, sources: list[Path]):  # type: ignore[no-untyped-def]
    """A site from its captures to the decisions on it."""
    from advisor.usecases.assess import open_site
    from advisor.usecases.import_ import import_into

    site = done.folder / f"site-{done.dice.randrange(3)}.advisor"
    if done.dice.random() < 0.5:
        site.unlink(missing_ok=True)
    source = done.dice.choice(sources)
    import_into(str(site), [str(source)])
    done.steps["import"] += 1
    assessment = open_site(str(site))
    done.steps["open"] += 1
    return str(site), _decided(done, assessment)


def _decided(done: Soak, assessment):  # type: ignore[no-untyped-def]
    from advisor.base.errors import UsageError
    from advisor.usecases.assess import decide, overrule, set_aside, undo_overrule

    for _ in range(3):
        rung = done.dice.choice(assessment.plan.rungs)
        with suppress(UsageError):  # it conflicts with one that is taken
            assessment = decide(assessment, rung.proposal.remedy.id, done.dice.choice(("take", "skip", "later")), "soak")
        done.steps["decide"] += 1
    names = sorted({evidence.measure for cause in assessment.diagnosis.causes for evidence in cause.evidence})
    assessment = set_aside(assessment, frozenset(done.dice.sample(names, min(2, len(names)))))
    assessment.diagnosis  # noqa: B018 - worked out anew
    assessment = set_aside(assessment, frozenset())
    assessment = undo_overrule(overrule(assessment, "undetermined", "soak"))
    done.steps["decide"] += 4
    return assessment


async def _browsed(done: Soak, pilot) -> None:  # type: ignore[no-untyped-def]
    for _ in range(_SESSION):
        while pilot.app.work is not None:  # a person waits for a site to open
            await pilot.pause(0.02)
        await pilot.press(done.dice.choice(_KEYS))
        done.steps["browse"] += 1
    for _ in range(4):  # dialogs are left
        await pilot.press("escape")
    await pilot.pause()


def _exported(done: Soak, assessment) -> None:  # type: ignore[no-untyped-def]
    from advisor.usecases.export import write_report

    for ending in done.dice.sample(("html", "md", "json", "xlsx"), 2):
        write_report(assessment, done.folder / f"report.{ending}", done.dice.choice(("en", "zh")))
        done.steps["export"] += 1


def _resident_mb() -> float:
    """Memory of this process, once what is free was given back."""
    gc.collect()
    with suppress(OSError, AttributeError):
        ctypes.CDLL("libc.so.6").malloc_trim(0)
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE") / 2**20
    except (OSError, ValueError):  # not on this system: the most that it ever was
        import resource

        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (2**20 if sys.platform == "darwin" else 1024)


def main() -> int:
    seconds = float(sys.argv[1]) if sys.argv[1:] else SECONDS
    done = soak(seconds, steps=int(sys.argv[2]) if sys.argv[2:] else DAY_STEPS)
    steps = sum(done.steps.values())
    took = done.memory_mb[-1][0]
    print(f"{steps:,} steps in {took:.0f} s ({steps / DAY_STEPS:.1f} working days): {dict(done.steps)}")
    print("MB: " + ", ".join(f"{mb:.0f}" for _, mb in done.memory_mb[:: max(len(done.memory_mb) // 20, 1)]))
    print(f"memory grew by {done.growth():.1%} after the warm-up; at most {MOST_GROWTH:.0%}")
    return 0 if done.growth() < MOST_GROWTH else 1


if __name__ == "__main__":
    sys.exit(main())
