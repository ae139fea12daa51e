"""nvbandwidth: copy bandwidth and latency between GPUs, and between GPU and host, as text and as `--json`."""

import re
from collections.abc import Iterator
from typing import Any

from advisor.evidence.reading import Part
from advisor.readers._again import Runs
from advisor.readers._json import Json, parse
from advisor.readers.contract import Block, Notes, Reader, command
from advisor.readers.shapes import is_left_out, number, open_end, pci_address

TOOL = "nvbandwidth"
_VERSION = re.compile(r"\s*nvbandwidth Version:\s*(?P<version>v?[\d.]+\S*)")
_DEVICE = re.compile(r"\s*(?:Device\s+)?(?P<index>\d+):\s+(?P<model>\S.*?)\s+\((?P<bus>[0-9A-Fa-f:.]+)\)")
_RUNNING = re.compile(r"\s*Running (?P<name>\w+)\.\s*\Z")
_HEADING = re.compile(r"\s*(?P<what>mem(?:cpy|ory|set)\b.*|[A-Z].*\b[CG]PU\((?:row|column)\).*)\((?P<unit>GB/s|ns|us)\)\s*\Z")
_HALF = re.compile(r"\b(?P<half>Read1|Read2|Write1|Write2|Total)\b")
_INDICES = re.compile(r"\s*\d+(?:\s+\d+)*\s*\Z")
_ROW = re.compile(r"\s*(?P<row>\d+)(?P<cells>(?:\s+(?:\d+(?:\.\d*)?|N/A))+)\s*\Z")
_SUM = re.compile(r"\s*SUM (?P<name>\w+) (?P<sum>\d+(?:\.\d+)?)(?P<end>\s*)\Z")
_PLAIN = re.compile(
    r"\s*(?:Built from Git|CUDA (?:Runtime|Driver) Version|Driver Version|NOTE:|Performance can vary|Waived:?|"
    r"(?:MIN|MAX|AVG|COEFFICIENT_OF_VARIATION) |"
    r"MPI |Process \d+|\(no data\))"
)
_ERROR = re.compile(r"\[?(?:CUDA_ERROR|ERROR|Error)|Invalid|not found|unable to", re.IGNORECASE)
_OF_COMMAND = re.compile(r"\s(?:-t|--testcase)[ =]+(?P<name>[A-Za-z]\w+)(?=\s|\Z)")


def read(block: Block) -> Iterator[Part]:
    if '"nvbandwidth"' in block.lines.text[:65536]:
        yield from _json(block)
        return
    runs = Runs(TOOL, block, (("tests", "test_count"), ("gpus", "gpu_count")))
    asked = _OF_COMMAND.search(block.command or "")
    base = name = asked["name"] if asked else ""
    unit, columns, count = "", list[str](), 0
    cut = open_end(block.lines)
    for i, (n, text) in enumerate(block.lines):
        if not text.strip():
            continue
        notes = runs.notes
        if found := _RUNNING.match(text):
            base = name = found["name"]
            if notes.get("tests", base) is not None:
                runs.begin(i)
                count = 0
            count += 1
            runs.notes.thing(n, "tests", base)
            unit, columns = "", []
        elif found := _HEADING.match(text):
            half = _HALF.search(found["what"])
            name = f"{base}_{half['half'].lower()}" if half and base else base or "#1"
            unit, columns = found["unit"], []
            notes.thing(n, "tests", name)
            if half and notes.facts["tests"].get(base) == {}:
                del notes.facts["tests"][base]
        elif unit and not columns and _INDICES.match(text):
            columns = text.split()
            notes.use(n)
        elif columns and (found := _ROW.match(text)):
            _row(notes, n, name, unit, columns, found, n == cut)
        elif found := _SUM.match(text):
            _sum(notes, n, name or found["name"], unit, found, n == cut)
        elif found := _VERSION.match(text):
            notes.put(n, found["version"], "version")
        elif (found := _DEVICE.match(text)) and not unit:
            _device(notes, n, found)
        elif is_left_out(text):
            notes.problem(n, "left-out")
        elif _PLAIN.match(text):
            notes.ignore(n, "words of the tool")
        elif _ERROR.search(text) and (base or block.command):
            notes.problem(n, "tool-error")
        elif n == cut:
            notes.problem(n, "cut")
    yield from runs.parts()


