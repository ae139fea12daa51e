"""The cluster as found. None is unknown, everywhere; each thing carries the origins that it was built from.

Fabric
├── hosts    Host -> gpus, ports (of NICs), numa nodes
├── switches Switch (tier leaf, spine, core or unknown)
├── leaves   Leaf: convergence of a group of hosts; pods: Pod, of a group of leaves (three tiers)
├── links    Link between two ends; parallel ones between the same devices are a group
├── jobs     Job -> hosts
├── runs     Run: one measurement, of a tool or stated
├── conflicts what sources say differently
└── doubts   what a source says that cannot be so
"""

from collections.abc import Mapping
from functools import cached_property
from typing import Any, Literal

from advisor.base.model import Model
from advisor.evidence.bundle import Role
from advisor.evidence.origin import Origin

Tier = Literal["leaf", "spine", "core", "unknown"]


class Gpu(Model):
    """A GPU and how near the NICs of its host are: relations PIX, PXB, PHB, NODE, SYS as `nvidia-smi topo -m` prints them."""

    name: str
    model: str | None = None
    numa_node: int | str | None = None
    nic_relations: Mapping[str, str] = {}
    best_nics: tuple[str, ...] = ()
    nvlinks_active: int | None = None
    nvlinks: int | None = None
    origin: Origin | None = None


class Port(Model):
    """A port of a NIC or a network interface. `counters` hold the common counters (docs/vocabulary.md), totals since reset."""

    name: str
    netdev: str | None = None
    state: str | None = None
    physical_state: str | None = None
    link_layer: str | None = None
    rate_gbps: float | None = None
    rate_max_gbps: float | None = None
    width: int | None = None
    mtu_bytes: int | None = None
    model: str | None = None
    firmware: str | None = None
    numa_node: int | str | None = None
    pcie_gen: int | None = None
    pcie_width: int | None = None
    pcie_gen_max: int | None = None
    pcie_width_max: int | None = None
    counters: Mapping[str, float] = {}
    priorities: Mapping[str, Mapping[str, float]] = {}
    pfc_priorities: tuple[int, ...] | None = None
    trust: str | None = None
    bond: str | None = None  # the bond that it is a member of
    bond_mode: str | None = None  # of a bond: 802.3ad, active-backup, ...
    origins: Mapping[str, Origin] = {}  # by the name of the figure; "" for the port itself

    def origin(self, figure: str = "") -> Origin | None:
        return self.origins.get(figure) or self.origins.get("")


class Host(Model):
    """A machine. `named` is false where no source names it: its name is then that of the capture, so that nothing is invented."""

    name: str
    named: bool = True
    leaf: str | None = None
    leaves: tuple[str, ...] = ()  # the switches that it has cables to, in order of its ports: of a rail-optimised fabric the i-th is rail i
    gpus: Mapping[str, Gpu] = {}
    ports: Mapping[str, Port] = {}
    gpu_count: int | None = None
    gpu_allocated: int | None = None
    origins: tuple[Origin, ...] = ()


class End(Model):
    """One end of a link: a host or switch, and the port's name there."""

    device: str
    port: str | None = None


class Link(Model):
    """A cable, or what stands for `count` parallel ones where only their number is known."""

    a: End
    b: End
    rate_gbps: float | None = None
    rate_max_gbps: float | None = None
    state: str | None = None
    tier: str | None = None  # host-port, leaf-uplink, spine, core, storage; None where nothing tells
    count: int = 1
    load_gbps: float | None = None
    utilisation: float | None = None  # share of the rate, 0 to 1
    origin: Origin | None = None

    @property
    def is_up(self) -> bool:
        """Whether it carries traffic; a link of unknown state counts as up."""
        return self.state in (None, "active", "armed")

    @property
    def capacity_gbps(self) -> float | None:
        return None if self.rate_gbps is None else self.rate_gbps * self.count


class Switch(Model):
    name: str
    tier: Tier = "unknown"
    hosts: tuple[str, ...] = ()
    ports: Mapping[str, Port] = {}
    origins: tuple[Origin, ...] = ()


