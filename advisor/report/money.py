"""Money in the forms of a report: what scenarios are worth, the stop rule, the frontier, the price book."""

from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import Any

from advisor.base.text import Lang, Text, say
from advisor.cost.lines import groups_of
from advisor.cost.model import Chance, Estimate, Price, Range, Scenario
from advisor.plan.plan import Plan, Purchase, Stop
from advisor.report.document import Block, Document, Items, Paragraph, Table
from advisor.report.words import money_range, percent


def amounts(value: Range | None) -> dict[str, str] | None:
    return None if value is None else {name: f"{amount:.2f}" for name, amount in value}


def _share(share: float | None) -> float | None:
    return None if share is None else round(share, 4)


def _text(value: Decimal | None) -> str | None:
    return None if value is None else f"{value:.2f}"


def scenario_money(scenario: Scenario, lang: Lang) -> dict[str, Any]:
    """What a scenario wins and comes to, beside its estimate. Unknown is null, and `open` says what is missing for it."""
    return {
        "recovers_low": _share(scenario.recovers_low),
        "recovers_high": _share(scenario.recovers_high),
        "by_currency": {
            currency: {group: amounts(value) for group, value in groups.items()}
            for currency, groups in groups_of(scenario.estimate).items()
        },
        "chances": [_chance(chance, lang) for chance in scenario.chances],
        "lost_gpu_hours": amounts(scenario.lost_gpu_hours),
        "lost": amounts(scenario.lost),
        "won_gpu_hours": amounts(scenario.won_gpu_hours),
        "won": amounts(scenario.won),
        "payback_months": _text(scenario.payback_months),
        "present_value": _text(scenario.present_value),
        "break_even_gpu_hours": _text(scenario.break_even_gpu_hours),
        "sensitivity": [{"figure": s.figure.say(lang), "low": f"{s.low:.2f}", "high": f"{s.high:.2f}"} for s in scenario.sensitivity],
        "open": [text.say(lang) for text in scenario.open],
        "left_out": {name: why.say(lang) for name, why in scenario.left_out.items()},
    }


def _chance(chance: Chance, lang: Lang) -> dict[str, Any]:
    return {
        "currency": chance.currency,
        **{name: f"{getattr(chance, name):.2f}" for name in ("p10", "p50", "p90", "mean")},
        "draws": chance.draws,
        "seed": chance.seed,
        "drivers": [
            {
                "item": driver.item,
                "what": driver.what.say(lang),
                "figure": driver.figure,
                "low": f"{driver.low:.2f}",
                "high": f"{driver.high:.2f}",
                "rank": driver.rank,
            }
            for driver in chance.drivers
        ],
    }


def stop_json(stop: Stop | None, lang: Lang) -> dict[str, Any] | None:
    """The stop rule: both figures of the free steps, and each purchase's account."""
    if stop is None:
        return None
    return {
        "needed": stop.needed,
        "loss": _share(stop.loss),
        "free_by_model": _share(stop.free_by_model),
        "free_by_effects": _share(stop.free_by_effects),
        "hardware": _share(stop.hardware),
        "together": stop.together.say(lang) if stop.together else None,
        "purchases": [_purchase(purchase, lang) for purchase in stop.purchases],
    }


def _purchase(purchase: Purchase, lang: Lang) -> dict[str, Any]:
    return {
        "scenario": purchase.scenario,
        "cost": sums(purchase.estimate),
        "missing": purchase.estimate.missing,
        "wins_gpu_hours": _text(purchase.wins_gpu_hours),
        "break_even_gpu_hours": _text(purchase.break_even_gpu_hours),
        "payback_months": _text(purchase.payback_months),
        "pays": purchase.pays,
        "open": [text.say(lang) for text in purchase.open],
        "text": purchase.text.say(lang),
    }


