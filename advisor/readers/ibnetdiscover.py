"""`ibnetdiscover` (infiniband-diags): the topology file, `--ports`, `--list`, and ibhosts, ibswitches, ibnodes made of it."""

import re
from collections.abc import Iterator

from advisor.evidence.reading import Part
from advisor.readers._fabric import Fabric, guid, peer_facts, speed, width, wrapped
from advisor.readers.contract import Block, Notes, Reader, command

_KINDS = {"switch": "switches", "ca": "cas", "rt": "routers", "router": "routers", "sw": "switches"}
_HEX = "[0-9a-fA-F]"
_PORT_0 = r"(?:base|enhanced) port 0"
_NODE = re.compile(
    rf'\s*(Switch|Ca|Rt)\s+(\d+)\s+"([SHR])-({_HEX}{{1,16}})"\s*#\s*"(.*)"(?:\s+{_PORT_0})?(?:\s+lid (\d+) lmc \d+)?\s*\Z',
)
_EXT = r"(?:\[ext \d+\])?"
_END = rf'"(?P<peer_kind>[SHR])-(?P<peer_id>{_HEX}{{1,16}})"\s*+\[(?P<peer_port>\d+)\]{_EXT}\s*+(?:\((?P<peer_guid>{_HEX}+)\)\s*+)?#\s*+'
_SPEED = r"(?:\s+(?P<width>\d{1,2})[xX](?P<speed>[A-Z]{3}\d*|\?+))?(?P<rest>(?:\s+(?:s|w|v|e|slot)[ =]?\d+)*)"
_OTHER = rf'"(?P<peer>.*)"\s+lid (?P<peer_lid>\d+){_SPEED}\s*\Z'
_SWITCH_PORT = re.compile(rf"\s*+\[(?P<port>\d+)\]{_EXT}\s*+{_END}{_OTHER}")
_CA_PORT = re.compile(rf"\s*+\[(?P<port>\d+)\]\s*+(?:\((?P<guid>{_HEX}+)\)\s*+)?{_END}lid (?P<lid>\d+) lmc \d+\s+{_OTHER}")
_ANY_PORT = re.compile(r'\s*\[\d+\](?:\[ext \d+\])?\s*(?:\([0-9a-fA-F]+\)\s*)?"?')
_IDS = re.compile(r"\s*(vendid|devid|sysimgguid|switchguid|caguid|rtguid)=0x([0-9a-fA-F]+)")
_ASIDE = re.compile(r"\s*(?:#|Chassis \d|Non-Chassis Nodes|(?:Spine|Line|Leaf) (?:Nodes|\d)|DR path slid |Faked topology)")
_ROW = re.compile(
    r"\s*(?P<kind>CA|SW|RT)\s+(?P<lid>\d+)\s+(?P<port>\d+)\s+(?P<guid>0x[0-9a-fA-F]+)\s+"
    r"(?P<width>\d{1,2}[xX]|\?+)\s+(?P<speed>[A-Z]{3}\d*|\?+)(?:\s+[svwe]=\d+)*\s+"
    r"(?:-\s+(?:CA|SW|RT)\s+(?P<peer_lid>\d+)\s+(?P<peer_port>\d+)\s+(?P<peer_guid>0x[0-9a-fA-F]+)\s+"
    r"\(\s*'(?P<name>.*)'\s+-\s+'(?P<peer>.*)'\s*\)|'(?P<alone>.*)')\s*\Z"
)
_ANY_NODE = re.compile(r"\s*(?:Switch|Ca|Rt)\s")
_BEGINS = re.compile(r"\s*(?:\[\d+\]|(?:Switch|Ca|Rt)\s|vendid=|#|Chassis)")
_TITLE = re.compile(r"\s*# Topology file")
_ANY_ROW = re.compile(r"\s*(?:CA|SW|RT)\s+\d+\s+\d+\s+0x[0-9a-fA-F]")
_LISTED = re.compile(
    r"\s*(Switch|Ca|Rt|Router)\s*:\s*(0x[0-9a-fA-F]+) ports (\d+)(?: devid 0x[0-9a-f]+ vendid 0x[0-9a-f]+)?"
    rf' "(.*)"(?: {_PORT_0} lid (\d+) lmc \d+)?\s*\Z'
)
_STARTS = re.compile(
    r'\s*(?:vendid=0x[0-9a-fA-F]+\s*\Z|(?:Switch|Ca|Rt)\s+\d+\s+"[SHR]-[0-9a-fA-F]{1,16}"\s*#|# Topology file: generated on|'
    r"(?:CA|SW|RT)\s+\d+\s+\d+\s+0x[0-9a-fA-F]{4,16}\s+(?:\d{1,2}[xX]|\?+)\s+(?:[A-Z]{3}|\?{3})|"
    r"(?:Switch|Ca|Rt)\s*: 0x[0-9a-fA-F]{4,16} ports \d)"
)
_FAILED = re.compile(r"\s*(?:ibpanic|ibwarn|src/\w+\.c|ibnetdiscover: )[:; ]")


