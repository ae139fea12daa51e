"""What the model says of a fabric: the rate of every job, the load of every group of links, the ladder, and where the loss goes.

Rates of collectives are busbw in 10^9 byte/s. Loads are means over time with all jobs running, each at its communication share.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Literal

from advisor.base.model import Model
from advisor.fabric.model import Fabric, Job
from advisor.fabric.oddities import Oddity, oddities
from advisor.traffic.counts import Missing, laid_out, missing
from advisor.traffic.demand import Send, duty
from advisor.traffic.expected import Expected, expected
from advisor.traffic.ladder import Ladder, ladder, reached
from advisor.traffic.measured import baselines, fitted
from advisor.traffic.network import flow_rates
from advisor.traffic.patterns import Collective, collective_of
from advisor.traffic.rates import job_rates, job_shares, meeting, placed_jobs
from advisor.traffic.topology import Network, network


class JobRate(Model):
    """A job and its rate; `rate_gBps` is None where the network does not tell: a host without a leaf, or one host alone.

    share       of what the ports of its hosts can do, 0 to 1
    rate_gBps   that share of the quiet busbw that was measured on the site for as many hosts, else of what is expected
    measured    that busbw, where there is one
    """

    job: Job
    share: float | None = None
    rate_gBps: float | None = None  # noqa: N815 - the unit's own spelling
    expected: Expected | None = None
    measured_gBps: float | None = None  # noqa: N815
    collective: Collective = Collective()

    @property
    def expected_gBps(self) -> float | None:  # noqa: N802 - the unit's own spelling
        return self.expected.gBps if self.expected else None


class Load(Model):
    """One direction of a group of parallel links. `load_gbps` never exceeds the capacity: it is what flows, not what would like to."""

    source: str
    target: str
    kind: Literal["port", "leaf", "pod"]  # ports of a host, uplinks of a leaf, links of a pod to the core
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
    """`error` is a share of what the ports can do, as the rungs are. None, with the ladder, where the fabric does not tell; `missing` says
    what it lacks. `split` is empty where the model does not reproduce what was measured: no verdict follows from it then.
    """

    fabric: Fabric
    jobs: tuple[JobRate, ...] = ()
    links: tuple[Load, ...] = ()
    ladder: Ladder | None = None
    split: tuple[Part, ...] = ()
    error: float | None = None
    missing: tuple[Missing, ...] = ()
    oddities: tuple[Oddity, ...] = ()


BEYOND = "spines"  # the end of a leaf's uplinks
CORE = "core"  # the end of a pod's links up


def predict(fabric: Fabric, before: "Prediction | None" = None) -> Prediction:
    """The model's word on a fabric as it is; or as it would be after a change, with what it was before: only that was ever measured,
    so the error is that of `before`. What the fabric does not tell stays None.
    """
    given, fabric = fabric, fitted(fabric)
    net = network(fabric)
    found = ladder(fabric)
    if found is not None and before is not None and before.ladder is not None:
        kept = ("measured", "modelled", "error", "stated_error")
        found = found.model_copy(update={name: getattr(before.ladder, name) for name in kept})
    lost = before.ladder if before is not None else found
    speaks = lost is None or lost.reproduces is not False
    return Prediction(
        fabric=given,
        jobs=_jobs(fabric),
        links=loads(fabric, net) if net else (),
        ladder=found,
        split=_split(fabric, found) if found and speaks else (),
        error=found.stated_error if found else None,
        missing=missing(fabric) if found is None else (),
        oddities=oddities(fabric),
    )


def rated_jobs(fabric: Fabric) -> tuple[JobRate, ...]:
    """The jobs of `predict` alone, where nobody asks for loads and ladder."""
    return _jobs(fitted(fabric))


def _jobs(fabric: Fabric) -> tuple[JobRate, ...]:
    """Every job with its rate; jobs that are known by counts alone have those of the fabric laid out by them."""
    net, known = network(fabric), fabric
    if net is None or not placed_jobs(fabric, net):
        laid = laid_out(fabric)
        net, known = (network(laid), laid) if laid is not None else (net, known)
    if net is None:
        return tuple(JobRate(job=job, collective=collective_of(job)) for job in fabric.jobs)
    rates = job_rates(known, job_shares(known))
    quiet = baselines(fabric)
    laid_jobs = {job.name: job for job in known.jobs}
    return tuple(_rate(fabric, net, job, laid_jobs.get(job.name, job), rates.get(job.name), quiet) for job in fabric.jobs)


def _rate(fabric: Fabric, net: Network, job: Job, laid: Job, share: float | None, quiet: Mapping[str, float]) -> JobRate:
    hoped, collective = expected(fabric, net, laid), collective_of(laid)
    count = len(laid.hosts) or laid.host_count or 0
    seen = quiet.get("two" if count == 2 else "many") if collective.pattern == "ring" and count > 1 else None
    base = seen or (hoped.gBps if hoped else None)
    rate = share * base if share is not None and base is not None else None
    return JobRate(job=job, share=share, rate_gBps=rate, expected=hoped, measured_gBps=seen, collective=collective)


def loads(fabric: Fabric, net: Network) -> tuple[Load, ...]:
    """Ports of hosts that send or receive, the uplinks of every leaf and the links of every pod to the core, each direction for itself."""
    count, host = net.ports, net.ports * net.port_gbps
    met, at_full = meeting(fabric, net)
    paces = {job.name: duty(job) for job in fabric.jobs}
    sends = [send for send in at_full if paces.get(send.job, 1.0) > 0]
    sends = [replace(send, demand=send.demand * paces.get(send.job, 1.0)) for send in sends]
    flows = [rate * met.port_gbps for rate in flow_rates(met, sends)]
    over: dict[str, dict[tuple[str, str], float]] = {"port": defaultdict(float), "leaf": defaultdict(float), "pod": defaultdict(float)}
    for send, rate in zip(sends, flows, strict=True):
        for kind, ends in _way(met, send):
            over[kind][ends] += rate
    ports = [
        Load(source=a, target=b, kind="port", links=count, capacity_gbps=host, load_gbps=load)
        for (a, b), load in sorted(over["port"].items())
    ]
    groups: list[tuple[Literal["leaf", "pod"], Mapping[str, tuple[int, float]], str]]
    groups = [("leaf", net.uplinks, BEYOND), ("pod", net.cores if net.pod_of else {}, CORE)]
    ups = [
        Load(
            source=ends[0],
            target=ends[1],
            kind=kind,
            links=links,
            capacity_gbps=links * speed * net.port_gbps,
            load_gbps=over[kind].get(ends, 0.0),
        )
        for kind, known, end in groups
        for name, (links, speed) in known.items()
        for ends in ((name, end), (end, name))
    ]
    return (*ups, *ports)


def _way(net: Network, send: Send) -> Iterable[tuple[str, tuple[str, str]]]:
    """The groups of links that a flow takes: ports of hosts, uplinks of leaves, links of pods to the core."""
    here = net.leaf_of[send.host] if send.host is not None else send.leaf
    there = net.leaf_of[send.to] if send.to is not None else send.to_leaf
    if send.host is not None and here:
        yield "port", (send.host, here)
    if send.to is not None and there:
        yield "port", (there, send.to)
    if here == there and net.switch(here, send.rail) == net.switch(there, send.rail if send.to_rail is None else send.to_rail):
        return
    if here in net.uplinks:
        yield "leaf", (str(here), BEYOND)
    if there in net.uplinks:
        yield "leaf", (BEYOND, str(there))
    pods = net.pod_of.get(here or ""), net.pod_of.get(there or "")
    if pods[0] and pods[1] and pods[0] != pods[1]:
        yield "pod", (pods[0], CORE)
        yield "pod", (CORE, pods[1])


def _split(fabric: Fabric, found: Ladder) -> tuple[Part, ...]:
    """The free causes by Shapley value, and what remains for hardware. The parts add up to all that is lost."""
    free = [Part(cause=cause, share=share, if_fixed_first=found.if_first[cause]) for cause, share in found.shares.items()]
    capacity = (reached(fabric, "uplinks") or found.R_now) - found.R_now
    return (*free, Part(cause="capacity", share=found.physical_part, if_fixed_first=capacity))
