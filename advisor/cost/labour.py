"""What people and waiting GPUs cost: person-days by role at day rates, GPU-hours out of service."""

from collections.abc import Iterable, Mapping
from datetime import date
from decimal import Decimal

from advisor.base.text import Text, text_of
from advisor.cost.lines import multiply, priced, stated
from advisor.cost.model import Line, Price, Range
from advisor.cost.prices import day_rate
from advisor.cost.quantities import Quantity, gpu_count, host_count, touched_hosts, touched_leaves, touched_links
from advisor.cost.settings import Settings
from advisor.fabric.model import Fabric
from advisor.remedy.remedy import Effort, Proposal
from advisor.remedy.words import both


def labour(proposal: Proposal, effort: Effort, fabric: Fabric, prices: Mapping[str, Price], settings: Settings, today: date) -> Line:
    """One role's days. A stated day rate goes before the price book; one that was seen in another region says so."""
    days, what = _days(proposal, effort, fabric), both(f"cost.role.{effort.role}")
    rate = settings.day_rates.get(effort.role)
    if rate is not None:
        amount = None if days.amount is None else multiply(days.amount, rate)
        basis = both("cost.stated-rate", basis=days.basis)
        return stated(proposal.remedy.id, "labour", effort.role, what, "day", days.amount, amount, settings.currency, basis)
    price = day_rate(effort.role, prices, settings)
    if price is not None and price.region and price.price is not None and not settings.region:
        days = Quantity(days.amount, both("cost.foreign-rate", basis=days.basis, region=region_words(price.region)))
    return priced(proposal.remedy.id, "labour", effort.role, what, "day", days, price, settings, today)


def region_words(region: str) -> Text:
    """A region of the price book as people call it; one that the catalogue lacks in capitals."""
    return text_of(f"cost.region.{region}") or Text(en=region.upper(), zh=region.upper())


def _days(proposal: Proposal, effort: Effort, fabric: Fabric) -> Quantity:
    count = {
        "site": 1,
        "host": touched_hosts(proposal, fabric),
        "leaf": touched_leaves(proposal, fabric),
        "link": touched_links(proposal, fabric),
    }[effort.per]
    if count is None:
        return Quantity(None, both(f"cost.unknown.per-{effort.per}"))
    amount = _between(effort.low_days, effort.high_days, Decimal(count))
    days = {"low": f"{effort.low_days:g}", "high": f"{effort.high_days:g}"}
    basis = both(f"cost.basis.per-{effort.per}", count=count, source=_source(effort.source), **days)
    return Quantity(amount, basis)


def downtime(proposal: Proposal, fabric: Fabric, settings: Settings) -> Iterable[Line]:
    """GPU-hours out of service, times the value of one and the share of the time in which they would have been busy."""
    hours = proposal.remedy.downtime
    if hours is None:
        return
    gpus, hosts = settings.gpus if settings.gpus is not None else gpu_count(fabric), host_count(fabric)
    touched = hosts if hours.per == "site" else touched_hosts(proposal, fabric)
    amount: Range | None = None
    if gpus is None or not hosts or touched is None:
        quantity = Quantity(None, both("cost.unknown.downtime"))
    else:
        out = Decimal(gpus) * touched / hosts
        basis = both(
            "cost.basis.downtime",
            hosts=touched,
            low=hours.low_hours,
            high=hours.high_hours,
            gpus=round(out),
            source=_source(hours.source),
        )
        quantity = Quantity(_between(hours.low_hours, hours.high_hours, out), basis)
        value = settings.worth_of_gpu_hour
        if quantity.amount is not None and value is not None:
            busy = Decimal(1) if settings.utilisation is None else settings.utilisation
            amount = quantity.amount.times(value * busy)
    what = both("cost.downtime")
    yield stated(proposal.remedy.id, "downtime", "gpu-hour", what, "GPU-hour", quantity.amount, amount, settings.currency, quantity.basis)


def _between(low: float, high: float, times: Decimal) -> Range:
    least, most = Decimal(str(low)) * times, Decimal(str(high)) * times
    return Range(low=least, likely=(least + most) / 2, high=most)


def _source(source: str) -> Text:
    return both("cost.judgement") if source == "judgement" else both("cost.from-source", source=source)
