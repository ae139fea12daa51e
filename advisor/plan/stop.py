"""The stop rule: after the free steps, whether buying is needed, and whether it pays: break-even GPU-hours, payback against the horizon."""

from collections.abc import Iterable
from decimal import Decimal

from advisor.base.text import Text
from advisor.cost.lines import by_currency, total
from advisor.cost.model import Estimate, Range, Scenario
from advisor.cost.returns import MONTHS, payback_months
from advisor.plan.benefit import Ground, benefit
from advisor.plan.buying import buying, two_figures
from advisor.plan.plan import Purchase, Rung, Stop
from advisor.remedy.relief import Span
from advisor.remedy.words import both, joined, sentences


def stop(rungs: Iterable[Rung], found: Iterable[Scenario], ground: Ground) -> tuple[Stop, Text]:
    """The rule with its figures, and what is said of it: whether to buy, the free steps in one sentence, the first purchase's account."""
    given, scenarios = list(rungs), {scenario.id: scenario for scenario in found}
    needed, text = buying(given, ground.diagnosis)
    effects, both_figures = two_figures(given, ground.diagnosis)
    purchases = _purchases(given, scenarios, ground)
    loss = ground.diagnosis.loss
    said = [text, both_figures, purchases[0].text if purchases and needed in ("later", "yes") else None]
    return (
        Stop(
            needed=needed,
            loss=loss.fraction,
            free_by_model=loss.free,
            free_by_effects=effects,
            hardware=loss.hardware,
            together=both_figures,
            purchases=purchases,
        ),
        sentences(each for each in said if each is not None),
    )


def _purchases(rungs: list[Rung], scenarios: dict[str, Scenario], ground: Ground) -> tuple[Purchase, ...]:
    """Every scenario that buys something, as what it adds to the free one."""
    free = scenarios.get("free")
    bought = {rung.proposal.remedy.id for rung in rungs if rung.proposal.remedy.kind != "free"}
    return tuple(
        _purchase(scenario, free, ground)
        for name, scenario in scenarios.items()
        if name not in ("do-nothing", "free", "budget") and bought & set(scenario.remedies)
    )


def _purchase(scenario: Scenario, free: Scenario | None, ground: Ground) -> Purchase:
    done = set(free.remedies) if free else set()
    bill = total((line for line in scenario.estimate.lines if line.remedy not in done), ground.settings)
    before = free.won_gpu_hours if free else Range.of(0)
    wins = None
    if scenario.won_gpu_hours is not None and before is not None:
        wins = scenario.won_gpu_hours.likely - before.likely
    alone = benefit(Span(0.0, 0.0, 0.0), bill, (), ground)  # the bill's own break-even; what it wins is counted beyond the free steps
    open_ = tuple(dict.fromkeys((*alone.open, *scenario.open[:1])) if wins is None else alone.open)
    even, value = alone.break_even_gpu_hours, ground.settings.worth_of_gpu_hour
    months = None
    if wins is not None and even is not None and value is not None:
        years = ground.settings.horizon_months / MONTHS
        running = bill.by_group["running"].likely if "running" in bill.by_group else Decimal(0)
        months = payback_months(bill.total.likely - running, wins * value / years, running / years)
    pays = None if wins is None or even is None else wins >= even
    return Purchase(
        scenario=scenario.id,
        title=scenario.title,
        estimate=bill,
        wins_gpu_hours=wins,
        break_even_gpu_hours=even,
        payback_months=None if months is None else round(months, 1),
        pays=pays,
        open=open_,
        text=_account(scenario.title, bill, wins, even, months, pays, open_, ground),
    )


def _account(
    title: Text,
    bill: Estimate,
    wins: Decimal | None,
    even: Decimal | None,
    months: Decimal | None,
    pays: bool | None,
    unknown: tuple[Text, ...],
    ground: Ground,
) -> Text:
    """What a purchase costs and must win back, in one sentence; where that is not known, what is missing for it."""
    cost = " + ".join(f"{currency} {amount.likely:,.0f}" for currency, amount in by_currency(bill).items())
    values = {"title": title, "cost": cost or "?", "horizon": ground.settings.horizon_months}
    if even is None:
        return both("plan.stop.unknown", needs=joined(unknown), **values)
    if wins is None or pays is None:
        return both("plan.stop.break-even", even=f"{even:,.0f}", needs=joined(unknown), **values)
    if pays:
        return both("plan.stop.pays", even=f"{even:,.0f}", wins=f"{wins:,.0f}", months="?" if months is None else f"{months:.1f}", **values)
    return both("plan.stop.loses", even=f"{even:,.0f}", wins=f"{wins:,.0f}", **values)
