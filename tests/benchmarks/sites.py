"""Large sites made up from a seed: jobs of many sizes, scattered over leaves at 2:1, hashed."""

import random

from advisor.fabric.model import Fabric
from tests.benchmarks.inputs import SEED
from tests.traffic.sites import clos

_SIZES = (4, 8, 8, 16, 16, 32, 64, 128)


def scattered(hosts: int, hosts_of_leaf: int, ports: int, most: int = 128) -> Fabric:
    """Every host is in a job; no job has more than `most` hosts."""
    dice = random.Random(SEED)
    leaves = [f"leaf{i:04}-" for i in range(-(-hosts // hosts_of_leaf))]
    names = [f"{leaf}{i}" for leaf in leaves for i in range(hosts_of_leaf)][:hosts]
    dice.shuffle(names)
    jobs: dict[str, tuple[str, ...]] = {}
    while names:
        size = min(dice.choice(_SIZES) * most // max(_SIZES), len(names))
        jobs[f"job{len(jobs):03}"], names = tuple(names[:size]), names[size:]
    return clos(jobs, leaves=leaves, hosts=hosts_of_leaf, ports=ports, uplinks=hosts_of_leaf * ports // 2, routing="ecmp")
