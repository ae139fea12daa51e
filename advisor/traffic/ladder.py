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
from advisor.traffic.changes import FOREIGN, FREE, MOVES_FLOWS, changed
from advisor.traffic.counts import laid_out
from advisor.traffic.measured import ERROR_AT_BEST, check, fitted, stated_error
from advisor.traffic.network import network
from advisor.traffic.patterns import collective_of
from advisor.traffic.rates import job_rates, job_shares, kept_by_storage, placed_jobs
from advisor.traffic.services import storage_reads

LOST_AT_LEAST = 0.02  # modelled loss below which nothing is lost


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
    error           what the model misses those runs by, the mean over them; None where nothing was measured: nothing vouches for the model
    stated_error    what every figure of the ladder may be off by (measured.stated_error)
    assumed         what the model takes for granted here, as words: hashed-evenly (routing is not stated), always-sending (a job's
                    communication share is not stated), ring (nobody says which collective), by-counts (hosts are known by number),
                    steady (fitted to measured runs: jobs meet as a steady load, not phase by phase)
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
    stated_error: float = 0.0
    jobs: tuple[Rungs, ...] = ()
    assumed: tuple[str, ...] = ()

    @property
    def reproduces(self) -> bool | None:
        """Whether the model gives what was measured: missed by no more than half of the loss (evidence table); where next to nothing is
        lost, by no more than its error at best. None where nothing was measured. Where it does not, no verdict follows from it.
        """
        if self.error is None:
            return None
        lost = 1 - self.R_now
        return self.error <= (lost / 2 if lost > LOST_AT_LEAST else ERROR_AT_BEST)


def ladder(fabric: Fabric) -> Ladder | None:
    """The ladder of a fabric's jobs: of those whose hosts are known, else of those that are known by counts (counts.laid_out).

    None where neither tells: no job of several hosts, no ports, or no convergence of the leaves that jobs cross (counts.missing).
    """
    known = _known(fabric)
    if known is None:
        return None
    jobs, ports = _judged(known), _ports(known)
    moving = frozenset(name for name in _moves(known) if changed(known, name) != known)

    @cache
    def shares(fixed: frozenset[str]) -> Mapping[str, float]:
        return job_shares(changed(known, *sorted(fixed)), [job.name for job in jobs], ports)

    @cache
    def kept(fixed: frozenset[str]) -> Mapping[str, float]:
        return kept_by_storage(changed(known, *sorted(fixed)), shares(fixed & moving), ports)

    @cache
    def rates(fixed: frozenset[str]) -> Mapping[str, float]:
        of_storage, pause = kept(fixed & (moving | {"storage"})), changed(known, *sorted(fixed)).kept_in_leaf or 1.0
        return {name: share * pause * of_storage.get(name, 1.0) for name, share in shares(fixed & moving).items()}

    def over_all(fixed: frozenset[str]) -> float:
        return _mean(rates(fixed), jobs)

    causes = tuple(FREE)
    rungs = [frozenset(causes[:k]) for k in (0, 1, 3, 4, 5)]
    now, balance, isolate, pack, ideal = (over_all(fixed) for fixed in rungs)
    held = check(known)
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
        measured=held.measured if held else None,
        modelled=held.modelled if held else None,
        error=held.error if held else None,
        stated_error=stated_error(held),
        jobs=tuple(
            Rungs(job=job.name, hosts=len(job.hosts), **dict(zip(_RUNGS, (rates(fixed)[job.name] for fixed in rungs), strict=True)))
            for job in jobs
        ),
        assumed=_assumed(known, jobs, by_counts=not _judged(fabric)),
    )


_RUNGS = ("R_now", "R_balance", "R_isolate", "R_pack", "R_ideal")


def reached(fabric: Fabric, *changes: str) -> float | None:
    """What the jobs reach after changes (names of changes.FREE and changes.PAID), as the rungs are counted: the mean over the jobs.

    `reached(fabric)` is now. The gain of a remedy after others are in force is the difference of two such figures. None as for `ladder`.
    """
    known = _known(fabric)
    if known is None:
        return None
    jobs, after = _judged(known), changed(known, *changes)
    return _mean(job_rates(after, job_shares(after, [job.name for job in jobs])), jobs)


def _known(fabric: Fabric) -> Fabric | None:
    """The fabric whose jobs can be judged: as it is, fitted to what was measured, or laid out by counts."""
    if _judged(fabric):
        return fitted(fabric)
    laid = laid_out(fabric)
    return laid if laid is not None and _judged(laid) else None


def _judged(fabric: Fabric) -> tuple[Job, ...]:
    """Jobs whose way is known and that do not stand back for others, largest first."""
    net = network(fabric)
    placed = [job for job in placed_jobs(fabric, net) if job.kind not in FOREIGN] if net else []
    return tuple(sorted(placed, key=lambda job: (-len(job.hosts), job.name)))


def _ports(fabric: Fabric) -> tuple[int, float] | None:
    net = network(fabric)
    return (net.ports, net.port_gbps) if net else None


def _moves(fabric: Fabric) -> frozenset[str]:
    """Changes that move flows here: storage only where it sends something outside of checkpoint windows."""
    net = network(fabric)
    return MOVES_FLOWS | {"storage"} if net and storage_reads(fabric, net) else MOVES_FLOWS


def _mean(found: Mapping[str, float], jobs: tuple[Job, ...]) -> float:
    return sum(found[job.name] * len(job.hosts) for job in jobs) / sum(len(job.hosts) for job in jobs)


def _assumed(fabric: Fabric, jobs: tuple[Job, ...], *, by_counts: bool) -> tuple[str, ...]:
    several = [job for job in fabric.jobs if len(job.hosts) > 1]
    told = {
        "by-counts": by_counts,
        "hashed-evenly": fabric.routing is None and any((job.leaves or 1) > 1 for job in jobs),
        "always-sending": len(jobs) > 1 and any(job.communication_share is None for job in several),
        "steady": fabric.phases == "steady",
        "ring": any(collective_of(job).said_by is None for job in jobs),
    }
    return tuple(word for word, holds in told.items() if holds)
