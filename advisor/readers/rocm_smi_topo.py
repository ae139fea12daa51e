"""`rocm-smi --showtopo` (also `hy-smi`), text and `--json`: weight, hops and type of the link between GPUs, and their NUMA nodes.

`amd-smi topology` prints the same matrices, with the GPUs by their PCI addresses.
"""

import json
import re
from collections.abc import Iterator

from advisor.evidence.reading import Part
from advisor.readers._again import Runs
from advisor.readers.contract import Block, Notes, Reader, command
from advisor.readers.shapes import is_left_out, known, number, open_end

_OTHER_NAMES = re.compile(r"(?:dcu|hcu)s")
_MATRICES = {
    "weight between two gpus": "weight",
    "hops between two gpus": "hops",
    "link type between two gpus": "peers",
    "link accessibility between two gpus": "accessible",
    "weight table": "weight",
    "hops table": "hops",
    "link type table": "peers",
    "access table": "accessible",
}
_TABLE = re.compile(r"\s*((?:ACCESS|WEIGHT|HOPS|LINK TYPE|NUMA BW|CACHE COHERANCY|ATOMICS|DMA|BI-DIRECTIONAL) TABLE):\s*\Z")
_LABEL = r"(?:[A-Z]{2}U\d+|[0-9a-f]{4}:[0-9a-f]{2}:[0-9a-f]{2}\.[0-7])"
_HEADER = re.compile(rf"\s*{_LABEL}(?:\s+{_LABEL})*\s*\Z")
_ROW = re.compile(rf"\s*({_LABEL})((?:\s+\S+)+)\s*\Z")
_NUMA = re.compile(r"\s*([A-Z]{2}U)\[(\d+)\]\s*:\s*\(Topology\) Numa (Node|Affinity):\s*(\S+)\s*\Z")
_OTHER = re.compile(r"\s*(?:[A-Z]{2}U\[\d+\]\s*:|WARNING:|\s*\Z)")
# The header of a matrix starts other tools' output, too; here it must not end a block.
_START = re.compile(
    rf"\s*[A-Z]{{2}}U\d+(?:\s+[A-Z]{{2}}U\d+)*\s*\Z|{_TABLE.pattern}|"
    r"\s*=+\s*(?:Weight|Hops|Link Type|Link accessibility) between two (?:GPU|DCU|HCU)s\s*=+\s*\Z|.*\[\d+\]\s*:\s*\(Topology\) Numa Node:",
    re.IGNORECASE,
)
_RELATION = re.compile(r"[A-Z][A-Z0-9_-]{2,9}\Z")
_PAIR = re.compile(r"\(Topology\) (Weight|Hops|Link type) between DRM devices (\d+) and (\d+)\Z")
_PAIR_KEYS = {"Weight": "weight", "Hops": "hops", "Link type": "peers"}
_ERROR = re.compile(r"\s*(?:ERROR|.*Driver not initialized|.*No AMD GPUs?)", re.IGNORECASE)


def read(block: Block) -> Iterator[Part]:
    head = next((text for _, text in block.lines.inked()), "")
    if head.lstrip().startswith("{"):
        yield from _read_json(block)
        return
    runs = Runs("rocm-smi-topo", block, (("gpus", "gpu_count"),))
    section, last, ended = "", open_end(block.lines), False
    columns: list[str] = []
    for i, (n, text) in enumerate(block.lines):
        if not text.strip():
            continue
        title, row, numa = _title(text), _ROW.match(text), _NUMA.match(text)
        if title:
            section, columns = title, []
            if ended or (section in _MATRICES and _is_known(runs.notes, _MATRICES[section])):
                runs.begin(i)
            ended = section.startswith("end of")
            runs.notes.ignore(n, "title")
        elif ended:
            break
        elif section in _MATRICES and _HEADER.match(text):
            columns = text.split()
            for column in columns:
                runs.notes.thing(n, "gpus", column)
        elif columns and row:
            _put_row(runs.notes, n, _MATRICES[section], row[1], columns, row[2].split(), n == last)
        elif numa and n == last:
            runs.notes.problem(n, "cut")  # the figure may go on
        elif numa:
            _put_numa(runs.notes, n, f"{numa[1]}{numa[2]}", numa[3], numa[4])
        elif is_left_out(text):
            runs.notes.problem(n, "left-out")
        elif _ERROR.match(text):
            runs.notes.problem(n, "tool-error")
        elif n == last and (columns or section):
            runs.notes.problem(n, "cut")
        elif section or _OTHER.match(text):
            runs.notes.ignore(n, "no fact of ours")
        else:
            break
    yield from runs.parts()


