"""`ior`: options and results as text (versions 2 to 4) and as JSON. The bandwidth is the best repetition's, as in the tool's headline."""

import re
from collections.abc import Iterator
from typing import Any

from advisor.evidence.reading import Part
from advisor.readers._json import parse
from advisor.readers._storage import amount, whole
from advisor.readers.contract import Block, Notes, Reader, command
from advisor.readers.shapes import integer, known, number

_MIB = 2**20
_OPTION = re.compile(r"\s*+([A-Za-z]+(?:[ /][A-Za-z]+)*)\s*+[:=]\s*+(\S.*)\Z")
_CLIENTS = re.compile(r"(\d+)\s*\((\d+) per node\)")
_MAX = re.compile(r"\s*Max (Write|Read):\s*(\d+(?:\.\d+)?) MiB/sec \((\d+(?:\.\d+)?) MB/sec\)")
_OPEN_MAX = re.compile(r"\s*Max (?:Write|Read):")
_SUMMARY = re.compile(r"\s*Operation\s+Max\(MiB\)")
_RESULTS = re.compile(r"\s*access\s+bw\(MiB/s\)")
_ROW = re.compile(r"\s*(write|read|remove|rewrite)\s+(\S.*?)\s*\Z")
_ASIDE = re.compile(
    r"\s*(?:IOR-\d|Began|Command line|Machine|Path|FS\b|TestID|StartTime|Options|Results|Summary|Commencing|Finished|-{3}|=|"
    r"Run (?:began|finished)|Test \d|Participating tasks|Using|remove\b|WARNING|ior WARNING|Maximum|\[RANK)"
)
_ERROR = re.compile(r"\s*(?:ior ERROR|ERROR:|\*\* error \*\*|ERROR\b)")
_TEXT_OPTIONS = {"nodes": "host_count", "tasks": "task_count"}
_SIZES = {"xfersize": "transfer_bytes", "blocksize": "block_bytes"}
_KNOWN_OPTIONS = {
    *("api", "test filename", "access", "type", "segments", "ordering in a file", "ordering inter file", "nodes", "tasks", "clients"),
    *("clients per node", "repetitions", "xfersize", "blocksize", "aggregate filesize", "verbose", "stonewallingtime", "stonewalltime"),
    *("stonewallwearout", "memory", "task offset", "apiversion", "reorder random seed", "lustre stripe size", "stripe count"),
    *("memorybuffer", "dataaccess", "gpudirect", "intertestdelay", "nodeid"),
}
_STARTS = re.compile(
    r"\s*(?:IOR-\d+\.\d+.*: MPI Coordinated Test of Parallel I/O|access\s+bw\(MiB/s\)|"
    r"access\s*[:=] (?:single-shared-file|file-per-process)\s*\Z|Max (?:Write|Read): +[\d.]+ MiB/sec)"
)


def read(block: Block) -> Iterator[Part]:
    at = next((i for i, text in enumerate(block.lines.texts) if text.strip() == "{" or text.lstrip().startswith('{"')), None)
    if (at is not None and '"bwMaxMIB"' in block.lines[at:].text) or (at is not None and '"bwMiB"' in block.lines[at:].text):
        yield from _json(block, at)
        return
    notes, start, table = Notes("ior", block), 0, ""
    single: dict[str, tuple[int, float, int]] = {}  # best repetition and their number, if the text ends before the summary
    for i, (n, text) in enumerate(block.lines):
        if not text or text.isspace():
            continue
        if text.lstrip().startswith("IOR-") and notes.facts:
            yield from _closed(notes, block, start, i, single)
            notes, start, table, single = Notes("ior", block), i, "", {}
        if _SUMMARY.match(text) or _RESULTS.match(text):
            table = ("operations" if "Max(OPs)" in text else "summary") if _SUMMARY.match(text) else "results"
            notes.use(n)
        elif match := _MAX.match(text):
            _put(notes, n, match[1].lower(), "bandwidth_gBps", float(match[2]) * _MIB / 1e9)
        elif _OPEN_MAX.match(text):
            notes.problem(n, "cut" if n == len(block.lines.raw) else "damaged")
        elif table and (row := _ROW.match(text)):
            _row(notes, n, table, row[1], row[2].split(), single)
        elif _option(notes, n, text):
            pass
        elif text.strip() in ("...", "…"):
            notes.problem(n, "left-out")
        elif _ERROR.match(text):
            notes.problem(n, "tool-error")
        elif _ASIDE.match(text):
            notes.ignore(n, "no fact of ours")
    yield from _closed(notes, block, start, len(block.lines), single)


def _closed(notes: Notes, block: Block, start: int, end: int, single: dict[str, tuple[int, float, int]]) -> Iterator[Part]:
    for operation, (n, rate, count) in single.items():
        if count >= notes.facts.get("repetitions", 1):  # of fewer, the best is not known
            _put(notes, n, operation, "bandwidth_gBps", rate)
    if not notes.is_empty:
        lines = block.lines[start:end]
        notes.block = Block(lines, block.command, block.host, block.first if start == 0 else lines.numbers[0])
        yield notes.part()


