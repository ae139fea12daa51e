"""NCCL's own log (`NCCL_DEBUG=INFO`), also RCCL's: networks, hops by transport, environment, and the system tree of the GRAPH subsystem."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from advisor.capture.secrets import MARK, is_secret
from advisor.evidence.reading import Part
from advisor.readers.contract import Block, Notes, Reader
from advisor.readers.shapes import is_left_out, number, open_end

TOOL = "nccl-log"
_LEVEL = r"\[-?\d+\](?: \S+:\d+)? NCCL (?P<level>INFO|WARN|TRACE) ?"
_LINE = re.compile(r"(?:[^\[]{0,120}+\[[^\]]{0,60}+\]){1,3}?(?: \S{1,200}:\d+)? NCCL (?:INFO|WARN|TRACE)\b|\s*NCCL INFO \S")
# Host, process and thread may stand behind a time or a rank; a log that was copied by hand may have lost all of it, the device too.
_HEAD = re.compile(
    rf"(?:.{{0,160}}?(?<![\w.-]))??(?P<host>(?!\d+:)[A-Za-z\d][\w.-]{{0,63}}+):\d+:\d+ {_LEVEL}"
    rf"|.{{0,160}}?{_LEVEL.replace('?P<level>', '?P<level_alone>')}|\s*NCCL (?P<level_bare>INFO|WARN|TRACE) "
)
_VERSION = re.compile(r"NCCL version (\d+\.\d+(?:\.\d+)?)")
_BOOTSTRAP = re.compile(r"Bootstrap ?: Using (?:\[\d+\])?(?P<interface>[\w.@-]+):")
_NETWORK = re.compile(r"NET/(?P<name>[\w .-]+?) ?: Using ")
_PORT = re.compile(r"(?:\[\d+\] ?)?(?P<device>[\w.-]+):(?P<port>\d+)/(?P<layer>IB|RoCE)\b")
_OOB = re.compile(r"\bOOB (?P<interface>[\w.@-]+):")
_CHOSEN = re.compile(r"Using network (?P<name>\S.*?)\s*\Z")
_RANKS = re.compile(r"\bn[rR]anks (?P<ranks>\d+)\b")
_NODES = re.compile(r"\bnNodes (?P<nodes>\d+)\b")
_RING = re.compile(r"(?:Channel|Ring) (?P<channel>\d+)/(?P<count>\d+) ?:(?P<ranks>(?:\s+\d+)+)\s*\Z")
_CHANNELS = re.compile(r"(?P<count>\d+) coll channels")
_HOP = re.compile(r"(?:Channel|Ring|CollNet|CollNetDirect|CollNetChain|NVLS|Tree)\b.*?->.*?\bvia (?P<way>\S.*?)\s*\Z")
_NET_DEVICE = re.compile(r"NET/[^/]+/(?P<device>\d+)")
_ENVIRONMENT = re.compile(r"(?P<name>[A-Z][A-Z0-9_]+) set by environment to (?P<value>.*?)\.?\s*\Z")
_SYSTEM = re.compile(r"=== System : max(?:Bw|Width) (?P<most>[\d.]+) total(?:Bw|Width) (?P<total>[\d.]+) ===")
_ROOT = re.compile(r"(?P<name>CPU/[\w-]+)\b")
_BRANCH = re.compile(r"(?P<indent>\s*)\+ (?P<link>[A-Z0-9]+)\[(?P<bw>[\d.]+)\] - (?P<name>\S+)")
_TREE_LINKS = {"PCI", "NET", "C2C"}  # the others (NVL, SYS) join peers
_RAW_VERSION = re.compile(r"(?:^|[\s:>|])NCCL version (?P<version>\d+\.\d+(?:\.\d+)?)\+")
_NEAR = 2000  # lines around the log that may hold the bare version line


@dataclass(slots=True)
class _Run:
    """What one job's log says; counts and sets close it."""

    notes: Notes
    hosts: set[str | None] = field(default_factory=set)
    networks: dict[str, int] = field(default_factory=dict)
    net_devices: set[int] = field(default_factory=set)
    net_at: int = 0
    hops: dict[str, int] = field(default_factory=dict)
    gdrdma: int = 0
    warnings: int = 0
    ranks: int = 0
    channels: int = 0
    parents: list[tuple[int, str]] = field(default_factory=list)
    lines: int = 0
    flat_at: int = 0  # where a tree shows that it lost its indentation


