"""What one capture holds: parts with facts, problems, and the account of its lines.

A fact is a path, a value and a line: `("ports", "mlx5_0/1", "rate_gbps")`, 200, line 12. Paths and units follow
docs/vocabulary.md; the tree of all facts of a part is plain JSON. Absent is unknown, never 0.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

Path = tuple[str, ...]
Why = Literal[
    "cut",  # the line or the text ends inside a value
    "damaged",  # characters are broken or shifted
    "repaired",  # a value was restored by a sound rule (mirror cell of a symmetric matrix, complete keys of an open JSON text)
    "doubtful",  # two figures of one line contradict, or the layout fits no known version
    "tool-error",  # the tool itself says that it failed
    "left-out",  # an ellipsis stands for lines that the sender left out
    "not-a-number",  # a number was expected
    "unknown-key",  # the statements form has no such key
    "negative",  # a figure of the form that cannot be below 0
    "bad-list",  # a list of names that does not pair its brackets or that is empty
    "empty-cell",  # a row of a table that a person wrote lacks what it is about
    "unknown-unit",  # a figure without a unit that can be known
    "missing-part",  # a header promises rows that are not there
]
WHYS: tuple[str, ...] = get_args(Why)
State = Literal["read", "read-in-part", "not-recognised", "refused", "failed"]


@dataclass(frozen=True, slots=True)
class Problem:
    """A line that could not be read, or not as it stands. It is about reading, never about the health of the cluster."""

    line: int
    text: str
    why: Why
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Part:
    """The output of one run of one tool.

    tool       id of the tool (docs/vocabulary.md)
    lines      first and last line, from 1, the command line included
    host       the machine that it came from, as the text names it; None where it does not
    command    the command line, where the text has it, or the file's name spells it
    facts      tree of facts; keys are text
    at         line of a fact by its path; a path that is not in it stands at its nearest parent's line or below (`line_of`)
    unread     lines inside `lines` that no fact, rule or problem accounts for
    ignored    how many lines were left aside, by declared reason
    time       when it was taken, ISO 8601, where a prompt or the output of `date` in front of it tells
    """

    tool: str
    lines: tuple[int, int]
    host: str | None = None
    command: str | None = None
    facts: Mapping[str, Any] = field(default_factory=dict)
    at: Mapping[Path, int] = field(default_factory=dict)
    problems: tuple[Problem, ...] = ()
    unread: tuple[tuple[int, int], ...] = ()
    ignored: Mapping[str, int] = field(default_factory=dict)
    time: str | None = None

    def line_of(self, path: Path) -> int:
        """The line of a fact, or of the nearest thing above it that has a line."""
        while path:
            if path in self.at:
                return self.at[path]
            path = path[:-1]
        return self.lines[0]


@dataclass(frozen=True, slots=True)
class Reading:
    """What a reader made of one capture. `unread`: ranges of lines that no part covers. `refused`: why nothing in it is a capture."""

    refused: str | None = None
    parts: tuple[Part, ...] = ()
    unread: tuple[tuple[int, int], ...] = ()
    line_count: int = 0
    encoding: str = "utf-8"

    @property
    def state(self) -> State:
        if self.refused:
            return "refused" if self.refused != "not-recognised" else "not-recognised"
        whole = not self.unread and not any(part.problems or part.unread for part in self.parts)
        return "read" if whole else "read-in-part"


def leaves(facts: Mapping[str, Any], path: Path = ()) -> Iterator[tuple[Path, Any]]:
    """Every path with its value (a scalar or a list)."""
    for key, value in facts.items():
        if isinstance(value, Mapping):
            yield from leaves(value, (*path, str(key)))
        else:
            yield (*path, str(key)), value
