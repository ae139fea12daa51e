"""How long work tells of itself, and how a person stops it."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field

from advisor.base.errors import Cancelled


@dataclass(frozen=True, slots=True)
class Step:
    """What is done so far: `name` is what is worked on, or was last; `total` and `seconds_left` are None while unknown."""

    done: int
    total: int | None
    name: str
    seconds_left: float | None = None


_SOON_S = 1.0
_TELLING = 0.01  # share of the work that tells how long the rest takes,
_LATE_S = 10.0  # or so long that a bad estimate is better than none

Progress = Callable[[Step], None]


def silent(_: Step) -> None:
    """Progress that nobody watches."""


def never() -> bool:
    """Nobody cancels."""
    return False


@dataclass(slots=True)
class Pace:
    """Counts steps, reports at most ten times a second, estimates what is left, and stops when a person says so.

    whole: what there is to do where steps differ (bytes), for the estimate
    """

    progress: Progress
    cancelled: Callable[[], bool]
    total: int | None = None
    whole: float | None = None
    done: int = 0
    _since: float = field(default_factory=time.monotonic)
    _told: float = 0.0
    _estimate: float | None = None

    def check(self) -> None:
        """Raises Cancelled."""
        if self.cancelled():
            raise Cancelled("cancelled")

    def begin(self, name: str) -> None:
        """Work on it begins, which may take long."""
        now = time.monotonic()
        if now - self._told >= 0.1:
            self._told = now
            self.progress(Step(self.done, self.total, name, self._estimate))

    def step(self, name: str, behind: float | None = None) -> None:
        """One thing done; `behind`: how much of the whole is done with it. Raises Cancelled."""
        self.check()
        self.done += 1
        now = time.monotonic()
        if now - self._told >= 0.1 or self.done == self.total:
            self._told, self._estimate = now, self._left(now - self._since, behind)
            self.progress(Step(self.done, self.total, name, self._estimate))

    def reach(self, done: int, name: str) -> None:
        """So many things are done, by steps that others counted. Raises Cancelled."""
        self.done = done - 1
        self.step(name)

    def _left(self, elapsed: float, behind: float | None) -> float | None:
        """Seconds; None while too little is done to tell, as the first things take longer than others."""
        share = behind / self.whole if self.whole and behind else self.done / self.total if self.total else 0
        if not share or elapsed < _SOON_S or (share < _TELLING and elapsed < _LATE_S):
            return None
        return elapsed / share * max(1 - share, 0)
