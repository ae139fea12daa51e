"""Lists of quotes from CSV and XLSX: what is taken, and what is refused with file, row and column."""

import zipfile
from datetime import date
from decimal import Decimal
from pathlib import Path

import openpyxl
import pytest

from advisor.base.errors import UsageError
from advisor.base.places import pricing
from advisor.cost.model import Price
from advisor.cost.prices import price_book
from advisor.cost.quotes import Defaults, quotes
from advisor.cost.sheet import column_letter, read_table

TODAY = date(2026, 12, 1)
BOOK = price_book(pricing())
HEAD = "item,price,currency,date,valid_days,source,quantity"
GOOD = "sw-ib-ndr,31500.00,USD,2026-11-20,60,Seller Ltd,4"


def taken(path: Path, **defaults: object) -> tuple[Price, ...]:
    return quotes(read_table(path), path.name, BOOK, TODAY, Defaults(**defaults))  # type: ignore[arg-type]


def sheet(tmp_path: Path, *rows: str, name: str = "list.csv") -> Path:
    path = tmp_path / name
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    return path


def workbook(tmp_path: Path, *rows: list[object], name: str = "list.xlsx") -> Path:
    book = openpyxl.Workbook()
    for row in rows:
        book.active.append(row)
    book.save(tmp_path / name)
    return tmp_path / name


def test_a_quote_keeps_what_the_book_knows_of_the_item(tmp_path: Path) -> None:
    (price,) = taken(sheet(tmp_path, HEAD, GOOD))
    assert (price.id, price.kind, price.currency, price.source) == ("sw-ib-ndr", "quote", "USD", "Seller Ltd")
    assert price.price is not None
    assert price.price.likely == Decimal("31500.00")
    assert (price.compiled_on, price.valid_days) == (date(2026, 11, 20), 60)
    assert (price.radix, price.unit) == (64, "each")
    assert price.days_left(TODAY) == 49


def test_three_amounts_dates_and_defaults(tmp_path: Path) -> None:
    path = sheet(tmp_path, "Item;Low;Price;High;Valid until", 'nic-400;1,500;"1,700.50";1900;2027/01/31')
    (price,) = taken(path, currency="EUR", quoted_on=date(2026, 12, 1), source="Quote 7")
    assert price.price is not None
    assert (price.price.low, price.price.likely, price.price.high) == (1500, Decimal("1700.50"), 1900)
    assert (price.currency, price.valid_days, price.source) == ("EUR", 61, "Quote 7")


def test_a_chinese_list_as_a_spreadsheet_saves_it(tmp_path: Path) -> None:
    path = tmp_path / "报价.csv"
    path.write_bytes("物料,单价,币种,日期,有效天数,供应商,税\nopt-400-sr,4800,CNY,2026-11-01,30,某公司,含税\n".encode("gb18030"))
    (price,) = taken(path)
    assert (price.currency, price.source, price.tax) == ("CNY", "某公司", "included")


def test_a_workbook(tmp_path: Path) -> None:
    rows = [["item", "price", "currency", "date", "valid_days", "source"], ["dac-400", 199.5, "USD", date(2026, 11, 2), 30, "S"]]
    (price,) = taken(workbook(tmp_path, *rows))
    assert price.price is not None
    assert price.price.likely == Decimal("199.5")
    assert price.compiled_on == date(2026, 11, 2)


def test_a_new_item_needs_name_and_unit(tmp_path: Path) -> None:
    (price,) = taken(sheet(tmp_path, HEAD + ",name,unit", GOOD.replace("sw-ib-ndr", "sw-new") + ",New switch,each"))
    assert (price.id, price.name.en, price.unit) == ("sw-new", "New switch", "each")
    with pytest.raises(UsageError, match=r"row 2, column A: sw-new is not in the price book"):
        taken(sheet(tmp_path, HEAD, GOOD.replace("sw-ib-ndr", "sw-new")))


