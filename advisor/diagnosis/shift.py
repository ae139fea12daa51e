"""Whether two sets of runs differ: how much, with its interval, and whether it is more than noise.

The shift is Hodges and Lehmann's: the median of all pairwise differences, here of logarithms, so that it reads as a ratio. Its interval
is a bootstrap (percentiles) from a fixed seed; a difference is claimed only where the
rank test of Mann and Whitney agrees. "The same" is a claim of its own: the 90 % interval lies within a margin (two one-sided
tests). Fewer than LEAST runs on a side claim nothing (golden rule of before and after, source judgement).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

LEAST = 10
MARGIN = 0.05  # a change of less is no change that anybody acts on (threshold repeat-noise)
_RESAMPLES, _BATCH, _SEED, _MOST = 2000, 100, 1, 60  # throws, at a time; runs of a side that take part in pairwise ratios
Outcome = Literal["higher", "lower", "same", "noise", "few"]


@dataclass(frozen=True, slots=True)
class Shift:
    """The second set against the first.

    ratio      second over first, by Hodges and Lehmann; low, high: its 95 % interval. None where a side is empty or holds no positive run
    outcome    higher, lower: the interval leaves 1 out. same: within MARGIN of 1. noise: neither is shown. few: too few runs
    """

    first: tuple[float, ...]
    second: tuple[float, ...]
    ratio: float | None
    low: float | None
    high: float | None
    outcome: Outcome

    @property
    def counts(self) -> tuple[int, int]:
        return len(self.first), len(self.second)


def shift(first: Sequence[float], second: Sequence[float]) -> Shift:
    """Compare two sets of positive figures (rates, times)."""
    one, two = tuple(value for value in first if value > 0), tuple(value for value in second if value > 0)
    if not one or not two:
        return Shift(one, two, None, None, None, "few")
    import numpy as np

    before, after = _thinned(np.log(one)), _thinned(np.log(two))
    ratio = float(np.exp(_shift(before, after)))
    if min(len(one), len(two)) < LEAST:
        return Shift(one, two, ratio, None, None, "few")
    throws = _throws(before, after)
    low, low_90, high_90, high = (float(np.exp(q)) for q in np.quantile(throws, (0.025, 0.05, 0.95, 0.975)))
    outcome: Outcome = "noise"
    if low_90 > 1 / (1 + MARGIN) and high_90 < 1 + MARGIN:
        outcome = "same"
    elif (low > 1 or high < 1) and _ranks_differ(one, two):
        outcome = "higher" if low > 1 else "lower"
    return Shift(one, two, ratio, low, high, outcome)


def _shift(before: "NDArray[np.float64]", after: "NDArray[np.float64]") -> float:
    import numpy as np

    return float(np.median(after[:, None] - before[None, :]))


def _throws(before: "NDArray[np.float64]", after: "NDArray[np.float64]") -> "NDArray[np.float64]":
    """The shift of resamples, in batches that fit a cache."""
    import numpy as np

    generator = np.random.default_rng(_SEED)
    found = []
    for _ in range(_RESAMPLES // _BATCH):
        ones = generator.choice(before, (_BATCH, len(before)))
        twos = generator.choice(after, (_BATCH, len(after)))
        found.append(np.median((twos[:, :, None] - ones[:, None, :]).reshape(_BATCH, -1), axis=1))
    return np.concatenate(found)


def _ranks_differ(one: Sequence[float], two: Sequence[float]) -> bool:
    """Mann and Whitney's test at 5 %, two-sided: intervals of percentiles are a little too narrow for so few runs."""
    from scipy.stats import mannwhitneyu

    return float(mannwhitneyu(one, two, alternative="two-sided").pvalue) < 0.05


def _thinned(values: "NDArray[np.float64]") -> "NDArray[np.float64]":
    """Of many runs so many quantiles: the pairwise ratios of thousands of runs say no more."""
    import numpy as np

    return np.quantile(values, (np.arange(_MOST) + 0.5) / _MOST) if len(values) > _MOST else values