class Convergence(Model):
    """What leads down against what leads up at one place: rates of healthy links in use. None where a side is unknown.

    up_gbps   0 where there are uplinks and none is healthy; None where nothing tells of uplinks
    ratio     down over up, the oversubscription ratio: 2.0 is 2:1
    uplinks   how many healthy ones; parallel ones are counted each
    """

    name: str
    down_gbps: float | None = None
    up_gbps: float | None = None
    ratio: float | None = None
    uplinks: int | None = None
    uplinks_down: int = 0
    uplink_gbps: float | None = None  # rate of one healthy uplink, where all have the same
    origin: Origin | None = None


class Leaf(Convergence):
    """A leaf: the switch, or the switches, that a group of hosts hangs on.

    The name `*` stands for every leaf, where a person stated the design and no source names leaves.

    members   convergence of each switch, where there are several (one for each rail, or two for redundancy); else empty
    pod       name of the pod (Fabric.pods) that it belongs to, in three tiers
    """

    hosts: tuple[str, ...] = ()
    members: tuple[Convergence, ...] = ()
    pod: str | None = None


class Pod(Convergence):
    """Leaves that spines join without the core, in three tiers: `down` are the leaves' uplinks, `up` the spines' links to the core.

    leaves   names as in Fabric.leaves
    spines   convergence of each spine
    """

    leaves: tuple[str, ...] = ()
    spines: tuple[Convergence, ...] = ()


class Job(Model):
    """A job and where it runs. `leaves_needed`: leaves that the best packing takes."""

    name: str
    kind: str | None = None
    hosts: tuple[str, ...] = ()
    host_count: int | None = None
    gpu_count: int | None = None
    leaves: int | None = None
    leaves_needed: int | None = None
    placement: str | None = None
    crossing_share: float | None = None
    crossing_share_best: float | None = None
    communication_share: float | None = None  # of a step, 0 to 1
    settings: Mapping[str, Any] = {}  # further keys of the form, as stated: framework, parallelism, step_bytes, settings
    origin: Origin | None = None


class Run(Model):
    """One measurement. Rates are as the tool gives them; `series` holds repeats in order of time.

    what       all_reduce, ..., ib_write_bw, step_time, io_write, ... (knowledge/form.yaml)
    figures    name of the figure (busbw_gBps, rate_gbps, step_s, ...) -> values; of a sweep, those at `size_bytes` (its largest message)
    settings   further keys of the form, as stated; of captured runs also what the tool prints of itself (queue_pairs, bidirectional, ...)
    """

    label: str
    what: str | None = None
    hosts: tuple[str, ...] = ()
    host_count: int | None = None
    ranks: int | None = None
    leaves: int | None = None
    placement: str | None = None
    load: Literal["quiet", "busy"] | None = None
    role: Role | None = None
    size_bytes: int | None = None
    algorithm: str | None = None
    figures: Mapping[str, tuple[float, ...]] = {}
    outcome: str | None = None
    settings: Mapping[str, Any] = {}
    tool: str | None = None  # the tool that measured the figures; None where all of it was stated
    origin: Origin | None = None

    def figure(self, name: str) -> float | None:
        """The median of the repeats of a figure."""
        values = sorted(self.figures.get(name, ()))
        if not values:
            return None
        middle = len(values) // 2
        return values[middle] if len(values) % 2 else (values[middle - 1] + values[middle]) / 2


class Step(Model):
    """One training step of a log: its time and its throughput (samples, else tokens per second), each where the log tells."""

    number: int
    time_s: float | None = None
    rate_per_s: float | None = None
    in_checkpoint: bool = False

    @property
    def slowness(self) -> float | None:
        """Time of the step, else the inverse of its throughput: comparable within one log, without a unit."""
        if self.time_s is not None:
            return self.time_s
        return 1 / self.rate_per_s if self.rate_per_s else None


class TrainingLog(Model):
    """Step times of one log beside its checkpoints."""

    name: str
    host: str | None = None
    steps: tuple[Step, ...] = ()
    checkpoint_count: int = 0
    windows_known: bool = False  # whether the log tells how long checkpoints took, so that `in_checkpoint` says something
    origin: Origin | None = None


