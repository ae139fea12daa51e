"""What was measured against what the model gives for the same runs."""

from statistics import mean, median

from advisor.fabric.model import Fabric, Job, Run
from advisor.fabric.paths import RATES
from advisor.traffic.demand import ring
from advisor.traffic.network import Network, network, slowest_share
from advisor.traffic.rates import sends_beside


def measured(fabric: Fabric) -> tuple[float | None, float | None]:
    """Busy over quiet of runs across leaves between known hosts, and the same by the model: means over those runs."""
    net = network(fabric)
    if net is None:
        return None, None
    pairs: list[tuple[float, float]] = []
    for run in fabric.runs:
        if run.load != "busy" or run.placement != "cross-leaf" or len(run.hosts) < 2 or any(h not in net.leaf_of for h in run.hosts):
            continue
        kept = _kept(fabric, run)
        if kept is not None:
            pairs.append((kept, _modelled(fabric, net, run)))
    return (mean(kept for kept, _ in pairs), mean(by_model for _, by_model in pairs)) if pairs else (None, None)


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
    probe = Job(name="the run", hosts=run.hosts, settings={"settings": run.settings.get("settings") or {}})
    others = tuple(job for job in fabric.jobs if not set(job.hosts) & set(run.hosts))
    rails = 1 if (run.what or "").startswith("ib_") else net.ports
    beside = sends_beside(fabric.model_copy(update={"jobs": others}), net, probe.name)
    share = slowest_share(net, [*ring(probe, rails), *beside], probe.name)
    return (share if share is not None else 1.0) * (fabric.kept_in_leaf or 1.0)
