"""Ports of hosts and switches: what every tool says of each, joined by the port's names."""

from collections.abc import Iterator
from typing import Any

from advisor.evidence.bundle import Bundle, Known
from advisor.fabric.claims import Claims, Thing
from advisor.fabric.facts import number, whole
from advisor.fabric.model import Port
from advisor.fabric.names import HostNames, own_name

PORT_TOOLS = ("ibstat", "ibstatus", "ibv_devinfo", "mlxlink", "sysfs-ib-counters", "ibdev2netdev", "show_gids", "nccl-log")
INTERFACE_TOOLS = ("ethtool", "ethtool-S", "ethtool-i", "mlnx_qos")
_WORDS = ("state", "physical_state", "link_layer", "model", "firmware", "numa_node", "trust", "netdev", "pci_address", "fec")
_NUMBERS = ("rate_gbps", "rate_max_gbps")
_WHOLE = ("width", "mtu_bytes", "pcie_gen", "pcie_width", "pcie_gen_max", "pcie_width_max")
_KNOWN_STATES = {"linkup", "polling", "disabled", "sleep", "training"}
_APART = {"lid", "sm_lid", "lane_rate_gbps", "peer_lid", "gid_count", "mtu_max_bytes", "roce_v2_ipv4_gid_index", "peer_port"}


def say_ports(bundle: Bundle, claims: Claims, names: HostNames) -> None:
    """Claims on the ports of hosts under (host, "port", name), each port under one name whatever its tools call it."""
    aliases = _Aliases(bundle, names)
    for known, figure, value in figures(bundle, "ports", *PORT_TOOLS):
        claims.say((names(known), "port", aliases.port(names(known), own_name(known))), figure, known, value)
    for known, figure, value in figures(bundle, "interfaces", *INTERFACE_TOOLS):
        host, netdev = names(known), own_name(known)
        thing = (host, "port", aliases.of_netdev.get((host, netdev), netdev))
        claims.say(thing, "netdev", known, netdev)
        claims.say(thing, figure, known, value)
    for known, figure, value in figures(bundle, "nics", "nccl-topo-xml"):
        claims.say((names(known), "port", aliases.port(names(known), own_name(known))), figure, known, value)
    for known, figure, value in figures(bundle, "devices", "lspci"):
        port = aliases.of_address.get((names(known), known.names[0]))
        if port and figure:
            claims.say((names(known), "port", port), figure, known, value)


class _Aliases:
    """The other names of a host's ports: netdev, PCI address, and the device without a port's number."""

    def __init__(self, bundle: Bundle, names: HostNames) -> None:
        self._numbered: dict[tuple[str, str], set[str]] = {}
        for known in bundle.find("ports.*", *PORT_TOOLS):
            device, _, index = known.names[0].partition("/")
            if index:
                self._numbered.setdefault((names(known), device), set()).add(known.names[0])
        self.of_netdev: dict[tuple[str, str], str] = {}
        for known in bundle.find("ports.*.netdev", *PORT_TOOLS):
            self.of_netdev[names(known), str(known.value)] = self.port(names(known), known.names[0])
        self.of_address: dict[tuple[str, str], str] = {}
        for known in bundle.find("interfaces.*.pci_address", *INTERFACE_TOOLS):
            host, netdev = names(known), known.names[0]
            self.of_address[host, str(known.value)] = self.of_netdev.get((host, netdev), netdev)
        for known in bundle.find("nics.*.pci_address", "nccl-topo-xml"):
            host = names(known)
            self.of_address.setdefault((host, str(known.value)), self.port(host, known.names[0]))

    def port(self, host: str, name: str) -> str:
        """`mlx5_0` is `mlx5_0/1` where that is the only port of the device that any tool numbers."""
        numbered = self._numbered.get((host, name), set())
        return next(iter(numbered)) if len(numbered) == 1 else name


def figures(bundle: Bundle, section: str, *tools: str) -> Iterator[tuple[Known, str, Any]]:
    """Every figure of the things of a section, each with its own line; a thing without figures comes once, with the figure ""."""
    for known in bundle.find(f"{section}.*", *tools):
        if not known.value:
            yield known, "", None
    for known in bundle.find(f"{section}.*.*", *tools):
        key = known.names[1]
        if key in _WORDS:
            if key != "physical_state" or str(known.value) in _KNOWN_STATES:
                yield known, key, known.value
        elif key in _NUMBERS:
            yield known, key, number(known.value)
        elif key in _WHOLE:
            yield known, key, whole(known.value)
        elif key == "pfc_priorities" and isinstance(known.value, list):
            yield known, key, tuple(found for item in known.value if (found := whole(item)) is not None)
        elif key not in _APART and number(known.value) is not None:
            yield known, key, number(known.value)
    for group in ("priorities", "queues", "priority_groups"):
        for known in bundle.find(f"{section}.*.{group}.*.*", *tools):
            if number(known.value) is not None and known.names[2] not in ("tc", "buffer"):
                yield known, f"{group}.{known.names[1]}.{known.names[2]}", number(known.value)


def port(claims: Claims, thing: Thing) -> Port:
    """The port that the claims tell of."""
    figures = {figure: claims.value(thing, figure) for figure in claims.said.get(thing, {})}
    fields = {key: figures[key] for key in Port.model_fields if key in figures and figures[key] is not None}
    counters: dict[str, float] = {}
    priorities: dict[str, dict[str, float]] = {}
    for figure, value in figures.items():
        if value is None or figure in Port.model_fields or not isinstance(value, float):
            continue
        if figure.startswith("priorities."):
            _, priority, name = figure.split(".", 2)
            priorities.setdefault(priority, {})[name] = value
        else:
            counters[figure] = value
    return Port.model_validate(
        {"name": thing[-1], "counters": counters, "priorities": priorities, "origins": claims.origins(thing), **fields}
    )


def is_counter(figure: str) -> bool:
    """Whether a claimed figure is one that grows or varies, of which two takes are no contradiction."""
    return figure not in Port.model_fields and figure not in ("pci_address", "fec")
