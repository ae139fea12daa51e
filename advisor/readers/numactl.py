"""`numactl -H` (`--hardware`): NUMA nodes with CPUs, memory and distances."""

import re
from collections.abc import Iterator

from advisor.base.ranges import range_text
from advisor.evidence.reading import Part
from advisor.readers._again import Runs
from advisor.readers.contract import Block, Notes, Reader, command
from advisor.readers.shapes import is_left_out, open_end

_AVAILABLE = re.compile(r"\s*available:\s+(\d+)\s+nodes?\s+\(([\d,-]+)\)\s*\Z")
_CPUS = re.compile(r"\s*node (\d+) cpus:((?:\s+\d+)*)\s*\Z")
_MEMORY = re.compile(r"\s*node (\d+) (size|free):\s+(\d+) ([kMG]B)\s*\Z")
_DISTANCES = re.compile(r"\s*node distances:\s*\Z")
_HEADER = re.compile(r"\s*node((?:\s+\d+)+)\s*\Z")
_ROW = re.compile(r"\s*(\d+):((?:\s+\d+)*)\s*\Z")
_MORE = re.compile(r"[\s\d]*\d\s*\Z")
_NODE = re.compile(r"\s*node \d+ (?:cpus|size|free):")
_NONE = re.compile(r"\s*(?:No NUMA (?:support|support available)|.*NUMA is not available|numactl: (?!command).*)")
_POLICY = re.compile(r"\s*(?:policy|preferred node|physcpubind|cpubind|nodebind|membind|preferred):")
_UNITS = {"kB": 2**10, "MB": 2**20, "GB": 2**30}


def read(block: Block) -> Iterator[Part]:
    runs = Runs("numactl", block, (("nodes", "node_count"),), _finish)
    reader = _Reader(runs, open_end(block.lines))
    for i, (n, text) in enumerate(block.lines):
        if text.strip() and not reader.line(i, n, text):
            break
    reader.close_cpus()
    reader.close_row()
    yield from runs.parts()


