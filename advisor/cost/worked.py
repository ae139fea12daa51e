"""Single sums of the money engine, each with fixed inputs: what the estimates are made of, to be checked by hand or by a table.

Each class is one kind of sum: its fields are the inputs, `answer` gives the results. Shares are 0 to 1, `_pct` per cent.
A result that is money in a currency is rounded to the cent; all others are left as they come.
"""

import re
from collections.abc import Mapping
from datetime import date, timedelta
from decimal import ROUND_HALF_UP, Decimal
from math import ceil
from typing import Annotated, Any

from pydantic import ConfigDict, Field, model_validator

from advisor.base.model import Model
from advisor.cost import step, triangle
from advisor.cost.currency import Currency
from advisor.cost.hours import HOURS_PER_YEAR, downtime_cost, gpu_hours_per_year, owned_gpu_hour
from advisor.cost.returns import MONTHS, net_present_value, payback_months

Share = Annotated[Decimal, Field(ge=0, le=1)]
Amount = Annotated[Decimal, Field(ge=0)]
Percent = Annotated[Decimal, Field(ge=0, le=100)]
Count = Annotated[int, Field(ge=0)]
Answer = dict[str, Any]


def money(amount: Decimal) -> Decimal:
    return amount.quantize(Decimal("0.01"), rounding=ROUND_HALF_UP)


class Step(Model):
    """A step with communication C, of it exposed X, when lost bandwidth comes back."""

    C: Share
    X: Share
    bandwidth_loss: Annotated[Decimal, Field(ge=0, lt=1)]

    @model_validator(mode="after")
    def _exposed_is_communication(self) -> "Step":
        if self.X > self.C:
            raise ValueError(f"X {self.X} is part of C {self.C}")
        return self

    def answer(self) -> Answer:
        factor = step.speed_up(float(self.bandwidth_loss))
        saved = step.saved_share(float(self.C), float(self.X), factor)
        low, high = step.saved_bounds(float(self.X), factor)
        gain = step.throughput_gain(saved) if saved < 1 else None
        return {"s": factor, "saved_share": saved, "throughput_gain": gain, "bound_low": low, "bound_high": high}


class Wire(Model):
    """Bus bandwidth of a hierarchical all-reduce as the rate of one GPU on the wire. All rates in one unit."""

    nodes: Annotated[int, Field(ge=2)]
    gpus_per_node: Annotated[int, Field(ge=1)]
    busbw_gbps: float = Field(ge=0)
    nic_gbps: float = Field(gt=0)

    def answer(self) -> Answer:
        rate = step.wire_rate(self.busbw_gbps, self.nodes, self.gpus_per_node)
        return {"wire_gbps": rate, "share_of_spec": rate / self.nic_gbps}


class DoNothing(Model):
    """A year of a loss that stays. The share of a step comes as `saved_share`, or as dips of the throughput."""

    gpus: Count
    utilisation: Share
    share_affected: Share
    gpu_hour: Amount
    saved_share: Share | None = None
    dip_depth: Share | None = None
    dip_minutes: Amount | None = None
    per_hour: Amount | None = None
    currency: Currency = "USD"

    @model_validator(mode="after")
    def _one_share(self) -> "DoNothing":
        dips = (self.dip_depth, self.dip_minutes, self.per_hour)
        if (self.saved_share is None) == (None in dips) or (self.saved_share is not None and any(value is not None for value in dips)):
            raise ValueError("give saved_share, or dip_depth with dip_minutes and per_hour")
        if self.dip_minutes is not None and self.per_hour is not None and self.dip_minutes * self.per_hour > 60:
            raise ValueError("dips that take longer than the hour")
        return self

    def answer(self) -> Answer:
        share = self.saved_share
        if share is None:
            depth, minutes, times = (value or Decimal(0) for value in (self.dip_depth, self.dip_minutes, self.per_hour))
            share = depth * minutes / 60 * times
        hours = gpu_hours_per_year(self.gpus, self.utilisation, self.share_affected, share)
        yearly = hours * self.gpu_hour
        return {
            "saved_share": share,
            "gpu_hours_per_year": hours,
            "money_per_year": money(yearly),
            "money_per_month": money(yearly / MONTHS),
        }


