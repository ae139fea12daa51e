"""What one remedy costs at this site: parts, labour, downtime, running cost, each line with its quantity, price and state.

Every amount is rounded to the cent in its line, and totals add what the lines show.
"""

from collections.abc import Iterable, Mapping
from datetime import date
from decimal import ROUND_HALF_UP, Decimal
from math import ceil
from typing import Literal

from advisor.base.text import Text
from advisor.cost.model import Estimate, Line, Price, Range
from advisor.cost.prices import day_rate, regional
from advisor.cost.quantities import (
    RULES,
    Quantity,
    Site,
    gpu_count,
    host_count,
    touched_hosts,
    touched_leaves,
    touched_links,
    uplink_rate,
)
from advisor.cost.settings import Settings
from advisor.cost.templates import Template, shipped_templates
from advisor.fabric.model import Fabric
from advisor.remedy.remedy import Effort, Part, Proposal
from advisor.remedy.words import both

CENT = Decimal("0.01")
HOURS_PER_MONTH = Decimal(730)  # 8760 / 12
ZERO = Range.of(0)
Group = Literal["capital", "labour", "downtime", "running"]
GROUPS: tuple[Group, ...] = ("capital", "labour", "downtime", "running")


def estimate(
    proposal: Proposal,
    fabric: Fabric,
    prices: Mapping[str, Price],
    settings: Settings,
    today: date,
    templates: Mapping[str, Template] | None = None,
) -> Estimate:
    """The estimate of one remedy. A price or quantity that is not known makes a line that says so and counts as missing."""
    shelf = shipped_templates() if templates is None else templates
    capital = [*_parts(proposal, fabric, prices, settings, today, shelf)]
    capital += _on_top(proposal, capital, settings)
    lines = [
        *capital,
        *(_labour(proposal, effort, fabric, prices, settings, today) for effort in proposal.remedy.effort),
        *_downtime(proposal, fabric, settings),
        *_running(proposal, capital, prices, settings, today),
    ]
    return total(lines, settings)


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


def cents(amount: Range) -> Range:
    low, likely, high = (value.quantize(CENT, rounding=ROUND_HALF_UP) for value in (amount.low, amount.likely, amount.high))
    return Range(low=low, likely=likely, high=high)


def _parts(
    proposal: Proposal,
    fabric: Fabric,
    prices: Mapping[str, Price],
    settings: Settings,
    today: date,
    templates: Mapping[str, Template],
) -> Iterable[Line]:
    parts: tuple[Part, ...] = proposal.remedy.parts
    switch: Price | None = None
    if proposal.remedy.template:
        choice = templates[proposal.remedy.template].choice(fabric.technology, uplink_rate(fabric))
        if choice is None:
            yield _unknown_gear(proposal, templates[proposal.remedy.template], settings)
        else:
            parts, switch = (*parts, *choice.parts), prices.get(choice.switch)
    site = Site(proposal, fabric, settings, switch)
    for part in parts:
        quantity, price = RULES[part.quantity](site), prices.get(part.item)
        what = price.name if price else both("cost.no-item", item=part.item)
        yield _line(proposal, "capital", part.item, what, price.unit if price else "each", quantity, price, settings, today)


def _unknown_gear(proposal: Proposal, template: Template, settings: Settings) -> Line:
    nothing = Quantity(None, both("cost.unknown.gear"))
    return _line(proposal, "capital", template.id, template.title, "each", nothing, None, settings, date.min)


def _labour(proposal: Proposal, effort: Effort, fabric: Fabric, prices: Mapping[str, Price], settings: Settings, today: date) -> Line:
    counts = {
        "site": 1,
        "host": touched_hosts(proposal, fabric),
        "leaf": touched_leaves(proposal, fabric),
        "link": touched_links(proposal, fabric),
    }
    count = counts[effort.per]
    role = both(f"cost.role.{effort.role}")
    if count is None:
        quantity = Quantity(None, both(f"cost.unknown.per-{effort.per}"))
    else:
        low, high = (Decimal(str(days)) * count for days in (effort.low_days, effort.high_days))
        source = both("cost.judgement") if effort.source == "judgement" else both("cost.from-source", source=effort.source)
        quantity = Quantity(
            Range(low=low, likely=(low + high) / 2, high=high),
            both(f"cost.basis.per-{effort.per}", low=effort.low_days, high=effort.high_days, count=count, source=source),
        )
    stated = settings.day_rates.get(effort.role)
    if stated is not None:
        amount = None if quantity.amount is None else cents(_multiply(quantity.amount, stated))
        return Line(
            remedy=proposal.remedy.id,
            what=role,
            group="labour",
            item=effort.role,
            unit="day",
            quantity=quantity.amount,
            price=None,
            state="missing" if amount is None else "current",
            amount=amount,
            currency=settings.currency,
            basis=both("cost.stated-rate", basis=quantity.basis),
        )
    price = day_rate(effort.role, prices, settings)
    if price is not None and price.region and not settings.region:
        quantity = Quantity(quantity.amount, both("cost.foreign-rate", basis=quantity.basis, region=price.region.upper()))
    return _line(proposal, "labour", price.id if price else effort.role, role, "day", quantity, price, settings, today)


