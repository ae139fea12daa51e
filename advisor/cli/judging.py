"""Commands about the verdict itself: what to ask next, a person's own verdict, the measures that it rests on."""

import sys
from pathlib import Path
from typing import Any

from advisor.base.plain import plain
from advisor.base.text import Lang, say
from advisor.cli.output import narrate_elsewhere, opened, show
from advisor.cli.parser import Adding, Given, knowledge_of, language


def register(adding: Adding) -> None:
    from advisor.diagnosis.verdicts import VERDICTS

    lang = adding.lang
    one = adding.command("probes", _probes)
    adding.site(one)
    adding.knowledge(one)
    one = adding.command("overrule", _overrule)
    adding.site(one)
    said = one.add_mutually_exclusive_group(required=True)
    said.add_argument("--verdict", choices=VERDICTS, help=say("cli.overrule.verdict", lang))
    said.add_argument("--undo", action="store_true", help=say("cli.overrule.undo", lang))
    one.add_argument("--reason", default="", metavar="TEXT", help=say("cli.overrule.reason", lang))
    one = adding.command("measures", _measures)
    one.add_argument("name", nargs="?", metavar="NAME", help=say("cli.measures.name", lang))


def _probes(given: Given) -> int:
    from advisor.report.as_json import probes_json
    from advisor.report.standing import probes

    lang = language(given)
    site = opened(given.target, lang, knowledge_of(given))
    show(given, probes_json(site.diagnosis, lang), lambda: probes(site.diagnosis, lang))
    return 0


def _overrule(given: Given) -> int:
    from advisor.base.errors import UsageError
    from advisor.report.as_json import diagnosis_json
    from advisor.report.parts import answer
    from advisor.usecases.assess import overrule, undo_overrule

    lang = language(given)
    site = opened(given.target, lang)
    if site.path is None:
        raise UsageError("not-kept", path=given.target)
    site = undo_overrule(site) if given.undo else overrule(site, given.verdict, given.reason)
    narrate_elsewhere(site, lang)
    key = "cli.overrule.undone" if given.undo else "cli.overrule.kept"
    print(say(key, lang, path=plain(str(Path(given.target)))), file=sys.stderr)
    show(given, diagnosis_json(site.diagnosis, lang), lambda: answer(site.diagnosis, lang))
    return 0


def _measures(given: Given) -> int:
    from advisor.report.measures import measures_document, measures_json
    from advisor.usecases.measures import measures

    lang: Lang = language(given)
    found: Any = measures(given.name)
    show(given, measures_json(found, lang), lambda: measures_document(found, lang))
    return 0
