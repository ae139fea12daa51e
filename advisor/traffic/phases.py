"""Which jobs send at the same time: jobs compute and send in turns, and how their phases lie decides who meets whom on a link.

A job that sends during a share c of its step when alone takes longer beside others: at a rate r it sends during (c/r) / (1 - c + c/r) of
the time. That share and the rates that follow from it are found together, as a fixed point.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Phases = Literal["random", "aligned", "shifted", "steady"]
SEED = 1
_ALL_WAYS = 4  # jobs up to which every way of being on and off is looked at
STATES = 32  # moments that are looked at where they are more


@dataclass(frozen=True, slots=True)
class Moments:
    """Moments that stand for all of them, by moment and job.

    on      whether a job is looked at then
    pace    what it wants of its demand; 1 where it is on, but of a steady load
    ways    whether the moments are all ways of being on and off, to be weighed
    """

    on: "NDArray[np.bool_]"
    pace: "NDArray[np.float64]"
    ways: bool

    def weights(self, sending: "NDArray[np.float64]") -> "NDArray[np.float64]":
        """How much each moment counts, where each job sends for that share of the time, independently."""
        import numpy as np

        if not self.ways:
            return np.full(len(self.on), 1 / len(self.on))
        chance: NDArray[np.float64] = np.where(self.on, sending, 1 - sending).prod(axis=1)
        return chance


def moments(sending: "NDArray[np.float64]", phases: Phases, most: int = STATES) -> Moments:
    """Moments for jobs that send for these shares of the time.

    random    phases lie as they fall: each job sends or not independently of the others
    aligned   all send at the same time
    shifted   phases are laid one after the other, as far as they go; for jobs of one period
    steady    a step sends in so many bursts that the others are a steady load at their mean over time, beside the one that is looked at
    """
    import numpy as np

    some = np.flatnonzero((sending > 0) & (sending < 1))
    if phases == "aligned" or not len(some):
        return _moments((sending > 0)[None, :])
    if phases == "steady":
        every = np.broadcast_to(sending > 0, (len(some) + 1, len(sending))).copy()
        pace = np.broadcast_to(sending, every.shape).copy()
        every[:-1] = False
        every[np.arange(len(some)), some], pace[np.arange(len(some)), some] = True, 1.0
        every[-1, some] = False  # those that always send meet all others as they are
        return Moments(every, pace, ways=False)
    if phases == "random" and len(some) <= _ALL_WAYS and 1 << len(some) <= most:
        on = np.repeat((sending > 0)[None, :], 1 << len(some), axis=0)
        for bit, job in enumerate(some):
            on[:, job] = np.arange(len(on)) >> bit & 1
        return _moments(on, ways=True)
    if phases == "shifted":
        start = np.cumsum(sending) - sending
        place = (np.arange(most)[:, None] / most - start[None, :]) % 1.0
    else:
        dice = np.random.default_rng(SEED)
        place = np.stack([dice.permutation(most) / most for _ in sending], axis=1)
    return _moments(place < sending[None, :] - 1e-12)


def _moments(on: "NDArray[np.bool_]", *, ways: bool = False) -> Moments:
    return Moments(on, on.astype(float), ways)


def sending_share(alone: "NDArray[np.float64]", rate: "NDArray[np.float64]") -> "NDArray[np.float64]":
    """Share of the time in which a job sends, from that alone and what it gets of its full rate."""
    import numpy as np

    longer = alone / np.maximum(rate, 1e-9)
    found: NDArray[np.float64] = np.where(alone > 0, longer / (1 - alone + longer), 0.0)
    return np.minimum(found, 1.0)