class HostKind(Model):
    """A kind of host as stated: what a person knows of every host of it."""

    name: str | None = None
    count: int | None = None
    gpus_per_host: int | None = None
    gpu: str | None = None
    nics_per_host: int | None = None
    nic_ports: int | None = None
    nic_rate_gbps: float | None = None
    nic_rate_max_gbps: float | None = None
    host_rate_gbps: float | None = None
    origin: Origin | None = None

    @property
    def all_ports_gbps(self) -> float | None:
        """Rate of all ports of one host together: as stated, else ports times the rate of one."""
        if self.host_rate_gbps is not None:
            return self.host_rate_gbps
        if self.nics_per_host is None or self.nic_rate_gbps is None:
            return None
        return self.nics_per_host * (self.nic_ports or 1) * self.nic_rate_gbps


class Storage(Model):
    """Storage as stated. `inside_over_outside`: throughput in checkpoint windows over outside."""

    plane: str | None = None
    queue: str | None = None
    write_gBps: float | None = None  # noqa: N815 - the unit's own spelling
    read_gBps: float | None = None  # noqa: N815
    checkpoint_every_s: float | None = None
    checkpoint_s: float | None = None
    checkpoint_bytes: float | None = None
    inside_over_outside: float | None = None
    read_during_steps: bool | None = None
    origin: Origin | None = None


class Conflict(Model):
    """Two sources say different things of one thing; neither is settled in silence.

    values   what each source says, in the order of `origins`
    used     the value that the fabric goes on with: a capture goes before a statement, a later capture before an earlier one
    """

    thing: str
    figure: str
    values: tuple[str, ...]
    origins: tuple[Origin, ...]
    used: str = ""


OddKind = Literal[
    "leaf-without-hosts",
    "leaf-without-uplinks",
    "zero-rate",
    "job-on-unknown-hosts",
    "host-on-two-leaves",
    "host-above-leaves",
    "parts-apart",
    "link-to-itself",
    "cycle",
    "negative",
    "not-whole",
    "bad-list",
    "empty-cell",
]


class Oddity(Model):
    """What cannot be so. `thing` is the leaf, link, job, host or part; `detail` what about it (names, the first ones written out)."""

    kind: OddKind
    thing: str
    detail: str = ""
    origin: Origin | None = None


class Fabric(Model):
    hosts: Mapping[str, Host] = {}
    switches: Mapping[str, Switch] = {}
    links: tuple[Link, ...] = ()
    leaves: tuple[Leaf, ...] = ()
    pods: tuple[Pod, ...] = ()  # three tiers only; a fabric without a core has none
    tier_ratios: Mapping[str, float] = {}  # `leaf`, `spine` -> rates of all links down over those of all links up, of healthy links
    one_leaf: bool = False  # all hosts hang on one leaf and nothing leads up: what they send each other meets at their own ports alone
    jobs: tuple[Job, ...] = ()
    runs: tuple[Run, ...] = ()
    logs: tuple[TrainingLog, ...] = ()
    conflicts: tuple[Conflict, ...] = ()
    doubts: tuple[Oddity, ...] = ()  # what a source says that cannot be so, and that is left out here (all oddities: oddities.oddities)
    host_kinds: tuple[HostKind, ...] = ()
    storage: Storage | None = None
    routing: str | None = None  # static, ecmp, adaptive, pinned, ...
    rails: int | None = None
    spines: int | None = None
    tiers: int | None = None  # of switches, as seen by cables, else as stated
    hash_fields: tuple[str, ...] = ()  # what ECMP hashes, as stated
    hash_seeds: str | None = None  # same: all tiers hash alike, as stated; different
    phases: str | None = None  # how the phases of jobs lie: random (where nobody says), aligned, shifted
    kept_in_leaf: float | None = None  # busy over quiet bandwidth of pairs inside one leaf, which cross no uplink (paths.kept_in_leaf)
    technology: str | None = None  # ib, roce, tcp, efa, ...
    topology: str | None = None
    use: str | None = None
    scheduler: str | None = None

    def model_copy(self, *, update: Mapping[str, Any] | None = None, deep: bool = False) -> "Fabric":
        """A copy with other values. What was worked out from the links of this one is not taken along."""
        copied = super().model_copy(update=update, deep=deep)
        copied.__dict__.pop("links_by_device", None)
        return copied

    @cached_property
    def links_by_device(self) -> Mapping[str, tuple[Link, ...]]:
        found: dict[str, list[Link]] = {}
        for link in self.links:
            for end in (link.a, link.b):
                found.setdefault(end.device, []).append(link)
        return {device: tuple(links) for device, links in found.items()}
