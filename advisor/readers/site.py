"""`site.yaml`: what a person saw, was told, or read off a screen (form: knowledge/form.yaml). Every fact of it is stated.

Every part is optional; absent, empty and `unknown` are the same. An unknown key is a problem with its line, never a refusal.
Signs are true or false. The tree of facts has the form's own keys; lists stay lists of maps.
"""

import re
from collections.abc import Iterator
from typing import Any

from advisor.base.content import Place, line_of, parse
from advisor.base.errors import ContentError
from advisor.evidence.form import ANYWHERE, Key, Section, form
from advisor.evidence.reading import Part
from advisor.readers.contract import Block, Notes, Reader
from advisor.readers.shapes import number

_UNKNOWN = {"", "unknown", "null", "~", "n/a"}
_YES, _NO = {"yes", "true", "on"}, {"no", "false", "off"}
_FORM = re.compile(r"^form\s*:\s*1\s*$", re.MULTILINE)
_MARGIN = re.compile(r"^([A-Za-z_][\w-]*)\s*:", re.MULTILINE)


def read(block: Block) -> Iterator[Part]:
    notes = Notes("site", block)
    inked = [n for n, _ in block.lines.inked()]
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
        value = _value(key, raw)
        if value is not None:
            values[word] = value
        elif isinstance(raw, str) and not _is_unknown(raw):
            notes.problem(line, "not-a-number" if key.type == "number" else "doubtful", raw)
    return values


def _is_unknown(raw: Any) -> bool:
    return raw is None or (isinstance(raw, str) and raw.strip().lower() in _UNKNOWN)


def _value(key: Key, raw: Any) -> Any:
    """A value as the key takes it, None where it is unknown. An empty list is a known nothing."""
    if _is_unknown(raw):
        return None
    if key.type == "map":
        return _free(raw) or None
    if isinstance(raw, list):
        known = [value for item in raw if (value := _value(key, item)) is not None]
        return known if known or not raw else None
    if isinstance(raw, dict):
        return None
    word = str(raw).strip()
    if key.type == "sign":
        return True if word.lower() in _YES else False if word.lower() in _NO else None
    return number(word) if key.type == "number" else word


def _free(raw: Any) -> Any:
    """A free map or list with numbers where they are some."""
    if isinstance(raw, dict):
        return {name: value for name, item in raw.items() if (value := _free(item)) is not None}
    if isinstance(raw, list):
        return [_free(item) for item in raw]
    return None if _is_unknown(raw) else raw if (found := number(str(raw))) is None else found


def _recognises(head: str) -> bool:
    """A form of ours: `form: 1`, or two of its sections and nothing else at the left margin."""
    margin = set(_MARGIN.findall(head)) - {"form"} - ANYWHERE
    return bool(_FORM.search(head)) or (len(margin) >= 2 and margin <= form().sections.keys())


READER = Reader("site", read, starts=re.compile(r"form\s*:\s*1\s*$"), recognises=_recognises)
