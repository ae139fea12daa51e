"""What commands share: opening a site, progress and gaps on stderr, the answer on stdout as text or JSON."""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from advisor.base.errors import PartlyRead, UsageError
from advisor.base.plain import plain
from advisor.base.text import Lang, say
from advisor.cli.parser import Given, Screens


def opened(target: str, lang: Lang, knowledge: tuple[Path, ...] = ()) -> Any:
    from advisor.usecases.assess import open_site

    return open_site(target, progress(lang), knowledge=knowledge)


def progress(lang: Lang) -> Callable[[Any], None]:
    """One line on stderr, written over itself; nothing where stderr is no terminal."""
    from advisor.usecases.progress import silent

    if not sys.stderr.isatty():
        return silent

    def tell(step: Any) -> None:
        of = f"/{step.total}" if step.total else ""
        left = (
            f"  {say('cli.seconds-left', lang, seconds=round(step.seconds_left))}" if step.seconds_left and step.seconds_left >= 1 else ""
        )
        end = "\r" if step.done != step.total else "\r\x1b[K"
        print(f"\r{say('cli.reading', lang)} {step.done}{of}{left}\x1b[K", end=end, file=sys.stderr, flush=True)

    return tell


def narrate_gaps(site: Any, lang: Lang) -> None:
    """What was not read, on stderr: no file is left out in silence."""
    for capture in site.bundle.captures:
        if capture.state != "read":
            why = f": {say('refused.' + capture.reading.refused, lang)}" if capture.reading.refused else ""
            print(f"{plain(capture.name)}: {say('state.' + capture.state, lang)}{why}", file=sys.stderr)
    for name, why, _ in site.passed:
        print(f"{plain(name)}: {say('refused.' + why, lang)}", file=sys.stderr)


def narrate_elsewhere(site: Any, lang: Lang) -> None:
    """What another program changed in the same file meanwhile, on stderr."""
    if site.elsewhere:
        print(say("kept.elsewhere", lang, what=", ".join(say(f"kept.{name}", lang) for name in site.elsewhere)), file=sys.stderr)


def show(given: Given, tree: dict[str, Any], document: Callable[[], Any]) -> None:
    if given.json:
        print_json(tree)
    else:
        import shutil

        from advisor.report.terminal import render

        columns = min(max(shutil.get_terminal_size((100, 24)).columns, 60), 140)
        sys.stdout.write(render(document(), columns))


def print_json(tree: dict[str, Any], indent: int | None = 2) -> None:
    print(json.dumps(tree, ensure_ascii=False, indent=indent), flush=True)


def require_whole(given: Given, gaps: int) -> None:
    if gaps and getattr(given, "strict", False):
        raise PartlyRead("partly-read", count=gaps)


def show_screens(given: Given, target: str | None, lang: Lang, mouse: bool) -> int:
    screens: Screens | None = given.screens
    if screens is None or not sys.stderr.isatty():  # the screens are drawn on stderr
        raise UsageError("no-terminal")
    return screens(target, lang, mouse)
