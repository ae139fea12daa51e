"""What is bought for a remedy, and what buying brings along: spares, a reserve, tax, support, energy."""

from collections.abc import Iterable, Mapping
from datetime import date
from decimal import Decimal
from math import ceil

from advisor.cost.lines import by_currency, cents, converted, multiply, priced, stated, total
from advisor.cost.model import Line, Price, Range
from advisor.cost.prices import regional
from advisor.cost.quantities import RULES, Quantity, Site, port_rate, uplink_rate
from advisor.cost.settings import Settings
from advisor.cost.templates import Template
from advisor.fabric.model import Fabric
from advisor.remedy.remedy import Part, Proposal
from advisor.remedy.words import both

HOURS_PER_MONTH = Decimal(730)  # 8760 / 12
_GEAR = ("sw-", "nic-", "dpu-", "opt-")  # what support is paid for
_PLUGS = ("opt-", "dac-", "aoc-", "aec-")  # what spares are kept of


def bought(
    proposal: Proposal,
    fabric: Fabric,
    prices: Mapping[str, Price],
    settings: Settings,
    today: date,
    templates: Mapping[str, Template],
) -> Iterable[Line]:
    """The parts of a remedy and of its template, by the technology and the rate of the site's links."""
    remedy = proposal.remedy
    parts: tuple[Part, ...] = remedy.parts
    switch: Price | None = None
    if remedy.template:
        template = templates[remedy.template]
        rate = uplink_rate(fabric) if template.rate_of == "uplink" else port_rate(fabric)
        choice = template.choice(fabric.technology, rate)
        if choice is None:
            yield stated(
                remedy.id, "capital", template.id, template.title, "each", None, None, settings.currency, both("cost.unknown.gear")
            )
        else:
            parts, switch = (*parts, *choice.parts), prices.get(choice.switch)
    site = Site(proposal, fabric, settings, switch)
    for part in parts:
        quantity, price = RULES[part.quantity](site), prices.get(part.item)
        what = price.name if price else both("cost.no-item", item=part.item)
        yield priced(remedy.id, "capital", part.item, what, price.unit if price else "each", quantity, price, settings, today)


def spares(lines: list[Line], settings: Settings) -> list[Line]:
    """Spares of what plugs in, by the settings' percentage."""
    return [_spares(line, settings) for line in lines if settings.spares_percent and line.amount and line.item.startswith(_PLUGS)]


def reserve_and_tax(proposal: Proposal, lines: list[Line], settings: Settings) -> Iterable[Line]:
    """A reserve on hardware and works, then tax on what is bought and on its part of the reserve."""
    for name, percent, taxed in (
        ("contingency", settings.contingency_percent, [line for line in lines if line.group in ("capital", "labour")]),
        ("tax", settings.tax_percent, [line for line in lines if line.group == "capital"]),
    ):
        for currency, amount in by_currency(total(taxed, settings)).items():
            if percent:
                reserved = 1 + settings.contingency_percent / 100 if name == "tax" else Decimal(1)
                yield stated(
                    proposal.remedy.id,
                    "capital",
                    name,
                    both(f"cost.{name}"),
                    "%",
                    Range.of(percent),
                    amount.times(percent / 100 * reserved),
                    currency,
                    both(f"cost.basis.{name}", percent=percent),
                )


def _spares(line: Line, settings: Settings) -> Line:
    """As many more of a line's part as the percentage says, rounded up."""
    per_unit, _ = converted(line.price, settings)
    if line.quantity is None or per_unit is None:
        return line
    low, likely, high = (
        Decimal(ceil(value * settings.spares_percent / 100)) for value in (line.quantity.low, line.quantity.likely, line.quantity.high)
    )
    quantity = Range(low=low, likely=likely, high=high)
    what = both("cost.spares", what=line.what)
    basis = both("cost.basis.spares", percent=settings.spares_percent)
    return line.model_copy(update={"what": what, "quantity": quantity, "amount": cents(multiply(quantity, per_unit)), "basis": basis})


def running(proposal: Proposal, lines: list[Line], prices: Mapping[str, Price], settings: Settings, today: date) -> Iterable[Line]:
    """Support and energy of what is bought, over the horizon."""
    gear = total((line for line in lines if line.item.startswith(_GEAR)), settings)
    percent = settings.support_percent
    if percent:
        for currency, amount in by_currency(gear).items():
            yield stated(
                proposal.remedy.id,
                "running",
                "support",
                both("cost.support"),
                "%",
                Range.of(percent),
                amount.times(percent / 100 * settings.horizon_months / 12),
                currency,
                both("cost.basis.support", percent=percent, months=settings.horizon_months),
            )
    for line in lines:
        energy = _energy(line, settings)
        if energy is None or energy.amount is None:
            continue
        if settings.kwh_price is not None:
            amount = energy.amount.times(settings.kwh_price)
            yield stated(
                proposal.remedy.id, "running", "kwh", both("cost.energy"), "kWh", energy.amount, amount, settings.currency, energy.basis
            )
        else:
            price = regional("kwh", prices, settings)
            yield priced(proposal.remedy.id, "running", "kwh", both("cost.energy"), "kWh", energy, price, settings, today)


def _energy(line: Line, settings: Settings) -> Quantity | None:
    """kWh of a bought switch over the horizon; the maximum of a switch includes its active modules."""
    if line.price is None or line.price.kw_typical is None or line.quantity is None:
        return None
    kw = Range(low=line.price.kw_typical, likely=line.price.kw_typical, high=line.price.kw_max or line.price.kw_typical)
    hours = HOURS_PER_MONTH * settings.horizon_months * (settings.pue or 1)
    basis = both("cost.basis.energy", what=line.what, months=settings.horizon_months, pue=settings.pue or 1)
    return Quantity(multiply(line.quantity, kw).times(hours), basis)
