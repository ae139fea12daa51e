"""Commands that read: what is given, what a site holds, how to take captures."""

import sys
from collections.abc import Mapping
from typing import Any

from advisor.base.plain import plain
from advisor.base.text import Lang, say
from advisor.cli.output import opened, print_json, progress, require_whole, show
from advisor.cli.parser import Adding, Given, language


def register(adding: Adding) -> None:
    lang = adding.lang
    one = adding.command("inspect", _inspect)
    one.add_argument("paths", nargs="+", metavar="FILE", help=say("cli.file", lang))
    one.add_argument("--strict", action="store_true", help=say("cli.strict", lang))
    one = adding.command("import", _import)
    one.add_argument("site", metavar="SITE.advisor", help=say("cli.site-file", lang))
    one.add_argument("paths", nargs="+", metavar="PATH", help=say("cli.path", lang))
    one.add_argument("--host", help=say("cli.host", lang))
    one.add_argument("--role", choices=("quiet", "busy", "before", "after"), help=say("cli.role", lang))
    one.add_argument("--dask", metavar="tcp://HOST:PORT", help=say("cli.dask", lang))
    one.add_argument("--strict", action="store_true", help=say("cli.strict", lang))
    one = adding.command("captures", _captures)
    adding.site(one)
    one.add_argument("--strict", action="store_true", help=say("cli.strict", lang))
    one = adding.command("collect", _collect, as_json=False)
    one.add_argument("--for", dest="way", required=True, choices=("ssh", "slurm", "kubernetes"), help=say("cli.collect.for", lang))
    one.add_argument("--what", default="", metavar="LAYER,...", help=say("cli.collect.what", lang))
    one.add_argument("--hosts", metavar="FILE", help=say("cli.collect.hosts", lang))
    one.add_argument("--gap", type=int, metavar="SECONDS", help=say("cli.collect.gap", lang))
    one.add_argument("--to", metavar="FILE.sh", help=say("cli.collect.to", lang))
    one.add_argument("--list", action="store_true", help=say("cli.collect.list", lang))
    one = adding.command("template", _template, as_json=False)
    one.add_argument("form", choices=("site", "report-schema"), help=say("cli.form", lang))


def _inspect(given: Given) -> int:
    from advisor.usecases.inspect import as_json, inspect, require_any

    lang = language(given)
    readings = []
    for name, reading in inspect(given.paths):
        readings.append((name, reading))
        if given.json:
            print_json(as_json(name, reading, lang), indent=None)
        else:
            _narrate_reading(as_json(name, reading, lang), lang)
    require_any(readings)
    require_whole(given, sum(1 for _, reading in readings if reading.state != "read"))
    return 0


def _narrate_reading(tree: dict[str, Any], lang: Lang) -> None:
    print(f"{plain(tree['file'])}: {say('state.' + tree['state'], lang)}{': ' + tree['refused'] if tree['refused'] else ''}")
    for part in tree["parts"]:
        first, last = part["lines"]
        host = f"  {say('report.host', lang)} {plain(part['host'])}" if part["host"] else ""
        print(f"  {first}-{last}  {part['tool']}{host}")
        for line in _outline(part["facts"]):
            print(f"    {plain(line)}")
        for problem in part["problems"]:
            print(f"    ! {problem['line']}: {plain(problem['why'])}: {plain(problem['text'])}")
    if tree["unread"]:
        spans = ", ".join(f"{a}-{b}" if a != b else str(a) for a, b in tree["unread"])
        print(f"  {say('report.unread-lines', lang)}: {spans}")


def _outline(facts: dict[str, Any]) -> list[str]:
    """Facts in a few lines: figures as they are, maps by their names, the first things in full."""
    lines = []
    for key, value in facts.items():
        if isinstance(value, dict):
            for name, inner in list(value.items())[:16]:
                text = (
                    ", ".join(f"{k} {v}" for k, v in inner.items() if not isinstance(v, Mapping | list))
                    if isinstance(inner, dict)
                    else str(inner)
                )
                lines.append(f"{key} {name}: {text}"[:200])
            if len(value) > 16:
                lines.append(f"{key}: ... {len(value)}")
        else:
            lines.append(f"{key}: {value}"[:200])
    return lines


def _import(given: Given) -> int:
    from advisor.usecases.import_ import import_into

    lang = language(given)
    if given.dask:
        from advisor.usecases.dask_cluster import cluster

        with cluster(given.dask) as each:
            done = import_into(given.site, given.paths, given.host, given.role, progress(lang), each=each)
    else:
        done = import_into(given.site, given.paths, given.host, given.role, progress(lang))
    states = dict(sorted(done.states.items()))
    if given.json:
        passed = [{"name": n, "why": say(f"refused.{why}", lang), "detail": detail} for n, why, detail in done.passed]
        print_json(
            {"site": str(done.site), "files": done.files, "new": done.new, "again": done.again, "states": states, "passed_over": passed}
        )
    else:
        counts = ", ".join(f"{say('state.' + state, lang)} {count}" for state, count in states.items())
        print(
            say(
                "cli.imported",
                lang,
                site=plain(str(done.site)),
                files=done.files,
                new=done.new,
                again=done.again,
                passed=len(done.passed),
                states=counts or "-",
            )
        )
        for name, why, _ in done.passed:
            print(f"  {plain(name)}: {say('refused.' + why, lang)}", file=sys.stderr)
    require_whole(given, len(done.passed) + sum(n for state, n in states.items() if state != "read"))
    return 0


def _captures(given: Given) -> int:
    from advisor.report.as_json import captures_json
    from advisor.report.parts import captures

    lang = language(given)
    site = opened(given.target, lang)
    show(given, captures_json(site.bundle, site.passed, lang), lambda: captures(site.bundle, site.passed, lang))
    require_whole(given, sum(1 for capture in site.bundle.captures if capture.state != "read") + len(site.passed))
    return 0


def _collect(given: Given) -> int:
    from pathlib import Path

    from advisor.usecases import collect

    lang = language(given)
    taken = collect.chosen(given.way, [word.strip() for word in given.what.split(",") if word.strip()])
    gap_s = collect.GAP_S if given.gap is None else given.gap
    hosts, odd = collect.read_hosts(Path(given.hosts)) if given.hosts else ((), ())
    script = collect.script(given.way, taken, lang, hosts, gap_s)
    listing = collect.listing(given.way, taken, lang, gap_s)
    for line, text in odd:
        print(say("collect.not-a-host", lang, path=plain(given.hosts), line=line, text=plain(text)), file=sys.stderr)
    if given.list:
        print(listing)
        return 0
    print(listing, file=sys.stderr)
    if given.to:
        collect.write(script, Path(given.to))
        print("\n" + say("collect.written", lang, path=plain(given.to)), file=sys.stderr)
    else:
        sys.stdout.write(script)
    return 0


def _template(given: Given) -> int:
    from advisor.usecases.template import report_schema, site_form

    sys.stdout.write(report_schema() if given.form == "report-schema" else site_form(language(given)))
    return 0
