"""What the loss of a site costs while nothing is done: from lost bandwidth to a longer step, to GPU-hours, to money.

What is not known of overlap gives a range: from nothing (all communication is hidden) to all of it exposed.
"""

from decimal import Decimal

from advisor.base.model import Model
from advisor.base.text import Text
from advisor.cost.hours import gpu_hours_per_year
from advisor.cost.lines import cents
from advisor.cost.model import Range
from advisor.cost.quantities import gpu_count
from advisor.cost.returns import MONTHS
from advisor.cost.settings import Settings
from advisor.cost.step import MFU_PUBLISHED, saved_bounds, saved_share, speed_up
from advisor.fabric.model import Fabric
from advisor.remedy.relief import Span
from advisor.remedy.words import both, joined, sentences


class Worth(Model):
    """GPU-hours and money that a loss costs over the horizon; None with `unknown` where something that decides was not stated.

    `saved`: share of the step that the whole loss costs, low, likely and high; `capped`: a bound of published utilisation held it.
    """

    gpu_hours: Range | None = None
    money: Range | None = None
    saved: tuple[Decimal, Decimal, Decimal] | None = None
    capped: bool = False
    unknown: tuple[Text, ...] = ()
    basis: Text


def worth(loss: Span | None, fabric: Fabric, settings: Settings, left: Span | None = None) -> Worth:
    """What a loss of expected bandwidth costs over the horizon, or, with `left`, what is left of it costs once the rest came back.

    The step was measured under the whole loss: what comes back shortens that step, and what is left is the difference to all of it.
    Never more is said than what was stated or found allows.
    """
    communication = communication_of(fabric, settings)
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
    whole = (loss.low, loss.likely, loss.high)
    rest = whole if left is None else (left.low, loss.likely if left.likely is None else left.likely, left.high)
    spans = [_left_of(communication, settings.exposed_communication, all_of, part) for all_of, part in zip(whole, rest, strict=True)]
    most = None if settings.mfu is None else max(Decimal(0), 1 - settings.mfu / Decimal(str(MFU_PUBLISHED)))
    shares = sorted((spans[0][0], spans[1][1], spans[2][2]))
    capped = most is not None and shares[2] > most
    if most is not None:
        shares = [min(share, most) for share in shares]
    years = settings.horizon_months / MONTHS
    hours = [gpu_hours_per_year(gpus, settings.utilisation, settings.share_affected, share) * years for share in shares]
    lost = Range(low=round(hours[0], 0), likely=round(hours[1], 0), high=round(hours[2], 0))
    value = settings.worth_of_gpu_hour
    money = None if value is None else cents(Range(low=hours[0], likely=hours[1], high=hours[2]).times(value))
    return Worth(
        gpu_hours=lost,
        money=money,
        saved=(shares[0], shares[1], shares[2]),
        capped=capped,
        unknown=() if value is not None else (both("cost.needs.gpu_hour"),),
        basis=_basis(gpus, capped, value is None, settings),
    )


def _basis(gpus: int, capped: bool, unpriced: bool, settings: Settings) -> Text:
    parts = [both("cost.worth.basis", gpus=gpus, months=settings.horizon_months)]
    if settings.exposed_communication is None:
        parts.append(both("cost.worth.overlap"))
    if capped:
        parts.append(both("cost.worth.capped", published=f"{MFU_PUBLISHED * 100:.0f} %"))
    if unpriced:
        parts.append(both("cost.worth.unpriced"))
    return sentences(parts)


def _left_of(communication: Decimal | None, exposed: Decimal | None, loss: float, left: float) -> tuple[Decimal, Decimal, Decimal]:
    """Low, likely and high of the share of the measured step that stays lost while the loss falls to `left`."""
    loss = min(max(loss, 0.0), 0.99)
    left = min(max(left, 0.0), loss)
    whole, part = speed_up(loss), (1 - left) / (1 - loss)
    if exposed is None:  # all of it may be hidden, or none
        most = _difference(float(communication or 0), float(communication or 0), whole, part)
        found = (0.0, most / 2, most)
    elif communication is None:
        all_low, all_high = saved_bounds(float(exposed), whole)
        back_low, back_high = saved_bounds(float(exposed), part) if part > 1 else (0.0, 0.0)
        found = (max(0.0, all_low - back_high), all_low - back_low, all_high - back_low if left else 0.0)
    else:
        likely = _difference(float(communication), float(exposed), whole, part)
        found = (likely, likely, likely)
    return Decimal(str(found[0])), Decimal(str(found[1])), Decimal(str(found[2]))


def _difference(communication: float, exposed: float, whole: float, part: float) -> float:
    return saved_share(communication, exposed, whole) - saved_share(communication, exposed, part)


def communication_of(fabric: Fabric, settings: Settings) -> Decimal | None:
    """The share of communication in a step: as stated, else of the largest job that tells it."""
    if settings.communication is not None:
        return settings.communication
    telling = [job for job in fabric.jobs if job.communication_share is not None]
    largest = max(telling, key=lambda job: (job.host_count or len(job.hosts), job.name), default=None)
    return None if largest is None or largest.communication_share is None else Decimal(str(largest.communication_share))
