"""What the loss costs while nothing is done: from lost bandwidth to a longer step, to GPU-hours, to money.

A loss of bandwidth is not the loss of GPU-hours: only communication that compute does not hide makes a step longer.
With all communication C and its exposed part X as shares of a step, and collectives faster by s, the step shrinks to
1 - X + max(0, C/s - (C - X)). Without knowledge of overlap the saving is at least X * (1 - 1/s) and at most X.
"""

from decimal import Decimal

from advisor.base.model import Model
from advisor.base.text import Text
from advisor.cost.model import Range
from advisor.cost.quantities import gpu_count
from advisor.cost.settings import Settings
from advisor.fabric.model import Fabric
from advisor.remedy.relief import Span
from advisor.remedy.words import both, joined

HOURS_PER_YEAR = 8760
MONTHS = Decimal(12)


def speed_up(loss: float) -> float:
    """How much faster a collective gets when this share of its expected bandwidth comes back. Raises ValueError from 1 on."""
    if not 0 <= loss < 1:
        raise ValueError(f"a loss of {loss}: from 0 to below 1")
    return 1 / (1 - loss)


def saved_share(communication: float, exposed: float, factor: float) -> float:
    """The share of a step that is saved when collectives get faster by `factor`; overlap is kept as it is."""
    hidden = communication - exposed
    return max(0.0, exposed - max(0.0, communication / factor - hidden))


def saved_bounds(exposed: float, factor: float) -> tuple[float, float]:
    """Low and high of the saved share where only exposed communication is known."""
    return exposed * (1 - 1 / factor), exposed


def dip_share(depth: float, minutes: float, per_hour: float) -> float:
    """The share of time lost to dips: throughput falls by `depth` for some minutes, some times an hour."""
    return depth * minutes / 60 * per_hour


def gpu_hours_per_year(gpus: int, utilisation: Decimal, share_affected: Decimal, share: Decimal) -> Decimal:
    return gpus * HOURS_PER_YEAR * utilisation * share_affected * share


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
) -> Decimal:
    """What an hour of an owned GPU costs: capital over available hours, energy, space, yearly cost as a share of capital."""
    capital = system_capex / gpus + network_capex_per_gpu
    hours = life_years * HOURS_PER_YEAR * availability
    running = capital * opex_share_per_year / (HOURS_PER_YEAR * availability)
    return capital / hours + kw_per_gpu * pue * kwh + kw_per_gpu * colo_month_per_kw / 730 + running


def payback_months(once: Decimal, benefit_per_year: Decimal, running_per_year: Decimal = Decimal(0)) -> Decimal | None:
    """Months until what was spent once is back; None where the benefit does not exceed the running cost."""
    monthly = (benefit_per_year - running_per_year) / MONTHS
    return once / monthly if monthly > 0 else None


def net_present_value(once: Decimal, benefit_per_year: Decimal, running_per_year: Decimal, years: int, rate: Decimal) -> Decimal:
    """Flows at the end of each year, discounted at `rate`."""
    yearly = benefit_per_year - running_per_year
    return -once + sum((yearly / (1 + rate) ** year for year in range(1, years + 1)), Decimal(0))


class Worth(Model):
    """GPU-hours and money that a loss costs over the horizon; None with `unknown` where something that decides was not stated."""

    gpu_hours: Range | None = None
    money: Range | None = None
    unknown: tuple[Text, ...] = ()
    basis: Text


def worth(loss: Span | None, fabric: Fabric, settings: Settings) -> Worth:
    """What a loss of expected bandwidth costs over the horizon. Never more is said than what was stated or found allows."""
    communication = settings.communication if settings.communication is not None else _communication(fabric)
    gpus = settings.gpus if settings.gpus is not None else gpu_count(fabric)
    needed = {
        "loss": loss if loss is not None and loss.likely is not None else None,
        "communication": communication if communication is not None else settings.exposed_communication,
        "gpus": gpus,
        "utilisation": settings.utilisation,
        "share_affected": settings.share_affected,
    }
    unknown = tuple(both(f"cost.needs.{name}") for name, value in needed.items() if value is None)
    if unknown or loss is None or loss.likely is None or gpus is None or settings.utilisation is None or settings.share_affected is None:
        return Worth(unknown=unknown, basis=both("cost.worth.unknown", needs=joined(unknown)))
    low, likely, high = (
        _share(communication, settings.exposed_communication, factor) for factor in map(_bounded, (loss.low, loss.likely, loss.high))
    )
    years = settings.horizon_months / MONTHS
    hours = [
        gpu_hours_per_year(gpus, settings.utilisation, settings.share_affected, share) * years
        for share in sorted((low[0], likely[1], high[2]))
    ]
    lost = Range(low=round(hours[0], 0), likely=round(hours[1], 0), high=round(hours[2], 0))
    money = None
    missing: tuple[Text, ...] = ()
    if settings.gpu_hour is None:
        missing = (both("cost.needs.gpu_hour"),)
    else:
        money = Range(**{name: (value * settings.gpu_hour).quantize(Decimal("0.01")) for name, value in lost})
    return Worth(gpu_hours=lost, money=money, unknown=missing, basis=both("cost.worth.basis", gpus=gpus, months=settings.horizon_months))


def _bounded(loss: float) -> float:
    return speed_up(min(max(loss, 0.0), 0.99))


def _share(communication: Decimal | None, exposed: Decimal | None, factor: float) -> tuple[Decimal, Decimal, Decimal]:
    """Low, likely and high of the saved share of a step."""
    if exposed is None:  # all of it may be hidden, or none
        least, most = 0.0, saved_share(float(communication or 0), float(communication or 0), factor)
        likely = most / 2
    elif communication is None:
        least, most = saved_bounds(float(exposed), factor)
        likely = least
    else:
        least = likely = most = saved_share(float(communication), float(exposed), factor)
    return Decimal(str(least)), Decimal(str(likely)), Decimal(str(most))


def _communication(fabric: Fabric) -> Decimal | None:
    """The share of communication in a step, of the largest job that tells it."""
    telling = [job for job in fabric.jobs if job.communication_share is not None]
    largest = max(telling, key=lambda job: (job.host_count or len(job.hosts), job.name), default=None)
    return None if largest is None or largest.communication_share is None else Decimal(str(largest.communication_share))
