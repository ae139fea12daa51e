"""Several causes at once, with their shares of the loss by the ladder of the money question: Shapley values over what is free, the rest is
capacity. The shares come from the forward model alone (flows.py); the product sees captures and a form."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import chain, combinations
from random import Random

from tests.synthetic.causes_fabric import free_pair, larger_jobs, spread_jobs
from tests.synthetic.causes_flow import side
from tests.synthetic.flows import over_jobs, pair_share, shapley, uplink_loads
from tests.synthetic.report import Reporter
from tests.synthetic.site import Site, Truth, verdicts
from tests.synthetic.world import PLATFORMS, Work, World, packed_jobs, world

# What is planted, by the name of the measure that takes it away; `capacity` is what no free measure does.
CAUSES: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "placement": ("fragmented-placement", ("rank-order",)),
    "storage": ("checkpoint-contention", ("storage-on-shared-queue", "storage-placement")),
    "balance": ("ecmp-hash-collision", ("ecmp-polarisation", "adaptive-routing-off")),
    "tenants": ("noisy-neighbour", ("tenant-limit-missing", "phase-collision")),
    "flow-control": ("ecn-missing", ("pause-spread",)),
    "capacity": ("uplink-oversubscription", ("job-larger-than-leaf",)),
}
FREE = frozenset(CAUSES) - {"capacity"}
LEAST = 0.05  # loss below which nobody asks
SEEN = 0.92  # of quiet speed, that a test across leaves must fall below where nothing else shows a loss


def stacked(seed: int) -> Site:
    """A site of two or three causes. Draws again until each takes part and something is lost."""
    dice = Random(seed)
    while True:
        made = _try(dice)
        if made is not None:
            return Site(seed, Reporter(made[0], clear=True).write(), made[1])


def _try(dice: Random) -> tuple[World, Truth] | None:
    planted = frozenset(dice.sample(sorted(CAUSES), dice.choice((2, 2, 3))))
    technology = "roce" if planted & {"balance", "flow-control"} else dice.choice(("ib", "roce"))
    kinds = [one for one in PLATFORMS if technology in one.technologies and one.nics in (2, 4, 8)]
    w = world(dice, technology, dice.choice(kinds))
    _rebuild(w, planted)
    reached = {names: _reach(w, names) for names in _subsets(FREE)}
    now, ideal = reached[frozenset()], reached[FREE]
    lost = 1 - now
    if lost < LEAST:
        return None
    shares = {name: value / lost for name, value in shapley(sorted(FREE), reached).items()} | {"capacity": (1 - ideal) / lost}
    shares = {name: share for name, share in shares.items() if share >= 0.01 or name in planted}
    if min(shares[name] for name in planted) < 0.04:
        return None
    _state(w, frozenset(shares))
    if w.busy_far > SEEN and "storage" not in shares:  # who measures nothing slow does not ask
        return None
    known = verdicts()
    ranked = dict(sorted(((CAUSES[name][0], share) for name, share in shares.items()), key=lambda pair: -pair[1]))
    also = tuple(chain.from_iterable(CAUSES[name][1] for name in shares))
    return w, Truth(known[next(iter(ranked))], ranked, also)


def _subsets(names: frozenset[str]) -> list[frozenset[str]]:
    return [frozenset(some) for k in range(len(names) + 1) for some in combinations(sorted(names), k)]


def _rebuild(w: World, planted: frozenset[str]) -> None:
    """Leaves, uplinks and jobs that let the planted causes act."""
    dice = w.dice
    leaves, per_leaf = dice.choice((2, 4)), dice.choice((4, 4, 6))
    count = iter(range(1, 200))
    w.leaves = {f"leaf-{k + 1}": [f"n{next(count):03d}" for _ in range(per_leaf)] for k in range(leaves)}
    ratio = dice.choice((2, 3, 4)) if planted & {"placement", "capacity", "tenants"} else 1
    ports = per_leaf * w.platform.nics
    w.spines = 2
    w.uplinks = max(ports // ratio // w.spines, 1) * w.spines
    w.ratio = ports / w.uplinks
    w.routing = "ecmp" if "balance" in planted else "adaptive"
    w.use = "mixed"
    sends = round(dice.uniform(0.45, 0.8), 2)
    if "placement" in planted:
        spread_jobs(w, sends)
    elif "balance" in planted or "capacity" in planted:
        larger_jobs(w, sends)
    else:
        w.jobs = packed_jobs(w)
        for job in w.jobs:
            job.sends = sends
    if "capacity" in planted and "placement" in planted:
        half = [hosts[: len(hosts) // 2 + 1] for hosts in w.leaves.values()]
        w.jobs = [Work("81000", "training", [h for hosts in half for h in hosts], 0.9)]
        rest = [host for host in w.hosts if host not in w.jobs[0].hosts]
        w.jobs += [Work("81001", "training", rest, sends)] if len(rest) > 1 else []
    if "tenants" in planted:
        taken = [hosts[-1] for hosts in w.leaves.values()] + [hosts[-2] for hosts in w.leaves.values()]
        w.jobs = [job for job in (replace(job, hosts=[h for h in job.hosts if h not in taken]) for job in w.jobs) if len(job.hosts) > 1]
        w.jobs.append(Work("89000", dice.choice(("data", "inference")), taken, 0.95))
    if "storage" in planted:
        w.facts["log_inside"], w.facts["log_steps"] = dice.uniform(0.4, 0.7), dice.randrange(6, 17)
        w.storage |= {"plane": "shared", "queue": "shared"}
    else:
        w.storage |= {"plane": "separate", "queue": "own"}
    w.facts["pause"] = dice.uniform(0.7, 0.9) if "flow-control" in planted else 1.0


def _kept_by_storage(w: World) -> float:
    """1 - d/I (1 - g): within 40 steps, `log_steps` of them run at g."""
    g, within = w.facts["log_inside"], w.facts["log_steps"]
    inside = within / g
    return float(1 - inside / (40 - within + inside) * (1 - g))


def _reach(w: World, fixed: frozenset[str]) -> float:
    """What the training jobs reach with these measures in force."""
    jobs = [replace(job) for job in w.jobs]
    if "tenants" in fixed:
        jobs = [job if job.kind == "training" else replace(job, sends=0.0) for job in jobs]
    balanced = w.routing == "adaptive" or "balance" in fixed
    share = over_jobs(w, jobs, balanced)
    if "placement" in fixed:  # nobody moves jobs to be slower
        share = max(share, over_jobs(w, _packed(w, jobs), balanced))
    pause = 1.0 if "flow-control" in fixed else w.facts["pause"]
    storage = _kept_by_storage(w) if "log_inside" in w.facts and "storage" not in fixed else 1.0
    return float(share * pause * storage)


def _packed(w: World, jobs: list[Work]) -> list[Work]:
    """Largest job first on the leaf that it fits on best, else over the emptiest leaves."""
    left = {leaf: list(hosts) for leaf, hosts in w.leaves.items()}
    placed: dict[str, list[str]] = {}
    for job in sorted(jobs, key=lambda one: -len(one.hosts)):
        fits = [leaf for leaf in left if len(left[leaf]) >= len(job.hosts)]
        if fits:
            leaf = min(fits, key=lambda name: len(left[name]))
            placed[job.name], left[leaf] = left[leaf][: len(job.hosts)], left[leaf][len(job.hosts) :]
            continue
        hosts: list[str] = []
        for leaf in sorted(left, key=lambda name: -len(left[name])):
            taken = left[leaf][: len(job.hosts) - len(hosts)]
            hosts, left[leaf] = hosts + taken, left[leaf][len(taken) :]
        placed[job.name] = hosts
    return [replace(job, hosts=placed[job.name]) for job in jobs]


def _state(w: World, at_work: frozenset[str]) -> None:
    """What tests and counters show of it."""
    balanced = w.routing == "adaptive"
    far = pair_share(w, free_pair(w), balanced)
    pause = w.facts["pause"]
    w.busy_near, w.busy_far = pause, far * pause
    w.scatter = 0.015 if balanced else 0.06
    w.loads = uplink_loads(w, "leaf-1", balanced, w.dice)
    mean = sum(w.loads) / len(w.loads)
    w.signs |= {"depends_on_load": True, "one_host_slow": False, "uplinks_even": balanced, "uplinks_full": mean > 0.85}
    w.signs["slow_only_across_leaves"] = True if pause > 0.95 and far < 0.85 else None
    w.signs["slow_at_all_hours"] = None
    w.signs["placement_scattered"] = "placement" in at_work
    w.signs["adaptive_routing_on"] = balanced
    acts: dict[str, Callable[[World], None]] = {"storage": _storage, "flow-control": _pause, "tenants": _tenants, "balance": _hash}
    for name in sorted(at_work & set(acts)):
        acts[name](w)


def _storage(w: World) -> None:
    w.signs["dips_in_checkpoint_windows"] = True


def _pause(w: World) -> None:
    side(w, "leaf", ecn=False)
    w.signs |= {"pause_growing": True, "ecn_marks_growing": False, "pause_first_seen_at": "between-switches"}
    w.grows(leaf_uplink__rx_pause=True, host__rx_pause=True)


def _tenants(w: World) -> None:
    w.signs["other_tenants_active"] = True


def _hash(w: World) -> None:
    w.signs["varies_between_runs"] = True
