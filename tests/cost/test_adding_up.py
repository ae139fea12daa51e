"""Rows add up to totals, to the cent, in every currency: whole estimates under any settings, and the sum of several."""

from datetime import date
from decimal import Decimal

from hypothesis import given, settings
from hypothesis import strategies as st

from advisor.cost.estimate import estimate
from advisor.cost.lines import GROUPS, groups_of, total
from advisor.cost.model import Estimate, Price, Range
from advisor.cost.settings import Settings
from advisor.fabric.model import Fabric, HostKind
from advisor.remedy.remedy import Downtime, Effort, Part, Proposal
from tests.cost.test_estimate import T, remedy

TODAY = date(2026, 12, 1)
SITE = Fabric(host_kinds=(HostKind(count=7, gpus_per_host=8),))
CENT = Decimal("0.01")
currency = st.sampled_from(["USD", "EUR", "GBP", "CNY", "JPY"])
amount = st.decimals(min_value=0, max_value=10**6, places=4)
percent = st.decimals(min_value=0, max_value=100, places=3)


@st.composite
def price(draw: st.DrawFn, name: str) -> Price:
    low, likely, high = sorted(draw(amount) for _ in range(3))
    known = draw(st.booleans())
    return Price.model_validate(
        {
            "id": name,
            "name": T,
            "unit": "each",
            "currency": draw(currency),
            "price": {"low": low, "likely": likely, "high": high} if known else None,
            "compiled_on": TODAY,
            "valid_days": draw(st.integers(0, 90)),
            "kind": draw(st.sampled_from(["quote", "estimate"])) if known else "ask",
            "source": "test",
            "tax": draw(st.sampled_from(["", "excluded", "included"])),
            "kw_typical": draw(st.sampled_from([None, "0.747"])),
        }
    )


@st.composite
def stated(draw: st.DrawFn) -> Settings:
    return Settings.model_validate(
        {
            "currency": draw(currency),
            "rates": {draw(currency): draw(st.decimals(min_value="0.0001", max_value=200, places=4)) for _ in range(2)},
            "gpu_hour": draw(st.none() | amount),
            "utilisation": draw(st.none() | st.decimals(min_value=0, max_value=1, places=3)),
            "pue": draw(st.none() | st.decimals(min_value=1, max_value=2, places=2)),
            "kwh_price": draw(st.none() | st.decimals(min_value=0, max_value=1, places=4)),
            "support_percent": draw(st.none() | percent),
            **{
                name: draw(percent)
                for name in ("spares_percent", "contingency_percent", "tax_percent", "labour_tax_percent", "discount_percent")
            },
        }
    )


def adds_up(made: Estimate) -> None:
    """Each end of each total is the sum of what the lines of its currency show, and every amount is whole cents."""
    for end in ("low", "likely", "high"):
        for code, shown in {made.currency: made.total, **made.unconverted}.items():
            rows = [getattr(line.amount, end) for line in made.lines if line.amount is not None and line.currency == code]
            assert sum(rows, Decimal(0)) == getattr(shown, end)
            assert all(row == row.quantize(CENT) for row in rows)
        by_group = sum((getattr(made.by_group[group], end) for group in GROUPS if group in made.by_group), Decimal(0))
        assert by_group == getattr(made.total, end)
        for code, groups in groups_of(made).items():
            whole = made.total if code == made.currency else made.unconverted[code]
            assert sum((getattr(value, end) for value in groups.values()), Decimal(0)) == getattr(whole, end)
    assert made.missing == sum(line.amount is None for line in made.lines)
    assert {line.currency for line in made.lines if line.amount is not None} <= {made.currency, *made.unconverted}


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_whole_estimates_add_up_in_every_currency(data: st.DataObject) -> None:
    names = ["sw-a", "nic-b", "opt-c", "dac-d", "works-e"]
    book = {name: data.draw(price(name)) for name in data.draw(st.sets(st.sampled_from(names)))}
    rate = data.draw(price("day")).model_copy(update={"roles": ("network-engineer",)})
    chosen = data.draw(stated())
    bought = remedy(
        parts=tuple(Part(item=name, quantity="hosts") for name in names),
        effort=(Effort(role="network-engineer", low_days=0.5, high_days=3, per="host", source="judgement"),),
        downtime=Downtime(low_hours=0.25, high_hours=4, source="judgement"),
    )
    made = estimate(Proposal(remedy=bought, causes=("x",), probability=0.9), SITE, {**book, "day": rate}, chosen, TODAY, {})
    adds_up(made)
    adds_up(total((*made.lines, *made.lines[:3]), chosen))


def test_a_third_of_a_cent_is_rounded_in_its_row_and_not_in_the_total() -> None:
    thirds = {"works-e": _thirds()}
    bought = remedy(parts=tuple(Part(item="works-e", quantity="one") for _ in range(3)))
    made = estimate(Proposal(remedy=bought, causes=("x",), probability=0.9), SITE, thirds, Settings(), TODAY, {})
    assert made.total == Range.of(Decimal("1.02"))  # 0.335 is 0.34 in each of three rows


def _thirds() -> Price:
    exact = {"low": "0.335", "likely": "0.335", "high": "0.335"}
    about = {"id": "works-e", "name": T, "unit": "each", "currency": "USD", "compiled_on": TODAY, "valid_days": 9, "kind": "quote"}
    return Price.model_validate({**about, "source": "test", "price": exact})
