"""`ethtool DEVICE` (link settings), `--show-fec`, `-a` (pause) and `-g` (rings), also as JSON: the own side, not the link partner."""

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass, field

from advisor.evidence.reading import Part, Why
from advisor.readers._json import parse
from advisor.readers._loops import loop_names
from advisor.readers._titles import title_above, titled_name
from advisor.readers.contract import Block, Notes, Reader, command
from advisor.readers.shapes import is_left_out, known, open_end

TOOL = "ethtool"
_SECTION = re.compile(r"\s*(?P<what>Settings|FEC parameters|Pause parameters|Ring parameters) for (?P<name>\S+?):\s*\Z")
_ENTRY = re.compile(r"\s*(?P<key>[A-Z][A-Za-z /-]{1,60}?)\s*:(?P<value>.*)\Z")
_SPEED = re.compile(r"(?P<rate>\d+(?:\.\d+)?)\s*(?P<unit>[MG])b(?:it)?/s(?P<end>.*)")
_MODE = re.compile(r"(?P<rate>\d+)base\w*(?:/(?:Full|Half))?")
# Goes on with the list of the line above: indented, or, where that is lost, nothing but link modes.
_LISTED = re.compile(r"\s{8}|\t\t|\s*\d+base\S+(?:\s+\d+base\S+)*\s*\Z")
_ARGUMENT = re.compile(r"\bethtool\s+(?:(?:--show-fec|-a|--show-pause|-g|--show-ring|--json)\s+)*(?P<name>[^\s;|&<>)-][^\s;|&<>)]*)")
_ERROR = re.compile(
    r"Cannot get|No data available|No such device|netlink error|Operation not (?:permitted|supported)|bad command line", re.IGNORECASE
)
# Entries that hold no fact of ours.
_OTHERS = re.compile(
    r"(?:Supported|Advertised|Link partner advertised) (?:ports|link modes|pause frame use|auto-negotiation|FEC modes)|"
    r"Supports (?:auto-negotiation|Wake-on)|Port|PHYAD|Transceiver|Wake-on|Current message level|"
    r"MDI-X|"
    r"(?:Supported/)?Configured FEC encodings|Supported FEC encodings|SQI|Module|"
    r"Pre-set maximums|Current hardware settings|master-slave \w+|"
    r"RX Buf Len|CQE Size|TX Push.*|RX Push|SecureOn password|[RT]X negotiated"
)


@dataclass(slots=True)
class _Device:
    """What one section says: facts with their lines, problems, and the line that it begins with."""

    name: str | None
    first: int
    facts: dict[str, tuple[int, object]] = field(default_factory=dict)
    used: list[int] = field(default_factory=list)
    problems: list[tuple[int, Why]] = field(default_factory=list)
    list_key: str = ""
    rings: str = ""


def read(block: Block) -> Iterator[Part]:
    if block.lines.text.lstrip()[:1] == "[":
        yield from _json(block)
        return
    devices = _devices(block)
    argument = _ARGUMENT.search(block.command or "")
    name = argument["name"].strip("\"'") if argument else None
    looped = loop_names(block.command, name) if name else []
    unnamed = [device for device in devices if device.name is None]
    if looped and len(looped) == len(devices):
        for device, word in zip(devices, looped, strict=True):
            device.name = device.name or word
    elif name and len(unnamed) == 1 and not any(mark in name for mark in "$`{*"):
        unnamed[0].name = name
    yield from _parts(block, devices)


