"""What the product says of a synthetic site, beside its truth: written to a folder, read and judged as `advisor diagnose` does."""

import multiprocessing
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import TypeVar

from advisor.diagnosis.findings import findings
from advisor.diagnosis.library import library
from advisor.diagnosis.observed import Observed
from advisor.diagnosis.weigh import OPEN_ODDS, weigh
from advisor.usecases.assess import Assessment, open_site
from tests.synthetic.site import Site, Truth

T = TypeVar("T")

TODAY = date(2026, 9, 15)


@dataclass(frozen=True, slots=True)
class Judged:
    """likeliest: the class of verdicts with the most weight, also where the verdict is open. named: causes with probability and share."""

    seed: int
    truth: Truth
    verdict: str
    confidence: float
    layer: str
    named: tuple[tuple[str, str, float, float | None], ...]
    likeliest: str

    @property
    def is_decided(self) -> bool:
        return self.verdict != "undetermined"

    @property
    def is_right(self) -> bool:
        """Of an open verdict: whether the likeliest class is not the right one, which is what its confidence states."""
        return self.verdict == self.truth.verdict if self.is_decided else self.likeliest != self.truth.verdict

    @property
    def cause(self) -> str:
        """The planted cause with the largest share, empty where none is known."""
        return next(iter(self.truth.causes), "")


def judge(site: Site) -> Judged:
    opened = _opened(site)
    said = opened.diagnosis
    named = tuple((one.cause, one.verdict, one.probability, one.share) for one in said.causes)
    layer = said.causes[0].layer if said.causes else "none"
    likeliest = said.verdict if said.verdict != "undetermined" else _held(opened)[0]
    return Judged(site.seed, site.truth, said.verdict, said.confidence, layer, named, likeliest)


def held(site: Site) -> tuple[float, bool] | None:
    """The share of all odds that the likeliest verdict holds, and whether it is the right one. None where nothing is likely."""
    likeliest, mass = _held(_opened(site))
    return (mass, likeliest == site.truth.verdict) if likeliest else None


def _opened(site: Site) -> Assessment:
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch, "site")
        for name, text in site.files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        return open_site(str(folder), today=TODAY)


def _held(opened: Assessment) -> tuple[str, float]:
    known = library()
    weighed = weigh(findings(Observed(opened.bundle, opened.fabric), known).fired, known)
    whole = OPEN_ODDS + sum(one.odds for one in weighed)
    masses: dict[str, float] = {}
    for one in weighed:
        masses[one.verdict] = masses.get(one.verdict, 0.0) + one.odds / whole
    return max(((name, mass) for name, mass in masses.items()), key=lambda pair: (pair[1], pair[0]), default=("", 0.0))


def _judged(task: tuple[Callable[[int], Site], int]) -> Judged:
    make, seed = task
    return judge(make(seed))


def _weighed(task: tuple[Callable[[int], Site], int]) -> tuple[float, bool] | None:
    make, seed = task
    return held(make(seed))


def judge_all(make: Callable[[int], Site], seeds: Sequence[int], processes: int = 2) -> list[Judged]:
    """Sites of these seeds, judged in several processes, in the order of the seeds."""
    return _all(_judged, make, seeds, processes)


def held_all(make: Callable[[int], Site], seeds: Sequence[int], processes: int = 2) -> list[tuple[float, bool] | None]:
    """The same of what `held` tells."""
    return _all(_weighed, make, seeds, processes)


def _all(
    act: Callable[[tuple[Callable[[int], Site], int]], T], make: Callable[[int], Site], seeds: Sequence[int], processes: int
) -> list[T]:
    tasks = [(make, seed) for seed in seeds]
    if processes < 2:
        return [act(task) for task in tasks]
    with multiprocessing.get_context("spawn").Pool(processes) as pool:
        return pool.map(act, tasks, chunksize=8)
