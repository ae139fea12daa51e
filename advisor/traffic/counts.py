"""A fabric of which only counts are known, laid out: so many hosts on so many leaves of a stated design."""

from math import ceil
from typing import Literal

from advisor.fabric.model import Fabric, Host, Job, Leaf
from advisor.fabric.paths import placed_job
from advisor.traffic.rates import placed_jobs
from advisor.traffic.topology import network, ports_of

# What the model lacks, in the order in which a person would look for it.
Missing = Literal["jobs", "port-rate", "job-places", "uplinks", "leaf-size"]
_MOST_HOSTS = 20_000  # beyond, counts are taken for a slip of the pen


def laid_out(fabric: Fabric) -> Fabric | None:
    """The fabric with hosts and leaves made up so that counts hold, where no job's hosts are known by name; None where counts do not tell.

    Taken: every leaf is of the stated design; a job's hosts stand evenly on as many leaves as it uses, ring leaf by leaf; jobs take the
    emptiest leaves first, so they share leaves only where there are no more of them than the widest job uses. That is the kindest
    placement which fits the counts: what is lost in it is lost in any.
    """
    if missing(fabric):
        return None
    ports, jobs = ports_of(fabric), _counted(fabric)
    design = next((leaf for leaf in fabric.leaves if not leaf.hosts), Leaf(name="*"))
    if ports is None or not jobs:
        return None
    host_gbps = ports[0] * ports[1]
    per_leaf = [ceil((job.host_count or 0) / (_leaves(job) or 1)) for job in jobs]
    size = round(design.down_gbps / host_gbps) if design.down_gbps else max(per_leaf)
    count = max(max(_leaves(job) or 1 for job in jobs), ceil(sum(job.host_count or 0 for job in jobs) / max(size, 1)))
    room, taken = [size] * count, dict[str, tuple[str, ...]]()
    for job in sorted(jobs, key=lambda job: (-(job.host_count or 0), job.name)):
        hosts = _take(job.host_count or 0, _leaves(job) or 1, room, size)
        if hosts is None:
            return None
        taken[job.name] = hosts
    return _with(fabric, jobs, taken, [design.model_copy(update=_made(k, size, host_gbps)) for k in range(1, count + 1)])


def _made(number: int, size: int, host_gbps: float) -> dict[str, object]:
    hosts = tuple(f"*{number}.{i + 1}" for i in range(size))
    return {"name": f"*{number}", "hosts": hosts, "down_gbps": size * host_gbps, "members": (), "pod": None}


def _with(fabric: Fabric, jobs: list[Job], taken: dict[str, tuple[str, ...]], leaves: list[Leaf]) -> Fabric:
    leaf_of = {host: leaf.name for leaf in leaves for host in leaf.hosts}
    sizes = [len(leaf.hosts) for leaf in leaves]
    placed = [placed_job(job.model_copy(update={"hosts": taken[job.name]}), leaf_of, sizes) for job in jobs]
    others = [job for job in fabric.jobs if job.name not in taken]
    hosts = {**fabric.hosts, **{host: Host(name=host, leaf=leaf) for host, leaf in leaf_of.items()}}
    return fabric.model_copy(update={"hosts": hosts, "leaves": tuple(leaves), "jobs": (*placed, *others), "pods": ()})


def _take(hosts: int, leaves: int, room: list[int], size: int) -> tuple[str, ...] | None:
    """Hosts of a job, evenly on the emptiest leaves; None where they do not hold them."""
    chosen = sorted(sorted(range(len(room)), key=lambda leaf: (-room[leaf], leaf))[:leaves])
    found: list[str] = []
    for k, leaf in enumerate(chosen):
        here = hosts // leaves + (1 if k < hosts % leaves else 0)
        if here > room[leaf]:
            return None
        found.extend(f"*{leaf + 1}.{size - room[leaf] + i + 1}" for i in range(here))
        room[leaf] -= here
    return tuple(found)


def missing(fabric: Fabric) -> tuple[Missing, ...]:
    """What keeps the model from speaking of a fabric, by names or by counts; nothing where it can."""
    net = network(fabric)
    if net is not None and placed_jobs(fabric, net):
        return ()
    found: list[Missing] = []
    several = [job for job in fabric.jobs if (job.host_count or len(job.hosts)) > 1]
    jobs = _counted(fabric)
    if not several:
        found.append("jobs")
    if ports_of(fabric) is None:
        found.append("port-rate")
    if several and not jobs:
        found.append("job-places")
    crossing = any((_leaves(job) or 1) > 1 for job in jobs) or any((job.leaves or 1) > 1 for job in several)
    if crossing and not any(leaf.up_gbps is not None for leaf in fabric.leaves):
        found.append("uplinks")
    if not found and sum(job.host_count or 0 for job in jobs) > _MOST_HOSTS:
        found.append("leaf-size")
    return tuple(found)


def _counted(fabric: Fabric) -> list[Job]:
    """Jobs of several hosts that are known by number, with the number of leaves that they use."""
    if any(leaf.hosts for leaf in fabric.leaves):
        return []  # leaves have hosts with names: a job without them could be anywhere
    return [job for job in fabric.jobs if (job.host_count or 0) > 1 and _leaves(job)]


def _leaves(job: Job) -> int | None:
    """Leaves that a job uses, as stated: their number, one inside a leaf, or two where two hosts cross."""
    if job.leaves:
        return min(job.leaves, job.host_count or job.leaves)
    if job.placement == "same-leaf":
        return 1
    return 2 if job.placement == "cross-leaf" and job.host_count == 2 else None
