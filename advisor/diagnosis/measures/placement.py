"""Where jobs run: leaves used against leaves needed, crossing traffic against the best packing, hosts given away in part."""

from collections.abc import Iterator

from advisor.diagnosis.measured import Row, also, measure
from advisor.diagnosis.observed import Observed
from advisor.fabric.paths import crossing_edges


@measure("leaves_over_needed", "placement", "scheduling")
def leaves_over_needed(site: Observed) -> Iterator[Row]:
    """Leaves that a job uses over those that the best packing takes."""
    for job in site.fabric.jobs:
        if job.leaves and job.leaves_needed:
            yield job.leaves / job.leaves_needed, job.name, (job.origin,)


@measure("crossing_excess", "placement", "scheduling")
def crossing_excess(site: Observed) -> Iterator[Row]:
    """Share of a job's traffic between hosts that leaves its leaf, less that of the best packing (x - x_min)."""
    for job in site.fabric.jobs:
        if job.crossing_share is not None and job.crossing_share_best is not None:
            yield job.crossing_share - job.crossing_share_best, job.name, (job.origin,)


@measure("crossing_share", "crossing-share", "scheduling")
def crossing_share(site: Observed) -> Iterator[Row]:
    """Share of a job's traffic between hosts that leaves its leaf."""
    for job in site.fabric.jobs:
        if job.crossing_share is not None:
            yield job.crossing_share, job.name, (job.origin,)


@measure("job_over_leaf", "job-size", "scheduling")
def job_over_leaf(site: Observed) -> Iterator[Row]:
    """Hosts of a job over hosts of a leaf: above 1 even the best placement crosses."""
    stated = [float(value) for value, _ in site.stated("fabric", "hosts_per_leaf") if isinstance(value, int | float)]
    largest = max(stated or [float(len(leaf.hosts)) for leaf in site.fabric.leaves], default=0.0)
    for job in site.fabric.jobs:
        if job.host_count and largest:
            yield job.host_count / largest, job.name, (job.origin,)


@measure("leaves_needed", "job-size", "scheduling")
def leaves_needed(site: Observed) -> Iterator[Row]:
    """Leaves that a job takes if packed as well as leaves allow."""
    for job in site.fabric.jobs:
        if job.leaves_needed:
            yield float(job.leaves_needed), job.name, (job.origin,)


@measure("jobs_at_once", "tenants", "scheduling")
def jobs_at_once(site: Observed) -> Iterator[Row]:
    """Jobs that run on the site at the same time, where the captures or the form list them."""
    if site.fabric.jobs:
        yield float(len(site.fabric.jobs)), "", [job.origin for job in site.fabric.jobs]


@measure("hosts_partly_allocated", "allocation", "scheduling")
def partly_allocated(site: Observed) -> Iterator[Row]:
    """Share of hosts with GPUs of which some and not all are given away: jobs on them share NICs and NUMA nodes."""
    known = [host for host in site.fabric.hosts.values() if host.gpu_count and host.gpu_allocated is not None]
    if known:
        part = [host for host in known if 0 < (host.gpu_allocated or 0) < (host.gpu_count or 0)]
        yield len(part) / len(known), ", ".join(host.name for host in part[:4]), [o for host in part or known[:1] for o in host.origins[:1]]


@measure("communication_share", "volume", "fabric")
def communication_share(site: Observed) -> Iterator[Row]:
    """Share of a step that a job spends in communication."""
    for job in site.fabric.jobs:
        if job.communication_share is not None:
            yield job.communication_share, job.name, (job.origin,)


@measure("job_kind", "jobs", "scheduling")
def job_kind(site: Observed) -> Iterator[Row]:
    """Kind of each job: training, inference, data, benchmark."""
    for job in site.fabric.jobs:
        if job.kind:
            yield job.kind, job.name, (job.origin,)


@measure("expert_parallel", "jobs", "scheduling")
def expert_parallel(site: Observed) -> Iterator[Row]:
    """Degree of expert parallelism of a job: above 1 it exchanges all-to-all."""
    for entry in site.entries("jobs"):
        split = entry.get("parallelism")
        if isinstance(split, dict) and isinstance(split.get("expert"), int | float):
            yield float(split["expert"]), str(entry.get("name") or ""), (entry.origin("parallelism"),)


@also("leaf_shared_by_jobs")
def shared_leaves(site: Observed) -> Iterator[Row]:
    """Whether a leaf holds hosts of several jobs, as far as jobs list their hosts."""
    leaf_of = {host.name: host.leaf for host in site.fabric.hosts.values() if host.leaf}
    on_leaf: dict[str, dict[str, object]] = {}
    for job in site.fabric.jobs:
        for host in job.hosts:
            if host in leaf_of:
                on_leaf.setdefault(str(leaf_of[host]), {})[job.name] = job.origin
    if on_leaf and len(site.fabric.jobs) > 1:
        shared = sorted(leaf for leaf, jobs in on_leaf.items() if len(jobs) > 1)
        origins = [where for leaf in (shared or sorted(on_leaf)) for where in on_leaf[leaf].values()]
        yield bool(shared), ", ".join(shared[:4]), origins  # type: ignore[misc]


@measure("ring_crossings_over_least", "rank-order", "scheduling")
def ring_crossings(site: Observed) -> Iterator[Row]:
    """Times that the order of a job's hosts changes leaf, closed to a ring, over the least possible (once for each leaf)."""
    leaf_of = {host.name: host.leaf for host in site.fabric.hosts.values() if host.leaf}
    for job in site.fabric.jobs:
        edges = crossing_edges(job.hosts, leaf_of)
        leaves = len({leaf_of[host] for host in job.hosts if host in leaf_of})
        if edges is not None and len(job.hosts) >= 4 and leaves > 1:
            yield edges / leaves, job.name, (job.origin,)
