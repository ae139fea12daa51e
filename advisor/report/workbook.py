"""Costs as a workbook (XLSX) whose sums are formulas: bill, scenarios, cash flow, prices. Change a yellow cell, and all follows.

Text goes in as text only: nothing of it becomes a formula or a link. Every formula carries its value, so that a viewer that does not
calculate shows the same figures.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import ROUND_HALF_UP, Decimal
from io import BytesIO
from typing import Any

from advisor.base.plain import plain
from advisor.base.text import Lang, say
from advisor.cost.model import Line, Range
from advisor.cost.settings import Settings
from advisor.plan.plan import Plan
from advisor.report.words import percent

_ENDS = ("low", "likely", "high")
_YEARS = 10  # rows of the cash flow at the most
_CENT = Decimal("0.01")
# Columns of the bill
_REMEDY, _GROUP, _WHAT, _UNIT, _QTY, _PRICE, _IN = 0, 1, 2, 3, 4, 7, 10
_FACTOR, _AMOUNT, _CURRENCY, _STATE, _BASIS, _TAKES = 11, 12, 15, 16, 17, 18


def render(plan: Plan, settings: Settings, name: str, today: date, lang: Lang) -> bytes:
    """The workbook as bytes."""
    from xlsxwriter import Workbook

    out = BytesIO()
    book = Workbook(out, {"in_memory": True, "strings_to_formulas": False, "strings_to_urls": False, "strings_to_numbers": False})
    formats = {
        "head": book.add_format({"bold": True, "bottom": 1, "text_wrap": True, "valign": "top"}),
        "title": book.add_format({"bold": True, "font_size": 14}),
        "wrap": book.add_format({"text_wrap": True, "valign": "top"}),
        "money": book.add_format({"num_format": "#,##0.00"}),
        "sum": book.add_format({"num_format": "#,##0.00", "bold": True, "top": 1}),
        "open": book.add_format({"num_format": "#,##0.00######", "bg_color": "#FFF6D6"}),
        "count": book.add_format({"num_format": "0"}),
        "percent": book.add_format({"num_format": "0.0%", "bg_color": "#FFF6D6"}),
    }
    writer = _Writer(book, formats, plan, settings, lang)
    writer.summary(name, today)
    writer.scenarios()
    writer.cash()
    writer.bill()
    writer.prices()
    book.close()
    return out.getvalue()


@dataclass(frozen=True, slots=True)
class _Row:
    """A line of the bill with its row, and the factor between quantity times price and amount, where there is an exact one."""

    line: Line
    row: int
    factor: Decimal | None
    of: tuple[int, ...] = ()  # rows that it is a share of


class _Writer:
    """Writes one plan, sheet by sheet: the rows of the bill and the prices are laid out first, so that every sheet can point to them."""

    def __init__(self, book: Any, formats: Mapping[str, Any], plan: Plan, settings: Settings, lang: Lang) -> None:
        self.book, self.formats, self.plan, self.settings, self.lang = book, formats, plan, settings, lang
        lines = [line for rung in plan.rungs for line in rung.estimate.lines]
        priced = {line.price.id: line.price for line in lines if line.price is not None}
        self.price_rows = {price: row for row, price in enumerate(sorted(priced), 2)}
        self.priced = priced
        self.rows = _rows(lines)
        self.sheets = {key: book.add_worksheet(say(f"workbook.{key}", lang)) for key in ("summary", "scenarios", "cash", "bill", "prices")}
        self.last = max(len(self.rows) + 2, 3)  # last row of the bill, counted from 1

    def _text(self, sheet: str, row: int, column: int, text: str, form: str | None = None) -> None:
        self.sheets[sheet].write_string(row, column, plain(" ".join(text.split("\n"))), self.formats[form] if form else None)

    def _say(self, key: str, **values: object) -> str:
        return say(f"workbook.{key}", self.lang, **values)

    def _sheet(self, key: str) -> str:
        return f"'{self._say(key)}'!"

    def _formula(self, sheet: str, row: int, column: int, formula: str, value: Decimal | float | str, form: str) -> None:
        shown = float(value) if isinstance(value, Decimal) else value
        self.sheets[sheet].write_formula(row, column, formula, self.formats[form], shown)

    # --- sheets ---

    def summary(self, name: str, today: date) -> None:
        self.sheets["summary"].set_column(0, 0, 110)
        self._text("summary", 0, 0, say("report.title", self.lang, name=name), "title")
        told = [today.isoformat(), self.plan.buying.say(self.lang), self._say("how"), self._say("missing"), self._say("currencies")]
        for row, text in enumerate(told, 2):
            self._text("summary", row, 0, text, "wrap")

    def prices(self) -> None:
        heads = ("id", "price", "unit", "currency", *_ENDS, "date", "valid", "source", "address")
        self._heads("prices", 0, heads)
        self.sheets["prices"].set_column(0, 1, 34)
        for name, number in self.price_rows.items():
            price, row = self.priced[name], number - 1
            told = (price.id, price.name.say(self.lang), price.unit, price.currency)
            for column, text in enumerate(told):
                self._text("prices", row, column, text)
            self._range("prices", row, 4, price.price)
            until = price.compiled_on + timedelta(days=price.valid_days)
            for column, text in enumerate((price.compiled_on.isoformat(), until.isoformat(), price.source, price.source_url), 7):
                self._text("prices", row, column, text)

    def bill(self) -> None:
        scenarios = [scenario.title.say(self.lang) for scenario in self.plan.scenarios]
        heads = [self._say(key) for key in ("remedy", "group", "what", "unit")]
        for key in ("quantity", "unit-price"):
            heads += [f"{self._say(key)}, {self._say(end)}" for end in _ENDS]
        heads.insert(_IN, self._say("price-currency"))
        heads += [self._say("factor"), *(f"{self._say('amount')}, {self._say(end)}" for end in _ENDS)]
        heads += [self._say(key) for key in ("currency", "state", "basis")] + scenarios
        for column, text in enumerate(heads):
            self._text("bill", 0, column, text, "head")
        self.sheets["bill"].freeze_panes(1, 3)
        self.sheets["bill"].set_column(_WHAT, _WHAT, 40)
        self.sheets["bill"].set_column(_BASIS, _BASIS, 60)
        for row in self.rows:
            self._bill_row(row)

    def _bill_row(self, row: _Row) -> None:
        line, at = row.line, row.row
        self._text("bill", at, _REMEDY, line.remedy)
        self._text("bill", at, _GROUP, self._say(line.group))
        self._text("bill", at, _WHAT, line.what.say(self.lang))
        self._text("bill", at, _UNIT, line.unit)
        self._text("bill", at, _CURRENCY, line.currency)
        state = self._say("missing-price" if line.state == "missing" else line.state)
        self._text("bill", at, _STATE, state)
        self._text("bill", at, _BASIS, line.basis.say(self.lang))
        if line.quantity is not None or line.price is not None:
            self._range("bill", at, _QTY, line.quantity)
        if line.price is not None:
            self._text("bill", at, _IN, line.price.currency)
            for i, end in enumerate(_ENDS):
                source = f"{self._sheet('prices')}{_cell(self.price_rows[line.price.id] - 1, 4 + i)}"
                value = getattr(line.price.price, end) if line.price.price else ""
                self._formula("bill", at, _PRICE + i, f'=IF({source}="","",{source})', value, "money")
        self._amounts(row)
        for i, scenario in enumerate(self.plan.scenarios):
            last = 1 + len(self.plan.rungs)
            taken, names = (f"{self._sheet('scenarios')}{_cell(2, column)}:{_cell(last, column)}" for column in (3 + i, 0))
            value = float(line.remedy in scenario.remedies)
            formula = f"=INDEX({taken},MATCH({_cell(at, _REMEDY)},{names},0))"
            self._formula("bill", at, _TAKES + i, formula, value, "count")

    def _amounts(self, row: _Row) -> None:
        line, at = row.line, row.row
        if row.factor is None:  # stated as a whole: a figure to change, not to work out
            self._range("bill", at, _AMOUNT, line.amount)
            return
        self.sheets["bill"].write_number(at, _FACTOR, float(row.factor), self.formats["open"])
        for i, end in enumerate(_ENDS):
            value: Decimal | str = getattr(line.amount, end) if line.amount else ""
            factor = _cell(at, _FACTOR)
            if row.of:
                base = "+".join(f"N({_cell(other, _AMOUNT + i)})" for other in row.of)
                self._formula("bill", at, _AMOUNT + i, f"=ROUND(({base})*{factor},2)", value, "money")
                continue
            quantity, price = _cell(at, _QTY + i), _cell(at, _PRICE + i)
            formula = f'=IF(OR({quantity}="",{price}=""),"",ROUND({quantity}*{price}*{factor},2))'
            self._formula("bill", at, _AMOUNT + i, formula, value, "money")

    def scenarios(self) -> None:
        sheet = self.sheets["scenarios"]
        sheet.set_column(0, 0, 30)
        sheet.set_column(1, 2, 40)
        sheet.set_column(3, 3 + len(self.plan.scenarios), 24)
        self._text("scenarios", 0, 0, self._say("takes"), "head")
        for column, text in enumerate((self._say("id"), self._say("remedy"), self._say("group"))):
            self._text("scenarios", 1, column, text, "head")
        for i, scenario in enumerate(self.plan.scenarios):
            self._text("scenarios", 1, 3 + i, scenario.title.say(self.lang), "head")
        for row, rung in enumerate(self.plan.rungs, 2):
            remedy = rung.proposal.remedy
            for column, text in enumerate((remedy.id, remedy.title.say(self.lang), say(f"kind.{remedy.kind}", self.lang))):
                self._text("scenarios", row, column, text)
            for i, scenario in enumerate(self.plan.scenarios):
                sheet.write_number(row, 3 + i, float(remedy.id in scenario.remedies), self.formats["open"])
        at = 3 + len(self.plan.rungs)
        for currency in self._currencies():
            for i, end in enumerate(_ENDS):
                self._text("scenarios", at, 0, currency)
                self._text("scenarios", at, 1, f"{self._say('total')}, {self._say(end)}")
                for k, scenario in enumerate(self.plan.scenarios):
                    sums = {scenario.estimate.currency: scenario.estimate.total, **scenario.estimate.unconverted}
                    value = getattr(sums.get(currency, Range.of(0)), end)
                    self._formula("scenarios", at, 3 + k, self._sum(currency, i, k), value, "sum")
                at += 1
        self._text("scenarios", at, 1, self._say("without"))
        for k, scenario in enumerate(self.plan.scenarios):
            likely = _span(_AMOUNT + 1, self.last)
            formula = f'=SUMPRODUCT(({self._sheet("bill")}{likely}="")*{self._sheet("bill")}{_span(_TAKES + k, self.last)})'
            self._formula("scenarios", at, 3 + k, formula, float(scenario.estimate.missing), "count")
        self._text("scenarios", at + 1, 1, self._say("recovers"))
        for k, scenario in enumerate(self.plan.scenarios):
            self._text("scenarios", at + 1, 3 + k, percent(scenario.recovers, self.lang))

    def _sum(self, currency: str, end: int, scenario: int, group: str | None = None, apart: bool = False) -> str:
        """The sum of a scenario in a currency; `group`: of one kind of cost, or of all others."""
        bill = self._sheet("bill")
        amounts = f"{bill}{_span(_AMOUNT + end, self.last)}"
        kind = ""
        if group is not None:
            kind = f'*({bill}{_span(_GROUP, self.last)}{"<>" if apart else "="}"{self._say(group)}")'
        which = f'({bill}{_span(_CURRENCY, self.last)}="{currency}")*{bill}{_span(_TAKES + scenario, self.last)}{kind}'
        return f"=SUMPRODUCT({which},{amounts})"  # text in the second array counts as nothing

    def _currencies(self) -> list[str]:
        own = self.plan.currency
        return [own, *sorted({row.line.currency for row in self.rows} - {own})]

    def cash(self) -> None:
        sheet = self.sheets["cash"]
        sheet.set_column(0, 0, 34)
        sheet.set_column(1, len(self.plan.scenarios), 24)
        years = Decimal(self.settings.horizon_months) / 12
        self._text("cash", 0, 0, self._say("horizon"))
        sheet.write_number(0, 1, float(years), self.formats["open"])
        self._text("cash", 1, 0, self._say("interest"))
        rate = self.settings.discount_rate_percent
        if rate is not None:
            sheet.write_number(1, 1, float(rate / 100), self.formats["percent"])
        else:
            sheet.write_blank(1, 1, None, self.formats["percent"])
        self._text("cash", 3, 0, f"{self._say('scenario')} ({self.plan.currency})", "head")
        labels = ("once", "running-year", "won-year", "payback", "present")
        for row, key in enumerate(labels, 4):
            self._text("cash", row, 0, self._say(key))
        whole = min(int(years), _YEARS)
        for year in range(whole + 1):
            self._text("cash", 10 + year, 0, f"{self._say('year', n=year)}, {self._say('cumulative')}")
        for k, scenario in enumerate(self.plan.scenarios):
            self._flows(k, scenario, years, whole)

    def _flows(self, k: int, scenario: Any, years: Decimal, whole: int) -> None:
        column, groups = 1 + k, scenario.estimate.by_group
        running = groups["running"].likely if "running" in groups else Decimal(0)
        once = scenario.estimate.total.likely - running
        self._text("cash", 3, column, scenario.title.say(self.lang), "head")
        self._formula("cash", 4, column, self._sum(self.plan.currency, 1, k, "running", apart=True), once, "money")
        self._formula("cash", 5, column, f"{self._sum(self.plan.currency, 1, k, 'running')}/$B$1", running / years, "money")
        if scenario.won is not None:
            self.sheets["cash"].write_number(6, column, float(scenario.won.likely / years), self.formats["open"])
        else:
            self.sheets["cash"].write_blank(6, column, None, self.formats["open"])
        spent, run, won = (_cell(row, column) for row in (4, 5, 6))
        months: Decimal | str = scenario.payback_months if scenario.payback_months is not None else ""
        gain = f"({won}-{run})"
        self._formula("cash", 7, column, f'=IF(OR({won}="",{spent}=0),"",IF({gain}>0,ROUND({spent}/{gain}*12,1),""))', months, "money")
        value: Decimal | str = scenario.present_value if scenario.present_value is not None else ""
        part = f"($B$1-INT($B$1))*{gain}/(1+$B$2)^$B$1"
        annuity = f"IF($B$2=0,{gain}*INT($B$1),{gain}*(1-(1+$B$2)^-INT($B$1))/$B$2)"
        self._formula("cash", 8, column, f'=IF(OR({won}="",$B$2=""),"",ROUND(-{spent}+{annuity}+{part},2))', value, "sum")
        won_year = scenario.won.likely / years if scenario.won is not None else None
        for year in range(whole + 1):
            added: Decimal | str = "" if won_year is None else -once + year * (won_year - running / years)
            self._formula("cash", 10 + year, column, f'=IF({won}="","",-{spent}+{year}*{gain})', added, "money")

    # --- parts of sheets ---

    def _heads(self, sheet: str, row: int, keys: tuple[str, ...]) -> None:
        for column, key in enumerate(keys):
            self._text(sheet, row, column, self._say(key), "head")

    def _range(self, sheet: str, row: int, column: int, amounts: Range | None) -> None:
        """Low, likely and high as figures to change; blank ones to fill in where nothing is known."""
        for i, end in enumerate(_ENDS):
            if amounts is None:
                self.sheets[sheet].write_blank(row, column + i, None, self.formats["open"])
            else:
                self.sheets[sheet].write_number(row, column + i, float(getattr(amounts, end)), self.formats["open"])


def _rows(lines: list[Line]) -> list[_Row]:
    """Lines with their rows below the head, and what ties amount to quantity and price, or to the lines that it is a share of."""
    found: list[_Row] = []
    for row, line in enumerate(lines, 1):
        of = tuple(other.row for other in found if other.line.remedy == line.remedy and other.line.item in line.rests_on)
        bases = [other.line.amount for other in found if other.row in of]
        if line.rests_on and line.amount is not None and of and all(base is not None for base in bases):
            base = [sum((getattr(one, end) for one in bases), Decimal(0)) for end in _ENDS]
            found.append(_Row(line, row, _factor(line.amount, base), of))
        elif line.price is not None and line.price.price is not None and line.quantity is not None and line.amount is not None:
            base = [getattr(line.quantity, end) * getattr(line.price.price, end) for end in _ENDS]
            found.append(_Row(line, row, _factor(line.amount, base)))
        elif line.price is not None and line.amount is None:
            found.append(_Row(line, row, Decimal(1)))
        else:
            found.append(_Row(line, row, None))
    return found


def _factor(amount: Range, base: list[Decimal]) -> Decimal | None:
    """The factor that makes all three amounts out of their bases, to the cent; the shortest decimal that does, or None."""
    ends = [getattr(amount, end) for end in _ENDS]
    middle = next((i for i in (2, 1, 0) if base[i]), None)
    if middle is None:
        return Decimal(1) if not any(ends) else None
    exact = ends[middle] / base[middle]
    for places in range(13):
        factor = exact.quantize(Decimal(1).scaleb(-places), rounding=ROUND_HALF_UP)
        if all(_rounded(value * factor) == end for value, end in zip(base, ends, strict=True)):
            return factor if _same_in_floats(base, ends, factor) else None
    return None


def _rounded(value: Decimal) -> Decimal:
    return value.quantize(_CENT, rounding=ROUND_HALF_UP)


def _same_in_floats(base: list[Decimal], ends: list[Decimal], factor: Decimal) -> bool:
    """Whether a spreadsheet, which counts in binary, comes to the same cents: half a cent may fall to either side there."""
    return all(abs(float(value) * float(factor) - float(end)) < 0.004999 for value, end in zip(base, ends, strict=True))


def _cell(row: int, column: int) -> str:
    """The address of a cell, fixed."""
    from xlsxwriter.utility import xl_rowcol_to_cell

    return str(xl_rowcol_to_cell(row, column, row_abs=True, col_abs=True))


def _span(column: int, last: int) -> str:
    """A column of the bill below its head."""
    return f"{_cell(1, column)}:{_cell(last - 1, column)}"
