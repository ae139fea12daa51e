"""What sources say of the same figure of the same thing, the value that is used, and the conflicts that are kept."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from advisor.evidence.bundle import Known
from advisor.evidence.origin import Origin
from advisor.fabric.model import Conflict

Thing = tuple[str, ...]
_ROLES = {"before": 1, "after": 2}
_NEAR = 1e-3  # relative: two figures nearer than this are the same figure, rounded by their tools


@dataclass(frozen=True, slots=True)
class Claim:
    """A source's word on a figure. `rank`: a capture before a statement; then `when`, the capture's time, then before and after."""

    value: Any
    known: Known
    rank: tuple[bool, str]

    @property
    def origin(self) -> Origin:
        return self.known.origin

    def is_repeat_of(self, other: "Claim") -> bool:
        return self.known.tool == other.known.tool and self.known.capture.sha256 == other.known.capture.sha256

    def is_change_of(self, other: "Claim") -> bool:
        return self.is_repeat_of(other) or (self.known.tool == other.known.tool and self.rank[1] != other.rank[1])


@dataclass(slots=True)
class Claims:
    """Claims by thing and figure, in the order of the bundle."""

    said: dict[Thing, dict[str, list[Claim]]] = field(default_factory=dict)
    _below: dict[Thing, set[str]] = field(default_factory=dict)

    def say(self, thing: Thing, figure: str, known: Known, value: Any) -> None:
        """A source's word on a figure; an unknown value claims nothing but that the thing exists."""
        if thing not in self.said:
            for depth, step in enumerate(thing):
                self._below.setdefault(thing[:depth], set()).add(step)
        claims = self.said.setdefault(thing, {}).setdefault(figure, [])
        if value is not None:
            when = f"{known.capture.time or ''}|{_ROLES.get(known.capture.role or '', 0)}"
            claims.append(Claim(value, known, (known.part.tool != "site", when)))

    def things(self, *above: str) -> Iterator[str]:
        """The names of all things directly below a place, in order of name."""
        yield from sorted(self._below.get(above, ()))

    def used(self, thing: Thing, figure: str) -> Claim | None:
        """The claim that the fabric goes on with: a capture before a statement, a later capture before an earlier one, else the first.

        Inside one capture a tool's later word goes before its earlier one.
        """
        claims = self.said.get(thing, {}).get(figure, ())
        if len(claims) == 1:
            return claims[0]
        best: Claim | None = None
        for claim in claims:
            if best is None or claim.rank > best.rank or (claim.rank == best.rank and claim.is_repeat_of(best)):
                best = claim
        return best

    def value(self, thing: Thing, figure: str) -> Any:
        claim = self.used(thing, figure)
        return claim.value if claim else None

    def origins(self, thing: Thing) -> dict[str, Origin]:
        """The origin of each figure of a thing, and of the thing itself under ""."""
        found = {figure: claim.origin for figure in self.said.get(thing, {}) if (claim := self.used(thing, figure))}
        first = next(iter(found.values()), None)
        return ({"": first} | found) if first else {}

    def conflicts(self, varies: Callable[[str], bool]) -> Iterator[Conflict]:
        """Figures of which sources say different things, apart from those that vary by nature (counters).

        A tool that says something else at another time, or later in one capture, tells a change, which is no conflict.
        """
        for thing, figures in self.said.items():
            for figure, claims in figures.items():
                if len(claims) < 2 or varies(figure) or (used := self.used(thing, figure)) is None:
                    continue
                against = [claim for claim in claims if not _same(claim.value, used.value) and not used.is_change_of(claim)]
                if against:
                    told = (used, *against)
                    yield Conflict(
                        thing=" ".join(step for step in thing if step),
                        figure=figure,
                        values=tuple(str(claim.value) for claim in told),
                        origins=tuple(claim.origin for claim in told),
                        used=str(used.value),
                    )


def _same(a: Any, b: Any) -> bool:
    if isinstance(a, int | float) and isinstance(b, int | float):
        return abs(a - b) <= _NEAR * max(abs(a), abs(b))
    if isinstance(a, str) and isinstance(b, str):
        short, long = sorted((a.lower(), b.lower()), key=len)
        return short == long or long.startswith(f"{short} ")  # a firmware with and without its board's id
    return bool(a == b)
