"""The parts of a report as document trees: answer, captures, diagnosis, plan. Commands print one of them, a report holds all."""

from datetime import timedelta

from advisor.base.text import Lang, say
from advisor.base.writing import clauses, day, listed
from advisor.cost.model import Estimate, Line, Scenario
from advisor.diagnosis.library import library
from advisor.diagnosis.verdict import Cause, Diagnosis
from advisor.evidence.bundle import Bundle
from advisor.plan.plan import Plan, Rung
from advisor.remedy.ladder import shipped_remedies
from advisor.remedy.remedy import Gain, Remedy
from advisor.report.document import Block, Code, Document, Heading, Items, Paragraph, Table
from advisor.report.money import worth_table
from advisor.report.standing import flow_control, standing, walk_stop
from advisor.report.words import evidence_row, money_range, percent, percent_range, unit_word


def answer(diagnosis: Diagnosis, lang: Lang) -> Document:
    """The money answer in a few lines."""
    loss = diagnosis.loss
    lines: list[Block] = [
        Paragraph(
            say("report.verdict", lang, verdict=say(f"verdict.{diagnosis.verdict}", lang), confidence=f"{diagnosis.confidence:.2f}"),
            strong=True,
        ),
        Paragraph(diagnosis.headline.say(lang)),
    ]
    beside = diagnosis.overruled
    if beside is not None:
        told = say(
            "report.overruled",
            lang,
            verdict=say(f"verdict.{beside.verdict}", lang),
            confidence=f"{beside.confidence:.2f}",
            headline=beside.headline.say(lang),
        )
        lines.append(Paragraph(told))
    if loss.fraction is not None:
        within = "" if loss.low is None or loss.high is None else f" ({percent_range(loss.low, loss.high, lang)})"
        rows = [(say("report.loss", lang), percent(loss.fraction, lang) + within, loss.baseline.say(lang) if loss.baseline else "")]
        rows.append((say("report.free", lang), percent(loss.free, lang), say("report.free-note", lang)))
        rows.append((say("report.hardware", lang), percent(loss.hardware, lang), say("report.hardware-note", lang)))
        lines.append(Table((say("report.money-question", lang), say("report.share", lang), ""), tuple(rows), ("left", "right", "left")))
        lines.append(Paragraph(say(f"report.method-{loss.method}", lang)))
    return tuple(lines)


def captures(bundle: Bundle, passed: tuple[tuple[str, str, str], ...], lang: Lang) -> Document:
    """Every file with its state, host and role; the sums add up."""
    rows = []
    for capture in bundle.captures:
        tools = ", ".join(sorted({part.tool for part in capture.reading.parts})) or "-"
        hosts = sorted({part.host for part in capture.reading.parts if part.host} | ({capture.host} if capture.host else set()))
        host = capture.host or (hosts[0] if len(hosts) == 1 else f"{len(hosts)}" if hosts else capture.path_host) or "-"
        unread = sum(b - a + 1 for a, b in capture.reading.unread)
        name = capture.name if capture.files == 1 else f"{capture.name} (+{capture.files - 1})"
        rows.append(
            (
                name,
                say(f"state.{capture.state}", lang),
                tools,
                host,
                say(f"report.role-{capture.role}", lang) if capture.role else "-",
                str(unread) if unread else "-",
            )
        )
    rows += [(name, say("state.passed", lang), "-", "-", "-", say(f"refused.{why}", lang)) for name, why, _ in passed]
    header = tuple(say(f"report.{word}", lang) for word in ("capture", "state", "tools", "host", "role", "unread-lines"))
    return (Table(header, tuple(rows)), Paragraph(_sums(bundle, len(passed), lang)))


def _sums(bundle: Bundle, passed: int, lang: Lang) -> str:
    """Every file in exactly one state."""
    counts: dict[str, int] = {**bundle.files, "passed": passed}
    states = say("report.list", lang).join(f"{say(f'state.{state}', lang)} {counts[state]}" for state in counts if counts[state])
    again = sum(capture.files - 1 for capture in bundle.captures)
    told = say("report.files", lang, files=sum(counts.values()), states=states)
    return f"{told} {say('report.files-again', lang, count=again)}".strip() if again else told


