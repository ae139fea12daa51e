"""What was measured on the site against what the model gives for the same runs, and what the model takes from measured baselines."""

from collections.abc import Mapping
from statistics import mean, median

from advisor.base.model import Model
from advisor.fabric.model import Fabric, Job, Run
from advisor.fabric.paths import RATES
from advisor.traffic.network import slowest_shares
from advisor.traffic.patterns import sends
from advisor.traffic.rates import duties, meeting, phases
from advisor.traffic.topology import Network, network

# What published analytical models of collectives miss by (source astra): at best a tenth, a fifth where nothing on the site vouches for it.
ERROR_AT_BEST, ERROR_UNCHECKED = 0.10, 0.20
_MOST_TRIED = 16  # jobs
_ENOUGH_RUNS = 3  # of different hosts, by which a site may show a smaller error than that


class Check(Model):
    """Busy over quiet bandwidth of runs across leaves between known hosts, as measured and by the model; means over those runs.

    error   mean of what each run is missed by. worst: the most. runs: how many, of different hosts
    """

    measured: float
    modelled: float
    error: float
    worst: float
    runs: int


def check(fabric: Fabric) -> Check | None:
    """How the model stands against the runs of the site; None where there is no busy run across leaves with a quiet one to hold it to."""
    net = network(fabric)
    if net is None:
        return None
    pairs: dict[tuple[str, ...], list[tuple[float, float]]] = {}
    for run in fabric.runs:
        if run.load != "busy" or run.placement != "cross-leaf" or len(run.hosts) < 2 or not net.carries(run.hosts):
            continue
        kept = _kept(fabric, run)
        if kept is not None:
            pairs.setdefault(tuple(sorted(run.hosts)), []).append((kept, _modelled(fabric, net, run)))
    every = [pair for found in pairs.values() for pair in found]
    if not every:
        return None
    missed = [abs(by_model - kept) for kept, by_model in every]
    return Check(
        measured=mean(kept for kept, _ in every),
        modelled=mean(by_model for _, by_model in every),
        error=mean(missed),
        worst=max(missed),
        runs=len(pairs),
    )


def fitted(fabric: Fabric) -> Fabric:
    """The fabric with what nobody states, but measured runs tell: whether jobs meet phase by phase, or as a steady load (traffic.phases).

    Whichever misses the runs by less; phase by phase where nothing was measured, or where so many jobs run that they are not tried one by
    one. What pause leaves (kept_in_leaf) and quiet baselines (baselines) are fitted in their own places.
    """
    some = [job for job in fabric.jobs if job.communication_share and job.communication_share < 1]
    if fabric.phases or not some or len(fabric.jobs) > _MOST_TRIED:
        return fabric
    tried = [fabric.model_copy(update={"phases": phases}) for phases in ("random", "steady")]
    errors = [found.error for one in tried if (found := check(one)) is not None]
    return tried[errors.index(min(errors))] if errors else fabric


def stated_error(found: Check | None) -> float:
    """The error of every prediction: what the model misses measured runs by, never below that of published models, unless at least three
    runs of different hosts show that none of them is missed by more.
    """
    if found is None:
        return ERROR_UNCHECKED
    return found.worst if found.runs >= _ENOUGH_RUNS and found.worst < ERROR_AT_BEST else max(found.error, ERROR_AT_BEST)


def baselines(fabric: Fabric) -> Mapping[str, float]:
    """Quiet busbw of all-reduce between hosts as measured here, in 10^9 byte/s: `two` hosts or `many`, the median of the runs of each."""
    found: dict[str, list[float]] = {}
    for run in fabric.runs:
        count = len(run.hosts) or run.host_count or 0
        value = run.figure("busbw_gBps")
        if run.load == "quiet" and run.what == "all_reduce" and count > 1 and value:
            found.setdefault("two" if count == 2 else "many", []).append(value)
    return {size: median(values) for size, values in found.items()}


def _kept(fabric: Fabric, run: Run) -> float | None:
    """A busy run over quiet ones of the same test: of the same hosts, else inside a leaf, else any."""
    for figure in RATES:
        value = run.figure(figure)
        if value is None:
            continue
        quiet = [other for other in fabric.runs if other.load == "quiet" and other.what == run.what and other.figure(figure)]
        for fits in (lambda o: set(o.hosts) == set(run.hosts), lambda o: o.placement == "same-leaf", lambda o: True):
            base = [found for other in quiet if fits(other) and (found := other.figure(figure))]
            if base:
                return min(value / median(base), 1.0)
    return None


def _modelled(fabric: Fabric, net: Network, run: Run) -> float:
    """What the model gives for a run: a job of its own on its hosts beside the others, or the job that it took the place of."""
    settings = dict(run.settings.get("settings") or {})
    if run.algorithm not in (None, "default", "auto"):
        settings.setdefault("NCCL_ALGO", run.algorithm)
    if run.what == "alltoall":
        settings.setdefault("collective", "all-to-all")
    probe = Job(name="the run", hosts=run.hosts, settings={"settings": settings})
    others = fabric.model_copy(update={"jobs": tuple(job for job in fabric.jobs if not set(job.hosts) & set(run.hosts))})
    point_to_point = (run.what or "").startswith("ib_")  # over one rail, beside which the others stay apart
    merged, beside = meeting(others, net, apart=point_to_point)
    own = sends(probe, 1 if point_to_point else merged.ports, net.leaf_of)
    share = slowest_shares(merged, [*own, *beside], duties(others), phases(others)).get(probe.name)
    return (share if share is not None else 1.0) * (fabric.kept_in_leaf or 1.0)