@pytest.mark.parametrize(
    ("old", "new", "where", "says"),
    [
        ("31500.00", "-31500", "column B", "below 0"),
        ("31500.00", "1e12", "column B", "cannot be"),
        ("31500.00", "9900000", "column B", "a hundred times"),
        ("31500.00", "0", "column B", "price of 0"),
        ("31500.00", "NaN", "column B", "no number"),
        ("31500.00", "USD 5", "column B", "no number"),
        ("31500.00", "", "column B", "empty"),
        ("31500.00", "=1+1", "column B", "formula"),
        ("31500.00", "@SUM(A1)", "column B", "formula"),
        ("USD", "XYZ", "column C", "no currency"),
        ("USD", "usd", "column C", "no currency"),
        ("2026-11-20", "20.11.26x", "column D", "no day"),
        ("2026-11-20", "2027-11-20", "column D", "not yet"),
        ("60", "-1", "column E", "below 0"),
        ("60", "99999", "column E", "cannot be"),
        (",4", ",-4", "column G", "below 0"),
        (",4", ",0", "column G", "cannot be"),
        (",4", ",2.5", "column G", "cannot be"),
        (",4", ",99999999", "column G", "cannot be"),
        (",4", ",4,stray", "column H", "no column"),
        ("sw-ib-ndr", "SW IB", "column A", "no id"),
        ("sw-ib-ndr", "../x", "column A", "no id"),
        ("Seller Ltd", "", "column F", "empty"),
    ],
)
def test_what_cannot_be_is_refused_with_its_place(tmp_path: Path, old: str, new: str, where: str, says: str) -> None:
    path = sheet(tmp_path, HEAD, "nic-400,1900,USD,2026-11-20,60,Seller Ltd,1", GOOD.replace(old, new, 1))
    with pytest.raises(UsageError) as raised:
        taken(path)
    said = str(raised.value)
    assert "list.csv, row 3" in said
    assert where in said
    assert says in said


@pytest.mark.parametrize(
    ("head", "says"),
    [
        (HEAD.replace("quantity", "colour"), "row 1, column G: colour is no column"),
        (HEAD.replace("quantity", "price"), "row 1, column G: price is no column"),
        (HEAD.replace("currency", "note"), "row 1: the column currency is missing"),
        (HEAD.replace("valid_days", "note"), "row 1: the column valid_days is missing"),
    ],
)
def test_a_wrong_column_refuses_the_list(tmp_path: Path, head: str, says: str) -> None:
    with pytest.raises(UsageError, match=says):
        taken(sheet(tmp_path, head, GOOD))


def test_twice_the_same_item_or_another_unit(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="row 3, column A: sw-ib-ndr stands twice"):
        taken(sheet(tmp_path, HEAD, GOOD, GOOD))
    with pytest.raises(UsageError, match="row 2, column H: the book counts this item by each"):
        taken(sheet(tmp_path, HEAD + ",unit", GOOD + ",box"))


def test_formulas_in_a_workbook_are_refused_with_their_place(tmp_path: Path) -> None:
    rows = [["item", "price", "currency", "date", "valid_days", "source"], ["dac-400", "=100*2", "USD", "2026-11-02", 30, "S"]]
    with pytest.raises(UsageError, match=r"list\.xlsx, row 2, column B: a formula"):
        taken(workbook(tmp_path, *rows))


def test_macros_links_entities_and_old_forms_are_refused(tmp_path: Path) -> None:
    plain = workbook(tmp_path, ["item"], ["x"])
    for member, says in (("xl/vbaProject.bin", "macros"), ("xl/externalLinks/externalLink1.xml", "other workbooks")):
        path = tmp_path / f"{says.split()[0]}.xlsx"
        path.write_bytes(plain.read_bytes())
        with zipfile.ZipFile(path, "a") as packed:
            packed.writestr(member, b"x")
        with pytest.raises(UsageError, match=says):
            read_table(path)
    bomb = tmp_path / "bomb.xlsx"
    with zipfile.ZipFile(plain) as old, zipfile.ZipFile(bomb, "w") as new:
        for name in old.namelist():
            data = old.read(name)
            if name == "xl/workbook.xml":
                data = b'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>' + data.partition(b"?>")[2]
            new.writestr(name, data)
    with pytest.raises(UsageError, match="no table"):
        read_table(bomb)
    (tmp_path / "old.xls").write_bytes(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 600)
    with pytest.raises(UsageError, match="old binary form"):
        read_table(tmp_path / "old.xls")
    (tmp_path / "no.csv").write_bytes(b"\x7fELF\0\0\0")
    with pytest.raises(UsageError, match="no table"):
        read_table(tmp_path / "no.csv")
    with pytest.raises(UsageError, match="cannot be read"):
        read_table(tmp_path / "absent.csv")


def test_several_sheets_need_a_name(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    book.active.append(["a"])
    book.create_sheet("second").append(["b"])
    book.save(tmp_path / "two.xlsx")
    with pytest.raises(UsageError, match="several sheets"):
        read_table(tmp_path / "two.xlsx")
    assert read_table(tmp_path / "two.xlsx", "second")[0][0].text == "b"


def test_column_letters() -> None:
    assert [column_letter(n) for n in (0, 25, 26, 51, 52, 701, 702)] == ["A", "Z", "AA", "AZ", "BA", "ZZ", "AAA"]
