"""What a scenario wins back over the horizon against what it costs: GPU-hours, payback, present value, break-even, and what sways it."""

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

from advisor.base.text import Text
from advisor.cost.lines import by_currency
from advisor.cost.model import Chance, Estimate, Range, Swing
from advisor.cost.returns import MONTHS, break_even_gpu_hours, net_present_value, payback_months
from advisor.cost.settings import Settings
from advisor.cost.worth import Worth, communication_of, worth
from advisor.diagnosis.verdict import Diagnosis
from advisor.fabric.model import Fabric
from advisor.remedy.relief import Span
from advisor.remedy.words import both

EITHER_WAY = Decimal("0.2")  # how far a figure that was stated alone is tried up and down
SWINGS = 5


@dataclass(frozen=True, slots=True)
class Benefit:
    """What stays lost, what is won, and what the spending comes to; `open` names what is not known of it."""

    stays: Worth
    won_gpu_hours: Range | None = None
    won: Range | None = None
    payback_months: Decimal | None = None
    present_value: Decimal | None = None
    break_even_gpu_hours: Decimal | None = None
    swings: tuple[Swing, ...] = ()
    open: tuple[Text, ...] = ()


@dataclass(frozen=True, slots=True)
class Ground:
    """What all scenarios stand on."""

    fabric: Fabric
    diagnosis: Diagnosis
    settings: Settings

    def loss(self) -> Span | None:
        loss = self.diagnosis.loss
        if loss.fraction is None:
            return None
        return Span(
            loss.fraction if loss.low is None else loss.low, loss.fraction, min(0.99, loss.fraction if loss.high is None else loss.high)
        )

    def left(self, back: float) -> Span | None:
        """The loss that stays when a share of the expected bandwidth comes back, its ends in proportion to those of the whole loss."""
        loss = self.loss()
        if loss is None or not loss.likely:
            return loss
        stays = max(0.0, 1 - back / loss.likely)
        return Span(loss.low * stays, loss.likely * stays, loss.high * stays)


def benefit(back: Span | None, spend: Estimate, chances: tuple[Chance, ...], ground: Ground) -> Benefit:
    """The benefit of bringing back a share of the expected bandwidth. `back` is None where nobody knows how much comes back."""
    settings = ground.settings
    if back is None or back.likely is None:
        stays = Worth(basis=both("cost.worth.unknown", needs=both("cost.needs.recovered")))
        return Benefit(stays, open=(both("cost.needs.recovered"), *_gaps(spend)))
    stays = worth(ground.loss(), ground.fabric, settings, ground.left(back.likely))
    whole = worth(ground.loss(), ground.fabric, settings)
    if whole.gpu_hours is None:
        return Benefit(stays, open=(*whole.unknown, *_gaps(spend)))
    won_hours, won = _won(back, whole, ground)
    gaps = (*whole.unknown, *_gaps(spend))
    even = None
    if not _gaps(spend) and settings.worth_of_gpu_hour is not None and spend.total.likely:
        once, running = _flows(spend)
        even = break_even_gpu_hours(once, running, settings.worth_of_gpu_hour)
    if gaps or won is None or not spend.lines:
        return Benefit(stays, won_hours, won, break_even_gpu_hours=even, open=gaps)
    years = settings.horizon_months / MONTHS
    once, running = _flows(spend)
    months = payback_months(once, won.likely / years, running / years) if once else None
    rate = settings.discount_rate_percent
    value = None
    if rate is not None:
        value = round(net_present_value(once, won.likely / years, running / years, years, rate / 100), 2)
    return Benefit(
        stays=stays,
        won_gpu_hours=won_hours,
        won=won,
        payback_months=None if months is None else round(months, 1),
        present_value=value,
        break_even_gpu_hours=None if even is None else round(even, 0),
        swings=swings(back, spend, chances, ground),
        open=gaps,
    )


def _flows(spend: Estimate) -> tuple[Decimal, Decimal]:
    """What is spent once, and what runs over the horizon."""
    running = spend.by_group["running"].likely if "running" in spend.by_group else Decimal(0)
    return spend.total.likely - running, running


def _gaps(spend: Estimate) -> tuple[Text, ...]:
    found = [both("plan.open.missing", count=spend.missing)] if spend.missing else []
    others = [currency for currency in by_currency(spend) if currency != spend.currency]
    if others:
        found.append(both("plan.open.no-rate", currencies=", ".join(others), currency=spend.currency))
    return tuple(found)


def _won(back: Span, whole: Worth, ground: Ground) -> tuple[Range, Range | None]:
    """GPU-hours and money that come back: the low end of what comes back with the low end of what the loss costs, and so on."""
    shares = (back.low, back.likely or 0.0, back.high)
    after = [worth(ground.loss(), ground.fabric, ground.settings, ground.left(share)) for share in shares]
    hours = _difference(whole.gpu_hours, [each.gpu_hours for each in after])
    return hours or Range.of(0), _difference(whole.money, [each.money for each in after])


def _difference(whole: Range | None, after: list[Range | None]) -> Range | None:
    low, likely, high = after
    if whole is None or low is None or likely is None or high is None:
        return None
    middle = whole.likely - likely.likely
    return Range(low=min(whole.low - low.low, middle), likely=middle, high=max(whole.high - high.high, middle))


def swings(back: Span, spend: Estimate, chances: tuple[Chance, ...], ground: Ground) -> tuple[Swing, ...]:
    """What is left in the end with one figure at its low or high end and all others likely; the largest difference first."""
    total, settings = spend.total.likely, ground.settings
    found: list[Swing] = []

    def tried(name: str, low: Decimal | None, high: Decimal | None) -> None:
        if low is not None and high is not None and low != high:
            found.append(Swing(figure=both(f"plan.figure.{name}"), low=min(low, high), high=max(low, high)))

    def net(share: float, changed: Settings) -> Decimal | None:
        on = Ground(ground.fabric, ground.diagnosis, changed)
        whole, after = worth(on.loss(), on.fabric, changed), worth(on.loss(), on.fabric, changed, on.left(share))
        return None if whole.money is None or after.money is None else whole.money.likely - after.money.likely - total

    likely = back.likely or 0.0
    base = net(likely, settings)
    tried("recovered", net(back.low, settings), net(back.high, settings))
    for chance in chances if base is not None else ():
        if chance.currency == spend.currency and base is not None:
            tried("cost", base + total - chance.p90, base + total - chance.p10)
    for name, low, high in _ends(ground):
        tried(name, net(likely, low), net(likely, high))
    found.sort(key=lambda swing: swing.low - swing.high)
    return tuple(found[:SWINGS])


def _ends(ground: Ground) -> Iterator[tuple[str, Settings, Settings]]:
    """Settings with one figure at either end: overlap from all hidden to none where it is not known, stated figures a fifth either way."""
    settings = ground.settings
    communication = communication_of(ground.fabric, settings)
    if settings.exposed_communication is None and communication is not None:
        hidden, exposed = (settings.model_copy(update={"exposed_communication": end}) for end in (Decimal(0), communication))
        yield "overlap", hidden, exposed
    for name in ("utilisation", "share_affected", "gpu_hour", "exposed_communication"):
        value = settings.worth_of_gpu_hour if name == "gpu_hour" else getattr(settings, name)
        if value:
            most = value * (1 + EITHER_WAY) if name == "gpu_hour" else min(Decimal(1), value * (1 + EITHER_WAY))
            if name == "exposed_communication" and settings.communication is not None:
                most = min(most, settings.communication)
            ends = [settings.model_copy(update={name: end}) for end in (value * (1 - EITHER_WAY), most)]
            yield name, ends[0], ends[1]
