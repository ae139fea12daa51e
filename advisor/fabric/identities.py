"""Whom a GUID or a LID belongs to, where a tool names no device: systems of UFM, and counters that perfquery takes by LID."""

from collections.abc import Iterator, Mapping
from typing import Any

from advisor.evidence.bundle import Bundle, Known
from advisor.fabric.facts import number, text, tree, whole
from advisor.fabric.model import Tier
from advisor.fabric.names import HostNames, adapter_of

_FABRIC_TOOLS = ("ibnetdiscover", "iblinkinfo", "ibdiagnet")
# Keys of a port's facts that are no counters.
_APART = {"lid", "peer_lid", "peer_port", "width", "rate_gbps", "rate_max_gbps", "mtu_bytes"}
# UFM calls a switch with hosts `tor`, one without `core`: in two tiers the spine.
_ROLES: Mapping[str, Tier] = {"tor": "leaf", "core": "spine"}


class Systems:
    """The systems that UFM lists: their names by GUID, which of them are hosts and which switches, and the tiers of these."""

    def __init__(self, bundle: Bundle) -> None:
        self.name_of: dict[str, str] = {}
        self.hosts: set[str] = set()
        self.tier_of: dict[str, Tier] = {}
        self.switches: set[str] = set()
        for known in bundle.find("systems.*", "ufm"):
            name, facts = known.names[0], tree(known.value)
            if guid := text(facts.get("guid")):
                self.name_of[guid] = name
            if facts.get("kind") == "host":
                self.hosts.add(name)
            elif facts.get("kind") == "switch":
                self.switches.add(name)
                if tier := _ROLES.get(str(facts.get("role"))):
                    self.tier_of[name] = tier
        for known in bundle.find("ports.*.peer_kind", "ufm"):
            peer = tree(tree(known.part.facts.get("ports")).get(known.names[0])).get("peer_device")
            if known.value == "switch" and peer:
                self.switches.add(self.name_of.get(str(peer), str(peer)))

    def ports(self, bundle: Bundle) -> Iterator[tuple[Known, str, str, Mapping[str, Any]]]:
        """Ports of switches with the switch's name, the port's, and what is known of it; the other end goes by its name."""
        for known in bundle.find("ports.*", "ufm"):
            system, _, port = known.names[0].rpartition("/")
            facts = tree(known.value)
            device = self.name_of.get(system, system)
            label = str(facts.get("label") or "")
            described = adapter_of(str(facts.get("node_description") or ""))
            if not device or device in self.hosts or label.upper().startswith("HCA") or (described and described[1]):
                continue
            peer = text(facts.get("peer_device"))
            if peer is None and (guid := text(facts.get("peer_guid"))):
                peer = self.name_of.get(guid)
            yield known, device, port, {**facts, "peer_device": self.name_of.get(peer, peer) if peer else None}


def by_lid(bundle: Bundle, host_names: HostNames) -> dict[int, tuple[str, str | None]]:
    """LID -> switch and None, or host and the adapter's device. A LID that two devices have (two subnets) is nobody's."""
    found: dict[int, set[tuple[str, str | None]]] = {}
    for known in bundle.find("switches.*.lid", *_FABRIC_TOOLS):
        if (lid := whole(known.value)) and lid:
            found.setdefault(lid, set()).add((known.names[0], None))
    for known in bundle.find("cas.*.ports.*.lid", *_FABRIC_TOOLS):
        adapter = adapter_of(known.names[0])
        if (lid := whole(known.value)) and adapter:
            found.setdefault(lid, set()).add((host_names.short(adapter[0]), adapter[1]))
    for known in bundle.find("ports.*.lid", "ibstat"):
        if (lid := whole(known.value)) and lid < 65535 and known.host:
            found.setdefault(lid, set()).add((host_names.short(known.host), known.names[0].partition("/")[0]))
    return {lid: next(iter(owners)) for lid, owners in found.items() if len(owners) == 1}


def lid_port(name: str, owners: Mapping[int, tuple[str, str | None]]) -> tuple[str, str, bool] | None:
    """Device, port, and whether it is a switch, of a port that perfquery names by its LID (`lid12/5`)."""
    device, _, port = name.partition("/")
    owner = owners.get(int(device[3:])) if device.startswith("lid") and device[3:].isdecimal() else None
    if owner is None or not port:
        return None
    return (owner[0], port, True) if owner[1] is None else (owner[0], f"{owner[1]}/{port}", False)


def counters_by_lid(bundle: Bundle, host_names: HostNames) -> Iterator[tuple[Known, str, str, bool, Mapping[str, float]]]:
    """Counters that perfquery took, at the port whose LID it names: device, port, whether it is a switch, and the counters."""
    listed = list(bundle.find("ports.*", "perfquery"))
    owners = by_lid(bundle, host_names) if listed else {}
    for known in listed:
        if at := lid_port(known.names[0], owners):
            counters = {str(name): value for name, raw in tree(known.value).items() if (value := number(raw)) is not None}
            yield known, *at, {name: value for name, value in counters.items() if name not in _APART}
