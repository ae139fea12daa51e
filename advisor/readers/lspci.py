"""`lspci`, short or verbose: PCI devices with class, NUMA node, and the link of each: now (LnkSta) and at most (LnkCap)."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from advisor.evidence.reading import Part
from advisor.readers._again import Runs
from advisor.readers._nvidia import below_max
from advisor.readers.contract import Block, Notes, Reader, command
from advisor.readers.shapes import is_left_out, open_end, pci_address

_ADDRESS = r"(?:[0-9a-fA-F]{4,8}:)?[0-9a-fA-F]{2}:[0-9a-fA-F]{2}\.[0-7]"
_DEVICE = re.compile(rf"\s*({_ADDRESS}) (?=[A-Z0-9\"])(\"?[A-Za-z0-9][\w ,/()&+.-]*?)(?: \[([0-9a-f]{{4}})\])?(?::\s+|\"\s+)(\S.*?)\s*\Z")
_PROG_IF = re.compile(r"\s*\(prog-if [^()]*\)\s*\Z")
_BARE = re.compile(rf"\s*({_ADDRESS})\s*\Z")
_CAPABILITY = re.compile(r"\s*(LnkCap|LnkSta|DevCap|DevCtl|DevSta|LnkCtl|ACSCtl|ACSCap|SltCap|SltSta)\d?:\s")
_LINK = re.compile(r"\s*(LnkCap|LnkSta):\s")
_SPEED = re.compile(r"\bSpeed (\d+(?:\.\d+)?) ?GT/s")
_WIDTH = re.compile(r"\bWidth x(\d+)")
_EXPRESS = re.compile(r"\bExpress (?:\(v\d\) )?(.*)")
_PORT_TYPES = (
    ("Root Port", "root_port"),
    ("Upstream Port", "upstream_port"),
    ("Downstream Port", "downstream_port"),
    ("Endpoint", "endpoint"),
    ("Legacy Endpoint", "endpoint"),
)
_NUMA = re.compile(r"\s*NUMA node:\s*(-?\d+)\s*\Z")
_DRIVER = re.compile(r"\s*Kernel driver in use:\s*(\S+)")
_PART = re.compile(r"\s*\[PN\] Part number:\s*(\S.*?)\s*\Z")
_ACS = re.compile(r"\s*ACSCtl:.*\bReqRedir([+-])")
_PAYLOAD = re.compile(r"\bMaxPayload (\d+) bytes, MaxReadReq (\d+) bytes")
_ORDERING = re.compile(r"\bRlxdOrd([+-])")
_ASKED = re.compile(rf"\s-s\s*[\"']?({_ADDRESS})\b")
_SEPARATOR = re.compile(r"\s*--\s*\Z")
_ERROR = re.compile(r"\s*(?:lspci:|pcilib:|Cannot open)")
# GT/s -> generation (PCI Express base specifications 1 to 6)
_GENERATIONS = {2.5: 1, 5.0: 2, 8.0: 3, 16.0: 4, 32.0: 5, 64.0: 6}


@dataclass(slots=True)
class _State:
    """The device that lines belong to; without a device line, the address asked for, else `#1`, `#2`."""

    asked: str | None
    name: str = ""
    unnamed: int = 0
    seen: set[str] = field(default_factory=set)


def read(block: Block) -> Iterator[Part]:
    runs = Runs("lspci", block, (("devices", "device_count"),), _derive)
    asked = _ASKED.search(block.command or "")
    state = _State(pci_address(asked[1]) if asked else None)
    last = open_end(block.lines)
    for i, (n, text) in enumerate(block.lines):
        if not text.strip():
            continue
        notes = runs.notes
        device = _DEVICE.match(text) or _BARE.match(text)
        if device:
            _begin(runs, state, i, n, device, n == last)
        elif _ERROR.match(text):
            notes.problem(n, "tool-error")
        elif is_left_out(text):
            notes.problem(n, "left-out")
        elif _SEPARATOR.match(text):
            state.name = ""
            notes.ignore(n, "rule")
        elif _capability(block, notes, state, i, n, text, n == last):
            continue
        elif text[0].isspace() or _DETAIL.match(text) or _is_wrapped(block, i) or _is_rest_of_name(block, i):
            notes.ignore(n, "no fact of ours")
        else:
            break
    yield from runs.parts()


def _begin(runs: Runs, state: _State, i: int, n: int, device: re.Match[str], at_end: bool) -> None:
    address = pci_address(device[1]) or ""
    if runs.notes.get("devices", address) is not None:
        runs.begin(i)  # told again: another run
    state.name = address
    state.seen = set()
    runs.notes.thing(n, "devices", address)
    if device.re is _DEVICE:
        about = {
            "class": device[2].strip('"').strip(),
            "class_code": device[3],
            "model": None if at_end else _PROG_IF.sub("", device[4]).strip('" '),
        }
        runs.notes.put_all(n, about, "devices", address)
    if at_end:
        runs.notes.problem(n, "cut")


def _capability(block: Block, notes: Notes, state: _State, i: int, n: int, text: str, at_end: bool) -> bool:
    """A line that tells of a device; whether it was one."""
    link = _LINK.match(text)
    if link:
        _put_link(block, notes, _named(notes, state, n, link[1]), i, n, link[1], at_end)
        return True
    if state.name == "" and not _CAPABILITY.match(text):
        return False
    name = state.name or None
    express, numa, driver, part, acs = (pattern.search(text) for pattern in (_EXPRESS, _NUMA, _DRIVER, _PART, _ACS))
    values: dict[str, object] = {}
    if express and "Capabilities:" in text:
        kind = express[1]
        values["port_type"] = next((word for start, word in _PORT_TYPES if kind.startswith(start)), None)
    if numa and not at_end:
        values["numa_node"] = int(numa[1]) if int(numa[1]) >= 0 else None
    if driver and not at_end:
        values["driver"] = driver[1]
    if part and not at_end:
        values["part_number"] = part[1]
    if acs:
        values["acs_redirect"] = acs[1] == "+"
    payload, ordering = _PAYLOAD.search(text), _ORDERING.search(text)
    if payload:
        values["max_payload_bytes"], values["max_read_request_bytes"] = int(payload[1]), int(payload[2])
    if ordering:
        values["relaxed_ordering"] = ordering[1] == "+"
    if not values or name is None:
        if at_end and name and (numa or driver or part):
            notes.problem(n, "cut")  # the value may go on
        return False
    notes.put_all(n, values, "devices", name)
    return True


def _named(notes: Notes, state: _State, n: int, what: str) -> str:
    """The device of a link line. Without a device line above, a line that comes again belongs to the next device."""
    unnamed = not state.name or state.name.startswith("#") or state.name == state.asked
    if not state.name or (unnamed and what in state.seen and state.name != state.asked):
        state.seen = set()
        if state.asked and state.asked not in (notes.get("devices") or {}):
            state.name = state.asked
        else:
            state.unnamed += 1
            state.name = f"#{state.unnamed}"
    state.seen.add(what)
    notes.thing(n, "devices", state.name)
    return state.name


def _put_link(block: Block, notes: Notes, device: str, i: int, n: int, what: str, at_end: bool) -> None:
    """Speed and width of a link; where the line is wrapped, they may stand in the next one."""
    text = block.lines.texts[i]
    if not _WIDTH.search(text) and i + 1 < len(block.lines) and not _CAPABILITY.match(block.lines.texts[i + 1]):
        text = f"{text} {block.lines.texts[i + 1].strip()}"
    speed, width = _SPEED.search(text), _WIDTH.search(text)
    suffix = "_max" if what == "LnkCap" else ""
    generation = _GENERATIONS.get(float(speed[1])) if speed else None
    at_width_end = at_end and width is not None and text.endswith(width.group())
    notes.put(n, generation, "devices", device, f"pcie_gen{suffix}")
    if width and int(width[1]) and not at_width_end:
        notes.put(n, int(width[1]), "devices", device, f"pcie_width{suffix}")
    if at_end and (not width or at_width_end):
        notes.problem(n, "cut")
    elif not width and "unknown" not in text:
        notes.problem(n, "damaged")


def _is_wrapped(block: Block, i: int) -> bool:
    """Whether a line at the margin is the rest of a wrapped one: an indented line of the device follows, or stood before."""
    texts = block.lines.texts
    before = next((text for text in reversed(texts[max(i - 3, 0) : i]) if text.strip()), "")
    after = next((text for text in texts[i + 1 : i + 3] if text.strip()), "")
    return before[:1].isspace() and (after[:1].isspace() or not after) and bool(_FLAGS.search(texts[i]))


def _is_rest_of_name(block: Block, i: int) -> bool:
    """Whether a line at the margin ends a device's wrapped line: details of the device follow."""
    texts = block.lines.texts
    after = texts[i + 1] if i + 1 < len(texts) else ""
    return i > 0 and _DEVICE.match(texts[i - 1]) is not None and bool(_CAPABILITY.match(after) or _DETAIL.match(after.strip()))


