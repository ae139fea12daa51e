"""The command `advisor`: nothing or a site opens the screens, a command word the command line."""

import os
import sys

from advisor.base.text import Lang

COMMANDS = (
    "inspect",
    "import",
    "captures",
    "correct",
    "diagnose",
    "plan",
    "decide",
    "probes",
    "overrule",
    "measures",
    "model",
    "whatif",
    "calc",
    "size",
    "prices",
    "cost",
    "report",
    "mask",
    "compare",
    "baseline",
    "since",
    "seal",
    "verify",
    "serve",
    "demo",
    "collect",
    "template",
    "open",
)


def main() -> int:
    from advisor.cli import run

    words = sys.argv[1:]
    return run(["open", *words] if opens_screens(words) else words, _screens)


def opens_screens(words: list[str]) -> bool:
    """Whether words open the screens: `advisor`, `advisor SITE`, with or without the options of `advisor open` in front."""
    rest = list(words)
    while rest and rest[0].startswith(("--lang", "--no-mouse")):
        rest = rest[2:] if rest[0] == "--lang" else rest[1:]
    return not rest or (rest[0] not in COMMANDS and not rest[0].startswith("-"))


def _screens(target: str | None, lang: Lang, mouse: bool) -> int:
    from advisor.tui.app import run as run_screens

    said = "ADVISOR_LANG" in os.environ or any(word.startswith("--lang") for word in sys.argv[1:])
    return run_screens(target, lang, mouse, said)


if __name__ == "__main__":
    sys.exit(main())
