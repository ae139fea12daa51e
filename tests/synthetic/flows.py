"""Who gets what on shared links: max-min fair shares of ring flows over leaves and uplinks (golden ladder of the money question).

A ring sends from every host to the next at the pace of its slowest flow. Balanced uplinks of a leaf are one wide link; hashed, each
NIC's flow falls on one uplink by chance. Rates are shares of one host's ports together.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import permutations
from math import factorial
from random import Random

from tests.synthetic.world import Work, World

THROWS = 20
Flow = tuple[str, tuple[str, ...], float]  # job, links, demand


def fair(flows: Sequence[Flow], capacity: Mapping[str, float]) -> list[float]:
    """Progressive filling: all flows grow alike until their demand or a full link stops them (Bertsekas and Gallager, max-min fairness)."""
    left = dict(capacity)
    users: dict[str, set[int]] = {}
    for i, (_, links, _) in enumerate(flows):
        for link in links:
            users.setdefault(link, set()).add(i)
    rates = [0.0] * len(flows)
    open_flows = set(range(len(flows)))
    level = 0.0
    while open_flows:
        room = min((left[link] / len(on) for link, on in users.items() if on), default=1.0)
        wants = min(flows[i][2] for i in open_flows) - level
        step = max(min(room, wants), 0.0)
        level += step
        for link, on in users.items():
            left[link] -= step * len(on)
        ended = {i for i in open_flows if flows[i][2] <= level + 1e-9}
        ended |= {i for link, on in users.items() if on and left[link] <= 1e-9 for i in on}
        for i in ended:
            rates[i] = level
            for link in flows[i][1]:
                users[link].discard(i)
        open_flows -= ended
    return rates


def ring_flows(world: World, jobs: Iterable[Work], full: str, dice: Random | None) -> tuple[list[Flow], dict[str, float]]:
    """The flows of jobs and the links' capacities; with `dice` each NIC's flow falls on one uplink. `full` sends all the time."""
    leaf_of = {host: leaf for leaf, hosts in world.leaves.items() for host in hosts}
    nics = world.platform.nics if dice else 1
    each = 1.0 if dice else world.uplinks / world.platform.nics  # capacity of a link up, in units of a flow's port
    capacity: dict[str, float] = {}
    flows: list[Flow] = []
    for job in jobs:
        if len(job.hosts) < 2:
            continue
        demand = 1.0 if job.name == full else job.sends
        for i, host in enumerate(job.hosts):
            to = job.hosts[(i + 1) % len(job.hosts)]
            for rail in range(nics):
                links = [f"{host} tx {rail}", f"{to} rx {rail}"]
                capacity |= dict.fromkeys(links, 1.0)
                if leaf_of[host] != leaf_of[to]:
                    up = dice.randrange(world.uplinks) if dice else 0
                    spine = up % world.spines  # the way down is any link of the spine that the way up led to
                    down = spine + world.spines * dice.randrange(world.uplinks // world.spines) if dice else 0
                    ends = [f"{leaf_of[host]} up {up}", f"{leaf_of[to]} down {down}"]
                    capacity |= dict.fromkeys(ends, each)
                    links += ends
                flows.append((job.name, tuple(links), demand))
    return flows, capacity


def share(world: World, jobs: Sequence[Work], name: str, balanced: bool) -> float:
    """Rate of a job's slowest flow beside the others."""
    if balanced:
        flows, capacity = ring_flows(world, jobs, name, None)
        return min((rate for (job, _, _), rate in zip(flows, fair(flows, capacity), strict=True) if job == name), default=1.0)
    found = []
    for trial in range(THROWS):
        flows, capacity = ring_flows(world, jobs, name, Random(trial))
        found.append(min((rate for (job, _, _), rate in zip(flows, fair(flows, capacity), strict=True) if job == name), default=1.0))
    return sum(found) / len(found)


def over_jobs(world: World, jobs: Sequence[Work], balanced: bool) -> float:
    """Mean share of the training jobs, weighted by their hosts."""
    own = [job for job in jobs if job.kind == "training" and len(job.hosts) > 1]
    whole = sum(len(job.hosts) for job in own)
    return sum(share(world, jobs, job.name, balanced) * len(job.hosts) for job in own) / whole if whole else 1.0


def pair_share(world: World, hosts: tuple[str, str], balanced: bool) -> float:
    """What a test between two hosts gets beside the jobs that leave those hosts alone."""
    probe = Work("probe", "benchmark", list(hosts), 1.0)
    beside = [replace(job) for job in world.jobs if not set(hosts) & set(job.hosts)]
    return share(world, [*beside, probe], "probe", balanced)


def uplink_loads(world: World, leaf: str, balanced: bool, dice: Random) -> list[float]:
    """Use of each uplink of a leaf, all jobs running, each at its mean over time."""
    flows, capacity = ring_flows(world, world.jobs, "", None if balanced else dice)
    sums: dict[int, float] = {}
    for (_, links, _), rate in zip(flows, fair(flows, capacity), strict=True):
        for link in links:
            if link.startswith(f"{leaf} up "):
                sums[int(link.rsplit(" ", 1)[1])] = sums.get(int(link.rsplit(" ", 1)[1]), 0.0) + rate
    if balanced:
        mean = sums.get(0, 0.0) * world.platform.nics / world.uplinks
        return [min(max(mean * dice.gauss(1, 0.02), 0.0), 0.99) for _ in range(world.uplinks)]
    return [min(sums.get(k, 0.0) * dice.gauss(1, 0.02), 0.99) for k in range(world.uplinks)]


def shapley(names: Sequence[str], value: Mapping[frozenset[str], float]) -> dict[str, float]:
    """Mean gain of fixing each, over all orders. `value`: what is reached with a set of them fixed."""
    found = dict.fromkeys(names, 0.0)
    for order in permutations(names):
        fixed: frozenset[str] = frozenset()
        for name in order:
            found[name] += (value[fixed | {name}] - value[fixed]) / factorial(len(names))
            fixed |= {name}
    return found
