"""Figures beside the compute fabric: storage and its targets, management links, racks and power."""

from fractions import Fraction
from math import ceil

from advisor.cost.sizing.answer import Sizing
from advisor.cost.sizing.clos import exact
from advisor.cost.sizing.reference import references

Figures = dict[str, int | float]
NODES_OF_A_UNIT = 32  # of the published storage classes


def storage(found: Sizing) -> Figures:
    plane, made, r = found.plane, found.storage, found.request
    known: Figures = {}
    if r.nodes is not None and r.storage_ports_per_node is not None:
        known["storage_links"] = r.nodes * r.storage_ports_per_node
    if made is not None:
        known |= {"storage_leaves": made.leaves, "storage_spines": made.spines, "storage_cables_leaf_spine": made.links_leaf_spine}
    if plane is not None:
        known |= {"ports_needed": plane.ports, "ports_per_switch_usable": plane.usable}
        known |= {"storage_switches": plane.switches, "storage_nics": plane.nics, "storage_cables": plane.cables}
        known["storage_isl_links"] = plane.links_between
        if found.pair is None:  # the names without a prefix belong to the only plane there is
            known["switches"] = plane.switches
        known |= {"nics": plane.nics, "cables": plane.cables}
    return known


def management(found: Sizing) -> Figures:
    """Management links, racks and power. What a person does not name of a rack is that of the published one, where it fits."""
    r, known = found.request, Figures()
    if r.nodes is None:
        return known
    if r.inband_ports_per_node is not None:
        known["inband_links"] = r.nodes * r.inband_ports_per_node
    if r.bmc_ports_per_node is not None:
        known["bmc_links"] = r.nodes * r.bmc_ports_per_node
    if any(value is not None for value in (r.inband_ports_per_node, r.bmc_ports_per_node, r.nodes_per_rack, r.node_kw)):
        shipped = next(
            (one.rack for one in references().values() if one.rack and one.fits.fit(r.model_copy(update={"topology": None}))), None
        )
        per_rack = r.nodes_per_rack or (shipped.nodes_per_rack if shipped else None)
        kw = r.node_kw if r.node_kw is not None else shipped.node_kw if shipped else None
        if per_rack is not None:
            known |= {"nodes_per_rack": per_rack, "racks": ceil(r.nodes / per_rack)}
        if kw is not None:
            known["unit_kw"] = float((r.nodes_per_unit or r.nodes) * kw)
            known["nodes_kw"] = float(r.nodes * kw)
        if per_rack is not None and kw is not None:
            known["rack_kw"] = float(per_rack * kw)
    return known


def storage_target(found: Sizing) -> Figures:
    """GB/s that storage shall deliver, and the ports of a node that carry its share."""
    r, known = found.request, Figures()
    rate = exact(r.storage_link_gbps) if r.storage_link_gbps is not None else found.node_gbps
    node_read: Fraction | None = None
    if r.nodes is not None and r.storage_target is not None:
        wanted = next(one.storage[r.storage_target] for one in references().values() if r.storage_target in one.storage)
        read, write = wanted.total(ceil(r.nodes / NODES_OF_A_UNIT))
        node_read = exact(wanted.node_read)
        known |= {"storage_read_gBps": float(read), "storage_write_gBps": float(write)}
        known |= {"storage_node_read_gBps": float(wanted.node_read), "storage_node_write_gBps": float(wanted.node_write)}
    if r.nodes is not None and r.storage_gBps_per_gpu is not None and r.gpus_per_node is not None:
        node_read = max(node_read or Fraction(0), exact(r.storage_gBps_per_gpu) * r.gpus_per_node)
        known["storage_needed_gBps"] = float(exact(r.storage_gBps_per_gpu) * r.gpus_per_node * r.nodes)
    if node_read is not None and rate is not None:
        known["storage_ports_per_node_needed"] = ceil(node_read * 8 / rate)
    return known
