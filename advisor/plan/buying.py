"""Said plainly: whether buying is still needed once the free steps are done, and why."""

from collections.abc import Iterable
from typing import Literal

from advisor.base.text import Text
from advisor.diagnosis.verdict import Cause, Diagnosis
from advisor.plan.plan import Rung
from advisor.remedy.relief import at_work, recovered
from advisor.remedy.remedy import Remedy
from advisor.remedy.words import both, filled, joined

Needed = Literal["no", "later", "yes", "measure-first"]

# Shares of the loss: above 0.2 a part matters, from 0.66 on it rules alone. Judgement, to be calibrated.
MATTERS = 0.2
RULES_ALONE = 0.66
ROUNDS_TO_NOTHING = 0.005


def buying(rungs: Iterable[Rung], diagnosis: Diagnosis) -> tuple[Needed, Text]:
    """Whether to buy, in one word, and in one or two sentences. Without evidence enough it says to measure first, never to buy."""
    causes = at_work(diagnosis)
    physical = [cause for cause in causes if cause.verdict == "physical-capacity"]
    loss = diagnosis.loss
    if diagnosis.verdict == "none":
        return "no", both("plan.buying.nothing-wrong")
    if diagnosis.verdict == "undetermined":
        return "measure-first", _measure_first(diagnosis)
    if loss.fraction and loss.hardware is not None:
        return _by_split(rungs, diagnosis, physical)
    if physical and diagnosis.verdict == "physical-capacity":
        return "later", both("plan.buying.likely", causes=_titles(physical))
    if diagnosis.verdict == "node-fault":
        return "no", both("plan.buying.repair", causes=_titles(causes[:1]))
    return "no", both("plan.buying.no-sign", causes=_titles(causes[:2]))


def _by_split(rungs: Iterable[Rung], diagnosis: Diagnosis, physical: list[Cause]) -> tuple[Needed, Text]:
    loss = diagnosis.loss
    fraction, hardware = loss.fraction or 0.0, loss.hardware or 0.0
    free = free_remedies(rungs)
    back = recovered(free, diagnosis)
    values = {
        "loss": _percent(fraction),
        "free": _percent(loss.free if loss.free is not None else back.likely if back and back.likely is not None else fraction - hardware),
        "hardware": _percent(hardware),
    }
    if hardware < MATTERS * fraction:
        return "no", both("plan.buying.no-rest" if hardware < ROUNDS_TO_NOTHING else "plan.buying.no", **values)
    why = _titles(physical) if physical else both("plan.buying.why-model")
    names = {cause.cause for cause in physical}
    instead = [remedy.title for remedy in free if names & set(remedy.relieves)]
    if instead and hardware >= RULES_ALONE * fraction:
        return "later", both("plan.buying.yes-unless", causes=why, instead=joined(instead), **values)
    if hardware >= RULES_ALONE * fraction:
        return "yes", both("plan.buying.yes", causes=why, **values)
    return "later", both("plan.buying.stacked", causes=why, **values)


def free_remedies(rungs: Iterable[Rung]) -> list[Remedy]:
    """The free remedies that nobody skipped."""
    return [rung.proposal.remedy for rung in rungs if rung.proposal.remedy.kind == "free" and rung.decision.choice != "skip"]


def two_figures(rungs: Iterable[Rung], diagnosis: Diagnosis) -> tuple[float | None, Text | None]:
    """What the free steps bring by effects measured or computed elsewhere, and one sentence on that beside what the model gives them.

    The model says what is left when everything free is ideal; effects say what such steps brought where somebody measured or computed it.
    """
    loss = diagnosis.loss
    back = recovered(free_remedies(rungs), diagnosis)
    effects = back.likely if back else None
    if loss.free is None or loss.fraction is None or effects is None or _percent(effects) == _percent(loss.free):
        return effects, None
    return effects, both("plan.together", loss=_percent(loss.fraction), free=_percent(loss.free), effects=_percent(effects))


def _measure_first(diagnosis: Diagnosis) -> Text:
    if diagnosis.next_probe is None:
        return both("plan.buying.undetermined")
    return both("plan.buying.undetermined-probe", decides=diagnosis.next_probe.decides)


def _titles(causes: Iterable[Cause]) -> Text:
    return joined(filled(cause.title) for cause in causes)


def _percent(share: float) -> Text:
    """As each language writes it: Chinese without a blank."""
    return Text(en=f"{share * 100:.0f} %", zh=f"{share * 100:.0f}%")
