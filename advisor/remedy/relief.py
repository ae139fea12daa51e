"""How much of the loss a set of remedies brings back, cause by cause, so that two remedies of one cause never count it twice.

A cause holds a part of the loss (its share of `Loss.fraction`). A remedy relieves a fraction of each part that it touches; several
leave the product of what each leaves. What is unknown stays None and bounds only from above.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import prod

from advisor.diagnosis.verdict import Cause, Diagnosis
from advisor.remedy.remedy import Remedy

AT_WORK = 0.3  # least probability of a cause that a remedy is proposed for; judgement


@dataclass(frozen=True, slots=True)
class Span:
    """Low, likely and high of a share, 0 to 1. `likely` is None where only bounds are known."""

    low: float
    likely: float | None
    high: float


def relief(remedy: Remedy) -> Span:
    """The fraction of a cause's part that a remedy takes away: all of it for a cure, else what was measured or computed elsewhere."""
    if remedy.cure == "whole":
        return Span(1, 1, 1)
    lows = [effect.low for effect in remedy.effects if effect.low is not None]
    highs = [effect.high for effect in remedy.effects if effect.high is not None]
    low, high = min(lows, default=0.0), max(highs, default=1.0)
    return Span(low, (low + high) / 2 if lows and highs else None, high)


def at_work(diagnosis: Diagnosis) -> tuple[Cause, ...]:
    """The causes that are likely enough to act on, leading first; none where nothing is wrong."""
    if diagnosis.verdict == "none":
        return ()
    return tuple(cause for cause in diagnosis.causes if cause.probability >= AT_WORK and cause.verdict != "none")


def parts(diagnosis: Diagnosis) -> Mapping[str, Span]:
    """The part of each cause as a share of expected bandwidth; causes whose part is unknown are left out.

    A cause at work without a share takes the whole free or hardware part where no other cause at work could hold any of it.
    """
    loss, causes = diagnosis.loss, at_work(diagnosis)
    physical = [is_physical(cause) for cause in causes]
    found: dict[str, Span] = {}
    for cause in diagnosis.causes:
        if cause.share is not None and loss.fraction is not None:
            low, high = (loss.fraction if bound is None else bound for bound in (loss.low, loss.high))
            found[cause.cause] = Span(cause.share * low, cause.share * loss.fraction, cause.share * high)
        elif cause.share is None and cause in causes and physical.count(is_physical(cause)) == 1:
            side = loss.hardware if is_physical(cause) else loss.free
            if side is not None:
                found[cause.cause] = Span(side, side, side)
    return found


def recovered(remedies: Iterable[Remedy], diagnosis: Diagnosis, causes: Iterable[str] | None = None) -> Span | None:
    """What the remedies bring back together, as a share of expected bandwidth; None where no part that they touch is known.

    `causes` narrows it to these. Never more than the loss, nor, on the free and the hardware side, than the model gives that side.
    """
    chosen = tuple(remedies)
    only = None if causes is None else set(causes)
    physical = {cause.cause for cause in diagnosis.causes if is_physical(cause)}
    sums: dict[bool, list[Span]] = {False: [], True: []}
    for name, part in parts(diagnosis).items():
        touching = [relief(remedy) for remedy in chosen if name in remedy.relieves]
        if not touching or (only is not None and name not in only):
            continue
        known = [span.likely for span in touching if span.likely is not None]
        sums[name in physical].append(
            Span(
                part.low * _together(span.low for span in touching),
                None if part.likely is None or not known else part.likely * _together(known),
                part.high * _together(span.high for span in touching),
            )
        )
    if not any(sums.values()):
        return None
    loss = diagnosis.loss
    wider = loss.high / loss.fraction if loss.high is not None and loss.fraction else 1.0
    free = _capped(sums[False], loss.free, None if loss.free is None else loss.free * wider)
    hardware = _capped(sums[True], loss.hardware, None if loss.hardware is None else loss.hardware * wider)
    return _capped([span for span in (free, hardware) if span is not None], loss.fraction, loss.high)


def is_physical(cause: Cause) -> bool:
    """Whether a cause is capacity that only hardware relieves."""
    return cause.verdict == "physical-capacity"


def _together(fractions: Iterable[float]) -> float:
    return 1 - prod(1 - fraction for fraction in fractions)


def _capped(spans: list[Span], limit: float | None, most: float | None = None) -> Span | None:
    """The sum of spans. `limit` is the likely value of what can come back at all, `most` its high end: they cap the sum's."""
    if not spans:
        return None
    known = [span.likely for span in spans if span.likely is not None]
    likely = sum(known) if known else None
    high = sum(span.high for span in spans)
    if limit is not None:
        likely = None if likely is None else min(likely, limit)
        high = min(high, limit if most is None else max(limit, most))
    low = min(sum(span.low for span in spans), high if likely is None else likely)
    return Span(low, likely, max(high, likely or 0.0))
