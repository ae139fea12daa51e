"""A change applied to a copy of the fabric gives a fabric: before and after are measured by the same code."""

from collections.abc import Callable, Mapping

from advisor.fabric.model import Fabric, Job, Leaf, Link, Pod, Storage
from advisor.fabric.paths import pack, placed_job
from advisor.traffic.demand import QUEUE_PAIRS, in_leaf_order, queue_pairs

_ENOUGH_PAIRS = 4  # queue pairs of a connection from which more brought nothing further (published results, R11)
FOREIGN = ("inference", "data")  # kinds of jobs that can be held to what training leaves them


def balanced(fabric: Fabric) -> Fabric:
    """Parallel links carry equal shares: adaptive routing, packet spraying, or a hash that sees every queue pair."""
    return fabric.model_copy(update={"routing": "adaptive"})


def storage_isolated(fabric: Fabric) -> Fabric:
    """Storage has a queue and a limit of its own, and takes nothing from the collectives."""
    return fabric.model_copy(update={"storage": (fabric.storage or Storage()).model_copy(update={"queue": "own"})})


def storage_separated(fabric: Fabric) -> Fabric:
    """Storage has ports and switches of its own."""
    return fabric.model_copy(update={"storage": (fabric.storage or Storage()).model_copy(update={"plane": "separate", "queue": "own"})})


def tenants_limited(fabric: Fabric) -> Fabric:
    """Inference and data processing are held to what the training jobs leave."""
    jobs = [job.model_copy(update={"communication_share": 0.0}) if job.kind in FOREIGN else job for job in fabric.jobs]
    return fabric.model_copy(update={"jobs": tuple(jobs)})


def ordered(fabric: Fabric) -> Fabric:
    """The same hosts, but rings that go leaf by leaf."""
    return _with_jobs(fabric, [in_leaf_order(job, fabric) for job in fabric.jobs])


def packed(fabric: Fabric) -> Fabric:
    """All jobs of known hosts placed anew on as few leaves as leaf sizes allow, rings leaf by leaf. Jobs of unknown hosts stay."""
    room = {leaf.name: leaf.hosts for leaf in fabric.leaves if leaf.hosts}
    sizes = {job.name: len(job.hosts) for job in fabric.jobs if job.hosts}
    taken = pack(sizes, room)
    if taken is None:
        return ordered(fabric)
    return _with_jobs(fabric, [job.model_copy(update={"hosts": taken[job.name]}) if job.hosts else job for job in fabric.jobs])


def cut_apart(fabric: Fabric) -> Fabric:
    """Every connection is split over several queue pairs that the hash tells apart."""
    jobs = []
    for job in fabric.jobs:
        known = job.settings.get("settings")
        settings = {**(known if isinstance(known, Mapping) else {}), QUEUE_PAIRS: max(queue_pairs(job), _ENOUGH_PAIRS)}
        jobs.append(job.model_copy(update={"settings": {**job.settings, "settings": settings}}))
    return fabric.model_copy(update={"jobs": tuple(jobs), "hash_fields": ()})


def flow_controlled(fabric: Fabric) -> Fabric:
    """Senders are slowed by marks before queues fill, so pause does not spread to traffic that crosses no full link."""
    return fabric.model_copy(update={"kept_in_leaf": None})


def repaired(fabric: Fabric) -> Fabric:
    """Every uplink that is down works again, at the rate of the others; where none is up, at the rate that it has or is made for."""
    links: list[Link] = [link if link.is_up else link.model_copy(update={"state": "active"}) for link in fabric.links]
    rates = {leaf.name: _rate_of_one(leaf, fabric) for leaf in fabric.leaves if leaf.uplinks_down}
    leaves = [_repaired(leaf, rate) if (rate := rates.get(leaf.name)) else leaf for leaf in fabric.leaves]
    return fabric.model_copy(update={"links": tuple(links), "leaves": tuple(leaves)})


def _rate_of_one(leaf: Leaf, fabric: Fabric) -> float | None:
    if leaf.up_gbps and leaf.uplinks:
        return leaf.up_gbps / leaf.uplinks
    beside = fabric.links_by_device.get(leaf.name, ())
    known = [link.rate_gbps or link.rate_max_gbps for link in beside if link.tier == "leaf-uplink" and not link.is_up]
    return max((rate for rate in known if rate), default=None)


def _repaired(leaf: Leaf, rate: float) -> Leaf:
    up = (leaf.up_gbps or 0.0) + leaf.uplinks_down * rate
    ratio = leaf.down_gbps / up if leaf.down_gbps else None
    return leaf.model_copy(update={"uplinks": (leaf.uplinks or 0) + leaf.uplinks_down, "uplinks_down": 0, "up_gbps": up, "ratio": ratio})


