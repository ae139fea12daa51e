"""The stop rule and what a scenario is worth: the worked step model at a site, break-even, payback, what is not known, budgets."""

from decimal import Decimal

import pytest

from advisor.cost.model import Estimate, Range
from advisor.cost.settings import OwnedSystem, Settings
from advisor.diagnosis.verdict import Cause, Diagnosis, Loss
from advisor.plan.benefit import Ground, benefit
from advisor.plan.weighing import weigh
from advisor.remedy.relief import Span, recovered
from tests.plan.test_make import SITE, STACKED, STATED, cause, diagnosis, plan

PRICED = STATED.model_copy(
    update={
        "support_percent": Decimal(10),
        "pue": Decimal("1.3"),
        "kwh_price": Decimal("0.11"),
        "discount_rate_percent": Decimal(10),
        "rates": {"GBP": Decimal("1.25")},
    }
)


def ground(loss: float = 0.31, settings: Settings = STATED) -> Ground:
    return Ground(
        SITE, diagnosis(cause("fragmented-placement", 0.9, 1.0), loss=Loss(fraction=loss, low=loss, high=loss, free=loss)), settings
    )


def spend(once: int, running: int = 0) -> Estimate:
    groups = {"capital": Range.of(once), "running": Range.of(running)}
    return Estimate.model_validate(
        {"currency": "USD", "total": Range.of(once + running), "by_group": groups, "lines": [_line(once), _line(running)]}
    )


def _line(amount: int) -> dict[str, object]:
    text = {"en": "x", "zh": "x"}
    about = {"remedy": "r", "what": text, "item": "i", "unit": "each", "quantity": None, "price": None, "basis": text}
    return {**about, "group": "capital", "state": "current", "amount": Range.of(amount), "currency": "USD"}


def test_all_of_the_loss_back_is_what_doing_nothing_costs() -> None:
    made = benefit(Span(0.31, 0.31, 0.31), spend(499752, 50848), (), ground(settings=PRICED))
    assert made.won is not None
    assert float(made.won.likely) == pytest.approx(548925, rel=1e-3)  # the worked case: 512 GPUs, 12.4 % of the step, 2.35 an hour
    assert float(made.payback_months or 0) == pytest.approx(12.04, abs=0.05)
    assert float(made.break_even_gpu_hours or 0) == pytest.approx((499752 + 50848) / 2.35, abs=1)


def test_present_value_over_three_years() -> None:
    three = PRICED.model_copy(update={"horizon_months": 36})
    made = benefit(Span(0.31, 0.31, 0.31), spend(499752, 3 * 50848), (), ground(settings=three))
    assert float(made.present_value or 0) == pytest.approx(738892, rel=2e-3)


def test_half_of_the_bandwidth_is_not_half_of_the_hours() -> None:
    """Collectives faster by 0.845 / 0.69: the step shrinks to 1 - 0.25 + (0.4 / 1.2246 - 0.15), by 7.34 %, of 12.40 in all."""
    made = benefit(Span(0.155, 0.155, 0.155), spend(1), (), ground())
    assert made.won_gpu_hours is not None
    assert float(made.won_gpu_hours.likely) == pytest.approx(512 * 8760 * 0.7 * 0.6 * 0.0734, rel=2e-3)
    assert made.stays.gpu_hours is not None
    assert float(made.stays.gpu_hours.likely + made.won_gpu_hours.likely) == pytest.approx(233585, rel=1e-3)


def test_a_hidden_loss_costs_nothing_and_wins_nothing() -> None:
    made = benefit(
        Span(0.31, 0.31, 0.31), spend(1000), (), ground(settings=STATED.model_copy(update={"exposed_communication": Decimal(0)}))
    )
    assert made.won == Range.of(0)
    assert made.payback_months is None


def test_the_sites_own_gpu_hour_follows_from_what_the_gpus_cost() -> None:
    owned = OwnedSystem(
        system_capex=Decimal(315000),
        gpus=8,
        life_years=Decimal(4),
        availability=Decimal("0.95"),
        network_capex_per_gpu=Decimal(4000),
        kw_per_gpu=Decimal("1.275"),
        pue=Decimal("1.3"),
        kwh=Decimal("0.11"),
        opex_share_per_year=Decimal("0.08"),
    )
    made = Settings(owned=owned)
    assert made.worth_of_gpu_hour is not None
    assert float(made.worth_of_gpu_hour) == pytest.approx(1.9023, abs=5e-4)
    assert Settings(owned=owned, gpu_hour=Decimal(3)).worth_of_gpu_hour == 3


