"""What a person states of a fabric to size: one flat form, all of it optional. `bounds` tells what a field takes."""

from dataclasses import dataclass
from decimal import Decimal
from typing import Annotated, Any, Literal

from pydantic import Field

from advisor.base.model import Model

Count = Annotated[int, Field(ge=1, le=1_000_000)]
Some = Annotated[int, Field(ge=0, le=1_000_000)]
Ports = Annotated[int, Field(ge=1, le=1024)]  # of one node; a rack that is one NVLink domain has 72 or 144
PortsOrNone = Annotated[int, Field(ge=0, le=1024)]
Few = Annotated[int, Field(ge=1, le=64)]
Radix = Annotated[int, Field(ge=2, le=2048)]
Rate = Annotated[Decimal, Field(ge=Decimal("0.1"), le=10_000)]
Ratio = Annotated[Decimal, Field(ge=Decimal("0.01"), le=100)]
Percent = Annotated[Decimal, Field(ge=0, le=10_000)]
Cable = Literal["optic", "aoc", "dac"]
Topology = Literal["leaf-spine", "three-tier", "rail-optimised", "rail-only", "single-switch", "two-switch"]


class InstalledGear(Model):
    """An installed fabric: its leaves, spines, uplinks and used host ports of each leaf. Without spines, both are 0."""

    leaves: Count
    spines: Some
    uplinks_per_leaf: Annotated[int, Field(ge=0, le=1024)]
    down_used_per_leaf: Annotated[int, Field(ge=0, le=2048)] | None = None


class Request(Model):
    """What is stated. What is absent is found, or stays unknown.

    nodes, gpus_per_node, nics_per_node     hosts; NICs count ports to the compute fabric, in each plane as many
    rails, planes                           groups of ports with leaves of their own; separate fabrics, each with a link of every NIC
    radix, breakout                         ports of a switch at the links' rate; links that each of them splits into (then radix times it)
    link_gbps, node_link_gbps, uplink_gbps  rate of all links, of those to hosts, of those between switches
    oversubscription                        target, at most: rate down over rate up of a full leaf. spine_oversubscription: below cores
    down_ports, up_ports, uplinks_per_leaf  ports of a leaf, where they are decided; the last two are one thing
    leaves, spines, tiers, topology         what is decided of the fabric
    reserved_ports                          leaf ports for fabric managers and controllers
    nodes_per_unit, build_full_units        scalable units; leaves for whole ones
    growth_percent                          nodes more that leaves shall have ports for
    links_per_cable                         links that one cable holds; node_cable, switch_cable: whether modules are bought for it
    storage_ports_per_node, storage_servers, ports_per_storage_server, switch_radix, switches_redundant, isl_ports_per_switch
                                            storage: leaves and spines of `radix`, or joined switches where one of the last three is stated
    storage_target, storage_gBps_per_gpu, storage_link_gbps
                                            what storage shall deliver: a published class, or GB/s for each GPU
    inband_ports_per_node, bmc_ports_per_node, nodes_per_rack, node_kw    management, racks and power
    installed, target_oversubscription      an installed fabric that grows
    """

    nodes: Count | None = None
    gpus_per_node: Ports | None = None
    nics_per_node: Ports | None = None
    rails: Ports | None = None
    planes: Few | None = None
    radix: Radix | None = None
    breakout: Annotated[int, Field(ge=1, le=8)] | None = None
    link_gbps: Rate | None = None
    node_link_gbps: Rate | None = None
    uplink_gbps: Rate | None = None
    oversubscription: Ratio | None = None
    spine_oversubscription: Ratio | None = None
    down_ports: Annotated[int, Field(ge=1, le=2048)] | None = None
    up_ports: Ports | None = None
    uplinks_per_leaf: Ports | None = None
    leaves: Count | None = None
    spines: Count | None = None
    tiers: Annotated[int, Field(ge=1, le=3)] | None = None
    topology: Topology | None = None
    reserved_ports: Annotated[int, Field(ge=0, le=10_000)] | None = None
    nodes_per_unit: Count | None = None
    build_full_units: bool | None = None
    growth_percent: Percent | None = None
    links_per_cable: Annotated[int, Field(ge=1, le=16)] | None = None
    node_cable: Cable | None = None
    switch_cable: Cable | None = None
    storage_ports_per_node: PortsOrNone | None = None
    storage_servers: Some | None = None
    ports_per_storage_server: Ports | None = None
    switch_radix: Radix | None = None
    switches_redundant: bool | None = None
    isl_ports_per_switch: Annotated[int, Field(ge=0, le=2048)] | None = None
    storage_target: Literal["good", "better", "best"] | None = None
    storage_gBps_per_gpu: Annotated[Decimal, Field(ge=Decimal("0.001"), le=1000)] | None = None  # noqa: N815 - the unit's own spelling
    storage_link_gbps: Rate | None = None
    inband_ports_per_node: PortsOrNone | None = None
    bmc_ports_per_node: PortsOrNone | None = None
    nodes_per_rack: Annotated[int, Field(ge=1, le=100)] | None = None
    node_kw: Annotated[Decimal, Field(ge=Decimal("0.001"), le=1000)] | None = None
    installed: InstalledGear | None = None
    target_oversubscription: Ratio | None = None


@dataclass(frozen=True, slots=True)
class Bounds:
    """What a field takes. kind: whole, number, truth, choice or map."""

    kind: str
    low: float | None = None
    high: float | None = None
    choices: tuple[str, ...] = ()


def bounds(form: type[Model] = Request) -> dict[str, Bounds]:
    """Field -> what it takes, as the form has it."""
    return {name: _bounds(field) for name, field in form.model_json_schema()["properties"].items()}


def _bounds(field: dict[str, Any]) -> Bounds:
    kinds = [kind for kind in field.get("anyOf", [field]) if kind.get("type") != "null"]
    if any("$ref" in kind for kind in kinds):
        return Bounds("map")
    if any("enum" in kind for kind in kinds):
        return Bounds("choice", choices=tuple(kinds[0]["enum"]))
    if kinds[0]["type"] == "boolean":
        return Bounds("truth")
    whole = any(kind["type"] == "integer" for kind in kinds)
    numbers = next(kind for kind in kinds if kind["type"] in ("integer", "number"))
    low = numbers.get("minimum", numbers.get("exclusiveMinimum"))
    return Bounds("whole" if whole else "number", low, numbers.get("maximum"))
