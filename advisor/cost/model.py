"""Money: dated prices with sources, the lines of an estimate, scenarios. Amounts are decimals; a price not found is a state."""

from datetime import date
from decimal import Decimal
from typing import Literal

from pydantic import Field, model_validator

from advisor.base.model import Model
from advisor.base.text import Text
from advisor.cost.currency import Currency

PriceState = Literal["current", "expired", "missing"]


class Range(Model):
    """Low, likely and high of one amount."""

    low: Decimal
    likely: Decimal
    high: Decimal

    @model_validator(mode="after")
    def _ascends(self) -> "Range":
        if not self.low <= self.likely <= self.high:
            raise ValueError(f"low {self.low}, likely {self.likely}, high {self.high}: must ascend")
        return self

    @staticmethod
    def of(amount: Decimal | int) -> "Range":
        """An amount that is known exactly."""
        exact = Decimal(amount)
        return Range(low=exact, likely=exact, high=exact)

    def __add__(self, other: "Range") -> "Range":
        return Range(low=self.low + other.low, likely=self.likely + other.likely, high=self.high + other.high)

    def times(self, low: Decimal, likely: Decimal | None = None, high: Decimal | None = None) -> "Range":
        likely = low if likely is None else likely
        return Range(low=self.low * low, likely=self.likely * likely, high=self.high * (likely if high is None else high))


class Observation(Model):
    """One price that was seen, as it was seen: part of what a price of the book rests on. `seen` is a day, a month or a year.

    After `valid_until` it shows as old, even where the price of the book, which is compiled later from several, still holds.
    """

    id: str
    what: str
    price: Decimal
    currency: str
    seen: str
    title: str
    url: str = ""
    valid_until: date
    grade: Literal["high", "medium", "low"]
    note: str = ""

    def is_old(self, today: date) -> bool:
        return today > self.valid_until


class Replaced(Model):
    """A price that a person put another in the place of: what it was, and when, by whom and why it went."""

    price: Range | None
    currency: str
    compiled_on: date
    kind: str
    source: str
    replaced_on: date
    by: str = ""
    why: str = ""


class Price(Model):
    """One price of the book: per unit, in its own currency, with the day it was compiled and how long it holds.

    kind      evidence: prices that were seen. estimate: worked out from some, as `note` says. quote: a seller's. ask: nothing
              but a guess is at hand, so there is no price (`price` is None): it counts as missing and asks for a quote.
    roles     of labour: who is paid by it. region: where it holds; empty is anywhere.
    tax       whether the amount has tax in it; empty: nobody said, and it is counted as net.
    history   what stood here before, latest first.
    """

    id: str
    name: Text
    unit: str
    currency: Currency
    price: Range | None = None
    compiled_on: date
    valid_days: int = Field(ge=0)
    kind: Literal["evidence", "estimate", "quote", "ask"]
    source: str
    source_url: str = ""
    note: str = ""
    evidence: tuple[Observation, ...] = ()
    roles: tuple[str, ...] = ()
    region: str = ""
    radix: int | None = None  # of a switch: ports at `port_gbps`
    port_gbps: int | None = None
    kw_typical: Decimal | None = None
    kw_max: Decimal | None = None
    tax: Literal["", "excluded", "included"] = ""
    history: tuple[Replaced, ...] = ()

    @model_validator(mode="after")
    def _kind_fits(self) -> "Price":
        if (self.kind == "ask") != (self.price is None):
            raise ValueError("a price of kind ask has no price, every other kind has one")
        if self.kind == "evidence" and not self.evidence:
            raise ValueError("a price of kind evidence names what was seen")
        if self.price is not None and self.price.low < 0:
            raise ValueError("a price is not below 0")
        return self

    def state(self, today: date) -> PriceState:
        if self.price is None:
            return "missing"
        return "expired" if (today - self.compiled_on).days > self.valid_days else "current"

    def days_left(self, today: date) -> int:
        """Days until it expires; negative: days since."""
        return self.valid_days - (today - self.compiled_on).days


class Line(Model):
    """One line of an estimate. `amount` is None where the price or the quantity is unknown; it then counts as missing, not as 0.

    `currency` is that of `amount`: the estimate's own, or the price's where no rate between the two is known.
    `rests_on`: of a line that is a share of others (a reserve, tax, support), the items of its remedy that it is a share of.
    """

    remedy: str
    what: Text
    group: Literal["capital", "labour", "downtime", "running"]
    item: str
    unit: str
    quantity: Range | None
    price: Price | None
    state: PriceState
    amount: Range | None
    currency: str
    basis: Text  # how the quantity was found
    rests_on: tuple[str, ...] = ()


class Driver(Model):
    """One uncertain figure behind a total: what the total is with it at its low and its high end and all others likely.

    `rank`: Spearman's correlation of the figure with the total over all draws, -1 to 1.
    """

    item: str
    what: Text
    figure: Literal["price", "quantity"]
    low: Decimal
    high: Decimal
    rank: float


class Chance(Model):
    """A total in one currency as a distribution: simulated, never the sum of the lines' percentiles.

    Each figure is triangular between its low and high; figures of one name move together, all others independently.
    """

    currency: str
    p10: Decimal
    p50: Decimal
    p90: Decimal
    mean: Decimal
    draws: int
    seed: int
    drivers: tuple[Driver, ...] = ()  # what moves the total most, first


class Swing(Model):
    """What a scenario brings in all when one figure is at its low or its high end and all others are likely."""

    figure: Text
    low: Decimal
    high: Decimal


class Estimate(Model):
    """Lines; `total` adds the known ones of `currency`, `unconverted` those of others, `missing` counts the unknown ones."""

    currency: str
    lines: tuple[Line, ...] = ()
    total: Range
    by_group: dict[str, Range] = {}
    unconverted: dict[str, Range] = {}
    missing: int = 0
    expired: int = 0


class Scenario(Model):
    """A set of remedies with what it recovers and costs; `lost` is what the loss that stays costs over the horizon.

    recovers, recovers_low, recovers_high
                   share of expected bandwidth: what is known of each remedy, and bounds that include those of which nobody knows how much
    lost_gpu_hours, lost
                   what the loss that stays costs over the horizon, in GPU-hours and at the site's own GPU-hour
    won_gpu_hours, won
                   what comes back over the horizon
    chances        the total as a distribution, one for each currency, with what moves it most
    payback_months, present_value, break_even_gpu_hours
                   of what is spent against what comes back; None where a part of it is not known, and `open` says which
    sensitivity    what is left in the end (won less spent), by the figures that move it most
    left_out       of a budget: remedies that could not be weighed, with the reason
    """

    id: str
    title: Text
    remedies: tuple[str, ...]
    recovers: float | None = None
    recovers_low: float | None = None
    recovers_high: float | None = None
    remaining: float | None = None
    estimate: Estimate
    chances: tuple[Chance, ...] = ()
    lost_gpu_hours: Range | None = None
    lost: Range | None = None
    won_gpu_hours: Range | None = None
    won: Range | None = None
    payback_months: Decimal | None = None
    present_value: Decimal | None = None
    break_even_gpu_hours: Decimal | None = None
    sensitivity: tuple[Swing, ...] = ()
    open: tuple[Text, ...] = ()
    left_out: dict[str, Text] = {}
    note: Text | None = None
