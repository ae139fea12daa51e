"""The whole report: the manager's page, the engineer's steps, the evidence appendix."""

from datetime import date

from advisor import __version__
from advisor.base.text import Lang, say
from advisor.diagnosis.verdict import Diagnosis
from advisor.evidence.bundle import Bundle
from advisor.plan.plan import Plan
from advisor.report import parts
from advisor.report.document import Block, Document, Heading, Items, Paragraph


def report(
    name: str, bundle: Bundle, passed: tuple[tuple[str, str, str], ...], diagnosis: Diagnosis, plan: Plan, today: date, lang: Lang
) -> Document:
    """Everything that is handed over, as one tree."""
    blocks: list[Block] = [Heading(1, say("report.title", lang, name=name))]
    blocks.append(Paragraph(say("report.made", lang, date=today.isoformat(), version=__version__, captures=len(bundle.captures))))
    blocks += [Heading(2, say("report.answer", lang)), *parts.answer(diagnosis, lang)]
    blocks += [Heading(2, say("report.plan", lang)), *parts.plan_table(plan, lang)]
    if plan.scenarios:
        blocks += [Heading(2, say("report.options", lang)), *parts.scenarios(plan, lang)]
    blocks += [
        Heading(2, say("report.unknowns", lang)),
        *(parts.next_steps(diagnosis, lang) or (Paragraph(say("report.nothing-missing", lang)),)),
    ]
    if diagnosis.set_aside:
        blocks += [Paragraph(say("report.set-aside", lang)), Items(diagnosis.set_aside)]
    blocks.append(Heading(2, say("report.engineer", lang)))
    for number, rung in enumerate(plan.rungs, 1):
        blocks += parts.steps(rung, number, lang)
        blocks += parts.bill(rung.estimate, lang)
    blocks += [Heading(2, say("report.evidence", lang)), *parts.causes(diagnosis, lang)]
    blocks += [Heading(2, say("report.captures", lang)), *parts.captures(bundle, passed, lang), *parts.hashes(bundle, lang)]
    blocks += [Heading(2, say("report.sources", lang)), *parts.sources(diagnosis, plan, lang)]
    blocks += [Heading(2, say("report.method", lang)), Paragraph(say("report.method-text", lang))]
    return tuple(blocks)
