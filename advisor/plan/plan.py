"""The plan: the ladder of remedies in order, what a person decided of each, what is recovered, and what it costs so far."""

from typing import Literal

from advisor.base.model import Model
from advisor.base.text import Text
from advisor.cost.model import Estimate, Range, Scenario
from advisor.remedy.remedy import Proposal

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


class Plan(Model):
    """The ladder, free first. `recovered`, `still_lost`: shares of expected bandwidth over what is taken (open ones do not count).

    `spent` is the total of `taken`, the estimate of what is taken; `estimate` holds everything that nobody skipped.
    """

    currency: str
    rungs: tuple[Rung, ...] = ()
    recovered: float | None = None
    still_lost: float | None = None
    spent: Range
    taken: Estimate
    estimate: Estimate
    scenarios: tuple[Scenario, ...] = ()
    buying: Text  # said plainly: whether buying is still needed after the free steps, and why