def layers(diagnosis: Diagnosis, lang: Lang) -> Document:
    rows = tuple(
        (say(f"layer.{layer}", lang), say(f"layer-state.{state}", lang)) for layer, state in diagnosis.layers.items() if layer != "none"
    )
    return (Table((say("report.layer", lang), say("report.state", lang)), rows),)


def causes(diagnosis: Diagnosis, lang: Lang) -> Document:
    """The causes in a table, then each with its evidence."""
    return (*causes_table(diagnosis, lang), *(block for cause in diagnosis.causes for block in evidence(cause, lang)))


def causes_table(diagnosis: Diagnosis, lang: Lang) -> Document:
    if not diagnosis.causes:
        return (Paragraph(say("report.no-cause", lang)),)
    header = tuple(say(f"report.{word}", lang) for word in ("cause", "layer", "sure", "of-the-loss", "signs"))
    rows = tuple(
        (c.title.say(lang), say(f"layer.{c.layer}", lang), f"{c.probability:.2f}", percent(c.share, lang), str(len(c.evidence)))
        for c in diagnosis.causes
    )
    return (Table(header, rows, ("left", "left", "right", "right", "right")),)


def evidence(cause: Cause, lang: Lang) -> Document:
    """A cause's signs, for and against, each with its value, threshold, factor and place."""
    blocks: list[Block] = [Heading(3, cause.title.say(lang))]
    if cause.explanation:
        blocks.append(Paragraph(cause.explanation.say(lang)))
    header = ("±", *(say(f"report.{word}", lang) for word in ("sign", "value", "threshold", "factor", "from")))
    if cause.evidence:
        blocks.append(
            Table(header, tuple(evidence_row(e, lang) for e in cause.evidence), ("left", "left", "right", "left", "right", "left"))
        )
    return tuple(blocks)


def next_steps(diagnosis: Diagnosis, lang: Lang) -> Document:
    """What is not known, and the probe that would decide most."""
    blocks: list[Block] = []
    if diagnosis.missing:
        blocks += [Heading(3, say("report.not-known", lang)), Items(tuple(text.say(lang) for text in diagnosis.missing))]
    probe = diagnosis.next_probe
    if probe:
        key = "report.probe-where-switch-of" if probe.at == "switch-of" else "report.probe-where"
        where = say(key, lang, where=probe.where) if probe.where else ""
        blocks.append(Paragraph(say("report.next-probe", lang, run=probe.run.say(lang), where=where, decides=probe.decides.say(lang))))
    return tuple(blocks)


def diagnosis_document(diagnosis: Diagnosis, lang: Lang) -> Document:
    gates = tuple((say(f"gate.{g.gate}", lang), say(f"layer-state.{g.state}", lang), g.text.say(lang)) for g in diagnosis.gates)
    header = (say("report.gate", lang), say("report.state", lang), say("report.finding", lang))
    own = (Paragraph(say("report.knowledge", lang, folders=", ".join(diagnosis.knowledge))),) if diagnosis.knowledge else ()
    return (
        *answer(diagnosis, lang),
        *own,
        *((Heading(2, say("report.order", lang)), Table(header, gates)) if gates else layers(diagnosis, lang)),
        *walk_stop(diagnosis, lang),
        Heading(2, say("report.causes", lang)),
        *causes(diagnosis, lang),
        *standing(diagnosis, lang),
        *flow_control(diagnosis, lang),
        *next_steps(diagnosis, lang),
    )


def plan_table(plan: Plan, lang: Lang) -> Document:
    """The ladder in one table, free first, and whether buying is still needed."""
    header = ("#", *(say(f"report.{word}", lang) for word in ("remedy", "kind", "recovers", "cost", "decision")))
    rows = tuple(
        (
            str(i),
            rung.proposal.remedy.title.say(lang),
            say(f"kind.{rung.proposal.remedy.kind}", lang),
            percent_range(rung.proposal.recovers_low, rung.proposal.recovers_high, lang),
            cost_words(rung.estimate, lang),
            _chosen(rung, lang),
        )
        for i, rung in enumerate(plan.rungs, 1)
    )
    if not rows:
        return (Paragraph(say("report.no-remedy", lang)), Paragraph(plan.buying.say(lang)))
    return (Table(header, rows, ("right", "left", "left", "right", "right", "left")), Paragraph(plan.buying.say(lang), strong=True))


