"""`mlxlink` (link state, FEC, bit error rates, module) as text, filtered or looped over devices, and as `--json`."""

import re
from collections.abc import Callable, Iterator
from typing import Any

from advisor.evidence.reading import Part
from advisor.readers._again import Runs
from advisor.readers._json import Json, parse
from advisor.readers._loops import loop_names, nth_name
from advisor.readers._titles import title_above, titled_name
from advisor.readers.contract import Block, Notes, Reader, command
from advisor.readers.shapes import LANE_GBPS, integer, is_left_out, known, leading_number, number, open_end, physical_state

TOOL = "mlxlink"
_SECTION = re.compile(
    r"\s*(?:(?:Operational|Supported|Troubleshooting|Module|Cable|Tool|Eye Opening|SLRG|Histogram of [\w ]+|FEC|Port \d+|Link Down|"
    r".* \(Enabled\)) (?:Info|Information)|Physical Counters and BER Info)(?:\s*\([^)]*\))?\s*\Z"
)
_RULE = re.compile(r"\s*-{5,}\s*\Z")
_ENTRY = re.compile(r"\s*(?P<key>[A-Za-z][\w ()/,.\[\]-]*?)\s*:(?P<value>.*)\Z")
_ERROR = re.compile(r"\s*-[EW]-\s")
_SPEED = re.compile(
    r"(?:IB|NVLink|NVL)?-?(?P<ib>SDR|DDR|QDR|FDR10|FDR|EDR|HDR|NDR|XDR)\b|(?P<rate>\d+(?:\.\d+)?)G(?:b?E|bps)?(?:_\d+X)?\Z|(?P<mega>\d+)M\Z"
)
_FEC_CODE = re.compile(r"\(\s*(\d+)\s*,\s*(\d+)(?:\+\d+)?\s*\)")
_BER = re.compile(r"(?P<coefficient>\d{1,9}(?:\.\d+)?)[Ee](?P<exponent>[-+]?\d{1,4})\Z|(?P<plain>0|\d*\.\d+)\Z")
_NONE_SEEN = -200  # the exponent of 15E-255
_DEVICE = re.compile(r"\bmlxlink\b.*?\s(?:-d|--device)[ =]+(?P<name>[^\s;|&<>]+)")
_PORT = re.compile(r"\s(?:-p|--port)[ =]+(?P<port>[^\s;|&<>]+)")


def _state(text: str) -> str | None:
    """Logical state. All that is not active is down: disabled, polling, a cable that is missing."""
    word = (known(text) or "").lower()
    if not word:
        return None
    return {"active": "active", "linkup": "active", "up": "active", "armed": "armed", "init": "init", "initialize": "init"}.get(
        word, "down"
    )


def _switched(text: str) -> bool | None:
    word = text.strip().upper()
    return True if word.startswith("ON") else False if word.startswith(("OFF", "FORCE")) else None


def _ber(text: str) -> float | int | None:
    match = _BER.match(text.strip())
    if not match:
        return None
    if match["plain"] is not None:
        return number(text)
    exponent = int(match["exponent"])
    return 0 if exponent < _NONE_SEEN else float(match["coefficient"]) * 10.0**exponent if exponent <= 0 else None


def _per_lane(text: str) -> list[int] | None:
    words = [word.strip() for word in text.split(",") if word.strip()]
    return [int(word) for word in words] if words and all(word.isdecimal() for word in words) else None


def _sentence(text: str) -> str | None:
    bare = known(text)
    return bare.rstrip(". ") if bare else None


def _seconds(text: str) -> float | None:
    minutes = number(text)
    return None if minutes is None else minutes * 60