class _Read:
    """The reading of one block: a device that is told again begins a new run."""

    def __init__(self, block: Block) -> None:
        self.block = block
        self.start = 0
        self.begin()

    def begin(self) -> None:
        self.fabric = Fabric(Notes("ibnetdiscover", self.block))
        self.here: tuple[str, str] | None = None
        self.ids: dict[str, str] = {}
        self.head: list[tuple[int, int]] = []  # index and number of the lines in front of a node: comments and identifiers
        self.rows: set[tuple[str, str]] = set()

    def use_head(self) -> None:
        """The lines in front of a node belong to its run, and so does the sign above the title."""
        for i, n in self.head:
            self.fabric.notes.ignore(n, "comment or identifier")
            if _TITLE.match(self.block.lines.texts[i]) and n > 1 and self.block.lines.raw[n - 2].strip() == "#":
                self.fabric.notes.ignore(n - 1, "comment or identifier")
        self.head = []

    def close(self, end: int) -> Iterator[Part]:
        if self.fabric.names:
            self.use_head()
        self.fabric.close()
        notes = self.fabric.notes
        if not notes.is_empty:
            lines = self.block.lines[self.start : end]
            notes.block = Block(lines, self.block.command, self.block.host, self.block.first if self.start == 0 else lines.numbers[0])
            yield notes.part()
        self.start = end


def read(block: Block) -> Iterator[Part]:
    run = _Read(block)
    taken = -1  # index of a line that was read together with the one before it
    for i, (n, text) in enumerate(block.lines):
        if not text or text.isspace():
            continue
        if i == taken:
            run.fabric.notes.use(n)
        elif run.here and text[0] == "[" and _ANY_PORT.match(text):
            match = _CA_PORT.match(text) or _SWITCH_PORT.match(text)
            if (not match or not match["speed"]) and (whole := _wrapped(block, i)):
                text, taken = whole, i + 1
            _port(run, n, text)
        elif identifier := _IDS.match(text):
            if identifier[1] == "vendid":
                run.ids, run.here = {}, None
            run.ids[identifier[1]] = identifier[2]
            run.head.append((i, n))
        elif _ASIDE.match(text):
            run.head.append((i, n))
        else:
            node, row, listed = _NODE.match(text), _ROW.match(text), _LISTED.match(text)
            if _again(run, node, row, listed):
                head, ids = run.head, run.ids
                run.head = []
                yield from run.close(head[0][0] if head else i)
                run.begin()
                run.head, run.ids = head, ids
            _line(run, n, text, node, row, listed)
    yield from run.close(len(block.lines))


def _line(run: _Read, n: int, text: str, node: re.Match[str] | None, row: re.Match[str] | None, listed: re.Match[str] | None) -> None:
    notes = run.fabric.notes
    if node or row or listed:
        run.use_head()
    if node:
        _node(run, n, node)
    elif row:
        _row(run, n, row)
    elif listed:
        kind, named, ports, name, lid = listed.groups()
        run.fabric.device(n, _KINDS[kind.lower()], name, guid(named) or named, guid=guid(named), lid=_int(lid), port_total=int(ports))
    elif _FAILED.match(text):
        notes.problem(n, "tool-error")
    elif text.strip() in ("...", "…"):
        notes.problem(n, "left-out")
    elif run.here and _ANY_PORT.match(text):
        _port(run, n, text)  # indented as a whole
    elif _ANY_ROW.match(text) or (_ANY_NODE.match(text) and '"' in text):
        notes.problem(n, "cut" if n == len(notes.block.lines.raw) else "damaged")
        run.here = None