def _row(notes: Notes, n: int, name: str, unit: str, columns: list[str], found: re.Match[str], is_open: bool) -> None:
    """A row of the matrix. A cell of 0.00 or N/A was not measured."""
    cells = found["cells"].split()
    notes.use(n)
    if is_open or len(cells) != len(columns):
        notes.problem(n, "cut" if len(cells) <= len(columns) else "damaged")
        cells = cells[:-1] if len(cells) <= len(columns) else []
    key, factor = _measure(unit)
    for column, cell in zip(columns, cells, strict=False):
        value = number(cell)
        if value:
            notes.put(n, value if factor == 1 else value * factor, "tests", name, key, found["row"], column)


def _measure(unit: str) -> tuple[str, float]:
    return ("latency_us", 1e-3 if unit == "ns" else 1) if unit in ("ns", "us") else ("bandwidth_gBps", 1)


def _sum(notes: Notes, n: int, name: str, unit: str, found: re.Match[str], is_open: bool) -> None:
    if is_open and not found["end"]:
        notes.problem(n, "cut")
        return
    key, factor = _measure(unit)
    value = number(found["sum"])
    sum_key = "sum_us" if key == "latency_us" else "sum_gBps"
    notes.put(n, value if value is None or factor == 1 else value * factor, "tests", name, sum_key)


def _device(notes: Notes, n: int, found: re.Match[str]) -> None:
    name = f"GPU{int(found['index'])}"
    notes.put(n, found["model"], "gpus", name, "model")
    bus = found["bus"] if "." in found["bus"] else f"{found['bus']}.0"  # the tool leaves the function out
    notes.put(n, pci_address(bus), "gpus", name, "pci_address")


# --- JSON ---------------------------------------------------------------------------------------------------------


def _json(block: Block) -> Iterator[Part]:
    text = parse(block.lines)
    tree = text.tree.get("nvbandwidth") if text is not None and isinstance(text.tree, dict) else None
    if text is None or not isinstance(tree, dict):
        return
    notes = Notes(TOOL, block)
    version = tree.get("version") or tree.get("git_version")
    notes.put(text.line("nvbandwidth"), str(version) if version else None, "version")
    devices = tree.get("GPU Device list")
    for i, device in enumerate(devices if isinstance(devices, list) else []):
        found = _DEVICE.match(str(device))
        if found:
            _device(notes, text.line("nvbandwidth", "GPU Device list", i), found)
    cases = tree.get("testcases")
    for i, case in enumerate(cases if isinstance(cases, list) else []):
        if isinstance(case, dict) and isinstance(case.get("name"), str):
            _case(notes, text, i, case)
    if tree.get("error"):
        notes.problem(text.line("nvbandwidth", "error"), "tool-error", str(tree["error"])[:200])
    notes.use_range(block.lines.numbers[0], text.last)
    if text.broken is not None:
        notes.problem(text.broken, "cut")
    notes.count("tests", "test_count")
    notes.count("gpus", "gpu_count")
    if not notes.is_empty:
        yield notes.part()


def _case(notes: Notes, text: Json, i: int, case: dict[str, Any]) -> None:
    """A test case. One that was waived has no figures and is not counted."""
    place = ("nvbandwidth", "testcases", i)
    name, n = case["name"], text.line("nvbandwidth", "testcases", i)
    if case.get("status") not in ("Passed", None) and not case.get("bandwidth_matrix"):
        return
    notes.thing(n, "tests", name)
    described = str(case.get("bandwidth_description", ""))
    key, factor = _measure("ns" if described.rstrip().endswith("(ns)") else "GB/s")
    matrix = case.get("bandwidth_matrix")
    for r, row in enumerate(matrix if isinstance(matrix, list) else []):
        for c, cell in enumerate(row if isinstance(row, list) else []):
            value = number(str(cell))
            if value:
                notes.put(
                    text.line(*place, "bandwidth_matrix", r), value * factor if factor != 1 else value, "tests", name, key, str(r), str(c)
                )
    total = number(str(case.get("sum", "")))
    sum_key = "sum_us" if key == "latency_us" else "sum_gBps"
    notes.put(n, total * factor if total is not None and factor != 1 else total, "tests", name, sum_key)


READER = Reader(
    TOOL,
    read,
    commands=command("nvbandwidth"),
    starts=re.compile(
        rf"{_VERSION.pattern}|\s*Running (?:host|device|all|one|multinode)_\w+\.\s*\Z|\s*mem(?:cpy|ory) \w+ .*bandwidth \(GB/s\)\s*\Z"
    ),
    recognises=lambda head: re.match(r"\s*\{\s*\"nvbandwidth\"", head) is not None,
)