def _chosen(rung: Rung, lang: Lang) -> str:
    """What was decided, with the reason that was given."""
    chosen = say(f"choice.{rung.decision.choice}", lang)
    return f"{chosen}: {rung.decision.reason}" if rung.decision.reason else chosen


def cost_words(estimate: Estimate, lang: Lang) -> str:
    """The totals of an estimate by currency, and how many of its amounts are missing: an unknown never hides in a sum."""
    sums = {estimate.currency: estimate.total, **estimate.unconverted}
    known = [money_range(amount, currency, lang) for currency, amount in sums.items() if amount.high]
    if not known:
        known = [say("report.unknown", lang) if estimate.missing else money_range(estimate.total, estimate.currency, lang)]
    if estimate.missing:
        known.append(say("report.prices-missing", lang, count=estimate.missing))
    return " + ".join(known)


def scenarios(plan: Plan, lang: Lang) -> Document:
    """The scenarios with all that is known of their worth."""
    return (*scenario_table(plan, lang), *worth_table(plan, lang)) if plan.scenarios else ()


def scenario_table(plan: Plan, lang: Lang) -> Document:
    """The scenarios side by side, and what doing nothing costs."""
    if not plan.scenarios:
        return ()
    header = tuple(say(f"report.{word}", lang) for word in ("scenario", "recovers", "at-most", "cost"))
    rows = tuple((s.title.say(lang), percent(s.recovers, lang), _at_most(s, lang), cost_words(s.estimate, lang)) for s in plan.scenarios)
    blocks: list[Block] = [Table(header, rows, ("left", "right", "right", "right")), Paragraph(say("report.scenario-note", lang))]
    nothing = plan.scenarios[0]
    if not nothing.remedies and nothing.note:
        blocks.append(Paragraph(say("report.if-nothing", lang, note=nothing.note.say(lang))))
    return tuple(blocks)


def _at_most(scenario: Scenario, lang: Lang) -> str:
    return percent(scenario.recovers if scenario.recovers_high is None else scenario.recovers_high, lang)


def steps(rung: Rung, number: int, lang: Lang) -> Document:
    """One remedy for the engineer: what, risk, steps, rollback, how to verify and what to expect."""
    proposal = rung.proposal
    remedy = proposal.remedy
    blocks: list[Block] = [Heading(3, f"{number}. {remedy.title.say(lang)}"), Paragraph(remedy.what.say(lang))]
    if remedy.prerequisites:
        blocks += [Paragraph(say("report.first", lang)), Items(tuple(text.say(lang) for text in remedy.prerequisites))]
    blocks += _minded(remedy, lang)
    for i, text in enumerate(proposal.steps, 1):
        blocks += _typed(f"{i}. ", text.say(lang))
    blocks += _typed(say("report.rollback-is", lang), (proposal.rollback or remedy.rollback).say(lang))
    facts = [
        (say("report.risk", lang), remedy.risk.say(lang)),
        (say("report.window", lang), say("report.yes" if remedy.window else "report.no", lang)),
        (say("report.verify", lang), (proposal.verify or remedy.verify).say(lang)),
        (say("report.expect", lang), (proposal.expect or remedy.expect).say(lang)),
    ]
    facts += [(say("report.effect", lang), f"{effect.text.say(lang)} [{effect.source}]") for effect in remedy.effects]
    if remedy.unmeasured is not None:
        facts.append((say("report.effect", lang), remedy.unmeasured.say(lang)))
    return (*blocks, Table(("", ""), tuple(facts)), *_gains(proposal.gains, lang))


def _typed(mark: str, text: str) -> list[Block]:
    """A step, and under it what to type: the lines after the first."""
    said, *to_type = text.split("\n")
    return [Paragraph(mark + said), *([Code("\n".join(to_type))] if to_type else [])]


