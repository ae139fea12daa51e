"""A world: one invented site and the state that its mechanisms leave it in. Healthy until a cause (`causes_*`) changes it.

Rates are shares of what a healthy site of the kind gives (1.0), so that causes multiply. Sources of the ranges: public hardware data
(ports, lanes, GPUs), published baselines (rings reach 0.90 to 0.97 of the sum of the NICs; a write test 0.94 to 0.99 of its port), and the
mechanism.
Nothing here is read from the signatures or thresholds of the product.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any


@dataclass(frozen=True, slots=True)
class Platform:
    """A kind of host. `nics` of one port each, `rate` of a port in Gb/s, PCIe generation and lanes of a NIC's slot."""

    gpu: str
    model: str  # as nvidia-smi and nccl-tests print it
    form: str
    link: str
    nvlinks: int
    gpus: int
    nics: int
    nic: str
    ca: str  # as ibstat prints it
    rate: int
    gen: int
    cpu: str
    technologies: tuple[str, ...]


PLATFORMS = (
    Platform("A100", "NVIDIA A100-SXM4-80GB", "sxm", "nvswitch", 12, 8, 8, "ConnectX-6", "MT4123", 200, 4, "EPYC 7763", ("ib", "roce")),
    Platform("A100", "NVIDIA A100-SXM4-80GB", "sxm", "nvswitch", 12, 8, 4, "ConnectX-6", "MT4123", 200, 4, "EPYC 7742", ("ib", "roce")),
    Platform(
        "H100", "NVIDIA H100 80GB HBM3", "sxm", "nvswitch", 18, 8, 8, "ConnectX-7", "MT4129", 400, 5, "Xeon Platinum 8480C", ("ib", "roce")
    ),
    Platform("H200", "NVIDIA H200", "sxm", "nvswitch", 18, 8, 8, "ConnectX-7", "MT4129", 400, 5, "Xeon Platinum 8568Y", ("ib", "roce")),
    Platform("H800", "NVIDIA H800", "sxm", "nvswitch", 8, 8, 8, "ConnectX-7", "MT4129", 400, 5, "Xeon Platinum 8480C", ("ib", "roce")),
    Platform("B200", "NVIDIA B200", "sxm", "nvswitch", 18, 8, 8, "ConnectX-7", "MT4129", 400, 5, "Xeon Platinum 8570", ("ib", "roce")),
    Platform("GB200", "NVIDIA GB200", "board", "nvswitch", 18, 4, 4, "ConnectX-7", "MT4129", 400, 5, "Grace", ("ib", "roce")),
    Platform("L40S", "NVIDIA L40S", "pcie", "pcie", 0, 8, 2, "ConnectX-6 Dx", "MT4125", 100, 4, "EPYC 9354", ("roce",)),
    Platform("V100", "Tesla V100-SXM2-32GB", "sxm", "nvlink", 6, 8, 1, "ConnectX-5", "MT4119", 100, 3, "Xeon Gold 6248", ("ib", "roce")),
    Platform("A10", "NVIDIA A10", "pcie", "pcie", 0, 4, 1, "Intel X710", "", 10, 4, "Xeon Gold 6330", ("tcp",)),
    Platform("T4", "Tesla T4", "pcie", "pcie", 0, 4, 1, "Intel XXV710", "", 25, 3, "Xeon Silver 4214", ("tcp",)),
    Platform("A100", "NVIDIA A100-PCIE-40GB", "pcie", "pcie", 0, 4, 1, "Intel E810", "", 100, 4, "EPYC 7543", ("tcp",)),
)


@dataclass(slots=True)
class Work:
    """A job: its hosts in ring order, and the share of a step that it sends in."""

    name: str
    kind: str
    hosts: list[str]
    sends: float
    parallelism: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Trial:
    """Something that was tried: in words, its kind, from and to, and what it does (better, none, worse)."""

    what: str
    kind: str
    effect: str
    from_: str = ""
    to: str = ""


@dataclass(slots=True)
class World:
    """Everything that is true of a site. What of it is reported is drawn later (report.py)."""

    dice: Random
    technology: str
    platform: Platform
    leaves: dict[str, list[str]]
    uplinks: int
    spines: int
    ratio: float
    routing: str
    jobs: list[Work]
    environment: str = "bare-metal"
    use: str = "mixed"
    # What tests show, as a share of healthy: collectives, write tests into host and GPU memory; of all hosts, and of single ones.
    collective: float = 1.0
    wire: float = 1.0
    gpu_wire: float = 1.0
    inside: float = 1.0
    slow_hosts: dict[str, float] = field(default_factory=dict)  # host -> factor on everything that it takes part in
    slow_in: str = "all"  # what of a slow host is slow: all, collective, inside
    slow_pairs: dict[frozenset[str], float] = field(default_factory=dict)
    crossing: float = 1.0  # of one pair across leaves in a quiet fabric
    busy_near: float = 1.0  # under load, of a pair inside a leaf
    busy_far: float = 1.0  # and of one across leaves
    scatter: float = 0.015  # standard deviation of repeats of a busy run across leaves
    by_hosts: float = 1.0  # what each doubling of hosts leaves
    step: float = 1.0  # of training steps alone (input, storage)
    # What is set and seen.
    signs: dict[str, Any] = field(default_factory=dict)
    counters: dict[tuple[str, str], bool] = field(default_factory=dict)  # place, common name -> whether it grows
    loads: list[float] | None = None  # of the parallel uplinks of one leaf, busy
    host_port: float | None = None  # use of the busiest host port
    storage: dict[str, Any] = field(default_factory=dict)
    flow: list[dict[str, Any]] = field(default_factory=list)
    facts: dict[str, Any] = field(default_factory=dict)  # what single captures show: lanes, relations, variables
    runs: list[dict[str, Any]] = field(default_factory=list)  # further runs that somebody made because of the complaint
    trials: list[Trial] = field(default_factory=list)
    odd_trials: list[Trial] = field(default_factory=list)

    @property
    def hosts(self) -> list[str]:
        return [host for hosts in self.leaves.values() for host in hosts]

    @property
    def line_gBps(self) -> float:  # noqa: N802 - the unit's own spelling
        """Of all ports of a host together, 10^9 byte/s."""
        return self.platform.nics * self.port_gbps / 8

    @property
    def port_gbps(self) -> float:
        return float(self.facts.get("rate_now", self.platform.rate))

    def leaf_of(self, host: str) -> str:
        return next(leaf for leaf, hosts in self.leaves.items() if host in hosts)

    def grows(self, **counters: bool) -> None:
        """Sets counters: `host__tx_pause=True` is tx_pause at a host."""
        for key, growing in counters.items():
            place, name = key.split("__")
            self.counters[place.replace("_", "-"), name] = growing


