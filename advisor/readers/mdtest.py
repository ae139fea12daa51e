"""`mdtest`: rates of metadata operations, from the summary in operations a second (not the one in time)."""

import re
from collections.abc import Iterator

from advisor.evidence.reading import Part
from advisor.readers.contract import Block, Notes, Reader, command
from advisor.readers.shapes import number

_LAUNCH = re.compile(r"\s*(mdtest-\S+) was launched with (\d+) total task\(s\) on (\d+) node(?:\(s\)|s?)")
_COUNTS = re.compile(r"\s*(\d+) tasks?, (\d+) (files/directories|files|directories)(?: \(.*\))?\s*\Z")
_SUMMARY = re.compile(r"\s*SUMMARY(?: rate)?(?: \(in ops/sec\))?:? *\(?(?:of (\d+) iterations?\)?|.*)\Z")
_TIMES = re.compile(r"\s*SUMMARY time")
_HEADER = re.compile(r"\s*Operation\s.*\bMax\b")
_OPERATION = r"(?:Directory|File|Tree|Symlink) (?:creation|stat|read|rename|removal)"
_ROW = re.compile(rf"\s*({_OPERATION})\s*:?\s+(\S.*?)\s*\Z")
_OPEN_ROW = re.compile(rf"\s*{_OPERATION}\s*:?\s*\Z")
_ASIDE = re.compile(
    r"\s*(?:Command line|Path\b|FS\b|Nodemap|Random seed|-- (?:started|finished)|[- ]{3,}\s*\Z|-+ ?(?:started|finished)|WARNING|"
    r"V-\d|\d+ tasks|barriers|Iteration|Rank \d)"
)
_STARTS = re.compile(
    r"\s*(?:mdtest-\S+ was launched with \d+ total task|SUMMARY(?: rate)?(?: \(in ops/sec\))?: \(of \d+ iterations?\)|"
    rf"{_OPERATION}\s*:\s+\d|-- started at \d\d/\d\d/\d{{4}} \d\d:\d\d:\d\d --)"
)


def read(block: Block) -> Iterator[Part]:
    notes, start, per_rank, in_rates = Notes("mdtest", block), 0, False, True
    for i, (n, text) in enumerate(block.lines):
        if not text or text.isspace():
            continue
        launch = _LAUNCH.match(text)
        if launch and notes.facts:
            yield from _closed(notes, block, start, i)
            notes, start, per_rank, in_rates = Notes("mdtest", block), i, False, True
        if launch:
            notes.put_all(n, {"version": launch[1], "task_count": int(launch[2]), "host_count": int(launch[3])})
        elif counts := _COUNTS.match(text):
            key = "file_count" if "files" in counts[3] else "directory_count"
            notes.put_all(n, {"task_count": int(counts[1]), key: int(counts[2])})
        elif _TIMES.match(text):
            in_rates = False
            notes.use(n)
        elif summary := _SUMMARY.match(text):
            in_rates = True
            notes.put(n, int(summary[1]) if summary[1] else None, "iteration_count")
        elif _HEADER.match(text):
            per_rank = "per Rank" in text
            notes.use(n)
        elif row := _ROW.match(text):
            _row(notes, n, row[1].lower(), row[2].split(), per_rank, in_rates)
        elif _OPEN_ROW.match(text):
            notes.problem(n, "cut")
        elif text.strip() in ("...", "…"):
            notes.problem(n, "left-out")
        elif _ASIDE.match(text):
            notes.ignore(n, "no fact of ours")
    yield from _closed(notes, block, start, len(block.lines))


def _closed(notes: Notes, block: Block, start: int, end: int) -> Iterator[Part]:
    if not notes.is_empty:
        lines = block.lines[start:end]
        notes.block = Block(lines, block.command, block.host, block.first if start == 0 else lines.numbers[0])
        yield notes.part()


def _row(notes: Notes, n: int, operation: str, cells: list[str], per_rank: bool, in_rates: bool) -> None:
    """Max, Min, Mean and Std Dev; where each rank has columns of its own, those of the iterations are the last four. 0.000: not run."""
    if not in_rates:
        notes.ignore(n, "time of an operation")
        return
    figures = [number(cell) for cell in cells]
    if len(figures) < (7 if per_rank else 4) or None in figures:
        notes.problem(n, "cut" if n == len(notes.block.lines.raw) else "damaged")
        return
    notes.use(n)
    for key, value in zip(("max_per_s", "min_per_s", "mean_per_s"), figures[-4:-1], strict=True):
        if value:
            notes.put(n, value, "operations", operation, key)


READER = Reader("mdtest", read, commands=command("mdtest"), starts=_STARTS)