_DETAIL = re.compile(  # where a paste lost the indentation
    r"(?:Subsystem|Control|Status|Latency|Interrupt|IOMMU group|Region \d|Expansion ROM|Capabilities|Kernel|Flags|Address|Masking|Bus"
    r"|Memory|I/O|Prefetchable|Secondary status|BridgeCtl|PriDiscTmr|DeviceName|Physical Slot|Vector table|PBA|Product Name|Read-only"
    r"|Changed|Lnk\w+|Dev\w+|Slt\w+|Slot|Root\w+|UE\w+|CE\w+|AtomicOps\w+|ACS\w+|Max|ExtTag|RlxdOrd|ClockPM|ExtSynch|TrErr|10Bit|Emergency|FRS"
    r"|Transmit|Compliance|Equali[sz]ation|Retimer)\b|\[[A-Z]\w\] "
)
_FLAGS = re.compile(r"\w[+-](?:\s|\Z)|Latency|GT/s|Width|bytes|Kernel|Not Supported|Disabled", re.IGNORECASE)


def _derive(notes: Notes) -> None:
    for device, facts in (notes.get("devices") or {}).items():
        for key, value in below_max(facts).items():
            line = notes.at.get(("devices", device, key.replace("_below_max", "")), notes.block.first)
            notes.put(line, value, "devices", device, key)


READER = Reader(
    "lspci",
    read,
    commands=command("lspci"),
    starts=re.compile(
        rf"\s*{_ADDRESS} (?:[A-Z][\w/-]*(?: [\w/&()-]+){{0,5}}|3D controller)(?: \[[0-9a-f]{{4}}\])?: \S"
        r"|\s+(?:LnkCap|DevCap|DevSta|DevCtl|LnkCtl|LnkSta):\s+\S|LnkCap:\s+Port #|LnkSta:\s+Speed "
    ),
)
