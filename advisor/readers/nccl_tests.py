"""nccl-tests and rccl-tests (`all_reduce_perf` and its kin): tables of all versions since 2.0, the JSON report, RCCL's JSON lines."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from advisor.evidence.reading import Part
from advisor.readers._nccl_tests_json import (
    PERF,
    PLACES,
    PROGRAM,
    TOOL,
    is_json_lines,
    is_report,
    json_lines,
    keep,
    report_parts,
    version_of_code,
)
from advisor.readers._wrapped import unwrapped
from advisor.readers.contract import Block, Notes, Reader, command
from advisor.readers.shapes import is_left_out, number, open_end

_STARTING = re.compile(rf"[\s#]*Collective test (?:starting|concluded):\s*(?:\S*/)?{PERF}")
_SETTINGS = re.compile(
    r"[\s#]*nThreads?:? \d+ nGpus:? \d+ minBytes:? (?P<min>\d+) maxBytes:? (?P<max>\d+) "
    r"step:.*?warmup ?[iI]ters: (?P<warmup>\d+) iters: (?P<iters>\d+)"
)
_RANK = re.compile(r"[\s#]*Rank\s+(?P<rank>\d+)\s+(?:Group\s+\d+\s+)?Pid\s+\d+\s+on\s+(?P<host>\S+)\s+device\s+\d+\s+\[[^\]]*\]")
_VERSION = re.compile(
    r"\s*NCCL version (?P<version>\d+\.\d+(?:\.\d+)?)|[\s#]*(?:Using|NCCL Tests compiled with) NCCL (?P<old>\d+\.\d+(?:\.\d+)?)"
)
_TESTS_VERSION = re.compile(
    r"[\s#]*(?:nccl-tests version (?P<tests>\S+).*?(?:nccl-library=(?P<code>\d+))?\s*\Z|rccl-tests: Version\s*(?P<rccl>\S*))"
)
_RCCL_VERSION = re.compile(r"\s*RCCL version\s*:\s*(?P<version>\d+\.\d+(?:\.\d+)?)")
_HEADER = re.compile(r"[\s#]*size\s+count\s+(?:\(elements\)\s+)?type\s")
_UNITS = re.compile(r"[\s#]*\(B\)\s+\(elements\)")
_ROW = re.compile(r"\s*\d+\s+\d+\s+(?:u?int(?:8|16|32|64)|u?char|half|float\d*|double|b?float16|bf16|fp?8\w*)(?:\s|\Z)")
_BOUNDS = re.compile(r"[\s#]*Out of bounds values\s*:\s*(?P<count>\d+)\s*(?P<word>OK|FAILED)?")
_AVERAGE = re.compile(r"[\s#]*Avg bus bandwidth\s*:\s*(?P<average>[\d.]+(?:e[+-]?\d+)?)(?P<end>\s+\S*|\s*)\Z")
_DEVICES = re.compile(r"[\s#]*Using devices\s*\Z")
_ERROR = re.compile(
    r"Test (?:NCCL |CUDA )?failure|NCCL (?:failure|WARN)|unhandled \w+ error|Invalid number of GPUs|Segmentation fault|[\s#]*error: ",
    re.IGNORECASE,
)
_PLAIN = re.compile(
    r"[\s#]*\Z|[\s#]*(?:out-of-place|Errors with asterisks|Blocking Enabled|Parallel Init|GPU memory usage|Per-Iteration Report|"
    r"Writing JSON|HIP version|ROCm version|Hostname\s+:|Librccl path|skipping json)|.*\bNCCL (?:INFO|TRACE)\b|"
    r".*help message|\[[\w.-]+:\d+\] |\s*-{20,}\s*\Z"
)
_FIGURE = re.compile(r"\d+(?:\.\d+)?\Z")
_COLUMNS = {
    "time": "time_us",
    "cputime": "time_us",
    "algbw": "algbw_gBps",
    "busbw": "busbw_gBps",
    "#wrong": "wrong",
    "wrong": "wrong",
    "error": "max_error",
}
_WITHOUT_HEADER = ["time", "algbw", "busbw", "#wrong"] * 2


@dataclass(slots=True)
class _Run:
    """One run: its notes, the columns of its table, and what decides its counts at the end."""

    notes: Notes
    columns: list[str] = field(default_factory=list)
    ranks: dict[int, str] = field(default_factory=dict)
    ranks_at: int = 0
    are_ranks_whole: bool = True
    words: dict[str, Counter[str]] = field(default_factory=dict)
    rows: int = 0
    is_closed: bool = False


def read(block: Block) -> Iterator[Part]:
    if is_json_lines(block.lines.text[:4096]):
        yield from json_lines(block)
        return
    if is_report(block.lines.text[:65536]):
        yield from report_parts(block)
        return
    yield from _text(block)


# --- text ---------------------------------------------------------------------------------------------------------


def _text(block: Block) -> Iterator[Part]:
    run = _Run(Notes(TOOL, block))
    texts = block.lines.texts
    cut = open_end(block.lines)
    begun, skip = 0, -1
    for i, (n, text) in enumerate(block.lines):
        if i <= skip or not text or text.isspace():
            continue
        if run.rows and _begins(text, run):
            yield from _closed(run, block, begun, i)
            begun, run = i, _Run(Notes(TOOL, block))
        if _ROW.match(text):
            skip = _row(run, block, i, cut)
        elif _HEADER.match(text):
            skip = _header(run, block, i)
        else:
            _line(run, n, text, n == cut)
    yield from _closed(run, block, begun, len(texts))


def _begins(text: str, run: _Run) -> bool:
    """Whether a line belongs to the next run: a heading below a table, or a table below an average."""
    if "concluded" in text:
        return False
    heading = _SETTINGS.match(text) or _STARTING.match(text) or _TESTS_VERSION.match(text) or _DEVICES.match(text) or _RANK.match(text)
    return bool(heading or _VERSION.match(text) or _HEADER.match(text) or (run.is_closed and _ROW.match(text)))


def _line(run: _Run, n: int, text: str, is_open: bool) -> None:
    notes = run.notes
    if is_open and any(pattern.match(text) for pattern in (_STARTING, _SETTINGS, _RANK, _TESTS_VERSION, _VERSION, _RCCL_VERSION)):
        notes.problem(n, "cut")
    elif found := _STARTING.match(text):
        keep(notes, n, found["collective"], "collective")
    elif found := _SETTINGS.match(text):
        for group, key in (("min", "min_bytes"), ("max", "max_bytes"), ("warmup", "warmup_iterations"), ("iters", "iterations")):
            notes.put(n, int(found[group]), key)
    elif found := _RANK.match(text):
        run.ranks[int(found["rank"])] = found["host"]
        run.ranks_at = run.ranks_at or n
        notes.use(n)
    elif found := _TESTS_VERSION.match(text):
        notes.put(n, version_of_code(found["code"]), "nccl_version")
    elif found := _VERSION.match(text):
        notes.put(n, found["version"] or found["old"], "nccl_version")
    elif found := _RCCL_VERSION.match(text):
        notes.put(n, found["version"], "rccl_version")
    elif found := _BOUNDS.match(text):
        notes.put(n, int(found["count"]) if found["word"] or not is_open else None, "out_of_bounds")
        run.is_closed = True
    elif found := _AVERAGE.match(text):
        run.is_closed = True
        if is_open and not found["end"]:
            notes.problem(n, "cut")
        else:
            notes.put(n, number(found["average"]), "avg_busbw_gBps")
    elif is_left_out(text):
        run.are_ranks_whole = run.are_ranks_whole and bool(run.columns)
        notes.problem(n, "left-out")
    elif _ERROR.search(text):
        notes.problem(n, "tool-error")
    elif _DEVICES.match(text) or _UNITS.match(text):
        notes.use(n)
    elif _PLAIN.match(text):
        notes.ignore(n, "words of the tool")


def _header(run: _Run, block: Block, i: int) -> int:
    texts, last = block.lines.texts, i
    text = texts[i]
    if (
        i + 1 < len(texts)
        and text.count("busbw") < 2
        and re.match(r"\s*(?:\w*\s+)?(?:time|algbw|busbw|#wrong|error|\w+\s+#)", texts[i + 1])
    ):
        last, text = i + 1, text.rstrip("\n") + texts[i + 1]
    run.columns = text.replace("#wrong", " #wrong").replace("(elements)", " ").lstrip("# \t").split()
    run.notes.use(*block.lines.numbers[i : last + 1])
    return last


def _row(run: _Run, block: Block, i: int, cut: int | None) -> int:
    notes, lines = run.notes, block.lines
    columns = run.columns or _guessed(lines.texts[i].split())
    names = _printed(columns[:-1] if columns[-1:] == ["timestamp"] else columns, lines.texts[i].split())
    cells, last = unwrapped(lines.texts, i, len(names))
    if columns[-1:] == ["timestamp"] and len(cells) == len(names) + 2:
        cells = cells[:-2]
    n = lines.numbers[i]
    notes.use(*lines.numbers[i : last + 1])
    run.rows += 1
    own = next((j for j, name in enumerate(names) if name in _COLUMNS), len(names))
    width = (len(names) - own) // 2
    if len(cells) == len(names) - width and re.search(r"\s{30,}", lines.texts[i]):
        cells = cells[:own] + ["N/A"] * width + cells[own:]  # only in place was measured
    if len(cells) > len(names):
        notes.problem(n, "damaged")
        return last
    if len(cells) < len(names) or lines.numbers[last] == cut:
        notes.problem(n, "cut")
        cells = cells[:-1]
    identity = dict(zip(names[:own], cells, strict=False))
    for key in ("type", "redop", "root"):
        if key in identity:
            run.words.setdefault(key, Counter())[identity[key]] += 1
    size = identity.get("size", "")
    if not size or notes.get("sizes", size) is not None:
        return last
    notes.thing(n, "sizes", size)
    notes.put(n, number(identity.get("count", "")), "sizes", size, "count")
    for place, start in zip(PLACES, (own, own + width), strict=True):
        for name, cell in zip(names[start : start + width], cells[start : start + width], strict=False):
            if name in _COLUMNS:
                notes.put(n, number(cell), "sizes", size, place, _COLUMNS[name])
    return last


def _printed(names: list[str], cells: list[str]) -> list[str]:
    """The columns of a row: old versions leave the operation blank where the collective has none, and the header names it all the same."""
    at = names.index("redop") if "redop" in names else len(cells)
    return names if at >= len(cells) or not _FIGURE.match(cells[at]) else [name for name in names if name != "redop"]


def _guessed(cells: list[str]) -> list[str]:
    """The columns of rows without a header: names in words are the operation, -1 or a whole number too many is the root."""
    columns = ["size", "count", "type"]
    if len(cells) > 3 and cells[3].isalpha():
        columns.append("redop")
    first = cells[len(columns)] if len(cells) > len(columns) else ""
    is_whole = len(cells) >= len(columns) + len(_WITHOUT_HEADER)
    if first == "-1" or (first.isdecimal() and len(cells) > len(columns) + len(_WITHOUT_HEADER)):
        columns.append("root")
    elif first.isdecimal() and not is_whole:
        return columns + ["?"] * len(_WITHOUT_HEADER)  # a root or a time
    return columns + _WITHOUT_HEADER


def _closed(run: _Run, block: Block, begun: int, end: int) -> Iterator[Part]:
    notes = run.notes
    if (
        not run.rows
        and not run.columns
        and not any(key in notes.facts for key in ("min_bytes", "collective", "avg_busbw_gBps"))
        and not run.ranks
    ):
        return
    last = block.lines.numbers[min(end, len(block.lines)) - 1] if len(block.lines) else block.first
    program = PROGRAM.search(block.command or "")
    if program and notes.get("collective") is None:
        notes.put(block.first, program["collective"], "collective")
    if run.ranks and run.are_ranks_whole and (run.columns or run.rows) and set(run.ranks) == set(range(len(run.ranks))):
        notes.put(run.ranks_at, len(run.ranks), "rank_count")
        notes.put(run.ranks_at, len(set(run.ranks.values())), "host_count")
    for key, fact in (("type", "dtype"), ("redop", "redop"), ("root", "root")):
        met = run.words.get(key)
        if met and len(met) == 1:
            word = next(iter(met))
            notes.facts[fact] = number(word) if key == "root" else word
            notes.at[fact,] = next((line for path, line in notes.at.items() if path[0] == "sizes"), last)
    notes.count("sizes", "size_count")
    first = block.first if begun == 0 else block.lines.numbers[begun]
    notes.block = Block(block.lines[begun:end], block.command, block.host, first)
    if not notes.is_empty:
        yield notes.part()


READER = Reader(
    TOOL,
    read,
    commands=command(PERF.replace("?P<collective>", "?:")),
    starts=re.compile(
        rf"{_STARTING.pattern.replace('?P<collective>', '?:')}|{_SETTINGS.pattern}|[\s#]*(?:nccl-tests version|rccl-tests: Version)|"
        rf"{_HEADER.pattern}|{_ROW.pattern}|"
        rf"\s*NCCL version \d|#\s+Using devices|#\s+(?:Out of bounds values|Avg bus bandwidth)\s*:"
    ),
    recognises=lambda head: is_json_lines(head) or is_report(head),
)
