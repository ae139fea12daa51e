"""The workbook, recalculated by LibreOffice: the same cents as the plan, and it follows when a person changes a price."""

import json
import shutil
import subprocess
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from openpyxl import load_workbook

from advisor.base.text import Lang, Text
from advisor.cost.model import Line, Range
from advisor.cost.settings import Settings
from advisor.report import workbook
from advisor.report.as_json import plan_json
from advisor.usecases.assess import Assessment, example, open_site
from advisor.usecases.export import write_report
from tests.report.test_forms import HOSTILE

SOFFICE = shutil.which("soffice") or shutil.which("libreoffice")
spreadsheet = pytest.mark.skipif(not SOFFICE, reason="no LibreOffice here")
ALWAYS = """<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry" xmlns:xs="http://www.w3.org/2001/XMLSchema">
<item oor:path="/org.openoffice.Office.Calc/Formula/Load"><prop oor:name="OOXMLRecalcMode" oor:op="fuse"><value>0</value></prop></item>
</oor:items>
"""  # recalculate whatever is loaded
SET = Settings(
    currency="USD",
    rates={"GBP": Decimal("1.2712")},
    gpu_hour=Decimal("2.10"),
    gpus=128,
    utilisation=Decimal("0.7"),
    share_affected=Decimal("0.5"),
    communication=Decimal("0.56"),
    exposed_communication=Decimal("0.4"),
    spares_percent=Decimal(5),
    contingency_percent=Decimal(10),
    tax_percent=Decimal("8.25"),
    support_percent=Decimal(12),
    discount_percent=Decimal("7.5"),
    discount_rate_percent=Decimal(9),
    pue=Decimal("1.35"),
    kwh_price=Decimal("0.14"),
    module_watts=Decimal(14),
)


@pytest.fixture(scope="module")
def site() -> Assessment:
    return open_site(example())


def recalculated(path: Path, tmp_path: Path) -> Any:
    profile = tmp_path / "profile" / "user"
    profile.mkdir(parents=True, exist_ok=True)
    (profile / "registrymodifications.xcu").write_text(ALWAYS, encoding="utf-8")
    assert SOFFICE
    subprocess.run(
        [
            *(SOFFICE, f"-env:UserInstallation={(tmp_path / 'profile').as_uri()}", "--headless"),
            *("--convert-to", "xlsx:Calc MS Excel 2007 XML", "--outdir", str(tmp_path / "out"), str(path)),
        ],
        check=True,
        capture_output=True,
        timeout=180,
    )
    return load_workbook(tmp_path / "out" / path.name, data_only=True)


def totals(book: Any, sheet: str = "Scenarios") -> dict[tuple[str, str], list[Decimal]]:
    """(scenario, currency) -> low, likely, high, as the sheet shows them."""
    rows = list(book[sheet].iter_rows(values_only=True))
    heads = rows[1]
    found: dict[tuple[str, str], list[Decimal]] = {}
    for row in rows[2:]:
        if row[1] and str(row[1]).startswith("Total, "):
            for scenario, value in zip(heads[3:], row[3:], strict=True):
                if scenario:
                    found.setdefault((scenario, row[0]), []).append(round(Decimal(repr(float(value))), 2))
    return found


def expected(tree: dict[str, Any]) -> dict[tuple[str, str], list[Decimal]]:
    found = {}
    for scenario in tree["scenarios"]:
        estimate = scenario["estimate"]
        for currency, amount in {estimate["currency"]: estimate["total"], **estimate["unconverted"]}.items():
            found[scenario["title"], currency] = [Decimal(amount[end]) for end in ("low", "likely", "high")]
    return found


