"""What a person decided in an assessment, as its file holds it at one moment: small enough to be held against the file at every step."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Kept:
    """decisions: choice and reason by remedy. overrule: verdict and reason. settings: prices and settings of the site. turn: how often
    captures, their readings or what a person said of them were written.
    """

    decisions: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    set_aside: frozenset[str] = frozenset()
    overrule: tuple[str, str] | None = None
    settings: Mapping[str, str] = field(default_factory=dict)
    turn: int = 0

    def differs(self, other: "Kept") -> Iterator[str]:
        """In what the two are not the same: `captures`, `decisions`, `set-aside`, `overrule`, `settings`."""
        pairs = {
            "captures": (self.turn, other.turn),
            "decisions": (self.decisions, other.decisions),
            "set-aside": (self.set_aside, other.set_aside),
            "overrule": (self.overrule, other.overrule),
            "settings": (self.settings, other.settings),
        }
        return (name for name, (mine, theirs) in pairs.items() if mine != theirs)
