"""The best plan for a budget, and what every amount of money buys at best."""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal

from advisor.base.text import Text
from advisor.cost.model import Scenario
from advisor.plan.benefit import Ground
from advisor.plan.budget import frontier
from advisor.plan.scenarios import build, for_budget
from advisor.plan.weighing import unknown_gain, weigh
from advisor.usecases.assess import Assessment


def best_plan(assessment: Assessment, budget: Decimal) -> Scenario:
    """The remedies that recover most within a budget, in the settings' currency, by likely figures. Raises AdvisorError."""
    return for_budget(assessment.plan.rungs, _ground(assessment, budget))


@dataclass(frozen=True, slots=True)
class Frontier:
    """Sets that no other beats, the cheapest first; `left_out`: remedies that could not be weighed, with the reason."""

    points: tuple[Scenario, ...]
    left_out: Mapping[str, Text]


def efficient_frontier(assessment: Assessment) -> Frontier:
    """What every amount of money buys at best. Raises AdvisorError."""
    rungs = assessment.plan.rungs
    problem, left_out = weigh(rungs, assessment.diagnosis)
    ground = _ground(assessment, None)
    sets = [[rung for rung in rungs if rung.proposal.remedy.id in point.names] for point in frontier(problem)]
    return Frontier(tuple(build("budget", chosen, ground) for chosen in sets), {**left_out, **unknown_gain(problem, rungs)})


def _ground(assessment: Assessment, budget: Decimal | None) -> Ground:
    return Ground(assessment.fabric, assessment.diagnosis, assessment.settings.model_copy(update={"budget": budget}))