def expanded(fabric: Fabric, ratio: float = 1.0) -> Fabric:
    """Leaves that are tighter than `ratio` (host ports over uplinks) get uplinks until they have it; so do pods above them."""
    leaves = [
        leaf.model_copy(
            update={
                "up_gbps": leaf.down_gbps / ratio,
                "uplinks": round(leaf.uplinks * leaf.ratio / ratio) if leaf.uplinks else None,
                "ratio": ratio,
            }
        )
        if leaf.ratio and leaf.down_gbps and leaf.ratio > ratio
        else leaf
        for leaf in fabric.leaves
    ]
    up: dict[str, float] = {}
    for leaf in leaves:
        if leaf.pod:
            up[leaf.pod] = up.get(leaf.pod, 0.0) + (leaf.up_gbps or 0.0)
    pods = [_widened(pod, up[pod.name], ratio) if up.get(pod.name) and pod.up_gbps else pod for pod in fabric.pods]
    return fabric.model_copy(update={"leaves": tuple(leaves), "pods": tuple(pods)})


def _widened(pod: Pod, down: float, ratio: float) -> Pod:
    """A pod with links to the core for what its leaves now send up, at the rate of those it has."""
    up = max(down / ratio, pod.up_gbps or 0.0)
    links = round((pod.uplinks or 0) * up / pod.up_gbps) if pod.up_gbps and pod.uplinks else None
    return pod.model_copy(update={"down_gbps": down, "up_gbps": up, "uplinks": links, "ratio": down / up, "spines": ()})


def phases_shifted(fabric: Fabric) -> Fabric:
    """Jobs send one after the other, as far as their steps leave room. Jobs whose communication share is not known always send."""
    return fabric.model_copy(update={"phases": "shifted"})


def seeds_apart(fabric: Fabric) -> Fabric:
    """Every tier hashes by a seed of its own, so that flows that met on one tier part on the next."""
    return fabric.model_copy(update={"hash_seeds": "different"})


def _with_jobs(fabric: Fabric, jobs: list[Job]) -> Fabric:
    leaf_of = {host: leaf.name for leaf in fabric.leaves for host in leaf.hosts}
    sizes = [len(leaf.hosts) for leaf in fabric.leaves]
    return fabric.model_copy(update={"jobs": tuple(placed_job(job, leaf_of, sizes) for job in jobs)})


# The free measures, by the name under which the ladder speaks of what each relieves.
FREE: Mapping[str, Callable[[Fabric], Fabric]] = {
    "balance": balanced,
    "storage": storage_isolated,
    "tenants": tenants_limited,
    "placement": packed,
    "flow-control": flow_controlled,
}
# Those that change where flows go or how many there are; the others only scale what comes out.
MOVES_FLOWS = frozenset({"balance", "tenants", "placement"})
# And what costs parts or money.
PAID: Mapping[str, Callable[[Fabric], Fabric]] = {
    "repair": repaired,
    "uplinks": expanded,
    "storage-plane": storage_separated,
}
# Finer ones, of which the ladder speaks only together with others.
FINER: Mapping[str, Callable[[Fabric], Fabric]] = {"order": ordered, "entropy": cut_apart, "phases": phases_shifted, "seeds": seeds_apart}
CHANGES: Mapping[str, Callable[[Fabric], Fabric]] = {**FREE, **PAID, **FINER}
# Ids of causes (knowledge/causes.yaml) that each change takes away.
RELIEVES: Mapping[str, tuple[str, ...]] = {
    "balance": ("ecmp-hash-collision", "ecmp-polarisation", "static-route-collision", "adaptive-routing-off", "path-pinning"),
    "storage": (
        "checkpoint-contention",
        "storage-on-shared-queue",
        "dataset-read-contention",
        "model-load-contention",
        "storage-placement",
    ),
    "tenants": ("noisy-neighbour", "tenant-limit-missing"),
    "placement": ("fragmented-placement", "rank-order"),
    "flow-control": ("ecn-missing", "ecn-one-sided", "ecn-thresholds", "pause-spread", "pfc-too-wide"),
    "repair": ("uplink-down",),
    "uplinks": ("uplink-oversubscription", "job-larger-than-leaf"),
    "storage-plane": ("checkpoint-contention", "storage-on-shared-queue", "storage-placement"),
}


def changed(fabric: Fabric, *names: str) -> Fabric:
    """The fabric after changes, by name, one after the other. Raises KeyError for a name that is none."""
    for name in names:
        fabric = CHANGES[name](fabric)
    return fabric
