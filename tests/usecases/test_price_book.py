"""The price book as a person keeps it: states, own prices in place, what they replaced, quotes, export, settings of money, budgets."""

from datetime import date, timedelta
from decimal import Decimal
from pathlib import Path

import pytest

from advisor.base.errors import UsageError
from advisor.cost.model import Range
from advisor.cost.settings import Settings
from advisor.usecases import money, prices
from advisor.usecases.assess import example, open_site, repriced
from advisor.usecases.budget import best_plan, efficient_frontier
from advisor.usecases.import_ import import_into

TODAY = date(2026, 12, 1)


@pytest.fixture(autouse=True)
def _own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))


@pytest.fixture
def site(tmp_path: Path) -> Path:
    path = tmp_path / "hall.advisor"
    import_into(str(path), [str(Path(example()) / "site.yaml")])
    return path


def test_what_must_not_be_signed_is_found() -> None:
    found = {entry.price.id: entry.findings for entry in prices.check(TODAY)}
    assert found["mpo-12"] == ("missing",)
    assert "sw-ib-ndr" not in found or "missing" not in found["sw-ib-ndr"]
    later = {entry.price.id: entry.findings for entry in prices.check(TODAY + timedelta(days=400))}
    assert "expired" in later["sw-ib-ndr"]
    assert "unverified" in later["sw-ib-ndr"]  # what it rests on is old by then too


def test_an_own_price_holds_and_the_old_one_is_kept() -> None:
    first = prices.override("sw-ib-ndr", ("31000",), TODAY, by="Li", why="frame contract")
    assert first.before is not None
    second = prices.override("sw-ib-ndr", ("29000", "30000", "32000"), TODAY, currency="EUR", by="Wang")
    held = prices.book()["sw-ib-ndr"]
    assert held == second.after
    assert held.price == Range(low=Decimal(29000), likely=Decimal(30000), high=Decimal(32000))
    assert [(old.by, old.currency, old.price and old.price.likely) for old in held.history] == [
        ("Wang", "USD", 31000),
        ("Li", "USD", 33000),
    ]
    assert held.history[1].why == "frame contract"
    back = prices.restore("sw-ib-ndr")
    assert back == first.before
    with pytest.raises(UsageError, match="no price of your own"):
        prices.restore("sw-ib-ndr")


@pytest.mark.parametrize("amounts", [("x",), ("-1",), ("3", "2", "4"), ("1", "2"), ("NaN",), ("Infinity",), ("1e30",)])
def test_amounts_that_cannot_be_change_nothing(amounts: tuple[str, ...]) -> None:
    with pytest.raises(UsageError, match="no amounts"):
        prices.override("sw-ib-ndr", amounts, TODAY)
    assert not prices.user_folder().exists()


def test_unknown_items_and_currencies_are_refused() -> None:
    with pytest.raises(UsageError, match="no item nothing"):
        prices.override("nothing", ("1",), TODAY)
    with pytest.raises(UsageError, match="QQQ is no currency"):
        prices.override("sw-ib-ndr", ("1",), TODAY, currency="QQQ")
    with pytest.raises(UsageError, match="EURO is no currency"):
        money.change("currency", "EURO")
    with pytest.raises(UsageError, match=r"rates\.GBP"):
        money.change("rates.GBP", "-1")
    assert money.settings() == Settings()


def test_a_sites_own_price_goes_before_the_users(site: Path) -> None:
    prices.override("sw-ib-ndr", ("31000",), TODAY)
    prices.override("sw-ib-ndr", ("25000",), TODAY, site=site, why="quote 4")
    here = open_site(str(site))
    assert here.prices["sw-ib-ndr"].price == Range.of(25000)
    assert prices.book()["sw-ib-ndr"].price == Range.of(31000)
    assert {e.where for e in prices.listing(TODAY, here.own) if e.price.id == "sw-ib-ndr"} == {"site"}
    prices.restore("sw-ib-ndr", site)
    assert repriced(here).prices["sw-ib-ndr"].price == Range.of(31000)


