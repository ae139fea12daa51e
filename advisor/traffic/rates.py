"""What jobs reach in a fabric as it is: their slowest flow beside all others, pause, and checkpoint windows."""

from collections.abc import Iterable, Mapping
from statistics import median

from advisor.fabric.model import Fabric, Job, TrainingLog
from advisor.traffic.demand import Send, checkpoint, duty
from advisor.traffic.network import slowest_shares
from advisor.traffic.patterns import crosses_rails
from advisor.traffic.phases import Phases
from advisor.traffic.services import sends_of, storage_reads
from advisor.traffic.steps import checkpoint_loss
from advisor.traffic.topology import Network, as_one_rail, network, rails_alike

Ports = tuple[int, float]  # of a host, and the rate of one
_MOST_WRITERS = 16  # jobs whose checkpoint windows are looked at one by one, largest first


def placed_jobs(fabric: Fabric, net: Network) -> list[Job]:
    """Jobs that send between hosts whose way the network knows."""
    return [job for job in fabric.jobs if len(job.hosts) > 1 and net.carries(job.hosts)]


def meeting(fabric: Fabric, net: Network, *, apart: bool = False) -> tuple[Network, list[Send]]:
    """The network and all that meets in it at full pace: of every placed job, and reads from storage that shares the ports.

    Where parallel links are balanced and all rails meet the same, the ports of a host count as one, unless they are to stay `apart`.
    """
    jobs = placed_jobs(fabric, net)
    if not apart and net.balanced and rails_alike(net) and not (net.members and any(map(crosses_rails, jobs))):
        net = as_one_rail(net)
    found = [send for job in jobs for send in sends_of(job, net)]
    return net, [*found, *(storage_reads(fabric, net) if meets_storage(fabric) else ())]


def duties(fabric: Fabric) -> dict[str, float]:
    """The share of the time in which each job sends when alone."""
    return {job.name: duty(job) for job in fabric.jobs}


def phases(fabric: Fabric) -> Phases:
    """How the phases of jobs lie: as stated or fitted (measured.fitted), else random."""
    known: dict[str, Phases] = {"aligned": "aligned", "shifted": "shifted", "steady": "steady"}
    return known.get(fabric.phases or "", "random")


def job_shares(fabric: Fabric, names: Iterable[str] | None = None, ports: Ports | None = None) -> dict[str, float]:
    """The share of a port's rate that the slowest flow of each job gets while the job sends; of all jobs, or of these.

    Jobs for which the network tells nothing are left out.
    """
    net = network(fabric, ports)
    if net is None:
        return {}
    net, sends = meeting(fabric, net)
    found = slowest_shares(net, sends, duties(fabric), phases(fabric))
    wanted = {job.name for job in fabric.jobs} if names is None else set(names)
    return {name: share for name, share in found.items() if name in wanted}


def job_rates(fabric: Fabric, shares: Mapping[str, float], ports: Ports | None = None) -> dict[str, float]:
    """What each job reaches: its share of the network (job_shares), what pause leaves of it, less what checkpoint windows take.

    The factors multiply: each takes its part of what the one before left.
    """
    kept, pause = kept_by_storage(fabric, shares, ports), fabric.kept_in_leaf or 1.0
    return {name: share * pause * kept.get(name, 1.0) for name, share in shares.items()}


def meets_storage(fabric: Fabric) -> bool:
    """Whether storage shares ports and queues with the jobs, as far as is known."""
    return not fabric.storage or (fabric.storage.plane != "separate" and fabric.storage.queue != "own")


def kept_by_storage(fabric: Fabric, shares: Mapping[str, float], ports: Ports | None = None) -> dict[str, float]:
    """What checkpoint windows leave of each job's speed: 1 - d/I * (1 - g), d their length, I their interval, g the speed inside over
    outside.

    d/I and g as a training log shows them, else as stated; g else from the flows of a stated amount of writing. 1 where storage has its
    own plane or queue, or nothing tells.
    """
    storage = fabric.storage
    if not meets_storage(fabric):
        return {}
    logged = next((found for log in fabric.logs if (found := windows(log))), None)
    if logged:
        return dict.fromkeys(shares, 1 - checkpoint_loss(logged[0], 1.0, min(logged[1], 1.0)))
    if storage is None or not storage.checkpoint_s or not storage.checkpoint_every_s:
        return {}
    time_share = min(storage.checkpoint_s / storage.checkpoint_every_s, 1.0)
    if storage.inside_over_outside is not None:
        return dict.fromkeys(shares, 1 - checkpoint_loss(time_share, 1.0, min(storage.inside_over_outside, 1.0)))
    if not storage.checkpoint_bytes:
        return {}
    inside = _inside(fabric, shares, storage.checkpoint_bytes * 8e-9 / storage.checkpoint_s, ports)
    return {name: 1 - checkpoint_loss(time_share, 1.0, min(speed, 1.0)) for name, speed in inside.items()}


def _inside(fabric: Fabric, shares: Mapping[str, float], gbps: float, ports: Ports | None) -> dict[str, float]:
    """The speed of each job while it writes at that rate over its speed outside; of jobs beyond the largest, the mean of those."""
    net = network(fabric, ports)
    if net is None:
        return {}
    net, sends = meeting(fabric, net)
    largest = sorted((job for job in fabric.jobs if shares.get(job.name, 0) > 0), key=lambda job: (-len(job.hosts), job.name))
    found: dict[str, float] = {}
    for job in largest[:_MOST_WRITERS]:
        writes = checkpoint(job, net.ports, min(gbps / (len(job.hosts) * net.ports * net.port_gbps), 1.0))
        there = slowest_shares(net, [*sends, *writes], duties(fabric), phases(fabric))
        found[job.name] = there[job.name] / shares[job.name]
    others = sum(found.values()) / len(found) if found else 1.0
    return {job.name: found.get(job.name, others) for job in largest}


def windows(log: TrainingLog) -> tuple[float, float] | None:
    """Share of a log's time in checkpoint windows, and speed inside over outside (medians). None where it has no step in or out of one."""
    inside = [step.slowness for step in log.steps if step.in_checkpoint and step.slowness]
    outside = [step.slowness for step in log.steps if not step.in_checkpoint and step.slowness]
    if not inside or not outside:
        return None
    return sum(inside) / (sum(inside) + sum(outside)), median(outside) / median(inside)
