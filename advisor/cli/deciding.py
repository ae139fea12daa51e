"""`advisor decide`: take a remedy, skip it with a reason, or leave it for later."""

import sys

from advisor.base.plain import plain
from advisor.base.text import say
from advisor.cli.output import narrate_elsewhere, opened, show
from advisor.cli.parser import Adding, Given, language

CHOICES = ("take", "skip", "later", "open")


def register(adding: Adding) -> None:
    lang = adding.lang
    one = adding.command("decide", _decide)
    adding.site(one)
    one.add_argument("remedy", metavar="REMEDY", help=say("cli.decide.remedy", lang))
    one.add_argument("choice", choices=CHOICES, help=say("cli.decide.choice", lang))
    one.add_argument("--reason", default="", metavar="TEXT", help=say("cli.decide.reason", lang))


def _decide(given: Given) -> int:
    from advisor.base.errors import UsageError
    from advisor.report.as_json import plan_json
    from advisor.report.parts import plan_table
    from advisor.usecases.assess import decide

    lang = language(given)
    if given.choice == "skip" and not given.reason.strip():
        raise UsageError("skip-reason")
    site = opened(given.target, lang)
    if site.path is None:
        raise UsageError("not-kept-decision", path=given.target)
    site = decide(site, given.remedy, given.choice, given.reason.strip())
    narrate_elsewhere(site, lang)
    print(say("cli.decide.kept", lang, remedy=plain(given.remedy), choice=say(f"choice.{given.choice}", lang)), file=sys.stderr)
    show(given, plan_json(site.plan, lang), lambda: plan_table(site.plan, lang))
    return 0
