"""Estimates: a bill of material with test prices, mixed currencies, expired and missing prices, sums to the cent."""

from datetime import date
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from advisor.base.text import Text
from advisor.cost.estimate import estimate
from advisor.cost.lines import total
from advisor.cost.model import Estimate, Line, Price, Range
from advisor.cost.settings import Settings
from advisor.cost.templates import Template
from advisor.fabric.model import Fabric, Host, HostKind, Leaf, Switch
from advisor.remedy.remedy import Effort, Part, Proposal, Remedy

T = Text(en="x", zh="某")
TODAY = date(2026, 11, 30)


def price(id: str, amount: str, currency: str = "USD", **more: object) -> Price:
    values = {"low": amount, "likely": amount, "high": amount}
    return Price.model_validate(
        {
            "id": id,
            "name": T,
            "unit": "each",
            "currency": currency,
            "price": values,
            "compiled_on": TODAY,
            "valid_days": 90,
            "kind": "quote",
            "source": "test",
            **more,
        }
    )


def remedy(**more: object) -> Remedy:
    base = {
        "id": "r",
        "row": "expansion",
        "kind": "capital",
        "title": T,
        "what": T,
        "relieves": ("uplink-oversubscription",),
        "effort": (),
        "risk": T,
        "window": False,
        "steps": (),
        "rollback": T,
        "verify": T,
        "expect": T,
    }
    return Remedy.model_validate({**base, **more})


def proposal(made: Remedy, where: tuple[str, ...] = ()) -> Proposal:
    return Proposal(remedy=made, causes=("uplink-oversubscription",), probability=0.9, where=where)


# 64 hosts on 16 leaves with 32 ports of 400G down and 16 up; four spines of 64 ports.
LEAVES = tuple(Leaf(name=f"leaf{n}", down_gbps=32 * 400, up_gbps=16 * 400, ratio=2.0, uplinks=16, uplink_gbps=400) for n in range(16))
SITE = Fabric(
    leaves=LEAVES,
    switches={f"spine{n}": Switch(name=f"spine{n}", tier="spine") for n in range(4)},
    host_kinds=(HostKind(count=64, gpus_per_host=8, nics_per_host=8, nic_rate_gbps=400),),
    technology="ib",
)
PRICES = {
    p.id: p
    for p in (
        price("sw-spine", "33000", radix=64, kw_typical="0.747", kw_max="1.72"),
        price("opt-twin", "1000"),
        price("mpo", "80"),
        price("link-labour", "90"),
    )
}
TEMPLATE = {
    "up": Template.model_validate(
        {
            "id": "up",
            "title": T,
            "choices": [
                {
                    "technology": ["ib"],
                    "rate_gbps": [400],
                    "switch": "sw-spine",
                    "parts": [
                        {"item": "sw-spine", "quantity": "spines-to-add"},
                        {"item": "opt-twin", "quantity": "uplink-twin-modules"},
                        {"item": "mpo", "quantity": "new-uplinks"},
                        {"item": "link-labour", "quantity": "new-uplinks"},
                    ],
                }
            ],
        }
    )
}
ENGINEER = Effort(role="network-engineer", low_days=12, high_days=12, source="judgement")


def of(made: Estimate, group: str) -> Decimal:
    return made.by_group[group].likely


def amounts(made: Estimate, item: str) -> list[Decimal]:
    return [line.amount.likely for line in made.lines if line.item == item and line.amount is not None]


def test_bill_of_an_expansion_by_spines() -> None:
    stated = Settings(
        spares_percent=Decimal(2),
        contingency_percent=Decimal(10),
        support_percent=Decimal(10),
        horizon_months=12,
        pue=Decimal("1.35"),
        kwh_price=Decimal("0.11"),
        module_watts=Decimal(15),
        day_rates={"network-engineer": Range.of(1400)},
    )
    made = estimate(proposal(remedy(template="up", effort=(ENGINEER,))), SITE, PRICES, stated, TODAY, TEMPLATE)
    assert amounts(made, "sw-spine") == [132000]
    assert amounts(made, "opt-twin") == [256000, 6000]  # 256 modules, and ceil(256 * 2 %) = 6 spares
    assert amounts(made, "mpo") == [20480]
    assert amounts(made, "link-labour") == [23040]
    assert of(made, "labour") == 16800
    assert amounts(made, "contingency") == [45432]
    assert of(made, "capital") + of(made, "labour") == 499752
    assert amounts(made, "support") == [39400]
    power = [line for line in made.lines if line.item in ("kwh", "kwh-cooling") and line.amount is not None]
    # 6.88 kW of spines with their modules and 128 modules of 15 W in the leaves, times 1.35 for the site, at 0.11 a kWh.
    assert sum(line.amount.likely for line in power if line.amount) == pytest.approx(Decimal(11448), abs=1)
    assert made.missing == 0


