"""What jobs want to send: rings of collectives, and writes to storage."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from advisor.fabric.model import Fabric, Job
from advisor.fabric.paths import by_leaf

QUEUE_PAIRS = "NCCL_IB_QPS_PER_CONNECTION"


@dataclass(frozen=True, slots=True)
class Send:
    """One flow from a host, to another or to what lies beyond the leaves (`to` is None: storage behind the spines).

    demand   share of one port's rate, 0 to 1
    pieces   parts that are hashed apart (queue pairs)
    """

    job: str
    host: str
    to: str | None
    rail: int
    demand: float = 1.0
    pieces: int = 1


def queue_pairs(job: Job) -> int:
    """Parts that the collective library cuts a connection's data into, as the job's settings say (NCCL_IB_QPS_PER_CONNECTION); else 1.

    With data split over the queue pairs switched off, each message takes one of them, which for long messages comes to the same.
    """
    settings = job.settings.get("settings")
    try:
        return max(int(settings.get(QUEUE_PAIRS, 1)), 1) if isinstance(settings, Mapping) else 1
    except (TypeError, ValueError):
        return 1


def ring(job: Job, rails: int, demand: float = 1.0) -> Iterator[Send]:
    """The flows of a ring all-reduce: every host sends to the next in the job's order, on every rail, as fast as its port.

    A ring moves 2(n-1)/n of the data over each edge, the same over all, so the slowest flow sets the pace.
    """
    if len(job.hosts) < 2:
        return
    for i, host in enumerate(job.hosts):
        for rail in range(rails):
            yield Send(job.name, host, job.hosts[(i + 1) % len(job.hosts)], rail, demand, queue_pairs(job))


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
