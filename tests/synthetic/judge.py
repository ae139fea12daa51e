"""What the product says of a synthetic site, beside its truth: written to a folder, read and judged as `advisor diagnose` does."""

import multiprocessing
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from tests.synthetic.site import Site, Truth

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
    from advisor.usecases.assess import open_site

    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch, "site")
        for name, text in site.files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        said = open_site(str(folder), today=TODAY).diagnosis
    named = tuple((one.cause, one.verdict, one.probability, one.share) for one in said.causes)
    masses: dict[str, float] = {}
    for one in said.causes:
        odds = one.probability / (1 - min(one.probability, 0.9999))
        masses[one.verdict] = masses.get(one.verdict, 0.0) + odds
    likeliest = max(masses, key=lambda name: (masses[name], name)) if masses else ""
    layer = said.causes[0].layer if said.causes else "none"
    return Judged(site.seed, site.truth, said.verdict, said.confidence, layer, named, likeliest)


def _made_and_judged(task: tuple[Callable[[int], Site], int]) -> Judged:
    make, seed = task
    return judge(make(seed))


def judge_all(make: Callable[[int], Site], seeds: Sequence[int], processes: int = 2) -> list[Judged]:
    """Sites of these seeds, judged in several processes, in the order of the seeds."""
    if processes < 2:
        return [judge(make(seed)) for seed in seeds]
    with multiprocessing.get_context("spawn").Pool(processes) as pool:
        return pool.map(_made_and_judged, [(make, seed) for seed in seeds], chunksize=8)