def _devices(block: Block) -> list[_Device]:
    devices: list[_Device] = []
    device: _Device | None = None
    above = None if block.command else title_above(block.lines, block.first)
    title_line = 0
    cut = open_end(block.lines)
    for n, text in block.lines.inked():
        section = _SECTION.match(text)
        entry = None if section or _ERROR.search(text) else _ENTRY.match(text)
        if section:
            if device is None or device.name != section["name"] or section["what"] == "Settings":
                device = _Device(section["name"], n)
                devices.append(device)
            device.used += [n, title_line] if title_line else [n]
            device.list_key = ""
            title_line = 0
            continue
        if entry and (device or block.command or _is_own(entry["key"])):
            if device is None or (device.name is None and _fact_of(entry["key"]) in device.facts):
                device = _Device(above, n)
                devices.append(device)
                device.used += [title_line] if title_line else []
                above, title_line = None, 0
            _entry(device, n, entry["key"], entry["value"].strip(), n == cut)
        elif device and device.list_key and _LISTED.match(text):
            _more_modes(device, n, text, n == cut)
        elif _ERROR.search(text) and (device or block.command):
            if device is None:
                device = _Device(None, n)
                devices.append(device)
            device.problems.append((n, "tool-error"))
        elif device and (is_left_out(text) or n == cut):
            device.problems.append((n, "left-out" if is_left_out(text) else "cut"))
        elif name := titled_name(text):
            above, device, title_line = name, None, n
    if device and device.list_key == "rate_max_gbps" and device.facts.pop("rate_max_gbps", None):
        device.problems.append((device.used[-1], "cut"))  # the list of modes may go on
    return devices


def _is_own(key: str) -> bool:
    return key in ("Speed", "Link detected", "Supported link modes", "Active FEC encoding", "Auto-negotiation")


def _fact_of(key: str) -> str:
    return {"Speed": "rate_gbps", "Link detected": "state", "Duplex": "duplex", "Auto-negotiation": "auto_negotiation"}.get(key, "")


def _entry(device: _Device, n: int, key: str, value: str, is_open: bool) -> None:
    device.list_key = ""
    bare = value.lower()
    if is_open and key in ("Speed", "Duplex", "Supported link modes", "Active FEC encoding", "Advertised FEC modes", "RX", "TX"):
        device.problems.append((n, "cut"))
    elif key == "Speed":
        speed = _SPEED.match(value)
        device.facts["rate_gbps"] = (n, _rate(speed) if speed else None)
        if speed is None and not bare.startswith("unknown"):
            device.problems.append((n, "damaged"))
    elif key == "Duplex":
        device.facts["duplex"] = (n, bare if bare in ("full", "half") else None)
    elif key == "Auto-negotiation":
        device.facts["auto_negotiation"] = (n, {"on": True, "off": False}.get(bare))
    elif key == "Autonegotiate":
        device.facts["pause_auto_negotiation"] = (n, {"on": True, "off": False}.get(bare))
    elif key == "Link detected":
        word = bare.partition(" ")[0]
        device.facts["state"] = (n, {"yes": "active", "no": "down"}.get(word))
        if "(" in value and not (is_open and not value.endswith(")")):
            device.facts["state_reason"] = (n, value.partition("(")[2].rstrip(") "))
    elif key == "Lanes":
        device.facts["width"] = (n, int(value) if value.isdecimal() else None)
    elif key in ("Active FEC encoding", "Active FEC encodings"):
        device.facts["fec"] = (n, _fec(value.split()))
    elif key == "Advertised FEC modes":
        device.facts.setdefault("fec", (n, _fec(value.split())))
    elif key == "Supported link modes":
        device.list_key = "rate_max_gbps"
        device.facts["rate_max_gbps"] = (n, None)
        _more_modes(device, n, value, is_open)
    elif key in ("RX", "TX") and bare in ("on", "off"):
        device.facts[f"{key.lower()}_flow_control"] = (n, bare == "on")
    elif key in ("RX", "TX") and value.isdecimal():
        device.facts[f"{key.lower()}_ring{device.rings}"] = (n, int(value))
    elif key in ("Pre-set maximums", "Current hardware settings"):
        device.rings = "_max" if key.startswith("Pre") else ""
    elif not _OTHERS.fullmatch(key) and not key.startswith(("RX ", "TX ")):
        return
    if key in ("Advertised link modes", "Link partner advertised link modes", "Current message level", "Supported ports"):
        device.list_key = "-"
    device.used.append(n)


def _rate(speed: re.Match[str]) -> float | int | None:
    rate = float(speed["rate"]) / (1000 if speed["unit"] == "M" else 1)
    return int(rate) if rate.is_integer() else rate


def _fec(words: list[str]) -> str | None:
    """The one mode that is named; several, or none of a known name, are unknown."""
    modes = {{"rs": "rs", "llrs": "rs", "baser": "firecode", "none": "none", "off": "none"}.get(word.lower()) for word in words}
    return modes.pop() if len(modes) == 1 else None


