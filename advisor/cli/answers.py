"""Commands that answer: the verdict, the plan, the report, the screens."""

import sys
from typing import Any

from advisor.base.text import Lang, say
from advisor.cli.money import frontier_of, plan_options, priced
from advisor.cli.output import narrate_gaps, opened, require_whole, show, show_screens
from advisor.cli.parser import Adding, Given, knowledge_of, language


def register(adding: Adding) -> None:
    lang = adding.lang
    for name, run in (("diagnose", _diagnose), ("plan", _plan)):
        one = adding.command(name, run)
        adding.site(one)
        adding.knowledge(one)
        one.add_argument("--strict", action="store_true", help=say("cli.strict", lang))
        if name == "plan":
            plan_options(one, adding)
    adding.command("demo", _demo)
    one = adding.command("open", _open, as_json=False)
    one.add_argument("target", nargs="?", metavar="SITE", help=say("cli.site", lang))
    one.add_argument("--no-mouse", action="store_true", help=say("cli.no-mouse", lang))


def _diagnose(given: Given) -> int:
    from advisor.report.as_json import diagnosis_json
    from advisor.report.parts import diagnosis_document

    lang = language(given)
    site = opened(given.target, lang, knowledge_of(given))
    narrate_gaps(site, lang)
    show(given, diagnosis_json(site.diagnosis, lang), lambda: diagnosis_document(site.diagnosis, lang))
    require_whole(given, sum(1 for capture in site.bundle.captures if capture.state != "read") + len(site.passed))
    return 0


def _plan(given: Given) -> int:
    from advisor.report.as_json import plan_json

    lang = language(given)
    site = priced(opened(given.target, lang, knowledge_of(given)), given)
    frontier, drawn = frontier_of(site, lang) if given.frontier else (None, ())
    tree = plan_json(site.plan, lang)
    show(given, tree if frontier is None else {**tree, "frontier": frontier}, lambda: _plan_document(site.plan, lang) + drawn)
    return 0


def _plan_document(plan: Any, lang: Lang) -> Any:
    from advisor.report import parts

    document = parts.plan_table(plan, lang) + parts.scenarios(plan, lang)
    for number, rung in enumerate(plan.rungs, 1):
        document += parts.steps(rung, number, lang) + parts.bill(rung.estimate, lang)
    return document


def _demo(given: Given) -> int:
    from advisor.usecases.assess import example

    lang = language(given)
    if not given.json and sys.stdin.isatty() and sys.stderr.isatty():
        return show_screens(given, example(), lang, mouse=True)
    from advisor.report import parts
    from advisor.report.as_json import diagnosis_json, plan_json

    site = opened(example(), lang)
    whole = {"diagnosis": diagnosis_json(site.diagnosis, lang), "plan": plan_json(site.plan, lang)}
    show(given, whole, lambda: parts.diagnosis_document(site.diagnosis, lang) + _plan_document(site.plan, lang))
    return 0


def _open(given: Given) -> int:
    return show_screens(given, given.target, language(given), mouse=not given.no_mouse)
