"""Causes between hosts: links, ports, uplinks, routes, neighbours."""

from tests.synthetic.causes import mechanism
from tests.synthetic.causes_node import everywhere, one_host
from tests.synthetic.flows import pair_share, uplink_loads
from tests.synthetic.world import PLATFORMS, Trial, Work, World, world

ALL = ("ib", "roce", "tcp")


def under_load(w: World, far: float, near: float = 1.0) -> None:
    """Fine when quiet, slow when others work."""
    w.busy_far, w.busy_near = far, near
    w.signs |= {"depends_on_load": True, "slow_at_all_hours": False, "one_host_slow": False}
    if near > 0.93:
        w.signs["slow_only_across_leaves"] = True


def spread_jobs(w: World, sends: float = 0.5) -> None:
    """Every job over all leaves. A scheduler lists a job's hosts sorted, and so rings go: leaf by leaf as far as names do."""
    lists = [list(hosts) for hosts in w.leaves.values()]
    order = [host for row in zip(*lists, strict=True) for host in row]
    size = max(len(w.leaves), 4)
    parts = [sorted(order[i : i + size]) for i in range(0, len(order), size)]
    w.jobs = [Work(str(50000 + k), "training", part, sends) for k, part in enumerate(parts) if len(part) > 1]


def larger_jobs(w: World, sends: float = 0.5) -> None:
    """Jobs of one leaf and a half each, in leaf order: no placement keeps them from crossing."""
    per_leaf = len(next(iter(w.leaves.values())))
    size = per_leaf + max(per_leaf // 2, 1)
    parts = [w.hosts[i : i + size] for i in range(0, len(w.hosts), size)]
    w.jobs = [Work(str(82000 + k), "training", part, sends) for k, part in enumerate(parts) if len(part) > 1]


def free_pair(w: World) -> tuple[str, str]:
    leaves = list(w.leaves.values())
    return leaves[0][-1], leaves[1][-1]


def measured_far(w: World, balanced: bool) -> float:
    return pair_share(w, free_pair(w), balanced)


def socket_site(w: World) -> None:
    """Turns the site into one with sockets over slow Ethernet, whatever it was."""
    fresh = world(w.dice, "tcp")
    for name in ("technology", "platform", "leaves", "uplinks", "spines", "ratio", "routing", "jobs", "environment", "signs", "flow"):
        setattr(w, name, getattr(fresh, name))


@mechanism("link-too-slow", technologies=("tcp",), also=("communication-heavy-sharding",))
def slow_ports(w: World, lost: float) -> None:
    w.platform = w.dice.choice([one for one in PLATFORMS if "tcp" in one.technologies and one.rate <= 25])
    everywhere(w)
    w.signs |= {"rdma_devices_present": False, "rdma_used": False, "less_traffic_helps": True, "scales_down_with_hosts": True}
    w.step, w.by_hosts = w.dice.uniform(0.12, 0.4), 0.75
    w.facts["from_one_host"] = True


@mechanism("communication-heavy-sharding", technologies=("tcp", "roce"), also=("link-too-slow",))
def heavy_split(w: World, lost: float) -> None:
    if w.technology == "roce":
        w.platform = next(one for one in PLATFORMS if one.gpu == "L40S")
    everywhere(w)
    for job in w.jobs:
        job.parallelism, job.sends = {"sharding": w.dice.choice(("zero-3", "fsdp"))}, 0.75
    w.signs |= {"less_traffic_helps": True, "scales_down_with_hosts": True, "perftest_at_line_rate": True}
    w.step = w.dice.uniform(0.2, 0.5)
    w.facts["from_one_host"] = True
    w.trials.append(Trial("sharding of weights", "workload", "better", "zero-3", "zero-1"))


@mechanism("port-rate-misconfigured", technologies=ALL)
def low_rate(w: World, lost: float) -> None:
    everywhere(w)
    w.facts["rate_now"] = {10: 1, 25: 10, 100: 25 if w.technology != "ib" else 56, 200: 100, 400: 200}[w.platform.rate]
    w.signs["port_errors_growing"] = False
    w.trials.append(Trial("port speed of the NICs set to the cable's", "setting", "better"))


@mechanism("link-degraded", technologies=ALL, also=("slow-node",))
def bad_cable(w: World, lost: float) -> None:
    host = one_host(w, lost)
    w.signs |= {"port_errors_growing": True, "drops_growing": w.dice.choice((True, None))}
    w.facts["errors"] = {host: "link"}
    w.grows(host__symbol_errors=True)
    if w.dice.random() < 0.3:
        w.facts["rate_of"] = {host: w.platform.rate / 2}
    w.trials.append(Trial("cable replaced", "hardware", "better"))


@mechanism("uplink-down", technologies=ALL, also=("uplink-oversubscription",))
def failed_uplinks(w: World, lost: float) -> None:
    larger_jobs(w)
    w.signs |= {
        "uplink_failed": True,
        "slow_only_across_leaves": True,
        "uplinks_full": True,
        "slow_at_all_hours": True,
        "one_host_slow": False,
    }
    w.signs["leaf_shared_by_jobs"] = False
    kept = w.dice.uniform(0.4, 0.7)
    w.facts["uplinks_lost"] = max(round(w.uplinks * (1 - kept)), 1)
    w.busy_far = min(kept * w.dice.uniform(0.95, 1.1), 0.85)
    w.loads = [w.dice.uniform(0.88, 0.98) for _ in range(w.uplinks - w.facts["uplinks_lost"])]


@mechanism("uplink-oversubscription", technologies=ALL, also=("job-larger-than-leaf",))
def too_few_uplinks(w: World, lost: float) -> None:
    w.ratio = w.dice.choice((2, 3, 4))
    w.uplinks = max(int(w.uplinks / w.ratio) // w.spines, 1) * w.spines
    w.ratio = len(next(iter(w.leaves.values()))) * w.platform.nics / w.uplinks
    w.routing = "adaptive" if w.technology != "tcp" else "ecmp"
    order = w.hosts
    w.jobs = [Work("61000", "training", order, round(w.dice.uniform(0.85, 0.98), 2))]  # fills the site, in leaf order
    spread_in_exchange(w)


def spread_in_exchange(w: World) -> None:
    """All hosts exchange with all (sharded models), so that most bytes cross even at the best placement."""
    leaves = len(w.leaves)
    crossing = 1 - 1 / leaves
    kept = min(1 / (w.ratio * crossing), 1.0)
    w.signs |= {"slow_only_across_leaves": True, "uplinks_full": True, "uplinks_even": True, "placement_scattered": False}
    w.signs |= {"one_host_slow": False, "slow_at_all_hours": True}
    for job in w.jobs:
        job.parallelism = {"expert": 8}
    w.busy_far, w.crossing = kept * w.dice.uniform(0.92, 1.02), 1.0
    w.facts["full_exchange"] = kept
    w.loads = [w.dice.uniform(0.93, 0.985) for _ in range(w.uplinks)]


@mechanism("ecmp-hash-collision", technologies=("roce", "tcp"), also=("ecmp-polarisation", "adaptive-routing-off"))
def collisions(w: World, lost: float) -> None:
    w.routing = "ecmp"
    larger_jobs(w, w.dice.uniform(0.5, 0.9))
    w.loads = uplink_loads(w, "leaf-1", False, w.dice)
    under_load(w, min(measured_far(w, False), 0.85))
    w.scatter = 0.14
    w.signs |= {"uplinks_even": False, "uplinks_full": False, "varies_between_runs": True, "adaptive_routing_on": False}
    w.signs["scatter_grows_with_hosts"] = True
    w.facts["pairs_help"] = True
    w.trials.append(
        Trial(
            w.dice.choice(("queue pairs per connection", "hash on UDP source port and queue pair", "adaptive routing on the leaves")),
            "setting",
            "better",
            "1",
            "4",
        )
    )


@mechanism("ecmp-polarisation", technologies=("roce", "tcp"), also=("ecmp-hash-collision",))
def polarised(w: World, lost: float) -> None:
    w.routing = "ecmp"
    larger_jobs(w, 0.7)
    idle = w.dice.choice((0.5, 0.75)) if w.uplinks >= 4 else 0.5
    busy = max(round(w.uplinks * (1 - idle)), 1)
    w.loads = [w.dice.uniform(0.8, 0.97) for _ in range(busy)] + [w.dice.uniform(0, 0.01) for _ in range(w.uplinks - busy)]
    under_load(w, (1 - idle) * w.dice.uniform(0.95, 1.25))
    w.signs |= {"uplinks_even": False, "uplinks_full": False, "adaptive_routing_on": False}
    w.facts["hash_fields"] = ["source address", "destination address"]
    w.trials.append(Trial("hash seeds made different per tier", "switch-config", "better"))
    w.odd_trials.append(Trial("queue pairs per connection", "setting", "none", "1", "4"))


@mechanism("static-route-collision", technologies=("ib",), also=("adaptive-routing-off",))
def route_collision(w: World, lost: float) -> None:
    w.routing = "static"
    leaves = list(w.leaves.values())
    w.slow_pairs[frozenset((leaves[0][0], leaves[1][0]))] = w.dice.uniform(0.45, 0.7)
    w.facts["pair_runs"] = True
    w.signs |= {"depends_on_node_pair": True, "one_host_slow": False, "varies_between_runs": False, "adaptive_routing_on": False}
    w.signs["slow_only_across_leaves"] = True
    w.trials.append(Trial("routing engine of opensm", "routing", "better", "minhop", "ftree"))


@mechanism("adaptive-routing-off", also=("ecmp-hash-collision", "static-route-collision"))
def no_adaptive(w: World, lost: float) -> None:
    w.routing = "static" if w.technology == "ib" else "ecmp"
    larger_jobs(w, 0.7)
    w.by_hosts, w.scatter = 1 - lost / 3, 0.12
    under_load(w, 1 - lost)
    w.loads = [min(max(w.dice.gauss(0.5, 0.25), 0.05), 0.98) for _ in range(w.uplinks)]
    w.signs |= {"adaptive_routing_on": False, "scatter_grows_with_hosts": True, "varies_between_runs": True, "uplinks_even": False}
    w.signs["scales_down_with_hosts"] = True
    w.facts["host_runs"] = True
    w.trials.append(Trial("adaptive routing switched on", "routing", "better", "off", "on"))


@mechanism("path-pinning", technologies=("roce",), also=("ecmp-hash-collision", "fragmented-placement"))
def pinned(w: World, lost: float) -> None:
    w.routing = "pinned"
    larger_jobs(w, 0.7)
    under_load(w, 1 - lost)
    w.loads = [0.95 if w.dice.random() < 0.4 else w.dice.uniform(0.1, 0.4) for _ in range(w.uplinks - 1)] + [0.95]
    w.signs |= {"uplinks_even": False, "leaf_shared_by_jobs": True, "uplinks_full": False}
    w.trials.append(Trial("paths by hash of the queue pair in place of pinned paths", "routing", "better"))


@mechanism("noisy-neighbour", technologies=ALL, also=("tenant-limit-missing", "phase-collision"))
def neighbour(w: World, lost: float) -> None:
    w.use = "mixed"
    under_load(w, 1 - lost)
    w.signs |= {"other_tenants_active": True}
    w.jobs.append(Work("loader", w.dice.choice(("data", "inference")), w.hosts[-2:], 0.9))
    w.runs += step_runs(w, 1 - lost)
    w.trials.append(
        Trial(w.dice.choice(("other jobs paused", "service class per job", "rate limit for the other tenant")), "load", "better")
    )


def step_runs(w: World, kept: float) -> list[dict[str, object]]:
    """A job alone and beside others, in seconds per step."""
    alone = w.dice.uniform(0.8, 20)
    sends = w.dice.uniform(0.3, 0.6)
    shared = alone * (1 - sends + sends / kept)
    return [
        {"label": "alone", "what": "step_time", "load": "quiet", "step_s": round(alone, 2)},
        {"label": "shared", "what": "step_time", "load": "busy", "step_s": round(shared, 2), "compared_with": "alone"},
    ]


@mechanism("incast", also=("slow-receiver",))
def many_to_one(w: World, lost: float) -> None:
    w.host_port = w.dice.uniform(0.95, 1.0)
    w.signs |= {"depends_on_load": True, "scales_down_with_hosts": True, "one_host_slow": False, "slow_only_across_leaves": False}
    w.busy_far = w.busy_near = 1 - lost
    w.by_hosts = 0.8
    w.facts |= {"what": "alltoall", "host_runs": True}
    for job in w.jobs:
        job.parallelism = {"expert": 8}
    if w.technology == "roce":
        w.signs |= {"ecn_marks_growing": True, "pause_growing": True, "pause_first_seen_at": "between-switches"}
        w.grows(host_edge__ecn_marked=True, host_edge__tx_pause=False)


@mechanism("mtu-mismatch", technologies=("roce", "tcp"))
def odd_mtu(w: World, lost: float) -> None:
    everywhere(w)
    host = w.dice.choice(w.hosts)
    w.facts["mtu_of"] = {host: 1500}
    w.signs |= {"mtu_equal": False}
    if w.dice.random() < 0.6:
        w.runs.append(
            {
                "label": "large",
                "what": "all_reduce",
                "hosts": 2,
                "outcome": w.dice.choice(("timeout", "error", "hang")),
                "error": "transport retry counter exceeded, completion error 12",
            }
        )
    else:
        w.collective = 1 - max(lost, 0.4)
    w.trials.append(Trial("MTU of all ports to 9000", "setting", "better", "1500", "9000"))


@mechanism("mixed-port-hosts")
def unlike_hosts(w: World, lost: float) -> None:
    everywhere(w)
    w.signs |= {"hosts_identical": False}
    w.facts["second_kind"] = w.platform.nics // 2 if w.platform.nics > 1 else 0
    w.collective = 0.5
    w.trials.append(Trial("the job on hosts of one kind", "placement", "better"))
