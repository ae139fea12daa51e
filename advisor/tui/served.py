"""The screens for one visitor of `advisor serve`: on a copy of the site and without any action that writes, unless that was asked for."""

import argparse
import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from advisor.base.text import LANGS, Lang
from advisor.tui.app import AdvisorApp
from advisor.tui.memory import Memory
from advisor.tui.terminal import Terminal

if TYPE_CHECKING:
    from advisor.usecases.assess import Assessment

# Actions that write into the site, into a file, or read what the visitor was not shown. All others only look.
WRITING = frozenset(
    {
        *("import", "open", "command", "undo", "redo"),  # everywhere
        *("correct",),  # evidence
        *("aside", "all_back", "overrule"),  # diagnosis
        *("choose", "skip"),  # remedies
        *("price", "book_price", "quotes", "money"),  # costs
        *("sides", "baseline", "keep"),  # compare
        *("export", "seal", "since"),  # report
    }
)


class LookingApp(AdvisorApp):
    """Shows a site and changes nothing. What would write is not offered, and does nothing where it is asked for all the same."""

    forbidden = WRITING

    def __init__(self, target: str, lang: Lang) -> None:
        super().__init__(target, lang, Terminal())
        self._served = target

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        return False if action in WRITING else super().check_action(action, parameters)

    def change(self, title: str, change: Callable[["Assessment"], "Assessment"], after: Callable[[], None] | None = None) -> None:
        self.tell("tui.read-only")

    def open(self, target: str) -> None:
        """Only what is served, and the example site of the tour."""
        from advisor.usecases import assess

        if target in (self._served, assess.example()):
            super().open(target)
        else:
            self.tell("tui.read-only")

    def action_import(self) -> None:
        self.tell("tui.read-only")

    def action_open(self) -> None:
        self.tell("tui.read-only")

    def action_command(self, words: str = "") -> None:
        self.tell("tui.read-only")

    def copy(self, text: str) -> None:
        """To the visitor's terminal only: neither into a file here nor into the clipboard of whoever serves."""
        self.copy_to_clipboard(text)
        self.tell("tui.copied-there")

    def _keep(self, now: Memory) -> None:
        self.memory = now


def copied(site: Path, folder: Path) -> Path:
    """The site as it is now, in a folder of this visitor's; folders and archives are only read anyway."""
    from advisor.store.snapshot import snapshot
    from advisor.usecases.reading import SUFFIX

    if site.suffix != SUFFIX or site.is_dir():
        return site
    to = folder / site.name
    snapshot(site, to)
    return to


def main() -> None:
    parser = argparse.ArgumentParser(prog="advisor.tui.served")
    parser.add_argument("site", type=Path)
    parser.add_argument("--lang", choices=LANGS, default="en")
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args()
    lang: Lang = given.lang
    if given.write:
        AdvisorApp(str(given.site), lang, Terminal()).run()
        return
    with tempfile.TemporaryDirectory(prefix="advisor-") as folder:
        os.environ["XDG_STATE_HOME"] = folder  # what the screens remember of a person is not this visitor's
        LookingApp(str(copied(given.site, Path(folder))), lang).run()


if __name__ == "__main__":
    main()