def _downtime(proposal: Proposal, fabric: Fabric, settings: Settings) -> Iterable[Line]:
    """GPU-hours out of service, times the value of one and the share of the time in which they would have been busy."""
    downtime = proposal.remedy.downtime
    if downtime is None:
        return
    gpus, hosts = settings.gpus or gpu_count(fabric), host_count(fabric)
    touched = hosts if downtime.per == "site" else touched_hosts(proposal, fabric)
    if gpus is None or not hosts or touched is None:
        quantity = Quantity(None, both("cost.unknown.downtime"))
    else:
        out = Decimal(gpus) * touched / hosts
        low, high = (Decimal(str(hours)) * out for hours in (downtime.low_hours, downtime.high_hours))
        quantity = Quantity(
            Range(low=low, likely=(low + high) / 2, high=high),
            both("cost.basis.downtime", hosts=touched, low=downtime.low_hours, high=downtime.high_hours, gpus=round(out)),
        )
    amount = None
    if quantity.amount is not None and settings.gpu_hour is not None:
        busy = Decimal(1) if settings.utilisation is None else settings.utilisation
        amount = cents(quantity.amount.times(settings.gpu_hour * busy))
    yield Line(
        remedy=proposal.remedy.id,
        what=both("cost.downtime"),
        group="downtime",
        item="gpu-hour",
        unit="GPU-hour",
        quantity=quantity.amount,
        price=None,
        state="missing" if amount is None else "current",
        amount=amount,
        currency=settings.currency,
        basis=quantity.basis,
    )


def _on_top(proposal: Proposal, bought: list[Line], settings: Settings) -> list[Line]:
    """Spares of what plugs in, then a reserve on everything bought, by the settings' percentages."""
    added = [
        line.model_copy(
            update={
                "what": both("cost.spares", what=line.what),
                "quantity": _spare(line.quantity, settings.spares_percent),
                "amount": cents(_multiply(_spare(line.quantity, settings.spares_percent), _converted(line.price, settings)[0])),
                "basis": both("cost.basis.spares", percent=settings.spares_percent),
            }
        )
        for line in bought
        if settings.spares_percent
        and line.quantity
        and line.amount
        and line.price
        and line.price.id.startswith(("opt-", "dac-", "aoc-", "aec-"))
    ]
    if not settings.contingency_percent:
        return added
    sums = total((*bought, *added), settings)
    currencies = {settings.currency: sums.total, **sums.unconverted}
    return added + [
        Line(
            remedy=proposal.remedy.id,
            what=both("cost.contingency"),
            group="capital",
            item="contingency",
            unit="%",
            quantity=Range.of(settings.contingency_percent),
            price=None,
            state="current",
            amount=cents(amount.times(settings.contingency_percent / 100)),
            currency=currency,
            basis=both("cost.basis.contingency", percent=settings.contingency_percent),
        )
        for currency, amount in currencies.items()
        if amount.high
    ]


def _running(proposal: Proposal, bought: list[Line], prices: Mapping[str, Price], settings: Settings, today: date) -> Iterable[Line]:
    """Support and energy of what is bought, over the horizon."""
    if settings.support_percent:
        gear = total((line for line in bought if line.item != "contingency"), settings)
        share = settings.support_percent / 100 * settings.horizon_months / 12
        for currency, amount in {settings.currency: gear.total, **gear.unconverted}.items():
            if amount.high:
                yield Line(
                    remedy=proposal.remedy.id,
                    what=both("cost.support"),
                    group="running",
                    item="support",
                    unit="%",
                    quantity=Range.of(settings.support_percent),
                    price=None,
                    state="current",
                    amount=cents(amount.times(share)),
                    currency=currency,
                    basis=both("cost.basis.support", percent=settings.support_percent, months=settings.horizon_months),
                )
    for line in bought:
        if line.price is None or line.price.kw_typical is None or line.quantity is None:
            continue
        kw = Range(low=line.price.kw_typical, likely=line.price.kw_typical, high=line.price.kw_max or line.price.kw_typical)
        hours = HOURS_PER_MONTH * settings.horizon_months * (settings.pue or 1)
        quantity = Quantity(
            _multiply(line.quantity, kw).times(hours),
            both("cost.basis.energy", what=line.what, months=settings.horizon_months, pue=settings.pue or 1),
        )
        price = regional("kwh", prices, settings)
        made = _line(proposal, "running", "kwh", both("cost.energy"), "kWh", quantity, price, settings, today)
        if settings.kwh_price is not None and quantity.amount is not None:
            amount = cents(quantity.amount.times(settings.kwh_price))
            made = made.model_copy(update={"amount": amount, "state": "current", "currency": settings.currency, "price": None})
        yield made


def _line(
    proposal: Proposal,
    group: Group,
    item: str,
    what: Text,
    unit: str,
    quantity: Quantity,
    price: Price | None,
    settings: Settings,
    today: date,
) -> Line:
    per_unit, currency = _converted(price, settings)
    amount = None if per_unit is None or quantity.amount is None else cents(_multiply(quantity.amount, per_unit))
    return Line(
        remedy=proposal.remedy.id,
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


def _converted(price: Price | None, settings: Settings) -> tuple[Range | None, str]:
    """A price in the settings' currency where a rate is known, else in its own."""
    if price is None or price.price is None:
        return None, settings.currency
    rate = settings.rate(price.currency)
    return (price.price, price.currency) if rate is None else (price.price.times(rate), settings.currency)


def _multiply(quantity: Range | None, price: Range | None) -> Range:
    if quantity is None or price is None:
        return ZERO
    return Range(low=quantity.low * price.low, likely=quantity.likely * price.likely, high=quantity.high * price.high)


def _spare(quantity: Range | None, percent: Decimal) -> Range:
    if quantity is None:
        return ZERO
    low, likely, high = (Decimal(ceil(value * percent / 100)) for value in (quantity.low, quantity.likely, quantity.high))
    return Range(low=low, likely=likely, high=high)
