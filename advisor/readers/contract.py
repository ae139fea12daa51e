"""What a reader is, what it is given, and how it writes down what it found.

A reader module has one name, `READER`. It never raises for content: a line that it does not understand stays unread, and the
account shows it. Template and rules: docs/adding.md.
"""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from advisor.base.ranges import ranges
from advisor.capture.lines import Lines
from advisor.capture.secrets import veiled
from advisor.evidence.reading import Part, Path, Problem, Why


@dataclass(frozen=True, slots=True)
class Block:
    """The lines of one run of a tool, for its reader.

    lines    clean lines with their numbers, without the command line; trailing lines may belong to something else: leave them
             unaccounted and they are looked at again
    command  the command line without prompt, sudo and launchers, if the text has it
    host     the host that a prompt or prefix names
    first    number of the first line, the command line included
    """

    lines: Lines
    command: str | None = None
    host: str | None = None
    first: int = 1


@dataclass(frozen=True, slots=True)
class Reader:
    """One capture format.

    tool        id, as in docs/vocabulary.md
    read        a block becomes parts: mostly one; several where one run tells several things of the same name apart
    commands    a command line that makes this output (matched on the command without prompt, sudo, launchers and folder)
    starts      a line that starts this output where no command line does; it must not match another tool's lines
    line        for logs: a line that is this tool's wherever it stands; such lines are taken out from between other output
    recognises  for JSON, XML and the like: whether the head of a text (up to 64 kB) is this format
    bulk        for a format that comes as thousands of files: the part of a whole capture in its plainest form, all lines used; None for
                any other bytes, at once. It is given the command line that the file's name surely spells, or that stands in front, and
                how many lines are in front
    stops       in a block without a command, `read` ends by itself at the first line that is not this tool's, and looks no further: its
                lines are then not searched for the starts of other tools
    """

    tool: str
    read: Callable[[Block], Iterable[Part]]
    commands: re.Pattern[str] | None = None
    starts: re.Pattern[str] | None = None
    line: re.Pattern[str] | None = None
    recognises: Callable[[str], bool] | None = None
    bulk: Callable[[bytes, str | None, int], Part | None] | None = None
    stops: bool = False


# What may stand before a program's name on its command line: a list or loop up to it, sudo, its folder.
LIST_BEFORE = r"(?:.*?(?:[;&|(`]|\bdo|\bthen|--)\s*)?"
FOLDER_BEFORE = r"(?:sudo\s+)?(?:[^\s/;|&()<>`]{0,100}/){0,20}"


def command(*programs: str, options: str = "") -> re.Pattern[str]:
    """The pattern of a command line that runs one of the programs (regular expressions), also in a loop, a list or a pipe.

    `options` is a pattern that must follow on the line: command("nvidia-smi", options=r"topo\\b").
    """
    names = "|".join(programs)
    rest = rf"(?=\s.*?{options})" if options else r"(?=[\s;|&<>]|\Z)"
    return re.compile(rf"{LIST_BEFORE}{FOLDER_BEFORE}(?:{names}){rest}")


# A pipe that leaves lines out: of a shell, or of a switch (Cisco and Arista `| include`, Junos `| match`, Huawei `| include`).
_FILTER = re.compile(
    r"\|\s*(?:sudo\s+)?(?:\S*/)?(?:[efz]?grep|rg|g?awk|sed\s+-n|head|tail|findstr|select-string|in?c?l?u?d?e?|exc?l?u?d?e?|beg?i?n?|sec?t?i?o?n?|match|except|find|last)\b",
    re.IGNORECASE,
)


def filtered(command: str | None) -> bool:
    """Whether a command line shows that lines of the output were left out."""
    return command is not None and _FILTER.search(command) is not None


_MOST = 2**64


