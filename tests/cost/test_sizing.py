"""Counts of switches and cables against the tables of public reference designs and cases counted by hand."""

import pytest

from advisor.cost.sizing import (
    design,
    even_spines,
    grow,
    node_side_modules,
    oversubscription,
    rail_only,
    storage_plane,
    twin_port_modules,
    two_switches,
)

# nodes, radix, leaves, spines, cores, cables host-leaf, cables leaf-spine
NVIDIA_NDR = [
    (31, 64, 8, 4, 0, 248, 256),  # DGX H100, one unit; its table counts 4 ports of the fabric manager on top: 252
    (63, 64, 16, 8, 0, 504, 512),
    (95, 64, 24, 16, 0, 760, 768),  # 12 spines would do for ports, but do not divide 32 uplinks
    (127, 64, 32, 16, 0, 1016, 1024),
    (64, 64, 16, 8, 0, 512, 512),  # DGX B200
    (128, 64, 32, 16, 0, 1024, 1024),
    (256, 64, 64, 32, 0, 2048, 2048),  # the largest fabric of two tiers: radix squared over two
    (512, 64, 128, 128, 64, 4096, 4096),
    (2048, 64, 512, 512, 256, 16384, 16384),
    (72, 144, 8, 4, 0, 576, 576),  # DGX B300 on XDR
    (144, 144, 16, 8, 0, 1152, 1152),
    (288, 144, 32, 18, 0, 2304, 2304),  # 16 does not divide 72
    (1296, 144, 144, 72, 0, 10368, 10368),
    (256, 128, 32, 16, 0, 2048, 2048),
    (20, 40, 8, 4, 0, 160, 160),
]


@pytest.mark.parametrize(("nodes", "radix", "leaves", "spines", "cores", "to_nodes", "between"), NVIDIA_NDR)
def test_reference_designs(nodes: int, radix: int, leaves: int, spines: int, cores: int, to_nodes: int, between: int) -> None:
    made = design(nodes, 8, radix, rails=8)
    assert (made.leaves, made.spines, made.cores) == (leaves, spines, cores)
    assert (made.links_to_nodes, made.links_leaf_spine) == (to_nodes, between)
    assert made.tiers == (3 if cores else 2)


@pytest.mark.parametrize(
    ("nodes", "leaves", "spines", "cables"), [(64, 16, 8, 512), (128, 32, 16, 1024), (256, 64, 32, 2048), (1024, 256, 128, 8192)]
)
def test_two_planes_are_sized_apart(nodes: int, leaves: int, spines: int, cables: int) -> None:
    """DGX B300 on Spectrum-X: its table counts a cable for two links."""
    made = design(nodes, 8, 128, rails=8, planes=2)
    assert (made.tiers, made.leaves, made.spines) == (2, leaves, spines)
    assert (made.links_to_nodes / 2, made.links_leaf_spine / 2) == (cables, cables)


def test_a_spine_cannot_reach_more_leaves_than_it_has_ports() -> None:
    """A public cost sheet says 192 switches for 512 hosts; the vendor's table says 320."""
    assert design(512, 8, 64, rails=8).switches == 320


def test_oversubscribed_leaves() -> None:
    made = design(64, 8, 64, rails=8, down_ports=48, up_ports=16)
    assert (made.ratio, made.leaves, made.spines, made.links_to_nodes, made.links_leaf_spine) == (3.0, 16, 4, 512, 256)


def test_one_switch_and_rails_without_spines() -> None:
    one = design(8, 8, 64)
    assert (one.tiers, one.leaves, one.spines, one.links_to_nodes) == (1, 1, 0, 64)
    rails = rail_only(64, 8, 64)
    assert (rails.tiers, rails.leaves, rails.spines, rails.links_to_nodes) == (1, 8, 0, 512)


def test_storage_fabric_of_a_reference_design() -> None:
    made = design(127, 2, 64, single_switch=False)
    assert (made.leaves, made.spines) == (8, 4)


def test_ratio_counts_rate_not_ports() -> None:
    assert oversubscription(32, 200, 8, 400) == 2.0
    # A vendor's validated design: 8 hosts with 8 x 400G on 16 leaves of four uplinks.
    assert oversubscription(4, 400, 4, 200) == 2.0


def test_spines_fill_evenly() -> None:
    assert even_spines(24, 32, 64) == 16
    assert even_spines(32, 72, 144) == 18


def test_growth_by_spines_alone() -> None:
    made = grow(nodes=64, rails=8, radix=64, leaves=16, spines=4, uplinks_per_leaf=16, down_used_per_leaf=32)
    assert (made.leaves, made.spines, made.buy_spines, made.buy_links, made.links_moved) == (16, 8, 4, 256, 0)
    assert twin_port_modules(made.buy_links) == 256


def test_growth_that_needs_leaves_too() -> None:
    made = grow(nodes=96, rails=8, radix=64, leaves=16, spines=4, uplinks_per_leaf=16, down_used_per_leaf=48)
    assert (made.leaves, made.spines, made.buy_leaves, made.buy_spines) == (24, 16, 8, 12)
    assert (made.links_leaf_spine, made.buy_links, made.links_moved, made.node_cables_moved) == (768, 512, 128, 256)


def test_storage_plane() -> None:
    plane = storage_plane(64, 2, servers=8, ports_per_server=4, radix=64, links_between=8)
    assert (plane.ports, plane.switches, plane.nics, plane.cables) == (160, 4, 64, 160)


def test_modules_of_the_published_bill() -> None:
    """H100, 127 hosts: 508 modules on the hosts, and 1532 of the 1536 that fill every cage on the switches."""
    assert node_side_modules(127 * 8) == 508
    assert node_side_modules(127 * 8) + twin_port_modules(1024) == 1532


@pytest.mark.parametrize(("nodes", "links", "cables"), [(4, 16, 8), (8, 32, 16)])
def test_two_joined_switches_of_a_reference_design(nodes: int, links: int, cables: int) -> None:
    assert two_switches(nodes, 8) == (links, cables)
