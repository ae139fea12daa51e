"""Things that stand out among their peers: the same figure of hosts on the same leaf, in the same job, or of ports on the same rail.

What an unknown platform should reach nobody has published; what its peers reach is known all the same. A value stands out if it is worse
than the median of its group by a share of it that matters (`least`), and by more than the group scatters: the modified z-score
0.6745 (x - median) / MAD above 3.5 (Iglewicz and Hoaglin, How to Detect and Handle Outliers, 1993). MAD is the median of |x - median|: up
to half of a group may be bad without hiding the others.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from advisor.fabric.model import Fabric

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Better = Literal["higher", "lower"]
LEAST = 0.05  # share of the median, as in the example rules of SuperBench (github.com/microsoft/superbenchmark)
SCORE = 3.5  # of the modified z-score, as its authors advise
FEWEST = 4  # members of a group below which a median says little of any of them
_TO_SIGMA = 0.6745  # MAD of a normal distribution over its standard deviation


@dataclass(frozen=True, slots=True)
class Deviation:
    """One figure of one thing that stands out.

    relative  (value - median) / median of its group
    score     modified z-score, as large as it is bad; inf where all others of the group are equal
    peers     members of the group with this figure, itself among them
    """

    name: str
    metric: str
    value: float
    median: float
    relative: float
    score: float
    group: str
    peers: int


def outliers(
    values: Mapping[str, Mapping[str, float]],
    groups: Mapping[str, str],
    better: Mapping[str, Better],
    *,
    least: float = LEAST,
    score: float = SCORE,
) -> tuple[Deviation, ...]:
    """What is worse than its peers, by name and metric.

    values  name of a thing -> metric -> figure; a figure that is not there is unknown, and says nothing
    groups  name -> its group; things without one are not compared
    better  metric -> which way is better; others are not compared
    """
    import numpy as np

    names = sorted(name for name in values if name in groups)
    metrics = sorted(better)
    if not names or not metrics:
        return ()
    none = float("nan")
    table = np.array([[row.get(metric, none) for metric in metrics] for row in (values[name] for name in names)], dtype=float)
    known = sorted({groups[name] for name in names})
    number = {group: i for i, group in enumerate(known)}
    member = np.array([number[groups[name]] for name in names])
    sign = np.array([-1.0 if better[metric] == "higher" else 1.0 for metric in metrics])
    found: list[Deviation] = []
    for i, group in enumerate(known):
        rows = np.flatnonzero(member == i)
        if len(rows) >= FEWEST:
            for row, column, one in _of_group(table[rows], sign, least, score):
                name, metric = names[rows[row]], metrics[column]
                found.append(Deviation(name, metric, float(table[rows[row], column]), *one[:3], group, int(one[3])))
    return tuple(sorted(found, key=lambda one: (one.name, one.metric)))


def _of_group(
    table: "NDArray[np.float64]", sign: "NDArray[np.float64]", least: float, score: float
) -> Iterable[tuple[int, int, tuple[float, float, float, float]]]:
    """Row, column, and median, relative deviation, score and number of peers of each that stands out. sign: 1 where more is worse."""
    import numpy as np

    count = np.isfinite(table).sum(axis=0)
    told = np.flatnonzero(count >= FEWEST)
    table = table[:, told]
    middle = np.nanmedian if np.isnan(table).any() else np.median  # the first is several times slower
    median = middle(table, axis=0)
    away = (table - median) * sign[told]
    scatter = middle(np.abs(away), axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):  # a median or a scatter of zero; unknown values stay so
        scores = _TO_SIGMA * away / scatter
        relative = away / np.abs(median)
        rows, columns = np.nonzero((relative >= least) & (scores > score))
    for row, column in zip(rows.tolist(), columns.tolist(), strict=True):
        share = float(relative[row, column] * sign[told[column]])
        yield row, int(told[column]), (float(median[column]), share, float(scores[row, column]), float(count[told[column]]))


def groupings(fabric: Fabric) -> dict[str, dict[str, str]]:
    """Groups of hosts by what they have in common: `leaf` and `job`. A host in several jobs is in the first of them by name."""
    leaf = {host: one.name for one in fabric.leaves for host in one.hosts}
    job: dict[str, str] = {}
    for one in sorted(fabric.jobs, key=lambda one: one.name):
        for host in one.hosts:
            job.setdefault(host, one.name)
    return {"leaf": leaf, "job": job}