def _more_modes(device: _Device, n: int, text: str, is_open: bool) -> None:
    """Link modes of a list, also below its first line. Cut modes are left out."""
    device.used.append(n)
    if device.list_key != "rate_max_gbps":
        return
    if is_open:
        device.problems.append((n, "cut"))
        return
    rates = [int(mode["rate"]) / 1000 for mode in _MODE.finditer(text)]
    line, best = device.facts["rate_max_gbps"]
    highest = max([*rates, best if isinstance(best, (int, float)) else 0])
    if highest and highest != best:
        device.facts["rate_max_gbps"] = (n, int(highest) if float(highest).is_integer() else highest)
    else:
        device.facts["rate_max_gbps"] = (line, best)


def _parts(block: Block, devices: list[_Device]) -> Iterator[Part]:
    """One part; a device that is told again and otherwise begins another."""
    notes = Notes(TOOL, block)
    told: dict[str, dict[str, object]] = {}
    for i, device in enumerate(devices, 1):
        name = device.name or f"#{i}"
        values = {key: value for key, (_, value) in device.facts.items() if value is not None}
        before = told.get(name, {})
        if any(before.get(key, value) != value for key, value in values.items()):
            notes.count("interfaces", "interface_count")
            yield notes.part()
            start = bisect_left(block.lines.numbers, device.first)
            notes, told = Notes(TOOL, Block(block.lines[start:], block.command, block.host, device.first)), {}
        told.setdefault(name, {}).update(values)
        _put(notes, device, name)
    notes.count("interfaces", "interface_count")
    if not notes.is_empty:
        yield notes.part()


def _put(notes: Notes, device: _Device, name: str) -> None:
    for n, why in device.problems:
        notes.problem(n, why)
    notes.use(*device.used)
    if device.facts or not any(why == "tool-error" for _, why in device.problems):
        notes.thing(device.first, "interfaces", name)
    for key, (n, value) in device.facts.items():
        notes.put(n, value, "interfaces", name, key)


# --- JSON ---------------------------------------------------------------------------------------------------------


def _json(block: Block) -> Iterator[Part]:
    text = parse(block.lines)
    if text is None or not isinstance(text.tree, list):
        return
    notes = Notes(TOOL, block)
    for i, entry in enumerate(text.tree):
        name = entry.get("ifname") if isinstance(entry, dict) else None
        if not isinstance(name, str):
            continue
        n = text.line(i)
        notes.thing(n, "interfaces", name)
        speed, lanes = entry.get("speed"), entry.get("lanes")
        modes = [int(mode["rate"]) / 1000 for word in entry.get("supported-link-modes") or [] for mode in _MODE.finditer(str(word))]
        detected = entry.get("link-detected")
        for key, value in (
            ("rate_gbps", speed / 1000 if isinstance(speed, (int, float)) and 0 < speed < 4_294_967_295 else None),
            ("rate_max_gbps", max(modes, default=None)),
            ("duplex", known(str(entry.get("duplex", "")).lower()) if entry.get("duplex") in ("Full", "Half") else None),
            ("auto_negotiation", entry.get("auto-negotiation") if isinstance(entry.get("auto-negotiation"), bool) else None),
            ("state", {True: "active", False: "down"}.get(detected) if isinstance(detected, bool) else None),
            ("width", lanes if isinstance(lanes, int) else None),
        ):
            notes.put(n, value, "interfaces", name, key)
    notes.use_range(block.lines.numbers[0], text.last)
    if text.broken is not None:
        notes.problem(text.broken, "cut")
    notes.count("interfaces", "interface_count")
    if notes.facts:
        yield notes.part()


def _is_json(head: str) -> bool:
    return re.match(r"\s*\[\s*\{\s*\"ifname\"", head) is not None and '"link-detected"' in head


READER = Reader(
    TOOL,
    read,
    commands=command(r"ethtool(?!\s+(?:\S+\s+)*?(?:-[SikclmTxnudptsKGCALP]|--(?!show-fec|show-pause|show-ring|json)\w\S*)(?=\s|\Z))"),
    starts=re.compile(rf"{_SECTION.pattern}|\s+Link detected:\s|\s+Speed: \d+Mb/s"),
    recognises=_is_json,
)