def _put(notes: Notes, n: int, operation: str, key: str, value: float | None) -> None:
    """A figure of an operation; the first one stays. 0 stands for an operation that was not run."""
    notes.use(n)
    if value and notes.get(operation, key) is None:
        notes.put(n, value, operation, key)


def _option(notes: Notes, n: int, text: str) -> bool:
    match = _OPTION.match(text)
    key = match[1].strip().lower() if match else ""
    if not match or key not in _KNOWN_OPTIONS:
        return False
    value = match[2].rstrip()
    if n == len(notes.block.lines.raw) and value[-1].isalnum() and "{" not in notes.block.lines.raw[n - 1]:
        notes.problem(n, "cut")  # no line end behind it
    elif key in _TEXT_OPTIONS:
        notes.put(n, integer(value), _TEXT_OPTIONS[key])
    elif key == "clients":  # IOR 2: "16 (8 per node)"
        clients = _CLIENTS.match(value)
        notes.put(n, int(clients[1]) if clients else integer(value), "task_count")
    elif key in _SIZES:
        notes.put(n, whole(amount(value, 1024)), _SIZES[key])
    elif key == "access":
        notes.put(n, {"file-per-process": True, "single-shared-file": False}.get(value.split(",")[0].strip()), "file_per_process")
    elif key == "repetitions":
        notes.put(n, integer(value), "repetitions")
    elif key == "api":
        notes.put(n, known(value), "api")
    else:
        notes.ignore(n, "no fact of ours")
    return True


def _row(notes: Notes, n: int, table: str, operation: str, cells: list[str], single: dict[str, tuple[int, float, int]]) -> None:
    """A row of the results (one repetition) or of the summary: Max, Min, Mean and StdDev of MiB/s, since IOR 3 then of operations."""
    figures = [number(cell) for cell in cells]
    least = {"results": 3, "summary": 4, "operations": 8}[table]
    ends = n == len(notes.block.lines.raw)  # no line end behind it: its last cell may go on
    if len(figures) < least + ends or None in figures[: 1 if table == "results" else least]:
        notes.problem(n, "cut" if ends else "damaged")
        return
    notes.use(n)
    if operation not in ("write", "read"):
        return
    if table == "results":
        rate = _mib(figures[0]) or 0.0
        line, best, count = single.get(operation, (n, 0.0, 0))
        single[operation] = (n if rate > best else line, max(rate, best), count + 1)
        return
    for key, figure in zip(("bandwidth_gBps", "min_gBps", "mean_gBps"), figures, strict=False):
        _put(notes, n, operation, key, _mib(figure))
    if table == "operations":
        _put(notes, n, operation, "iops", figures[4])


def _mib(rate: float | None) -> float | None:
    return rate * _MIB / 1e9 if rate else None


# --- JSON -----------------------------------------------------------------------------------------------------


def _json(block: Block, at: int) -> Iterator[Part]:
    found = parse(block.lines[at:])
    if found is None or not isinstance(found.tree, dict):
        return
    notes = Notes("ior", block)
    for n, text in block.lines[:at].inked():
        if _ASIDE.match(text):
            notes.ignore(n, "no fact of ours")
    tests = found.tree.get("tests")
    for i, test in enumerate(tests if isinstance(tests, list) else []):
        options = test.get("Options") if isinstance(test, dict) else None
        for key, value in (options if isinstance(options, dict) else {}).items():
            _option(notes, found.line("tests", i, "Options", key), f"{key} : {value}")
    for i, entry in enumerate(_maps(found.tree.get("summary"))):
        operation, line = str(entry.get("operation", "")).lower(), found.line("summary", i)
        if operation in ("write", "read"):
            for name, key in (("bwMaxMIB", "bandwidth_gBps"), ("bwMinMIB", "min_gBps"), ("bwMeanMIB", "mean_gBps")):
                _put(notes, found.line("summary", i, name), operation, key, _mib(_number(entry.get(name))))
            _put(notes, found.line("summary", i, "OPsMax"), operation, "iops", _number(entry.get("OPsMax")))
        for name, key in (("numTasks", "task_count"), ("blockSize", "block_bytes"), ("transferSize", "transfer_bytes")):
            if notes.get(key) is None:
                notes.put(line, _number(entry.get(name)), key)
        if notes.get("file_per_process") is None and entry.get("filePerProc") in (0, 1):
            notes.put(line, bool(entry["filePerProc"]), "file_per_process")
    notes.use_range(block.lines.numbers[at], found.last)
    if found.broken is not None:
        notes.problem(found.broken, "cut")
    if notes.facts:
        yield notes.part()


def _maps(value: object) -> list[dict[str, Any]]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def _number(value: object) -> int | float | None:
    return value if isinstance(value, int | float) and not isinstance(value, bool) else None


READER = Reader(
    "ior", read, commands=command("ior", "IOR"), starts=_STARTS, recognises=lambda head: '"bwMaxMIB"' in head or '"bwMiB"' in head
)