def sums(estimate: Estimate) -> dict[str, dict[str, str]]:
    """The sums of an estimate by currency, each beside the others."""
    return {currency: amounts(value) or {} for currency, value in {estimate.currency: estimate.total, **estimate.unconverted}.items()}


def worth_table(plan: Plan, lang: Lang) -> Document:
    """What each scenario is worth: spread of its cost, what it wins, payback, present value, break-even; then what is missing for that."""
    rows = tuple(_worth_row(scenario, lang) for scenario in plan.scenarios if scenario.remedies)
    if not rows:
        return ()
    header = tuple(say(f"money.{word}", lang) for word in ("scenario", "spread", "won", "payback", "present-value", "break-even"))
    blocks: list[Block] = [
        Table(header, rows, ("left", "right", "right", "right", "right", "right")),
        Paragraph(say("money.spread-note", lang)),
    ]
    blocks += [_titled(scenario.title, words, lang) for scenario in plan.scenarios if (words := drivers(scenario, lang))]
    blocks += [_titled(scenario.title, words, lang) for scenario in plan.scenarios if (words := sways(scenario, lang))]
    open_ = [text.say(lang) for text in max((scenario.open for scenario in reversed(plan.scenarios)), key=len)]  # the widest
    if open_:
        blocks += [Paragraph(say("money.open", lang)), Items(tuple(open_))]
    if plan.stop and plan.stop.purchases:
        blocks.append(Items(tuple(purchase.text.say(lang) for purchase in plan.stop.purchases)))
    out = {name: why for scenario in plan.scenarios for name, why in scenario.left_out.items()}
    if out:
        titles = {rung.proposal.remedy.id: rung.proposal.remedy.title for rung in plan.rungs}
        blocks += [Paragraph(say("money.left-out", lang)), Items(left_out(out, titles, lang))]
    return tuple(blocks)


def left_out(why: Mapping[str, Text], titles: Mapping[str, Text], lang: Lang) -> tuple[str, ...]:
    named = {name: titles[name].say(lang) if name in titles else name for name in why}
    return tuple(say("money.titled", lang, title=named[name], text=reason.say(lang)) for name, reason in why.items())


def _titled(title: Text, words: str, lang: Lang) -> Paragraph:
    return Paragraph(say("money.titled", lang, title=title.say(lang), text=words))


def _worth_row(scenario: Scenario, lang: Lang) -> tuple[str, ...]:
    unknown = say("report.unknown", lang)
    spread = " + ".join(f"{chance.currency} {chance.p10:,.0f} / {chance.p50:,.0f} / {chance.p90:,.0f}" for chance in scenario.chances)
    if scenario.estimate.missing:
        spread = " + ".join(part for part in (spread, say("report.prices-missing", lang, count=scenario.estimate.missing)) if part)
    hours = scenario.won_gpu_hours
    value, even = scenario.present_value, scenario.break_even_gpu_hours
    return (
        scenario.title.say(lang),
        spread or "0",
        unknown if hours is None else f"{hours.low:,.0f} / {hours.likely:,.0f} / {hours.high:,.0f}",
        unknown if scenario.payback_months is None else say("money.months", lang, months=f"{scenario.payback_months:.1f}"),
        unknown if value is None else f"{scenario.estimate.currency} {value:,.0f}",
        unknown if even is None else f"{even:,.0f}",
    )


def drivers(scenario: Scenario, lang: Lang) -> str:
    """The two figures that move each total most."""
    told = [
        say("money.driver", lang, what=driver.what.say(lang), figure=say(f"money.figure.{driver.figure}", lang), rank=f"{driver.rank:.2f}")
        for chance in scenario.chances
        for driver in chance.drivers[:2]
    ]
    return say("money.drivers", lang, list=say("report.list", lang).join(told)) if told else ""


