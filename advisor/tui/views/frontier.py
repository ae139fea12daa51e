"""What money buys: scenarios as points of cost and recovery, and which of them no other beats."""

from dataclasses import dataclass

from advisor.base.text import Lang, say
from advisor.plan.plan import Plan
from advisor.tui.views.figures import money, percent, single
from advisor.tui.views.words import Para, Phrase, Span, Tone, word

_NAMES = "123456789abcdefghijklmnopqrstuvwxyz"


@dataclass(frozen=True, slots=True)
class Point:
    """A scenario whose cost stands in one currency and whose recovery is known. `gaps`: its cost lacks prices."""

    title: str
    cost: float
    recovers: float
    currency: str
    gaps: bool


def points(plan: Plan, lang: Lang) -> tuple[Point, ...]:
    """The scenarios that can be drawn: those in the currency that most of them have."""
    found: list[Point] = []
    for scenario in plan.scenarios:
        one = single(scenario.estimate)
        if one and scenario.recovers is not None:
            currency, amount = one
            found.append(
                Point(scenario.title.say(lang), float(amount.likely), scenario.recovers, currency, bool(scenario.estimate.missing))
            )
    paid = [point.currency for point in found if point.cost]
    most = max(set(paid), key=paid.count) if paid else ""
    return tuple(point for point in found if not point.cost or point.currency == most)


def efficient(found: tuple[Point, ...]) -> frozenset[int]:
    """Places of the points that none beats: none recovers as much for less, or more for as much."""
    return frozenset(
        i
        for i, point in enumerate(found)
        if not any(
            (other.cost <= point.cost and other.recovers >= point.recovers) and (other.cost, other.recovers) != (point.cost, point.recovers)
            for other in found
        )
    )


def frontier(plan: Plan, lang: Lang, width: int, height: int) -> tuple[Para, ...]:
    """Recovery against cost, one sign for each scenario, and below it what the signs are."""
    found = points(plan, lang)
    if len(found) < 2:
        return (Para(word(say("tui.costs.no-plot", lang), "dim")),)
    best = efficient(found)
    rows = max(height - len(found) - 4, 4)
    margin = 7
    cells = max(min(width - margin - 2, 100), 20)
    most = max(point.cost for point in found) or 1.0
    top = max(point.recovers for point in found) or 1.0
    grid: list[list[Span]] = [[Span(" ") for _ in range(cells)] for _ in range(rows)]
    for i, point in enumerate(found):
        x, y = round(point.cost / most * (cells - 1)), rows - 1 - round(point.recovers / top * (rows - 1))
        while x < cells - 1 and grid[y][x].text != " ":
            x += 1
        grid[y][x] = Span(_NAMES[i % len(_NAMES)], _tone(i in best))
    labels = {0: percent(top, lang), rows - 1: percent(0.0, lang)}
    lines = [Para((Span(f"{labels.get(y, ''):>{margin - 1}} ", "dim"), Span("│", "dim"), *row)) for y, row in enumerate(grid)]
    currency = next((point.currency for point in found if point.cost), found[0].currency)
    end = f"{currency} {most:,.0f}"
    lines.append(Para(word(" " * margin + "└" + "─" * cells, "dim")))
    lines.append(Para(word(" " * (margin + 1) + "0" + end.rjust(cells - 1), "dim")))
    lines.append(Para())
    for i, point in enumerate(found):
        lines.append(Para(_legend(i, point, i in best, lang), hang=2))
    return tuple(lines)


def _tone(best: bool) -> Tone:
    return "good" if best else "dim"


def _legend(i: int, point: Point, best: bool, lang: Lang) -> Phrase:
    cost = f"{point.currency} {point.cost:,.0f}{' + ?' if point.gaps else ''}" if point.cost else money(None) if point.gaps else "0"
    return (
        Span(f"{_NAMES[i % len(_NAMES)]} ", _tone(best)),
        Span(point.title, "plain" if best else "dim"),
        Span(f"  {percent(point.recovers, lang)} · {cost}", "dim"),
        Span("" if best else "  " + say("tui.costs.beaten", lang), "dim"),
    )
