"""What share of its ports' rate a job gets in a network beside others: its slowest flow, as jobs send in turns."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from advisor.traffic.demand import Send
from advisor.traffic.phases import STATES, Moments, Phases, moments, sending_share
from advisor.traffic.throws import WORK, Throws
from advisor.traffic.topology import Network, as_one_rail, network, rails_alike

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["Network", "as_one_rail", "flow_rates", "network", "rails_alike", "slowest_share", "slowest_shares"]

_ROUNDS = 6  # towards the fixed point of who sends when and how fast
_NEAR = 2e-3


def slowest_share(net: Network, sends: Sequence[Send], job: str) -> float | None:
    """The share of its demand that the slowest flow of a job gets, 0 to 1, while all send. None where the job sends nothing.

    Raises KeyError for a host whose leaf the network does not know.
    """
    return slowest_shares(net, sends).get(job)


def slowest_shares(
    net: Network, sends: Sequence[Send], duties: Mapping[str, float] | None = None, phases: Phases = "random"
) -> dict[str, float]:
    """The same for all jobs (names of `sends`) at once: the mean over the time in which each sends.

    duties    share of the time in which a job would send if it were alone; 1 where not given. 0: it stands back for all others, and
              takes what they leave
    phases    how the phases of jobs with a duty below 1 lie (advisor.traffic.phases)
    """
    import numpy as np

    if not sends:
        return {}
    names = list(dict.fromkeys(send.job for send in sends))
    number = {name: i for i, name in enumerate(names)}
    job_of = np.array([number[send.job] for send in sends])
    order = np.argsort(job_of, kind="stable")
    job_of = job_of[order]
    starts = np.searchsorted(job_of, np.arange(len(names)))
    alone = np.array([min(max((duties or {}).get(name, 1.0), 0.0), 1.0) for name in names])
    behind = alone == 0
    alone = np.where(behind, 1.0, alone)
    some = bool((alone < 1).any())
    most = STATES if net.balanced else max(min(STATES // 2, WORK // len(sends)), STATES // 4)  # every throw has a moment of its own
    seen = moments(alone, phases, most)
    thrown = Throws(net, [sends[i] for i in order], len(seen.on))
    reached, sending, share = _reached(thrown, seen, job_of, starts, behind), alone, np.ones(len(names))
    for _ in range(_ROUNDS):
        now = _mean_while_on(reached, seen, seen.weights(sending))
        settled = not some or phases == "steady" or bool(np.abs(now - share).max() < _NEAR)
        share, sending = now, sending_share(alone, now)
        if settled:
            break
        later = moments(sending, phases, most)
        if not seen.ways and not (later.on == seen.on).all():
            seen, reached = later, _reached(thrown, later, job_of, starts, behind)
    return {name: float(share[i]) for name, i in number.items()}


def _reached(
    thrown: Throws, seen: Moments, job_of: "NDArray[np.int64]", starts: "NDArray[np.int64]", behind: "NDArray[np.bool_]"
) -> "NDArray[np.float64]":
    """By trial and job, the share of its demand that the job's slowest flow gets. Trials go through the moments in turn."""
    import numpy as np

    pace = np.tile(seen.pace, (thrown.trials // len(seen.on), 1))
    flows = thrown.slowest_parts(pace[:, job_of], behind[job_of])
    found: NDArray[np.float64] = np.minimum(np.minimum.reduceat(flows, starts, axis=1), 1.0)
    return found


def _mean_while_on(reached: "NDArray[np.float64]", seen: Moments, weights: "NDArray[np.float64]") -> "NDArray[np.float64]":
    """The mean over the moments in which each job is on; 1 for a job that never is."""
    import numpy as np

    weight = np.tile(weights[:, None] * seen.on, (len(reached) // len(seen.on), 1))
    whole = weight.sum(axis=0)
    found: NDArray[np.float64] = np.divide((weight * reached).sum(axis=0), whole, out=np.ones(len(whole)), where=whole > 0)
    return found


def flow_rates(net: Network, sends: Sequence[Send]) -> list[float]:
    """The rate of every flow over a port's rate, all of its parts together: the mean over the throws. Raises KeyError as slowest_share."""
    import numpy as np

    if not sends:
        return []
    thrown = Throws(net, sends)
    rates = thrown.rates(np.ones(len(sends)))
    return [float(rate) for rate in np.add.reduceat(rates, thrown.starts, axis=1).mean(axis=0)]
