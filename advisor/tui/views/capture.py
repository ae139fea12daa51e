"""What was read of one capture, line by line: facts, problems, and lines that nothing was made of."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from advisor.base.text import Lang, say
from advisor.base.writing import clauses
from advisor.evidence.bundle import Capture
from advisor.evidence.reading import Part, Path
from advisor.tui.views.words import Phrase, Span, Tone, joined, word

Kind = Literal["problem", "unread", "fact", "read"]
KINDS: Mapping[Kind, tuple[str, Tone]] = {"fact": ("●", "good"), "problem": ("!", "warn"), "unread": ("?", "mark"), "read": (" ", "plain")}


@dataclass(frozen=True, slots=True)
class Marks:
    """The account of a capture's lines: what became of each, from 1. A line in no map was left aside."""

    kinds: Mapping[int, Kind]
    facts: Mapping[int, tuple[tuple[Path, Any], ...]]
    problems: Mapping[int, tuple[str, ...]]

    @property
    def counts(self) -> dict[Kind, int]:
        found: dict[Kind, int] = {"problem": 0, "unread": 0, "fact": 0, "read": 0}
        for kind in self.kinds.values():
            found[kind] += 1
        return found

    @property
    def hits(self) -> list[int]:
        """Lines that a person looks at first: problems and unread ones."""
        return sorted(line for line, kind in self.kinds.items() if kind in ("problem", "unread"))


def marks(capture: Capture, lang: Lang) -> Marks:
    """What became of each line. A problem goes before unread, unread before a fact."""
    kinds: dict[int, Kind] = {}
    facts: dict[int, list[tuple[Path, Any]]] = {}
    problems: dict[int, list[str]] = {}
    for part in capture.reading.parts:
        kinds.update(dict.fromkeys(range(part.lines[0], part.lines[1] + 1), "read"))
        for path, line in part.at.items():
            kinds[line] = "fact"
            value = _at(part, path)
            if value is not None:
                facts.setdefault(line, []).append((path, value))
    for ranges in (capture.reading.unread, *(part.unread for part in capture.reading.parts)):
        for first, last in ranges:
            kinds.update(dict.fromkeys(range(first, last + 1), "unread"))
    for part in capture.reading.parts:
        for problem in part.problems:
            kinds[problem.line] = "problem"
            why = say(f"why.{problem.why}", lang)
            problems.setdefault(problem.line, []).append(f"{why} ({problem.detail})" if problem.detail else why)
    return Marks(kinds, {line: tuple(found) for line, found in facts.items()}, {line: tuple(found) for line, found in problems.items()})


def _at(part: Part, path: Path) -> Any:
    """The value at a path; None for a thing that is more than a value."""
    tree: Any = part.facts
    for step in path:
        if isinstance(tree, Mapping):
            tree = tree.get(step)
        elif isinstance(tree, list) and step.isdigit() and int(step) < len(tree):
            tree = tree[int(step)]
        else:
            return None
    return None if isinstance(tree, Mapping) else tree


def of_line(line: int, found: Marks, lang: Lang) -> Phrase:
    """What became of one line, in words."""
    if line in found.problems:
        return joined(word("! ", "warn"), word(clauses(found.problems[line], lang), "warn"))
    if line in found.facts:
        parts: list[Phrase] = []
        for path, value in found.facts[line][:6]:
            parts.append((Span(".".join(path), "dim"), Span(" = ", "dim"), Span(str(value), "good")))
        more = len(found.facts[line]) - 6
        return joined(word("● ", "good"), joined(*parts, between="  "), word(f"  +{more}" if more > 0 else "", "dim"))
    kind = found.kinds.get(line)
    if kind is None:
        return word(say("tui.capture.aside", lang), "dim")
    sign, tone = KINDS[kind]
    return word(f"{sign} {say(f'tui.capture.{kind}', lang)}".strip(), tone if kind != "read" else "dim")


def summary(found: Marks, lines: int, lang: Lang) -> str:
    """How much of a capture was read."""
    counts = found.counts
    words = [say("tui.capture.lines", lang, n=f"{lines:,}"), say("tui.capture.with-facts", lang, n=f"{counts['fact']:,}")]
    if counts["problem"]:
        words.append(say("tui.capture.with-problems", lang, n=f"{counts['problem']:,}"))
    if counts["unread"]:
        words.append(say("tui.capture.not-read", lang, n=f"{counts['unread']:,}"))
    return " · ".join(words)
