"""`ibdiagnet`: its database (db_csv), the summary of stages of its log (versions 1 and 2), and the dump of links (net_dump)."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from advisor.evidence.reading import Part
from advisor.readers._cells import cells
from advisor.readers._fabric import Fabric, guid, peer_facts, speed, width
from advisor.readers._ib_counters import port_counters
from advisor.readers.contract import Block, Notes, Reader, command
from advisor.readers.shapes import integer, known, port_state

# InfiniBand Architecture: LinkWidthActive, LinkSpeedActive with the extended speeds, PortState, PortPhysicalState as numbers.
_WIDTHS = {1: 1, 2: 4, 4: 8, 8: 12, 16: 2}
_SPEEDS = {1: "SDR", 2: "DDR", 4: "QDR", 256: "FDR", 512: "EDR", 1024: "HDR", 2048: "NDR", 4096: "XDR"}
_STATES = {1: "down", 2: "init", 3: "armed", 4: "active"}
_PHYSICAL = {1: "sleep", 2: "polling", 3: "disabled", 4: "training", 5: "linkup", 6: "linkerrorrecovery", 7: "phytest"}
_MTUS = {1: 256, 2: 512, 3: 1024, 4: 2048, 5: 4096}
_NODE_TYPES = {1: "cas", 2: "switches", 3: "routers"}
_SECTION = re.compile(r"\s*(START|END)_([A-Z0-9_]+)\s*\Z")
_FABRIC_SECTIONS = ("NODES", "PORTS", "LINKS", "PM_INFO")

_KEYS_OF_COUNTERS = {"NodeGUID", "NodeGuid", "PortGUID", "PortGuid", "PortNumber"}

_DISCOVERED = re.compile(r"\s*-I- Discovering \.\.\.\s*(\d+) nodes \((\d+) Switches & (\d+) CA-s\) discovered")
_STAGE_HEAD = re.compile(r"\s*(?:-I- )?stage\s+(warnings|errors)\s+(warnings|errors)\b", re.IGNORECASE)
_STAGE = re.compile(r"\s*+(?:-[IWE]- )?(\S+(?: \S+)*)\s{2,}+(\d+)\s++(\d+)(?:\s.*)?\Z")
_OPEN_STAGE = re.compile(r"\s*+-[IWE]- \S+(?: \S+)*\s{2,}+\d+\s*+\Z")
_SINGLE_BLANKS = re.compile(r"\s*+-[IWE]- (\S+(?: \S+)*?) (\d+) (\d+)(?: \D.*)?\Z")
_LOG = re.compile(
    r"\s*(?:-[IWE]-|-{3,}|={3,}|Summary\s*\Z|Loading IBD|Discovery\s*\Z|Outputs? (?:can be|files)|Running version|"
    r"Please see |Reports regarding)"
)
_RULE = re.compile(r"\s*-{3,}\s*\Z")
_SECTION_TITLE = re.compile(r"[A-Z][A-Za-z/ -]{2,60}\s*\Z")
_ERROR = re.compile(r"\s*-E- ")

_DUMP_HEAD = re.compile(r'\s*"(?P<name>.*)"\s*,\s*(?P<vendor>[^,]*),\s*(?P<guid>0x[0-9a-fA-F]+)\s*,\s*LID\s+(?P<lid>\d+)\s*\Z')
_DUMP_COLUMNS = re.compile(r"\s*#\s*:\s*IB#\s*:")

_STARTS = re.compile(
    r"\s*(?:START_[A-Z][A-Z0-9_]+\s*\Z|-I- (?:Stage|Discovering \.\.\.)\s|Loading IBDIAGNET from:|-I- Stages Status Report|"
    r'#\s*:\s*IB#\s*:\s*Sta|".*", *[\w. ]+, *0x[0-9a-fA-F]{8,16}, *LID \d+\s*\Z)'
)


def read(block: Block) -> Iterator[Part]:
    run = _Run(Notes("ibdiagnet", block))
    below_rule = False
    for n, text in block.lines:
        if not text or text.isspace():
            continue
        rule, below_rule = below_rule, _RULE.match(text) is not None
        if rule and not run.section and _SECTION_TITLE.match(text):
            run.notes.ignore(n, "title")
            continue
        if text.strip() in ("...", "…"):
            run.notes.problem(n, "left-out")
        elif section := _SECTION.match(text):
            _section(run, n, section[1] == "START", section[2])
        elif run.section:
            _row(run, n, text)
        elif not _dump(run, n, text):
            _log(run, n, text)
    _fabric(run)
    for n in run.broken:
        if not (run.section and n == run.last):
            run.notes.problem(n, "damaged")
    if run.section:
        run.notes.problem(run.last, "cut", f"{run.section} has no end")
    run.notes.count("stages", "stage_count")
    if not run.notes.is_empty:
        yield run.notes.part()


@dataclass(slots=True)
class _Run:
    """Tables of a database are kept until all are read: nodes name what ports and links mean."""

    notes: Notes
    section: str | None = None
    columns: list[str] = field(default_factory=list)
    tables: dict[str, list[tuple[int, dict[str, str]]]] = field(default_factory=dict)
    broken: list[int] = field(default_factory=list)
    last: int = 0
    in_stages: bool = False
    warnings_first: bool = True
    dump: tuple[str, str] | None = None
    dump_columns: list[str] = field(default_factory=list)
    fabric: Fabric = field(init=False)

    def __post_init__(self) -> None:
        self.fabric = Fabric(self.notes)


# --- database -------------------------------------------------------------------------------------------------


def _section(run: _Run, n: int, starts: bool, name: str) -> None:
    run.notes.use(n)
    if starts:
        if run.section:
            run.notes.problem(n, "cut", f"{run.section} has no end")
        run.section, run.columns = name, []
        run.tables.setdefault(name, [])
    else:
        run.section = None
    run.last = n


def _row(run: _Run, n: int, text: str) -> None:
    """A row of a table. One with another number of cells than its header is damaged, and at the end of a text cut."""
    section = run.section or ""
    run.last = n
    if section not in _FABRIC_SECTIONS:
        if not run.columns:
            run.columns = [text]
        run.notes.ignore(n, f"table {section}")
        return
    row = cells(text.strip())
    if not run.columns:
        run.columns = row
        run.notes.use(n)
    elif len(row) != len(run.columns):
        run.notes.use(n)
        run.broken.append(n)
    else:
        run.tables[section].append((n, dict(zip(run.columns, row, strict=True))))
        run.notes.use(n)


def _cell(row: Mapping[str, str], name: str) -> int | None:
    value = known(row.get(name, ""))
    return integer(value) if value is not None else None


def _named(row: Mapping[str, str], column: str) -> str:
    """A node by its GUID, however many zeros it is written with; tests of tools write words instead."""
    text = (known(row.get(column, "")) or "").lower()
    return guid(text) or text


def _fabric(run: _Run) -> None:
    fabric = run.fabric
    kinds: dict[str, tuple[str, str]] = {}
    for n, row in run.tables.get("NODES", ()):
        kind = _NODE_TYPES.get(_cell(row, "NodeType") or 0)
        named = _named(row, "NodeGUID")
        if kind is None or not named:
            run.notes.problem(n, "damaged")
            continue
        kinds[named] = (kind, named)
        fabric.device(
            n,
            kind,
            row.get("NodeDesc", ""),
            named,
            guid=guid(named),
            port_total=_cell(row, "NumPorts"),
            system_image_guid=guid(row.get("SystemImageGUID")),
        )
    lids: dict[tuple[str, str], int] = {}
    for n, row in run.tables.get("PORTS", ()):
        _port(run, n, row, kinds, lids)
    for n, row in run.tables.get("LINKS", ()):
        _link(run, n, row, kinds, lids)
    for n, row in run.tables.get("PM_INFO", ()):
        _counters(run, n, row, kinds)
    fabric.close(both="NODES" in run.tables)


def _port(run: _Run, n: int, row: Mapping[str, str], kinds: Mapping[str, tuple[str, str]], lids: dict[tuple[str, str], int]) -> None:
    named = _named(row, "NodeGuid")
    port, lid = _cell(row, "PortNum"), _cell(row, "LID")
    if named not in kinds or port is None:
        return  # the table of nodes is missing: what the port belongs to is unknown
    kind, own = kinds[named]
    if lid:
        lids[(named, str(port))] = lid
        if kind == "switches" or port == 1:
            lids[(named, "0")] = lid
    if kind == "switches" and port == 0:
        run.fabric.device(n, kind, "", own, lid=lid)
        return
    if kind != "switches":
        run.fabric.device(n, kind, "", own, lid=lid)
    state = _STATES.get(_cell(row, "PortState") or 0)
    up = state != "down"  # what a port without a link shows is no width and no speed of a link
    lanes = _WIDTHS.get(_cell(row, "LinkWidthActv") or 0) if up else None
    mtu = _MTUS.get(_cell(row, "NMTU") or 0)
    facts: dict[str, object] = {
        "state": state,
        "physical_state": _PHYSICAL.get(_cell(row, "PortPhyState") or 0),
        "width": lanes,
        "mtu_bytes": mtu,
        "lid": lid if kind != "switches" else None,
        "port_guid": guid(row.get("PortGuid")) if kind != "switches" else None,
    }
    name = _SPEEDS.get(_cell(row, "LinkSpeedActv") or 0)
    if name and up:
        facts |= speed(name, lanes)
    run.fabric.port(n, kind, own, str(port), {key: value for key, value in facts.items() if value is not None})


def _counters(run: _Run, n: int, row: Mapping[str, str], kinds: Mapping[str, tuple[str, str]]) -> None:
    named = _named(row, "NodeGUID") or _named(row, "NodeGuid")
    port = _cell(row, "PortNumber")
    if named in kinds and port is not None:
        raw = {name: value for name in row if name not in _KEYS_OF_COUNTERS and (value := _cell(row, name)) is not None}
        kind, own = kinds[named]
        run.fabric.port(n, kind, own, str(port), port_counters(raw))


def _link(run: _Run, n: int, row: Mapping[str, str], kinds: Mapping[str, tuple[str, str]], lids: Mapping[tuple[str, str], int]) -> None:
    ends = [(_named(row, f"NodeGuid{i}"), known(row.get(f"PortNum{i}", ""))) for i in (1, 2)]
    (one, one_port), (other, other_port) = ends
    if not one or not other or one_port is None or other_port is None:
        run.notes.problem(n, "damaged")
        return
    run.fabric.cable((one, one_port), (other, other_port))
    for (here, port), (there, there_port) in ((ends[0], ends[1]), (ends[1], ends[0])):
        if here in kinds and port is not None:
            kind, own = kinds[here]
            peer = run.fabric.names.get(kinds[there]) if there in kinds else None
            lid = lids.get((there, str(there_port)), lids.get((there, "0")))
            facts = peer_facts(peer or guid(there), integer(there_port or ""), lid, guid(there))
            run.fabric.port(n, kind, own, str(integer(port) if integer(port) is not None else port), facts)


# --- log ------------------------------------------------------------------------------------------------------


def _log(run: _Run, n: int, text: str) -> None:
    notes = run.notes
    head = _STAGE_HEAD.match(text)
    if head:
        run.in_stages, run.warnings_first = True, head[1].lower() == "warnings"
        notes.use(n)
        return
    stage = _STAGE.match(text) or _SINGLE_BLANKS.match(text) if run.in_stages else None
    if stage:
        first, second = int(stage[2]), int(stage[3])
        warnings, errors = (first, second) if run.warnings_first else (second, first)
        notes.put_all(n, {"warning_count": warnings, "error_count": errors}, "stages", stage[1].strip())
        return
    found = _DISCOVERED.match(text)
    if found:
        notes.put(n, int(found[1]), "discovered_node_count")
        notes.put(n, int(found[2]), "discovered_switch_count")
        notes.put(n, int(found[3]), "discovered_ca_count")
    elif _LOG.match(text):
        if run.in_stages and not _ERROR.match(text) and _OPEN_STAGE.match(text):
            notes.problem(n, "cut")
        else:
            notes.ignore(n, "no fact of ours")
    elif run.in_stages and not text[0].isspace():
        run.in_stages = False


# --- dump of links --------------------------------------------------------------------------------------------


def _dump(run: _Run, n: int, text: str) -> bool:
    """Lines of net_dump: a switch with its GUID and LID, a header, then a row for each port. False for lines of anything else."""
    head = _DUMP_HEAD.match(text)
    if head:
        own = guid(head["guid"]) or head["name"]
        run.fabric.device(n, "switches", head["name"], own, guid=guid(head["guid"]), lid=int(head["lid"]))
        run.dump = ("switches", own)
    elif _DUMP_COLUMNS.match(text):
        run.dump_columns = [cell.strip() for cell in text.split(":")]
        run.notes.use(n)
    elif run.dump and run.dump_columns and text.count(" : ") + text.count(": ") > 3:
        row = [cell.strip() for cell in text.split(":", len(run.dump_columns) - 1)]
        last = n == len(run.notes.block.lines.raw)  # no line end behind it
        if (last and not text.rstrip().endswith('"')) or (len(row) < len(run.dump_columns) and "DOWN" not in row):
            run.notes.problem(n, "cut" if n == len(run.notes.block.lines.raw) else "damaged")
        else:
            _dump_row(run, n, run.dump, dict(zip(run.dump_columns, row, strict=False)))
    else:
        return False
    return True


def _dump_row(run: _Run, n: int, here: tuple[str, str], row: Mapping[str, str]) -> None:
    kind, own = here
    port = integer(row.get("IB#", ""))
    if port is None:
        run.notes.problem(n, "damaged")
        return
    lanes = width(row.get("LWA", ""))
    state = {"act": "active", "ini": "init", "arm": "armed", "dow": "down"}.get(row.get("Sta", "").lower()[:3])
    facts: dict[str, object] = {
        "state": state or port_state(row.get("Sta", "")),
        "physical_state": row.get("PhysSta", "").lower().replace(" ", "") or None,
        "width": lanes,
    }
    lane = _LANES.get(row.get("LSA", "").split(".")[0])
    if state != "down" and lane:
        facts |= speed(lane, lanes)
    other = guid(row.get("Neighbor Guid"))
    name = known(row.get("Neighbor Description", "").strip('"'))
    if other and int(other, 16):
        there = row.get("N#", "")
        facts |= peer_facts(name or other, integer(there), integer(row.get("NLID", "")), other)
        run.fabric.cable((own, str(port)), (other, there))
    if known(row.get("FEC mode", "")):
        facts["fec_mode"] = row["FEC mode"]
    run.fabric.port(n, kind, own, str(port), {key: value for key, value in facts.items() if value is not None})


_LANES = {"2": "SDR", "5": "DDR", "10": "QDR", "14": "FDR", "25": "EDR", "50": "HDR", "100": "NDR", "200": "XDR", "FDR10": "FDR10"}

READER = Reader("ibdiagnet", read, commands=command("ibdiagnet"), starts=_STARTS)
