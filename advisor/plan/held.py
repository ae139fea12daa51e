"""Whether a prediction held: what was predicted of the remedies that are taken, against what the runs before and after show."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from advisor.diagnosis.comparison import FIGURES, Pair
from advisor.diagnosis.verdict import Diagnosis
from advisor.plan.plan import Plan

Held = Literal["held", "more", "less", "not-shown", "nothing-taken", "no-prediction"]
_SLACK = 0.02  # of the expected bandwidth: a prediction is not missed by what no run can tell


@dataclass(frozen=True, slots=True)
class Prediction:
    """What was predicted of the remedies that are taken, against what was measured.

    low, high, measured   shares of the expected bandwidth, 0 to 1; measured: of the pair `pair`
    verified              remedies that the runs bear out
    """

    outcome: Held
    low: float | None = None
    high: float | None = None
    measured: float | None = None
    pair: Pair | None = None
    verified: tuple[str, ...] = ()


def hold(plan: Plan, diagnosis: Diagnosis, changed: Sequence[Pair]) -> Prediction:
    """Hold what was predicted of the taken remedies against the measured change, as shares of the expected bandwidth.

    A change from a to b of a rate that lost the share L before means b/a - 1 of the 1 - L that was left. Of a time it is the inverse.
    The pair with the most runs speaks.
    """
    loss = diagnosis.loss.fraction
    taken = tuple(rung.proposal.remedy.id for rung in plan.rungs if rung.decision.choice == "take")
    if not taken:
        return Prediction("nothing-taken")
    pair = max(changed, key=lambda one: (min(one.shift.counts), one.figure == "busbw_gBps"))
    found = pair.shift
    if found.ratio is None or loss is None or plan.recovered_high is None:
        return Prediction("no-prediction", pair=pair, verified=taken if pair.improved else ())
    gain = (found.ratio if FIGURES[pair.figure] else 1 / found.ratio) - 1
    measured = (1 - loss) * gain
    low, high = plan.recovered_low or 0.0, plan.recovered_high
    if not pair.improved:
        return Prediction("not-shown" if pair.improved is None else "less", low, high, measured, pair)
    outcome: Held = "less" if measured < low - _SLACK else "more" if measured > high + _SLACK else "held"
    return Prediction(outcome, low, high, measured, pair, () if outcome == "less" else taken)
