"""The whole report: the manager's page, the engineer's steps, the evidence appendix, the method. Written once for every form."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date

from advisor import __version__
from advisor.base.text import Lang, say
from advisor.base.writing import day
from advisor.cost.model import Scenario
from advisor.diagnosis.comparison import Pair
from advisor.diagnosis.verdict import Cause, Diagnosis
from advisor.evidence.bundle import Bundle
from advisor.evidence.origin import Origin
from advisor.evidence.seal import Seal
from advisor.fabric.model import Fabric
from advisor.plan.held import Prediction
from advisor.plan.plan import Plan
from advisor.report import parts
from advisor.report.charts import of_site
from advisor.report.compared import compared_document, prediction_document
from advisor.report.document import Block, Choices, Document, Folded, Heading, Items, Paragraph, Picture, Table
from advisor.report.money import worth_table
from advisor.report.standing import flow_control, standing, walk_stop
from advisor.report.words import money_range, percent

Quote = Callable[[Origin], str | None]  # the line of a capture that an origin names, to the letter
_MOST_LOGS, _MOST_QUOTES = 3, 4


@dataclass(frozen=True, slots=True)
class Subject:
    """What a report is about. masked: names and addresses are pseudonyms. compared: the same measurement twice, before and after first."""

    name: str
    bundle: Bundle
    passed: tuple[tuple[str, str, str], ...]
    fabric: Fabric
    diagnosis: Diagnosis
    plan: Plan
    today: date
    masked: bool = False
    compared: tuple[Pair, ...] = ()
    prediction: Prediction | None = None
    sealed: Seal | None = None


def report(subject: Subject, quote: Quote, lang: Lang) -> Document:
    """Everything that is handed over, as one tree."""
    return (*manager(subject, lang), *engineer(subject, lang), *appendix(subject, quote, lang), *method(subject, lang))


def manager(subject: Subject, lang: Lang) -> Document:
    """One page: the money answer, the options, the plan that is recommended, its risks, what is not known."""
    diagnosis, plan = subject.diagnosis, subject.plan
    blocks: list[Block] = [Heading(1, say("report.title", lang, name=subject.name))]
    made = say("report.made", lang, date=day(subject.today, lang), version=__version__, captures=len(subject.bundle.captures))
    blocks.append(Paragraph(made))
    if diagnosis.knowledge:
        blocks.append(Paragraph(say("report.knowledge", lang, folders=", ".join(diagnosis.knowledge))))
    if subject.masked:
        blocks.append(Paragraph(say("report.masked", lang), strong=True))
    blocks += [Heading(2, say("report.answer", lang)), *parts.answer(diagnosis, lang)]
    blocks += _drawn(of_site.loss_split(diagnosis, lang))
    if plan.scenarios:
        blocks += [Heading(2, say("report.options", lang)), *parts.scenario_table(plan, lang)]
        blocks += _drawn(of_site.frontier(plan, lang))
    blocks += [Heading(2, say("report.plan", lang)), *parts.plan_table(plan, lang), *_risks(plan, lang)]
    unknown = parts.next_steps(diagnosis, lang) or (Paragraph(say("report.nothing-missing", lang)),)
    return (*blocks, Heading(2, say("report.unknowns", lang)), *unknown)


def _risks(plan: Plan, lang: Lang) -> Document:
    """What can go wrong in what is recommended: the free steps, and what is taken."""
    rows = tuple(
        (
            rung.proposal.remedy.title.say(lang),
            rung.proposal.remedy.risk.say(lang),
            say("report.yes" if rung.proposal.remedy.window else "report.no", lang),
        )
        for rung in plan.rungs
        if rung.decision.choice == "take" or (rung.decision.choice == "open" and rung.proposal.remedy.kind == "free")
    )
    if not rows:
        return ()
    header = tuple(say(f"report.{word}", lang) for word in ("remedy", "risk", "window"))
    return (Heading(3, say("report.risks", lang)), Table(header, rows))


def engineer(subject: Subject, lang: Lang) -> Document:
    """The steps of each remedy with rollback and acceptance; below, what each scenario buys."""
    plan = subject.plan
    blocks: list[Block] = [Heading(2, say("report.engineer", lang))]
    if not plan.rungs:
        blocks.append(Paragraph(say("report.no-remedy", lang)))
    for number, rung in enumerate(plan.rungs, 1):
        blocks += parts.steps(rung, number, lang)
        bill = parts.bill(rung.estimate, lang)
        if bill:
            blocks.append(Folded(say("report.bill-of", lang, remedy=rung.proposal.remedy.title.say(lang)), bill))
    choices = tuple((scenario.title.say(lang), _scenario(scenario, plan, lang)) for scenario in plan.scenarios)
    if choices:
        blocks += [Heading(2, say("report.bills", lang)), *worth_table(plan, lang), Choices(say("report.scenario", lang), choices)]
    return tuple(blocks)


def _scenario(scenario: Scenario, plan: Plan, lang: Lang) -> Document:
    titles = {rung.proposal.remedy.id: rung.proposal.remedy.title for rung in plan.rungs}
    facts = [
        (say("report.recovers", lang), percent(scenario.recovers, lang)),
        (say("report.cost", lang), parts.cost_words(scenario.estimate, lang)),
    ]
    if scenario.lost is not None:
        facts.append((say("report.lost-over", lang), money_range(scenario.lost, scenario.estimate.currency, lang)))
    if scenario.payback_months is not None:
        facts.append((say("report.payback", lang), say("report.months", lang, months=f"{scenario.payback_months:.1f}")))
    blocks: list[Block] = [Table(("", ""), tuple(facts), ("left", "right"))]
    if scenario.note:
        blocks.append(Paragraph(scenario.note.say(lang)))
    taken = tuple(titles[remedy].say(lang) for remedy in scenario.remedies if remedy in titles)
    if taken:
        blocks.append(Items(taken, numbered=True))
    return (*blocks, *parts.bill(scenario.estimate, lang))


def appendix(subject: Subject, quote: Quote, lang: Lang) -> Document:
    """Every figure with its capture and line, the line itself, thresholds and prices with their sources."""
    diagnosis = subject.diagnosis
    gates = tuple((say(f"gate.{g.gate}", lang), say(f"layer-state.{g.state}", lang), g.text.say(lang)) for g in diagnosis.gates)
    header = tuple(say(f"report.{word}", lang) for word in ("gate", "state", "finding"))
    blocks: list[Block] = [Heading(2, say("report.evidence", lang)), Table(header, gates), *walk_stop(diagnosis, lang)]
    blocks += parts.causes_table(diagnosis, lang)
    for cause in diagnosis.causes:
        blocks += parts.evidence(cause, lang)
        if cause.probability >= 0.5:
            blocks += _drawn(of_site.waterfall(cause, lang))
        quoted = _quotes(cause, quote)
        if quoted:
            blocks.append(
                Folded(
                    say("report.lines-of", lang, cause=cause.title.say(lang)),
                    (Table((say("report.from", lang), say("report.line-says", lang)), quoted),),
                )
            )
    blocks += [*standing(diagnosis, lang), *flow_control(diagnosis, lang)]
    pictures = [of_site.links(subject.fabric, lang), *(of_site.timeline(log, lang) for log in subject.fabric.logs[:_MOST_LOGS])]
    if subject.compared:
        blocks += [Heading(2, say("compare.title", lang)), *compared_document(subject.compared, (), lang)]
        if subject.prediction:
            titles = {rung.proposal.remedy.id: rung.proposal.remedy.title for rung in subject.plan.rungs}
            blocks += prediction_document(subject.prediction, titles, None, lang)
    drawn = [block for picture in pictures for block in _drawn(picture)]
    if drawn:
        blocks += [Heading(2, say("report.pictures", lang)), *drawn]
    blocks.append(Heading(2, say("report.captures", lang)))
    blocks.append(
        Folded(say("report.captures-all", lang, count=len(subject.bundle.captures)), parts.captures(subject.bundle, subject.passed, lang))
    )
    blocks.append(Folded(say("report.hashes", lang), parts.hashes(subject.bundle, lang)))
    blocks += [
        Heading(2, say("report.sources", lang)),
        *parts.sources(diagnosis, subject.plan, lang),
        *parts.price_sources(subject.plan, lang),
    ]
    return tuple(blocks)


def _quotes(cause: Cause, quote: Quote) -> tuple[tuple[str, str], ...]:
    """The lines that the evidence of a cause rests on, each once."""
    found: dict[str, str] = {}
    for evidence in cause.evidence:
        for origin in evidence.origins[:_MOST_QUOTES]:
            if origin.line and str(origin) not in found:
                line = quote(origin)
                if line is not None and line.strip():
                    found[str(origin)] = line.strip()
    return tuple(found.items())


def method(subject: Subject, lang: Lang) -> Document:
    """How it was found, with what, and what a person decided otherwise."""
    blocks: list[Block] = [Heading(2, say("report.method", lang)), Paragraph(say("report.method-text", lang))]
    if subject.diagnosis.knowledge:
        blocks.append(Paragraph(say("report.knowledge", lang, folders=", ".join(subject.diagnosis.knowledge))))
    if subject.sealed:
        blocks.append(Paragraph(say("seal.made", lang, date=subject.sealed.made_on, digest=subject.sealed.digest)))
    if subject.diagnosis.set_aside:
        blocks += [Paragraph(say("report.set-aside", lang)), Items(subject.diagnosis.set_aside)]
    return tuple(blocks)


def _drawn(picture: Picture | None) -> tuple[Block, ...]:
    return (picture,) if picture else ()
