"""Dumps of `/sys/class/infiniband` (`grep . path/*`, `cat`, `head`, loops), and the show_counters scripts."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from advisor.evidence.reading import Part
from advisor.readers._again import Runs
from advisor.readers._loops import loop_names
from advisor.readers._rdma_counters import COMMON, common
from advisor.readers._titles import title_above, titled_name
from advisor.readers.contract import Block, Notes, Reader, command
from advisor.readers.shapes import integer, is_left_out, known, leading_number, link_layer, open_end, physical_state, port_state

TOOL = "sysfs-ib-counters"
_DEVICE = r"(?P<device>[A-Za-z][\w.-]*)"
# The path of a file of a port or a device, in any of its forms, also below /sys/devices and relative.
_PATH = (
    rf"(?:\S*/infiniband/|(?:\./)?){_DEVICE}/(?:ports/(?P<port>\d+)/)?(?P<kind>hw_counters/|counters/|device/)?(?P<file>[A-Za-z][\w.-]*)"
)
_PATH_VALUE = re.compile(rf"\s*\"?{_PATH}\"?\s*(?::|=|\s)\s*(?P<value>\S.*)\Z")
_PATH_TITLE = re.compile(rf"\s*(?:==>\s*)?{_PATH}\s*(?:<==|:)?\s*\Z")
_PORT_PATH = re.compile(
    rf"\s*(?:==>|[=#*-]{{2,}})?\s*(?:\S*/infiniband/){_DEVICE}(?:/ports/(?P<port>\d+))?(?:/(?:hw_)?counters)?/?\s*(?:<==|[=#*-]{{2,}}|:)?\s*\Z"
)
_NAMED_VALUE = re.compile(r"\s*(?P<name>[A-Za-z][\w.-]*)\s*[:=]\s*(?P<value>\S.*?)\s*\Z")
_PORT_HEADING = re.compile(r"\s*(?:(?P<device>[a-z]\w*)\s+)?[Pp]ort (?P<port>\d+)\b.*counters:?\s*\Z")
_RATE = re.compile(r"(?P<rate>\d+(?:\.\d+)?) Gb/sec(?: \((?P<width>\d+)[Xx](?: (?P<speed>[A-Z]+\d*))?\))?")
_DEVICE_NAME = re.compile(r"(?:mlx|roce|ib|irdma|bnxt|hfi|efa|erdma|ionic|qedr|hns|cxgb)\w*\d(?:/\d+)?\Z")
_ERROR = re.compile(r"\w+: .*(?:No such file|Invalid argument|Permission denied|Input/output error)|command not found")
_OF_COMMAND = re.compile(r"\S*/infiniband/\S+")
_SHOW = re.compile(r"\b(?:show_counters|show_rdma_counters|show_rdma_hw_counters)\s+(?P<device>[A-Za-z]\w*)(?:\s+(?P<port>\d+))?")
_BRACES = re.compile(r"\{([^{}]*,[^{}]*)\}")
_FACTS: dict[str, tuple[str, Callable[[str], object]]] = {
    "state": ("state", port_state),
    "phys_state": ("physical_state", physical_state),
    "lid": ("lid", integer),
    "sm_lid": ("sm_lid", integer),
    "link_layer": ("link_layer", link_layer),
    "fw_ver": ("firmware", known),
    "hca_type": ("model", known),
    "numa_node": ("numa_node", integer),
}
_OTHER_FILES = {
    "board_id",
    "cap_mask",
    "hw_rev",
    "lid_mask_count",
    "node_desc",
    "node_guid",
    "node_type",
    "sm_sl",
    "sys_image_guid",
    "uevent",
    "vendor",
}


@dataclass(frozen=True, slots=True)
class _File:
    """A file of a device or port; `kind` is the folder below it, with its slash."""

    device: str | None
    port: str | None
    kind: str
    name: str

    @property
    def of(self) -> str:
        """The name of the port: of the device alone where no port is named, #1 where no device is."""
        return f"{self.device}/{int(self.port)}" if self.device and self.port else self.device or "#1"


