"""How long work tells of itself, and how a person stops it."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field

from advisor.base.errors import Cancelled


@dataclass(frozen=True, slots=True)
class Step:
    """What is done so far: `name` is what was worked on last; `total` and `seconds_left` are None while unknown."""

    done: int
    total: int | None
    name: str
    seconds_left: float | None = None


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

    def check(self) -> None:
        """Raises Cancelled."""
        if self.cancelled():
            raise Cancelled("cancelled")

    def step(self, name: str, behind: float | None = None) -> None:
        """One thing done; `behind`: how much of the whole is done with it. Raises Cancelled."""
        self.check()
        self.done += 1
        now = time.monotonic()
        if now - self._told >= 0.1 or self.done == self.total:
            self._told = now
            self.progress(Step(self.done, self.total, name, self._left(now - self._since, behind)))

    def _left(self, elapsed: float, behind: float | None) -> float | None:
        if self.whole and behind:
            return elapsed / behind * max(self.whole - behind, 0)
        return elapsed / self.done * (self.total - self.done) if self.total else None
