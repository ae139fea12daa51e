"""One capture becomes a reading: its runs are told apart, each goes to its reader, and every line is accounted for.

1. Prompts and command lines cut the text into runs. A command names its reader; what the reader leaves at the end is looked at again.
2. Without a command, lines that start a tool's output cut further; a text in one piece (JSON, XML) is recognised by its head.
3. Log lines that are a tool's wherever they stand (`Reader.line`) are taken out from between other output first.
4. A command that failed is a part without facts and with a problem. What no reader took is unread.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from advisor.base.ranges import ranges
from advisor.capture.lines import Lines, clean, is_binary
from advisor.capture.prompt import prompt, root_command, words
from advisor.evidence.reading import Part, Problem, Reading
from advisor.readers.contract import Block, Reader
from advisor.readers.registry import readers

_FAILED = re.compile(
    r"command not found|not found in PATH|No such file or directory|Permission denied|Operation not permitted|has failed because|^Fatal error\b|"
    r"[Nn]o devices were found|cannot open shared object|is not recognized as an internal|Unrecognized command|Invalid input detected|Incomplete command|"
    r"^Error:|^error:|Couldn't connect to host|Unable to read"
)
_HEAD = 65536


@dataclass(frozen=True, slots=True)
class _Run:
    """Lines behind one command line, or before the first."""

    lines: Lines
    command: str | None
    host: str | None
    first: int
    reader: Reader | None


def read(data: bytes) -> Reading:
    """The reading of a capture's bytes. Never raises for content; a defect of a reader does raise, for the caller to keep visible."""
    if not data.strip(b"\x00\xef\xbb\xbf\xff\xfe \t\r\n"):
        return Reading(refused="empty")
    if is_binary(data):
        return Reading(refused="binary")
    lines = clean(data)
    parts = sorted((part for run in _runs(lines) for part in _parts(run)), key=lambda part: (part.lines, part.tool))
    covered = {n for part in parts for n in range(part.lines[0], part.lines[1] + 1)}
    unread = tuple(ranges(n for n, text in enumerate(lines.raw, 1) if n not in covered and text.strip("\ufeff \t\r")))
    refused = None
    if not any(part.facts for part in parts):
        refused = "only-failed-commands" if any(part.problems for part in parts) else "not-recognised"
        parts = [part for part in parts if part.problems] if refused == "only-failed-commands" else []
    return Reading(refused, tuple(parts), unread, len(lines), lines.encoding)


# --- runs -----------------------------------------------------------------------------------------------------


def _runs(lines: Lines) -> Iterator[_Run]:
    start, command, host, first, reader = 0, None, None, 1, None
    for i, (n, text) in enumerate(lines):
        found = _command(text)
        if found is None:
            continue
        yield _Run(lines[start:i], command, host, first, reader)
        host, command, reader = found
        start, first = i + 1, n
    yield _Run(lines[start:], command, host, first, reader)


def _command(text: str) -> tuple[str | None, str | None, Reader | None] | None:
    """Host, command and reader of a line that is a prompt or a command; None for any other line."""
    if not text or text.isspace():
        return None
    found = prompt(text)
    if found:
        typed = words(found.command)
        return found.host, typed or None, _by_command(typed)
    typed = words(root_command(text) or "") or (words(text) if text[:1].isalpha() or text[:1] in "./" else "")
    reader = _by_command(typed) if typed and len(typed) < 400 else None
    return (None, typed, reader) if reader and not re.match(r"[\w.-]+\s*:", typed) else None


def _by_command(typed: str) -> Reader | None:
    if not typed:
        return None
    found = [
        (match.end(), reader) for reader in readers() if reader.commands and (match := reader.commands.match(typed))
    ]
    return min(found, key=lambda pair: pair[0])[1] if found else None


# --- parts ----------------------------------------------------------------------------------------------------