def test_published_utilisation_bounds_what_a_shorter_step_brings() -> None:
    """From 43 % no saving above 1 - 0.43 / 0.46 = 6.5 % is believed."""
    made = benefit(Span(0.31, 0.31, 0.31), spend(1), (), ground(settings=STATED.model_copy(update={"mfu": Decimal("0.43")})))
    assert made.won_gpu_hours is not None
    assert float(made.won_gpu_hours.likely) == pytest.approx(512 * 8760 * 0.7 * 0.6 * (1 - 0.43 / 0.46), rel=1e-3)


def test_what_sways_the_result_most_stands_first() -> None:
    unknown = PRICED.model_copy(update={"exposed_communication": None})
    made = benefit(Span(0.2, 0.31, 0.31), spend(100000), (), ground(settings=unknown))
    assert made.swings[0].figure.en == "communication hidden by compute"
    assert made.swings[0].low == -100000  # all hidden: nothing comes back
    spans = [swing.high - swing.low for swing in made.swings]
    assert spans == sorted(spans, reverse=True)


def test_both_figures_of_the_free_steps_stand_in_one_sentence_everywhere() -> None:
    made = plan(STACKED)
    assert made.stop is not None
    assert made.stop.free_by_model == pytest.approx(0.2356)
    assert made.stop.together is not None
    free = next(scenario for scenario in made.scenarios if scenario.id == "free")
    assert free.note is not None
    assert made.stop.free_by_effects == free.recovers
    for lang in ("en", "zh"):
        sentence = made.stop.together.say(lang)
        space = "" if lang == "zh" else " "
        assert f"{(free.recovers or 0) * 100:.0f}{space}%" in sentence
        assert f"24{space}%" in sentence
        assert sentence in made.buying.say(lang)
        assert sentence in free.note.say(lang)


def test_figures_that_agree_need_no_sentence() -> None:
    whole = diagnosis(cause("mtu-mismatch", 0.9, 1.0, "configuration"), loss=Loss(fraction=0.3, free=0.3, hardware=0.0, method="model"))
    made = plan(whole)
    assert made.stop is not None
    assert (made.stop.together, made.stop.free_by_effects) == (None, pytest.approx(0.3))


def test_a_purchase_says_what_it_must_win_back_or_what_is_missing() -> None:
    made = plan(STACKED)
    assert made.stop is not None
    assert made.stop.needed == "later"
    unknown = made.stop.purchases[-1]
    assert unknown.pays is None
    assert unknown.open
    assert "not known" in unknown.text.en


def test_skipped_or_unpriced_rungs_are_not_chosen_and_are_named() -> None:
    made = plan(STACKED, STATED.model_copy(update={"budget": Decimal(10**7)}), topology_scheduling="skip")
    budget = next(scenario for scenario in made.scenarios if scenario.id == "budget")
    assert "topology-scheduling" not in budget.remedies
    assert "topology-scheduling" not in budget.left_out
    assert "missing" in budget.left_out["storage-plane"].en
    assert budget.note is not None
    assert "could not be weighed" in budget.note.en


def test_days_in_a_currency_without_a_rate_leave_a_remedy_out_of_a_budget() -> None:
    no_rates = STATED.model_copy(update={"day_rates": {}, "budget": Decimal(10**7)})
    budget = next(scenario for scenario in plan(STACKED, no_rates).scenarios if scenario.id == "budget")
    assert budget.remedies == ()
    assert "no rate from GBP to USD" in budget.left_out["topology-scheduling"].en
    rated = no_rates.model_copy(update={"rates": {"GBP": Decimal("1.3")}})
    assert "topology-scheduling" in next(s for s in plan(STACKED, rated).scenarios if s.id == "budget").remedies


def test_the_problem_counts_as_the_ladder_does() -> None:
    made: Diagnosis = STACKED
    rungs = [rung for rung in plan(made, PRICED).rungs if rung.proposal.remedy.kind == "free"]
    problem, out = weigh(rungs, made)
    from advisor.plan.budget import recovery

    kept = [rung.proposal.remedy for rung in rungs if rung.proposal.remedy.id not in out]
    span = recovered(kept, made)
    assert span is not None
    assert recovery(problem, [remedy.id for remedy in kept]) == pytest.approx(span.likely)


def test_nothing_to_buy_for_a_cause_of_configuration() -> None:
    none: Cause = cause("mtu-mismatch", 0.9, None, "configuration")
    made = plan(diagnosis(none))
    assert made.stop is not None
    assert made.stop.needed == "no"