class _Reader:
    """State between lines: the node whose CPU list may go on, and the columns of the distances."""

    def __init__(self, runs: Runs, last: int | None) -> None:
        self.runs, self.last = runs, last
        self.node, self.at, self.cpus = "", 0, ""
        self.end = 0  # the last line of the list or row that may go on
        self.columns: list[str] = []
        self.in_distances = False
        self.row: tuple[int, str, str] | None = None

    def line(self, i: int, n: int, text: str) -> bool:
        notes = self.runs.notes
        cpus, memory = _CPUS.match(text), _MEMORY.match(text)
        available, row, header = _AVAILABLE.match(text), _ROW.match(text), _HEADER.match(text)
        if self.node and not (cpus or memory) and _MORE.match(text):
            self.cpus, self.end = _continued(self.cpus, text), n
            notes.use(n)
            return True
        self.close_cpus()
        if self.row and not row and _MORE.match(text):
            at, node, words = self.row
            self.end = n
            self.row = (at, node, f"{words}{text}" if len(f"{words} {text}".split()) > len(self.columns) else f"{words} {text}")
            notes.use(n)
            return True
        self.close_row()
        if self.in_distances and self.columns and not row and _MORE.match(text) and not notes.get("nodes", self.columns[0], "distances"):
            self.columns = _continued(" ".join(self.columns), text).split()
            notes.use(n)
            return True
        if available:
            if notes.get("nodes"):
                self.runs.begin(i)
            self.in_distances, self.columns = False, []
            self._available(n, int(available[1]), available[2])
        elif cpus:
            if notes.get("nodes", cpus[1], "cpu_count") is not None:
                self.runs.begin(i)
            self.runs.notes.thing(n, "nodes", cpus[1])
            self.node, self.at, self.end, self.cpus = cpus[1], n, n, cpus[2]
        elif memory:
            key = "memory_bytes" if memory[2] == "size" else "memory_free_bytes"
            notes.put(n, int(memory[3]) * _UNITS[memory[4]], "nodes", memory[1], key)
        elif _DISTANCES.match(text):
            self.in_distances = True
            notes.use(n)
        elif self.in_distances and header:
            self.columns = header[1].split()
            notes.use(n)
        elif self.in_distances and row:
            self.row, self.end = (n, row[1], row[2]), n
            notes.use(n)
        elif is_left_out(text):
            notes.problem(n, "left-out")
        elif _NONE.match(text):
            notes.problem(n, "tool-error")
        elif _POLICY.match(text):
            notes.ignore(n, "no fact of ours")
        elif notes.get("nodes") and (n == self.last or _NODE.match(text)):
            notes.problem(n, "cut" if n == self.last else "damaged")
        else:
            return False
        return True

    def _available(self, n: int, count: int, text: str) -> None:
        """The header counts: also nodes whose own lines are missing."""
        self.runs.notes.put(n, count, "node_count")
        named = _listed(text)
        if len(named) == count:
            for node in named:
                self.runs.notes.thing(n, "nodes", str(node))

    def close_cpus(self) -> None:
        """The CPU list of a node, once it cannot go on. At the end of a text its last number may be cut."""
        if not self.node:
            return
        notes, numbers = self.runs.notes, [int(word) for word in self.cpus.split()]
        if self.end != self.last:
            notes.put(self.at, range_text(numbers) or None, "nodes", self.node, "cpus")
            notes.put(self.at, len(numbers), "nodes", self.node, "cpu_count")
        else:
            notes.problem(self.at, "cut")
        self.node = ""

    def close_row(self) -> None:
        """The distances of a node, once their row cannot go on."""
        if self.row:
            n, node, words = self.row
            self.row = None
            self._distances(n, node, words.split())

    def _distances(self, n: int, node: str, words: list[str]) -> None:
        notes = self.runs.notes
        columns = self.columns or list(notes.get("nodes") or ())
        if len(words) > len(columns):
            notes.problem(n, "damaged")
            return
        # A distance is 10 or more (ACPI SLIT): the last figure of a text is whole in the last row's last cell only.
        whole = self.end != self.last or (len(words) == len(columns) and node == columns[-1] and int(words[-1]) >= 10)
        if len(words) < len(columns) or not whole:
            notes.problem(n, "cut")
            words = words if whole else words[:-1]
        for column, word in zip(columns, words, strict=False):
            notes.put(n, int(word), "nodes", node, "distances", column)


def _continued(before: str, more: str) -> str:
    """A wrapped CPU list: broken between two numbers, or inside one where the numbers would not ascend."""
    numbers = [int(word) for word in f"{before} {more}".split()]
    if numbers == sorted(numbers) or more[:1].isspace() or before[-1:].isspace():
        return f"{before} {more}"
    joined = before + more
    inside = [int(word) for word in joined.split()]
    return joined if inside == sorted(inside) else f"{before} {more}"


def _listed(text: str) -> list[int]:
    numbers: list[int] = []
    for span in text.split(","):
        first, _, last = span.partition("-")
        if first.isdecimal() and (last or first).isdecimal() and int(last or first) - int(first) < 4096:
            numbers += range(int(first), int(last or first) + 1)
    return numbers


def _finish(notes: Notes) -> None:
    """Distances that are missing in a cut row, from their mirror cells, flagged."""
    nodes = notes.get("nodes") or {}
    for node, facts in nodes.items():
        row = facts.get("distances")
        if row is None or all(other in row for other in nodes):
            continue
        line = notes.at.get(("nodes", node, "distances", next(iter(row), "")), notes.block.first)
        restored = {other: far["distances"][node] for other, far in nodes.items() if other not in row and node in far.get("distances", {})}
        for other, distance in restored.items():
            notes.put(line, distance, "nodes", node, "distances", other)
        if restored:
            notes.problem(line, "repaired", f"{node}: {', '.join(restored)}")


READER = Reader("numactl", read, commands=command("numactl", options=r"(?:-H|--hardware|-s|--show)\s*(?:[|;&>)2]|\Z)"), starts=_AVAILABLE)
