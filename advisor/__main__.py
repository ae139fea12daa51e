"""The command `advisor`: nothing or a site opens the screens, a command word the command line."""

import sys

from advisor.base.text import Lang

COMMANDS = ("inspect", "import", "captures", "diagnose", "plan", "model", "whatif", "calc", "report", "demo", "collect", "template", "open")


def main() -> int:
    from advisor.cli import run

    words = sys.argv[1:]
    if not words or (words[0] not in COMMANDS and not words[0].startswith("-")):
        words = ["open", *words]  # `advisor` and `advisor SITE`
    return run(words, _screens)


def _screens(target: str | None, lang: Lang, mouse: bool) -> int:
    from advisor.tui.app import run as run_screens

    return run_screens(target, lang, mouse)


if __name__ == "__main__":
    sys.exit(main())
