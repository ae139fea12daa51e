"""What the model says of a fabric: the rate of every job, the load of every group of links, the ladder, and where the loss goes.

Rates of collectives are busbw in 10^9 byte/s. Loads are means over time with all jobs running, each at its communication share.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence

from advisor.base.model import Model
from advisor.fabric.hardware import platform
from advisor.fabric.model import Fabric, Job
from advisor.fabric.oddities import Oddity, oddities
from advisor.traffic.demand import Send, duty, ring
from advisor.traffic.ladder import Ladder, ladder, reached
from advisor.traffic.network import Network, as_one_rail, flow_rates, network
from advisor.traffic.rates import job_rates, job_shares

# What published analytical models of collectives miss by (source astra): at best a tenth, a fifth where nothing on the site vouches for it.
ERROR_AT_BEST, ERROR_UNCHECKED = 0.10, 0.20
MOST_JOBS = 48  # jobs whose rates are worked out one by one, largest first; further ones are load


class JobRate(Model):
    """A job and its rate. None where the network does not tell: a host without a leaf, one host alone, or more jobs than are looked at."""

    job: Job
    share: float | None = None  # of what the ports of its hosts can do, 0 to 1
    rate_gBps: float | None = None  # noqa: N815 - the unit's own spelling
    expected_gBps: float | None = None  # noqa: N815


class Load(Model):
    """One direction of a group of parallel links. `load_gbps` never exceeds the capacity: it is what flows, not what would like to."""

    source: str
    target: str
    links: int
    capacity_gbps: float
    load_gbps: float

    @property
    def utilisation(self) -> float | None:
        return self.load_gbps / self.capacity_gbps if self.capacity_gbps else None


class Part(Model):
    """A cause's part of the loss, 0 to 1, and what fixing it before all others would bring."""

    cause: str
    share: float
    if_fixed_first: float


class Prediction(Model):
    """`error` is a share of what the ports can do, as the rungs are. None, with the ladder, where the fabric does not tell."""

    fabric: Fabric
    jobs: tuple[JobRate, ...] = ()
    links: tuple[Load, ...] = ()
    ladder: Ladder | None = None
    split: tuple[Part, ...] = ()
    error: float | None = None
    oddities: tuple[Oddity, ...] = ()


BEYOND = "spines"  # the end of a leaf's uplinks


def predict(fabric: Fabric, before: "Prediction | None" = None) -> Prediction:
    """The model's word on a fabric as it is; or as it would be after a change, with what it was before: only that was ever measured,
    so the error is that of `before`. What the fabric does not tell stays None.
    """
    net = network(fabric)
    found = ladder(fabric)
    if found is not None and before is not None and before.ladder is not None:
        found = found.model_copy(update={name: getattr(before.ladder, name) for name in ("measured", "modelled", "error")})
    return Prediction(
        fabric=fabric,
        jobs=_jobs(fabric, net),
        links=loads(fabric, net) if net else (),
        ladder=found,
        split=_split(fabric, found) if found else (),
        error=_error(found) if found else None,
        oddities=oddities(fabric),
    )


def _jobs(fabric: Fabric, net: Network | None) -> tuple[JobRate, ...]:
    if net is None:
        return tuple(JobRate(job=job) for job in fabric.jobs)
    placed = [job for job in fabric.jobs if is_placed(job, net)]
    looked_at = sorted(placed, key=lambda job: (-len(job.hosts), job.name))[:MOST_JOBS]
    rates = job_rates(fabric, job_shares(fabric, [job.name for job in looked_at]))
    found = []
    for job in fabric.jobs:
        share, expected = rates.get(job.name), expected_gBps(fabric, net, len(job.hosts))
        rate = share * expected if share is not None and expected is not None else None
        found.append(JobRate(job=job, share=share, rate_gBps=rate, expected_gBps=expected))
    return tuple(found)


def is_placed(job: Job, net: Network) -> bool:
    """Whether the job sends between hosts that the network knows."""
    return len(job.hosts) > 1 and all(host in net.leaf_of for host in job.hosts)


def expected_gBps(fabric: Fabric, net: Network, host_count: int) -> float | None:  # noqa: N802 - the unit's own spelling
    """busbw of an all-reduce over so many hosts in good order: the middle of the published band of their GPU, else the ports' line rate.

    None for one host, whose collectives meet no network.
    """
    if host_count < 2:
        return None
    line = net.ports * net.port_gbps / 8
    gpus = {kind.gpu for kind in fabric.host_kinds if kind.gpu} or {
        g.model for h in fabric.hosts.values() for g in h.gpus.values() if g.model
    }
    if len(gpus) == 1:
        gpu = gpus.pop()
        for algorithm in ("auto", "ring"):
            band = platform(gpu, host_count, "all_reduce", algorithm)
            if band is not None and band.reference == "nics":
                return line * (band.low + band.high) / 2
    return line


def loads(fabric: Fabric, net: Network) -> tuple[Load, ...]:
    """Ports of hosts that send or receive, and the uplinks of every leaf, each direction for itself."""
    count, host = net.ports, net.ports * net.port_gbps
    net = as_one_rail(net) if net.balanced else net
    sends = [send for job in fabric.jobs if is_placed(job, net) and duty(job) > 0 for send in ring(job, net.ports, duty(job))]
    flows = flow_rates(net, sends)
    ports = [
        Load(source=ends[0], target=ends[1], links=count, capacity_gbps=host, load_gbps=load)
        for ends, load in _sums((ends, rate * net.port_gbps) for send, rate in zip(sends, flows, strict=True) for ends in _ports(net, send))
    ]
    over = dict(_sums((ends, rate * net.port_gbps) for send, rate in zip(sends, flows, strict=True) for ends in _uplinks(net, send)))
    ups = [
        Load(source=ends[0], target=ends[1], links=links, capacity_gbps=links * speed * net.port_gbps, load_gbps=over.get(ends, 0.0))
        for leaf, (links, speed) in net.uplinks.items()
        for ends in ((leaf, BEYOND), (BEYOND, leaf))
    ]
    return (*ups, *ports)


def _ports(net: Network, send: Send) -> Iterable[tuple[str, str]]:
    yield send.host, net.leaf_of[send.host]
    if send.to is not None:
        yield net.leaf_of[send.to], send.to


def _uplinks(net: Network, send: Send) -> Iterable[tuple[str, str]]:
    here, there = net.leaf_of[send.host], None if send.to is None else net.leaf_of[send.to]
    if here != there:
        yield here, BEYOND
        if there is not None:
            yield BEYOND, there


def _sums(parts: Iterable[tuple[tuple[str, str], float]]) -> Sequence[tuple[tuple[str, str], float]]:
    found: dict[tuple[str, str], float] = defaultdict(float)
    for ends, load in parts:
        found[ends] += load
    return sorted(found.items())


def _split(fabric: Fabric, found: Ladder) -> tuple[Part, ...]:
    """The free causes by Shapley value, and what remains for hardware. The parts add up to all that is lost."""
    free = [Part(cause=cause, share=share, if_fixed_first=found.if_first[cause]) for cause, share in found.shares.items()]
    capacity = (reached(fabric, "uplinks") or found.R_now) - found.R_now
    return (*free, Part(cause="capacity", share=found.physical_part, if_fixed_first=capacity))


def _error(found: Ladder) -> float:
    """The stated error of a prediction: what it misses measured runs by, but never less than published models do."""
    return ERROR_UNCHECKED if found.error is None else max(found.error, ERROR_AT_BEST)
