"""How a group of parallel uplinks is loaded: against a fair hash, over time, and by what must cross whatever is tuned."""

from collections.abc import Iterator
from statistics import fmean, pstdev

from advisor.diagnosis.measured import Row, measure
from advisor.diagnosis.observed import Observed
from advisor.diagnosis.statistics import Bursts, bursts
from advisor.diagnosis.timeline import Series, of_kind
from advisor.fabric.paths import uplink_groups
from advisor.traffic.demand import duty
from advisor.traffic.hashing import expected_cv

MOST_FLOWS = 4096


@measure("uplink_cv_over_hash", "hash-spread", "fabric")
def cv_over_hash(site: Observed) -> Iterator[Row]:
    """Spread of the members' loads over that of a fair hash: coefficient of variation over sqrt((m - 1) / n), n the flows that cross.

    Flows are those of the jobs' rings that leave a leaf, each host's ports times its queue pairs. About 1 is fair bad luck; above 2 the
    hash itself is at fault (polarisation, a field left out). Unknown where no job's hosts and ports are known.
    """
    flows = _crossing_flows(site)
    for group in uplink_groups(site.fabric):
        healthy = [link for link in group.links if link.is_up]
        used = [link.utilisation for link in healthy if link.utilisation is not None]
        if group.mean is None or len(used) < 2 or not fmean(used):
            continue
        crossing = flows.get(group.leaf) or (max(flows.values(), default=0) if group.leaf == "*" else 0)
        if crossing:
            expected = expected_cv(len(used), [1.0] * min(crossing, MOST_FLOWS))
            yield pstdev(used) / fmean(used) / expected, group.leaf.strip("*"), [link.origin for link in healthy]


def _crossing_flows(site: Observed) -> dict[str, int]:
    """Flows of the jobs' rings that leave each leaf."""
    leaf_of = {host.name: host.leaf for host in site.fabric.hosts.values() if host.leaf}
    kind = next((kind for kind in site.fabric.host_kinds if kind.nics_per_host), None)
    found: dict[str, int] = {}
    for job in site.fabric.jobs:
        for host, after in zip(job.hosts, (*job.hosts[1:], *job.hosts[:1]), strict=True):
            here, there = leaf_of.get(host), leaf_of.get(after)
            if here and there and here != there:
                ports = [port for port in site.fabric.hosts[host].ports.values() if "/" in port.name and port.state in (None, "active")]
                count = len(ports) or ((kind.nics_per_host or 0) * (kind.nic_ports or 1) if kind else 0)
                found[here] = found.get(here, 0) + count
    return found


def _uplinks(site: Observed) -> Iterator[tuple[Series, Bursts]]:
    """Series of use whose device is a switch, or that name no host: links of the fabric."""
    for one in of_kind(site, "use"):
        if one.device not in site.fabric.hosts:
            yield one, bursts(one.values)


@measure("uplink_duty", "uplink-time", "fabric")
def uplink_duty(site: Observed) -> Iterator[Row]:
    """Share of samples in which a link runs at 0.9 of its rate or more, of a series of its use."""
    for one, found in _uplinks(site):
        yield found.duty, one.about, (one.origin,)


@measure("uplink_use_median", "uplink-time", "fabric")
def uplink_median(site: Observed) -> Iterator[Row]:
    """Median of a link's use over time."""
    for one, found in _uplinks(site):
        yield found.median, one.about, (one.origin,)


@measure("uplink_use_p95", "uplink-time", "fabric")
def uplink_p95(site: Observed) -> Iterator[Row]:
    """95th percentile of a link's use over time; where no series is there, as a person states it."""
    for one, found in _uplinks(site):
        yield found.p95, one.about, (one.origin,)
    for entry in site.entries("links"):
        if entry.get("tier") in ("leaf-uplink", "spine", "core") and (p95 := entry.number("p95_percent")) is not None:
            yield p95 / 100, str(entry.get("tier")), (entry.origin("p95_percent"),)


@measure("uplink_peak_over_mean", "uplink-time", "fabric")
def peak_over_mean(site: Observed) -> Iterator[Row]:
    """Highest over mean use of a link over time: large where traffic comes in bursts."""
    for one, found in _uplinks(site):
        if found.peak_over_mean is not None:
            yield found.peak_over_mean, one.about, (one.origin,)


@measure("uplink_longest_full", "uplink-time", "fabric")
def longest_full(site: Observed) -> Iterator[Row]:
    """The most samples in a row in which a link runs at 0.9 of its rate or more."""
    for one, found in _uplinks(site):
        yield float(found.longest), one.about, (one.origin,)


@measure("need_over_uplinks", "need", "fabric")
def need_over_uplinks(site: Observed) -> Iterator[Row]:
    """What must cross the uplinks of a leaf even at the best placement, over their rate (D_need over capacity).

    Of each job that needs more than one leaf: a ring packed leaf by leaf leaves each leaf once, with the rate of all ports of a host,
    for the share of the step that it communicates. Up to 0.8 contention, above 1 oversubscription.
    """
    if site.line_gbps is None:
        return
    rate, where = site.line_gbps
    capacity = min((leaf.up_gbps for leaf in site.fabric.leaves if leaf.up_gbps), default=None)
    for job in site.fabric.jobs:
        if capacity and job.leaves_needed and job.leaves_needed > 1:
            leaf = next(leaf for leaf in site.fabric.leaves if leaf.up_gbps == capacity)
            yield rate * duty(job) / capacity, job.name, (job.origin, leaf.origin, *where)


@measure("crossing_share_best", "crossing-share", "scheduling")
def crossing_share_best(site: Observed) -> Iterator[Row]:
    """Share of a job's traffic between hosts that leaves its leaf when packed as well as leaf sizes allow (x_min)."""
    for job in site.fabric.jobs:
        if job.crossing_share_best is not None:
            yield job.crossing_share_best, job.name, (job.origin,)