def read(block: Block) -> Iterator[Part]:
    run = _Run(Notes(TOOL, block))
    cut = open_end(block.lines)
    begun = 0
    for i, (n, text) in enumerate(block.lines):
        for host, level, message in _messages(text, run.hosts):
            if run.hops and _VERSION.match(message):  # a job prints its version once, before its channels
                yield from _closed(run, block, begun, i)
                begun, run = i, _Run(Notes(TOOL, block))
            run.hosts.add(host)
            run.lines += 1
            _message(run, n, level, message, n == cut)
        if is_left_out(text):
            run.notes.problem(n, "left-out")
    yield from _closed(run, block, begun, len(block.lines))


def _messages(text: str, hosts: set[str | None]) -> Iterator[tuple[str | None, str, str]]:
    """Host, level and message of a line; of several where two processes wrote into one line and their host is known."""
    if text.count(" NCCL ") > 1:
        known = "|".join(re.escape(host) for host in sorted(filter(None, hosts)))
        pieces = re.split(rf"(?<=\S)(?=(?:{known}):\d+:\d+ \[\d+\] NCCL )", text) if known else [text]
    else:
        pieces = [text]
    for piece in pieces:
        head = _HEAD.match(piece[:400])
        if head:
            yield head["host"], head["level"] or head["level_alone"] or head["level_bare"], piece[head.end() :]


def _message(run: _Run, n: int, level: str, message: str, is_open: bool) -> None:
    notes = run.notes
    notes.use(n)
    if level == "WARN":
        run.warnings += 1
        return
    if is_open:
        notes.problem(n, "cut")
    elif hop := _HOP.match(message):
        _hop(run, n, hop["way"])
    elif branch := _BRANCH.match(message):
        _branch(run, n, branch)
    elif found := _ENVIRONMENT.match(message):
        _keep(notes, n, MARK if is_secret(found["name"]) else found["value"], "env", found["name"])
    elif found := _RING.match(message):
        run.channels = max(run.channels, int(found["count"]))
        run.ranks = max(run.ranks, len(found["ranks"].split()))
        notes.at.setdefault(("rank_count",), n)
        notes.at.setdefault(("channel_count",), n)
    elif found := _SYSTEM.search(message):
        _keep(notes, n, number(found["most"]), "max_bw_gBps")
        _keep(notes, n, number(found["total"]), "total_bw_gBps")
        run.parents = []
    elif (found := _ROOT.match(message)) and notes.get("max_bw_gBps") is not None:
        run.parents = [(-1, found["name"])]
    else:
        _setting(run, n, message)


def _setting(run: _Run, n: int, message: str) -> None:
    notes = run.notes
    if found := _VERSION.match(message):
        _keep(notes, n, found[1], "nccl_version")
    elif found := _BOOTSTRAP.match(message):
        _keep(notes, n, found["interface"], "bootstrap_interface")
    elif found := _NETWORK.match(message):
        run.networks.setdefault(found["name"], n)
        for port in _PORT.finditer(message):
            layer = "infiniband" if port["layer"] == "IB" else "ethernet"
            _keep(notes, n, layer, "ports", f"{port['device']}/{int(port['port'])}", "link_layer")
        oob = _OOB.search(message)
        if oob:
            _keep(notes, n, oob["interface"], "oob_interface")
    elif found := _CHOSEN.match(message):
        _keep(notes, n, found["name"], "network")
    elif found := _CHANNELS.search(message):
        run.channels = max(run.channels, int(found["count"]))
        notes.at.setdefault(("channel_count",), n)
    elif found := _RANKS.search(message):
        run.ranks = max(run.ranks, int(found["ranks"]))
        notes.at.setdefault(("rank_count",), n)
        nodes = _NODES.search(message)
        if nodes and int(nodes["nodes"]) > (notes.get("host_count") or 0):
            notes.put(n, int(nodes["nodes"]), "host_count")


