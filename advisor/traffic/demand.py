"""What is sent: flows of a job between hosts, and what a job's settings say of how it sends them."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from advisor.fabric.model import Fabric, Job
from advisor.fabric.paths import by_leaf

QUEUE_PAIRS = "NCCL_IB_QPS_PER_CONNECTION"


@dataclass(frozen=True, slots=True)
class Send:
    """One flow from a host to another.

    host      None: from a switch. Then `leaf` is the leaf that it comes from; without one it comes from beyond the leaves (storage)
    to        None: to a switch, likewise with `to_leaf`
    rail      port of the host, counted from 0; `to_rail` that of the receiver, the same where it is not given
    demand    share of one port's rate, 0 to 1, at the job's full pace
    pieces    parts that are hashed apart (queue pairs)
    """

    job: str
    host: str | None
    to: str | None
    rail: int
    demand: float = 1.0
    pieces: int = 1
    to_rail: int | None = None
    leaf: str | None = None
    to_leaf: str | None = None


def settings_of(job: Job) -> Mapping[str, Any]:
    """Settings of a job as stated: environment variables of the collective library and free keys, names in upper case."""
    known = job.settings.get("settings")
    return {str(name).upper(): value for name, value in known.items()} if isinstance(known, Mapping) else {}


def number_of(stated: Any) -> float | None:
    """A stated value as a number above 0; None for anything else."""
    try:
        value = float(stated)
    except (TypeError, ValueError):
        return None
    return value if 0 < value < float("inf") else None


def queue_pairs(job: Job) -> int:
    """Parts that the collective library cuts a connection's data into, as the job's settings say (NCCL_IB_QPS_PER_CONNECTION); else 1.

    With data split over the queue pairs switched off, each message takes one of them, which for long messages comes to the same.
    """
    return max(int(number_of(settings_of(job).get(QUEUE_PAIRS)) or 1), 1)


def ring(job: Job, rails: int, demand: float = 1.0) -> Iterator[Send]:
    """The flows of a ring all-reduce: every host sends to the next in the job's order, on every rail, as fast as its port.

    A ring moves 2(n-1)/n of the data over each edge, the same over all, so the slowest flow sets the pace.
    """
    if len(job.hosts) < 2:
        return
    pieces = queue_pairs(job)
    for i, host in enumerate(job.hosts):
        for rail in range(rails):
            yield Send(job.name, host, job.hosts[(i + 1) % len(job.hosts)], rail, demand, pieces)


def checkpoint(job: Job, rails: int, share: float) -> Iterator[Send]:
    """The writes of a checkpoint: every host of the job to storage, on every rail, `share` of a port's rate each."""
    for host in job.hosts:
        for rail in range(rails):
            yield Send(f"{job.name} storage", host, None, rail, share)


def duty(job: Job) -> float:
    """Share of the time in which a job sends: its communication share, or all of it where that is not known."""
    return 1.0 if job.communication_share is None else job.communication_share


def in_leaf_order(job: Job, fabric: Fabric) -> Job:
    """The job with its ring going leaf by leaf."""
    leaf_of = {host: fabric.hosts[host].leaf or "" for host in job.hosts if host in fabric.hosts}
    return job.model_copy(update={"hosts": by_leaf(job.hosts, leaf_of)})
