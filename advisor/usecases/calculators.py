"""Calculators that need no captures: collisions of flows on parallel links, the crossing share of a placement, GPU-hours lost, what busbw
means on the wire, what an all-to-all pays without spines, how jobs on one link meet, and what NICs carry together.

Raises UsageError for what cannot be (no links, shares outside 0 to 1, ...).
"""

from collections.abc import Sequence
from dataclasses import dataclass

from advisor.base.errors import UsageError
from advisor.fabric.paths import best_crossing_share, leaves_needed
from advisor.traffic.collectives import ceiling, factor, line_rate, per_gpu_of_hierarchy, per_nic_of_ring, rail_only_overhead
from advisor.traffic.hashing import expected_busiest, mean_rate, no_collision, slowest_share
from advisor.traffic.steps import aligned, at_random, interleaved, step_time

MOST_PARTS = 4096  # flows times queue pairs: beyond, the exact count takes minutes


@dataclass(frozen=True, slots=True)
class Collisions:
    """Rates are shares of what a flow could do alone, 0 to 1.

    slowest            expected rate of the slowest flow: what a collective over these flows reaches
    mean               expected rate of a flow
    balanced           rate of every flow if the links carried equal shares: what remains below 1 is capacity, not collisions
    no_collision       probability that every flow has a link of its own
    busiest_flows      expected parts of flows on the busiest link
    """

    slowest: float
    mean: float
    balanced: float
    no_collision: float
    busiest_flows: float


def collisions(flows: int, links: int, speed: float = 1.0, queue_pairs: int = 1, pairs_hashed: bool = True) -> Collisions:
    """Flows thrown on parallel links by a fair hash, exactly.

    speed          rate of a link over that of a flow
    queue_pairs    parts that each flow is cut into; they count only where the switch hashes what tells them apart (`pairs_hashed`)
    """
    parts = queue_pairs if pairs_hashed else 1
    _require(flows >= 1, "flows", flows)
    _require(links >= 1, "links", links)
    _require(speed > 0, "speed", speed)
    _require(queue_pairs >= 1 and flows * parts <= MOST_PARTS, "queue-pairs", queue_pairs)
    return Collisions(
        slowest=slowest_share(flows, links, speed, parts),
        mean=mean_rate(flows * parts, links, speed * parts),
        balanced=min(1.0, links * speed / flows),
        no_collision=no_collision(flows * parts, links),
        busiest_flows=expected_busiest(flows * parts, links),
    )


@dataclass(frozen=True, slots=True)
class Crossing:
    """Shares of a ring's traffic between hosts that leaves its leaf, 0 to 1.

    by_leaf        with the ring going leaf by leaf, as the job is placed
    random         with the ring in random order, expected
    best           packed on as few leaves as hold it; None where the size of a leaf is not given
    leaves_needed  as few as those
    """

    by_leaf: float
    random: float
    best: float | None
    leaves_needed: int | None


