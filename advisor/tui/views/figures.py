"""Figures as people write them: shares, rates, money, times. Unknown is a dash, never 0."""

from decimal import Decimal
from typing import TYPE_CHECKING

from advisor.base.text import Lang, say
from advisor.base.writing import share_range, span

if TYPE_CHECKING:
    from advisor.cost.model import Estimate, Range

UNKNOWN = "–"
_EIGHTHS = "▏▎▍▌▋▊▉█"
_LEVELS = "▁▂▃▄▅▆▇█"


def percent(share: float | None, lang: Lang = "en", digits: int = 0) -> str:
    """A share from 0 to 1 as `31 %` (English) or `31%` (Chinese)."""
    if share is None:
        return UNKNOWN
    if 0 < abs(share) < 0.005 and digits == 0:
        digits = 1
    return f"{share * 100:.{digits}f}{'' if lang == 'zh' else ' '}%"


def percent_range(low: float | None, high: float | None, lang: Lang = "en") -> str:
    if low is None or high is None:
        return UNKNOWN
    return share_range(low, high, lang)


def number(value: float | int | None, digits: int = 1) -> str:
    """A number with thousands commas; whole numbers without a point."""
    if value is None:
        return UNKNOWN
    if float(value).is_integer():
        return f"{int(value):,}"
    return f"{value:,.{digits}f}"


def sure(probability: float | None) -> str:
    return UNKNOWN if probability is None else f"{probability:.2f}"


def money(amount: Decimal | None, currency: str = "") -> str:
    """An amount in whole units of its currency."""
    if amount is None:
        return UNKNOWN
    text = f"{amount:,.0f}"
    return f"{currency} {text}" if currency else text


def unit_price(amount: "Range", currency: str, lang: Lang) -> str:
    """The price of one with its bounds: `GBP 550 (445–760)`, `USD 40`."""
    bounds = f" ({span(number(float(amount.low), 2), number(float(amount.high), 2), lang)})" if amount.low != amount.high else ""
    return f"{currency} {number(float(amount.likely), 2)}{bounds}"


def single(estimate: "Estimate") -> "tuple[str, Range] | None":
    """The total and its currency where one currency holds all of it; None where amounts of several stand side by side."""
    if not estimate.unconverted:
        return estimate.currency, estimate.total
    if len(estimate.unconverted) == 1 and not estimate.total.high:
        return next(iter(estimate.unconverted.items()))
    return None


def total(estimate: "Estimate", named: bool = True, heading: str | None = None) -> str:
    """The likely total: `USD 1,600`, or `USD 1,600 + GBP 2,000` where no rate between the two is known. Missing prices show as `+ ?`.

    Unless `named`, a single currency that stands in the heading (the estimate's own, unless another is given) is not said again.
    """
    one = single(estimate)
    gap = " + ?" if estimate.missing else ""
    if one:
        currency, amount = one
        if estimate.missing and not amount.high:
            return "?"
        return money(amount.likely, currency if named or currency != (heading or estimate.currency) else "") + gap
    shown = (money(amount.likely, currency if named or currency != heading else "") for currency, amount in several(estimate).items())
    return " + ".join(shown) + gap


def several(estimate: "Estimate") -> "dict[str, Range]":
    """The totals of an estimate by currency, its own first; empty ones left out."""
    sums = {estimate.currency: estimate.total, **estimate.unconverted}
    return {currency: amount for currency, amount in sums.items() if amount.high}


def seconds(value: float | None, lang: Lang) -> str:
    """A time span in the unit that fits it."""
    if value is None:
        return UNKNOWN
    if value < 90:
        return say("tui.unit.seconds", lang, n=f"{value:.0f}")
    if value < 5400:
        return say("tui.unit.minutes", lang, n=f"{value / 60:.0f}")
    return say("tui.unit.hours", lang, n=f"{value / 3600:.1f}")


def size(count: int | float | None) -> str:
    """Bytes in decimal units."""
    if count is None:
        return UNKNOWN
    value = float(count)
    for unit in ("B", "kB", "MB", "GB"):
        if value < 1000:
            return f"{value:.0f} {unit}" if unit == "B" or value >= 100 else f"{value:.1f} {unit}"
        value /= 1000
    return f"{value:.1f} TB"


def bar(share: float | None, width: int) -> str:
    """A bar of `width` cells, filled by eighths of a cell; dots where unknown, so that it is not taken for nothing."""
    if share is None or width <= 0:
        return "·" * max(width, 0)
    eighths = round(min(max(share, 0.0), 1.0) * width * 8)
    full, rest = divmod(eighths, 8)
    text = "█" * full + (_EIGHTHS[rest - 1] if rest else "")
    return text + "░" * (width - len(text))


def level(share: float | None) -> str:
    """One cell that is as full as a share."""
    if share is None:
        return "▪"
    return _LEVELS[min(int(min(max(share, 0.0), 1.0) * len(_LEVELS)), len(_LEVELS) - 1)]
