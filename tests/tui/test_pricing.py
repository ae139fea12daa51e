"""Prices, quotes and settings of money, changed on the screen and taken back: on the example site, whose prices are the shipped ones."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from advisor.tui.app import AdvisorApp
from advisor.tui.views import pricing, settings
from advisor.tui.widgets.listing import Listing
from advisor.usecases import assess, reprice
from advisor.usecases.assess import Assessment
from advisor.usecases.import_ import import_into
from tui.driving import screen_text, settled, stage


@pytest.fixture(autouse=True)
def _site_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Real use cases here, and folders of a person's own."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    return iter([None])


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("kept") / "site.advisor"
    import_into(str(path), [assess.example()])
    return path


def opened(path: Path) -> Assessment:
    return assess.open_site(str(path))


def paid(here: Assessment) -> str:
    """The item that the first line of the free steps is paid by."""
    line = next(line for scenario in here.plan.scenarios for line in scenario.estimate.lines if line.price)
    assert line.price
    return line.price.id


def test_a_price_is_kept_in_the_file_with_the_one_before_and_taken_back(site: Path) -> None:
    here = opened(site)
    item = paid(here)
    old = here.prices[item].price
    made = reprice.set_price(here, item, ("700",), source="offer 12", why="asked")
    again = opened(site)
    assert again.prices[item].price == made.assessment.prices[item].price != old
    assert again.prices[item].history[0].price == old
    assert again.prices[item].history[0].why == "asked"
    assert "offer 12" in "".join(span.text for para in pricing.head(again.prices[item], again.today, "en") for span in para.phrase)
    assert reprice.drop_price(again, item).prices[item].price == old
    assert opened(site).prices[item].price == old


def test_a_site_that_is_only_looked_at_keeps_prices_as_long_as_it_is_open() -> None:
    here = assess.open_site(assess.example())
    item = paid(here)
    after = reprice.set_price(here, item, ("700",)).assessment
    assert after.path is None
    assert str(after.prices[item].price.likely) == "700"  # type: ignore[union-attr]
    assert after.diagnosis is here.diagnosis, "money changes nothing of the diagnosis"


def test_quotes_are_taken_from_a_list_or_not_at_all(site: Path, tmp_path: Path) -> None:
    here = opened(site)
    item = paid(here)
    good = tmp_path / "quotes.csv"
    good.write_text(f"item,price,currency,date,source,valid_days\n{item},612.50,GBP,2026-11-01,seller C,60\n", encoding="utf-8")
    taken = reprice.take_quotes(here, good)
    assert [change.after.id for change in taken.changes] == [item]
    assert str(taken.assessment.prices[item].price.likely) == "612.50"  # type: ignore[union-attr]
    reprice.drop_price(taken.assessment, item)


def test_a_rate_joins_currencies_and_is_taken_away(site: Path) -> None:
    here = opened(site)
    free = next(one for one in here.plan.scenarios if one.id == "free").estimate
    assert free.unconverted
    with_rate = reprice.set_money(here, "rates.GBP", "2")
    total = next(one for one in with_rate.plan.scenarios if one.id == "free").estimate
    assert not total.unconverted
    assert total.total.likely == 2 * free.unconverted["GBP"].likely
    assert settings.value_of(with_rate.settings, "rates.GBP") == "2"
    assert reprice.set_money(with_rate, "rates.GBP", None).own.get("money", "{}") == '{"rates": {}}'


@pytest.mark.parametrize(
    ("text", "expected"), [("700", ("700",)), ("1,200 / 1,500 / 2,000", ("1200", "1500", "2000")), ("5.5/6/7", ("5.5", "6", "7"))]
)
def test_amounts_are_read_as_people_type_them(text: str, expected: tuple[str, ...]) -> None:
    assert pricing.amounts(text) == expected


async def test_a_price_is_changed_in_place_and_undone(site: Path) -> None:
    app = AdvisorApp(None, "en")
    async with app.run_test(size=(120, 40)) as pilot:
        app.open(str(site))
        await settled(pilot)
        await stage(pilot, "costs")
        await pilot.press("home", "down", "down", "b", "e")
        await settled(pilot)
        assert "Price or low" in screen_text(app)
        await pilot.press("ctrl+u", *"700", "enter", "enter", *"seller B", "enter", "enter")
        await settled(pilot)
        assert re.search(r"days +700 +3,150 ", screen_text(app)), "4.5 days at the new price"
        assert "✎" in screen_text(app)
        await pilot.press("ctrl+z")
        await settled(pilot)
        assert not re.search(r"days +700 ", screen_text(app))


async def test_money_is_set_in_the_dialog_and_the_frontier_drawn(site: Path) -> None:
    app = AdvisorApp(None, "en")
    async with app.run_test(size=(120, 40)) as pilot:
        app.open(str(site))
        await settled(pilot)
        await stage(pilot, "costs")
        await pilot.press("c", "down", "down", "enter", "2", "enter")
        await settled(pilot)
        rows = app.screen.query_one("#settings", Listing).table.rows
        assert next(row.cells[1][0].text for row in rows if row.key == "rates.GBP") == "2"
        await pilot.press("escape", "p")
        await settled(pilot)
        assert "sets of remedies that no other beats" in screen_text(app)
        await pilot.press("escape")
        assert app.current_mode == "costs", "escape first closes the plot"
        reprice.set_money(app.assessment, "rates.GBP", None)  # type: ignore[arg-type]
