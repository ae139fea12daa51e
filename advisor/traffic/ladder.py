"""The ladder of a fabric: what its jobs reach now, and what they would reach if only the free things were done. What remains is physical.

All rates are shares of what a host's ports can do (0 to 1), means over the jobs weighted by their hosts.

R_now       same placement, parallel links hashed, storage and tenants on the links: it must reproduce the measurement
R_balance   same placement, parallel links carry equal shares
R_isolate   and storage and foreign tenants off the links
R_pack      and jobs packed on few leaves, rings leaf by leaf
R_ideal     all free measures together (also marks in time, so that pause does not spread)
"""

from collections.abc import Mapping
from functools import cache

from advisor.base.model import Model
from advisor.fabric.model import Fabric, Job
from advisor.traffic.attribution import if_first, shapley
from advisor.traffic.changes import FREE, MOVES_FLOWS, changed
from advisor.traffic.measured import measured
from advisor.traffic.network import network
from advisor.traffic.rates import job_rates, job_shares

_MOST_JOBS = 8  # jobs that are looked at one by one, largest first; further ones are load


class Rungs(Model):
    """One job's way up the ladder."""

    job: str
    hosts: int
    R_now: float
    R_balance: float
    R_isolate: float
    R_pack: float
    R_ideal: float


class Ladder(Model):
    """The rungs over all jobs, and where the loss goes.

    free_part       R_ideal - R_now: what costs no hardware
    physical_part   1 - R_ideal: what remains for money
    shares          of the free part, by cause (balance, storage, tenants, placement, flow-control): Shapley values, they add up to it
    if_first        what fixing one of them alone would bring
    measured        busy over quiet bandwidth of runs across leaves between known hosts; None without such runs
    modelled        what the model gives for the same runs
    error           |modelled - measured|; None where nothing was measured: then nothing vouches for the model
    assumed         what the model takes for granted here, as words: hashed-evenly (routing is not stated), always-sending (a job's
                    communication share is not stated), one-rail (a point-to-point run)
    """

    R_now: float
    R_balance: float
    R_isolate: float
    R_pack: float
    R_ideal: float
    free_part: float
    physical_part: float
    shares: Mapping[str, float] = {}
    if_first: Mapping[str, float] = {}
    measured: float | None = None
    modelled: float | None = None
    error: float | None = None
    jobs: tuple[Rungs, ...] = ()
    assumed: tuple[str, ...] = ()


def ladder(fabric: Fabric) -> Ladder | None:
    """The ladder of a fabric's jobs. None where it has no job of several hosts of known leaves, or no convergence of those leaves."""
    jobs = _placed_jobs(fabric)
    net = network(fabric)
    if not jobs or net is None:
        return None
    ports = (net.ports, net.port_gbps)
    moving = frozenset(name for name in MOVES_FLOWS if changed(fabric, name) != fabric)

    @cache
    def shares(fixed: frozenset[str]) -> Mapping[str, float]:
        return job_shares(changed(fabric, *sorted(fixed)), [job.name for job in jobs], ports)

    @cache
    def rates(fixed: frozenset[str]) -> Mapping[str, float]:
        return job_rates(changed(fabric, *sorted(fixed)), shares(fixed & moving), ports)

    def over_all(fixed: frozenset[str]) -> float:
        return _mean(rates(fixed), jobs)

    causes = tuple(FREE)
    rungs = [frozenset(causes[:k]) for k in (0, 1, 3, 4, 5)]
    now, balance, isolate, pack, ideal = (over_all(fixed) for fixed in rungs)
    seen, modelled = measured(fabric)
    return Ladder(
        R_now=now,
        R_balance=balance,
        R_isolate=isolate,
        R_pack=pack,
        R_ideal=ideal,
        free_part=ideal - now,
        physical_part=1 - ideal,
        shares=shapley(causes, over_all),
        if_first=if_first(causes, over_all),
        measured=seen,
        modelled=modelled,
        error=abs(modelled - seen) if seen is not None and modelled is not None else None,
        jobs=tuple(
            Rungs(job=job.name, hosts=len(job.hosts), **dict(zip(_RUNGS, (rates(fixed)[job.name] for fixed in rungs), strict=True)))
            for job in jobs
        ),
        assumed=_assumed(fabric, jobs),
    )


_RUNGS = ("R_now", "R_balance", "R_isolate", "R_pack", "R_ideal")


def reached(fabric: Fabric, *changes: str) -> float | None:
    """What the jobs reach after changes (names of changes.FREE and changes.PAID), as the rungs are counted: the mean over the jobs.

    `reached(fabric)` is now. The gain of a remedy after others are in force is the difference of two such figures. None as for `ladder`.
    """
    jobs = _placed_jobs(fabric)
    if not jobs or network(fabric) is None:
        return None
    after = changed(fabric, *changes)
    return _mean(job_rates(after, job_shares(after, [job.name for job in jobs])), jobs)


def _mean(found: Mapping[str, float], jobs: tuple[Job, ...]) -> float:
    return sum(found[job.name] * len(job.hosts) for job in jobs) / sum(len(job.hosts) for job in jobs)


def _placed_jobs(fabric: Fabric) -> tuple[Job, ...]:
    """Jobs of several hosts, all on known leaves, that do not stand back for others; the largest."""
    leaf_of = {host for leaf in fabric.leaves for host in leaf.hosts}
    placed = [job for job in fabric.jobs if len(job.hosts) > 1 and leaf_of.issuperset(job.hosts) and job.kind not in ("inference", "data")]
    return tuple(sorted(placed, key=lambda job: (-len(job.hosts), job.name))[:_MOST_JOBS])


def _assumed(fabric: Fabric, jobs: tuple[Job, ...]) -> tuple[str, ...]:
    found = []
    if fabric.routing is None:
        found.append("hashed-evenly")
    if any(job.communication_share is None for job in fabric.jobs if len(job.hosts) > 1) and len(jobs) > 1:
        found.append("always-sending")
    return tuple(found)
