"""What the InfiniBand tools share: GUIDs, widths and speeds in one form, devices under their node description, cables counted once."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from advisor.capture.lines import Lines
from advisor.readers.contract import Notes, filtered
from advisor.readers.shapes import LANE_GBPS, number, physical_state, port_state

# Signalling rate of a lane in Gb/s, as the tools print it, and the nominal one that a port's rate is made of.
_NOMINAL_LANE = {2.5: 2.5, 5.0: 5.0, 10.0: 10.0, 10.3125: 10.0, 14.0625: 14.0, 25.78125: 25.0, 53.125: 50.0, 106.25: 100.0, 212.5: 200.0}
_GUID = re.compile(r"(?:0x)?([0-9A-Fa-f]{1,16})\Z")
_WIDTH = re.compile(r"(\d{1,2})[xX]\Z")
_LINK = re.compile(
    r"(?P<lid>\d+)\s+(?P<port>\d+)\s*\[\s*(?P<ext>\d*)\s*\]\s*==\((?P<link>[^()]*)\)(?:\s*\(HOQ:[^)]*\))?==>\s*"
    r"(?:(?P<peer_guid>0x[0-9A-Fa-f]+)\s+)?(?:(?P<peer_lid>\d+)\s+(?P<peer_port>\d+))?\s*\[\s*\d*\s*\]\s*\"(?P<peer>[^\"]*)\"(?P<rest>.*)"
)
_INNER = re.compile(
    r"(?:(?P<width>\d{1,2})[xX]\s++)?(?:(?P<speed>[\w.]+)(?:\s++Gbps)?\s++)?"
    r"(?P<state>[A-Za-z?]+)\s*+/\s*+(?P<physical>[A-Za-z?]+(?: [A-Za-z?]+)*)\Z"
)
_COULD_BE = re.compile(r"Could be (\d{1,2})X|Could be (\d+(?:\.\d+)?) Gbps|Could be ([A-Z]+\d*)\b")


def guid(text: str | None) -> str | None:
    """A GUID as 16 hex digits in lower case, or None where it is none (a test's word, a cut text)."""
    match = _GUID.match((text or "").strip())
    return match[1].lower().zfill(16) if match else None


def width(text: str) -> int | None:
    """Lanes of `4X`, `4x`, or None."""
    match = _WIDTH.match(text.strip())
    return int(match[1]) if match else None


def speed(name: str, lanes: int | None) -> dict[str, object]:
    """Facts of a speed by name (`HDR`): the name, and the port's rate where the width is known."""
    word = name.strip().upper()
    if word not in LANE_GBPS:
        return {}
    return {"ib_speed": word, **({"rate_gbps": lanes * LANE_GBPS[word]} if lanes else {})}


def lane_rate(gbps: float, lanes: int | None) -> dict[str, object]:
    """Facts of a lane's signalling rate as printed (25.78125), and the port's rate from the nominal one (25)."""
    nominal = _NOMINAL_LANE.get(float(gbps))
    return {"lane_rate_gbps": gbps, **({"rate_gbps": lanes * nominal} if lanes and nominal else {})}


@dataclass(frozen=True, slots=True)
class Link:
    """A port and its other end, as iblinkinfo and ibqueryerrors write it: `2 1[ ] ==( 4X 10.0 Gbps Active/ LinkUp)==> 3 1[ ] "host"`."""

    lid: int
    port: str
    facts: Mapping[str, object]
    peer: str | None
    peer_guid: str | None
    peer_lid: int | None
    peer_port: int | None


def link(text: str) -> Link | None:
    """The link that a line describes, or None where it is none or is damaged."""
    match = _LINK.search(text)
    inner = _INNER.match(match["link"].strip()) if match else None
    if not match or not inner:
        return None
    lanes = int(inner["width"]) if inner["width"] else None
    facts: dict[str, object] = {"state": port_state(inner["state"]), "physical_state": physical_state(inner["physical"].replace(" ", ""))}
    if lanes:
        facts["width"] = lanes
    rate = number(inner["speed"]) if inner["speed"] else None
    if rate is not None:
        facts |= lane_rate(rate, lanes)
    elif inner["speed"]:
        facts |= speed(inner["speed"], lanes)
    facts |= _could_be(match["rest"], lanes, rate if rate is not None else LANE_GBPS.get((inner["speed"] or "").upper()))
    peer = match["peer"].strip() or None
    return Link(
        lid=int(match["lid"]),
        port=str(int(match["port"])),
        facts={key: value for key, value in facts.items() if value is not None},
        peer=peer,
        peer_guid=guid(match["peer_guid"]),
        peer_lid=int(match["peer_lid"]) if match["peer_lid"] else None,
        peer_port=int(match["peer_port"]) if match["peer_port"] else None,
    )


def wrapped(lines: Lines, i: int, part_of: Callable[[str], object]) -> str | None:
    """The line at an index with the next one behind it, where only both together are something; mail programs break long lines."""
    if i + 1 >= len(lines) or not lines.texts[i + 1].strip():
        return None
    text, more = lines.texts[i].rstrip(), lines.texts[i + 1].strip()
    return next((whole for whole in (f"{text} {more}", text + more) if part_of(whole)), None)


def _could_be(text: str, lanes: int | None, rate: float | None) -> dict[str, object]:
    """What a link could be, where the tool says that both ends support more than is in force."""
    facts: dict[str, object] = {}
    lane = _NOMINAL_LANE.get(float(rate)) if rate is not None else None
    for more_lanes, more_rate, name in _COULD_BE.findall(text):
        if more_lanes:
            facts["width_possible"] = lanes = int(more_lanes)
        elif more_rate:
            facts["lane_rate_possible_gbps"] = number(more_rate)
            lane = _NOMINAL_LANE.get(float(more_rate))
        else:
            facts["ib_speed_possible"] = name
            lane = LANE_GBPS.get(name)
    if facts and lanes and lane:
        facts["rate_max_gbps"] = lanes * lane
    return facts


def peer_facts(name: str | None, port: int | None, lid: int | None, peer_guid: str | None) -> dict[str, object]:
    """Facts of the other end, of what is known of it."""
    found = {"peer_device": name, "peer_port": port, "peer_lid": lid, "peer_guid": peer_guid}
    return {key: value for key, value in found.items() if value is not None}


@dataclass(slots=True)
class Fabric:
    """Devices, ports and cables of one run, written into notes.

    Two devices of one description stay two: the later one is named with its GUID.
    """

    notes: Notes
    names: dict[tuple[str, str], str] = field(default_factory=dict)  # kind, identity -> name in the facts
    taken: dict[tuple[str, str], str] = field(default_factory=dict)  # kind, name -> identity
    cables: set[frozenset[tuple[str, str]]] = field(default_factory=set)

    def device(self, line: int, kind: str, name: str, identity: str, **facts: object) -> dict[str, Any]:
        """The facts of a device (`switches` or `cas`); the first value that is given stays."""
        known = self.names.get((kind, identity))
        if known is None:
            bare = name.strip() or identity
            known = bare if self.taken.get((kind, bare), identity) == identity else f"{bare} ({identity})"
            self.names[(kind, identity)] = known
            self.taken.setdefault((kind, bare), identity)
        self.notes.thing(line, kind, known)
        device: dict[str, Any] = self.notes.facts[kind][known]
        for key, value in facts.items():
            if value is not None:
                device.setdefault(key, value)
                self.notes.at.setdefault((kind, known, key), line)
        return device

    def has(self, kind: str, identity: str) -> bool:
        return (kind, identity) in self.names

    def port(self, line: int, kind: str, identity: str, port: str, facts: Mapping[str, object]) -> None:
        """A port of a device that is known, from one line."""
        known = self.names[(kind, identity)]
        self.notes.thing(line, kind, known, "ports", port)
        self.notes.facts[kind][known]["ports"][port].update(facts)

    def has_port(self, kind: str, identity: str, port: str) -> bool:
        known = self.names.get((kind, identity))
        return known is not None and port in (self.notes.get(kind, known, "ports") or {})

    def cable(self, one: tuple[str, str], other: tuple[str, str]) -> None:
        """A cable between two ends (device, port); from the other end it is the same."""
        self.cables.add(frozenset((one, other)))

    def close(self, both: bool = True) -> None:
        """The numbers of devices and cables. Without a device or a cable nothing is known of their number.

        both   the format lists switches and adapters alike, so none of one kind is a known zero
        """
        kinds = [kind for kind, _ in self.names]
        if kinds:
            for kind, key in (("switches", "switch_count"), ("cas", "ca_count"), ("routers", "router_count")):
                if kind in kinds or (both and kind != "routers" and not filtered(self.notes.block.command)):
                    self.notes.facts[key] = kinds.count(kind)
        if self.cables:
            self.notes.facts["link_count"] = len(self.cables)
