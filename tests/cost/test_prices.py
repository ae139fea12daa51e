"""The price book: what is shipped, what expires, what is refused, and that a person's own price wins."""

from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest

from advisor.base.errors import ContentError
from advisor.base.places import pricing
from advisor.cost.model import Price
from advisor.cost.prices import day_rate, price_book, regional
from advisor.cost.quantities import RULES
from advisor.cost.settings import Settings, read_settings
from advisor.cost.templates import shipped_templates

BOOK = price_book(pricing())
GOOD = """id: {id}
name: {{en: "Switch", zh: "交换机"}}
unit: each
currency: USD
price: {{low: "1", likely: "2", high: "3"}}
compiled_on: 2026-09-24
valid_days: 90
kind: quote
source: "seller's quote 17"
"""


def test_shipped_prices_name_date_currency_and_source() -> None:
    assert len(BOOK) > 40
    for price in BOOK.values():
        assert len(price.currency) == 3
        assert price.source
        assert price.name.zh != price.name.en or price.name.en.isascii()


def test_no_price_rests_on_memory_alone() -> None:
    """What is only recalled has no amount: it asks for a quote."""
    for path in pricing().rglob("*.yaml"):
        assert "memory" not in path.read_text(encoding="utf-8")
    for name in ("mpo-12", "cabling-labour-link", "sw-eth-64x100", "day-neteng-cn", "kwh-cn"):
        assert (BOOK[name].kind, BOOK[name].price) == ("ask", None)
        assert BOOK[name].state(date(2026, 12, 1)) == "missing"


def test_evidence_lies_around_the_price() -> None:
    """Every price of kind evidence in its own currency brackets at least one price that was seen."""
    for price in BOOK.values():
        seen = [o.price for o in price.evidence if o.currency == price.currency]
        if price.kind == "evidence" and price.price is not None and seen:
            assert min(seen) <= price.price.high
            assert max(seen) >= price.price.low


def test_an_age_makes_a_price_expire() -> None:
    price = Price.model_validate(
        {
            "id": "x",
            "name": {"en": "x", "zh": "x"},
            "unit": "each",
            "currency": "USD",
            "price": {"low": "1", "likely": "1", "high": "1"},
            "compiled_on": "2026-09-24",
            "valid_days": "90",
            "kind": "quote",
            "source": "q",
        }
    )
    today = date(2026, 11, 30)
    assert (price.state(today), price.days_left(today)) == ("current", 23)
    stale = price.model_copy(update={"compiled_on": date(2026, 7, 4)})
    assert (stale.state(today), stale.days_left(today)) == ("expired", -59)


def test_an_observation_ages_on_its_own() -> None:
    seen = {observation.id: observation for observation in BOOK["sw-ib-ndr"].evidence}
    assert seen["sw-001"].is_old(date(2026, 11, 30))
    assert BOOK["sw-ib-ndr"].state(date(2026, 12, 1)) == "current"


def test_ones_own_price_wins(tmp_path: Path) -> None:
    (tmp_path / "sw-ib-ndr.yaml").write_text(GOOD.format(id="sw-ib-ndr"), encoding="utf-8")
    price = price_book(pricing(), tmp_path, tmp_path / "absent")["sw-ib-ndr"]
    assert price.price is not None
    assert (price.kind, price.price.likely) == ("quote", Decimal(2))


@pytest.mark.parametrize("line", ["compiled_on", "currency", "source"])
def test_a_price_without_date_currency_or_source_does_not_load(tmp_path: Path, line: str) -> None:
    text = "".join(row for row in GOOD.format(id="p").splitlines(keepends=True) if not row.startswith(line))
    (tmp_path / "p.yaml").write_text(text, encoding="utf-8")
    with pytest.raises(ContentError, match=rf"p\.yaml:1: {line}"):
        price_book(tmp_path)


def test_a_range_that_does_not_ascend_does_not_load(tmp_path: Path) -> None:
    (tmp_path / "p.yaml").write_text(GOOD.format(id="p").replace('low: "1"', 'low: "9"'), encoding="utf-8")
    with pytest.raises(ContentError, match="ascend"):
        price_book(tmp_path)


def test_day_rates_by_role_and_region() -> None:
    anywhere = day_rate("network-engineer", BOOK, Settings())
    assert anywhere is not None
    assert (anywhere.id, anywhere.kind) == ("day-neteng-uk", "evidence")
    china = day_rate("network-engineer", BOOK, Settings(region="cn"))
    assert china is not None
    assert china.price is None
    assert regional("kwh", BOOK, Settings()) is None
    assert regional("kwh", BOOK, Settings(region="eu")) is BOOK["kwh-eu"]


def test_templates_name_items_and_rules_that_exist() -> None:
    for template in shipped_templates().values():
        for choice in template.choices:
            assert not choice.switch or BOOK[choice.switch].radix
            for part in choice.parts:
                assert part.item in BOOK
                assert part.quantity in RULES


def test_settings_of_a_file(tmp_path: Path) -> None:
    assert read_settings(tmp_path / "absent.yaml") == Settings()
    file = tmp_path / "settings.yaml"
    file.write_text(
        "currency: CNY\nrates: {USD: 7.1}\nday_rates: {network-engineer: {low: 1200, likely: 2000, high: 4000}}\n", encoding="utf-8"
    )
    found = read_settings(file)
    assert (found.currency, found.rate("USD"), found.rate("EUR"), found.rate("CNY")) == ("CNY", Decimal("7.1"), None, 1)
    file.write_text("currency: CNY\ncolour: red\n", encoding="utf-8")
    with pytest.raises(ContentError, match=r"settings\.yaml:2: colour"):
        read_settings(file)