def crossing(hosts_on_leaves: Sequence[int], leaf_size: int | None = None) -> Crossing:
    """The crossing share of a job with so many hosts on each leaf."""
    placed = [count for count in hosts_on_leaves if count]
    total = sum(placed)
    _require(min(hosts_on_leaves, default=0) >= 0, "hosts", min(hosts_on_leaves, default=0))
    _require(total >= 2, "hosts", total)
    _require(leaf_size is None or leaf_size >= max(placed), "leaf-size", leaf_size or 0)
    sizes = [leaf_size] * -(-total // leaf_size) if leaf_size else []
    same = sum(count * (count - 1) for count in placed)
    return Crossing(
        by_leaf=len(placed) / total if len(placed) > 1 else 0.0,
        random=1 - same / (total * (total - 1)),
        best=best_crossing_share(total, sizes),
        leaves_needed=leaves_needed(total, sizes),
    )


@dataclass(frozen=True, slots=True)
class LostHours:
    """step_longer: share by which a step takes longer; lost_share: of the GPUs' time that brings nothing; lost: GPU-hours of it."""

    step_longer: float
    lost_share: float
    lost: float
    per_day: float


def gpu_hours(gpus: int, hours: float, loss: float, communication_share: float) -> LostHours:
    """GPU-hours that a job loses to a bandwidth loss, by Amdahl's law.

    loss                  share of the bandwidth that is missing, 0 to 1 (1 excluded): communication takes 1 / (1 - loss) of its time
    communication_share   of a step without the loss, that nothing overlaps, 0 to 1
    """
    _require(gpus >= 1, "gpus", gpus)
    _require(hours >= 0, "hours", hours)
    _require(0 <= loss < 1, "loss", loss)
    _require(0 <= communication_share <= 1, "communication", communication_share)
    time = step_time(communication_share, 1 - loss)
    lost_share = 1 - 1 / time
    return LostHours(step_longer=time - 1, lost_share=lost_share, lost=gpus * hours * lost_share, per_day=gpus * 24 * lost_share)


@dataclass(frozen=True, slots=True)
class Wire:
    """An all-reduce of a benchmark, per NIC and second, in the unit of busbw (10^9 byte/s).

    algbw             bytes of the buffer over time
    ring              what each NIC carries if rings go through all of them
    hierarchy         what each GPU's NIC carries if data is reduced inside hosts first
    ceiling_ring, ceiling_tree, ceiling_in_network   the highest busbw that the NICs allow by algorithm; None where their rate is not given
    """

    algbw: float
    ring: float
    hierarchy: float
    ceiling_ring: float | None
    ceiling_tree: float | None
    ceiling_in_network: float | None


def wire(busbw: float, ranks: int, hosts: int, nics: int, nic: float | None = None) -> Wire:
    """What a printed busbw is on the wire: the same figure may be 73 % or 94 % of a NIC, by the algorithm.

    ranks, hosts   of the run, two hosts or more; nics of a host; nic: rate of one NIC, 10^9 byte/s
    """
    _require(busbw > 0, "busbw", busbw)
    _require(hosts >= 2, "wire-hosts", hosts)
    _require(ranks >= hosts, "ranks", ranks)
    _require(nics >= 1, "nics", nics)
    _require(nic is None or nic > 0, "nic", nic or 0)
    line = None if nic is None else nics * nic
    most = [None if line is None else ceiling(pattern, line, hosts, ranks) for pattern in ("ring", "tree", "in-network")]
    algbw = busbw / factor("all_reduce", ranks)
    return Wire(algbw, per_nic_of_ring(busbw, nics), per_gpu_of_hierarchy(busbw, ranks, hosts), *most)


@dataclass(frozen=True, slots=True)
class RailOnly:
    """overhead: share by which an all-to-all takes longer if rails have no link between them, and forwarding overlaps with nothing."""

    overhead: float


def rail_only(nic: float, inside: float, rails: int) -> RailOnly:
    """nic: rate of a GPU's NIC; inside: rate of its own links, one direction, in the same unit."""
    _require(nic > 0, "nic", nic)
    _require(inside > 0, "inside", inside)
    _require(rails >= 1, "rails", rails)
    return RailOnly(rail_only_overhead(nic, inside, rails))


@dataclass(frozen=True, slots=True)
class Meeting:
    """Time of a step over that of a step alone, of two equal jobs on one link."""

    aligned: float
    random: float
    shifted: float


def phases(communication_share: float) -> Meeting:
    """Two jobs that send during this share of a step, 0 to 1: at the same time, as it falls, and one after the other."""
    _require(0 <= communication_share <= 1, "communication", communication_share)
    share = communication_share
    return Meeting(aligned(share), at_random(share), interleaved(share))


@dataclass(frozen=True, slots=True)
class Line:
    """line_gBps, line_TiBps: what the NICs of all hosts carry in one direction. share: what was measured of it; None where not given."""

    line_gBps: float  # noqa: N815 - the unit's own spelling
    line_TiBps: float  # noqa: N815
    share: float | None


def line(hosts: int, nics: int, gbps: float, measured_TiBps: float | None = None) -> Line:  # noqa: N803 - the unit's own spelling
    """The line rate of hosts with so many NICs of so many 10^9 bit/s, say of storage, and what a measured total is of it."""
    _require(hosts >= 1, "line-hosts", hosts)
    _require(nics >= 1, "nics", nics)
    _require(gbps > 0, "nic", gbps)
    _require(measured_TiBps is None or measured_TiBps >= 0, "measured", measured_TiBps or 0)
    total = line_rate(hosts, nics, gbps / 8)
    tib = total * 1e9 / 2**40
    return Line(total, tib, None if measured_TiBps is None else measured_TiBps / tib)


def _require(fits: bool, name: str, value: float) -> None:
    if not fits:
        raise UsageError(f"calc-{name}", value=value)
