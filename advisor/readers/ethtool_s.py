"""`ethtool -S` (driver statistics of a network device), also filtered, looped over devices, or with `--groups`."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

from advisor.evidence.columns import Template, Told, plain
from advisor.evidence.reading import Part, Path, Why
from advisor.readers._loops import loop_names
from advisor.readers._nic_counters import common, ring_totals
from advisor.readers._plain_counters import Layout, Layouts
from advisor.readers.contract import Block, Notes, Reader, command, filtered
from advisor.readers.shapes import is_left_out, open_end

TOOL = "ethtool-S"
_HEADER = "NIC statistics:"
_START = re.compile(
    r"\s*(?:(?:NIC|PHY) [Ss]tatistics(?: for (?P<of>[\w.@-]+))?|Standard stats for (?P<std>[\w.@-]+)|"
    r"[Ss]tatistics for (?P<plain>[\w.@-]+)):\s*\Z"
)
# From the colon before the value on; people write remarks behind it.
_VALUE = re.compile(r"(?::\s+|(?<=\w):(?=\d))(?P<value>[-+]?\d[\d,]*(?:\.\d+)?)(?P<rest>\s*|\s+(?:[←#★/(]|<-|--).*)\Z")
# Names that only network drivers use: a dump without its header.
_BARE = re.compile(
    r"\s*(?:[rt]x_prio\d_(?:pause|pause_duration|pause_transition|packets|bytes|discards|buf_discard|cong_discard)|"
    r"[rt]x_(?:packets|bytes|discards|pause_ctrl)_phy|[rt]x_global_pause(?:_duration)?|rx_steer_missed_packets|[rt]x_priority_\d_xo(?:n|ff)\.nic|"
    r"[rt]x_vport_\w+|frames_[rt]x_\w+|[rt]x_pfc_ena_frames_pri\d|(?:bw_in|bw_out|pps|conntrack|linklocal)_allowance_exceeded|"
    r"hw_[rt]x_dropped): +\d+\s*\Z"
)
_WORD = re.compile(r"\s*[\w.-]+\Z")
_INTERFACE = re.compile(r"ethtool\b.*?\s(?:-S|--statistics)\s+(?:--all-groups\s+)?(?P<name>[^\s;|&<>)]+)")
# A line with nothing but a device's name, a title with it, or the name of the file that `head` or `tail` prints.
_NAMED = re.compile(
    r"\s*(?:[=#*>-]{2,}\s*)?(?:\S*ethtool[_ -]{1,3}S[_ ]|(?:Interface|Device|dev|iface|网卡)[: ]\s*)?(?P<name>[A-Za-z][\w.@-]{1,30}?)"
    r"\s*(?::|(?:\.txt)?\s*[=#*<-]{2,}\s*:?)\s*\Z",
    re.IGNORECASE,
)
_ERROR = re.compile(
    r"Cannot get stat|no stats available|No such device|Operation not supported|Cannot find|netlink error|bad command line", re.IGNORECASE
)


@dataclass(slots=True)
class _Section:
    """The counters of one run on one interface, and the lines that they stand on."""

    name: str | None
    first: int
    margin: int = 0
    counters: dict[str, int | float] = field(default_factory=dict)
    lines: dict[str, int] = field(default_factory=dict)
    problems: list[tuple[int, Why]] = field(default_factory=list)

    @property
    def last(self) -> int:
        return max([self.first, *self.lines.values(), *(n for n, _ in self.problems)])


def read(block: Block) -> Iterator[Part]:
    whole = _whole_block(block)
    if whole:
        yield whole
        return
    sections = _sections(block)
    _name(sections, block.command)
    for i, together in enumerate(_apart(sections)):
        yield _part(block, together, is_later=i > 0)


# --- sections -----------------------------------------------------------------------------------------------------


def _sections(block: Block) -> list[_Section]:
    sections: list[_Section] = []
    section: _Section | None = None  # that lines belong to
    marker: str | None = None  # a name for the next one
    is_broken = False  # a line of something else stands behind the section's last
    cut = open_end(block.lines)
    for n, text in block.lines.inked():
        start = _START.match(text)
        counter = None if start else _counter(text)
        if section and not start and (is_broken or _stands_apart(section, n, text)) and not (counter and _goes_on(section, text)):
            section = None
        if start:
            section = _open(sections, start["of"] or start["std"] or start["plain"] or marker, n)
            marker = None
        elif counter and (section or _BARE.match(text) or (block.command and (marker or not sections))):
            if section is None or text[: counter.start()].strip() in section.counters:
                section = _open(sections, marker, n)
                marker = None
            _take(section, n, counter, n == cut)
        elif block.command and _ERROR.search(text) and (section or not sections):
            section = section or _open(sections, marker, n)
            section.problems.append((n, "tool-error"))
        elif section and is_left_out(text):
            section.problems.append((n, "left-out"))
        elif section and n == cut:
            section.problems.append((n, "cut"))
        else:
            named = _NAMED.match(text) if len(text) < 400 else None
            marker = named["name"] if named else None
            section = None if named else section
            is_broken = True
            continue
        is_broken = False
    return sections


def _counter(text: str) -> re.Match[str] | None:
    """The colon and value of a counter's line. Without a blank behind the colon (web editors lose it), the name must be one word."""
    found = _VALUE.search(text)
    if found and found.group()[1:2].isdecimal() and not _WORD.match(text[: found.start()]):
        return None
    return found


def _open(sections: list[_Section], name: str | None, n: int) -> _Section:
    sections.append(_Section(name, n))
    return sections[-1]


def _stands_apart(section: _Section, n: int, text: str) -> bool:
    """Whether a line has another margin than the section's counters, and blank lines between."""
    last = next(reversed(section.lines.values()), n)
    return n > last + 1 and text[:1].isspace() and not _goes_on(section, text)