def sways(scenario: Scenario, lang: Lang) -> str:
    """What is left in the end (won less spent) at the ends of the figures that move it most."""
    told = [
        say("money.sway", lang, figure=swing.figure.say(lang), low=f"{swing.low:,.0f}", high=f"{swing.high:,.0f}")
        for swing in scenario.sensitivity[:3]
    ]
    return say("money.sways", lang, currency=scenario.estimate.currency, list=say("report.list", lang).join(told)) if told else ""


def frontier_json(points: Iterable[Scenario], out: Mapping[str, Text], lang: Lang) -> dict[str, Any]:
    return {
        "points": [
            {"cost": f"{point.estimate.total.likely:.2f}", "recovers": _share(point.recovers), "remedies": list(point.remedies)}
            for point in points
        ],
        "left_out": {name: why.say(lang) for name, why in out.items()},
    }


def frontier_document(points: Iterable[Scenario], titles: Mapping[str, Text], lang: Lang) -> Document:
    """What every amount of money buys at best."""
    rows = tuple(
        (
            money_range(point.estimate.total, point.estimate.currency, lang),
            percent(point.recovers, lang),
            say("report.list", lang).join(titles[name].say(lang) if name in titles else name for name in point.remedies) or "-",
        )
        for point in points
    )
    header = tuple(say(f"money.{word}", lang) for word in ("cost", "recovers", "remedies"))
    return (Paragraph(say("money.frontier", lang), strong=True), Table(header, rows, ("right", "right", "left")))


def price_json(price: Price, lang: Lang) -> dict[str, Any]:
    return {
        "item": price.id,
        "name": price.name.say(lang),
        "unit": price.unit,
        "currency": price.currency,
        "price": None if price.price is None else {name: f"{amount:f}" for name, amount in price.price},
        "date": price.compiled_on.isoformat(),
        "valid_days": price.valid_days,
        "kind": price.kind,
        "region": price.region or None,
        "tax": price.tax or None,
        "source": price.source,
        "url": price.source_url or None,
        "history": [
            {
                "price": None if old.price is None else {name: f"{amount:f}" for name, amount in old.price},
                "currency": old.currency,
                "date": old.compiled_on.isoformat(),
                "kind": old.kind,
                "source": old.source,
                "replaced_on": old.replaced_on.isoformat(),
                "by": old.by or None,
                "why": old.why or None,
            }
            for old in price.history
        ],
    }


def price_words(price: Price, lang: Lang) -> str:
    """Low / likely / high with the currency; a price that is not there says so."""
    if price.price is None:
        return say("cost.kind.ask", lang)
    low, likely, high = (f"{amount:f}" for _, amount in price.price)
    return f"{price.currency} {likely}" if low == high else f"{price.currency} {low} / {likely} / {high}"


def prices_document(rows: Iterable[tuple[Price, str, int, str, tuple[str, ...]]], lang: Lang) -> Document:
    """The price book as a table: price, state, days left, place, findings."""
    cells = tuple(
        (
            price.id,
            price.name.say(lang),
            price_words(price, lang),
            price.unit,
            "-" if price.price is None else say("money.days-left" if left >= 0 else "money.days-over", lang, days=abs(left)),
            say("report.list", lang).join(say(f"money.finding.{finding}", lang) for finding in findings)
            or say(f"cost.state.{state}", lang),
            f"{say(f'money.where.{where}', lang)}, {price.source}, {price.compiled_on}",
        )
        for price, state, left, where, findings in rows
    )
    if not cells:
        return (Paragraph(say("money.none", lang)),)
    header = tuple(say(f"money.{word}", lang) for word in ("item", "name", "price", "unit", "valid", "state", "source"))
    return (Table(header, cells, ("left", "left", "right", "left", "right", "left", "left")),)


def answer_document(answer: Mapping[str, Any], lang: Lang) -> Document:
    """The results of a single sum, as they are named."""
    rows = tuple((name, say("report.unknown", lang) if value is None else str(value)) for name, value in answer.items())
    return (Table((say("money.figure-name", lang), say("money.value", lang)), rows, ("left", "right")),)
