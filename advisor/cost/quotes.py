"""A list of quotes as prices of the book: each row is checked, and one that cannot be refuses the whole list, with file, row, column."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal, InvalidOperation
from typing import Any

from advisor.base.errors import UsageError
from advisor.base.text import Text
from advisor.cost.currency import CURRENCIES
from advisor.cost.model import Price, Range
from advisor.cost.sheet import Cell, Row

# What a column may be called. A list with any other column is refused: a figure in the wrong column is worse than none.
COLUMNS: Mapping[str, tuple[str, ...]] = {
    "item": ("item", "item_id", "id", "part", "物料", "编号"),
    "price": ("price", "unit_price", "likely", "typical", "单价", "价格"),
    "low": ("low", "最低"),
    "high": ("high", "最高"),
    "currency": ("currency", "币种"),
    "unit": ("unit", "单位"),
    "date": ("date", "quoted_on", "compiled_on", "observed_on", "报价日期", "日期"),
    "valid_days": ("valid_days", "有效天数"),
    "valid_until": ("valid_until", "有效期至"),
    "source": ("source", "seller", "supplier", "vendor", "供应商", "来源"),
    "url": ("url", "source_url", "链接"),
    "region": ("region", "地区"),
    "tax": ("tax", "税"),
    "quantity": ("quantity", "qty", "数量"),
    "name": ("name", "name_en", "名称"),
    "name_zh": ("name_zh", "中文名称"),
    "note": ("note", "备注"),
    "state": ("state",),  # of our own export: worked out anew
    "kind": ("kind",),
}
_NEEDED = ("item", "price", "currency", "date", "source")
ITEM = re.compile(r"[a-z0-9][a-z0-9._-]{0,63}")
_NUMBER = re.compile(r"-?(\d+|\d{1,3}(,\d{3})+)(\.\d+)?")
MOST_PRICE = Decimal(1_000_000_000)
MOST_QUANTITY = 1_000_000
FAR_FROM_BOOK = 100  # times the book's price, up or down, in one currency: a wrong unit rather than a bargain
MOST_DAYS = 3660
_TAX = {"": "", "excl": "excluded", "excluded": "excluded", "net": "excluded", "不含税": "excluded"} | {
    "incl": "included",
    "included": "included",
    "gross": "included",
    "含税": "included",
}


@dataclass(frozen=True, slots=True)
class Defaults:
    """What a list leaves out and a person says of all of it."""

    currency: str = ""
    quoted_on: date | None = None
    valid_days: int | None = None
    source: str = ""


@dataclass(frozen=True, slots=True)
class _Line:
    """One row by the names of its columns."""

    file: str
    cells: Mapping[str, Cell]
    number: int

    def text(self, name: str) -> str:
        return self.cells[name].text if name in self.cells else ""

    def refuse(self, key: str, name: str, **values: object) -> UsageError:
        cell = self.cells.get(name)
        where = cell.column if cell else "-"
        return UsageError(f"quote-{key}", file=self.file, row=self.number, column=where, name=name, **values)


def quotes(rows: Iterable[Row], file: str, book: Mapping[str, Price], today: date, defaults: Defaults | None = None) -> tuple[Price, ...]:
    """The prices of a table whose first row names its columns. Raises UsageError for the first thing that cannot be."""
    given = list(rows)
    if not given:
        raise UsageError("list-empty", file=file, sheets="")
    said = defaults or Defaults()
    names = _header(given[0], file, said)
    found: dict[str, Price] = {}
    for row in given[1:]:
        line = _Line(file, {names[cell.column]: cell for cell in row if cell.column in names}, row[0].row)
        stray = next((cell for cell in row if cell.text and cell.column not in names), None)
        if stray is not None:
            raise UsageError("list-column", file=file, row=stray.row, column=stray.column, name=stray.text[:40])
        if line.text("kind") == "ask" and not any(line.text(name) for name in ("low", "price", "high")):
            continue  # of our own export: no price yet
        price = _price(line, book, today, said)
        if price.id in found:
            raise line.refuse("twice", "item", value=price.id)
        found[price.id] = price
    if not found:
        raise UsageError("list-empty", file=file, sheets="")
    return tuple(found.values())


def _header(row: Row, file: str, said: Defaults) -> dict[str, str]:
    """Column letter -> the name that it stands for."""
    known = {word: name for name, words in COLUMNS.items() for word in words}
    names: dict[str, str] = {}
    for cell in row:
        word = re.sub(r"[\s-]+", "_", cell.text.lower())
        if not word:
            continue
        if word not in known or known[word] in names.values():
            raise UsageError("list-column", file=file, row=cell.row, column=cell.column, name=cell.text[:40])
        names[cell.column] = known[word]
    filled = {"currency": said.currency, "date": said.quoted_on, "source": said.source}
    for name in _NEEDED:
        if name not in names.values() and not filled.get(name):
            raise UsageError("list-needs", file=file, row=row[0].row, name=name)
    if said.valid_days is None and not {"valid_days", "valid_until"} & set(names.values()):
        raise UsageError("list-needs", file=file, row=row[0].row, name="valid_days")
    return names


def _price(line: _Line, book: Mapping[str, Price], today: date, said: Defaults) -> Price:
    item = line.text("item")
    if not ITEM.fullmatch(item):
        raise line.refuse("item", "item", value=item[:40])
    before = book.get(item)
    amounts = _amounts(line, before, currency := _currency(line, said))
    quoted_on, valid_days = _validity(line, today, said)
    quantity = _quantity(line)
    source = line.text("source") or said.source
    if not source:
        raise line.refuse("empty", "source")
    tax = line.text("tax").lower().rstrip("?")
    if tax not in (*_TAX, "unknown", "-"):
        raise line.refuse("tax", "tax", value=tax[:40])
    values: dict[str, Any] = {
        "id": item,
        "currency": currency,
        "price": amounts,
        "compiled_on": quoted_on,
        "valid_days": valid_days,
        "kind": "quote" if line.text("kind") in ("", "quote") else "estimate",  # what others saw or worked out is no quote
        "source": source,
        "source_url": line.text("url"),
        "tax": _TAX.get(tax, ""),
        "note": "; ".join(text for text in (line.text("note"), f"quantity {quantity}" if quantity else "") if text),
    }
    if before is not None:
        unit = line.text("unit")
        if unit and unit != before.unit:
            raise line.refuse("unit", "unit", value=unit[:40], right=before.unit)
        region = line.text("region") or before.region
        return before.model_copy(update={**values, "region": region, "evidence": (), "history": ()})
    name, unit = line.text("name"), line.text("unit")
    if not name or not unit:
        raise line.refuse("new", "item", value=item)
    text = Text(en=name, zh=line.text("name_zh") or name)
    return Price.model_validate({**values, "name": text, "unit": unit, "region": line.text("region")})


def _amounts(line: _Line, before: Price | None, currency: str) -> Range:
    likely = _number(line, "price")
    low = _number(line, "low") if line.text("low") else likely
    high = _number(line, "high") if line.text("high") else likely
    if not low <= likely <= high:
        raise line.refuse("ascend", "price", value=f"{low} / {likely} / {high}")
    usual = before.price.likely if before is not None and before.price is not None and before.currency == currency else None
    if usual and likely and not usual / FAR_FROM_BOOK <= likely <= usual * FAR_FROM_BOOK:
        raise line.refuse("far", "price", value=likely, usual=usual)
    if not likely and usual != 0:
        raise line.refuse("nothing", "price")
    return Range(low=low, likely=likely, high=high)


def _number(line: _Line, name: str) -> Decimal:
    text = line.text(name)
    if not text:
        raise line.refuse("empty", name)
    try:
        if not _NUMBER.fullmatch(text) and not re.fullmatch(r"-?\d+(\.\d+)?[eE][-+]?\d{1,2}", text):
            raise InvalidOperation
        value = Decimal(text.replace(",", ""))
    except InvalidOperation:
        raise line.refuse("number", name, value=text[:40]) from None
    if value < 0:
        raise line.refuse("negative", name, value=text[:40])
    if value > MOST_PRICE:
        raise line.refuse("absurd", name, value=text[:40])
    return value


def _quantity(line: _Line) -> int | None:
    if not line.text("quantity"):
        return None
    value = _number(line, "quantity")
    if value != int(value) or not 0 < value <= MOST_QUANTITY:
        raise line.refuse("absurd", "quantity", value=line.text("quantity")[:40])
    return int(value)


def _currency(line: _Line, said: Defaults) -> str:
    code = line.text("currency") or said.currency
    if code not in CURRENCIES:
        raise line.refuse("currency", "currency", value=code[:40])
    return code


def _validity(line: _Line, today: date, said: Defaults) -> tuple[date, int]:
    """The day of the quote, and how long it holds."""
    text = line.text("date")
    quoted_on = _day(line, "date") if text else said.quoted_on
    if quoted_on is None:
        raise line.refuse("empty", "date")
    if quoted_on > today:
        raise line.refuse("future", "date", value=quoted_on)
    if line.text("valid_until"):
        days = (_day(line, "valid_until") - quoted_on).days
    elif line.text("valid_days"):
        value = _number(line, "valid_days")
        days = int(value) if value == int(value) else -1
    elif said.valid_days is not None:
        days = said.valid_days
    else:
        raise line.refuse("empty", "valid_days")
    if not 0 <= days <= MOST_DAYS:
        raise line.refuse("absurd", "valid_until" if line.text("valid_until") else "valid_days", value=days)
    return quoted_on, days


def _day(line: _Line, name: str) -> date:
    text = line.text(name).replace("/", "-").replace(".", "-")
    try:
        year, month, day = (int(part) for part in text.split("-"))
        return date(year, month, day) + timedelta(0)
    except (ValueError, OverflowError):
        raise line.refuse("date", name, value=line.text(name)[:40]) from None
