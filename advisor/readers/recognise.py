"""One capture becomes a reading: its runs are told apart, each goes to its reader, and every line is accounted for.

1. Prompts, command lines and titles cut the text into runs (_runs). A command names its reader; what the reader leaves at the end is
   looked at again.
2. Log lines that are a tool's wherever they stand (`Reader.line`) are taken out from between other output first.
3. The two sides of a `diff`, and lines that a launcher marks with several hosts, are texts of their own.
4. Without a command, lines that start a tool's output cut further; a text in one piece (JSON, XML) is recognised by its head.
5. A command that failed is a part without facts and with a problem. What no reader took is unread.
"""

import re
from bisect import bisect_right
from collections.abc import Generator, Iterable, Iterator
from dataclasses import replace
from functools import cache
from itertools import islice

from advisor.base.ranges import ranges
from advisor.capture.lines import Lines, clean, is_binary
from advisor.capture.prompt import aimed
from advisor.capture.secrets import veiled
from advisor.evidence.columns import plain
from advisor.evidence.reading import Part, Problem, Reading
from advisor.readers._bulk import in_bulk
from advisor.readers._documents import TRIES, block_of, documents, prefix_host
from advisor.readers._runs import Run, runs, tool_of
from advisor.readers._sides import side_commands, sides
from advisor.readers._sieve import Sieve
from advisor.readers._taken import taken
from advisor.readers._tame import tamed
from advisor.readers.contract import Block, Reader
from advisor.readers.named import Named, commanded, named
from advisor.readers.registry import readers

_FAILED = re.compile(
    r"command not found|not found in PATH|No such file or directory|Permission denied|Operation not permitted|has failed because|"
    r"^Fatal error\b|[Nn]o devices were found|cannot open shared object|is not recognized as an internal|Unrecognized command|"
    r"Invalid input detected|Incomplete command|Invalid command at|^Error:|^error:|Couldn't connect to host|Unable to read|^Failed to |"
    r"[Nn]o such device|Operation not supported|^ibpanic:|Cannot get device|unable to (?:connect|open)|executable file not found|"
    r"Connection (?:refused|timed out)"
)
_FAILED_WITHIN = 200  # inked lines from the command
_BETWEEN = 40  # inked lines at the most from a command line to the first block that it printed
_LONGEST_START = 8192  # characters of a line that may start an output
_LONGEST_LOG_LINE = 65536
_LOOKED_AT = 400_000  # lines that blocks may hold together, before every start ends the block in front of it
_Start = tuple[int, list[Reader]]
_INK = re.compile(rb"[^\x00\xef\xbb\xbf\xff\xfe \t\r\n]")
_SURE_DOCUMENT = re.compile(r"""[{\[]\s*(?:[{\["\]}]|\Z)|<[?!\w]""")


def read(data: bytes, name: str | None = None) -> Reading:
    """The reading of a capture's bytes; a name that spells a command stands for the command line where the text has none.

    Never raises for content; a defect of a reader does raise, for the caller to keep visible.
    """
    try:
        return _read(data, name)
    except (ValueError, OverflowError):
        if (tame := tamed(data)) is None:
            raise
        reading = _read(tame, name)
        return replace(reading, parts=tuple(replace(part, facts=plain(part.facts)) for part in reading.parts))  # not of these bytes


def _read(data: bytes, name: str | None) -> Reading:
    if not _INK.search(data):
        return Reading(refused="empty")
    by_name = named(name)
    sure = by_name if by_name and by_name.is_sure else None
    if whole := in_bulk(data, sure):
        return whole
    if is_binary(data):
        return Reading(refused="binary")
    lines = clean(data)
    reading = _of_lines(lines, sure)
    if by_name and not sure and reading.refused == "not-recognised":
        return _of_lines(lines, by_name)
    return reading


def _of_lines(lines: Lines, by_name: Named | None) -> Reading:
    found = (part for run in commanded(runs(lines), by_name) for part in _parts(run))
    parts = taken(lines, sorted(found, key=lambda part: (part.lines, part.tool)))
    refused = None
    if not any(part.facts for part in parts):
        refused = "only-failed-commands" if any(part.problems for part in parts) else "not-recognised"
        parts = [part for part in parts if part.problems] if refused == "only-failed-commands" else []
    return Reading(refused, tuple(parts), _unread(lines.raw, parts), len(lines.raw), lines.encoding)


def _unread(raw: Iterable[str], parts: list[Part]) -> tuple[tuple[int, int], ...]:
    """The lines with ink that no part covers."""
    texts = list(raw) if not isinstance(raw, list) else raw
    open_lines: list[int] = []
    at = 1
    for first, last in [*sorted(part.lines for part in parts), (len(texts) + 1, len(texts) + 1)]:
        open_lines += [n for n in range(at, first) if texts[n - 1].strip("\ufeff \t\r")]
        at = max(at, last + 1)
    return tuple(ranges(open_lines))


