"""The pictures that a site has something to show for: each is None, or not there, where nothing is known."""

from decimal import Decimal
from itertools import groupby

from advisor.base.text import Lang, say
from advisor.diagnosis.verdict import Cause, Diagnosis
from advisor.fabric.model import Fabric, Link, TrainingLog
from advisor.plan.plan import Plan
from advisor.report.charts.model import Frontier, HeatMap, Point, Slice, Split, Step, Timeline, Tone, Waterfall
from advisor.report.document import Picture
from advisor.report.words import money, per_cent, percent

_MOST_SLICES, _MOST_STEPS, _MOST_ROWS, _MOST_COLUMNS = 8, 14, 48, 16
_LEAST_SHARE = 0.005  # of the expected bandwidth: below, a part is not drawn


def loss_split(diagnosis: Diagnosis, lang: Lang) -> Picture | None:
    """The expected bandwidth as a whole: what is reached, what each cause takes, what remains for hardware or unexplained.

    A cause's share is of the loss, the bar's parts are of what is expected.
    """
    lost = diagnosis.loss.fraction
    if not lost:
        return None
    slices = [Slice(say("report.chart-kept", lang), 1 - lost, percent(1 - lost, lang), "good")]
    told = 0.0
    for cause in diagnosis.causes[:_MOST_SLICES]:
        part = (cause.share or 0.0) * lost
        if part >= _LEAST_SHARE:
            tone: Tone = "bad" if cause.verdict == "physical-capacity" else "warn"
            slices.append(Slice(cause.title.say(lang), part, percent(part, lang), tone))
            told += part
    rest = lost - told
    if rest >= _LEAST_SHARE:
        hardware = min(diagnosis.loss.hardware or 0.0, rest)
        parts: tuple[tuple[str, float, Tone], ...] = (("chart-capacity", hardware, "bad"), ("chart-unexplained", rest - hardware, "dim"))
        slices += [Slice(say(f"report.{key}", lang), part, percent(part, lang), tone) for key, part, tone in parts if part >= _LEAST_SHARE]
    heads = (say("report.cause", lang), say("report.chart-cause", lang))
    return Picture(say("report.chart-loss", lang), Split(tuple(slices), heads))


def waterfall(cause: Cause, lang: Lang) -> Picture | None:
    """The signs of a cause by what each multiplies its odds by, strongest first."""
    signs = sorted((e for e in cause.evidence if e.weight > 0), key=lambda e: -max(e.weight, 1 / e.weight))[:_MOST_STEPS]
    if len(signs) < 2:
        return None
    steps = tuple(Step(sign.text.say(lang), sign.weight, f"x{sign.weight:.3g}") for sign in signs)
    heads = (say("report.sign", lang), say("report.factor", lang))
    title = say("report.chart-waterfall", lang, cause=cause.title.say(lang))
    return Picture(title, Waterfall(steps, heads, say("report.chart-all-signs", lang)))


def links(fabric: Fabric, lang: Lang) -> Picture | None:
    """Utilisation of each leaf's uplinks as captures tell it; the busiest leaves where there are many."""
    rows: dict[str, list[float | None]] = {}
    names = {leaf.name for leaf in fabric.leaves}
    for link in sorted(fabric.links, key=_place):
        if link.tier == "leaf-uplink" and link.is_up:
            leaf = link.a.device if link.a.device in names else link.b.device
            rows.setdefault(leaf, []).append(link.utilisation)
    rows = {leaf: cells[:_MOST_COLUMNS] for leaf, cells in rows.items()}
    if not any(cell is not None for cells in rows.values() for cell in cells):
        return None
    busiest = sorted(rows, key=lambda leaf: -max((cell or 0.0 for cell in rows[leaf]), default=0.0))[:_MOST_ROWS]
    shown = [leaf for leaf in rows if leaf in set(busiest)]
    columns = max(len(rows[leaf]) for leaf in shown)
    cells = tuple((*rows[leaf], *([None] * (columns - len(rows[leaf])))) for leaf in shown)
    title = say("report.chart-links", lang)
    if len(shown) < len(rows):
        title = say("report.chart-links-more", lang, title=title, shown=len(shown), all=len(rows))
    return Picture(
        title, HeatMap(tuple(shown), tuple(str(i + 1) for i in range(columns)), cells, say("report.unknown", lang), per_cent(lang))
    )


def _place(link: Link) -> tuple[str, str, str, str]:
    return link.a.device, link.b.device, link.a.port or "", link.b.port or ""


def timeline(log: TrainingLog, lang: Lang) -> Picture | None:
    """Steps of a training log with its checkpoint windows."""
    points = tuple((float(step.number), step.slowness) for step in log.steps if step.slowness is not None)
    if len(points) < 8 or points[0][0] == points[-1][0]:
        return None
    windows = []
    for inside, steps in groupby(log.steps, key=lambda step: step.in_checkpoint):
        if inside:
            numbers = [step.number for step in steps]
            windows.append((numbers[0] - 0.5, numbers[-1] + 0.5))
    timed = any(step.time_s is not None for step in log.steps)
    chart = Timeline(
        tuple(sorted(points)),
        tuple(windows),
        say("report.chart-step", lang),
        say("report.chart-step-time" if timed else "report.chart-slowness", lang),
        say("report.chart-window", lang),
    )
    return Picture(say("report.chart-timeline", lang, log=log.name), chart)


def frontier(plan: Plan, lang: Lang) -> Picture | None:
    """The scenarios by cost and recovery, where at least two can be drawn in one currency. Costs that lack prices say so with a plus."""
    found = []
    for scenario in plan.scenarios:
        sums = {scenario.estimate.currency: scenario.estimate.total, **scenario.estimate.unconverted}
        paid = [(currency, amount) for currency, amount in sums.items() if amount.high]
        if scenario.recovers is not None and len(paid) <= 1:
            currency, cost = paid[0] if paid else ("", scenario.estimate.total)
            found.append((currency, scenario.title.say(lang), float(cost.likely), scenario.recovers, bool(scenario.estimate.missing)))
    used = [currency for currency, *_ in found if currency]
    if not used:
        return None
    most = max(sorted(set(used)), key=used.count)
    rows = [row for row in found if row[0] in ("", most)]
    if len(rows) < 2:
        return None
    points = tuple(
        Point(
            title,
            cost,
            recovers,
            (percent(recovers, lang), f"{most} {money(Decimal(cost))}{' + ?' if gaps else ''}"),
            not any(o[2] <= cost and o[3] >= recovers and (o[2], o[3]) != (cost, recovers) for o in rows),
            gaps,
        )
        for _, title, cost, recovers, gaps in rows
    )
    recovered, cost_title = say("report.recovers", lang), say("report.chart-cost", lang, currency=most)
    return Picture(
        say("report.chart-frontier", lang),
        Frontier(points, cost_title, recovered, (say("report.scenario", lang), recovered, cost_title), per_cent(lang)),
    )