def _minded(remedy: Remedy, lang: Lang) -> list[Block]:
    """What conflicts and what to mind where another remedy is done too."""
    titles = {name: other.title.say(lang) for name, other in shipped_remedies().items()}
    said = [
        say(
            "report.conflicts" if each.remedy in remedy.conflicts else "report.mind",
            lang,
            remedy=titles.get(each.remedy, each.remedy),
            why=each.text.say(lang),
        )
        for each in remedy.interplay
    ]
    return [Items(tuple(said))] if said else []


def _gains(gains: tuple[Gain, ...], lang: Lang) -> list[Block]:
    """What the model predicts for each job, as a share of what the ports can do."""
    if not gains:
        return []
    header = tuple(say(f"report.{word}", lang) for word in ("job", "now", "then", "range"))
    rows = tuple((gain.job, percent(gain.now, lang), percent(gain.then, lang), percent_range(gain.low, gain.high, lang)) for gain in gains)
    return [Paragraph(say("report.gains", lang)), Table(header, rows, ("left", "right", "right", "right"))]


def bill(estimate: Estimate, lang: Lang) -> Document:
    """The lines of an estimate: quantity, unit price, amount, and what each rests on, with the price's date and source."""
    if not estimate.lines:
        return ()
    header = tuple(say(f"report.{word}", lang) for word in ("what", "quantity", "unit-price", "amount", "rests-on"))
    total = (say("report.total", lang), "", "", cost_words(estimate, lang), "")
    rows = tuple(_bill_row(line, lang) for line in estimate.lines)
    return (Table(header, (*rows, total), ("left", "right", "right", "right", "left")),)


def _bill_row(line: Line, lang: Lang) -> tuple[str, ...]:
    price = line.price
    quantity = (
        say("report.unknown", lang) if line.quantity is None else f"{line.quantity.likely.normalize():f} {unit_word(line.unit, lang)}"
    )
    unit_price = money_range(price.price, price.currency, lang) if price and price.price else say("report.price-missing", lang)
    rests_on = [line.basis.say(lang)]
    if price:
        rests_on.append(listed((price.source, day(price.compiled_on, lang)), lang))
        if line.state == "expired":
            rests_on.append(say("report.price-expired", lang, days=price.valid_days))
    return line.what.say(lang), quantity, unit_price, money_range(line.amount, line.currency, lang), clauses(rests_on, lang)


def hashes(bundle: Bundle, lang: Lang) -> Document:
    """Every capture with its hash: what the report rests on."""
    rows = tuple((capture.name, str(capture.size), capture.sha256) for capture in bundle.captures)
    return (Table((say("report.capture", lang), say("report.bytes", lang), "sha256"), rows, ("left", "right", "left")),)


def sources(diagnosis: Diagnosis, plan: Plan, lang: Lang) -> Document:
    """Title and address of every source that a threshold or an effect names."""
    named = {e.threshold_source for cause in diagnosis.causes for e in cause.evidence if e.threshold_source}
    named |= {effect.source for rung in plan.rungs for effect in rung.proposal.remedy.effects}
    named |= {source for rung in plan.rungs for source in rung.proposal.remedy.sources}
    named |= {command.source for rung in plan.rungs for command in rung.proposal.commands}
    shelf = library().sources
    rows = tuple((name, shelf[name].title, shelf[name].url or "-") for name in sorted(named) if name in shelf)
    return (Table((say("report.source", lang), say("report.title-of", lang), say("report.address", lang)), rows),) if rows else ()


def price_sources(plan: Plan, lang: Lang) -> Document:
    """Every price that an estimate uses, with its source, date and the day until it holds."""
    used = {line.price.id: line.price for rung in plan.rungs for line in rung.estimate.lines if line.price is not None}
    rows = tuple(
        (
            price.name.say(lang),
            money_range(price.price, price.currency, lang) if price.price else say("report.price-missing", lang),
            str(price.compiled_on),
            str(price.compiled_on + timedelta(days=price.valid_days)),
            " ".join(filter(None, (price.source, price.source_url))),
        )
        for _, price in sorted(used.items())
    )
    header = tuple(say(f"report.{word}", lang) for word in ("price", "unit-price", "price-date", "valid-until", "source"))
    return (Table(header, rows, ("left", "right")),) if rows else ()
