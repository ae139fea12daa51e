"""What a person sets before money is counted. Nothing is invented: what is not set stays unknown and shows as missing."""

from collections.abc import Mapping
from decimal import Decimal
from pathlib import Path

from pydantic import Field

from advisor.base.content import load
from advisor.base.model import Model
from advisor.cost.model import Range


class Settings(Model):
    """Settings of an estimate.

    currency             of totals. rates: currency -> how much of `currency` one unit of it is; no rate, no conversion
    region               uk, us, eu, cn: whose day rates and energy prices are taken; empty: any that was seen, named in the line
    day_rates            role -> one day, in `currency`; goes before the price book
    gpu_hour             what one GPU-hour is worth, in `currency`
    gpus, utilisation, share_affected, exposed_communication, communication
                         of the cost of doing nothing: GPUs of the cluster, share of hours they are busy, share of those hours that suffer,
                         communication that is not hidden by compute and all communication, as shares of a step
    target_ratio         oversubscription that an expansion aims at
    spares_percent, contingency_percent, tax_percent, support_percent
                         spare optics and cables; reserve on hardware and works; tax on purchases; support of gear per year. 0 adds nothing
    pue                  power drawn by the site per power drawn by the gear
    kwh_price            in `currency`
    """

    currency: str = "USD"
    rates: Mapping[str, Decimal] = {}
    horizon_months: int = Field(default=36, ge=1)
    region: str = ""
    day_rates: Mapping[str, Range] = {}
    gpu_hour: Decimal | None = Field(default=None, ge=0)
    gpus: int | None = Field(default=None, ge=0)
    utilisation: Decimal | None = Field(default=None, ge=0, le=1)
    share_affected: Decimal | None = Field(default=None, ge=0, le=1)
    communication: Decimal | None = Field(default=None, ge=0, le=1)
    exposed_communication: Decimal | None = Field(default=None, ge=0, le=1)
    target_ratio: Decimal = Field(default=Decimal(1), gt=0)
    spares_percent: Decimal = Field(default=Decimal(0), ge=0, le=100)
    contingency_percent: Decimal = Field(default=Decimal(0), ge=0, le=100)
    tax_percent: Decimal = Field(default=Decimal(0), ge=0, le=100)
    support_percent: Decimal = Field(default=Decimal(0), ge=0, le=100)
    pue: Decimal | None = Field(default=None, ge=1)
    kwh_price: Decimal | None = Field(default=None, ge=0)
    budget: Decimal | None = Field(default=None, ge=0)

    def rate(self, currency: str) -> Decimal | None:
        """How much of the settings' currency one unit of another one is; None where nobody said."""
        return Decimal(1) if currency == self.currency else self.rates.get(currency)


def read_settings(path: Path) -> Settings:
    """Settings of a file, as YAML with the fields above; the defaults where there is no file. Raises ContentError."""
    return load(Settings, path) if path.is_file() else Settings()
