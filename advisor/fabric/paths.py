"""Paths: how near GPUs are to their NICs, what share of a job's traffic leaves its leaf, and how even parallel uplinks are.

Standard measures: the crossing share of a ring is its edges between leaves over all its edges; the Jain index of m loads is
(sum)^2 / (m * sum of squares), 1 where all are equal and 1/m where one carries everything (Jain, Chiu and Hawe, 1984).
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from advisor.fabric.model import Fabric, Gpu, Host, Job, Link, Run

# From near to far: one PCIe switch, several, the host bridge, the NUMA node, the link between sockets (`nvidia-smi topo -m`).
RELATIONS = ("PIX", "PXB", "PHB", "NODE", "SYS")
_OLD_NAMES = {"SOC": "SYS"}
RATES = ("busbw_gBps", "rate_gbps", "rate_gBps", "algbw_gBps")  # figures of a run that are bandwidth


def nearest_relation(gpu: Gpu) -> str | None:
    """The relation of a GPU to its nearest NIC; None where no relation is known."""
    known = [relation for word in gpu.nic_relations.values() if (relation := _OLD_NAMES.get(word, word)) in RELATIONS]
    return min(known, key=RELATIONS.index, default=None)


def far_gpus(host: Host, beyond: str = "PXB") -> tuple[str, ...]:
    """GPUs of a host whose nearest NIC is farther than a relation: by default, not below a PCIe switch in common."""
    limit = RELATIONS.index(beyond)
    return tuple(name for name, gpu in host.gpus.items() if (near := nearest_relation(gpu)) and RELATIONS.index(near) > limit)


def crossing_edges(ring: Sequence[str], leaf_of: Mapping[str, str]) -> int | None:
    """How many edges of a ring through hosts, in this order, lead to another leaf. None where a host's leaf is unknown."""
    places = [leaf_of.get(host) for host in ring]
    if len(places) < 2 or None in places:
        return None
    return sum(1 for i, place in enumerate(places) if place != places[i - 1])


def crossing_share(ring: Sequence[str], leaf_of: Mapping[str, str]) -> float | None:
    """Share of a ring's traffic between hosts that leaves its leaf, 0 to 1. None for less than two hosts or an unknown leaf."""
    edges = crossing_edges(ring, leaf_of)
    return None if edges is None else edges / len(ring)


def expected_crossings(host_count: int, leaf_count: int) -> float:
    """Expected edges between leaves of a ring in random order over equal leaves: each next host is one of the k - 1 others.

    k * (1 - (k/L - 1) / (k - 1)). By leaf it is one edge for each leaf.
    """
    k = host_count
    return k * (1 - (k / leaf_count - 1) / (k - 1))


def by_leaf(hosts: Iterable[str], leaf_of: Mapping[str, str]) -> tuple[str, ...]:
    """The best ring order for a placement: leaf after leaf, so that each leaf is left once."""
    return tuple(sorted(hosts, key=lambda host: (leaf_of.get(host, ""), host)))


def leaves_needed(host_count: int, leaf_sizes: Iterable[int]) -> int | None:
    """The fewest leaves that hold a job, if they were empty. None where they do not hold it."""
    room = 0
    for i, size in enumerate(sorted(leaf_sizes, reverse=True), start=1):
        room += size
        if room >= host_count:
            return i
    return None


def best_crossing_share(host_count: int, leaf_sizes: Iterable[int]) -> float | None:
    """Crossing share of a job packed alone on as few leaves as hold it, with its ring ordered by leaf."""
    needed = leaves_needed(host_count, leaf_sizes)
    if needed is None or host_count < 2:
        return None
    return 0.0 if needed == 1 else needed / host_count


def pack(jobs: Mapping[str, int], leaf_hosts: Mapping[str, Sequence[str]]) -> dict[str, tuple[str, ...]] | None:
    """Hosts for every job, each on few leaves: largest job first, into the fullest leaf that still holds it whole, else into the emptiest.

    Best fit decreasing, a rule of thumb that need not be the optimum, but never counts on room that is not there. jobs: name -> number of
    hosts. The hosts of a job stand in ring order, leaf by leaf. None where the jobs need more hosts than there are.
    """
    room = {leaf: list(hosts) for leaf, hosts in leaf_hosts.items()}
    if sum(jobs.values()) > sum(map(len, room.values())):
        return None
    placed: dict[str, tuple[str, ...]] = {}
    for job in sorted(jobs, key=lambda name: (-jobs[name], name)):
        wanted, taken = jobs[job], list[str]()
        while wanted:
            whole = [leaf for leaf in room if len(room[leaf]) >= wanted]
            leaf = min(whole, key=lambda l: (len(room[l]), l)) if whole else max(room, key=lambda l: (len(room[l]), l))
            here, room[leaf] = room[leaf][:wanted], room[leaf][wanted:]
            taken.extend(here)
            wanted -= len(here)
        placed[job] = tuple(taken)
    return placed


