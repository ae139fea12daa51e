"""Before and after: what a change brought, whether the prediction held, and what the site looks like without the captures from before."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from advisor.base.errors import UsageError
from advisor.base.text import Text
from advisor.diagnosis.comparison import Pair, Unpaired, alone, matched, pairs, step_runs, unpaired
from advisor.diagnosis.diagnose import diagnose
from advisor.diagnosis.verdict import Diagnosis
from advisor.evidence.bundle import Bundle
from advisor.fabric.build import build
from advisor.fabric.model import Fabric, Run
from advisor.plan.held import Prediction, hold
from advisor.usecases.assess import Assessment, open_site
from advisor.usecases.baseline import baseline_runs
from advisor.usecases.progress import Progress, silent


@dataclass(frozen=True, slots=True)
class Comparison:
    """`after`: the diagnosis without the captures from before, where the prediction was missed; else None."""

    pairs: tuple[Pair, ...]
    alone: tuple[Unpaired, ...]
    prediction: Prediction | None
    after: Diagnosis | None = None
    titles: Mapping[str, Text] = field(default_factory=dict)  # of the remedies that the prediction names


def compare(
    assessment: Assessment, before: str | None = None, after: str | None = None, baseline: str | None = None, progress: Progress = silent
) -> Comparison:
    """Compare runs of a site: by the roles that they were imported with; or those of `before` and `after`, which are paths of further
    captures or the beginnings of names of captures in the site; or a kept baseline with the site's runs (those of role after, if any).

    Raises UsageError where a side names nothing, or only one side is given.
    """
    if baseline is not None:
        own = [run for run in runs_of(assessment.fabric) if run.role == "after"] or runs_of(assessment.fabric)
        first, second = baseline_runs(baseline), [run for run in own if run.role != "before"]
    elif before is None and after is None:
        found, left = pairs(assessment.fabric), unpaired(assessment.fabric)
        return _with_prediction(assessment, found, left)
    elif before is None or after is None:
        raise UsageError("compare-two-sides")
    else:
        first, second = (_side(assessment, side, progress) for side in (before, after))
    found = tuple(matched("before-after", first, second))
    return _with_prediction(assessment, found, alone("before-after", first, second))


def runs_of(fabric: Fabric) -> list[Run]:
    """All measured runs of a site, training logs among them."""
    return [*fabric.runs, *step_runs(fabric.logs, "log")]


def _side(assessment: Assessment, side: str, progress: Progress) -> list[Run]:
    if Path(side).exists():
        return runs_of(open_site(side, progress).fabric)
    found = [run for run in runs_of(assessment.fabric) if _is_named(run, side)]
    if not found:
        raise UsageError("compare-no-side", side=side)
    return found


def _is_named(run: Run, side: str) -> bool:
    return run.label == side or (run.origin is not None and run.origin.name.startswith(side))


def _with_prediction(assessment: Assessment, found: tuple[Pair, ...], left: tuple[Unpaired, ...]) -> Comparison:
    changed = [pair for pair in found if pair.kind == "before-after"]
    prediction = hold(assessment.plan, assessment.diagnosis, changed) if changed else None
    missed = prediction is not None and prediction.outcome in ("less", "not-shown")
    titles = {rung.proposal.remedy.id: rung.proposal.remedy.title for rung in assessment.plan.rungs} if prediction else {}
    return Comparison(found, left, prediction, _diagnosis_after(assessment) if missed else None, titles)


def _diagnosis_after(assessment: Assessment) -> Diagnosis:
    bundle = Bundle.of([capture for capture in assessment.bundle.captures if capture.role != "before"])
    return diagnose(bundle, build(bundle), assessment.set_aside)
