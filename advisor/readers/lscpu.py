"""`lscpu` (text in English or Chinese, and `-J`): sockets, CPUs and NUMA nodes of a host."""

import json
import re
from collections.abc import Iterator

from advisor.base.ranges import range_text
from advisor.evidence.reading import Part
from advisor.readers.contract import Block, Notes, Reader, command
from advisor.readers.shapes import integer, is_left_out, key_value, known, open_end

_NODE = re.compile(r"NUMA (?:node|节点)\s?(\d+)(?: CPU(?:\(s\))?)?\Z")
_LIST = re.compile(r"\d+(?:-\d+)?(?:,\d+(?:-\d+)?)*\Z")
_START = re.compile(
    r"\s*(?:Architecture|架构)\s*:\s+(?:x86_64|aarch64|ppc64\w*|s390x|i\d86|arm\w*)\s*\Z"
    r"|\s*NUMA (?:node|节点)\s?0 CPU(?:\(s\))?\s*:\s*(?:[\d,-]+\s*)?\Z"
)
_TABLE = re.compile(r"\s*CPU +(?:\w+ +)*NODE\b")
_PARSABLE = re.compile(r"# The following is the parsable format")
_OTHER = re.compile(
    r"Architecture|CPU op-mode|Byte Order|Address sizes|O(?:n|ff)-line CPU|Cluster|Core\(s\)|Drawer|Book|Vendor ID|BIOS |CPU |CPU\(s\)"
    r"|Model|Stepping|BogoMIPS|Virtuali[sz]ation|Hypervisor|L\d[di]? cache|Caches|NUMA|Flags|Frequency boost"
    r"|Dispatching mode|Vulnerabilit|.*[\u4e00-\u9fff]"
)
_KEYS = {
    "CPU(s)": "cpu_count",
    "CPU": "cpu_count",
    "Thread(s) per core": "threads_per_core",
    "每个核的线程数": "threads_per_core",
    "Core(s) per socket": "cores_per_socket",
    "每个座的核数": "cores_per_socket",
    "Socket(s)": "socket_count",
    "座": "socket_count",
    "NUMA node(s)": "node_count",
    "NUMA 节点": "node_count",
}
_MODEL = ("Model name", "型号名称")
_ELEMENT = re.compile(r'"field"\s*:\s*"([^"]*)"\s*,\s*"data"\s*:\s*(?:"([^"]*)"|null)')


def read(block: Block) -> Iterator[Part]:
    notes = Notes("lscpu", block)
    head = next((text for _, text in block.lines.inked()), "")
    if head.lstrip().startswith("{"):
        _read_json(notes)
    elif _TABLE.match(head) or _PARSABLE.match(head):
        _read_table(notes)
    else:
        _read_text(notes)
    if notes.get("node_count") is None:  # filtered out: the nodes listed count
        notes.count("nodes", "node_count")
    if not notes.is_empty:
        yield notes.part()


def _read_text(notes: Notes) -> None:
    last = open_end(notes.block.lines)
    for n, text in notes.block.lines:
        if not text.strip():
            continue
        entry = key_value(text)
        if is_left_out(text):
            notes.problem(n, "left-out")
        elif entry is None and n == last and notes.facts:
            notes.problem(n, "cut")
        elif entry and n == last:
            notes.problem(n, "cut")  # the value may go on
        elif entry and _entry(notes, n, entry.key, entry.value):
            continue
        elif text[0].isspace() or (entry and _OTHER.match(entry.key)):
            notes.ignore(n, "no fact of ours")
        else:
            break


def _read_table(notes: Notes) -> None:
    """`lscpu -e` and `-p`: one line for each CPU, with its node."""
    columns: list[str] = []
    nodes: dict[str, list[int]] = {}
    first: dict[str, int] = {}
    last = open_end(notes.block.lines)
    for n, text in notes.block.lines.inked():
        cells = text.strip().lstrip("# ").lower().split("," if "," in text else None)
        if text.startswith("#") or not cells[0].strip().isdecimal():
            if {"cpu", "node"} <= set(cells):
                columns = cells
            elif not text.startswith("#"):
                break
            notes.use(n)
        elif not columns or len(cells) <= max(columns.index("node"), columns.index("cpu")) or n == last:
            continue
        elif (node := cells[columns.index("node")]).isdecimal() and cells[columns.index("cpu")].isdecimal():
            nodes.setdefault(node, []).append(int(cells[columns.index("cpu")]))
            first.setdefault(node, n)
            notes.use(n)
        elif node.strip("-") == "":
            notes.ignore(n, "CPU that is offline")  # its node is not known
        else:
            notes.problem(n, "cut" if n == last else "damaged")
    for node, cpus in nodes.items():
        notes.put(first[node], range_text(cpus), "nodes", node, "cpus")
        notes.put(first[node], len(set(cpus)), "nodes", node, "cpu_count")
    if nodes:
        notes.put(min(first.values()), sum(len(set(cpus)) for cpus in nodes.values()), "cpu_count")


def _entry(notes: Notes, n: int, key: str, value: str) -> bool:
    node = _NODE.match(key)
    if node:
        notes.thing(n, "nodes", node[1])
        if value and not _LIST.match(value):
            notes.problem(n, "damaged")
            return True
        cpus = [cpu for span in value.split(",") if span for cpu in _span(span)]
        notes.put(n, range_text(cpus) or None, "nodes", node[1], "cpus")
        notes.put(n, len(cpus), "nodes", node[1], "cpu_count")
    elif key in _KEYS:
        notes.put(n, integer(value), _KEYS[key])
    elif key in _MODEL:
        notes.put(n, known(value), "model")
    else:
        return False
    return True


def _span(text: str) -> range:
    first, _, last = text.partition("-")
    return range(int(first), min(int(last or first), int(first) + 65536) + 1)


def _read_json(notes: Notes) -> None:
    """`lscpu -J`: pairs of field and data, however they are nested."""
    lines = notes.block.lines
    first, text = lines.numbers[0], lines.text
    try:
        _, end = json.JSONDecoder().raw_decode(text.lstrip())
        text = text[: end + len(text) - len(text.lstrip())]
        size = text.count("\n")
    except ValueError:
        size = len(lines) - 1
        notes.problem(lines.numbers[-1], "cut")
    notes.use_range(first, lines.numbers[min(size, len(lines) - 1)])
    at = before = 0
    for match in _ELEMENT.finditer(text):
        at, before = at + text.count("\n", before, match.start()), match.start()
        _entry(notes, lines.numbers[at], match[1].rstrip(":").strip(), (match[2] or "").strip())


def _recognises(head: str) -> bool:
    return head.lstrip().startswith("{") and re.search(r'"lscpu"\s*:', head[:200]) is not None


READER = Reader(
    "lscpu",
    read,
    commands=command("lscpu"),
    starts=re.compile(rf"{_START.pattern}|{_TABLE.pattern} +SOCKET +CORE\b|{_PARSABLE.pattern}"),
    recognises=_recognises,
)
