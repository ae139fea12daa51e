"""Statistics on series: permutation of windows, robust change points, rank correlations, bursts. The same input gives the same answer.

numpy and scipy are imported where they are used.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import isfinite, log

MOST_SHIFTS = 10_000  # of a permutation (statistics of the money question)
SHORTEST = 5  # samples of a segment between change points
_MAD = 1.4826  # of a normal distribution: standard deviation over median absolute deviation
_FULL = 0.9  # use from which a link counts as full


def shift_p(values: Sequence[float], inside: Sequence[bool]) -> float:
    """Share of circular shifts of the marks whose marked values add up to as much or more than the marks as they are: (1 + k) / (1 + N).

    All shifts at once by the cross-correlation of values and marks; at most MOST_SHIFTS of them, evenly spread.
    """
    import numpy as np
    from scipy import fft

    count = len(values)
    level = np.asarray(values, dtype=float)
    marks = np.asarray(inside, dtype=float)
    level = level - level.mean()  # sums of shifts differ by the same amount; small figures lose no digits
    sums = fft.irfft(fft.rfft(level) * np.conj(fft.rfft(marks)), n=count)
    shifts = np.arange(1, count)[:: max(1, (count - 1) // MOST_SHIFTS)][:MOST_SHIFTS]
    tolerance = 1e-9 * max(float(np.abs(level).sum()), 1e-300)
    as_slow = int((sums[shifts] >= sums[0] - tolerance).sum())
    return (1 + as_slow) / (1 + len(shifts))


def best_lag(values: Sequence[float], inside: Sequence[bool]) -> int:
    """By how many samples the marks lie best when they are moved later, no farther than their longest run: what follows a window late."""
    run = longest = 0
    for mark in inside:
        run = run + 1 if mark else 0
        longest = max(longest, run)
    marked = [i for i, mark in enumerate(inside) if mark]
    sums = [sum(values[i + lag] for i in marked if i + lag < len(values)) for lag in range(longest + 1)]
    return max(range(len(sums)), key=lambda lag: (sums[lag], -lag))


@dataclass(frozen=True, slots=True)
class Shift:
    """A change point: the first sample of the new level, and the median after it over that before."""

    at: int
    ratio: float


def change_points(values: Sequence[float]) -> tuple[Shift, ...]:
    """Where the level of a series changes, by binary segmentation on squared error with penalty 3 log(n) sigma^2.

    Robust: single outliers are pulled to the running median of five samples plus or minus three sigma; sigma is the median absolute
    deviation of first differences over sqrt 2. Segments hold SHORTEST samples or more.
    """
    import numpy as np
    from scipy.ndimage import median_filter
    from scipy.stats import median_abs_deviation

    level = np.asarray(values, dtype=float)
    count = len(level)
    if count < 2 * SHORTEST:
        return ()
    sigma = float(median_abs_deviation(np.diff(level))) * _MAD / 2**0.5
    smooth = median_filter(level, size=5, mode="nearest")
    level = np.clip(level, smooth - 3 * sigma, smooth + 3 * sigma)
    sums, squares = np.concatenate([[0.0], np.cumsum(level)]), np.concatenate([[0.0], np.cumsum(level**2)])
    penalty = max(3 * log(count) * sigma**2, 1e-9 * float(squares[-1]))

    def cost(a: int, b: "np.ndarray | int") -> "np.ndarray":
        return np.asarray(squares[b] - squares[a] - (sums[b] - sums[a]) ** 2 / (np.asarray(b) - a))

    found: list[int] = []
    waiting = [(0, count)]
    while waiting:
        begin, end = waiting.pop()
        cuts = np.arange(begin + SHORTEST, end - SHORTEST + 1)
        if not len(cuts):
            continue
        right = squares[end] - squares[cuts] - (sums[end] - sums[cuts]) ** 2 / (end - cuts)
        gains = float(cost(begin, end)) - cost(begin, cuts) - right
        best = int(np.argmax(gains))
        if gains[best] > penalty:
            cut = int(cuts[best])
            found.append(cut)
            waiting += [(begin, cut), (cut, end)]
    edges = [0, *sorted(found), count]
    medians = [float(np.median(level[a:b])) for a, b in pairwise(edges)]
    return tuple(Shift(cut, after / before) for cut, before, after in zip(edges[1:-1], medians, medians[1:], strict=False) if before > 0)


@dataclass(frozen=True, slots=True)
class RankCorrelation:
    """Spearman's rho with its p value, and Kendall's tau, of the same pairs."""

    rho: float
    tau: float
    p: float
    count: int


def rank_correlation(first: Sequence[float], second: Sequence[float]) -> RankCorrelation | None:
    """None for less than five pairs, or where one side never changes."""
    if len(first) < SHORTEST or len(set(first)) < 2 or len(set(second)) < 2:
        return None
    from scipy.stats import kendalltau, spearmanr

    rho = spearmanr(first, second)
    tau = kendalltau(first, second)
    if not isfinite(float(rho.statistic)):
        return None
    return RankCorrelation(float(rho.statistic), float(tau.statistic), float(rho.pvalue), len(first))


def partial_rank_correlations(target: Sequence[float], drivers: Sequence[Sequence[float]]) -> list[float] | None:
    """Rank correlation of the target with each driver, the others held still: from the inverse of the rank correlation matrix."""
    import numpy as np
    from scipy.stats import rankdata

    ranks = np.array([rankdata(row) for row in (target, *drivers)])
    if len(target) <= len(drivers) + 2 or (ranks.std(axis=1) == 0).any():
        return None
    inverse = np.linalg.pinv(np.corrcoef(ranks))
    return [float(-inverse[0, i] / (inverse[0, 0] * inverse[i, i]) ** 0.5) for i in range(1, len(ranks))]


@dataclass(frozen=True, slots=True)
class Bursts:
    """How a link is used over time. `duty`: share of samples at 0.9 or more; `longest`: the most of them in a row."""

    duty: float
    peak_over_mean: float | None
    median: float
    p95: float
    longest: int


def bursts(use: Sequence[float]) -> Bursts:
    """Of the use of a link or group, 0 to 1."""
    import numpy as np

    level = np.asarray(use, dtype=float)
    full = level >= _FULL
    longest = run = 0
    for one in full:
        run = run + 1 if one else 0
        longest = max(longest, run)
    mean = float(level.mean())
    peak = float(level.max()) / mean if mean > 0 else None
    return Bursts(float(full.mean()), peak, float(np.median(level)), float(np.quantile(level, 0.95)), longest)


def aligned(
    first_times: Sequence[float], first: Sequence[float], times: Sequence[float], values: Sequence[float]
) -> list[tuple[float, float]]:
    """Pairs of two series at the times of the sparser one: each with the nearest sample of the other within half its own spacing."""
    import pandas as pd

    a = pd.DataFrame({"time": first_times, "a": first}, dtype=float).sort_values("time")
    b = pd.DataFrame({"time": times, "b": values}, dtype=float).sort_values("time")
    swap = len(a) > len(b)
    sparse, dense = (b, a) if swap else (a, b)
    spacing = float(sparse["time"].diff().median())
    if not spacing > 0:
        return []
    joined = pd.merge_asof(sparse, dense, on="time", direction="nearest", tolerance=spacing / 2).dropna()  # type: ignore[arg-type]
    return [(float(x), float(y)) for x, y in zip(joined["a"], joined["b"], strict=True)]
