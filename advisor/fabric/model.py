"""The cluster as found. None is unknown, everywhere; each thing carries the origins that it was built from.

Fabric
├── hosts    Host -> gpus, ports (of NICs), numa nodes
├── switches Switch (tier leaf, spine, core or unknown)
├── links    Link between two ends; parallel ones between the same devices are a group
├── jobs     Job -> hosts
├── runs     Run: one measurement, of a tool or stated
└── conflicts what sources say differently
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
    origins: Mapping[str, Origin] = {}  # by the name of the figure; "" for the port itself

    def origin(self, figure: str = "") -> Origin | None:
        return self.origins.get(figure) or self.origins.get("")


class Host(Model):
    name: str
    leaf: str | None = None
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


class Leaf(Model):
    """A leaf's convergence: rates of healthy host ports in use over rates of healthy uplinks. None where a side is unknown."""

    name: str
    hosts: tuple[str, ...] = ()
    down_gbps: float | None = None
    up_gbps: float | None = None
    ratio: float | None = None
    uplinks: int | None = None
    uplinks_down: int = 0
    origin: Origin | None = None


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
    origin: Origin | None = None


class Run(Model):
    """One measurement. Rates are as the tool gives them; `series` holds repeats in order of time.

    what       all_reduce, ..., ib_write_bw, step_time, io_write, ... (docs/site-form.md)
    figures    name of the figure (busbw_gBps, rate_gbps, step_s, ...) -> values
    settings   further keys of the form, as stated
    """

    label: str
    what: str | None = None
    hosts: tuple[str, ...] = ()
    host_count: int | None = None
    ranks: int | None = None
    placement: str | None = None
    load: Literal["quiet", "busy"] | None = None
    role: Role | None = None
    size_bytes: int | None = None
    algorithm: str | None = None
    figures: Mapping[str, tuple[float, ...]] = {}
    outcome: str | None = None
    settings: Mapping[str, Any] = {}
    origin: Origin | None = None

    def figure(self, name: str) -> float | None:
        """The median of the repeats of a figure."""
        values = sorted(self.figures.get(name, ()))
        if not values:
            return None
        middle = len(values) // 2
        return values[middle] if len(values) % 2 else (values[middle - 1] + values[middle]) / 2


class Step(Model):
    """One training step of a log."""

    number: int
    time_s: float
    in_checkpoint: bool = False


class TrainingLog(Model):
    """Step times of one log beside its checkpoints."""

    name: str
    steps: tuple[Step, ...] = ()
    checkpoint_count: int = 0
    origin: Origin | None = None


class Conflict(Model):
    """Two sources say different things of one thing; neither is settled in silence."""

    thing: str
    figure: str
    values: tuple[str, ...]
    origins: tuple[Origin, ...]


class Fabric(Model):
    hosts: Mapping[str, Host] = {}
    switches: Mapping[str, Switch] = {}
    links: tuple[Link, ...] = ()
    leaves: tuple[Leaf, ...] = ()
    jobs: tuple[Job, ...] = ()
    runs: tuple[Run, ...] = ()
    logs: tuple[TrainingLog, ...] = ()
    conflicts: tuple[Conflict, ...] = ()
    technology: str | None = None  # ib, roce, tcp, efa, ...
    topology: str | None = None
    use: str | None = None
    scheduler: str | None = None

    @cached_property
    def links_by_device(self) -> Mapping[str, tuple[Link, ...]]:
        found: dict[str, list[Link]] = {}
        for link in self.links:
            for end in (link.a, link.b):
                found.setdefault(end.device, []).append(link)
        return {device: tuple(links) for device, links in found.items()}
