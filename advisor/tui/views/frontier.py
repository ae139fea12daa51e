"""What money buys: scenarios as points of cost and recovery, and which of them no other beats."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from advisor.base.text import Lang, say
from advisor.cost.model import Scenario
from advisor.plan.plan import Plan
from advisor.tui.views.figures import money, percent, single
from advisor.tui.views.words import Para, Phrase, Span, Tone, word

_UNBEATEN = "◆"  # beside the sign of a scenario that none beats
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


def frontier(
    plan: Plan,
    lang: Lang,
    width: int,
    height: int,
    best: Sequence[Scenario] = (),
    budget: Decimal | None = None,
    left_out: int = 0,
) -> tuple[Para, ...]:
    """Recovery against cost: a sign for each scenario, and the line of the sets that no other beats; below it what the signs are.

    best      such sets, the cheapest first. budget: in the plan's currency. left_out: remedies that could not be weighed for the line
    """
    found = points(plan, lang)
    line = _line(best)
    if len(found) < 2 and len(line) < 2:
        return (Para(word(say("tui.costs.no-plot", lang), "dim")),)
    unbeaten = efficient(found)
    currency = next((point.currency for point in found if point.cost), plan.currency)
    line = line if currency == plan.currency else ()
    limit = float(budget) if budget is not None and currency == plan.currency else None
    notes = _notes(line, best, limit, left_out, currency, lang)
    rows = max(height - len(found) - len(notes) - 4, 5)
    margin = 7
    cells = max(min(width - margin - 3, 110), 20)
    most = max([point.cost for point in found] + [cost for cost, _ in line] + ([limit] if limit else [])) or 1.0
    top = max([point.recovers for point in found] + [gain for _, gain in line]) or 1.0

    def place(cost: float, gain: float) -> tuple[int, int]:
        return round(cost / most * (cells - 1)), rows - 1 - round(gain / top * (rows - 1))

    grid: list[list[Span]] = [[Span(" ") for _ in range(cells)] for _ in range(rows)]
    if limit is not None:
        x, _ = place(limit, 0)
        for row in grid:
            row[x] = Span("┊", "warn")
    before = None
    for (cost, gain), after in zip(line, [*(cost for cost, _ in line[1:]), most], strict=False):
        x, y = place(cost, gain)
        for at in range(y + 1, before or 0):  # the step up from the set before
            grid[at][x] = Span("│", "info")
        for at in range(x, place(after, gain)[0] + 1):
            grid[y][at] = Span("─", "info")
        grid[y][x], before = Span("●", "info"), y
    for i, point in enumerate(found):
        x, y = place(point.cost, point.recovers)
        while x < cells - 1 and grid[y][x].text not in " ─│┊●":
            x += 1
        grid[y][x] = Span(_NAMES[i % len(_NAMES)], _tone(i in unbeaten))
        beside = next((at for at in (x + 1, x - 1) if 0 <= at < cells and grid[y][at].text in " ─│┊"), None)
        if i in unbeaten and beside is not None:
            grid[y][beside] = Span(_UNBEATEN, "good")
    labels = {0: percent(top, lang), rows - 1: percent(0.0, lang)}
    lines = [Para((Span(f"{labels.get(y, ''):>{margin - 1}} ", "dim"), Span("│", "dim"), *row)) for y, row in enumerate(grid)]
    end = f"{currency} {most:,.0f}"
    lines.append(Para(word(" " * margin + "└" + "─" * cells, "dim")))
    lines.append(Para(word(" " * (margin + 1) + "0" + end.rjust(cells - 1), "dim")))
    lines += notes
    lines += [Para(_legend(i, point, i in unbeaten, lang), hang=2) for i, point in enumerate(found)]
    return tuple(lines)


def _line(best: Sequence[Scenario]) -> tuple[tuple[float, float], ...]:
    """Cost and recovery of the sets that no other beats, those whose cost stands in one currency."""
    return tuple(
        (float(one.estimate.total.likely), one.recovers) for one in best if one.recovers is not None and not one.estimate.unconverted
    )


def _notes(
    line: tuple[tuple[float, float], ...], best: Sequence[Scenario], limit: float | None, left_out: int, currency: str, lang: Lang
) -> list[Para]:
    """What the line is, what the budget buys at best, and what could not be weighed."""
    notes = []
    if len(line) > 1:
        notes.append(Para((Span("●─ ", "info"), Span(say("tui.costs.best-line", lang, n=len(line)), "plain")), hang=3))
    if limit is not None:
        within = [(cost, gain) for cost, gain in line if cost <= limit]
        gain = max((gain for _, gain in within), default=None)
        notes.append(
            Para(
                (Span("┊  ", "warn"), Span(say("tui.costs.budget", lang, amount=f"{currency} {limit:,.0f}", share=percent(gain, lang)))),
                hang=3,
            )
        )
    if left_out:
        notes.append(Para((Span("?  ", "dim"), Span(say("tui.costs.left-out", lang, n=left_out), "dim")), hang=3))
    return notes


def _tone(best: bool) -> Tone:
    return "good" if best else "dim"


def _legend(i: int, point: Point, best: bool, lang: Lang) -> Phrase:
    cost = f"{point.currency} {point.cost:,.0f}{' + ?' if point.gaps else ''}" if point.cost else money(None) if point.gaps else "0"
    return (
        Span(f"{_NAMES[i % len(_NAMES)]}{_UNBEATEN if best else ' '} ", _tone(best)),
        Span(point.title, "plain" if best else "dim"),
        Span(f"  {percent(point.recovers, lang)} · {cost}", "dim"),
        Span("" if best else "  " + say("tui.costs.beaten", lang), "dim"),
    )
