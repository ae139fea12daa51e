"""What a person sets before money is counted. Nothing is invented: what is not set stays unknown and shows as missing."""

from collections.abc import Mapping
from decimal import Decimal
from pathlib import Path
from typing import Annotated

from pydantic import Field

from advisor.base.content import load
from advisor.base.model import Model
from advisor.cost.currency import Currency
from advisor.cost.hours import OwnedHour, owned_gpu_hour
from advisor.cost.model import Range

_AMOUNTS = ("gpu_hour", "kwh_price", "budget")  # in the settings' currency


class OwnedSystem(Model):
    """What the owner's GPUs cost, in the settings' currency: the site's own GPU-hour follows from it."""

    system_capex: Decimal = Field(ge=0)
    gpus: int = Field(ge=1)
    life_years: Decimal = Field(gt=0)
    availability: Decimal = Field(gt=0, le=1)
    network_capex_per_gpu: Decimal = Field(default=Decimal(0), ge=0)
    kw_per_gpu: Decimal = Field(default=Decimal(0), ge=0)
    pue: Decimal = Field(default=Decimal(1), ge=1)
    kwh: Decimal = Field(default=Decimal(0), ge=0)
    colo_month_per_kw: Decimal = Field(default=Decimal(0), ge=0)
    opex_share_per_year: Decimal = Field(default=Decimal(0), ge=0, le=1)

    def hour(self) -> OwnedHour:
        return owned_gpu_hour(**dict(self))


class Settings(Model):
    """Settings of an estimate.

    currency             of totals. rates: currency -> how much of `currency` one unit of it is; no rate, no conversion
    region               uk, us, eu, cn: whose day rates and energy prices are taken; empty: any that was seen, named in the line
    day_rates            role -> one day, in `currency`; goes before the price book
    gpu_hour             what one GPU-hour is worth, in `currency`; where it is not set, `owned` works it out from what the GPUs cost
    gpus, utilisation, share_affected, exposed_communication, communication
                         of the cost of doing nothing: GPUs of the cluster, share of hours they are busy, share of those hours that suffer,
                         communication that is not hidden by compute and all communication, as shares of a step
    target_ratio         oversubscription that an expansion aims at
    mfu                  model FLOPs utilisation now: bounds what a shorter step can bring by what comparable runs publish
    spares_percent, contingency_percent, tax_percent, labour_tax_percent
                         spare optics and cables; reserve on hardware and works; tax on purchases; tax on labour. 0 adds nothing
    support_percent      support of gear per year, of its price; not set: unknown where gear is bought, and shown so; 0: none is bought
    discount_percent     off prices of the book, never off quotes; `discounts` gives it by item and goes before
    discount_rate_percent  yearly rate at which later money counts less; without it no present value is shown
    pue                  power drawn by the site per power drawn by the gear; not set: cooling is unknown, and shown so
    module_watts         power of one optical module: those in installed switches come on top of what is bought
    kwh_price            in `currency`
    budget               in `currency`: adds the best plan within it
    """

    currency: Currency = "USD"
    rates: Mapping[Currency, Annotated[Decimal, Field(gt=0)]] = {}
    horizon_months: int = Field(default=36, ge=1)
    region: str = ""
    day_rates: Mapping[str, Range] = {}
    gpu_hour: Decimal | None = Field(default=None, ge=0)
    owned: OwnedSystem | None = None
    gpus: int | None = Field(default=None, ge=0)
    utilisation: Decimal | None = Field(default=None, ge=0, le=1)
    share_affected: Decimal | None = Field(default=None, ge=0, le=1)
    communication: Decimal | None = Field(default=None, ge=0, le=1)
    exposed_communication: Decimal | None = Field(default=None, ge=0, le=1)
    mfu: Decimal | None = Field(default=None, gt=0, le=1)
    target_ratio: Decimal = Field(default=Decimal(1), gt=0)
    spares_percent: Decimal = Field(default=Decimal(0), ge=0, le=100)
    contingency_percent: Decimal = Field(default=Decimal(0), ge=0, le=100)
    tax_percent: Decimal = Field(default=Decimal(0), ge=0, le=100)
    labour_tax_percent: Decimal = Field(default=Decimal(0), ge=0, le=100)
    support_percent: Decimal | None = Field(default=None, ge=0, le=100)
    discount_percent: Decimal = Field(default=Decimal(0), ge=0, le=100)
    discounts: Mapping[str, Decimal] = {}
    discount_rate_percent: Decimal | None = Field(default=None, ge=0, le=100)
    pue: Decimal | None = Field(default=None, ge=1)
    module_watts: Decimal | None = Field(default=None, ge=0)
    kwh_price: Decimal | None = Field(default=None, ge=0)
    budget: Decimal | None = Field(default=None, ge=0)

    @property
    def worth_of_gpu_hour(self) -> Decimal | None:
        """The site's own GPU-hour: as stated, else what the owned GPUs cost; None where neither is known."""
        return self.gpu_hour if self.gpu_hour is not None or self.owned is None else self.owned.hour().total

    def discount(self, item: str) -> Decimal:
        return self.discounts.get(item, self.discount_percent)

    def in_currency(self, code: str) -> "Settings":
        """The same settings with totals in another currency: amounts and rates converted; without a rate between the two, unknown again."""
        if code == self.currency:
            return self
        per_unit = self.rates.get(code)  # how much of the old currency one unit of the new one is
        if per_unit is None:
            kept = {name: value for name, value in self if name not in (*_AMOUNTS, "rates", "day_rates", "owned", "currency")}
            return Settings(currency=code, **kept)
        changed: dict[str, object] = {"currency": code}
        changed["rates"] = {self.currency: 1 / per_unit} | {name: rate / per_unit for name, rate in self.rates.items() if name != code}
        changed["day_rates"] = {role: rate.times(1 / per_unit) for role, rate in self.day_rates.items()}
        changed |= {name: getattr(self, name) / per_unit for name in _AMOUNTS if getattr(self, name) is not None}
        if self.owned is not None:
            money = {
                name: getattr(self.owned, name) / per_unit for name in ("system_capex", "network_capex_per_gpu", "kwh", "colo_month_per_kw")
            }
            changed["owned"] = self.owned.model_copy(update=money)
        return self.model_copy(update=changed)

    def rate(self, currency: str) -> Decimal | None:
        """How much of the settings' currency one unit of another one is; None where nobody said."""
        return Decimal(1) if currency == self.currency else self.rates.get(currency)


def read_settings(path: Path) -> Settings:
    """Settings of a file, as YAML with the fields above; the defaults where there is no file. Raises ContentError."""
    return load(Settings, path) if path.is_file() else Settings()
