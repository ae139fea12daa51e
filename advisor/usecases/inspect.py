"""Inspect: what a reader makes of files, without an assessment."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from advisor.base.errors import NothingRead, UsageError
from advisor.base.text import Lang, say
from advisor.capture import intake
from advisor.evidence.columns import plain
from advisor.evidence.reading import Reading
from advisor.readers.recognise import read


def inspect(paths: list[str]) -> Iterator[tuple[str, Reading]]:
    """Name and reading of every file below the paths; a single file keeps the path that it was given by.

    Raises UsageError for a path that is not there.
    """
    for path in paths:
        single = path == "-" or Path(path).is_file()
        for item in intake.items([path]):
            name = (
                path
                if single and "!" not in item.name
                else f"{path}{item.name[item.name.find('!') :]}"
                if single
                else str(Path(path, item.name.removeprefix(intake.label(path))))
            )
            if item.passed:
                yield name, Reading(refused=item.passed)
            else:
                yield name, read(item.data, name)


def as_json(name: str, reading: Reading, lang: Lang = "en") -> dict[str, Any]:
    """The reading in the form of docs/vocabulary.md: file, refused, parts, unread."""
    return {
        "file": name,
        "refused": say(f"refused.{reading.refused}", lang) if reading.refused else None,
        "state": reading.state,
        "parts": [
            {
                "tool": part.tool,
                "lines": list(part.lines),
                "host": part.host,
                "command": part.command,
                "facts": plain(part.facts),
                "problems": [
                    {
                        "line": p.line,
                        "text": p.text,
                        "why": say(f"why.{p.why}", lang) + (f": {p.detail}" if p.detail else ""),
                    }
                    for p in part.problems
                ],
                "unread": [list(pair) for pair in part.unread],
                "ignored": dict(part.ignored),
            }
            for part in reading.parts
        ],
        "unread": [list(pair) for pair in reading.unread],
        "line_count": reading.line_count,
        "encoding": reading.encoding,
    }


def require_any(readings: list[tuple[str, Reading]]) -> None:
    """Raises NothingRead if not one file was read."""
    if not readings:
        raise UsageError("no-files")
    if all(reading.refused for _, reading in readings):
        raise NothingRead("nothing-read", count=len(readings))