HEALTHY_SIGNS: Mapping[str, Any] = {
    "acs_redirect_on": False,
    "iommu_translating": False,
    "gdr_module_loaded": True,
    "gdr_used": True,
    "relaxed_ordering_on": True,
    "pcie_below_common_max": False,
    "slot_narrower_than_card": False,
    "nvlinks_as_on_twins": True,
    "host_memory_slower_than_gpu_memory": False,
    "gpus_share_nic": False,
    "nic_share_equal": True,
    "cpu_clock_low": False,
    "hosts_identical": True,
    "settings_equal_on_hosts": True,
    "graph_equal_on_hosts": True,
    "topology_file_in_use": False,
    "rdma_devices_present": True,
    "rdma_used": True,
    "one_host_slow": False,
    "depends_on_node_pair": False,
    "uplink_failed": False,
    "port_errors_growing": False,
    "mtu_equal": True,
    "pause_growing": False,
    "drops_growing": False,
    "ranks_arrive_late": False,
    "slow_while_data_is_read": False,
    "slow_while_storage_busy": False,
    "roce_on_lossy_priority": False,
    "placement_scattered": False,
}


def world(dice: Random, technology: str | None = None, platform: Platform | None = None, large: bool = False) -> World:
    """A healthy world of 4 to 64 hosts."""
    kinds = [one for one in PLATFORMS if technology is None or technology in one.technologies]
    weights = [0.4 if "tcp" in one.technologies and technology is None else 1.0 for one in kinds]
    kind = platform or dice.choices(kinds, weights)[0]
    tech = technology or dice.choice(kind.technologies)
    leaf_count = dice.choice((2, 2, 2, 4, 4)) if not large else dice.choice((4, 8))
    per_leaf = dice.choice((2, 4, 4, 8)) if not large else 8
    prefix = dice.choice(("gpu", "node", "dgx", "h", "train-", "gn"))
    count = iter(range(1, 200))
    leaves = {f"leaf-{k + 1}": [f"{prefix}{next(count):03d}" for _ in range(per_leaf)] for k in range(leaf_count)}
    spines = dice.choice((2, 4))
    ports = per_leaf * kind.nics
    uplinks = max(ports // spines, 1) * spines
    routing = dice.choice({"ib": ("adaptive", "adaptive", "static"), "roce": ("ecmp", "adaptive"), "tcp": ("ecmp",)}[tech])
    signs = dict(HEALTHY_SIGNS)
    if tech == "tcp":
        for name in ("gdr_module_loaded", "gdr_used", "relaxed_ordering_on", "rdma_used", "rdma_devices_present"):
            signs[name] = None
        signs |= {"rdma_devices_present": False, "rdma_used": False}
    if tech != "roce":
        signs |= {"roce_on_lossy_priority": None, "pause_growing": None}
    flow: list[dict[str, Any]] = []
    if tech == "roce":
        own = {"traffic": "RoCE", "trust": "dscp", "priority": 3, "pfc_priorities": [3], "ecn": True}
        flow = [{"side": "host", "dscp": 26, "congestion_control": "dcqcn", **own}, {"side": "leaf", "pfc_watchdog": True, **own}]
    made = World(dice, tech, kind, leaves, uplinks, spines, 1.0, routing, [], signs=signs, flow=flow)
    made.use = dice.choice(("mixed", "training", "training"))
    made.environment = dice.choices(("bare-metal", "container", "vm", "cloud"), (6, 3, 1, 1))[0]
    made.storage = {
        "kind": dice.choice(("lustre", "nfs", "object")),
        "plane": dice.choices(("separate", "shared"), (2, 1))[0],
        "queue": "own",
    }
    made.jobs = packed_jobs(made)
    return made


def packed_jobs(made: World) -> list[Work]:
    """Jobs placed leaf by leaf, none larger than a leaf."""
    jobs = []
    busy = (0.05, 0.3) if made.technology == "tcp" else (0.2, 0.55)  # who has slow ports and is content sends little
    for hosts in made.leaves.values():
        half = len(hosts) // 2
        parts = [hosts] if half < 2 or made.dice.random() < 0.5 else [hosts[:half], hosts[half:]]
        for part in parts:
            if made.dice.random() < 0.85 or not jobs:
                jobs.append(Work(str(40000 + made.dice.randrange(9000)), "training", list(part), round(made.dice.uniform(*busy), 2)))
    return jobs