# Key -> fact and how its value is read.
_FACTS: dict[str, tuple[str, Callable[[str], object]]] = {
    "State": ("state", _state),
    "Physical state": ("physical_state", physical_state),
    "Auto Negotiation": ("auto_negotiation", _switched),
    "Status Opcode": ("status_opcode", integer),
    "Recommendation": ("recommendation", _sentence),
    "Firmware Version": ("firmware", known),
    "Raw Physical BER": ("raw_ber", _ber),
    "Effective Physical BER": ("effective_ber", _ber),
    "Symbol BER": ("symbol_ber", _ber),
    "Effective Physical Errors": ("effective_errors", integer),
    "Symbol Errors": ("symbol_errors", integer),
    "Raw Physical Errors Per Lane": ("raw_errors_per_lane", _per_lane),
    "Link Down Counter": ("link_downed", integer),
    "Link Error Recovery Counter": ("link_error_recovery", integer),
    "Time Since Last Clear [Min]": ("counters_age_s", _seconds),
    "Cable Type": ("cable_type", known),
    "Transfer Distance [m]": ("cable_length_m", leading_number),
    "Length [m]": ("cable_length_m", leading_number),
    "Temperature [C]": ("module_temp_c", leading_number),
    "Vendor Part Number": ("part_number", known),
}
_OWN_KEYS = (
    "Physical state",
    "Status Opcode",
    "Effective Physical BER",
    "Raw Physical BER",
    "Raw Physical Errors Per Lane",
    "Symbol BER",
    "amBER Version",
)


def read(block: Block) -> Iterator[Part]:
    text = block.lines.text[:4096].lstrip()
    if text.startswith("{") and ('"result"' in text or '"Operational Info"' in text):
        yield from _json(block)
        return
    runs = Runs(TOOL, block, (("ports", "port_count"),), finish=_rates)
    names, count = _names(block.command), 0
    above = None if block.command else title_above(block.lines, block.first)
    port, title_line, seen = "", 0, set[str]()
    cut = open_end(block.lines)
    for i, (n, line) in enumerate(block.lines):
        if not line.strip():
            continue
        if _ERROR.match(line):
            runs.notes.problem(n, "tool-error")
            continue
        is_section, entry = _SECTION.match(line), _ENTRY.match(line)
        is_ours = is_section or (entry and (port or block.command or entry["key"] in _OWN_KEYS))
        if is_ours and (not port or _begins(seen, line, entry)):
            count += 1
            port = above or nth_name(names, count)
            if runs.notes.get("ports", port) is not None:
                runs.begin(i)
            runs.notes.thing(n, "ports", port)
            if title_line:
                runs.notes.ignore(title_line, "title")
            above, title_line = None, 0
            seen.clear()
        seen.add(entry["key"] if entry else line.strip())
        if is_section or (port and _RULE.match(line)):
            runs.notes.use(n)
        elif entry and port:
            _entry(runs.notes, n, port, entry["key"], entry["value"].strip(), n == cut)
        elif port and is_left_out(line):
            runs.notes.problem(n, "left-out")
        elif port and n == cut:
            runs.notes.problem(n, "cut")
        elif titled := titled_name(line):
            above, port, title_line = titled, "", n
    yield from runs.parts()


def _begins(seen: set[str], line: str, entry: re.Match[str] | None) -> bool:
    """Whether a line tells again what is told: the next run, or the next port of a loop without titles."""
    key = entry["key"] if entry else line.strip()
    return key in seen and (key in _FACTS or key in ("Speed", "Width", "FEC", "Operational Info"))


def _names(command_line: str | None) -> list[str]:
    """The ports that a command line names: the device without its folder, and the port where one is given."""
    device = _DEVICE.search(command_line or "")
    if not device:
        return []
    argument = device["name"].strip("\"'")
    port = _PORT.search(command_line or "")
    devices = [name.rsplit("/", 1)[-1] for name in _values(command_line, argument)]
    return [f"{device}/{number}" for device in devices for number in _values(command_line, port["port"].strip("\"'"))] if port else devices


def _values(command_line: str | None, argument: str) -> list[str]:
    """The values of an argument: those of the loop that it is of, or itself."""
    return loop_names(command_line, argument) or ([] if any(mark in argument for mark in "$`{*") else [argument])


