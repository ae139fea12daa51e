"""Ways to go on, side by side: do nothing, the free remedies, with a storage plane, with an expansion, the best for a budget."""

from collections.abc import Callable, Iterable, Iterator
from decimal import Decimal
from itertools import combinations

from advisor.cost.lines import total
from advisor.cost.model import Estimate, Scenario
from advisor.cost.returns import MONTHS, payback_months
from advisor.cost.settings import Settings
from advisor.cost.worth import worth
from advisor.diagnosis.verdict import Diagnosis
from advisor.fabric.model import Fabric
from advisor.plan.plan import Rung, compatible
from advisor.remedy.relief import Span, recovered
from advisor.remedy.remedy import Remedy
from advisor.remedy.words import both

_STAGES: tuple[tuple[str, Callable[[Remedy], bool]], ...] = (
    ("free", lambda remedy: remedy.kind == "free"),
    ("small-parts", lambda remedy: remedy.kind == "cheap" and remedy.row != "storage-plane"),
    ("storage-plane", lambda remedy: remedy.row == "storage-plane"),
    ("expansion", lambda remedy: remedy.row == "expansion"),
)
_MOST_TRIED = 12  # remedies with a price that a budget chooses from: 4096 sets


def scenarios(rungs: Iterable[Rung], fabric: Fabric, diagnosis: Diagnosis, settings: Settings) -> tuple[Scenario, ...]:
    """Scenarios of the rungs that nobody skipped; one that adds nothing to the one before is left out."""
    open_to = [rung for rung in rungs if rung.decision.choice != "skip"]
    return tuple(_build(name, chosen, fabric, diagnosis, settings) for name, chosen in _sets(open_to, diagnosis, settings))


def _sets(rungs: list[Rung], diagnosis: Diagnosis, settings: Settings) -> Iterator[tuple[str, list[Rung]]]:
    yield "do-nothing", []
    chosen: list[Rung] = []
    for name, belongs in _STAGES:
        more = [rung for rung in rungs if rung not in chosen and belongs(rung.proposal.remedy)]
        grown = compatible([rung for rung in rungs if rung in chosen or rung in more])
        if len(grown) > len(chosen):
            chosen = grown
            yield name, chosen
    if settings.budget is not None:
        yield "budget", best_for(settings.budget, compatible(rungs), diagnosis)


def best_for(budget: Decimal, rungs: list[Rung], diagnosis: Diagnosis) -> list[Rung]:
    """The rungs within a budget that recover most, by likely figures; among equals the cheapest. What has no known total is left out."""
    priced = [rung for rung in rungs if not rung.estimate.missing and not rung.estimate.unconverted][:_MOST_TRIED]

    def worth_of(chosen: tuple[Rung, ...]) -> tuple[float, Decimal]:
        span = recovered([rung.proposal.remedy for rung in chosen], diagnosis)
        return (span.likely or 0.0 if span else 0.0), -_cost(chosen)

    sets = [chosen for size in range(len(priced) + 1) for chosen in combinations(priced, size) if _cost(chosen) <= budget]
    return list(sorted(sets, key=worth_of)[-1])


def _cost(chosen: Iterable[Rung]) -> Decimal:
    return sum((rung.estimate.total.likely for rung in chosen), Decimal(0))


def _build(name: str, chosen: list[Rung], fabric: Fabric, diagnosis: Diagnosis, settings: Settings) -> Scenario:
    remedies = [rung.proposal.remedy for rung in chosen]
    loss, back = diagnosis.loss.fraction, recovered(remedies, diagnosis)
    gained = 0.0 if not remedies else back.likely if back else None
    remaining = None if loss is None or gained is None else max(0.0, loss - gained)
    spend = total((line for rung in chosen for line in rung.estimate.lines), settings)
    stays = worth(_left(diagnosis, remaining), fabric, settings)
    return Scenario(
        id=name,
        title=both(f"plan.scenario.{name}"),
        remedies=tuple(remedy.id for remedy in remedies),
        recovers=gained if loss is not None else None,
        recovers_low=back.low if back else None,
        recovers_high=back.high if back else None,
        remaining=remaining,
        estimate=spend,
        lost_gpu_hours=stays.gpu_hours,
        lost=stays.money,
        payback_months=_payback(spend, remaining, fabric, diagnosis, settings),
        note=stays.basis,
    )


def _left(diagnosis: Diagnosis, remaining: float | None) -> Span | None:
    """The loss that stays, its ends in proportion to those of the whole loss."""
    loss = diagnosis.loss
    if remaining is None or not loss.fraction:
        return None if remaining is None else Span(remaining, remaining, remaining)
    low, high = (loss.fraction if bound is None else bound for bound in (loss.low, loss.high))
    return Span(remaining * low / loss.fraction, remaining, min(0.99, remaining * high / loss.fraction))


def _payback(spend: Estimate, remaining: float | None, fabric: Fabric, diagnosis: Diagnosis, settings: Settings) -> Decimal | None:
    """Months until the spending is earned back by GPU-hours that are no longer lost; None where a part of it is not known."""
    if remaining is None or spend.missing or spend.unconverted or not spend.total.likely:
        return None
    before, after = worth(_left(diagnosis, diagnosis.loss.fraction), fabric, settings), worth(_left(diagnosis, remaining), fabric, settings)
    if before.money is None or after.money is None:
        return None
    years = settings.horizon_months / MONTHS
    running = spend.by_group["running"].likely if "running" in spend.by_group else Decimal(0)
    months = payback_months(spend.total.likely - running, (before.money.likely - after.money.likely) / years, running / years)
    return None if months is None else round(months, 1)
