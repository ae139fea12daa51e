"""Readings as bytes for the store, and back. What goes in comes out equal (tests/store hold it)."""

import json
import zlib
from typing import Any

from advisor.evidence.reading import Part, Problem, Reading


def pack(reading: Reading) -> bytes:
    """A reading as compressed JSON."""
    return zlib.compress(json.dumps(_tree(reading), ensure_ascii=False, separators=(",", ":")).encode(), 6)


def unpack(data: bytes) -> Reading:
    tree = json.loads(zlib.decompress(data))
    return Reading(
        refused=tree["refused"],
        parts=tuple(_part(part) for part in tree["parts"]),
        unread=_pairs(tree["unread"]),
        line_count=tree["line_count"],
        encoding=tree["encoding"],
    )


def _tree(reading: Reading) -> dict[str, Any]:
    return {
        "refused": reading.refused,
        "parts": [
            {
                "tool": part.tool,
                "lines": part.lines,
                "host": part.host,
                "command": part.command,
                "facts": part.facts,
                "at": [[line, *path] for path, line in part.at.items()],
                "problems": [[p.line, p.text, p.why, p.detail] for p in part.problems],
                "unread": part.unread,
                "ignored": dict(part.ignored),
                **({"time": part.time} if part.time else {}),
            }
            for part in reading.parts
        ],
        "unread": reading.unread,
        "line_count": reading.line_count,
        "encoding": reading.encoding,
    }


def _part(tree: dict[str, Any]) -> Part:
    first, last = tree["lines"]
    return Part(
        tool=tree["tool"],
        lines=(first, last),
        host=tree["host"],
        command=tree["command"],
        facts=tree["facts"],
        at={tuple(path): line for line, *path in tree["at"]},
        problems=tuple(Problem(*problem) for problem in tree["problems"]),
        unread=_pairs(tree["unread"]),
        ignored=tree["ignored"],
        time=tree.get("time"),
    )


def _pairs(pairs: list[list[int]]) -> tuple[tuple[int, int], ...]:
    return tuple((a, b) for a, b in pairs)
