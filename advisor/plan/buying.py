"""Said plainly: whether buying is still needed once the free steps are done, and why."""

from collections.abc import Iterable

from advisor.base.text import Text
from advisor.diagnosis.verdict import Cause, Diagnosis
from advisor.plan.plan import Rung
from advisor.remedy.relief import at_work, recovered
from advisor.remedy.words import both, filled, joined

# Shares of the loss: above 0.2 a part matters, from 0.66 on it rules alone. Judgement, to be calibrated.
MATTERS = 0.2
RULES_ALONE = 0.66
ROUNDS_TO_NOTHING = 0.005


def buying(rungs: Iterable[Rung], diagnosis: Diagnosis) -> Text:
    """One or two sentences in both languages. Without evidence enough it says to measure first, never to buy."""
    causes = at_work(diagnosis)
    physical = [cause for cause in causes if cause.verdict == "physical-capacity"]
    loss = diagnosis.loss
    if diagnosis.verdict == "none":
        return both("plan.buying.nothing-wrong")
    if diagnosis.verdict == "undetermined":
        return _measure_first(diagnosis)
    if loss.fraction and loss.hardware is not None:
        return _by_split(rungs, diagnosis, physical)
    if physical and diagnosis.verdict == "physical-capacity":
        return both("plan.buying.likely", causes=_titles(physical))
    if diagnosis.verdict == "node-fault":
        return both("plan.buying.repair", causes=_titles(causes[:1]))
    return both("plan.buying.no-sign", causes=_titles(causes[:2]))


def _by_split(rungs: Iterable[Rung], diagnosis: Diagnosis, physical: list[Cause]) -> Text:
    loss = diagnosis.loss
    fraction, hardware = loss.fraction or 0.0, loss.hardware or 0.0
    free = [rung.proposal.remedy for rung in rungs if rung.proposal.remedy.kind == "free" and rung.decision.choice != "skip"]
    back = recovered(free, diagnosis)
    values = {
        "loss": _percent(fraction),
        "free": _percent(loss.free if loss.free is not None else back.likely if back and back.likely is not None else fraction - hardware),
        "hardware": _percent(hardware),
    }
    if hardware < MATTERS * fraction:
        return both("plan.buying.no-rest" if hardware < ROUNDS_TO_NOTHING else "plan.buying.no", **values)
    why = _titles(physical) if physical else both("plan.buying.why-model")
    names = {cause.cause for cause in physical}
    instead = [remedy.title for remedy in free if names & set(remedy.relieves)]
    if instead and hardware >= RULES_ALONE * fraction:
        return both("plan.buying.yes-unless", causes=why, instead=joined(instead), **values)
    if hardware >= RULES_ALONE * fraction:
        return both("plan.buying.yes", causes=why, **values)
    return both("plan.buying.stacked", causes=why, **values)


def _measure_first(diagnosis: Diagnosis) -> Text:
    if diagnosis.next_probe is None:
        return both("plan.buying.undetermined")
    return both("plan.buying.undetermined-probe", decides=diagnosis.next_probe.decides)


def _titles(causes: Iterable[Cause]) -> Text:
    return joined(filled(cause.title) for cause in causes)


def _percent(share: float) -> str:
    return f"{share * 100:.0f} %"