def _wrapped(block: Block, i: int) -> str | None:
    """A port's line with the next one behind it, where a mail program broke it."""
    if i + 1 < len(block.lines) and _BEGINS.match(block.lines.texts[i + 1]):
        return None
    return wrapped(block.lines, i, lambda text: _CA_PORT.match(text) or _SWITCH_PORT.match(text))


def _int(text: str | None) -> int | None:
    return int(text) if text is not None else None


def _again(run: _Read, node: re.Match[str] | None, row: re.Match[str] | None, listed: re.Match[str] | None) -> bool:
    fabric = run.fabric
    if node:
        return fabric.has(_KINDS[node[1].lower()], guid(node[4]) or "")
    if row:
        return (row["guid"], row["port"]) in run.rows
    return listed is not None and fabric.has(_KINDS[listed[1].lower()], guid(listed[2]) or "")


def _node(run: _Read, n: int, match: re.Match[str]) -> None:
    kind, ports, _, named, name, lid = match.groups()
    where = _KINDS[kind.lower()]
    own = guid(named) or named
    system = run.ids.get("sysimgguid")
    run.fabric.device(n, where, name, own, guid=own, lid=_int(lid), port_total=int(ports), system_image_guid=guid(system))
    run.ids = {}
    run.here = (where, own)


def _port(run: _Read, n: int, text: str) -> None:
    notes = run.fabric.notes
    match = _CA_PORT.match(text) or _SWITCH_PORT.match(text)
    last = n == len(notes.block.lines.raw)  # and no line end behind it
    if not match or not run.here or (last and match["speed"] in (None, "FDR")):  # FDR may be the begin of FDR10
        notes.problem(n, "cut" if last else "damaged")
        return
    groups = match.groupdict()
    kind, own = run.here
    lanes = _int(groups["width"])
    facts: dict[str, object] = {}
    if groups["speed"] and lanes:
        facts = {"width": lanes, **speed(groups["speed"], lanes)}
    if groups.get("lid"):
        facts["lid"] = int(groups["lid"])
        run.fabric.device(n, kind, "", own, lid=int(groups["lid"]))
    if groups.get("guid"):
        facts["port_guid"] = guid(groups["guid"])
    other = guid(groups["peer_id"])
    facts |= peer_facts(groups["peer"].strip() or other, int(groups["peer_port"]), int(groups["peer_lid"]), other)
    run.fabric.port(n, kind, own, str(int(groups["port"])), facts)
    run.fabric.cable((own, groups["port"]), (other or "", groups["peer_port"]))


def _row(run: _Read, n: int, row: re.Match[str]) -> None:
    kind, name, named = _KINDS[row["kind"].lower()], row["name"] or row["alone"] or "", guid(row["guid"])
    own = named or name
    if row["kind"] != "SW" and name.strip():
        # A CA's row names its port's GUID: its ports go together by description, as long as each port comes once.
        own = own if run.fabric.has_port(kind, name.strip(), row["port"]) else name.strip()
    run.rows.add((row["guid"], row["port"]))
    run.fabric.device(n, kind, name, own, guid=named, lid=int(row["lid"]))
    facts: dict[str, object] = {} if row["kind"] == "SW" else {"lid": int(row["lid"]), "port_guid": named}
    if row["peer_lid"]:
        lanes = width(row["width"])
        facts |= {"width": lanes} if lanes else {}
        facts |= speed(row["speed"], lanes)
        other = guid(row["peer_guid"])
        facts |= peer_facts(row["peer"].strip() or other, int(row["peer_port"]), int(row["peer_lid"]), other)
        run.fabric.cable((named or "", row["port"]), (other or "", row["peer_port"]))
    run.fabric.port(n, kind, own, str(int(row["port"])), facts)


READER = Reader("ibnetdiscover", read, commands=command("ibnetdiscover", "ibhosts", "ibswitches", "ibnodes", "ibrouters"), starts=_STARTS)
