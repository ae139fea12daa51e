"""A total as a distribution: P10, P50, P90 by simulation, and the figures that move it most.

Each uncertain figure (a price, a number of days) is triangular between its low and high with its mode at likely. A figure that stands in
several lines is one figure: a switch that costs more does so in all of them. Lines that are a share of others (reserve, tax, support)
follow those. Percentiles of parts are never added. Draws come from a seed and from the figure's name, so that the result depends neither
on the order of lines nor on what else is in the estimate.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from hashlib import sha256
from math import prod
from typing import TYPE_CHECKING, Any, Literal

from advisor.base.text import Text
from advisor.cost.lines import CENT
from advisor.cost.model import Chance, Driver, Estimate, Line, Range

if TYPE_CHECKING:
    from numpy.typing import NDArray

DRAWS = 4000  # percentiles of a total of ten figures then repeat within half a per cent from seed to seed
SEED = 1
SHOWN = 8  # drivers of a total
Points = tuple[float, float, float]
Kind = Literal["price", "quantity"]


@dataclass(frozen=True, slots=True)
class _Figure:
    """One uncertain figure; `key` names it over all lines that it stands in."""

    key: str
    kind: Kind
    item: str
    what: Text
    points: Points


def chances(estimate: Estimate, seed: int = SEED, draws: int = DRAWS) -> tuple[Chance, ...]:
    """The known part of an estimate as a distribution in each of its currencies; what is missing is not in it."""
    currencies = dict.fromkeys(line.currency for line in estimate.lines if line.amount is not None and line.amount.high)
    return tuple(_chance(currency, estimate.lines, seed, draws) for currency in currencies)


@dataclass(frozen=True, slots=True)
class _Row:
    """A line as a product of figures, or as a part (`ratio`) of other items of its remedy."""

    remedy: str
    item: str
    figures: tuple[_Figure, ...]
    rests_on: tuple[str, ...]
    ratio: float


def _chance(currency: str, lines: Iterable[Line], seed: int, draws: int) -> Chance:
    import numpy as np

    rows = _rows([line for line in lines if line.currency == currency and line.amount is not None])
    figures = {figure.key: figure for row in rows for figure in row.figures}
    drawn = {key: _draw(figure, seed, draws) for key, figure in figures.items()}
    total = _total(rows, drawn)
    p10, p50, p90 = np.percentile(total, (10, 50, 90))
    likely = {key: figure.points[1] for key, figure in figures.items()}
    drivers = [_driver(figure, rows, likely, drawn[key], total) for key, figure in figures.items() if figure.points[0] < figure.points[2]]
    drivers.sort(key=lambda driver: (driver.low - driver.high, driver.item, driver.figure))
    return Chance(
        currency=currency,
        p10=_money(p10),
        p50=_money(p50),
        p90=_money(p90),
        mean=_money(np.mean(total)),
        draws=draws,
        seed=seed,
        drivers=tuple(drivers[:SHOWN]),
    )


def _rows(lines: list[Line]) -> list[_Row]:
    """Lines as rows, those that rest on others after them."""
    likely: dict[tuple[str, str], float] = {}
    for line in lines:
        if line.amount is not None and not line.rests_on:
            likely[line.remedy, line.item] = likely.get((line.remedy, line.item), 0.0) + float(line.amount.likely)
    rows = []
    for line in sorted(lines, key=lambda line: bool(line.rests_on)):
        base = sum(likely.get((line.remedy, item), 0.0) for item in line.rests_on)
        ratio = float(line.amount.likely) / base if base and line.amount is not None else 0.0
        rows.append(_Row(line.remedy, line.item, _figures(line), line.rests_on, ratio))
    return rows


def _figures(line: Line) -> tuple[_Figure, ...]:
    """The figures whose product is the line's amount; none of a line that follows others."""
    if line.rests_on or line.amount is None:
        return ()
    amount = _points(line.amount)
    quantity = _points(line.quantity) if line.quantity is not None else (0.0, 0.0, 0.0)
    place = f"{line.remedy}/{line.group}/{line.item}/{line.what.en}"
    if min(quantity) <= 0:
        return (_Figure(f"amount/{place}", "quantity", line.item, line.what, amount),)
    low, likely, high = sorted(value / count for value, count in zip(amount, quantity, strict=True))
    if high - low <= 0.005 / min(quantity):  # all that differs is the rounding to the cent
        low = high = likely
    unit = f"{low:.6g}/{likely:.6g}/{high:.6g}"  # spares of a part and the part have one price; a stated and a listed one are two
    return (
        _Figure(f"price/{line.item}/{unit}", "price", line.item, line.what, (low, likely, high)),
        _Figure(f"quantity/{place}", "quantity", line.item, line.what, quantity),
    )


def _total(rows: list[_Row], values: Mapping[str, Any]) -> Any:
    """The total with these values of the figures: numbers, or arrays of draws."""
    amounts: dict[tuple[str, str], Any] = {}
    total: Any = 0.0
    for row in rows:
        if row.rests_on:
            value = row.ratio * sum(amounts.get((row.remedy, item), 0.0) for item in row.rests_on)
        else:
            value = prod(values[figure.key] for figure in row.figures)
            amounts[row.remedy, row.item] = amounts.get((row.remedy, row.item), 0.0) + value
        total = total + value
    return total


def _draw(figure: _Figure, seed: int, draws: int) -> "NDArray[Any]":
    import numpy as np

    low, mode, high = figure.points
    if low == high:
        return np.full(draws, mode)
    name = int.from_bytes(sha256(figure.key.encode()).digest()[:8], "big")
    return np.random.default_rng([seed, name]).triangular(low, mode, high, draws)


def _driver(figure: _Figure, rows: list[_Row], likely: Mapping[str, float], drawn: Any, total: Any) -> Driver:
    low, high = (_total(rows, {**likely, figure.key: figure.points[end]}) for end in (0, 2))
    return Driver(
        item=figure.item, what=figure.what, figure=figure.kind, low=_money(low), high=_money(high), rank=_rank_correlation(drawn, total)
    )


def _rank_correlation(one: Any, other: Any) -> float:
    """Spearman's: the correlation of the ranks."""
    import numpy as np

    if not np.ptp(one) or not np.ptp(other):
        return 0.0
    ranks = [np.argsort(np.argsort(values, kind="stable"), kind="stable") for values in (one, other)]
    return round(float(np.corrcoef(ranks[0], ranks[1])[0, 1]), 3)


def _points(amount: Range) -> Points:
    return float(amount.low), float(amount.likely), float(amount.high)


def _money(value: Any) -> Decimal:
    return Decimal(repr(float(value))).quantize(CENT)