def _entry(notes: Notes, n: int, port: str, key: str, value: str, is_open: bool) -> None:
    where = ("ports", port)
    if is_open and key in (*_FACTS, "Speed", "Width", "FEC"):
        notes.problem(n, "cut")
    elif key in _FACTS:
        fact, as_value = _FACTS[key]
        read_in = as_value(value)
        notes.put(n, read_in, *where, fact)
        if read_in is None and known(value) and fact not in ("auto_negotiation", "cable_length_m", "module_temp_c", "physical_state"):
            notes.problem(n, "damaged")
    elif key == "Speed":
        speed = _SPEED.match(value)
        notes.use(n)
        if speed and speed["ib"]:
            notes.put(n, speed["ib"], *where, "ib_speed")
        elif speed:
            rate = float(speed["rate"]) if speed["rate"] else float(speed["mega"]) / 1000
            notes.put(n, int(rate) if rate.is_integer() else rate, *where, "rate_gbps")
    elif key == "Width":
        notes.put(n, leading_number(value), *where, "width")
    elif key == "FEC":
        notes.put(n, _fec(value), *where, "fec")
        code = _FEC_CODE.search(value)
        notes.put(n, f"{code[1]},{code[2]}" if code and _fec(value) == "rs" else None, *where, "fec_code")
    else:
        notes.ignore(n, "no fact of ours")


def _fec(text: str) -> str | None:
    word = (known(text) or "").lower().replace("_", " ").replace("-", " ")
    if not word:
        return None
    if "no fec" in word or word == "none":
        return "none"
    if "fire" in word or "base r" in word or "baser" in word:
        return "firecode"
    return "rs" if re.search(r"\brs\b", word) or "(" in word else None


def _rates(notes: Notes) -> None:
    """The rate of an InfiniBand port: lanes times the nominal rate of one."""
    for name, port in notes.facts.get("ports", {}).items():
        lane = LANE_GBPS.get(port.get("ib_speed", ""))
        if "rate_gbps" not in port and lane and port.get("width"):
            rate = lane * port["width"]
            port["rate_gbps"] = int(rate) if float(rate).is_integer() else rate
            notes.at["ports", name, "rate_gbps"] = notes.at["ports", name, "ib_speed"]


# --- JSON ---------------------------------------------------------------------------------------------------------


def _json(block: Block) -> Iterator[Part]:
    text = parse(block.lines)
    if text is None or not isinstance(text.tree, dict):
        return
    notes = Notes(TOOL, block)
    names = _names(block.command)
    port = names[0] if names else (title_above(block.lines, block.first) if not block.command else None) or "#1"
    for place, key, value in _entries(text.tree, ()):
        shown = _shown(value)
        if shown is not None:
            _entry(notes, text.line(*place), port, key, shown, False)
    status = text.tree.get("status")
    if isinstance(status, dict) and status.get("code") not in (0, None, "0"):
        notes.problem(text.line("status"), "tool-error", str(status.get("message", ""))[:200])
    _close(notes, block, text)
    _rates(notes)
    if not notes.is_empty:
        yield notes.part()


def _entries(tree: dict[str, Any], place: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], str, object]]:
    """Every key of the sections, with its place; of a list with a mask, the list."""
    for key, value in tree.items():
        if isinstance(value, dict) and "values" not in value:
            yield from _entries(value, (*place, key))
        else:
            yield (*place, key), key, value


def _shown(value: object) -> str | None:
    """A JSON value as the text form shows it."""
    if isinstance(value, dict):
        value = value.get("values")
    if isinstance(value, list):
        return ",".join(str(item) for item in value)
    return None if value is None else str(value)


def _close(notes: Notes, block: Block, text: Json) -> None:
    notes.use_range(block.lines.numbers[0], text.last)
    if text.broken is not None:
        notes.problem(text.broken, "cut")
    notes.count("ports", "port_count")


READER = Reader(
    TOOL,
    read,
    commands=command("mlxlink"),
    starts=re.compile(
        r"\s*(?:Operational Info|Troubleshooting Info|Physical Counters and BER Info|Supported Info)\s*\Z|"
        r"(?:Effective Physical BER|Raw Physical BER|Raw Physical Errors Per Lane|Effective Physical Errors|Status Opcode)\s+: "
    ),
    recognises=lambda head: re.match(r"\s*\{", head) is not None and '"Operational Info"' in head and '"Physical state"' in head,
)