# --- parts ----------------------------------------------------------------------------------------------------


def _parts(run: Run) -> Iterator[Part]:
    logs, rest = _logs(run)
    yield from logs
    run = run if rest is run.lines else replace(run, lines=rest)
    compared = sides(rest, run.command)
    if compared is None:
        is_opened = not len(rest) or run.first < rest.numbers[0]  # by a command line or a title, which is every stream's
        for stream in _streams(rest):
            yield from _of_one(
                run if stream is run.lines else replace(run, lines=stream, first=run.first if is_opened else stream.numbers[0])
            )
        return
    for side, command in zip(compared, side_commands(run.command), strict=True):
        tool = tool_of(command) if command else None
        host = aimed(command) if command else None
        yield from _of_one(Run(side, tool[1] if tool else run.command, host or run.host, run.first, tool[0] if tool else run.reader))


def _logs(run: Run) -> tuple[list[Part], Lines]:
    """The log lines' parts, and the lines without them. Lines that make no facts stay where they are."""
    rest, found = run.lines, []
    may_be_log = _line_patterns().may_match
    mine = [i for i, text in enumerate(rest.texts) if len(text) <= _LONGEST_LOG_LINE and may_be_log(text)]
    for reader in readers() if mine else ():
        if not reader.line or reader is run.reader or not mine:
            continue
        matched = [i for i in mine if reader.line.match(rest.texts[i])]
        parts = [part for part in reader.read(block_of(_pick(rest, matched), None, run.host)) if part.facts] if matched else []
        if parts:
            found += parts
            taken = set(matched)
            kept = [i for i in range(len(rest)) if i not in taken]
            rest = _pick(rest, kept)
            left = set(mine) - taken
            mine = [j for j, i in enumerate(kept) if i in left]
    return found, rest


def _streams(lines: Lines) -> Iterator[Lines]:
    """The lines of each host, where prefixes name several. A line without a name belongs to the host before it."""
    if not lines.hosts:
        yield lines
        return
    hosts: dict[str | None, list[int]] = {}
    host = next((lines.hosts[n] for n in lines.numbers if n in lines.hosts), None)
    for i, n in enumerate(lines.numbers):
        host = lines.hosts.get(n, host)
        hosts.setdefault(host, []).append(i)
    if len(hosts) == 1:
        yield lines
        return
    for mine in hosts.values():
        yield _pick(lines, mine)


def _of_one(run: Run) -> Iterator[Part]:
    """Parts of a run on one host: its reader's, or the failure of its command; then what is left."""
    rest, untold = run.lines, run
    if run.reader is not None:
        block = Block(rest, run.command, run.host or prefix_host(rest), run.first)
        known = [part for part in run.reader.read(block) if part.facts or part.problems]
        says = any(part.facts or any(problem.why == "tool-error" for problem in part.problems) for part in known)
        if says:
            known = _up_to_others(run.reader, block, known)
            yield from known
            rest = _after(rest, known)
        elif failed := _failed(rest):
            yield Part(run.reader.tool, (run.first, failed.line), run.host, run.command, problems=(failed,))
            rest = rest[bisect_right(rest.numbers, failed.line) :]
        elif known:
            yield from known
            rest = _after(rest, known)
        if known or len(rest) < len(run.lines):
            untold = replace(run, command=None, first=rest.numbers[0] if len(rest) else run.first)
    yield from _without_command(rest, untold)


def _up_to_others(reader: Reader, block: Block, parts: list[Part]) -> list[Part]:
    """The parts of a block without another tool's output behind them, if they tell as much without it.

    A reader may take a line far below for its own: an ellipsis, an error, a `key: value` of a common form.
    """
    if not any(part.unread or part.problems or part.ignored for part in parts):
        return parts
    lines = block.lines
    end = bisect_right(lines.numbers, max(part.lines[1] for part in parts))
    told = [part.facts for part in parts]
    for i in islice(_other_beginnings(lines[:end], reader), TRIES):
        fewer = [part for part in reader.read(replace(block, lines=lines[:i])) if part.facts or part.problems]
        if [part.facts for part in fewer] == told:
            return fewer
    return parts


def _other_beginnings(lines: Lines, reader: Reader) -> Iterator[int]:
    """Where the output of another tool, or a document, may begin."""
    may_start = _start_patterns().may_match
    for i, text in enumerate(lines.texts):
        if len(text) > _LONGEST_START or (reader.starts and reader.starts.match(text)):
            continue
        if _SURE_DOCUMENT.match(text) or (
            may_start(text) and any(other.starts and other.starts.match(text) for other in readers() if other is not reader)
        ):
            yield i


