"""Links and systems of UFM, as ports with what is behind them, and as devices."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from advisor.readers._fabric import guid, width
from advisor.readers.contract import Notes
from advisor.readers.shapes import known

_LABEL = re.compile(r":[\w/.-]+\Z")  # of a port, behind the description of its switch: `leaf-03:1/3/1`
# Headings of an exported table, in lower case without signs, and the fields of the interface that they are.
_HEADINGS = {
    "sourceguid": "source_guid",
    "sourceport": "source_port",
    "destinationguid": "destination_guid",
    "destinationport": "destination_port",
    "source": "source_port_node_description",
    "sourcenode": "source_port_node_description",
    "sourcesystem": "source_port_node_description",
    "sourcenodedescription": "source_port_node_description",
    "sourceportnodedescription": "source_port_node_description",
    "destination": "destination_port_node_description",
    "destinationnode": "destination_port_node_description",
    "destinationsystem": "destination_port_node_description",
    "destinationnodedescription": "destination_port_node_description",
    "destinationportnodedescription": "destination_port_node_description",
    "width": "width",
    "severity": "severity",
}
_KINDS = {"switch": "switch", "host": "host", "gateway": "gateway", "router": "router"}


def link_heading(row: Sequence[str]) -> list[str] | None:
    """The fields of a table of links; None for any other heading."""
    if len(row) < 4:  # two ends, each with its port
        return None
    fields = [_HEADINGS.get(re.sub(r"[^a-z]", "", cell.lower()), "") for cell in row]
    both = {"source_port", "destination_port"} <= set(fields)
    ends = {"source_guid", "destination_guid"}, {"source_port_node_description", "destination_port_node_description"}
    return fields if both and any(end <= set(fields) for end in ends) else None


def is_link(thing: Mapping[str, Any]) -> bool:
    return {"source_port", "destination_port"} <= thing.keys() and {"source_guid", "destination_guid"} <= thing.keys()


def is_system(thing: Mapping[str, Any]) -> bool:
    return bool(thing.get("system_name")) and "system_guid" in thing and "number" not in thing


def put_link(notes: Notes, link: Mapping[str, Any], line: int) -> None:
    """The port of the source, or of the destination where only that is a switch's, with the other end.

    A device without a description goes by its GUID: a list of systems tells its name.
    """
    here, there = _end(link, "source"), _end(link, "destination")
    if here is None or there is None:
        notes.problem(line, "damaged")
        return
    if here[2] and not there[2]:  # an adapter: the switch tells of it
        here, there = there, here
    path = ("ports", f"{here[0]}/{here[1]}")
    notes.put_all(line, {"peer_device": there[0], "peer_port": there[1], "peer_guid": there[3]}, *path)
    notes.put(line, "switch" if there[4] else None, *path, "peer_kind")
    lanes = width(str(link.get("width") or "").lower().removeprefix("ib_"))
    notes.put_all(line, {"width": lanes, "severity": known(str(link.get("severity") or ""))}, *path)


def _end(link: Mapping[str, Any], side: str) -> tuple[str, int, bool, str | None, bool] | None:
    """Name, port, whether it is an adapter, GUID of an end, and whether it is a switch: only that has its port behind its description."""
    identity, port = guid(str(link.get(f"{side}_guid") or "")), str(link.get(f"{side}_port") or "").strip()
    description = known(str(link.get(f"{side}_port_node_description") or "")) or ""
    label = str(link.get(f"{side}_port_dname") or "")
    name = _LABEL.sub("", description) or identity
    if not name or not port.isdecimal():
        return None
    is_adapter = label.upper().startswith("HCA") or (bool(description) and ":" not in description and len(description.split()) == 2)
    return name, int(port), is_adapter, identity, not is_adapter and ":" in description


def put_system(notes: Notes, system: Mapping[str, Any], lines: Mapping[str, int], line: int) -> None:
    """A device: what it is (`type`), where it stands (`role`: tor has hosts, core has none), and its GUID."""
    path = ("systems", str(system["system_name"]))
    notes.thing(line, *path)
    figures = {
        "guid": guid(str(system.get("system_guid") or "")),
        "kind": _KINDS.get(str(system.get("type") or "").lower()),
        "role": known(str(system.get("role") or "").lower()),
        "model": known(str(system.get("model") or "")),
        "severity": known(str(system.get("severity") or "")),
    }
    for key, field in (("guid", "system_guid"), ("kind", "type"), ("role", "role"), ("model", "model"), ("severity", "severity")):
        notes.put(lines.get(field, line), figures[key], *path, key)