def _title(text: str) -> str:
    """The words of `===== Hops between two GPUs =====`, or of `HOPS TABLE:`, in lower case; empty for any other line."""
    bare = text.strip()
    if table := _TABLE.match(text):
        return table[1].lower()
    if not (bare.startswith("==") and bare.endswith("==")):
        return ""
    return _OTHER_NAMES.sub("gpus", bare.strip("=").strip().lower())


def _is_known(notes: Notes, key: str) -> bool:
    return any(key in facts for facts in (notes.get("gpus") or {}).values())


def _put_row(notes: Notes, n: int, key: str, label: str, columns: list[str], cells: list[str], at_end: bool) -> None:
    notes.thing(n, "gpus", label)
    if at_end and len(cells) == len(columns) and cells[-1] != "0":
        notes.problem(n, "cut")
        cells = cells[:-1]
    elif len(cells) != len(columns):
        notes.problem(n, "cut" if len(cells) < len(columns) else "damaged")
        if len(cells) > len(columns):
            return
        cells = cells[:-1] if at_end else cells
    for column, cell in zip(columns, cells, strict=False):
        if column == label or known(cell) is None:
            continue
        value = _cell(key, cell)
        if value is None:
            notes.problem(n, "damaged", column)
        else:
            notes.put(n, value, "gpus", label, key, column)


def _cell(key: str, text: str) -> object:
    if key == "peers":
        return text if _RELATION.match(text) else None
    if key == "accessible":
        return {"true": True, "false": False, "enabled": True, "disabled": False}.get(text.lower())
    return number(text)


def _put_numa(notes: Notes, n: int, gpu: str, what: str, text: str) -> None:
    """The node that a GPU is on; the affinity repeats it. -1 is unknown."""
    node = number(text)
    notes.thing(n, "gpus", gpu)
    if what == "Affinity":
        notes.ignore(n, "no fact of ours")
    elif isinstance(node, int) and node >= 0:
        notes.put(n, node, "gpus", gpu, "numa_node")


def _read_json(block: Block) -> Iterator[Part]:
    notes = Notes("rocm-smi-topo", block)
    lines = block.lines
    text = lines.text
    start = len(text) - len(text.lstrip())
    try:
        tree, end = json.JSONDecoder().raw_decode(text, start)
    except ValueError:
        tree, end = {}, start
    if not isinstance(tree, dict):
        return
    first = lines.numbers[text.count("\n", 0, start)]
    last = lines.numbers[min(text.count("\n", 0, end), len(lines) - 1)]
    for name, entries in tree.items():
        card = re.fullmatch(r"card(\d+)", name)
        for key, value in entries.items() if isinstance(entries, dict) else ():
            pair = _PAIR.match(key)
            if card and key == "(Topology) Numa Node":
                _put_numa(notes, first, f"GPU{card[1]}", "Node", str(value))
            elif pair:
                found = _cell(_PAIR_KEYS[pair[1]], str(value))
                for one, other in ((pair[2], pair[3]), (pair[3], pair[2])):
                    notes.put(first, found, "gpus", f"GPU{one}", _PAIR_KEYS[pair[1]], f"GPU{other}")
    if notes.facts:
        notes.use_range(first, last)
        notes.count("gpus", "gpu_count")
        yield notes.part()


def _recognises(head: str) -> bool:
    return head.lstrip().startswith("{") and "(Topology)" in head


_ROCM_SMI = command("rocm-smi", "hy-smi", options=r"--showtopo\w*\b")
_AMD_SMI = command("amd-smi", options=r"topology\b")
READER = Reader(
    "rocm-smi-topo",
    read,
    commands=re.compile(f"(?:{_ROCM_SMI.pattern})|(?:{_AMD_SMI.pattern})"),
    starts=_START,
    recognises=_recognises,
)