def _without_command(lines: Lines, run: Run) -> Iterator[Part]:
    """Blocks by the lines that start them, each up to where another tool's output starts; documents between them.

    A line may start the output of several tools (tables that switches of several makers print): the first that reads something has it.
    The first block behind a command line that names no reader, or whose reader found nothing, is what that command printed; the first
    behind a title belongs to the title.
    """
    host = run.host
    is_opened = len(lines) > 0 and run.first < lines.numbers[0]  # by a command line, an empty prompt or a title
    at, start = (0, _next_start(lines, 0)) if is_opened else (yield from _by_readers_that_stop(lines, host))
    starts = _starts(lines, start)
    restarts, most = 0, max(_LOOKED_AT // (len(lines) + 1), 4)
    for k, (i, candidates) in enumerate(starts):
        if i < at:
            continue
        restarts += 1
        for reader in candidates:
            other = next((j for j in range(k + 1, len(starts)) if reader not in starts[j][1] or restarts > most), len(starts))
            block = lines[i : starts[other][0] if other < len(starts) else len(lines)]
            asked = is_opened and not at and sum(1 for _ in islice(lines[:i].inked(), _BETWEEN)) < _BETWEEN
            given = Block(block, run.command, host or prefix_host(block), run.first) if asked else block_of(block, None, host)
            parts = [part for part in reader.read(given) if part.facts or part.problems]
            if any(part.facts for part in parts):
                parts = _up_to_others(reader, given, parts)
                if asked:  # the lines between the command and its output are the part's, and not read
                    between = ranges(n for n, _ in lines[:i].inked())
                    parts[0] = replace(parts[0], unread=(*between, *parts[0].unread))
                else:
                    yield from documents(lines[at:i], host)
                yield from parts
                at = max(bisect_right(lines.numbers, max(part.lines[1] for part in parts)), i + 1)
                restarts -= 2 * (at - i) >= len(block)  # most of the block is read: nothing was looked at in vain
                break
    yield from documents(lines[at:], host)


def _by_readers_that_stop(lines: Lines, host: str | None) -> Generator[Part, None, tuple[int, _Start | None]]:
    """Parts in front of which no other tool's output starts, of readers that end by themselves: their lines need not be searched.

    Returns how many lines are settled, and the next start.
    """
    at = tries = 0
    start = _next_start(lines, 0)
    while start is not None and all(reader.stops for reader in start[1]) and tries < TRIES:
        i, candidates = start
        for reader in candidates:
            parts = [part for part in reader.read(block_of(lines[i:], None, host)) if part.facts or part.problems]
            if any(part.facts for part in parts):
                yield from documents(lines[at:i], host)
                yield from parts
                at = max(bisect_right(lines.numbers, max(part.lines[1] for part in parts)), i + 1)
                break
        else:
            tries += 1
        start = _next_start(lines, max(at, i + 1))
    return at, start


def _starts(lines: Lines, start: _Start | None) -> list[_Start]:
    """This start and all behind it."""
    found = []
    while start is not None:
        found.append(start)
        start = _next_start(lines, start[0] + 1)
    return found


def _next_start(lines: Lines, since: int) -> _Start | None:
    """The next line that may start an output, with the readers whose output it may be."""
    may_start = _start_patterns().may_match
    texts = lines.texts
    for i in range(since, len(texts)):
        text = texts[i]
        if len(text) <= _LONGEST_START and may_start(text):
            candidates = [reader for reader in readers() if reader.starts and reader.starts.match(text)]
            if candidates:
                return i, candidates
    return None


def _pick(lines: Lines, at: list[int]) -> Lines:
    return Lines([lines.texts[i] for i in at], [lines.numbers[i] for i in at], lines.raw, lines.encoding, lines.hosts)


def _after(lines: Lines, parts: list[Part]) -> Lines:
    return lines[bisect_right(lines.numbers, max(part.lines[1] for part in parts)) :]


def _failed(lines: Lines) -> Problem | None:
    for n, text in islice(lines.inked(), _FAILED_WITHIN):
        if len(text) <= _LONGEST_START and _FAILED.search(text):
            return Problem(n, veiled(lines.raw[n - 1].strip()[:400]), "tool-error")
    return None


@cache
def _start_patterns() -> Sieve:
    return Sieve(reader.starts for reader in readers() if reader.starts)


@cache
def _line_patterns() -> Sieve:
    return Sieve(reader.line for reader in readers() if reader.line)
