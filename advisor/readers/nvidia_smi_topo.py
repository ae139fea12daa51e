"""`nvidia-smi topo -m`, `-mp`, `-p2p`, and the same matrix of other vendors: which path joins GPUs and NICs of a machine."""

import re
from collections.abc import Iterator

from advisor.base.ranges import range_text
from advisor.evidence.reading import Part
from advisor.readers._topo_matrix import HEADER, matrices
from advisor.readers._topo_words import Matrix, is_device
from advisor.readers.contract import Block, Notes, Reader, command

# Nearest first; SOC is the old word for SYS, PSB a single on-board switch.
_NEARNESS = {"PIX": 0, "PSB": 0, "PXB": 1, "PHB": 2, "NODE": 3, "SYS": 4, "SOC": 4}
_ONLY_PCIE = re.compile(r"\s-mp\b|\s--matrix_pci\b")
_ACCESS = re.compile(r"\s(?:-p2p|--p2pstatus)[ =]*([rwnap])\b")
_ACCESS_WORDS = {"r": "read", "w": "write", "n": "nvlink", "a": "atomics", "p": "pcie"}
_BANNER = re.compile(r"\s*(?:=+.*=+|-+|\S+-smi\s+version.*|Timestamp\s*:.*|Attached \w+\s*:.*|Device link type matrix)\s*\Z", re.IGNORECASE)
_PREAMBLE = 25  # lines of banner that some vendors print between the command and the matrix


def read(block: Block) -> Iterator[Part]:
    notes: Notes | None = None
    kinds: set[bool] = set()
    start = 0
    for matrix, end in matrices(block.lines, _PREAMBLE if block.command else 0):
        if notes is None or matrix.is_access in kinds:
            if notes is not None:
                yield _closed(notes)
            lines = block.lines[start:]
            notes = Notes("nvidia-smi-topo", block if start == 0 else Block(lines, None, block.host, matrix.line))
            kinds = set()
            for n, text in lines.inked() if start == 0 else ():
                if n >= matrix.line:
                    break
                if _BANNER.match(text):
                    notes.ignore(n, "banner")
        kinds.add(matrix.is_access)
        start = end
        _put(notes, matrix)
        if _ONLY_PCIE.search(block.command or ""):
            notes.put(block.first, True, "nvlink_hidden")
    if notes is not None:
        yield _closed(notes)


def _closed(notes: Notes) -> Part:
    notes.count("gpus", "gpu_count")
    return notes.part()


def _put(notes: Notes, matrix: Matrix) -> None:
    notes.use(*matrix.used)
    for line, why, detail in matrix.problems:
        notes.problem(line, why, detail)
    names = {label: matrix.names.get(label, label) for label in matrix.labels}
    for label in matrix.devices:
        row = matrix.rows.get(label)
        notes.thing(row.line if row else matrix.line, "gpus", label)
        if row and matrix.is_access:
            for other, access in row.cells.items():
                if other != label:
                    notes.put(row.line, access, "gpus", label, "p2p", other)
        elif row:
            _put_device(notes, matrix, label, names)
    if matrix.is_access:
        capability = _ACCESS.search(notes.block.command or "")
        if capability:
            notes.put(notes.block.first, _ACCESS_WORDS[capability[1]], "p2p_capability")
        return
    for label in matrix.nics:
        row = matrix.rows.get(label)
        notes.thing(row.line if row else matrix.line, "nics", names[label])
        for other, relation in row.cells.items() if row else ():
            if other != label and not is_device(other):
                notes.put(row.line if row else matrix.line, relation, "nics", names[label], "peers", names[other])
    if matrix.nics and matrix.is_whole:
        notes.put(matrix.line, len(matrix.nics), "nic_count")


def _put_device(notes: Notes, matrix: Matrix, label: str, names: dict[str, str]) -> None:
    row = matrix.rows[label]
    for other, relation in row.cells.items():
        if other != label:
            notes.put(row.line, relation, "gpus", label, "peers" if is_device(other) else "nics", names[other])
    known = {nic: row.cells[nic] for nic in matrix.nics if row.cells.get(nic) in _NEARNESS}
    if known and len(known) == len(matrix.nics) and matrix.is_whole:
        nearest = min(known.values(), key=_NEARNESS.__getitem__)
        notes.put(row.line, nearest, "gpus", label, "best_nic_relation")
        best = [names[nic] for nic in known if _NEARNESS[known[nic]] == _NEARNESS[nearest]]
        notes.put(row.line, best, "gpus", label, "best_nics")
    for key, value in row.tail.items():
        notes.put(row.line, _cpus(value) if key == "cpus" else int(value) if value.isdecimal() else value, "gpus", label, key)


def _cpus(text: str) -> str:
    """A CPU list as ascending ranges; as printed where it is none."""
    spans = [span.split("-") for span in text.split(",")]
    if any(int(span[-1]) - int(span[0]) > 65536 for span in spans):
        return text
    return range_text(n for span in spans for n in range(int(span[0]), int(span[-1]) + 1))


READER = Reader(
    "nvidia-smi-topo",
    read,
    commands=command(r"(?:nvidia|mx|ppu|npu|hy|xpu|ef)-?smi", "ixsmi", "mthreads-gmi", "cnmon", options=r"\b(?:topo|topology)\b"),
    starts=HEADER,
)
