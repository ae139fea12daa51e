"""nccl-tests and rccl-tests in JSON: the report of `-J`, and the lines of RCCL's `-Z json`; and what they share with the text."""

import re
from collections.abc import Iterator
from typing import Any

from advisor.evidence.reading import Part
from advisor.readers._json import Json, parse
from advisor.readers.contract import Block, Notes
from advisor.readers.shapes import number

TOOL = "nccl-tests"
PERF = (
    r"(?P<collective>all_reduce|all_gather|reduce_scatter|alltoallv?|all_to_allv?|broadcast|reduce|sendrecv|gather|scatter|hypercube)"
    r"_perf(?:_mpi)?"
)
PROGRAM = re.compile(rf"(?:^|[\s/'\"]){PERF}\b")
PLACES = ("out_of_place", "in_place")
_NAMES = {
    "allreduce": "all_reduce",
    "allgather": "all_gather",
    "reducescatter": "reduce_scatter",
    "alltoall": "alltoall",
    "alltoallv": "alltoallv",
    "sendrecv": "sendrecv",
    "broadcast": "broadcast",
    "reduce": "reduce",
    "gather": "gather",
    "scatter": "scatter",
    "hypercube": "hypercube",
}


def keep(notes: Notes, n: int, value: object, key: str) -> None:
    notes.use(n)
    if notes.get(key) is None:
        notes.put(n, value, key)


def version_of_code(code: str | None) -> str | None:
    """2.30.3 of 23003; before 2.9 the code had one digit less, 2.8.4 of 2804."""
    if code is None:
        return None
    value = int(code)
    major = value // 10_000 if value >= 10_000 else value // 1000
    rest = value % 10_000 if value >= 10_000 else value % 1000
    return f"{major}.{rest // 100}.{rest % 100}"


def is_json_lines(head: str) -> bool:
    return re.match(r"\s*+\[?\s*+\{[^{}]{0,400}\"algBw\"", head) is not None


def is_report(head: str) -> bool:
    return re.match(r"\s*\{", head) is not None and '"nccl_version"' in head and ('"results"' in head or '"config"' in head)


def json_lines(block: Block) -> Iterator[Part]:
    notes = Notes(TOOL, block)
    for i, (n, text) in enumerate(block.lines):
        if not text.strip(" ,[]"):
            notes.use(n)
            continue
        entry = parse(block.lines[i : i + 1])
        if entry is None:
            continue
        tree = entry.tree[0] if isinstance(entry.tree, list) and entry.tree else entry.tree
        if not isinstance(tree, dict) or "algBw" not in tree:
            if entry.broken is not None:
                notes.problem(n, "cut")
            continue
        if entry.broken is not None:
            notes.problem(n, "cut")
        _put_entry(notes, n, tree)
    notes.count("sizes", "size_count")
    if notes.facts:
        yield notes.part()


def _put_entry(notes: Notes, n: int, tree: dict[str, Any]) -> None:
    notes.use(n)
    keep(notes, n, _NAMES.get(str(tree.get("name", "")).lower()), "collective")
    for key, fact in (
        ("ranks", "rank_count"),
        ("gpus", "rank_count"),
        ("nodes", "host_count"),
        ("type", "dtype"),
        ("redop", "redop"),
        ("root", "root"),
    ):
        keep(notes, n, tree.get(key), fact)
    size, place = tree.get("size"), tree.get("inPlace")
    if not isinstance(size, int) or place not in (0, 1):
        return
    where = ("sizes", str(size), PLACES[place])
    wrong = tree.get("#wrong", tree.get("wrong"))
    for value, key in (
        (tree.get("time"), "time_us"),
        (tree.get("algBw"), "algbw_gBps"),
        (tree.get("busBw"), "busbw_gBps"),
        (wrong, "wrong"),
    ):
        notes.put(n, number(str(value)) if value is not None else None, *where, key)


def report_parts(block: Block) -> Iterator[Part]:
    report = parse(block.lines)
    if report is None or not isinstance(report.tree, dict):
        return
    notes = Notes(TOOL, block)
    tree = report.tree
    code = tree.get("nccl_version")
    notes.put(report.line("nccl_version"), version_of_code(str(code)) if isinstance(code, int) else None, "nccl_version")
    program = PROGRAM.search(" " + str((tree.get("args") or [""])[0]))
    if program:
        notes.put(report.line("args"), program["collective"], "collective")
    config = tree.get("config")
    if isinstance(config, dict):
        _put_config(notes, report, config)
    _put_results(notes, report, tree)
    for key, inner, fact in (("out_of_bounds", "count", "out_of_bounds"), ("average_bus_bandwidth", "bandwidth", "avg_busbw_gBps")):
        value = tree.get(key)
        if isinstance(value, dict):
            notes.put(report.line(key), value.get(inner), fact)
    notes.use_range(block.lines.numbers[0], report.last)
    if report.broken is not None:
        notes.problem(report.broken, "cut")
    notes.count("sizes", "size_count")
    if notes.facts:
        yield notes.part()


def _put_config(notes: Notes, report: Json, config: dict[str, Any]) -> None:
    named = {"minimum_bytes": "min_bytes", "maximum_bytes": "max_bytes", "warmup_iters": "warmup_iterations", "iterations": "iterations"}
    for key, fact in named.items():
        notes.put(report.line("config", key), config.get(key), fact)
    devices = config.get("devices")
    if isinstance(devices, list) and devices and report.broken is None:
        n = report.line("config", "devices")
        notes.put(n, len(devices), "rank_count")
        notes.put(n, len({device.get("hostname") for device in devices if isinstance(device, dict)}), "host_count")


def _put_results(notes: Notes, report: Json, tree: dict[str, Any]) -> None:
    results = [(i, row) for i, row in enumerate(tree.get("results") or []) if isinstance(row, dict)]
    for key, fact in (("type", "dtype"), ("redop", "redop"), ("root", "root")):
        words = {str(row[key]).strip() for _, row in results if key in row}
        if len(words) == 1:
            word = words.pop()
            notes.put(report.line("results"), number(word) if key == "root" else word, fact)
    for i, row in results:
        size = row.get("size")
        if not isinstance(size, int) or notes.get("sizes", str(size)) is not None:
            continue
        n = report.line("results", i)
        notes.thing(n, "sizes", str(size))
        notes.put(n, row.get("count"), "sizes", str(size), "count")
        for place in PLACES:
            cells = row.get(place)
            for key, fact in (
                ("time", "time_us"),
                ("cpu_time", "time_us"),
                ("alg_bw", "algbw_gBps"),
                ("bus_bw", "busbw_gBps"),
                ("nwrong", "wrong"),
            ):
                if isinstance(cells, dict) and cells.get(key) is not None:
                    notes.put(n, number(str(cells[key])), "sizes", str(size), place, fact)
