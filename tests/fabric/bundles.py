"""Bundles out of facts, as readers give them, without a capture's text."""

from typing import Any

from advisor.evidence.bundle import Bundle, Capture, Role
from advisor.evidence.reading import Part, Reading


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