def _keep(notes: Notes, n: int, value: object, *path: str) -> None:
    if notes.get(*path) is None:
        notes.put(n, value, *path)


def _hop(run: _Run, n: int, way: str) -> None:
    transport = way.partition("/")[0].strip().lower()
    transport = "shm" if "shared memory" in way else transport
    run.hops[transport] = run.hops.get(transport, 0) + 1
    run.notes.at.setdefault(("hops", transport), n)
    if transport == "net":
        run.gdrdma += "GDRDMA" in way
        device = _NET_DEVICE.match(way)
        if device:
            run.net_devices.add(int(device["device"]))
        run.net_at = run.net_at or n


def _branch(run: _Run, n: int, branch: re.Match[str]) -> None:
    depth = len(branch["indent"].replace("\t", " " * 8))
    while run.parents and run.parents[-1][0] >= depth:
        run.parents.pop()
    name = branch["name"]
    if branch["link"] in _TREE_LINKS and run.parents:
        parent = run.parents[-1][1]
        run.flat_at = run.flat_at or (n if branch["link"] == "NET" and not parent.startswith("NIC") else 0)
        _keep(run.notes, n, parent, "tree", name, "parent")
        _keep(run.notes, n, number(branch["bw"]), "tree", name, "link_gBps")
    run.parents.append((depth, name))


def _closed(run: _Run, block: Block, begun: int, end: int) -> Iterator[Part]:
    notes = run.notes
    if not run.lines:
        return
    lines = block.lines[begun:end]
    _bare_version(notes, block, lines.numbers[0], lines.numbers[-1])
    if run.networks:
        at = min(run.networks.values())
        notes.put(at, list(run.networks), "networks")
        if notes.get("network") is None and len(run.networks) == 1:
            notes.put(at, next(iter(run.networks)), "network")
    for key, count in (("rank_count", run.ranks), ("channel_count", run.channels)):
        if count:
            notes.facts[key] = count
        else:
            notes.at.pop((key,), None)
    if run.hops:
        notes.facts["hops"] = run.hops
    if "net" in run.hops:
        notes.put(run.net_at, run.gdrdma, "gdrdma_hops")
        notes.put(run.net_at, sorted(run.net_devices), "net_devices")
    notes.facts["warning_count"] = run.warnings
    if run.flat_at:
        notes.problem(run.flat_at, "damaged")
        for name, branch in notes.facts["tree"].items():
            branch.pop("parent", None)
            notes.at.pop(("tree", name, "parent"), None)
    notes.count("ports", "port_count")
    hosts = run.hosts - {None}
    notes.host = next(iter(hosts)) if len(hosts) == 1 else None
    notes.block = Block(lines, block.command, None if hosts else block.host, block.first if begun == 0 else lines.numbers[0])
    if len(notes.facts) > 1 or run.warnings:
        yield notes.part()


def _bare_version(notes: Notes, block: Block, first: int, last: int) -> None:
    """The version that rank 0 prints on a line of its own, without the log's prefix."""
    if notes.get("nccl_version") is not None:
        return
    raw = block.lines.raw
    for n in range(max(first - 20, 1), min(last, first + _NEAR, len(raw)) + 1):
        found = _RAW_VERSION.search(raw[n - 1][:200])
        if found:
            notes.facts["nccl_version"] = found["version"]
            notes.at["nccl_version",] = n
            return


READER = Reader(TOOL, read, line=_LINE)