@spreadsheet
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_percentages_stand_as_spreadsheets_write_them(site: Assessment, tmp_path: Path, lang: Lang) -> None:
    """Excel's own format for per cent, without a blank, in both languages; a blank would be a person's own format."""
    from dataclasses import replace

    path = tmp_path / "costs.xlsx"
    write_report(replace(site, stated={name: getattr(SET, name) for name in SET.model_fields_set}), path, lang)
    cells = [cell for sheet in recalculated(path, tmp_path) for row in sheet.iter_rows() for cell in row if "%" in cell.number_format]
    assert {cell.number_format for cell in cells} == {"0.0%"}
    assert [round(float(cell.value), 4) for cell in cells] == [0.09], "the discount rate"


@spreadsheet
@pytest.mark.parametrize("stated", [None, SET], ids=["nothing set", "everything set"])
def test_recalculated_totals_agree_to_the_cent(site: Assessment, tmp_path: Path, stated: Settings | None) -> None:
    from dataclasses import replace

    here = replace(site, stated={name: getattr(stated, name) for name in stated.model_fields_set}) if stated else site
    path = tmp_path / "costs.xlsx"
    write_report(here, path, "en")
    tree = json.loads(json.dumps(plan_json(here.plan, "en")))
    shown = totals(recalculated(path, tmp_path))
    for key, amounts in expected(tree).items():
        assert shown[key] == amounts, key
    book = load_workbook(path, data_only=True)  # what a viewer shows that does not calculate
    assert totals(book) == shown


@spreadsheet
def test_a_changed_price_moves_the_totals(site: Assessment, tmp_path: Path) -> None:
    path = tmp_path / "costs.xlsx"
    write_report(site, path, "en")
    before = totals(load_workbook(path, data_only=True))
    book = load_workbook(path)
    prices, bill = book["Prices"], book["Bill"]
    row = next(r for r in range(2, prices.max_row + 1) if isinstance(prices.cell(r, 6).value, int | float))
    name, currency = prices.cell(row, 1).value, prices.cell(row, 4).value
    old = Decimal(str(prices.cell(row, 6).value))
    prices.cell(row, 6).value = float(old + 100)
    book.save(path)
    after = totals(recalculated(path, tmp_path))
    lines = [
        line
        for rung in site.plan.rungs
        for line in rung.estimate.lines
        if line.price is not None and line.price.id == name and line.quantity is not None
    ]
    last = site.plan.scenarios[-1]
    moved = sum((line.quantity.likely * 100 for line in lines if line.remedy in last.remedies and line.quantity), Decimal(0))
    title = last.title.say("en")
    assert moved > 0
    assert after[title, currency][1] - before[title, currency][1] == moved
    assert bill.max_row == 1 + sum(len(rung.estimate.lines) for rung in site.plan.rungs)


@pytest.mark.parametrize("text", [*HOSTILE, '=HYPERLINK("http://x")', "+1", "-2+3", "@SUM(1)", "\t=1+1", "http://example.com/a"])
def test_captured_text_is_text(site: Assessment, text: str, tmp_path: Path) -> None:
    both = Text(en=text, zh=text)
    one = site.plan.rungs[0]
    line = Line(
        remedy=one.proposal.remedy.id,
        what=both,
        group="labour",
        item=text,
        unit=text,
        quantity=Range.of(1),
        price=None,
        state="current",
        amount=Range.of(1),
        currency="USD",
        basis=both,
    )
    rung = one.model_copy(update={"estimate": one.estimate.model_copy(update={"lines": (line,)})})
    plan = site.plan.model_copy(update={"rungs": (rung,), "scenarios": (), "buying": both})
    path = tmp_path / "book.xlsx"
    path.write_bytes(workbook.render(plan, Settings(), text, site.today, "en"))
    book = load_workbook(path)
    kinds = {(cell.data_type, cell.hyperlink) for sheet in book for row in sheet.iter_rows() for cell in row if cell.value is not None}
    assert all(link is None for _, link in kinds)
    formulas = [cell.value for sheet in book for row in sheet.iter_rows() for cell in row if cell.data_type == "f"]
    assert all(text not in formula for formula in formulas if len(text) > 2)
