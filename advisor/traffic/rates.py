"""What jobs reach in a fabric as it is: their slowest flow beside all others, pause, and checkpoint windows."""

from collections.abc import Mapping
from statistics import median

from advisor.fabric.model import Fabric, TrainingLog
from advisor.traffic.demand import Send, checkpoint, duty, ring
from advisor.traffic.network import Network, as_one_rail, network, slowest_share, slowest_shares
from advisor.traffic.steps import checkpoint_loss

Ports = tuple[int, float]  # of a host, and the rate of one


def job_shares(fabric: Fabric, names: list[str], ports: Ports | None = None) -> dict[str, float]:
    """The share of a port's rate that the slowest flow of each job gets. Jobs for which the network tells nothing are left out.

    Each job sends at full rate beside all others at their mean over time.
    """
    net = network(fabric, ports)
    if net is None:
        return {}
    net = as_one_rail(net) if net.balanced else net
    placed = [job for job in fabric.jobs if len(job.hosts) > 1 and all(host in net.leaf_of for host in job.hosts)]
    paces = {job.name: duty(job) for job in placed}
    sends = [send for job in placed for send in ring(job, net.ports)]
    return slowest_shares(net, sends, {name: paces | {name: 1.0} for name in names})


def job_rates(fabric: Fabric, shares: Mapping[str, float], ports: Ports | None = None) -> dict[str, float]:
    """What each job reaches: its share of the network (job_shares), what pause leaves of it, less what checkpoint windows take.

    The factors multiply: each takes its part of what the one before left.
    """
    net = network(fabric, ports)
    if net is None:
        return {}
    pause = fabric.kept_in_leaf or 1.0
    logged = next((found for log in fabric.logs if (found := windows(log))), None) if _meets_storage(fabric) else None
    return {name: share * pause * kept_by_storage(fabric, net, name, share, logged) for name, share in shares.items()}


def sends_beside(fabric: Fabric, net: Network, name: str) -> list[Send]:
    """The job's own flows at full rate, those of all others at their mean over time."""
    found: list[Send] = []
    for job in fabric.jobs:
        if len(job.hosts) > 1 and all(host in net.leaf_of for host in job.hosts):
            demand = 1.0 if job.name == name else duty(job)
            if demand > 0:
                found.extend(ring(job, net.ports, demand))
    return found


def _meets_storage(fabric: Fabric) -> bool:
    """Whether storage shares ports and queues with the jobs, as far as is known."""
    return not fabric.storage or (fabric.storage.plane != "separate" and fabric.storage.queue != "own")


def kept_by_storage(fabric: Fabric, net: Network, name: str, share: float, logged: tuple[float, float] | None) -> float:
    """What checkpoint windows leave of a job's speed: 1 - d/I * (1 - g), d their length, I their interval, g the speed inside over outside.

    d/I and g as a training log shows them (`logged`), else as stated; g else from the flows of a stated amount of writing. 1 where
    storage has its own plane or queue, or nothing tells.
    """
    storage = fabric.storage
    if not _meets_storage(fabric):
        return 1.0
    if logged:
        time_share, inside = logged
        return 1 - checkpoint_loss(time_share, 1.0, min(inside, 1.0))
    if storage is None or not storage.checkpoint_s or not storage.checkpoint_every_s:
        return 1.0
    time_share = min(storage.checkpoint_s / storage.checkpoint_every_s, 1.0)
    inside_or_none = storage.inside_over_outside
    if inside_or_none is None and storage.checkpoint_bytes and share > 0:
        job = next(job for job in fabric.jobs if job.name == name)
        gbps = storage.checkpoint_bytes * 8e-9 / storage.checkpoint_s
        writes = checkpoint(job, net.ports, min(gbps / (len(job.hosts) * net.ports * net.port_gbps), 1.0))
        inside_or_none = (slowest_share(net, [*sends_beside(fabric, net, name), *writes], name) or share) / share
    return 1 - checkpoint_loss(time_share, 1.0, min(inside_or_none, 1.0)) if inside_or_none is not None else 1.0


def windows(log: TrainingLog) -> tuple[float, float] | None:
    """Share of a log's time in checkpoint windows, and speed inside over outside (medians). None where it has no step in or out of one."""
    inside = [step.slowness for step in log.steps if step.in_checkpoint and step.slowness]
    outside = [step.slowness for step in log.steps if not step.in_checkpoint and step.slowness]
    if not inside or not outside:
        return None
    return sum(inside) / (sum(inside) + sum(outside)), median(outside) / median(inside)
