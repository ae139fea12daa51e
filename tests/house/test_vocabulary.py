"""docs/vocabulary.md and the readers say the same: keys, units, and a section and a golden capture for each tool.

The page is read as data: code spans of its tables and sections are the keys. What stands before "## Tools" holds for every tool; a heading
below it names the tools whose section it is. Names of things are told from keys by the page's table of maps.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from advisor.readers.recognise import read
from advisor.readers.registry import tools

ROOT = Path(__file__).parent.parent
PAGE = (ROOT.parent / "docs" / "vocabulary.md").read_text(encoding="utf-8")
CAPTURES = ROOT / "captures"
# The form of a person's statements has its own keys (knowledge/form.yaml), and no tool prints it.
STATED = "site"
# Maps whose names and values are a source's own.
_RAW = ("counters", "env", "labels")
_CODE = re.compile(r"`([^`\n]+)`")
_WORD = re.compile(r"\w+")
_HEADING = re.compile(r"^### (`.+`)$", re.MULTILINE)


def _words(text: str) -> set[str]:
    return {word for code in _CODE.findall(text) for word in _WORD.findall(code)}


def _table(title: str) -> str:
    """What stands under a heading of the page, up to the next one."""
    return PAGE.split(f"\n### {title}\n", 1)[1].split("\n#", 1)[0]


SHARED, _TOOLS = PAGE.split("\n## Tools\n", 1)


def _sections() -> dict[str, set[str]]:
    """The keys of each tool's sections."""
    found: dict[str, set[str]] = defaultdict(set)
    pieces = _HEADING.split(_TOOLS)
    for heading, text in zip(pieces[1::2], pieces[2::2], strict=True):
        for tool in _CODE.findall(heading):
            found[tool] |= _words(text)
    return found


SECTIONS = _sections()
# Map -> how many levels of names lie under it.
_MAPS = [path for path in _CODE.findall(_table("Maps keyed by names")) if re.fullmatch(r"\w+(?:\.\*)+", path)]
NAMED = {path.partition(".")[0]: path.count("*") for path in _MAPS}
UNITLESS = [row.split("|")[2] for row in _table("Numbers without a unit").splitlines()[3:] if row.startswith("|")]
ENDINGS = tuple(word for word in _words(_table("Endings that are units")) | _words("".join(UNITLESS)) if word.startswith("_"))
NUMBERS = {word for word in _words("".join(UNITLESS)) if not word.startswith("_")} | {"bytes"}


def _pairs(key: str, value: Any, names: int) -> Iterator[tuple[str, Any]]:
    """Keys with their plain values under a value of `key`; `names` levels of maps are keyed by names yet."""
    if isinstance(value, Mapping) and names:
        for inner in value.values():
            yield from _pairs(key, inner, names - 1)
    elif isinstance(value, Mapping):
        for inner, content in value.items():
            yield inner, None
            if inner not in _RAW:
                yield from _pairs(inner, content, NAMED.get(inner, 0))
    elif isinstance(value, list):
        for item in value:
            yield from _pairs(key, item, 0)
    else:
        yield key, value


@cache
def _given() -> dict[str, dict[str, list[Any]]]:
    """Tool -> key -> values, over all golden captures."""
    found: dict[str, dict[str, list[Any]]] = {}
    for path in sorted(CAPTURES.glob("*/*")):
        if not path.name.endswith(".golden.yaml"):
            for part in read(path.read_bytes()).parts:
                for key, value in _pairs("", part.facts, 0):
                    found.setdefault(part.tool, {}).setdefault(key, []).append(value)
    return found


def test_every_tool_has_a_section() -> None:
    assert [tool for tool in tools() if tool not in SECTIONS] == []


def test_every_tool_has_a_golden_capture() -> None:
    assert [tool for tool in tools() if tool != STATED and not list((CAPTURES / tool).glob("*.golden.yaml"))] == []


@pytest.mark.parametrize("tool", [tool for tool in tools() if tool != STATED])
def test_every_key_is_in_the_vocabulary(tool: str) -> None:
    known = _words(SHARED) | SECTIONS[tool] | set(NAMED)
    assert sorted(set(_given().get(tool, {})) - known) == []


@pytest.mark.parametrize("tool", [tool for tool in tools() if tool != STATED])
def test_every_figure_has_its_unit_in_its_key_or_is_a_number_without_one(tool: str) -> None:
    figures = {
        key
        for key, values in _given().get(tool, {}).items()
        if any(isinstance(value, int | float) and not isinstance(value, bool) for value in values)
    }
    assert sorted(key for key in figures if not key.endswith(ENDINGS) and key not in NUMBERS) == []


def test_the_page_is_read_as_meant() -> None:
    assert (NAMED["gpus"], NAMED["bandwidth_gBps"]) == (1, 2)
    assert {"_gbps", "_gBps", "_count", "_packets"} <= set(ENDINGS)
    assert {"lid", "iops", "pcie_gen"} <= NUMBERS
    assert sum(len(keys) for keys in _given().values()) > 500
