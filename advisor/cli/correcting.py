"""`advisor correct`: host, time and role of a capture, as a person states them."""

import sys

from advisor.base.plain import plain
from advisor.base.text import say
from advisor.cli.output import narrate_elsewhere, opened, show
from advisor.cli.parser import Adding, Given, language

ROLES = ("quiet", "busy", "before", "after", "none")


def register(adding: Adding) -> None:
    lang = adding.lang
    one = adding.command("correct", _correct)
    adding.site(one)
    one.add_argument("capture", metavar="CAPTURE", help=say("cli.correct.capture", lang))
    one.add_argument("--host", help=say("cli.correct.host", lang))
    one.add_argument("--time", help=say("cli.correct.time", lang))
    one.add_argument("--role", choices=ROLES, help=say("cli.correct.role", lang))


def _correct(given: Given) -> int:
    from advisor.base.errors import UsageError
    from advisor.evidence.bundle import Bundle
    from advisor.report.as_json import captures_json
    from advisor.report.parts import captures
    from advisor.usecases.correct import capture_of, correct, stated_time

    lang = language(given)
    if given.host is given.time is given.role is None:
        raise UsageError("nothing-to-correct")
    site = opened(given.target, lang)
    if site.path is None:
        raise UsageError("not-kept-correction", path=given.target)
    before = capture_of(site, given.capture)
    host = before.host if given.host is None else given.host.strip() or None
    time = before.time if given.time is None else stated_time(given.time)
    role = before.role if given.role is None else None if given.role == "none" else given.role
    site = correct(site, before.sha256, host, role, time)
    narrate_elsewhere(site, lang)
    said = (("host", given.host, host), ("time", given.time, time), ("role", given.role, role and say(f"tui.role.{role}", lang)))
    unknown = say("cli.correct.unknown", lang)
    what = [say(f"cli.correct.kept-{name}", lang, value=value or unknown) for name, words, value in said if words is not None]
    print(plain(say("cli.correct.kept", lang, capture=before.name, what=say("report.list", lang).join(what))), file=sys.stderr)
    only = Bundle.of([site.bundle.by_sha[before.sha256]])
    show(given, captures_json(only, (), lang), lambda: captures(only, (), lang))
    return 0
