"""Tables that a person writes: links (`from,to,rate_gbps,count,state`) and jobs (`job,hosts`). Their columns are keys of the form.

A row of links stands for the links between each name of `from` and each of `to`; rows of one job go on with its hosts.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from advisor.evidence.form import ANYWHERE, Key, form
from advisor.evidence.reading import Part
from advisor.readers._cells import cells, delimiter
from advisor.readers._form import complaints, is_unknown, value
from advisor.readers.contract import Block, Notes

# Section of the form -> columns that make a heading one of it.
_NEEDED: Mapping[str, tuple[str, ...]] = {"links": ("from", "to"), "jobs": ("name", "between")}
_OTHER_WORDS: Mapping[str, Mapping[str, str]] = {"links": {}, "jobs": {"job": "name", "hosts": "between", "host": "between"}}
_WORD = re.compile(r"[a-z_]+", re.IGNORECASE)


def heading(text: str) -> tuple[str, list[str]] | None:
    """The section that a heading is of, and its columns by the form's keys; None for any other line."""
    row = [cell.lower() for cell in cells(text, delimiter(text))]
    if len(row) < 2:
        return None
    for section, needed in _NEEDED.items():
        columns = [_OTHER_WORDS[section].get(cell, cell) for cell in row]
        if all(columns.count(key) == 1 for key in needed) and all(_WORD.fullmatch(cell) for cell in columns):
            known = form().sections[section].keys.keys() | ANYWHERE
            others = sum(cell not in known for cell in columns)
            if others <= len(columns) - len(needed) - others:  # a table of something else has more columns that the form does not know
                return section, columns
    return None


def first_row(text: str) -> str:
    """The first line that is neither blank nor a remark."""
    return next((line for line in text.split("\n") if line.strip() and not line.lstrip().startswith("#")), "")


def read(block: Block) -> Iterator[Part]:
    """The rows as entries of the form. Lines that are no row of it are problems with their place."""
    notes, found = Notes("site", block), list[dict[str, Any]]()
    section, columns, sign = "", list[str](), ","
    by_name: dict[str, int] = {}
    for n, text in block.lines.inked():
        if text.lstrip().startswith("#"):
            notes.ignore(n, "comment")
        elif not columns:
            known = heading(text)
            if known is None:
                return
            (section, columns), sign = known, delimiter(text)
            notes.put(n, 1, "form")  # so that a table without one good row is still a part, with the lines of its problems
            for column in columns:
                if column not in form().sections[section].keys and column not in ANYWHERE:
                    notes.problem(n, "unknown-key", f"{section}.{column}")
        else:
            entry = _row(notes, n, section, columns, cells(text, sign))
            if entry is None:
                continue
            name = str(entry.get("name")) if section == "jobs" else ""
            if name and name in by_name:
                _go_on(found[by_name[name]], entry)
                continue
            if name:
                by_name[name] = len(found)
            notes.at[section, str(len(found))] = n
            found.append(entry)
    if found:
        notes.facts[section] = found
        notes.at[(section,)] = notes.at[section, "0"]
    if not notes.is_empty:
        yield notes.part()


def _row(notes: Notes, n: int, section: str, columns: list[str], row: list[str]) -> dict[str, Any] | None:
    keys, needed = form().sections[section].keys, _NEEDED[section]
    if len(row) > len(columns) or len(row) < max(columns.index(key) for key in needed) + 1:
        notes.problem(n, "damaged", f"{len(row)} / {len(columns)}")
        return None
    given = dict(zip(columns, row, strict=False))
    entry = {word: _cell(notes, n, keys[word], raw) for word, raw in given.items() if word in keys}
    notes.use(n)
    if any(is_unknown(given[key]) for key in needed):
        notes.problem(n, "empty-cell", ", ".join(key for key in needed if is_unknown(given[key])))
        return None
    if any(entry[key] is None for key in needed):
        return None
    return {word: found for word, found in entry.items() if found is not None}


def _cell(notes: Notes, n: int, key: Key, raw: str) -> Any:
    for why, detail in complaints(key, raw):
        notes.problem(n, why, detail)
    return value(key, raw)


def _go_on(first: dict[str, Any], entry: dict[str, Any]) -> None:
    """Further hosts of a job, in order; what else only the later row tells."""
    hosts = [*first.get("between", ()), *entry.get("between", ())]
    for word, found in entry.items():
        first.setdefault(word, found)
    first["between"] = list(dict.fromkeys(hosts))
