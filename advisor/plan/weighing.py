"""A site's remedies as a problem of choice: what can be weighed for a budget, and what cannot, with the reason."""

from collections.abc import Iterable, Mapping

from advisor.base.text import Text
from advisor.cost.lines import by_currency
from advisor.diagnosis.verdict import Diagnosis
from advisor.plan.budget import Option, Problem
from advisor.plan.plan import Rung, excludes
from advisor.remedy.relief import is_physical, parts, relief
from advisor.remedy.words import both


def weigh(rungs: Iterable[Rung], diagnosis: Diagnosis) -> tuple[Problem, Mapping[str, Text]]:
    """The problem over all rungs whose cost is known in the settings' currency, and the others with the reason.

    A rung that nobody can price is never taken for free: it is left out and named. What a person takes stands before what it excludes.
    """
    given = [rung for rung in rungs if rung.decision.choice != "skip"]
    taken = [rung for rung in given if rung.decision.choice == "take"]
    found = {rung.proposal.remedy.id: rung for rung in given}
    out = {name: why for name, rung in found.items() if (why := _unweighable(rung, taken)) is not None}
    while True:  # what needs something that is left out is left out too
        more = {
            name: both("plan.left-out.needs", remedy=found[other].proposal.remedy.title)
            for name, rung in found.items()
            for other in rung.proposal.blocked_by
            if name not in out and other in out
        }
        if not more:
            break
        out |= more
    rest = {name: rung for name, rung in found.items() if name not in out}
    shares = {cause: span.likely for cause, span in parts(diagnosis).items() if span.likely is not None}
    return (
        Problem(
            options=tuple(Option(name, rung.estimate.total.likely, _relieves(rung, shares)) for name, rung in rest.items()),
            parts=shares,
            limits=_limits(shares, diagnosis),
            excludes=frozenset(
                frozenset((one, other))
                for one, rung in rest.items()
                for other, second in rest.items()
                if one < other and excludes(rung.proposal.remedy, second.proposal.remedy)
            ),
            requires={name: tuple(other for other in rung.proposal.blocked_by if other in rest) for name, rung in rest.items()},
        ),
        out,
    )


def unknown_gain(problem: Problem, rungs: Iterable[Rung]) -> Mapping[str, Text]:
    """Options of which nobody knows what they bring here: a budget never chooses them."""
    silent = {option.name for option in problem.options if not option.relieves}
    return {name: both("plan.left-out.gain") for rung in rungs if (name := rung.proposal.remedy.id) in silent}


def _unweighable(rung: Rung, taken: list[Rung]) -> Text | None:
    estimate, remedy = rung.estimate, rung.proposal.remedy
    against = [other for other in taken if other is not rung and excludes(other.proposal.remedy, remedy)]
    if against and rung not in taken:
        return both("plan.left-out.excluded", remedy=against[0].proposal.remedy.title)
    if estimate.missing:
        return both("plan.open.missing", count=estimate.missing)
    others = [currency for currency in by_currency(estimate) if currency != estimate.currency]
    return both("plan.open.no-rate", currencies=", ".join(others), currency=estimate.currency) if others else None


def _relieves(rung: Rung, shares: Mapping[str, float]) -> dict[str, float]:
    likely = relief(rung.proposal.remedy).likely
    return {} if likely is None else {cause: likely for cause in rung.proposal.remedy.relieves if cause in shares}


def _limits(shares: Mapping[str, float], diagnosis: Diagnosis) -> tuple[tuple[frozenset[str], float], ...]:
    """The free side, the hardware side and the whole give at most what the diagnosis says of them."""
    loss = diagnosis.loss
    physical = {cause.cause for cause in diagnosis.causes if is_physical(cause)} & shares.keys()
    sides = ((frozenset(shares.keys() - physical), loss.free), (frozenset(physical), loss.hardware), (frozenset(shares), loss.fraction))
    return tuple((causes, most) for causes, most in sides if most is not None)