@dataclass(slots=True)
class Notes:
    """What a reader finds in a block, line by line; `part()` closes the account."""

    tool: str
    block: Block
    host: str | None = None
    facts: dict[str, Any] = field(default_factory=dict)
    at: dict[Path, int] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    ignored: dict[str, int] = field(default_factory=dict)
    _accounted: set[int] = field(default_factory=set)

    def put(self, line: int, value: object, *path: str) -> None:
        """A fact at a path, from a line, which is used by it. None is unknown, and a number of more than 64 bits is none of any counter:
        nothing is put, but the line is used."""
        self._accounted.add(line)
        if value is None or (type(value) is int and not -_MOST < value < _MOST):
            return
        tree = self.facts
        for step in path[:-1]:
            tree = tree.setdefault(step, {})
        tree[path[-1]] = value
        self.at.setdefault(path, line)

    def put_all(self, line: int, values: Mapping[str, object], *path: str) -> None:
        """Several facts of one thing, from one line."""
        for key, value in values.items():
            self.put(line, value, *path, key)

    def thing(self, line: int, *path: str) -> None:
        """A thing that is named here, if nothing more is known of it: an empty map at its path."""
        self._accounted.add(line)
        tree = self.facts
        for step in path:
            tree = tree.setdefault(step, {})
        self.at.setdefault(path, line)

    def get(self, *path: str) -> Any:
        tree: Any = self.facts
        for step in path:
            if not isinstance(tree, dict) or step not in tree:
                return None
            tree = tree[step]
        return tree

    def use(self, *lines: int) -> None:
        """Lines that were understood and hold no fact of their own: headers, units, legends that others refer to."""
        self._accounted.update(lines)

    def use_range(self, first: int, last: int) -> None:
        self._accounted.update(range(first, last + 1))

    def ignore(self, line: int, reason: str) -> None:
        """A line left aside for a declared reason: rule, banner, blank form, another run's repetition."""
        self._accounted.add(line)
        self.ignored[reason] = self.ignored.get(reason, 0) + 1

    def leave(self, lines: Sequence[int], reason: str) -> None:
        """Many lines left aside for one reason."""
        self._accounted.update(lines)
        self.ignored[reason] = self.ignored.get(reason, 0) + len(lines)

    def locate(self, paths: Iterable[Path], lines: Sequence[int]) -> None:
        """The lines of many facts that stand in the tree already, one for each path."""
        self._accounted.update(lines)
        self.at.update(zip(paths, lines, strict=True))

    def problem(self, line: int, why: Why, detail: str = "") -> None:
        """A line that could not be read as it stands. It counts as accounted."""
        self._accounted.add(line)
        raw = self.block.lines.raw
        text = raw[line - 1].strip() if 0 < line <= len(raw) else ""
        self.problems.append(Problem(line, veiled(text[:400]), why, detail))

    def count(self, things: str, key: str) -> None:
        """Put the number of entries of a map beside it: count("ports", "port_count"). Nothing without the map."""
        entries = self.facts.get(things)
        if isinstance(entries, dict):
            self.facts[key] = len(entries)
            self.at.setdefault((key,), min([n for path, n in self.at.items() if path[:1] == (things,)], default=self.block.first))

    @property
    def is_empty(self) -> bool:
        return not self.facts and not self.problems

    def part(self) -> Part:
        """The part: from the block's first line to the last accounted one, with the inked lines between that nothing accounts for.

        Facts from a command line with a filter in it say so: `filtered`.
        """
        if self.facts and filtered(self.block.command):
            self.facts["filtered"] = True
            self.at.setdefault(("filtered",), self.block.first)
        last = max(self._accounted, default=self.block.first)
        begin = min(self._accounted, default=self.block.first)
        first = min(self.block.first, begin)
        lines, accounted = self.block.lines, self._accounted
        within = lines.numbers[: bisect_right(lines.numbers, last)]
        is_whole = len(within) > 0 and within[0] >= begin and len(accounted) == last - begin + 1  # each line in a row
        open_lines = [
            n
            for n, text in zip(within if not is_whole else (), lines.texts, strict=False)
            if n not in accounted and text and not text.isspace()
        ]
        return Part(
            tool=self.tool,
            lines=(first, last),
            host=self.host or self.block.host,
            command=self.block.command,
            facts=self.facts,
            at=self.at,
            problems=tuple(sorted(self.problems, key=lambda problem: problem.line)),
            unread=tuple(ranges(open_lines)),
            ignored=self.ignored,
        )
