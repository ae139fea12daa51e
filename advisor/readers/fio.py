"""`fio`: text, JSON (`--output-format=json`) and terse output. Bandwidth and IOPS of several entries are added."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from advisor.evidence.reading import Part
from advisor.readers._fio_text import OPERATIONS, TERSE, Entry, Output, head_line, tells_again, terse_lines, text_line
from advisor.readers._json import Json, parse
from advisor.readers._storage import Reached, amount, together, whole
from advisor.readers.contract import Block, Notes, Reader, command

_JSON = re.compile(r"\s*\{")
_COUNTS_KIB = re.compile(r"fio-[12]\.(?!99)")  # in "io_bytes"; fio 3 (and 2.99) counts bytes there
_STARTS = re.compile(
    r"\s*(?:.{1,80}: \(g=\d+\): rw=\w+, bs=|fio-\d+\.\d[\w.~-]*\s*\Z|.{0,80}\(groupid=\d+, jobs=\d+\): err=|[345];fio-\d[^;]*;|"
    r"2;[^;]*;\d+;-?\d+;(?:\d+;){6}(?:[\d.]+;){6}1\.0+%=|Run status group \d+ \(all jobs\):)"
)


def read(block: Block) -> Iterator[Part]:
    texts = block.lines.texts
    cut = next((i for i, text in enumerate(texts) if _JSON.match(text)), len(texts))
    before = Block(block.lines[:cut], block.command, block.host, block.first)
    if any(TERSE.match(text) for text in before.lines.texts):
        yield from _terse(before)
    elif cut == len(texts) or any("(groupid=" in text or "Run status group" in text for text in before.lines.texts):
        yield from _text(before)
    else:
        yield from _json(block, cut)
        return
    if cut < len(texts):
        yield from _json(Block(block.lines[cut:], block.command, block.host, block.lines.numbers[cut]), 0)


# --- text -----------------------------------------------------------------------------------------------------


def _text(block: Block) -> Iterator[Part]:
    output, start = Output(Notes("fio", block)), 0
    for i, (n, text) in enumerate(block.lines):
        if not text or text.isspace():
            continue
        if tells_again(output, text):
            yield from _closed(output, block, start, i)
            output, start = Output(Notes("fio", block), output.version, output.blocks), i
        text_line(output, n, text)
    yield from _closed(output, block, start, len(block.lines))


def _closed(output: Output, block: Block, start: int, end: int) -> Iterator[Part]:
    notes = output.notes
    if output.version:
        notes.put(max(output.version[0], block.lines.numbers[start]), output.version[1], "version")
    jobs = [entry.jobs for entry in output.entries if entry.jobs is not None]
    fewer = output.started is not None and sum(jobs) < output.started[1]
    missing = bool(output.entries) and (fewer or not output.entries[-1].reached)
    if missing:
        notes.problem(output.entries[-1].line, "missing-part", "entries of other jobs")
    _put_entries(notes, output.entries, whole=not missing)
    if output.entries:
        notes.put(output.entries[0].line, len(output.entries), "entry_count")
    if output.started and (missing or not jobs):
        notes.put(output.started[0], output.started[1], "job_count")
    elif jobs:
        notes.put(output.entries[0].line, sum(jobs), "job_count")
    sizes = {size for _, size in output.blocks}
    if len(sizes) == 1 and (size := sizes.pop()) is not None:
        notes.put(max(output.blocks[0][0], block.lines.numbers[start]), size, "block_bytes")
    for operation, (line, rate, seconds) in output.status.items():  # the last lines of an output whose entries are missing
        if not any(operation in entry.reached for entry in output.entries):
            notes.put(line, rate, operation, "bandwidth_gBps")
            notes.put(line, seconds, "runtime_s")
    if not notes.is_empty:
        lines = block.lines[start:end]
        notes.block = Block(lines, block.command, block.host, block.first if start == 0 else lines.numbers[0])
        yield notes.part()


def _put_entries(notes: Notes, entries: list[Entry], whole: bool = True) -> None:
    """Entries as facts. Where some are missing, what all of them reached together is unknown."""
    for operation in OPERATIONS if whole else ():
        mine = [entry for entry in entries if operation in entry.reached]
        if mine:
            line = mine[0].lines[operation]
            for key, value in together([entry.reached[operation] for entry in mine]).facts().items():
                notes.put(mine[0].lines.get(f"{operation}.{key}", line), value, operation, key)
    runtimes = [entry for entry in entries if entry.runtime_s]
    if runtimes:
        longest = max(runtimes, key=lambda entry: entry.runtime_s or 0)
        notes.put(longest.line, longest.runtime_s, "runtime_s")
    errors = [entry for entry in entries if entry.error is not None]
    if errors:
        worst = next((entry for entry in errors if entry.error), errors[0])
        notes.put(worst.line, worst.error, "error_code")
    if entries:
        notes.put(entries[0].line, [_told(entry) for entry in entries], "entries")
        notes.at.update({("entries", str(i)): entry.line for i, entry in enumerate(entries)})


def _told(entry: Entry) -> dict[str, Any]:
    name = {"name": entry.name} if entry.name else {}
    return {**name, **{operation: reached.facts() for operation, reached in entry.reached.items()}}


def _terse(block: Block) -> Iterator[Part]:
    notes = Notes("fio", block)
    rows = [(n, text) for n, text in block.lines.inked() if TERSE.match(text)]
    found = list(terse_lines(notes, rows))
    _put_entries(notes, [entry for entry, _ in found])
    if found:
        notes.put(found[0][0].line, len(found), "entry_count")
        notes.put(found[0][0].line, found[0][1], "version")
    if not notes.is_empty:
        yield notes.part()


# --- JSON -----------------------------------------------------------------------------------------------------


def _json(block: Block, start: int) -> Iterator[Part]:
    found = parse(block.lines[start:])
    if found is None or not isinstance(found.tree, dict) or not ("fio version" in found.tree or "jobs" in found.tree):
        return
    notes = Notes("fio", block)
    tree = found.tree
    version = tree.get("fio version")
    if isinstance(version, str):
        notes.put(found.line("fio version"), version, "version")
    kind = "jobs" if "jobs" in tree else "client_stats"
    jobs = [job for job in _list(tree.get(kind)) if isinstance(job, dict)]
    total = [job for job in jobs if job.get("jobname") == "All clients"]  # a server's sum over the clients before it
    chosen = total or jobs
    entries = [_entry(found, kind, jobs.index(job), job) for job in chosen]
    _put_entries(notes, entries, whole=found.broken is None or len(entries) == 1)
    if jobs and found.broken is None:
        notes.put(found.line(kind), len(chosen), "entry_count")
    if found.broken is None or len(jobs) == 1:
        _options(notes, found, kind, jobs)
    for n, text in block.lines[:start].inked():
        head_line(notes, n, text)
    notes.use_range(block.lines.numbers[start], found.last)
    if found.broken is not None:
        notes.problem(found.broken, "cut")
    if notes.facts:
        yield notes.part()


def _list(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


def _entry(found: Json, kind: str, i: int, job: Mapping[str, Any]) -> Entry:
    entry = Entry(found.line(kind, i), str(job.get("jobname", "")), error=_int(job.get("error")))
    for operation in OPERATIONS:
        side = job.get(operation)
        if not isinstance(side, dict):
            continue
        size = _int(side.get("io_bytes"))
        if size is not None and not ("io_kbytes" in side or "bw_bytes" in side):
            size = size * 1024 if _COUNTS_KIB.match(str(found.tree.get("fio version", ""))) else None
        if side.get("io_bytes") == 0 and not side.get("total_ios"):
            continue
        rate = _number(side.get("bw_bytes"))
        kib = _number(side.get("bw"))
        if rate is None and kib is not None:
            rate = kib * 1024
        entry.reached[operation] = Reached(
            bandwidth_gBps=rate / 1e9 if rate is not None else None,
            iops=_number(side.get("iops")),
            latency_p99_us=_p99(side),
            bytes=size,
        )
        entry.lines[operation] = found.line(kind, i, operation)
        runtime = _number(side.get("runtime"))
        if runtime is not None:
            entry.runtime_s = max(entry.runtime_s or 0.0, runtime / 1000)
    return entry


def _number(value: object) -> int | float | None:
    return value if isinstance(value, int | float) and not isinstance(value, bool) else None


def _int(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _p99(side: Mapping[str, Any]) -> float | None:
    """The 99th percentile that the output lists: of completion latency, else of total latency. fio 2 counts us, later ones ns."""
    for key, unit in (("clat_ns", 1e-3), ("lat_ns", 1e-3), ("clat", 1.0), ("lat", 1.0)):
        latency = side.get(key)
        percentiles = latency.get("percentile") if isinstance(latency, dict) else None
        value = _number(percentiles.get("99.000000")) if isinstance(percentiles, dict) else None
        if value is not None:
            return value * unit
    return None


def _options(notes: Notes, found: Json, kind: str, jobs: list[dict[str, Any]]) -> None:
    """The block size, if all jobs have one and the same."""
    overall = found.tree.get("global options")
    sizes: dict[int | None, int] = {}
    for i, job in enumerate(jobs):
        own = job.get("job options")
        options = {**(overall if isinstance(overall, dict) else {}), **(own if isinstance(own, dict) else {})}
        text = next((str(options[key]) for key in ("bs", "blocksize") if key in options), None)
        if text is None:
            return
        kinds = set(text.split(","))
        sizes[whole(amount(kinds.pop(), 1024)) if len(kinds) == 1 else None] = found.line(kind, i, "job options")
    if len(sizes) == 1:
        size, line = sizes.popitem()
        notes.put(line, size, "block_bytes")


READER = Reader("fio", read, commands=command("fio"), starts=_STARTS, recognises=lambda head: '"fio version"' in head)