def _file(found: re.Match[str]) -> _File:
    return _File(found["device"], found["port"], found["kind"] or "", found["file"])


_GONE_TO = re.compile(rf"\bcd\s+\S*/infiniband/{_DEVICE}/ports/(?P<port>\d+)(?=[/\s;&]|\Z)")


@dataclass(slots=True)
class _State:
    """The port that lines without a path belong to, the file that the next line is the value of, paths that a command lists."""

    device: str | None = None
    port: str | None = None
    pending: _File | None = None
    paths: list[str] = field(default_factory=list)
    seen: dict[tuple[str, str], str] = field(default_factory=dict)
    headings: list[int] = field(default_factory=list)
    is_broken: bool = False  # a line of something else stands between


def read(block: Block) -> Iterator[Part]:
    runs = Runs(TOOL, block, (("ports", "port_count"),))
    state = _state(block)
    cut = open_end(block.lines)
    for i, (n, text) in enumerate(block.lines):
        if not text.strip():
            continue
        if len(text) < 4000:
            _text(runs, state, i, n, text, n == cut)
    yield from runs.parts()


def _state(block: Block) -> _State:
    """What the command line says of the lines that follow: the port of show_counters, the files of cat."""
    shown = _SHOW.search(block.command or "")
    if shown:
        return _State(shown["device"], shown["port"])
    listed = _OF_COMMAND.findall(_GONE_TO.sub("", block.command or ""))
    if len(listed) == 1 and "$" in listed[0]:
        listed = loop_names(block.command, listed[0])
    paths = [path for word in listed for path in _expanded(word.strip("\"';"))]
    state = _State(paths=[] if any(mark in path for path in paths for mark in "*$`?") else paths)
    where = re.search(rf"/infiniband/{_DEVICE}/ports/(?P<port>\d+)/", listed[0]) if listed else _GONE_TO.search(block.command or "")
    if where:
        state.device, state.port = where["device"], where["port"]
    elif not block.command:
        above = title_above(block.lines, block.first)
        state.device = above if above and _DEVICE_NAME.match(above) else None
    return state


def _expanded(path: str) -> list[str]:
    """The paths of a word with braces: `a/{b,c}` is a/b and a/c."""
    match = _BRACES.search(path)
    if not match:
        return [path]
    return [done for word in match[1].split(",") for done in _expanded(path[: match.start()] + word + path[match.end() :])][:256]


def _text(runs: Runs, state: _State, i: int, n: int, text: str, is_open: bool) -> None:
    notes = runs.notes
    if _ERROR.match(text) and not state.is_broken:
        notes.problem(n, "tool-error")
    elif state.pending and not _PATH_TITLE.match(text):
        _put(runs, state, i, n, state.pending, text.strip(), is_open)
        state.pending = None
    elif (found := _PATH_TITLE.match(text)) and _is_file(found) and not is_open:
        notes.use(n)
        state.pending = _file(found)
    elif (found := _PORT_PATH.match(text)) or (found := _PORT_HEADING.match(text)):
        state.device, state.port = found["device"] or state.device, found["port"]
        state.headings.append(n)
    elif (found := _PATH_VALUE.match(text)) and _is_file(found):
        _put(runs, state, i, n, _file(found), found["value"].strip(), is_open)
    elif (found := _NAMED_VALUE.match(text)) and _is_ours(runs, state, found["name"]):
        kind = "" if found["name"] in _FACTS or found["name"] == "rate" else "counters/"
        _put(runs, state, i, n, _File(state.device, state.port, kind, found["name"]), found["value"], is_open)
    elif state.paths and (found := _PATH_TITLE.match(state.paths[0])):
        del state.paths[0]
        _put(runs, state, i, n, _file(found), text.strip(), is_open)
    elif is_left_out(text) and not state.is_broken:
        notes.problem(n, "left-out")
    elif (name := titled_name(text)) and _DEVICE_NAME.match(name):
        state.device, state.port = name.partition("/")[0], name.partition("/")[2] or None
        state.headings.append(n)
        state.is_broken = False
    else:
        state.is_broken = True


