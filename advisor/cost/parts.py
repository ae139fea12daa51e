"""What is bought for a remedy, and what buying brings along: spares, a reserve, tax, support, energy."""

from collections.abc import Iterable, Mapping
from datetime import date
from decimal import Decimal
from math import ceil

from advisor.base.text import Text
from advisor.cost.hours import HOURS_PER_MONTH
from advisor.cost.lines import by_currency, cents, converted, multiply, priced, stated, total
from advisor.cost.model import Line, Price, Range
from advisor.cost.prices import regional
from advisor.cost.quantities import RULES, Quantity, Site, port_rate, uplink_rate
from advisor.cost.settings import Settings
from advisor.cost.templates import Template
from advisor.fabric.model import Fabric
from advisor.remedy.remedy import Part, Proposal
from advisor.remedy.words import both

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
    """A reserve on hardware and works, then tax on what is bought and on labour, each with its part of the reserve.

    A price that has tax in it already is not taxed again.
    """
    bought_net = [line for line in lines if line.group == "capital" and not _has_tax(line)]
    works_net = [line for line in lines if line.group == "labour" and not _has_tax(line)]
    reserved = 1 + settings.contingency_percent / 100
    for name, percent, on, factor in (
        ("contingency", settings.contingency_percent, lines, Decimal(1)),
        ("tax", settings.tax_percent, bought_net, reserved),
        ("labour-tax", settings.labour_tax_percent, works_net, reserved),
    ):
        for currency, amount in by_currency(total(on, settings)).items() if percent else ():
            yield stated(
                proposal.remedy.id,
                "labour" if name == "labour-tax" else "capital",
                name,
                both(f"cost.{name}"),
                "%",
                Range.of(percent),
                amount.times(percent / 100 * factor),
                currency,
                both(f"cost.basis.{name}", percent=percent),
                _items(on),
            )


def _has_tax(line: Line) -> bool:
    return line.price is not None and line.price.tax == "included"


def _items(lines: Iterable[Line]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(line.item for line in lines))


def _spares(line: Line, settings: Settings) -> Line:
    """As many more of a line's part as the percentage says, rounded up, at the line's own price."""
    if line.quantity is None or line.amount is None:
        return line
    low, likely, high = (
        Decimal(ceil(value * settings.spares_percent / 100)) for value in (line.quantity.low, line.quantity.likely, line.quantity.high)
    )
    quantity = Range(low=low, likely=likely, high=high)
    per_unit, _ = converted(line.price, settings)
    if per_unit is None:
        return line
    if line.price is not None and line.price.kind != "quote":
        per_unit = per_unit.times(1 - settings.discount(line.item) / 100)
    what = both("cost.spares", what=line.what)
    basis = both("cost.basis.spares", percent=settings.spares_percent)
    return line.model_copy(update={"what": what, "quantity": quantity, "amount": cents(multiply(quantity, per_unit)), "basis": basis})


def running(
    proposal: Proposal, lines: list[Line], kept: list[Line], prices: Mapping[str, Price], settings: Settings, today: date
) -> Iterable[Line]:
    """Support, power and cooling of what is bought, over the horizon; spares (`kept`) have support and draw no power.

    What is not stated makes a line that says so.
    """
    yield from _support(proposal, [line for line in lines + kept if line.item.startswith(_GEAR)], settings)
    switches = [line for line in lines if line.price is not None and line.price.kw_typical is not None]
    for line in lines:
        energy = _energy(line, bool(switches), settings)
        if energy is None:
            continue
        yield _electricity(proposal, "kwh", both("cost.energy"), energy, prices, settings, today)
        cooling, basis = None, both("cost.unknown.cooling")
        if settings.pue is not None:
            cooling = None if energy.amount is None else energy.amount.times(settings.pue - 1)
            basis = both("cost.basis.cooling", what=line.what, pue=settings.pue)
        yield _electricity(proposal, "kwh-cooling", both("cost.cooling"), Quantity(cooling, basis), prices, settings, today)


def _support(proposal: Proposal, gear: list[Line], settings: Settings) -> Iterable[Line]:
    percent, what = settings.support_percent, both("cost.support")
    if percent is None:
        if gear:
            yield stated(proposal.remedy.id, "running", "support", what, "%", None, None, settings.currency, both("cost.unknown.support"))
        return
    for currency, amount in by_currency(total(gear, settings)).items() if percent else ():
        yield stated(
            proposal.remedy.id,
            "running",
            "support",
            what,
            "%",
            Range.of(percent),
            amount.times(percent / 100 * settings.horizon_months / 12),
            currency,
            both("cost.basis.support", percent=percent, months=settings.horizon_months),
            _items(gear),
        )


def _electricity(
    proposal: Proposal, item: str, what: Text, energy: Quantity, prices: Mapping[str, Price], settings: Settings, today: date
) -> Line:
    """Energy at the price that a person stated, else at that of the region."""
    if settings.kwh_price is not None:
        amount = None if energy.amount is None else energy.amount.times(settings.kwh_price)
        return stated(proposal.remedy.id, "running", item, what, "kWh", energy.amount, amount, settings.currency, energy.basis)
    return priced(proposal.remedy.id, "running", item, what, "kWh", energy, regional("kwh", prices, settings), settings, today)


def _energy(line: Line, with_switches: bool, settings: Settings) -> Quantity | None:
    """kWh over the horizon of a bought switch, or of the modules that sit in what is installed; None for what draws nothing of its own.

    The maximum of a switch includes its active modules, so it is the likely figure too; what it draws without them is the low one.
    Of modules at both ends of new links half sit in the new switches and are counted there, the others in installed ones.
    """
    if line.quantity is None or line.amount is None:
        return None
    hours = HOURS_PER_MONTH * settings.horizon_months
    if line.price is not None and line.price.kw_typical is not None:
        most = line.price.kw_max or line.price.kw_typical
        kw = Range(low=line.price.kw_typical, likely=most, high=most)
        key = "cost.basis.energy" if settings.module_watts is not None else "cost.basis.energy-switch"
        return Quantity(multiply(line.quantity, kw).times(hours), both(key, what=line.what, months=settings.horizon_months))
    if with_switches and settings.module_watts and line.item.startswith("opt-"):
        kw = Range.of(settings.module_watts / 1000 / 2)
        basis = both("cost.basis.energy-modules", watts=settings.module_watts, months=settings.horizon_months)
        return Quantity(multiply(line.quantity, kw).times(hours), basis)
    return None
