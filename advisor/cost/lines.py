"""Lines of an estimate and their sums. An amount is rounded to the cent in its line, and totals add what the lines show."""

from collections.abc import Iterable
from datetime import date
from decimal import ROUND_HALF_UP, Decimal
from typing import Literal, get_args

from advisor.base.text import Text
from advisor.cost.model import Estimate, Line, Price, Range
from advisor.cost.quantities import Quantity
from advisor.cost.settings import Settings
from advisor.remedy.words import both

CENT = Decimal("0.01")
ZERO = Range.of(0)
Group = Literal["capital", "labour", "downtime", "running"]
GROUPS: tuple[Group, ...] = get_args(Group)


def priced(
    remedy: str,
    group: Group,
    item: str,
    what: Text,
    unit: str,
    quantity: Quantity,
    price: Price | None,
    settings: Settings,
    today: date,
) -> Line:
    """A line of the price book: quantity times price, in the settings' currency where a rate is known, else in the price's own.

    A discount comes off what is bought at prices of the book; a quote is what was agreed already.
    """
    per_unit, currency = converted(price, settings)
    percent = settings.discount(item) if group == "capital" and price is not None and price.kind != "quote" else Decimal(0)
    if percent and per_unit is not None:
        per_unit = per_unit.times(1 - percent / 100)
        quantity = Quantity(quantity.amount, both("cost.discounted", basis=quantity.basis, percent=percent))
    amount = None if per_unit is None or quantity.amount is None else cents(multiply(quantity.amount, per_unit))
    return Line(
        remedy=remedy,
        what=what,
        group=group,
        item=item,
        unit=unit,
        quantity=quantity.amount,
        price=price,
        state="missing" if amount is None or price is None else price.state(today),
        amount=amount,
        currency=currency,
        basis=quantity.basis,
    )


def stated(
    remedy: str,
    group: Group,
    item: str,
    what: Text,
    unit: str,
    quantity: Range | None,
    amount: Range | None,
    currency: str,
    basis: Text,
    rests_on: tuple[str, ...] = (),
) -> Line:
    """A line whose amount follows from what a person set; without an amount it is missing."""
    return Line(
        remedy=remedy,
        what=what,
        group=group,
        item=item,
        unit=unit,
        quantity=quantity,
        price=None,
        state="missing" if amount is None else "current",
        amount=None if amount is None else cents(amount),
        currency=currency,
        basis=basis,
        rests_on=rests_on,
    )


def total(lines: Iterable[Line], settings: Settings) -> Estimate:
    """Lines as one estimate: known amounts are added by currency, unknown ones are counted."""
    found = tuple(lines)
    groups: dict[str, Range] = {}
    other: dict[str, Range] = {}
    added = ZERO
    for line in found:
        if line.amount is None:
            continue
        if line.currency == settings.currency:
            added += line.amount
            groups[line.group] = groups.get(line.group, ZERO) + line.amount
        else:
            other[line.currency] = other.get(line.currency, ZERO) + line.amount
    return Estimate(
        currency=settings.currency,
        lines=found,
        total=added,
        by_group={group: groups[group] for group in GROUPS if group in groups},
        unconverted=dict(sorted(other.items())),
        missing=sum(line.state == "missing" for line in found),
        expired=sum(line.state == "expired" for line in found),
    )


def by_currency(estimate: Estimate) -> dict[str, Range]:
    """The sums of an estimate by currency, without those that are nothing."""
    sums = {estimate.currency: estimate.total, **estimate.unconverted}
    return {currency: amount for currency, amount in sums.items() if amount.high}


def groups_of(estimate: Estimate) -> dict[str, dict[Group, Range]]:
    """The sums by currency and kind of cost, of what is known: those of the estimate's own currency and of every other one."""
    found: dict[str, dict[Group, Range]] = {}
    for line in estimate.lines:
        if line.amount is not None:
            groups = found.setdefault(line.currency, {})
            groups[line.group] = groups.get(line.group, ZERO) + line.amount
    return found


def converted(price: Price | None, settings: Settings) -> tuple[Range | None, str]:
    """A price per unit, and its currency: the settings' where a rate is known, else its own."""
    if price is None or price.price is None:
        return None, settings.currency
    rate = settings.rate(price.currency)
    return (price.price, price.currency) if rate is None else (price.price.times(rate), settings.currency)


def multiply(one: Range, other: Range) -> Range:
    return Range(low=one.low * other.low, likely=one.likely * other.likely, high=one.high * other.high)


def cents(amount: Range) -> Range:
    low, likely, high = (value.quantize(CENT, rounding=ROUND_HALF_UP) for value in (amount.low, amount.likely, amount.high))
    return Range(low=low, likely=likely, high=high)