def jain(loads: Sequence[float]) -> float | None:
    """The Jain index of loads, 1/m to 1. None without a load above 0."""
    squares = sum(load * load for load in loads)
    return sum(loads) ** 2 / (len(loads) * squares) if squares else None


@dataclass(frozen=True, slots=True)
class UplinkGroup:
    """The parallel uplinks of a leaf. Shares are of the line rate, 0 to 1; None where loads are not known of every healthy member.

    mean, busiest   utilisation of the whole group, and of its busiest member
    jain            evenness of the members' loads
    """

    leaf: str
    links: tuple[Link, ...]
    mean: float | None
    busiest: float | None
    jain: float | None

    @property
    def down(self) -> tuple[Link, ...]:
        return tuple(link for link in self.links if not link.is_up)


def uplink_groups(fabric: Fabric) -> tuple[UplinkGroup, ...]:
    """The groups of parallel uplinks: of every leaf by its cables, and those that a person stated (leaf `*`)."""
    groups: dict[str, list[Link]] = {}
    for link in fabric.links:
        if link.tier != "leaf-uplink":
            continue
        leaf = link.a.device
        switch = fabric.switches.get(link.b.device)
        if switch is not None and switch.tier == "leaf":
            leaf = link.b.device
        groups.setdefault(leaf, []).append(link)
    return tuple(_group(leaf, tuple(links)) for leaf, links in sorted(groups.items()))


def _group(leaf: str, links: tuple[Link, ...]) -> UplinkGroup:
    healthy = [link for link in links if link.is_up]
    used = [link.utilisation for link in healthy if link.utilisation is not None]
    if not used or len(used) < len(healthy):
        return UplinkGroup(leaf, links, None, None, None)
    weights = [link.capacity_gbps or 1.0 for link in healthy]
    mean = sum(share * weight for share, weight in zip(used, weights, strict=True)) / sum(weights)
    return UplinkGroup(leaf, links, mean, max(used), jain(used) if len(used) > 1 else None)


def leaf_loads(fabric: Fabric) -> Mapping[str, int]:
    """How many jobs hold hosts of each leaf."""
    found: Counter[str] = Counter()
    for job in fabric.jobs:
        found.update({leaf for host in job.hosts if host in fabric.hosts and (leaf := fabric.hosts[host].leaf)})
    return dict(found)


def placed_job(job: Job, leaf_of: Mapping[str, str], leaf_sizes: Sequence[int]) -> Job:
    """The job with its placement and crossing shares, where the leaves of all its hosts are known; else as it was.

    Its ring goes through its hosts in the order in which they are listed, as ranks are given out.
    """
    if not job.hosts or any(host not in leaf_of for host in job.hosts):
        return job
    used = len({leaf_of[host] for host in job.hosts})
    return job.model_copy(
        update={
            "leaves": used,
            "leaves_needed": leaves_needed(len(job.hosts), leaf_sizes),
            "placement": placement(job.hosts, leaf_of),
            "crossing_share": crossing_share(job.hosts, leaf_of),
            "crossing_share_best": best_crossing_share(len(job.hosts), leaf_sizes),
        }
    )


def placed_run(run: Run, leaf_of: Mapping[str, str]) -> Run:
    """The run with its placement, where no one stated it and the leaves of all its hosts are known."""
    complete = len(run.hosts) > 1 and len(run.hosts) >= (run.host_count or 0) and all(host in leaf_of for host in run.hosts)
    if not complete:
        return run
    return run.model_copy(
        update={
            "placement": run.placement or placement(run.hosts, leaf_of),
            "leaves": run.leaves or len({leaf_of[host] for host in run.hosts}),
        }
    )


def kept_in_leaf(runs: Iterable[Run]) -> float | None:
    """Busy over quiet bandwidth of the same test inside one leaf, at most 1: the median over the tests that have both, None without any.

    Such a pair shares no uplink with anybody: what it loses under load, pause frames (or its own hosts) take from it.
    """
    found = [
        min(busy / quiet, 1.0)
        for what, figure in sorted({(run.what, figure) for run in runs for figure in run.figures if figure in RATES and run.what})
        if (quiet := _median(runs, what, figure, "quiet")) and (busy := _median(runs, what, figure, "busy"))
    ]
    return median(found) if found else None


def _median(runs: Iterable[Run], what: str | None, figure: str, load: str) -> float | None:
    chosen = [run for run in runs if run.what == what and run.load == load and run.placement == "same-leaf"]
    found = [value for run in chosen if (value := run.figure(figure)) is not None]
    return median(found) if found else None


def placement(hosts: Sequence[str], leaf_of: Mapping[str, str]) -> str | None:
    """The form's word for a set of hosts. None where a leaf is unknown."""
    leaves = [leaf_of.get(host) for host in hosts]
    if None in leaves or not leaves:
        return None
    return "same-host" if len(set(hosts)) == 1 else "same-leaf" if len(set(leaves)) == 1 else "cross-leaf"
