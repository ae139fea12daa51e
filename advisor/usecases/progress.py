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
    """Counts steps, reports at most ten times a second, estimates what is left, and stops when a person says so."""

    progress: Progress
    cancelled: Callable[[], bool]
    total: int | None = None
    done: int = 0
    _since: float = field(default_factory=time.monotonic)
    _told: float = 0.0

    def step(self, name: str) -> None:
        """One thing done. Raises Cancelled."""
        if self.cancelled():
            raise Cancelled("cancelled")
        self.done += 1
        now = time.monotonic()
        if now - self._told >= 0.1 or self.done == self.total:
            self._told = now
            left = (now - self._since) / self.done * (self.total - self.done) if self.total else None
            self.progress(Step(self.done, self.total, name, left))
