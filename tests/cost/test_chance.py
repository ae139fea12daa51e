"""A total as a distribution: against formulas for one figure and for sums, and what moves it most."""

from decimal import Decimal

import pytest

from advisor.base.text import Text
from advisor.cost.chance import chances
from advisor.cost.lines import total
from advisor.cost.model import Estimate, Line, Range
from advisor.cost.settings import Settings
from advisor.cost.triangle import mean, quantile


def line(item: str, low: int, likely: int, high: int, **more: object) -> Line:
    values = {
        "remedy": "r",
        "what": Text(en=item, zh=item),
        "group": "capital",
        "item": item,
        "unit": "each",
        "quantity": Range.of(1),
        "price": None,
        "state": "current",
        "amount": Range(low=Decimal(low), likely=Decimal(likely), high=Decimal(high)),
        "currency": "USD",
        "basis": Text(en="", zh=""),
    }
    return Line.model_validate({**values, **more})


def estimate(*lines: Line) -> Estimate:
    return total(lines, Settings())


def test_one_triangular_figure_has_the_quantiles_of_the_formula() -> None:
    (made,) = chances(estimate(line("a", 80, 100, 150)), draws=200_000)
    for p, found in ((10, made.p10), (50, made.p50), (90, made.p90)):
        assert float(found) == pytest.approx(float(quantile(Decimal(80), Decimal(100), Decimal(150), Decimal(p) / 100)), rel=2e-3)
    assert float(made.mean) == pytest.approx(float(mean(Decimal(80), Decimal(100), Decimal(150))), rel=2e-3)


def test_percentiles_of_a_sum_are_nearer_to_its_middle_than_sums_of_percentiles() -> None:
    """Variances of independent figures add: ten of 0 / 50 / 100 spread by sqrt(10) times one, not by ten."""
    (made,) = chances(estimate(*(line(f"i{n}", 0, 50, 100) for n in range(10))), draws=50_000)
    spread = 100 / 24**0.5 * 10**0.5  # a symmetric triangle of width w has the standard deviation w / sqrt(24)
    assert float(made.p90 - made.p10) == pytest.approx(2 * 1.2816 * spread, rel=0.03)


def test_one_price_in_two_lines_is_one_figure() -> None:
    two = estimate(line("switch", 100, 200, 400), line("switch", 100, 200, 400, remedy="s"))
    (together,) = chances(two, draws=50_000)
    (alone,) = chances(estimate(line("switch", 100, 200, 400)), draws=50_000)
    assert float(together.p90) == pytest.approx(2 * float(alone.p90), abs=0.02)
    assert len(together.drivers) == 1


def test_a_share_of_others_follows_them() -> None:
    made = estimate(line("a", 100, 100, 300), line("contingency", 10, 10, 30, rests_on=("a",)))
    (chance,) = chances(made, draws=20_000)
    (base,) = chances(estimate(line("a", 100, 100, 300)), draws=20_000)
    assert float(chance.p90) == pytest.approx(1.1 * float(base.p90), abs=0.02)


def test_what_moves_the_total_most_stands_first() -> None:
    made = estimate(line("small", 99, 100, 101), line("large", 500, 1000, 3000), line("fixed", 7, 7, 7))
    (chance,) = chances(made)
    first, second = chance.drivers
    assert (first.item, first.low, first.high) == ("large", Decimal("607.00"), Decimal("3107.00"))
    assert first.rank > 0.99
    assert second.item == "small"


def test_each_currency_stands_apart_and_missing_is_not_in_it() -> None:
    made = estimate(line("a", 1, 2, 3), line("b", 10, 20, 30, currency="GBP"), line("c", 0, 0, 0, amount=None, state="missing"))
    assert {chance.currency for chance in chances(made)} == {"USD", "GBP"}
    assert chances(estimate()) == ()


def test_same_seed_same_result_in_any_order() -> None:
    lines = [line("a", 1, 20, 30), line("b", 5, 6, 70), line("c", 2, 2, 9)]
    assert chances(estimate(*lines))[0].p90 == chances(estimate(*reversed(lines)))[0].p90
    assert chances(estimate(*lines), seed=2)[0].p90 != chances(estimate(*lines))[0].p90


def test_percentiles_lie_within_the_bounds() -> None:
    made = estimate(line("a", 1, 20, 30, quantity=Range(low=Decimal(1), likely=Decimal(2), high=Decimal(3))), line("b", 5, 6, 70))
    (chance,) = chances(made)
    assert made.total.low <= chance.p10 < chance.p50 < chance.p90 <= made.total.high
