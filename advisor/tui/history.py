"""Undo and redo of what a person decided: the assessments before and after each change."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from advisor.usecases.assess import Assessment

_MOST = 100


@dataclass(slots=True)
class History:
    """What was decided before (`past`, newest last) and what was taken back (`future`)."""

    past: list["Assessment"] = field(default_factory=list)
    future: list["Assessment"] = field(default_factory=list)

    def changed(self, before: "Assessment") -> None:
        """A person decided something new: what was taken back before cannot come again."""
        self.past = [*self.past[-_MOST + 1 :], before]
        self.future = []

    def undone(self, now: "Assessment") -> None:
        self.past.pop()
        self.future.append(now)

    def redone(self, now: "Assessment") -> None:
        self.future.pop()
        self.past.append(now)

    def clear(self) -> None:
        self.past, self.future = [], []