class Downtime(Model):
    """GPUs taken out of service for a change."""

    gpus_out: Count
    hours: Amount
    utilisation: Share
    gpu_hour: Amount

    def answer(self) -> Answer:
        return {"money": money(downtime_cost(Decimal(self.gpus_out), self.hours, self.gpu_hour, self.utilisation))}


class OwnedHour(Model):
    """What an hour of an owned GPU costs."""

    system_capex: Amount
    gpus: Annotated[int, Field(ge=1)]
    life_years: Annotated[Decimal, Field(gt=0)]
    availability: Annotated[Decimal, Field(gt=0, le=1)]
    network_capex_per_gpu: Amount = Decimal(0)
    kw_per_gpu: Amount = Decimal(0)
    pue: Annotated[Decimal, Field(ge=1)] = Decimal(1)
    kwh: Amount = Decimal(0)
    colo_month_per_kw: Amount = Decimal(0)
    opex_share_of_capex_per_year: Share = Decimal(0)

    def answer(self) -> Answer:
        stated = dict(self)
        hour = owned_gpu_hour(opex_share_per_year=stated.pop("opex_share_of_capex_per_year"), **stated)
        return {
            "capex_per_gpu": hour.capex_per_gpu,
            "hours": hour.hours,
            "capex_per_hour": hour.capex,
            "energy_per_hour": hour.energy,
            "space_per_hour": hour.space,
            "opex_per_hour": hour.opex,
            "total": hour.total,
        }


class UnitPrices(Model):
    """Prices of an expansion by spines, in one currency."""

    spine: Amount
    twin_port: Amount
    mpo: Amount
    link_labour: Amount
    engineer_day: Amount


class Expansion(Model):
    """The bill of an expansion by spines: twin-port modules at both ends of the new links, fibre, works, a year of running cost.

    The maximum power of a switch includes its active modules; the half of the modules that sits in installed leaves comes on top.
    """

    prices: UnitPrices
    spines: Count
    twin_port: Count
    mpo: Count
    links: Count
    engineer_days: Amount
    spare_optics_pct: Percent = Decimal(0)
    support_pct: Percent = Decimal(0)
    spine_kw_max: Amount
    spine_kw_typical: Amount | None = None
    optics_w_each: Amount = Decimal(0)
    pue: Annotated[Decimal, Field(ge=1)] = Decimal(1)
    kwh: Amount
    contingency_pct: Percent = Decimal(0)

    def answer(self) -> Answer:
        price = self.prices
        lines = {
            "switches": money(self.spines * price.spine),
            "optics": money(self.twin_port * price.twin_port),
            "optics_spares": money(ceil(self.twin_port * self.spare_optics_pct / 100) * price.twin_port),
            "fibre": money(self.mpo * price.mpo),
            "cabling_labour": money(self.links * price.link_labour),
            "engineering": money(self.engineer_days * price.engineer_day),
        }
        subtotal = sum(lines.values(), Decimal(0))
        contingency = money(subtotal * self.contingency_pct / 100)
        gear = lines["switches"] + lines["optics"] + lines["optics_spares"]
        switches_kw = self.spines * self.spine_kw_max
        leaves_kw = Decimal(self.twin_port) / 2 * self.optics_w_each / 1000
        return {
            **lines,
            "subtotal": subtotal,
            "contingency": contingency,
            "capex": subtotal + contingency,
            "support_per_year": money(gear * self.support_pct / 100),
            "energy_kw": switches_kw,
            "leaf_side_optics_kw": leaves_kw,
            "energy_per_year": money((switches_kw + leaves_kw) * self.pue * HOURS_PER_YEAR * self.kwh),
        }