def _is_file(found: re.Match[str]) -> bool:
    """Whether a path is one of a device's or a port's files; other words with a slash are not ours."""
    return bool(found["port"] or found["kind"]) or found["file"] in (*_FACTS, "rate", *_OTHER_FILES)


def _is_ours(runs: Runs, state: _State, name: str) -> bool:
    """Whether `name: value` is a counter: any behind the command or another counter, but behind another tool's line only a known one."""
    return name in COMMON or (not state.is_broken and (runs.block.command is not None or runs.notes.get("ports") is not None))


def _put(runs: Runs, state: _State, i: int, n: int, file: _File, value: str, is_open: bool) -> None:
    before = state.seen.get((file.of, file.kind + file.name))
    if before is not None and before != value:
        runs.begin(i)
        state.seen.clear()
    state.seen[file.of, file.kind + file.name] = value
    notes = runs.notes
    notes.use(*state.headings)
    state.headings.clear()
    state.is_broken = False
    where = ("ports", file.of)
    if is_open:
        notes.problem(n, "cut")
    elif "counters" in file.kind:
        _counter(notes, n, where, file.name, value)
    elif file.name == "rate":
        _rate(notes, n, where, value)
    elif file.name in _FACTS:
        fact, as_value = _FACTS[file.name]
        read_in = as_value(value)
        notes.put(n, None if fact == "numa_node" and read_in == -1 else read_in, *where, fact)
    else:
        notes.ignore(n, "no fact of ours")


def _counter(notes: Notes, n: int, where: tuple[str, str], raw: str, value: str) -> None:
    if not value.isdecimal():
        notes.use(n)
        if known(value.split()[0]) is not None:
            notes.problem(n, "not-a-number")
        return
    notes.put(n, int(value), *where, "counters", raw)
    named = common(raw, int(value))
    if named:
        notes.put(n, named[1], *where, named[0])


def _rate(notes: Notes, n: int, where: tuple[str, str], value: str) -> None:
    match = _RATE.match(value)
    if not match:
        notes.put(n, leading_number(value), *where, "rate_gbps")
        return
    rate = float(match["rate"])
    notes.put(n, int(rate) if rate.is_integer() else rate, *where, "rate_gbps")
    notes.put(n, int(match["width"]) if match["width"] else None, *where, "width")
    notes.put(n, match["speed"], *where, "ib_speed")


_SCRIPTS = command("show_counters", "show_rdma_counters", "show_rdma_hw_counters")
_CATS = command(
    *("cat", "cd", "[ef]?grep", "head", "tail", "more", "less", "find", "for", "while"),
    options=r"/infiniband/[\w*$%{}?-]+/(?:ports\b|(?:hw_)?counters\b|fw_ver|hca_type|device/numa_node|\*)",
)

READER = Reader(
    TOOL,
    read,
    commands=re.compile(f"{_CATS.pattern}|{_SCRIPTS.pattern}"),
    starts=re.compile(
        r"\s*(?:==>\s*)?[A-Za-z][\w.-]*/ports/\d+/(?:hw_)?counters/|"
        r"\s*(?:==>\s*)?\S*/infiniband/[\w.-]+/(?:ports/\d+/)?(?:(?:hw_)?counters/|rate\b|state\b|phys_state\b|link_layer\b|fw_ver\b|hca_type\b|lid\b)|"
        r"\s*(?:port_(?:rcv|xmit)_(?:data|packets|discards|wait)|np_ecn_marked_roce_packets|np_cnp_sent|rp_cnp_handled|roce_adp_retrans|implied_nak_seq_err)\s*[:=]\s*\d"
    ),
)