def _goes_on(section: _Section, text: str) -> bool:
    """Whether a counter behind another tool's line is this section's: it has the margin of its counters."""
    margin = len(text) - len(text.lstrip())
    return bool(margin) and margin == section.margin


def _take(section: _Section, n: int, counter: re.Match[str], is_open: bool) -> None:
    if is_open and not counter["rest"]:
        section.problems.append((n, "cut"))
        return
    text = counter.string
    name, value = text[: counter.start()].strip(), counter["value"].replace(",", "")
    section.margin = len(text) - len(text.lstrip())
    section.counters[name] = float(value) if "." in value else int(value)
    section.lines[name] = n


def _name(sections: list[_Section], command_line: str | None) -> None:
    """Sections without a name take that of the command line; of a loop, where it lists as many as there are."""
    argument = _argument(command_line)
    if argument is None:
        return
    looped = loop_names(command_line, argument)
    if looped:
        for section, name in zip(sections, looped, strict=False) if len(looped) == len(sections) else ():
            section.name = section.name or name
    elif not _is_template(argument):
        for section in sections:
            section.name = section.name or argument


def _argument(command_line: str | None) -> str | None:
    match = _INTERFACE.search(command_line or "")
    return match["name"].strip("\"'") if match else None


def _is_template(name: str) -> bool:
    return any(mark in name for mark in "$`{*")


def _apart(sections: list[_Section]) -> Iterator[list[_Section]]:
    """Sections in one part until a name comes again: that is another run."""
    together: list[_Section] = []
    for section in sections:
        if section.name is not None and section.name in {other.name for other in together}:
            yield together
            together = []
        together.append(section)
    if together:
        yield together


# --- facts --------------------------------------------------------------------------------------------------------


def _part(block: Block, sections: list[_Section], is_later: bool) -> Part:
    begin, end = min(section.first for section in sections), max(section.last for section in sections)
    lines = block.lines[bisect_left(block.lines.numbers, begin) if is_later else 0 : bisect_right(block.lines.numbers, end)]
    notes = Notes(TOOL, Block(lines, block.command, block.host, begin if is_later else block.first))
    for i, section in enumerate(sections, 1):
        for n, why in section.problems:
            notes.problem(n, why)
        notes.use(section.first, *section.lines.values())
        if section.counters or not section.problems:
            _put(notes, section, section.name or f"#{i}")
    notes.count("interfaces", "interface_count")
    return notes.part()


def _put(notes: Notes, section: _Section, name: str) -> None:
    notes.thing(section.first, "interfaces", name)
    for raw, path in common(section.counters):
        notes.put(section.lines[raw], section.counters[raw], "interfaces", name, *path)
    is_whole = not any(why == "cut" for _, why in section.problems)
    for key, total, added in ring_totals(section.counters) if is_whole else ():
        notes.put(section.lines[added[0]], total, "interfaces", name, key)
    if section.counters:
        notes.facts["interfaces"][name]["counters"] = section.counters
        notes.at.setdefault(("interfaces", name, "counters"), next(iter(section.lines.values())))


# --- in bulk ------------------------------------------------------------------------------------------------------

_LAYOUTS = Layouts(common)
_UNNAMED = "#1"


def bulk(data: bytes, command: str | None = None, before: int = 0) -> Part | None:
    """The part of a whole capture in its plainest form: the header, then one counter a line. None for any other bytes."""
    if not (data.startswith(b"NIC statistics:\n") and data.endswith(b"\n")):
        return None
    name = _argument(command)
    found = None if name and _is_template(name) else _LAYOUTS.read(data[len(_HEADER) + 1 :])
    return _plain_part(*found, before + 1, name or _UNNAMED, command) if found else None


def _whole_block(block: Block) -> Part | None:
    """The same where a command line or other text stands around it."""
    texts, numbers = block.lines.texts, block.lines.numbers
    header = next((i for i, text in enumerate(texts) if text and not text.isspace()), None)
    if header is None or texts[header].strip() != _HEADER or open_end(block.lines):
        return None
    end = next((i for i in range(header + 1, len(texts)) if texts[i][:1] != " "), len(texts))
    if end == header + 1 or any(texts[end:]) or numbers[end - 1] - numbers[header] != end - 1 - header:
        return None
    name = _argument(block.command)
    body = "\n".join([*texts[header + 1 : end], ""])
    found = None if name and _is_template(name) else _LAYOUTS.read(body.encode())
    if found is None:
        return None
    part = _plain_part(*found, numbers[header], name or _UNNAMED, block.command)
    return replace(part, lines=(min(block.first, part.lines[0]), part.lines[1]), host=block.host, facts=plain(part.facts))


def _plain_part(layout: Layout, spelt: bytes, header: int, name: str, command: str | None) -> Part:
    template = _template(layout, header, name, filtered(command))
    return Part(TOOL, (header, header + len(layout.heads)), None, command, Told(template, lambda: spelt), template.at)


@lru_cache(maxsize=512)
def _template(layout: Layout, header: int, name: str, is_filtered: bool) -> Template:
    facts: dict[str, Any] = {"interfaces": {name: layout.facts}, "interface_count": 1}
    if is_filtered:
        facts["filtered"] = True
    at: dict[Path, int] = {("interfaces", name): header, ("interface_count",): header, ("interfaces", name, "counters"): header + 1}
    at.update({("interfaces", name, *path): header + 1 + i for path, i in layout.common.items()})
    return Template(layout.shape, facts, at)


READER = Reader(
    TOOL,
    read,
    commands=command("ethtool", options=r"(?:-S|--statistics)\b"),
    starts=re.compile(f"{_START.pattern}|{_BARE.pattern}"),
    bulk=bulk,
)
