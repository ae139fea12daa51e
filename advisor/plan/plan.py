"""The plan: the ladder of remedies in order, what a person decided of each, what is recovered, and what it costs so far."""

from collections.abc import Iterable
from decimal import Decimal
from typing import Literal

from advisor.base.model import Model
from advisor.base.text import Text
from advisor.cost.model import Estimate, Range, Scenario
from advisor.remedy.remedy import Proposal, Remedy

Choice = Literal["take", "skip", "later", "open"]


class Decision(Model):
    """What a person decided of a remedy, with the reason of a skip."""

    remedy: str
    choice: Choice
    reason: str = ""


class Rung(Model):
    """One rung of the ladder: the proposal, its own estimate, the decision, and what is recovered in all once it is taken."""

    proposal: Proposal
    estimate: Estimate
    decision: Decision
    recovered_so_far: float | None = None


def compatible(rungs: Iterable[Rung]) -> list[Rung]:
    """The rungs without those that conflict with one before them; one that a person takes stands before all others."""
    given = list(rungs)
    kept: list[Rung] = []
    for rung in sorted(given, key=lambda rung: rung.decision.choice != "take"):
        if not any(excludes(rung.proposal.remedy, other.proposal.remedy) for other in kept):
            kept.append(rung)
    return [rung for rung in given if rung in kept]


def excludes(one: Remedy, other: Remedy) -> bool:
    """Whether two remedies should not be done together."""
    return other.id in one.conflicts or one.id in other.conflicts


class Purchase(Model):
    """What buying adds to the free steps: its own bill, what it wins back beyond them, and whether that pays within the horizon.

    `pays` is None where a price, a rate or a figure of the site is not known; `open` names it.
    """

    scenario: str
    title: Text
    estimate: Estimate
    wins_gpu_hours: Decimal | None = None
    break_even_gpu_hours: Decimal | None = None
    payback_months: Decimal | None = None
    pays: bool | None = None
    open: tuple[Text, ...] = ()
    text: Text


class Stop(Model):
    """Whether buying is still needed after the free steps, and why.

    free_by_model     share of expected bandwidth that the model gives the free steps with everything ideal; None where it does not speak
    free_by_effects   share that the free steps proposed here bring by effects measured or computed elsewhere
    together          the two in one sentence
    """

    needed: Literal["no", "later", "yes", "measure-first"]
    loss: float | None = None
    free_by_model: float | None = None
    free_by_effects: float | None = None
    hardware: float | None = None
    together: Text | None = None
    purchases: tuple[Purchase, ...] = ()


class Plan(Model):
    """The ladder, free first. `recovered`, `still_lost`: shares of expected bandwidth over what is taken (open ones do not count).

    `recovered` counts what is known of each remedy; `recovered_low` and `recovered_high` bound it.
    `spent` is the total of `taken` in `currency`, the estimate of what is taken, which holds other currencies beside it; `estimate` holds
    everything that nobody skipped.
    """

    currency: str
    rungs: tuple[Rung, ...] = ()
    recovered: float | None = None
    recovered_low: float | None = None
    recovered_high: float | None = None
    still_lost: float | None = None
    spent: Range
    taken: Estimate
    estimate: Estimate
    scenarios: tuple[Scenario, ...] = ()
    buying: Text  # said plainly: whether buying is still needed after the free steps, and why
    stop: Stop | None = None  # the same with its figures
