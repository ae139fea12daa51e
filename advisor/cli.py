"""The command line: stdout is data, stderr is narration, exit codes as base/errors has them."""

import argparse
import json
import os
import sys
from collections.abc import Callable, Sequence
from typing import Any, NoReturn

from advisor import __version__
from advisor.base.errors import AdvisorError, PartlyRead, UsageError
from advisor.base.plain import plain
from advisor.base.text import LANGS, Lang, say, text_of

Given = argparse.Namespace
Screens = Callable[[str | None, Lang, bool], int]  # site, language, mouse -> exit code


def run(words: Sequence[str], screens: Screens | None = None) -> int:
    """Run one command. Returns its exit code; a sentence, never a traceback, for what a person can mend.

    `screens` opens the terminal application; the command line and the screens are siblings that only __main__ knows both.
    """
    lang = _lang(words)
    try:
        given = _parser(lang).parse_args(words)
        given.screens = screens
        command: Callable[[Given], int] = given.run
        return command(given)
    except AdvisorError as error:
        print(plain(say(f"error.{error.key}", lang, **error.values)), file=sys.stderr)
        return error.exit_code
    except BrokenPipeError:  # the reader of a pipe went away
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        print(say("error.cancelled", lang), file=sys.stderr)
        return 130
    except Exception as error:
        if os.environ.get("ADVISOR_DEBUG"):
            raise
        print(plain(say("error.internal", lang, why=f"{type(error).__name__}: {error}")), file=sys.stderr)
        return 1


def _lang(words: Sequence[str]) -> Lang:
    """The language: --lang, else ADVISOR_LANG, else that of the terminal."""
    for i, word in enumerate(words):
        said = word.partition("=")[2] if word.startswith("--lang=") else words[i + 1] if word == "--lang" and i + 1 < len(words) else ""
        if said in LANGS:
            return "zh" if said == "zh" else "en"
    system = next((os.environ[name] for name in ("ADVISOR_LANG", "LC_ALL", "LC_MESSAGES", "LANG") if os.environ.get(name)), "")
    return "zh" if system.lower().startswith("zh") else "en"


class _Parser(argparse.ArgumentParser):
    """argparse whose errors are ours: a sentence, and what to do next."""

    def error(self, message: str) -> NoReturn:
        raise UsageError("usage", why=message, command=self.prog)


