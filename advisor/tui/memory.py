"""What is remembered from one session to the next: language, theme, and for each site where a person was. Kept in the state folder,
written at every change, so that a crash or a lost connection costs nothing. A file that cannot be read or written costs only this."""

import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from advisor.base.files import write_whole
from advisor.base.places import user_state
from advisor.base.text import LANGS, Lang

_MOST = 50  # sites


@dataclass(frozen=True, slots=True)
class Place:
    """Where a person was in a site.

    rows     the row under the cursor, by screen and table: `remedies#ladder` -> key
    filters  what a table was searched for
    capture  the capture that was shown, and its line
    """

    stage: str = ""
    lang: str = ""
    rows: Mapping[str, str] = field(default_factory=dict)
    filters: Mapping[str, str] = field(default_factory=dict)
    capture: str = ""
    line: int = 0


@dataclass(frozen=True, slots=True)
class Memory:
    """open: the site that is open now; a session that ends by a person's wish leaves none behind."""

    lang: str = ""
    theme: str = ""
    open: str = ""
    sites: Mapping[str, Place] = field(default_factory=dict)

    def with_place(self, site: str, place: Place) -> "Memory":
        """The last place is the newest of the sites."""
        kept = {name: old for name, old in self.sites.items() if name != site}
        return replace(self, sites=dict([*list(kept.items())[-(_MOST - 1) :], (site, place)]))


def language(word: str) -> Lang | None:
    return next((lang for lang in LANGS if lang == word), None)


def _file() -> Path:
    return user_state() / "screens.json"


def recall() -> Memory:
    """What was kept; nothing where it cannot be read. What is not of its kind is left out."""
    try:
        tree = json.loads(_file().read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return Memory()
    if not isinstance(tree, dict):
        return Memory()
    words = {name: tree[name] for name in ("lang", "theme", "open") if isinstance(tree.get(name), str)}
    sites = tree.get("sites")
    places = {name: _place(item) for name, item in sites.items() if isinstance(item, dict)} if isinstance(sites, dict) else {}
    return Memory(**words, sites=places)


def _place(tree: Mapping[str, Any]) -> Place:
    words = {name: tree[name] for name in ("stage", "lang", "capture") if isinstance(tree.get(name), str)}
    line = tree.get("line")
    return Place(**words, rows=_words(tree.get("rows")), filters=_words(tree.get("filters")), line=line if isinstance(line, int) else 0)


def _words(tree: object) -> dict[str, str]:
    return {key: value for key, value in tree.items() if isinstance(value, str)} if isinstance(tree, dict) else {}


def keep(memory: Memory) -> None:
    """Write it whole or not at all; only its owner may read it, as it names a customer's machines."""
    place = _file()
    with suppress(OSError):
        write_whole(place, json.dumps(asdict(memory), ensure_ascii=True))
