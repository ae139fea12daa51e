"""Money: dated prices with sources, the lines of an estimate, scenarios. Amounts are decimals; a price not found is a state."""

from datetime import date
from decimal import Decimal
from typing import Literal

from advisor.base.model import Model
from advisor.base.text import Text

PriceState = Literal["current", "expired", "missing"]


class Range(Model):
    """Low, likely and high of one amount."""

    low: Decimal
    likely: Decimal
    high: Decimal

    def __add__(self, other: "Range") -> "Range":
        return Range(low=self.low + other.low, likely=self.likely + other.likely, high=self.high + other.high)

    def times(self, low: Decimal, likely: Decimal | None = None, high: Decimal | None = None) -> "Range":
        likely = low if likely is None else likely
        return Range(low=self.low * low, likely=self.likely * likely, high=self.high * (likely if high is None else high))


class Price(Model):
    """One price of the book: per unit, in its own currency, with the day it was compiled and how long it holds."""

    id: str
    name: Text
    unit: str
    currency: str
    price: Range
    compiled_on: date
    valid_days: int
    kind: Literal["evidence", "estimate", "quote"]
    source: str
    source_url: str = ""
    note: str = ""

    def state(self, today: date) -> PriceState:
        return "expired" if (today - self.compiled_on).days > self.valid_days else "current"


class Line(Model):
    """One line of an estimate. `amount` is None where the price or the quantity is unknown; it then counts as missing, not as 0."""

    remedy: str
    what: Text
    group: Literal["capital", "labour", "downtime", "running"]
    item: str
    unit: str
    quantity: Range | None
    price: Price | None
    state: PriceState
    amount: Range | None
    basis: Text  # how the quantity was found


class Estimate(Model):
    """Lines in one currency; `total` adds the known ones, `missing` counts the others."""

    currency: str
    lines: tuple[Line, ...] = ()
    total: Range
    by_group: dict[str, Range] = {}
    missing: int = 0
    expired: int = 0


class Scenario(Model):
    """A set of remedies with what it recovers and costs."""

    id: str
    title: Text
    remedies: tuple[str, ...]
    recovers: float | None = None
    remaining: float | None = None
    estimate: Estimate
    note: Text | None = None
