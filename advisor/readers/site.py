"""`site.yaml` and tables of links and jobs: what a person saw, was told, or read off a screen. Every fact of it is stated.

The form is knowledge/form.yaml. Every part is optional; absent, empty and `unknown` are the same. An unknown key is a problem with its
line, never a refusal. Signs are true or false. The tree of facts has the form's own keys; lists stay lists of maps.
"""

import re
from collections.abc import Iterator
from typing import Any

from advisor.base.content import Place, line_of, parse
from advisor.base.errors import ContentError
from advisor.evidence.form import ANYWHERE, Section, form
from advisor.evidence.reading import Part
from advisor.readers import _site_csv
from advisor.readers._form import complaints, value
from advisor.readers.contract import Block, Notes, Reader

_FORM = re.compile(r"^form\s*:\s*1\s*$", re.MULTILINE)
_MARGIN = re.compile(r"^([A-Za-z_][\w-]*)\s*:", re.MULTILINE)


def read(block: Block) -> Iterator[Part]:
    if _site_csv.heading(_site_csv.first_row(block.lines.text)):
        yield from _site_csv.read(block)
    else:
        yield from _yaml(block)


def _yaml(block: Block) -> Iterator[Part]:
    notes = Notes("site", block)
    inked = [n for n, _ in block.lines.inked()]
    if not inked:
        return
    notes.use_range(inked[0], inked[-1])
    for n, content in block.lines.inked():
        if _FORM.match(content):  # so that a form whose YAML is broken is still a part, with the line of the break
            notes.put(n, 1, "form")
            break
    # Blank lines in front keep the numbers of the text and those of the file the same.
    text = "\n" * (block.lines.numbers[0] - 1) + block.lines.text
    try:
        tree, at = parse(text, "site.yaml")
    except ContentError as error:
        line = min(max(int(str(error.values["line"])), inked[0]), inked[-1])
        notes.problem(line, "damaged", str(error.values["why"]))
        yield notes.part()
        return
    sections = form().sections
    for name, content in (tree if isinstance(tree, dict) else {}).items():
        if name in sections:
            _section(notes, name, sections[name], content, at)
        elif name != "form" and name not in ANYWHERE:
            notes.problem(line_of((name,), at), "unknown-key", name)
    yield notes.part()


def _section(notes: Notes, name: str, section: Section, content: Any, at: dict[Place, int]) -> None:
    if not section.list:
        if isinstance(content, dict):
            _keep(notes, name, _entry(notes, name, section, content, (name,), at), (name,), (name,), at)
        elif content is not None:
            notes.problem(line_of((name,), at), "doubtful", name)
        return
    found: list[dict[str, Any]] = []
    for i, entry in enumerate(content if isinstance(content, list) else [content]):
        place: Place = (name, i) if isinstance(content, list) else (name,)
        if isinstance(entry, dict):
            values = _entry(notes, name, section, entry, place, at)
            if values:
                _lines(notes, values, (name, str(len(found))), place, at)
                found.append(values)
        elif entry is not None:
            notes.problem(line_of(place, at), "doubtful", name)
    _keep(notes, name, found, (name,), None, at)


def _keep(notes: Notes, name: str, values: Any, path: tuple[str, ...], place: Place | None, at: dict[Place, int]) -> None:
    """Known values become the facts of their section."""
    if values:
        notes.facts[name] = values
        notes.at[path] = line_of(path, at)
        if place:
            _lines(notes, values, path, place, at)


def _lines(notes: Notes, values: dict[str, Any], path: tuple[str, ...], place: Place, at: dict[Place, int]) -> None:
    notes.at[path] = line_of(place, at)
    for key in values:
        notes.at[(*path, key)] = line_of((*place, key), at)


def _entry(notes: Notes, name: str, section: Section, entry: dict[str, Any], place: Place, at: dict[Place, int]) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for word, raw in entry.items():
        line = line_of((*place, word), at)
        if word in ANYWHERE:
            if isinstance(raw, str):
                values[word] = raw
            continue
        key = section.keys.get(word)
        if key is None:
            notes.problem(line, "unknown-key", f"{name}.{word}")
            continue
        found = value(key, raw)
        if found is not None:
            values[word] = found
        for why, detail in complaints(key, raw):
            notes.problem(line, why, detail)
    return values


def _recognises(head: str) -> bool:
    """A form of ours: `form: 1`, or two of its sections and nothing else at the left margin; or the heading of one of its tables."""
    if _site_csv.heading(_site_csv.first_row(head)):
        return True
    if ":" not in head:
        return False
    margin = set(_MARGIN.findall(head)) - {"form"} - ANYWHERE
    return bool(_FORM.search(head)) or (len(margin) >= 2 and margin <= form().sections.keys())


READER = Reader("site", read, starts=re.compile(r"form\s*:\s*1\s*$"), recognises=_recognises)