class Payback(Model):
    """Payback and present value of one purchase; three years at ten per cent unless said otherwise."""

    capex: Amount
    benefit_per_year: Amount
    opex_per_year: Amount = Decimal(0)
    years: Annotated[int, Field(ge=1, le=50)] = 3
    rate_pct: Percent = Decimal(10)

    def answer(self) -> Answer:
        value = net_present_value(self.capex, self.benefit_per_year, self.opex_per_year, self.years, self.rate_pct / 100)
        return {
            "payback_months": payback_months(self.capex, self.benefit_per_year, self.opex_per_year),
            f"npv_{self.years}y_at_{self.rate_pct.normalize():f}pct": money(value),
        }


class Spread(Model):
    """Quantiles and means of a three-point figure."""

    low: Decimal
    mode: Decimal
    high: Decimal

    @model_validator(mode="after")
    def _ascends(self) -> "Spread":
        if not self.low <= self.mode <= self.high:
            raise ValueError(f"low {self.low}, mode {self.mode}, high {self.high}: must ascend")
        return self

    def answer(self) -> Answer:
        points = (self.low, self.mode, self.high)
        found: Answer = {f"p{p}": triangle.quantile(*points, Decimal(p) / 100) for p in (10, 50, 90)}
        return {**found, "pert_mean": triangle.pert_mean(*points), "triangular_mean": triangle.mean(*points)}


class Tax(Model):
    """Gross from net."""

    net: Amount
    vat: Share

    def answer(self) -> Answer:
        return {"gross": money(self.net * (1 + self.vat))}


class Sum(Model):
    amount: Decimal
    currency: Currency


class Exchange(Model):
    """A sum in several currencies, by rates `rate_AAA_BBB`: how many BBB one AAA is. A currency without a rate stays beside the total."""

    model_config = ConfigDict(extra="allow", frozen=True)

    lines: tuple[Sum, ...]
    report: Currency

    @model_validator(mode="after")
    def _only_rates(self) -> "Exchange":
        for name, value in (self.model_extra or {}).items():
            if not re.fullmatch(r"rate_[a-z]{3}_[a-z]{3}", name) or Decimal(str(value)) <= 0:
                raise ValueError(f"{name}: {value}: a rate is named rate_aaa_bbb and is above 0")
        return self

    def _rate(self, currency: str) -> Decimal | None:
        one, other = currency.lower(), self.report.lower()
        extra = self.model_extra or {}
        if one == other:
            return Decimal(1)
        if f"rate_{one}_{other}" in extra:
            return Decimal(str(extra[f"rate_{one}_{other}"]))
        return 1 / Decimal(str(extra[f"rate_{other}_{one}"])) if f"rate_{other}_{one}" in extra else None

    def answer(self) -> Answer:
        total, apart = Decimal(0), dict[str, Decimal]()
        for line in self.lines:
            rate = self._rate(line.currency)
            if rate is None:
                apart[line.currency] = apart.get(line.currency, Decimal(0)) + line.amount
            else:
                total += money(line.amount * rate)
        return {"total": total, "currency": self.report, "no_rate": apart}


class Expiry(Model):
    """The state of a price on a day."""

    observed_on: date | None = None
    valid_days: Count
    today: date

    def answer(self) -> Answer:
        if self.observed_on is None:
            return {"state": "undated"}
        left = (self.observed_on + timedelta(days=self.valid_days) - self.today).days
        return {"state": "valid", "days_left": left} if left >= 0 else {"state": "expired", "days_over": -left}


Case = Step | Wire | DoNothing | Downtime | OwnedHour | Expansion | Payback | Spread | Tax | Exchange | Expiry
CASES: Mapping[str, type[Case]] = {
    "step": Step,
    "wire": Wire,
    "do-nothing": DoNothing,
    "downtime": Downtime,
    "owned-gpu-hour": OwnedHour,
    "bill": Expansion,
    "payback": Payback,
    "range": Spread,
    "tax": Tax,
    "exchange": Exchange,
    "expiry": Expiry,
}
