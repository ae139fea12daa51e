"""Scenarios side by side, and the breakdown of one down to part, quantity, unit price, source and date."""

from advisor.base.text import Lang, Text, say, text_of
from advisor.base.writing import day, day_of, listed, span
from advisor.cost.lines import Group, groups_of
from advisor.cost.model import Estimate, Line, Range, Scenario
from advisor.plan.plan import Plan
from advisor.tui.views.figures import UNKNOWN, bar, money, number, percent, several, single, total, unit_price
from advisor.tui.views.words import Column, Para, Phrase, Row, Span, Table, Tone, joined, word

GROUPS = ("capital", "labour", "downtime", "running")
CHOSEN = "chosen"  # key of the plan as decided so far, beside the scenarios


def scenarios(plan: Plan, lang: Lang) -> Table:
    """What each scenario recovers and costs; first the plan as it is decided so far."""
    chosen = Scenario(
        id=CHOSEN,
        title=Text(en=say("tui.costs.chosen", "en"), zh=say("tui.costs.chosen", "zh")),
        remedies=tuple(rung.proposal.remedy.id for rung in plan.rungs if rung.decision.choice == "take"),
        recovers=plan.recovered,
        remaining=plan.still_lost,
        estimate=plan.taken,
    )
    rows = [_scenario(each, lang) for each in (chosen, *plan.scenarios)]
    columns = (
        Column(say("tui.costs.scenario", lang), flex=True),
        Column(say("tui.costs.recovers", lang), right=True),
        Column("", drop=5),
        Column(say("tui.costs.remaining", lang), right=True),
        Column(say("tui.costs.low", lang), right=True, drop=2),
        Column(say("tui.costs.likely", lang), right=True, most=32),
        Column(say("tui.costs.high", lang), right=True, drop=2),
        Column(say("tui.costs.capital", lang), right=True, drop=3),
        Column(say("tui.costs.labour", lang), right=True, drop=4),
        Column(say("tui.costs.gaps", lang), drop=1),
    )
    return Table(columns, tuple(rows), empty=say("tui.costs.none", lang))


def _scenario(scenario: Scenario, lang: Lang) -> Row:
    estimate = scenario.estimate
    one = single(estimate)
    cells = (
        word(scenario.title.say(lang), "strong"),
        word(percent(scenario.recovers, lang), "good" if scenario.recovers else "dim"),
        word(bar(scenario.recovers, 10), "good"),
        word(percent(scenario.remaining, lang), "bad" if scenario.remaining else "dim"),
        word(money(one[1].low) if one else UNKNOWN, "dim"),
        word(total(estimate, named=False, heading=estimate.currency), "strong"),
        word(money(one[1].high) if one else UNKNOWN, "dim"),
        _group(estimate, "capital"),
        _group(estimate, "labour"),
        gaps(estimate, lang, short=bool(estimate.unconverted or estimate.expired)),
    )
    order = (
        scenario.title.say(lang),
        scenario.recovers,
        scenario.recovers,
        scenario.remaining,
        *((float(one[1].low), float(one[1].likely), float(one[1].high)) if one else (None, None, None)),
    )
    return Row(f"scenario:{scenario.id}", cells, order)


def _group(estimate: Estimate, group: Group) -> Phrase:
    """The sums of one kind of cost by currency; other currencies than the estimate's are named."""
    sums = {currency: groups[group].likely for currency, groups in groups_of(estimate).items() if group in groups}
    known = [money(amount, currency if currency != estimate.currency else "") for currency, amount in sums.items()]
    return word(" + ".join(known) or UNKNOWN, "plain" if any(sums.values()) else "dim")


def gaps(estimate: Estimate, lang: Lang, short: bool = False) -> Phrase:
    """Prices that are missing or expired: a total with gaps says so; `short`: by signs alone, what they stand for is said at the total."""
    return joined(
        word(f"? {estimate.missing if short else say('tui.costs.missing', lang, n=estimate.missing)}", "bad") if estimate.missing else (),
        word(f"! {say('tui.costs.expired', lang, n=estimate.expired)}", "warn") if estimate.expired else (),
        word("!" if short else f"! {say('tui.costs.no-rate', lang)}", "warn") if estimate.unconverted else (),
        between=" ",
    ) or word("✓", "good")


def first_with_lines(plan: Plan) -> str | None:
    """The first scenario that has a breakdown, to look at while nothing is taken."""
    return next((f"scenario:{scenario.id}" for scenario in plan.scenarios if scenario.estimate.lines), None)


def estimate_of(plan: Plan, key: str) -> Estimate:
    name = key.removeprefix("scenario:")
    return next((scenario.estimate for scenario in plan.scenarios if scenario.id == name), plan.taken)