def _parser(lang: Lang) -> argparse.ArgumentParser:
    argparse._ = lambda text: say(f"argparse.{text}", lang) if text_of(f"argparse.{text}") else text  # type: ignore[attr-defined]
    top = _Parser(
        prog="advisor",
        description=say("cli.about", lang),
        epilog=say("cli.examples", lang),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    top.add_argument("--version", action="version", version=f"Fabric Advisor {__version__}", help=say("cli.version", lang))
    _add_lang(top, lang)
    commands = top.add_subparsers(dest="command", metavar=say("cli.command", lang), required=True, parser_class=_Parser)

    def add(name: str, run_it: Callable[[Given], int], *, as_json: bool = True) -> argparse.ArgumentParser:
        one = commands.add_parser(
            name,
            help=say(f"cli.{name}.help", lang),
            description=say(f"cli.{name}.about", lang),
            epilog=say(f"cli.{name}.example", lang),
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        if as_json:
            one.add_argument("--json", action="store_true", help=say("cli.json", lang))
        _add_lang(one, lang)
        one.set_defaults(run=run_it)
        return one

    def target(one: argparse.ArgumentParser, name: str = "target", metavar: str = "SITE") -> None:
        one.add_argument(name, metavar=metavar, help=say(f"cli.{metavar.split('|')[0].lower()}", lang))

    one = add("inspect", _inspect)
    one.add_argument("paths", nargs="+", metavar="FILE", help=say("cli.file", lang))
    one.add_argument("--strict", action="store_true", help=say("cli.strict", lang))
    one = add("import", _import)
    one.add_argument("site", metavar="SITE.advisor", help=say("cli.site-file", lang))
    one.add_argument("paths", nargs="+", metavar="PATH", help=say("cli.path", lang))
    one.add_argument("--host", help=say("cli.host", lang))
    one.add_argument("--role", choices=("quiet", "busy", "before", "after"), help=say("cli.role", lang))
    one.add_argument("--strict", action="store_true", help=say("cli.strict", lang))
    for name, run_it in (("captures", _captures), ("diagnose", _diagnose), ("plan", _plan)):
        one = add(name, run_it)
        target(one, metavar="SITE")
        one.add_argument("--strict", action="store_true", help=say("cli.strict", lang))
    one = add("model", _model)
    target(one, metavar="SITE")
    one = add("whatif", _whatif)
    target(one, metavar="SITE")
    one.add_argument("--take", required=True, nargs="+", action="extend", metavar="REMEDY", help=say("cli.whatif.take", lang))
    one = add("calc", _calc)
    kinds = one.add_subparsers(dest="calculator", metavar="CALCULATOR", required=True, parser_class=_Parser)
    _add_calculators(lambda name: _calculator(kinds, name, lang), lang)
    one = add("report", _report, as_json=False)
    target(one)
    one.add_argument("--to", required=True, metavar="FILE.md", help=say("cli.to", lang))
    add("demo", _demo)
    one = add("collect", _collect, as_json=False)
    one.add_argument("--for", dest="way", required=True, choices=("ssh", "slurm", "kubernetes"), help=say("cli.collect.for", lang))
    one.add_argument("--what", default="", metavar="LAYER,...", help=say("cli.collect.what", lang))
    one.add_argument("--hosts", metavar="FILE", help=say("cli.collect.hosts", lang))
    one.add_argument("--gap", type=int, metavar="SECONDS", help=say("cli.collect.gap", lang))
    one.add_argument("--to", metavar="FILE.sh", help=say("cli.collect.to", lang))
    one.add_argument("--list", action="store_true", help=say("cli.collect.list", lang))
    one = add("template", _template, as_json=False)
    one.add_argument("form", choices=("site",), help=say("cli.form", lang))
    one = add("open", _open, as_json=False)
    one.add_argument("target", nargs="?", metavar="SITE", help=say("cli.site", lang))
    one.add_argument("--no-mouse", action="store_true", help=say("cli.no-mouse", lang))
    return top


def _calculator(kinds: Any, name: str, lang: Lang) -> argparse.ArgumentParser:
    said = {part: say(f"cli.calc.{name}.{part}", lang) for part in ("help", "about", "example")}
    one: argparse.ArgumentParser = kinds.add_parser(
        name, help=said["help"], description=said["about"], epilog=said["example"], formatter_class=argparse.RawDescriptionHelpFormatter
    )
    one.add_argument("--json", action="store_true", default=argparse.SUPPRESS, help=say("cli.json", lang))
    _add_lang(one, lang)
    return one


def _add_calculators(add: Callable[[str], argparse.ArgumentParser], lang: Lang) -> None:
    def number(one: argparse.ArgumentParser, name: str, kind: Callable[[str], float], default: float | None = None) -> None:
        asked = say(f"cli.calc.{name}", lang)
        one.add_argument(f"--{name}", type=kind, required=default is None, default=default, metavar="N", help=asked)

    one = add("collisions")
    number(one, "flows", int)
    number(one, "links", int)
    number(one, "speed", float, 1.0)
    number(one, "queue-pairs", int, 1)
    one.add_argument("--pairs-not-hashed", action="store_true", help=say("cli.calc.pairs-not-hashed", lang))
    one = add("crossing")
    one.add_argument("hosts", type=int, nargs="+", metavar="HOSTS", help=say("cli.calc.hosts", lang))
    one.add_argument("--leaf-size", type=int, metavar="N", help=say("cli.calc.leaf-size", lang))
    one = add("gpu-hours")
    number(one, "gpus", int)
    number(one, "hours", float, 24.0)
    number(one, "loss", float)
    number(one, "communication", float)


def _add_lang(one: argparse.ArgumentParser, lang: Lang) -> None:
    one.add_argument("--lang", choices=LANGS, default=argparse.SUPPRESS, help=say("cli.lang", lang))


def _language(given: Given) -> Lang:
    return getattr(given, "lang", None) or _lang(())


# --- commands ---------------------------------------------------------------------------------------------------


def _inspect(given: Given) -> int:
    from advisor.usecases.inspect import as_json, inspect, require_any

    lang = _language(given)
    readings = []
    for name, reading in inspect(given.paths):
        readings.append((name, reading))
        if given.json:
            _print_json(as_json(name, reading, lang), indent=None)
        else:
            _narrate_reading(as_json(name, reading, lang), lang)
    require_any(readings)
    _require_whole(given, sum(1 for _, reading in readings if reading.state != "read"))
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
                    ", ".join(f"{k} {v}" for k, v in inner.items() if not isinstance(v, dict | list))
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

    lang = _language(given)
    done = import_into(given.site, given.paths, given.host, given.role, _progress(lang))
    states = dict(sorted(done.states.items()))
    if given.json:
        passed = [{"name": n, "why": say(f"refused.{why}", lang), "detail": detail} for n, why, detail in done.passed]
        _print_json(
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
    _require_whole(given, len(done.passed) + sum(n for state, n in states.items() if state != "read"))
    return 0


def _captures(given: Given) -> int:
    from advisor.report.as_json import captures_json
    from advisor.report.parts import captures

    lang = _language(given)
    site = _opened(given.target, lang)
    _show(given, captures_json(site.bundle, site.passed, lang), lambda: captures(site.bundle, site.passed, lang))
    _require_whole(given, sum(1 for capture in site.bundle.captures if capture.state != "read") + len(site.passed))
    return 0


def _diagnose(given: Given) -> int:
    from advisor.report.as_json import diagnosis_json
    from advisor.report.parts import diagnosis_document

    lang = _language(given)
    site = _opened(given.target, lang)
    _narrate_gaps(site, lang)
    _show(given, diagnosis_json(site.diagnosis, lang), lambda: diagnosis_document(site.diagnosis, lang))
    _require_whole(given, sum(1 for capture in site.bundle.captures if capture.state != "read") + len(site.passed))
    return 0


def _plan(given: Given) -> int:
    from advisor.report.as_json import plan_json

    lang = _language(given)
    site = _opened(given.target, lang)
    _show(given, plan_json(site.plan, lang), lambda: _plan_document(site.plan, lang))
    return 0


def _plan_document(plan: Any, lang: Lang) -> Any:
    from advisor.report import parts

    document = parts.plan_table(plan, lang) + parts.scenarios(plan, lang)
    for number, rung in enumerate(plan.rungs, 1):
        document += parts.steps(rung, number, lang) + parts.bill(rung.estimate, lang)
    return document


def _model(given: Given) -> int:
    from advisor.report.model_json import model_document, model_json
    from advisor.usecases.model import model

    lang = _language(given)
    found = model(_opened(given.target, lang))
    _show(given, model_json(found, lang), lambda: model_document(found, lang))
    return 0


def _whatif(given: Given) -> int:
    from advisor.report.model_json import whatif_document, whatif_json
    from advisor.usecases.whatif import whatif

    lang = _language(given)
    found = whatif(_opened(given.target, lang), given.take)
    for remedy in found.silent:
        print(f"{plain(remedy)}: {say('model.silent', lang)}", file=sys.stderr)
    whole = (found.now, found.then, found.taken, lang)
    _show(given, whatif_json(*whole), lambda: whatif_document(*whole))
    return 0


def _calc(given: Given) -> int:
    from dataclasses import asdict

    from advisor.report.model_json import calculator_document
    from advisor.usecases import calculators

    lang = _language(given)
    found: Any
    if given.calculator == "collisions":
        found = calculators.collisions(given.flows, given.links, given.speed, given.queue_pairs, not given.pairs_not_hashed)
    elif given.calculator == "crossing":
        found = calculators.crossing(given.hosts, given.leaf_size)
    else:
        found = calculators.gpu_hours(given.gpus, given.hours, given.loss / 100, given.communication / 100)
    _show(given, asdict(found), lambda: calculator_document(given.calculator, asdict(found), lang))
    return 0


def _report(given: Given) -> int:
    from pathlib import Path

    from advisor.usecases.export import write_report

    lang = _language(given)
    write_report(_opened(given.target, lang), Path(given.to), lang)
    print(say("cli.written", lang, path=plain(given.to)), file=sys.stderr)
    return 0


def _demo(given: Given) -> int:
    from advisor.usecases.assess import example

    lang = _language(given)
    if not given.json and sys.stdin.isatty() and sys.stderr.isatty():
        return _screens(given, example(), lang, mouse=True)
    from advisor.report import parts
    from advisor.report.as_json import diagnosis_json, plan_json

    site = _opened(example(), lang)
    whole = {"diagnosis": diagnosis_json(site.diagnosis, lang), "plan": plan_json(site.plan, lang)}
    _show(given, whole, lambda: parts.diagnosis_document(site.diagnosis, lang) + _plan_document(site.plan, lang))
    return 0


def _collect(given: Given) -> int:
    from pathlib import Path

    from advisor.usecases import collect

    lang = _language(given)
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
    from advisor.usecases.template import site_form

    sys.stdout.write(site_form(_language(given)))
    return 0


def _open(given: Given) -> int:
    return _screens(given, given.target, _language(given), mouse=not given.no_mouse)


def _screens(given: Given, target: str | None, lang: Lang, mouse: bool) -> int:
    screens: Screens | None = given.screens
    if screens is None or not sys.stderr.isatty():  # the screens are drawn on stderr
        raise UsageError("no-terminal")
    return screens(target, lang, mouse)


# --- what commands share -----------------------------------------------------------------------------------------


def _opened(target: str, lang: Lang) -> Any:
    from advisor.usecases.assess import open_site

    return open_site(target, _progress(lang))


def _progress(lang: Lang) -> Callable[[Any], None]:
    """One line on stderr, written over itself; nothing where stderr is no terminal."""
    if not sys.stderr.isatty():
        return lambda step: None

    def tell(step: Any) -> None:
        of = f"/{step.total}" if step.total else ""
        left = (
            f"  {say('cli.seconds-left', lang, seconds=round(step.seconds_left))}" if step.seconds_left and step.seconds_left >= 1 else ""
        )
        end = "\r" if step.done != step.total else "\r\x1b[K"
        print(f"\r{say('cli.reading', lang)} {step.done}{of}{left}\x1b[K", end=end, file=sys.stderr, flush=True)

    return tell


def _narrate_gaps(site: Any, lang: Lang) -> None:
    """What was not read, on stderr: no file is left out in silence."""
    for capture in site.bundle.captures:
        if capture.state != "read":
            why = f": {say('refused.' + capture.reading.refused, lang)}" if capture.reading.refused else ""
            print(f"{plain(capture.name)}: {say('state.' + capture.state, lang)}{why}", file=sys.stderr)
    for name, why, _ in site.passed:
        print(f"{plain(name)}: {say('refused.' + why, lang)}", file=sys.stderr)


def _show(given: Given, tree: dict[str, Any], document: Callable[[], Any]) -> None:
    if given.json:
        _print_json(tree)
    else:
        import shutil

        from advisor.report.terminal import render

        columns = min(max(shutil.get_terminal_size((100, 24)).columns, 60), 140)
        sys.stdout.write(render(document(), columns))


def _print_json(tree: dict[str, Any], indent: int | None = 2) -> None:
    print(json.dumps(tree, ensure_ascii=False, indent=indent), flush=True)


def _require_whole(given: Given, gaps: int) -> None:
    if gaps and getattr(given, "strict", False):
        raise PartlyRead("partly-read", count=gaps)