def test_gear_of_unknown_kind_is_a_missing_line_not_a_zero() -> None:
    made = estimate(proposal(remedy(template="up")), Fabric(), PRICES, Settings(), TODAY, TEMPLATE)
    assert (made.missing, made.total) == (1, Range.of(0))
    assert made.lines[0].amount is None


def test_a_missing_and_an_expired_price_are_seen() -> None:
    old = price("old", "10", compiled_on=date(2026, 7, 4))
    parts = (Part(item="old", quantity="one"), Part(item="nowhere", quantity="one"))
    made = estimate(proposal(remedy(parts=parts)), Fabric(), {"old": old}, Settings(), TODAY, {})
    assert [line.state for line in made.lines] == ["expired", "missing"]
    assert (made.expired, made.missing, made.total.likely) == (1, 1, 10)


def test_currencies_are_added_only_where_a_rate_is_known() -> None:
    book = {"usd": price("usd", "10000"), "cny": price("cny", "71000", "CNY")}
    made = proposal(remedy(parts=(Part(item="usd", quantity="one"), Part(item="cny", quantity="one"))))
    apart = estimate(made, Fabric(), book, Settings(currency="CNY"), TODAY, {})
    assert apart.total.likely == 71000
    assert apart.unconverted["USD"].likely == 10000
    together = estimate(made, Fabric(), book, Settings(currency="CNY", rates={"USD": Decimal("7.1")}), TODAY, {})
    assert (together.total.likely, together.unconverted) == (142000, {})


@pytest.mark.parametrize(("net", "percent", "gross"), [("1991.00", 20, "2389.20"), ("1568.00", 19, "1865.92")])
def test_tax(net: str, percent: int, gross: str) -> None:
    made = proposal(remedy(parts=(Part(item="a", quantity="one"),)))
    assert estimate(made, Fabric(), {"a": price("a", net)}, Settings(tax_percent=Decimal(percent)), TODAY, {}).total.likely == Decimal(
        gross
    )


def test_downtime_is_worth_what_would_have_been_busy() -> None:
    """A change that drains half of 512 GPUs for four hours, 70 % busy."""
    hosts = {f"h{n}": Host(name=f"h{n}", gpu_count=8) for n in range(64)}
    change = remedy(downtime={"low_hours": 4, "high_hours": 4, "per": "host", "source": "judgement"})
    stated = Settings(gpu_hour=Decimal("2.35"), utilisation=Decimal("0.7"))
    made = estimate(proposal(change, tuple(hosts)[:32]), Fabric(hosts=hosts), {}, stated, TODAY, {})
    assert of(made, "downtime") == Decimal("1684.48")
    unknown = estimate(proposal(change, tuple(hosts)[:32]), Fabric(hosts=hosts), {}, Settings(), TODAY, {})
    assert unknown.missing == 1


def test_days_count_the_hosts_that_evidence_names() -> None:
    hosts = {f"h{n}": Host(name=f"h{n}") for n in range(10)}
    each = Effort(role="system-engineer", low_days=0.5, high_days=1, per="host", source="judgement")
    stated = Settings(day_rates={"system-engineer": Range.of(1000)})
    made = estimate(proposal(remedy(effort=(each,)), ("h1/mlx5_0", "h1/mlx5_1", "h2")), Fabric(hosts=hosts), {}, stated, TODAY, {})
    amount = made.lines[0].amount
    assert amount is not None
    assert (amount.low, amount.likely, amount.high) == (1000, 1500, 2000)


cents = st.decimals(min_value=0, max_value=10**7, places=2)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(cents, cents, cents, st.sampled_from(["USD", "EUR"]), st.booleans()), max_size=12))
def test_totals_are_the_sums_of_their_lines(rows: list[tuple[Decimal, Decimal, Decimal, str, bool]]) -> None:
    lines = []
    for low, likely, high, currency, known in rows:
        low, likely, high = sorted((low, likely, high))
        amount = Range(low=low, likely=likely, high=high) if known else None
        lines.append(
            Line(
                remedy="r",
                what=T,
                group="capital",
                item="i",
                unit="each",
                quantity=None,
                price=None,
                state="current" if known else "missing",
                amount=amount,
                currency=currency,
                basis=T,
            )
        )
    made = total(lines, Settings())
    own = [line.amount for line in lines if line.amount is not None and line.currency == "USD"]
    assert made.total.likely == sum((a.likely for a in own), Decimal(0))
    assert made.total.low <= made.total.likely <= made.total.high
    assert made.missing == sum(line.amount is None for line in lines)
    other = [line.amount for line in lines if line.amount is not None and line.currency == "EUR"]
    assert sum((a.high for a in made.unconverted.values()), Decimal(0)) == sum((a.high for a in other), Decimal(0))
