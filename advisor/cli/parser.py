"""How the command line is put together: `Adding` is what each module of commands is given to register its own."""

import argparse
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

from advisor import __version__
from advisor.base.errors import UsageError
from advisor.base.text import LANGS, Lang, say, text_of

Given = argparse.Namespace
Screens = Callable[[str | None, Lang, bool], int]  # site, language, mouse -> exit code


def lang_of(words: Sequence[str]) -> Lang:
    """The language: --lang, else ADVISOR_LANG, else that of the terminal."""
    for i, word in enumerate(words):
        said = word.partition("=")[2] if word.startswith("--lang=") else words[i + 1] if word == "--lang" and i + 1 < len(words) else ""
        if said in LANGS:
            return "zh" if said == "zh" else "en"
    system = next((os.environ[name] for name in ("ADVISOR_LANG", "LC_ALL", "LC_MESSAGES", "LANG") if os.environ.get(name)), "")
    return "zh" if system.lower().startswith("zh") else "en"


def knowledge_of(given: Given) -> tuple[Path, ...]:
    """The folders of --knowledge, in the order given: later ones win."""
    return tuple(map(Path, given.knowledge))


def language(given: Given) -> Lang:
    return getattr(given, "lang", None) or lang_of(())


class _Parser(argparse.ArgumentParser):
    """argparse whose errors are ours: a sentence, and what to do next. `late` adds options once the command is the one that is called."""

    late: Callable[[], None] | None = None

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        if self.late is not None:
            fill, self.late = self.late, None
            fill()
        return super().parse_known_args(args, namespace)

    def error(self, message: str) -> NoReturn:
        raise UsageError("usage", why=message, command=self.prog)


@dataclass(frozen=True, slots=True)
class Adding:
    """Adds commands in one language. Texts of a command: `cli.<name>.help`, `.about`, `.example`."""

    commands: Any
    lang: Lang
    prefix: str = "cli"

    def command(self, name: str, run: Callable[[Given], int] | None = None, *, as_json: bool = True) -> argparse.ArgumentParser:
        one: argparse.ArgumentParser = self.commands.add_parser(
            name,
            help=say(f"{self.prefix}.{name}.help", self.lang),
            description=say(f"{self.prefix}.{name}.about", self.lang),
            epilog=say(f"{self.prefix}.{name}.example", self.lang),
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        if as_json:
            one.add_argument("--json", action="store_true", default=argparse.SUPPRESS, help=say("cli.json", self.lang))
        _add_lang(one, self.lang)
        if run is not None:
            one.set_defaults(run=run)
        return one

    def late(self, one: argparse.ArgumentParser, fill: Callable[[], None]) -> None:
        """Options that take imports or many texts: they are added once this command is the one that is called."""
        if isinstance(one, _Parser):
            one.late = fill

    def site(self, one: argparse.ArgumentParser) -> None:
        """The site that a command speaks of: a file, a folder of captures, an archive, a capture."""
        one.add_argument("target", metavar="SITE", help=say("cli.site", self.lang))

    def knowledge(self, one: argparse.ArgumentParser) -> None:
        """Folders of a person's own knowledge, laid over the shipped one."""
        one.add_argument("--knowledge", action="append", default=[], metavar="DIR", help=say("cli.knowledge", self.lang))

    def within(self, one: argparse.ArgumentParser, dest: str, metavar: str, prefix: str) -> "Adding":
        """Adds the commands of a command: `advisor calc collisions`."""
        return Adding(one.add_subparsers(dest=dest, metavar=metavar, required=True, parser_class=_Parser), self.lang, prefix)


def parser(lang: Lang) -> argparse.ArgumentParser:
    """The whole command line, with every word of it in the language."""
    from advisor.cli import answers, comparing, correcting, deciding, handover, judging, modelling, money, reading, serving, sizing

    argparse._ = lambda text: say(f"argparse.{text}", lang) if text_of(f"argparse.{text}") else text  # type: ignore[attr-defined]
    top = _Parser(
        prog="advisor",
        description=say("cli.about", lang),
        epilog=say("cli.examples", lang),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    top.add_argument("--version", action="version", version=f"Fabric Advisor {__version__}", help=say("cli.version", lang))
    _add_lang(top, lang)
    top.set_defaults(json=False)
    adding = Adding(top.add_subparsers(dest="command", metavar=say("cli.command", lang), required=True, parser_class=_Parser), lang)
    # the order of --help
    for module in (reading, correcting, answers, deciding, judging, modelling, sizing, money, handover, comparing, serving):
        module.register(adding)
    return top


def _add_lang(one: argparse.ArgumentParser, lang: Lang) -> None:
    one.add_argument("--lang", choices=LANGS, default=argparse.SUPPRESS, help=say("cli.lang", lang))