def _parts(run: _Run) -> Iterator[Part]:
    rest = run.lines
    for reader in readers():
        if reader.line and reader is not run.reader:
            mine = [i for i, text in enumerate(rest.texts) if reader.line.match(text)]
            if mine:
                parts = [part for part in reader.read(_block(_pick(rest, mine), None, run.host)) if part.facts]
                if parts:
                    yield from parts
                    taken = set(mine)
                    rest = _pick(rest, [i for i in range(len(rest)) if i not in taken])
    if run.reader is not None:
        parts = list(run.reader.read(Block(rest, run.command, run.host or _prefix_host(rest), run.first)))
        known = [part for part in parts if part.facts or part.problems]
        if any(part.facts for part in known):
            yield from known
            rest = _after(rest, known)
        elif failed := _failed(rest):
            yield Part(run.reader.tool, (run.first, failed.line), run.host, run.command, problems=(failed,))
            rest = rest[_index_after(rest, failed.line) :]
        elif known:
            yield from known
            rest = _after(rest, known)
    yield from _without_command(rest, run.host)


def _without_command(lines: Lines, host: str | None) -> Iterator[Part]:
    """Blocks by the lines that start them. What a reader leaves at its end is looked at again, so this always ends."""
    rest = lines
    while len(rest):
        start = _next_start(rest, 0)
        if start is None:
            break
        i, reader = start
        block_lines = rest[i:]
        parts = [part for part in reader.read(_block(block_lines, None, host)) if part.facts or part.problems]
        if not any(part.facts for part in parts):
            rest = rest[i + 1 :]
            continue
        before = rest[:i]
        yield from _in_one_piece(before, host)
        yield from parts
        rest = _after(block_lines, parts)
    yield from _in_one_piece(rest, host)


def _next_start(lines: Lines, since: int) -> tuple[int, Reader] | None:
    for i in range(since, len(lines)):
        text = lines.texts[i]
        if text and not text.isspace():
            for reader in readers():
                if reader.starts and reader.starts.match(text):
                    return i, reader
    return None


def _in_one_piece(lines: Lines, host: str | None) -> Iterator[Part]:
    inked = next(iter(lines.inked()), None)
    if inked is None:
        return
    rest = lines[_index_of(lines, inked[0]) :]
    head = _head(rest)
    for reader in readers():
        if reader.recognises and reader.recognises(head):
            parts = [part for part in reader.read(_block(rest, None, host)) if part.facts or part.problems]
            if any(part.facts for part in parts):
                yield from parts
                yield from _without_command(_after(rest, parts), host)
                return


def _head(lines: Lines) -> str:
    size, taken = 0, 0
    for text in lines.texts:
        size += len(text) + 1
        taken += 1
        if size > _HEAD:
            break
    return "\n".join(lines.texts[:taken])[:_HEAD]


def _block(lines: Lines, command: str | None, host: str | None) -> Block:
    return Block(lines, command, host or _prefix_host(lines), lines.numbers[0] if len(lines) else 1)


def _prefix_host(lines: Lines) -> str | None:
    """The host that the prefixes of all these lines name, if it is one."""
    if not lines.hosts:
        return None
    named = {lines.hosts.get(n) for n, _ in lines.inked()}
    return named.pop() if len(named) == 1 else None


def _pick(lines: Lines, at: list[int]) -> Lines:
    return Lines([lines.texts[i] for i in at], [lines.numbers[i] for i in at], lines.raw, lines.encoding, lines.hosts)


def _index_of(lines: Lines, number: int) -> int:
    return next((i for i, n in enumerate(lines.numbers) if n >= number), len(lines))


def _index_after(lines: Lines, number: int) -> int:
    return next((i for i, n in enumerate(lines.numbers) if n > number), len(lines))


def _after(lines: Lines, parts: list[Part]) -> Lines:
    return lines[_index_after(lines, max(part.lines[1] for part in parts)) :]


def _failed(lines: Lines) -> Problem | None:
    for n, text in lines.inked():
        if _FAILED.search(text):
            return Problem(n, lines.raw[n - 1].strip()[:400], "tool-error")
    return None
