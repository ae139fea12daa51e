"""`elbencho`: phases of a storage benchmark, first and last thread done; also the sweeps that its scripts run over file sizes."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from advisor.evidence.reading import Part
from advisor.readers._cells import cells
from advisor.readers.contract import Block, Notes, Reader, command
from advisor.readers.shapes import integer, number

_THREADS = re.compile(r"\s*threads\s*:\s*(\d+)\s*\Z")
_TYPED_THREADS = re.compile(r"\s(?:-t|--threads)[ =]?(\d+)\b")
_WORKING = re.compile(r"\s*Working on (\S+)(?: with (\d+) threads)?")
_HEADER = re.compile(r"\s*OPERATION\s+RESULT TYPE\s+FIRST DONE\s+LAST DONE")
_PHASE = re.compile(
    r"\s*([A-Z][A-Z0-9]*(?:[ -][A-Z0-9]+)*) +"
    r"((?:Elapsed|Files|Dirs|Entries|IOPS|Throughput|Total|IO lat|Ent lat|CPU|Path|Objects|Rwmix)\b.*)\Z"
)
_RESULT = re.compile(r"\s*([A-Z][\w/% ]*?[\w/%])\s*:\s*(?:\[?\s*)(\S+)(?:\s+(\S+))?.*\Z")
_OPEN_RESULT = re.compile(r"\s*(?:Throughput|IOPS|Elapsed|Total|Files/s)\b[^:]*:?\s*\Z")
_MEANS = re.compile(r"\s*Dataset,Mean-value\s*\Z", re.IGNORECASE)
_MEAN = re.compile(r"\s*(\d+x\d+[KMGT]i?B),(.*?)\s*\Z")
_CSV = re.compile(r"\s*ISO date,label,")
_SETTING = re.compile(
    r"\s*(?:range_to_sweep|src_data_dir|fs_block_size|block_size|buffered|verbose|dry_run|cmd|num_sweep|output_dir|push_button_plot)\s*:"
)
_ASIDE = re.compile(
    r"\s*(?:---+|=+(?:\s+=+)*\s*\Z|NOTE:|WARNING|===>|This is \d+th sweep|Total test time|Mkdirs|Phase|COMMAND LINE|ISO DATE|LIVE )"
)
_OPERATIONS = {"READ": "read", "WRITE": "write"}
_UNITS = {"Throughput MiB/s": 2**20, "Throughput MB/s": 1e6, "Throughput GiB/s": 2**30, "Throughput GB/s": 1e9}
_STARTS = re.compile(
    r"\s*(?:OPERATION\s+RESULT TYPE\s+FIRST DONE\s+LAST DONE|range_to_sweep\s*:|Working on \S+ with \d+ threads|"
    r"(?:WRITE|READ)\s+Elapsed (?:ms|time)\s*: |Dataset,Mean-value\s*\Z|ISO date,label,path type,)"
)


@dataclass(slots=True)
class _Run:
    notes: Notes
    test: str | None = None
    phase: str | None = None
    means: bool = False
    columns: list[str] = field(default_factory=list)

    @property
    def path(self) -> tuple[str, ...]:
        """Where the results of the phase stand: in a test that is named, else at the top."""
        return ("tests", self.test) if self.test else ()


def read(block: Block) -> Iterator[Part]:
    run, start = _Run(Notes("elbencho", block)), 0
    typed = _TYPED_THREADS.search(block.command or "")
    if typed:
        run.notes.put(block.first, int(typed[1]), "thread_count")
    for i, (n, text) in enumerate(block.lines):
        if not text or text.isspace():
            continue
        if _again(run, text):
            yield from _closed(run, block, start, i)
            run, start = _Run(Notes("elbencho", block)), i
        _line(run, n, text)
    yield from _closed(run, block, start, len(block.lines))


def _closed(run: _Run, block: Block, start: int, end: int) -> Iterator[Part]:
    if not run.notes.is_empty:
        lines = block.lines[start:end]
        run.notes.block = Block(lines, block.command, block.host, block.first if start == 0 else lines.numbers[0])
        yield run.notes.part()


def _again(run: _Run, text: str) -> bool:
    """Whether a line begins another sweep, or a test that has been told."""
    if text.lstrip().startswith("range_to_sweep"):
        return bool(run.notes.get("tests"))
    working = _WORKING.match(text)
    if working:
        return bool(run.notes.get("tests", _last(working[1])))
    phase = _PHASE.match(text)
    operation = _OPERATIONS.get(phase[1]) if phase else None
    return operation is not None and run.notes.get(*run.path, operation) is not None


def _last(path: str) -> str:
    return path.rstrip("/.").rsplit("/", 1)[-1]


def _line(run: _Run, n: int, text: str) -> None:
    notes = run.notes
    if match := _THREADS.match(text):
        notes.put(n, int(match[1]), "thread_count")
    elif match := _WORKING.match(text):
        run.test, run.phase = _last(match[1]), None
        notes.use(n)  # a test without a result is not one
        if match[2]:
            notes.put(n, int(match[2]), "thread_count")
    elif _HEADER.match(text):
        run.phase = None
        notes.use(n)
    elif match := _PHASE.match(text):
        run.phase = match[1]
        _result(run, n, match[2])
    elif _MEANS.match(text):
        run.means = True
        notes.use(n)
    elif run.means and (match := _MEAN.match(text)):
        value = number(match[2])
        if value is None or n == len(notes.block.lines.raw):
            notes.problem(n, "cut" if n == len(notes.block.lines.raw) else "damaged")
        else:
            notes.put(n, value, "tests", match[1], "mean_value")  # the table has no unit
    elif _CSV.match(text):
        run.columns = cells(text)
        notes.use(n)
    elif run.columns and text.count(",") > 3:
        _csv_row(run, n, cells(text))
    elif _SETTING.match(text):
        notes.ignore(n, "setting")
    elif text.strip() in ("...", "…"):
        notes.problem(n, "left-out")
    elif _ASIDE.match(text):
        notes.ignore(n, "no fact of ours")
    elif run.phase:
        _result(run, n, text)


def _result(run: _Run, n: int, text: str) -> None:
    """`name : first last`. What stands behind the first value is of the last thread; one value alone is cut."""
    notes = run.notes
    match = _RESULT.match(text)
    if not match:
        if _OPEN_RESULT.match(text):
            notes.problem(n, "cut")
        return
    name, first, last = match.groups()
    operation = _OPERATIONS.get(run.phase or "")
    if operation is None or not (name in _UNITS or name in ("IOPS", "Total MiB", "Total bytes")):
        notes.ignore(n, "no fact of ours")
        return
    figures = number(first), number(last or "")
    if figures[1] is None or (n == len(notes.block.lines.raw)):
        notes.problem(n, "cut" if last is None or n == len(notes.block.lines.raw) else "damaged")
        return
    path = (*run.path, operation)
    if name in _UNITS:
        notes.put(n, figures[1] * _UNITS[name] / 1e9, *path, "bandwidth_gBps")
        notes.put(n, figures[0] * _UNITS[name] / 1e9 if figures[0] is not None else None, *path, "first_done_gBps")
    elif name == "IOPS":
        notes.put(n, figures[1], *path, "iops")
    else:
        size = integer(last or "")
        notes.put(n, size * 2**20 if size is not None and name == "Total MiB" else size, *path, "bytes")


def _csv_row(run: _Run, n: int, row_cells: list[str]) -> None:
    """A row of the results file: one operation of one run, named by its label if it has one."""
    notes = run.notes
    if len(row_cells) != len(run.columns):
        notes.problem(n, "cut" if n == len(notes.block.lines.raw) else "damaged")
        return
    row = dict(zip(run.columns, row_cells, strict=True))
    notes.put(n, integer(row.get("threads", "")), "thread_count")
    notes.put(n, integer(row.get("hosts", "")), "host_count")
    operation = _OPERATIONS.get(row.get("operation", ""))
    path = ("tests", row["label"]) if row.get("label") else ()
    if operation and notes.get(*path, operation) is None:
        rates = number(row.get("MiB/s [last]", "")), number(row.get("MiB/s [first]", ""))
        for key, rate in zip(("bandwidth_gBps", "first_done_gBps"), rates, strict=True):
            notes.put(n, rate * 2**20 / 1e9 if rate is not None else None, *path, operation, key)
        notes.put(n, number(row.get("IOPS [last]", "")), *path, operation, "iops")


READER = Reader("elbencho", read, commands=command("elbencho", "mtelbencho.sh", "graph_sweep.sh"), starts=_STARTS)
