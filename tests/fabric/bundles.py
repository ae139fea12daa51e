"""Bundles out of facts, as readers give them, without a capture's text."""

from pathlib import Path
from typing import Any

from advisor.evidence.bundle import Bundle, Capture, Role
from advisor.evidence.reading import Part, Reading
from advisor.readers.recognise import read

CAPTURES = Path(__file__).parent / "captures"


def capture(
    name: str, *parts: tuple[str, dict[str, Any]], host: str | None = None, role: Role | None = None, time: str | None = None
) -> Capture:
    """A capture with parts (tool, facts), ten lines each."""
    made = tuple(Part(tool=tool, lines=(10 * i + 1, 10 * i + 10), facts=facts) for i, (tool, facts) in enumerate(parts))
    return Capture(sha256=f"sha-{name}", name=name, size=1, reading=Reading(parts=made), host=host, role=role, time=time)


def bundle(*captures: Capture) -> Bundle:
    return Bundle.of(list(captures))


def site(**sections: Any) -> Capture:
    return capture("site.yaml", ("site", sections))


def typed(name: str, text: str, host: str | None = None) -> Capture:
    """A capture of a text, as its reader reads it."""
    return Capture(sha256=f"sha-{name}", name=name, size=len(text), reading=read(text.encode(), name), host=host)


def taken(name: str) -> Capture:
    """A file of tests/fabric/captures."""
    return typed(name, (CAPTURES / name).read_text(encoding="utf-8"))