def note_of(plan: Plan, key: str, lang: Lang) -> tuple[Para, ...]:
    """What is to be said of a scenario in words."""
    name = key.removeprefix("scenario:")
    scenario = next((each for each in plan.scenarios if each.id == name), None)
    if scenario is None:
        return (Para(word(plan.buying.say(lang))),)
    titles = {rung.proposal.remedy.id: rung.proposal.remedy.title.say(lang) for rung in plan.rungs}
    remedies = joined(*(word(titles.get(remedy, remedy)) for remedy in scenario.remedies), between=" · ")
    chances = span("P10", "P90", lang)
    spread = joined(
        *(word(f"{chances} {span(money(each.p10, each.currency), money(each.p90), lang)}", "dim") for each in scenario.chances),
        word(say("tui.costs.value", lang, amount=money(scenario.present_value, plan.currency)), "info")
        if scenario.present_value is not None
        else (),
        between=" · ",
    )
    waste = joined(
        word(say("tui.costs.lost", lang, amount=money(scenario.lost.likely, plan.currency)), "bad") if scenario.lost else (),
        word(say("tui.costs.payback", lang, months=f"{scenario.payback_months:.1f}"), "info")
        if scenario.payback_months is not None
        else (),
        word(scenario.note.say(lang)) if scenario.note else (),
        between=" · ",
    )
    return tuple(Para(phrase) for phrase in (waste, spread, remedies) if phrase)


def breakdown(estimate: Estimate, plan: Plan, lang: Lang, folded: frozenset[str]) -> Table:
    """The tree: kind of cost, remedy, line."""
    titles = {rung.proposal.remedy.id: rung.proposal.remedy.title.say(lang) for rung in plan.rungs}
    currency = _heading_currency(estimate)
    rows: list[Row] = []
    for group in GROUPS:
        lines = [line for line in estimate.lines if line.group == group]
        if not lines:
            continue
        key = f"group:{group}"
        rows.append(_sum_row(key, say(f"tui.costs.{group}", lang), lines, 0, key not in folded, currency, lang))
        if key in folded:
            continue
        for remedy in dict.fromkeys(line.remedy for line in lines):
            its = [line for line in lines if line.remedy == remedy]
            key = f"remedy:{group}:{remedy}"
            rows.append(_sum_row(key, titles.get(remedy, remedy), its, 1, key not in folded, currency, lang))
            if key not in folded:
                rows += [_line(f"line:{group}:{remedy}:{i}", line, currency, lang) for i, line in enumerate(its)]
    if estimate.lines:
        rows += _totals(estimate, currency, lang)
    columns = (
        Column(say("tui.costs.item", lang), flex=True),
        Column(say("tui.costs.quantity", lang), right=True),
        Column(say("tui.costs.unit-price", lang), right=True, drop=1),
        Column(say("tui.costs.low", lang), right=True, drop=3),
        Column(f"{say('tui.costs.likely', lang)} {_heading_currency(estimate)}", right=True, most=18),
        Column(say("tui.costs.high", lang), right=True, drop=3),
        Column(say("tui.costs.source", lang), drop=2, most=24),
    )
    return Table(columns, tuple(rows), empty=say("tui.costs.free", lang))


def _totals(estimate: Estimate, currency: str, lang: Lang) -> list[Row]:
    """The total; where no rate between two currencies is known, a line for each."""
    title, note = word(say("tui.costs.total", lang), "title"), gaps(estimate, lang)
    sums = several(estimate)
    if single(estimate) or len(sums) < 2:
        one = single(estimate)
        low, _, high = _amounts(one[1] if one else None)
        return [Row("total", (title, (), (), low, word(total(estimate, named=False, heading=currency), "strong"), high, note))]
    rows = []
    for i, (name, amount) in enumerate(sums.items()):
        amounts = _amounts(amount, "strong", name if name != currency else "")
        rows.append(Row(f"total:{name}", (title if i == 0 else (), (), (), *amounts, note if i == 0 else ())))
    return rows


def _heading_currency(estimate: Estimate) -> str:
    """The currency that amounts stand in unless they name another."""
    one = single(estimate)
    return one[0] if one else estimate.currency


def _sum_row(key: str, title: str, lines: list[Line], depth: int, opened: bool, currency: str, lang: Lang) -> Row:
    """The sum of the lines that stand below; none where they are in several currencies."""
    sums: Range | None = None
    if len({line.currency for line in lines}) == 1:
        for line in lines:
            if line.amount is not None:
                sums = line.amount if sums is None else sums + line.amount
    missing = sum(line.amount is None for line in lines)
    note = word(f"? {say('tui.costs.missing', lang, n=missing)}", "bad") if missing else ()
    return Row(
        key,
        (
            word(title, "strong" if depth == 0 else "plain"),
            (),
            (),
            *_amounts(sums, "strong", lines[0].currency if lines[0].currency != currency else ""),
            note,
        ),
        depth=depth,
        opened=opened,
    )