def test_quotes_are_taken_whole_or_not_at_all(tmp_path: Path, site: Path) -> None:
    good = "item,price,currency,date,valid_days,source\nnic-400,1700,USD,2026-11-20,30,S\n"
    path = tmp_path / "quotes.csv"
    path.write_text(good + "dac-400,-3,USD,2026-11-20,30,S\n", encoding="utf-8")
    with pytest.raises(UsageError, match=r"quotes\.csv, row 3, column B"):
        prices.import_quotes(path, TODAY, site)
    assert open_site(str(site)).prices["nic-400"].kind == "evidence"
    path.write_text(good, encoding="utf-8")
    (change,) = prices.import_quotes(path, TODAY, site, by="Li")
    assert (change.after.kind, change.after.history[0].why) == ("quote", "quotes.csv")
    assert open_site(str(site)).prices["nic-400"] == change.after


def test_an_export_can_be_taken_in_again(tmp_path: Path) -> None:
    prices.override("nic-400", ("1700",), TODAY)
    path = tmp_path / "book.csv"
    path.write_text(prices.export_csv(prices.listing(TODAY)), encoding="utf-8")
    before = prices.book()
    taken = {change.after.id: change.after for change in prices.import_quotes(path, TODAY)}
    assert set(taken) == {name for name, price in before.items() if price.price is not None}
    assert all(taken[name].price == before[name].price for name in taken)
    assert taken["nic-400"].kind == "quote"
    assert taken["sw-ib-ndr"].kind == "estimate"  # what others saw does not become a quote by a round trip


def test_an_export_holds_nothing_that_a_spreadsheet_runs() -> None:
    prices.override("nic-400", ("1700",), TODAY, source="=cmd|' /C calc'!A0")
    rows = prices.export_csv(prices.listing(TODAY)).splitlines()
    assert not any(cell.startswith("=") for row in rows for cell in row.split(","))


def test_folders_of_prices_go_before_the_users_and_must_hold_some(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no folder of prices"):
        prices.book(folders=[tmp_path / "nothing"])
    prices.override("nic-400", ("1700",), TODAY)
    (tmp_path / "more").mkdir()
    text = (prices.user_folder() / "catalogue" / "nic-400.yaml").read_text(encoding="utf-8")
    (tmp_path / "more" / "nic-400.yaml").write_text(text.replace("1700", "1500"), encoding="utf-8")
    assert prices.book(folders=[tmp_path / "more"])["nic-400"].price == Range.of(1500)


def test_a_rate_is_what_a_person_sets(site: Path) -> None:
    assert open_site(str(site)).settings.rate("GBP") is None
    money.change("rates.GBP", "1.33")
    money.change("rates.GBP", "1.25", site)
    assert open_site(str(site)).settings.rate("GBP") == Decimal("1.25")
    money.change("rates.GBP", None, site)
    assert open_site(str(site)).settings.rate("GBP") == Decimal("1.33")
    money.change("day_rates.network-engineer", "900/1000/1200")
    assert money.settings().day_rates["network-engineer"].high == 1200


def test_another_currency_converts_what_was_stated_or_forgets_it() -> None:
    stated = Settings(gpu_hour=Decimal(2), budget=Decimal(100), rates={"EUR": Decimal("1.25"), "GBP": Decimal("1.5")})
    euro = stated.in_currency("EUR")
    assert (euro.gpu_hour, euro.budget) == (Decimal("1.6"), 80)
    assert (euro.rate("USD"), euro.rate("GBP")) == (Decimal("0.8"), Decimal("1.2"))
    yuan = stated.in_currency("CNY")
    assert (yuan.currency, yuan.gpu_hour, yuan.budget, yuan.rates) == ("CNY", None, None, {})


def test_the_best_plan_and_the_frontier_of_a_site() -> None:
    here = repriced(open_site(example(), today=TODAY), stated={"rates": {"GBP": "1.3"}})
    small, large = best_plan(here, Decimal(8000)), best_plan(here, Decimal(100000))
    assert small.estimate.total.likely <= 8000
    assert (small.recovers or 0) <= (large.recovers or 0)
    found = efficient_frontier(here)
    costs = [point.estimate.total.likely for point in found.points]
    assert costs == sorted(costs)
    assert costs[0] == 0
    assert found.points[-1].recovers == pytest.approx(large.recovers)
    assert "storage-plane" in found.left_out


def test_without_a_rate_nothing_is_chosen_in_silence() -> None:
    made = best_plan(open_site(example(), today=TODAY), Decimal(10**7))
    assert made.remedies == ()
    assert "no rate from GBP to USD" in made.left_out["topology-scheduling"].en
