"""GPU-hours: how many are lost, what one costs its owner, what it costs to take GPUs out of service. Decimals throughout."""

from dataclasses import dataclass
from decimal import Decimal

HOURS_PER_YEAR = 8760
HOURS_PER_MONTH = Decimal(730)  # 8760 / 12


def gpu_hours_per_year(gpus: int, utilisation: Decimal, share_affected: Decimal, share: Decimal) -> Decimal:
    """GPU-hours lost in a year: busy hours that suffer, times the share of a step that is lost in them."""
    return gpus * HOURS_PER_YEAR * utilisation * share_affected * share


def downtime_cost(gpus_out: Decimal, hours: Decimal, gpu_hour: Decimal, busy: Decimal = Decimal(1)) -> Decimal:
    """What a change costs that takes GPUs out of service: their hours, as far as they would have been busy."""
    return gpus_out * hours * gpu_hour * busy


@dataclass(frozen=True, slots=True)
class OwnedHour:
    """What an hour of an owned GPU costs, by part; `hours` are those that one GPU is available over its life."""

    capex_per_gpu: Decimal
    hours: Decimal
    capex: Decimal
    energy: Decimal
    space: Decimal
    opex: Decimal

    @property
    def total(self) -> Decimal:
        return self.capex + self.energy + self.space + self.opex


def owned_gpu_hour(
    system_capex: Decimal,
    gpus: int,
    life_years: Decimal,
    availability: Decimal,
    network_capex_per_gpu: Decimal = Decimal(0),
    kw_per_gpu: Decimal = Decimal(0),
    pue: Decimal = Decimal(1),
    kwh: Decimal = Decimal(0),
    colo_month_per_kw: Decimal = Decimal(0),
    opex_share_per_year: Decimal = Decimal(0),
) -> OwnedHour:
    """Capital over available hours, energy, space, and support, staff and licences as a yearly share of capital.

    `system_capex` buys `gpus` GPUs. Raises ValueError where there is no GPU, no life or no availability.
    """
    if gpus < 1 or life_years <= 0 or not 0 < availability <= 1:
        raise ValueError(f"{gpus} GPUs, {life_years} years, availability {availability}: 1 or more, above 0, above 0 up to 1")
    capital = system_capex / gpus + network_capex_per_gpu
    hours = life_years * HOURS_PER_YEAR * availability
    return OwnedHour(
        capex_per_gpu=capital,
        hours=hours,
        capex=capital / hours,
        energy=kw_per_gpu * pue * kwh,
        space=kw_per_gpu * colo_month_per_kw / HOURS_PER_MONTH,
        opex=capital * opex_share_per_year / (HOURS_PER_YEAR * availability),
    )