def _amounts(amount: Range | None, tone: Tone = "plain", currency: str = "") -> tuple[Phrase, Phrase, Phrase]:
    if amount is None:
        return word(UNKNOWN, "dim"), word(UNKNOWN, "bad"), word(UNKNOWN, "dim")
    return word(money(amount.low), "dim"), word(money(amount.likely, currency), tone), word(money(amount.high), "dim")


def _line(key: str, line: Line, currency: str, lang: Lang) -> Row:
    quantity = (
        word(UNKNOWN, "bad") if line.quantity is None else word(f"{number(float(line.quantity.likely))} {unit_word(line.unit, lang)}")
    )
    price = line.price
    unit = (
        word(UNKNOWN, "bad")
        if price is None or price.price is None
        else word(f"{price.currency if price.currency != currency else ''} {number(float(price.price.likely), 2)}".strip(), "dim")
    )
    low, likely, high = _amounts(line.amount, currency=line.currency if line.currency != currency else "")
    mark = (
        (Span("? ", "bad"),) if line.state == "missing" or line.amount is None else (Span("! ", "warn"),) if line.state == "expired" else ()
    )
    return Row(key, (word(line.what.say(lang)), quantity, unit, low, (*mark, *likely), high, _source(line, lang)), depth=2)


def _source(line: Line, lang: Lang) -> Phrase:
    """Where a price is from and of which day, with a sign where it no longer holds or is not there."""
    if line.price is None or line.state == "missing":
        return word(f"? {say('tui.costs.no-price', lang)}", "bad")
    when = day(line.price.compiled_on, lang)
    if line.state == "expired":
        return word(f"! {say('tui.costs.old', lang)} {when} {line.price.source}", "warn")
    kind = "" if line.price.kind != "estimate" else say("tui.costs.estimate", lang) + " "
    if line.price.history:
        return (Span("✎ ", "info"), Span(f"{when} {line.price.source}", "plain"))
    return (Span("✓ ", "good"), Span(f"{kind}{when} {line.price.source}", "dim"))


def unit_word(unit: str, lang: Lang, one: bool = False) -> str:
    """A unit of the price book as it is read, `one` of it behind a price; one that the catalogue lacks stays as it is written."""
    text = text_of(f"piece.{'one' if one else 'many'}.{unit}")
    return text.say(lang) if text else unit


def line_of(estimate: Estimate, key: str) -> Line | None:
    parts = key.split(":")
    if parts[0] != "line" or len(parts) != 4:
        return None
    its = [line for line in estimate.lines if line.group == parts[1] and line.remedy == parts[2]]
    return its[int(parts[3])] if int(parts[3]) < len(its) else None


def nearest_line(estimate: Estimate, table: Table, key: str) -> Line | None:
    """The line of a row; of a row with rows below it the first of them that is a line."""
    places = [row.key for row in table.rows]
    rest = places[places.index(key) :] if key in places else []
    return next((line for name in rest if (line := line_of(estimate, name))), None)


def detail(line: Line | None, lang: Lang) -> tuple[Para, ...]:
    """All of one line: how the quantity was found, and the price with its source."""
    if line is None:
        return ()
    price = line.price
    words: list[Phrase] = [word(line.basis.say(lang))]
    if line.quantity is not None:
        quantity = line.quantity
        words.append(
            word(
                " / ".join(number(float(value)) for value in (quantity.low, quantity.likely, quantity.high))
                + f" {unit_word(line.unit, lang)}",
                "dim",
            )
        )
    paras = [Para(joined(*words, between=" · "), hang=2)]
    if price is not None:
        amounts = "?" if price.price is None else unit_price(price.price, price.currency, lang)
        seen = listed([f"{one.title} ({day_of(one.seen, lang)})" for one in price.evidence[:4]], lang)
        about = [
            price.name.say(lang),
            f"{amounts} / {unit_word(price.unit, lang, one=True)}",
            *((price.source,) if all(one.title != price.source for one in price.evidence[:4]) else ()),
            seen,
            day(price.compiled_on, lang),
            price.note,
        ]
        paras.append(Para(word(" · ".join(text for text in about if text), "dim"), hang=2))
        old = price.history[0] if price.history else None
        if old is not None:
            was = "?" if old.price is None else f"{old.currency} {number(float(old.price.likely), 2)}"
            about_it = " · ".join(text for text in (was, old.source, day(old.compiled_on, lang), old.why) if text)
            paras.insert(1, Para(joined(word(say("tui.price.before", lang, day=day(old.replaced_on, lang)) + " ", "info"), word(about_it))))
    return tuple(paras)
