"""fio's own text (job lines, an entry for each job or group, percentiles, the status of each group) and its terse lines (`--minimal`)."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from advisor.readers._storage import Reached, amount, whole
from advisor.readers.contract import Notes
from advisor.readers.shapes import number

OPERATIONS = ("read", "write", "trim")
_VERSION = re.compile(r"\s*(fio-\d[\w.~-]*)\s*\Z")
_JOB = re.compile(r"(.+?): \(g=(\d+)\): rw=(\w+), bs=(.*?),? ?ioengine=")
_BLOCKS = re.compile(r"(?:\((R|W|T)\) )?([\d.]+[kKMG]?i?B?)-([\d.]+[kKMG]?i?B?)")
_ENTRY = re.compile(r"(.*?):? ?\(groupid=(\d+), jobs=(\d+)\): err= *(-?\d+)(?: \([^)]*\))?: (?:pid=(\d+))?")
_RATE = re.compile(r"\s+(read|write|trim)\s*: IOPS=([\d.]+)([kMG]?), BW=([\d.]+\w+/s) \(([\d.]+\w+/s)\)\(([\d.]+\w+)/(\d+)msec\)")
_OLD_RATE = re.compile(r"\s+(read|write|trim)\s*: io=([\d.]+\w+), bw=([\d.]+\w+/s), iops=([\d.]+)([kMG]?), runt= *(\d+)msec")
_OPEN_RATE = re.compile(r"\s+(?:read|write|trim)\s*: (?:IOPS|io)=")
_PERCENTILES = re.compile(r"\s+([sc]?lat) percentiles \((nsec|usec|msec)\):")
_P99 = re.compile(r"\b99\.00th=\[ *(\d+)\]")
_OPEN_P99 = re.compile(r"\b99\.00th=(?:\[ *\d*)?\Z")
_STATUS = re.compile(
    r"\s*(READ|WRITE|TRIM): (?:bw=([\d.]+\w+/s) \(([\d.]+\w+/s)\)|io=[\d.]+\w+, aggrb=([\d.]+\w+/s)).*?(?:run|maxt)=(?:\d+-)?(\d+)msec"
)
_STARTING = re.compile(r"Starting (\d+) (?:process|thread)")
_ERROR = re.compile(r"\s*fio: .*\berr(?:or)?\b")
_ASIDE = re.compile(
    r"\s*(?:\||[sc]?lat\b|bw \(|iops +:|cpu +:|IO depths|submit +:|complete +:|issued |latency +:|Run status group|Disk stats|Jobs: \d|"
    r"\S+: ios=|.*: Laying out IO file|note: |fio: |clock setaffinity|sync +:|errors +:|zoned|\S+: \(g=\d+\): rw=)"
)
_US = {"nsec": 1e-3, "usec": 1.0, "msec": 1e3}
_THOUSANDS = {"": 1.0, "k": 1e3, "M": 1e6, "G": 1e9}


@dataclass(slots=True)
class Entry:
    """One entry of the output: a job, or a group of jobs that report together."""

    line: int
    name: str = ""
    jobs: int | None = None
    error: int | None = None
    runtime_s: float | None = None
    reached: dict[str, Reached] = field(default_factory=dict)
    lines: dict[str, int] = field(default_factory=dict)


@dataclass(slots=True)
class Output:
    """What a text of fio says."""

    notes: Notes
    version: tuple[int, str] | None = None
    blocks: list[tuple[int, int | None]] = field(default_factory=list)
    started: tuple[int, int] | None = None
    entries: list[Entry] = field(default_factory=list)
    status: dict[str, tuple[int, float, float]] = field(default_factory=dict)  # operation -> line, GB/s, seconds
    told: set[tuple[str, ...]] = field(default_factory=set)
    operation: str | None = None
    unit: float | None = None
    after_job: bool = False


def tells_again(output: Output, text: str) -> bool:
    """Whether a line opens an entry that was told: fio prints its state several times (`--status-interval`), or there is another run."""
    match = _ENTRY.match(text) if "(groupid=" in text else None
    if match and (match[1], match[2], match[5] or "") in output.told:
        return True
    return bool(output.entries) and _VERSION.match(text) is not None


def text_line(output: Output, n: int, text: str) -> None:
    """Takes one line of fio's text into its output; a line of anything else stays unaccounted."""
    notes = output.notes
    after_job, output.after_job = output.after_job, False
    last = n == len(notes.block.lines.raw)
    if match := _ENTRY.match(text):
        output.entries.append(Entry(n, match[1].strip(), int(match[3]), int(match[4])))
        output.told.add((match[1], match[2], match[5] or ""))
        output.operation = output.unit = None
        notes.use(n)
    elif match := _JOB.match(text):
        output.blocks.append((n, _block_size(match[3], match[4])))
        output.after_job = True
        notes.use(n)
    elif match := _VERSION.match(text):
        if last:
            notes.problem(n, "cut")
        else:
            output.version = (n, match[1])
            notes.use(n)
    elif match := _STARTING.match(text):
        output.started = (n, sum(int(count) for count in re.findall(r"\b(\d+) (?:process|thread)", text)))
        notes.use(n)
    elif output.entries and ((match := _RATE.match(text)) or (old := _OLD_RATE.match(text))):
        _rate(output, n, match) if match else _old_rate(output, n, old)
        notes.use(n)
    elif output.entries and _OPEN_RATE.match(text):
        notes.problem(n, "cut" if last else "damaged")
    elif match := _PERCENTILES.match(text):
        output.unit = _US[match[2]] if match[1] != "slat" else None
        notes.use(n)
    elif match := _P99.search(text):
        _percentile(output, n, int(match[1]))
        notes.use(n)
    elif last and _OPEN_P99.search(text):
        notes.problem(n, "cut")
    elif match := _STATUS.match(text):
        rate = amount(match[3] or match[2] or match[4], 1000 if match[3] else 1024)
        if rate is not None:
            output.status[match[1].lower()] = (n, rate / 1e9, int(match[5]) / 1000)
        notes.use(n)
    elif text.strip() in ("...", "…"):
        notes.ignore(n, "more jobs like the one above") if after_job else notes.problem(n, "left-out")
        output.after_job = after_job
    elif _ERROR.match(text):
        notes.problem(n, "tool-error")
    elif _ASIDE.match(text):
        notes.ignore(n, "no fact of ours")


