"""What a seal holds and what may have changed since: hashes of all that an answer rests on, and of the answer itself."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Literal

Part = Literal["captures", "knowledge", "pricing", "own", "decisions", "answer"]
PARTS: tuple[Part, ...] = ("captures", "knowledge", "pricing", "own", "decisions", "answer")


@dataclass(frozen=True, slots=True)
class Seal:
    """Hashes by part and by the name of the thing in it: a capture, a file, a remedy, `diagnosis` or `plan`."""

    made_on: str
    version: str
    parts: Mapping[str, Mapping[str, str]]

    @property
    def digest(self) -> str:
        """One hash over everything: two assessments with the same one rest on the same and say the same."""
        return sha256(json.dumps([self.version, self.parts], sort_keys=True).encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Change:
    """What is not as it was sealed: `how` is added, removed, changed, or damaged (a capture's bytes are not those of its hash)."""

    part: Part
    name: str
    how: Literal["added", "removed", "changed", "damaged"]


@dataclass(frozen=True, slots=True)
class Verified:
    """The comparison of a seal with what is there now. `same_answer`: diagnosis and plan are what they were."""

    sealed: Seal
    now: Seal
    changes: tuple[Change, ...]

    @property
    def same_answer(self) -> bool:
        return self.sealed.parts["answer"] == self.now.parts["answer"]


def changes(part: Part, before: Mapping[str, str], now: Mapping[str, str]) -> list[Change]:
    """Things of one part that are not as they were sealed."""
    found = [Change(part, name, "removed") for name in before if name not in now]
    found += [Change(part, name, "added") for name in now if name not in before]
    return found + [Change(part, name, "changed") for name in now if name in before and now[name] != before[name]]