def _block_size(pattern: str, text: str) -> int | None:
    """The block size of a job; None where it is a range, or where reads and writes of a mixed job differ."""
    sizes = {kind or "RWT"[i % 3]: (low, high) for i, (kind, low, high) in enumerate(_BLOCKS.findall(text))}
    wanted = ("R",) if "read" in pattern else ("T",) if "trim" in pattern else ("W",) if "write" in pattern else ("R", "W")
    found = {size for kind in wanted if kind in sizes for size in sizes[kind]}
    return whole(amount(found.pop(), 1024)) if len(found) == 1 else None


def _rate(output: Output, n: int, match: re.Match[str]) -> None:
    operation, iops, scale, _, decimal, _, runtime = match.groups()
    rate = amount(decimal, 1000)
    _put(output, n, operation, float(number(iops) or 0) * _THOUSANDS[scale], rate, int(runtime))


def _old_rate(output: Output, n: int, match: re.Match[str] | None) -> None:
    """fio 2: KB are 1024 bytes."""
    if match:
        operation, _, rate, iops, scale, runtime = match.groups()
        _put(output, n, operation, float(number(iops) or 0) * _THOUSANDS[scale], amount(rate, 1024), int(runtime))


def _put(output: Output, n: int, operation: str, iops: float, rate: float | None, runtime_ms: int) -> None:
    entry = output.entries[-1]
    output.operation, output.unit = operation, None
    entry.reached[operation] = Reached(rate / 1e9 if rate is not None else None, int(iops) if iops == int(iops) else iops)
    entry.lines[operation] = n
    entry.runtime_s = max(entry.runtime_s or 0.0, runtime_ms / 1000)


def _percentile(output: Output, n: int, value: int) -> None:
    if output.entries and output.operation and output.unit is not None:
        reached = output.entries[-1].reached[output.operation]
        if reached.latency_p99_us is None:
            reached.latency_p99_us = value * output.unit
            output.entries[-1].lines[f"{output.operation}.latency_p99_us"] = n


def head_line(notes: Notes, n: int, text: str) -> None:
    """A line that fio prints in front of its JSON; what it says is told again there."""
    if _JOB.match(text) or _VERSION.match(text) or _STARTING.match(text) or text.strip() == "..." or _ASIDE.match(text):
        notes.ignore(n, "told again in the JSON")


# --- terse ----------------------------------------------------------------------------------------------------

TERSE = re.compile(r"\s*(?:[345];fio-\d[^;]*;[^;]*;\d+;-?\d+;\d|2;[^;]*;\d+;-?\d+;(?:\d+;){4})")
_TERSE_FIELDS = {"2": 41, "3": 41, "4": 41, "5": 47}  # of one operation (fio's HOWTO, terse output)
_TERSE_P99 = re.compile(r"99\.0+%=(\d+)\Z")


def terse_lines(notes: Notes, rows: list[tuple[int, str]]) -> Iterator[tuple[Entry, str | None]]:
    """Entries of terse lines, with the version that they print. Bandwidth is in KiB/s, percentiles in us."""
    for n, text in rows:
        cells = text.strip().split(";")
        version, head = (cells[1], 5) if cells[0] != "2" else (None, 4)
        width = _TERSE_FIELDS[cells[0]]
        if len(cells) < head + 2 * width:
            notes.problem(n, "cut" if n == len(notes.block.lines.raw) else "damaged")
            continue
        notes.use(n)
        entry = Entry(n, cells[head - 3], error=int(cells[head - 1]))
        for i, operation in enumerate(("read", "write")):
            block = cells[head + i * width : head + (i + 1) * width]
            figures = [number(cell) for cell in block[:4]]
            if None in figures:
                notes.problem(n, "damaged", operation)
            elif figures[0]:
                p99 = next((match for cell in block if (match := _TERSE_P99.match(cell))), None)
                kib, rate, iops, runtime = (figure or 0 for figure in figures)
                entry.reached[operation] = Reached(rate * 1024 / 1e9, iops, float(p99[1]) if p99 else None, int(kib * 1024))
                entry.lines[operation] = n
                entry.runtime_s = max(entry.runtime_s or 0.0, runtime / 1000)
        yield entry, version
