"""Counts of switches and cables: published designs and cases counted by hand (tests/cost/designs.yaml), formulas, and what cannot be."""

from fractions import Fraction
from math import ceil
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from advisor.cost.sizing.answer import size
from advisor.cost.sizing.clos import even_spines, links_moved, rounded_to_spines, uplink_ports
from advisor.cost.sizing.design import design
from advisor.cost.sizing.growth import Installed, grow, room
from advisor.cost.sizing.impossible import Impossible
from advisor.cost.sizing.model import Demand, Wanted
from advisor.cost.sizing.request import Request

DESIGNS = yaml.safe_load((Path(__file__).parent / "designs.yaml").read_text(encoding="utf-8"))
CUSTOMER = Path(__file__).parents[3] / "shared" / "pricing-facts" / "golden-sizing.yaml"


def figures(**stated: Any) -> dict[str, int | float]:
    return dict(size(Request.model_validate(stated)).figures)


@pytest.mark.parametrize("row", DESIGNS, ids=[row["name"] for row in DESIGNS])
def test_designs_that_others_counted(row: dict[str, Any]) -> None:
    found = figures(**row["given"])
    assert {key: found.get(key) for key in row["counted"]} == row["counted"]


@pytest.mark.skipif(not CUSTOMER.is_file(), reason="the customer's cases are not here")
def test_the_customers_cases() -> None:
    cases = yaml.safe_load(CUSTOMER.read_text(encoding="utf-8"))
    wrong = []
    for case in (*cases["cases"], *cases["expansions"]):
        found = figures(**case["inputs"])
        expected = dict(case["expected"])
        assert found.get("switches_total") != expected.pop("must_not_be", 0)
        wrong += [(case["id"], key, value, found.get(key)) for key, value in expected.items() if found.get(key) != value]
    assert wrong == []


def test_uplinks_fit_the_ratio_by_rate() -> None:
    assert uplink_ports(64, 1) == 32
    assert uplink_ports(64, 3) == 16
    assert uplink_ports(64, 2) == 22  # 42 down over 22 up; 43 over 21 would be 2.05
    assert uplink_ports(65, 1) == 33
    assert uplink_ports(48, 1, Fraction(400, 100)) == 10  # 38 x 100G down, 10 x 400G up
    assert uplink_ports(50, 1.5) == 20  # exactly 30 over 20: no float may make it 21


def test_spines_spread_evenly() -> None:
    assert even_spines(24, 32, 64) == 16  # 12 have ports enough, but do not divide 32
    assert even_spines(32, 72, 144) == 18  # 16 do not divide 72
    assert even_spines(64, 72, 144) == 36
    assert rounded_to_spines(22, 4) == 24


def test_links_that_move() -> None:
    """4 to each of 4 spines; over 8 spines with 32 uplinks they stay, over 16 half of them move."""
    assert links_moved(16, 16, 4, 32, 8) == 0
    assert links_moved(16, 16, 4, 32, 16) == 128
    assert links_moved(10, 5, 2, 6, 3) == 10  # 3 and 2 links; 2 stay on each, one of each leaf moves
    assert links_moved(10, 8, 4, 4, 4) == 0  # half are given up; none lands elsewhere


@given(st.integers(1, 40), st.integers(1, 12), st.integers(1, 60), st.integers(1, 20))
def test_links_that_move_one_by_one(uplinks: int, spines: int, then_uplinks: int, then_spines: int) -> None:
    """The closed form against a count of every pair of one leaf."""
    now = [uplinks // spines + (spine < uplinks % spines) for spine in range(spines)]
    then = [then_uplinks // then_spines] * then_spines + [0] * spines
    leaving = sum(max(0, have - keep) for have, keep in zip(now, then, strict=False))
    assert links_moved(1, uplinks, spines, then_uplinks, then_spines) == max(0, leaving - max(0, uplinks - then_uplinks))


@pytest.mark.parametrize("k", [4, 6, 8, 24, 48, 64])
def test_fat_trees_of_the_literature(k: int) -> None:
    """Al-Fares et al. 2008: k^3/4 hosts, k^2/2 edge and as many aggregation switches, k^2/4 cores."""
    found = figures(nodes=k**3 // 4, nics_per_node=1, radix=k)
    assert (found["tiers"], found["leaves"], found["spines"], found["cores"]) == (3, k * k // 2, k * k // 2, k * k // 4)
    assert found["cables_node_leaf"] == found["cables_leaf_spine"] == found["cables_spine_core"] == k**3 // 4
    with pytest.raises(Impossible, match="three tiers"):
        figures(nodes=k**3 // 4 + 1, nics_per_node=1, radix=k)


stated_designs = st.fixed_dictionaries(
    {
        "nodes": st.integers(1, 3000),
        "nics_per_node": st.sampled_from([1, 2, 4, 8]),
        "radix": st.sampled_from([16, 32, 36, 40, 48, 64, 128, 144]),
        "oversubscription": st.sampled_from(["0.5", "1", "1.4", "2", "3", "5"]),
        "planes": st.sampled_from([1, 2, 4]),
        "reserved_ports": st.sampled_from([0, 4, 7]),
        "node_link_gbps": st.sampled_from([100, 200, 400]),
        "uplink_gbps": st.sampled_from([100, 200, 400]),
        "growth_percent": st.sampled_from([0, 25, 100]),
        "rails": st.booleans(),
    }
)


@settings(max_examples=200, deadline=None)
@given(stated_designs)
def test_any_design_holds_its_own_rules(stated: dict[str, Any]) -> None:
    """Ports suffice in every tier, every link is a cable, the ratio is met, spines are reached evenly, more hosts never take less."""
    given_ = {**stated, "rails": stated["nics_per_node"] if stated["rails"] else 1}
    try:
        found = size(Request.model_validate(given_))
    except Impossible:
        return
    made, demand, known = found.fabric, found.demand, found.figures
    assert made is not None
    assert demand is not None
    assert all(used <= of for used, of in made.ports().values())
    assert known["cables_node_leaf"] == demand.links + stated["reserved_ports"]
    if made.tiers == 1:
        assert demand.endpoints <= stated["radix"]
    else:
        planes, rails = stated["planes"], given_["rails"]
        assert made.down + made.up <= stated["radix"]
        assert made.leaves * made.down >= demand.links + stated["reserved_ports"]
        wanted = ceil(stated["nodes"] * (1 + stated["growth_percent"] / 100) * stated["nics_per_node"] / rails)
        assert (made.leaves // planes // rails) * made.down >= wanted
        assert known["oversubscription"] <= float(stated["oversubscription"]) + 1e-9
        assert made.links_leaf_spine == made.leaves * made.up
    if made.tiers == 2:
        assert made.up % (made.spines // planes) == 0
        assert made.leaves // planes <= stated["radix"]
    if made.tiers == 3:
        assert made.links_spine_core >= made.links_leaf_spine
    try:
        more = size(Request.model_validate({**given_, "nodes": stated["nodes"] + 7})).fabric
    except Impossible:
        return
    assert more is not None
    assert (more.tiers, more.leaves, more.links_to_nodes) >= (made.tiers, made.leaves, made.links_to_nodes)


installed_gear = st.tuples(
    st.sampled_from([32, 64, 128]), st.integers(1, 4), st.sampled_from([1, 2, 8]), st.integers(1, 8), st.integers(1, 8), st.integers(0, 64)
)


@settings(max_examples=200, deadline=None)
@given(installed_gear, st.integers(0, 400), st.sampled_from([1, 2, 3]))
def test_any_growth_holds_its_own_rules(gear: tuple[int, int, int, int, int, int], nodes: int, ratio: int) -> None:
    radix, groups, rails, spines, each, used = gear
    there = Installed(groups * rails, spines, spines * each, used)
    demand = Demand(nodes, rails, rails)
    try:
        grown, left = grow(demand, radix, there, ratio), room(demand, radix, there, ratio)
    except Impossible:
        return
    assert min(grown.buy_leaves, grown.buy_spines, grown.buy_cores, grown.buy_links, grown.links_moved, grown.node_cables_moved) >= 0
    assert grown.leaves == there.leaves + grown.buy_leaves
    assert grown.ratio is not None
    assert grown.ratio <= ratio + 1e-9
    assert grown.leaves * (radix - grown.uplinks_per_leaf) >= max(demand.links, there.node_links)
    if grown.tiers == 2:
        assert grown.spines * radix >= grown.links_leaf_spine == grown.leaves * grown.uplinks_per_leaf
        assert grown.links_moved <= there.links
    assert used + there.uplinks_per_leaf + left.uplinks_addable <= radix
    assert there.leaves * (there.uplinks_per_leaf + left.uplinks_addable) <= there.spines * radix
    if left.nodes_at_ratio:  # so many more hosts take no switch
        again = grow(Demand(there.leaves * used // rails + left.nodes_at_ratio, rails, rails), radix, there, ratio)
        assert (again.buy_leaves, again.buy_spines) == (0, 0)


def test_what_installed_gear_still_takes() -> None:
    """16 leaves of 64 ports, 32 hosts and 16 uplinks on each; 4 spines are full: free leaf ports alone take hosts, 16 more on each."""
    left = room(Demand(64, 8, 8), 64, Installed(16, 4, 16, 32), 3)
    assert (left.free_leaf_ports, left.free_spine_ports, left.uplinks_addable) == (16, 0, 0)
    assert (left.ratio_now, left.ratio_then) == (2.0, 2.0)
    assert (left.nodes_on_free_ports, left.nodes_at_ratio) == (32, 32)
    assert room(Demand(64, 8, 8), 64, Installed(16, 8, 16, 32), 1).uplinks_addable == 16


def test_growth_that_the_ratio_already_allows_buys_nothing() -> None:
    grown = grow(Demand(64, 8, 8), 64, Installed(16, 8, 32, 32), 1)
    assert (grown.buy_leaves, grown.buy_spines, grown.buy_links, grown.links_moved) == (0, 0, 0, 0)


def test_growth_in_hosts_adds_leaves_and_cables_to_them() -> None:
    """64 hosts at 1:1 on 16 leaves become 96: one more leaf a rail, 8 in all; 24 leaves need 16 spines to spread 32 uplinks evenly."""
    grown = grow(Demand(96, 8, 8), 64, Installed(16, 8, 32, 32), 1)
    assert (grown.leaves, grown.buy_leaves, grown.spines, grown.buy_spines) == (24, 8, 16, 8)
    assert (grown.buy_links, grown.buy_node_links, grown.links_moved, grown.node_cables_moved) == (256, 256, 256, 0)


def test_hosts_on_free_ports_buy_nothing_where_the_ratio_allows() -> None:
    """5 uplinks over 2 spines are uneven, but they are there: 4 more hosts on a leaf of 16 at 3:1 take cables alone."""
    grown = grow(Demand(60, 1), 16, Installed(6, 2, 5, 6), 3)
    assert (grown.buy_leaves, grown.buy_spines, grown.buy_links, grown.links_moved, grown.buy_node_links) == (0, 0, 0, 0, 24)


def test_growth_by_leaves_spreads_evenly_too() -> None:
    """32 hosts on 8 leaves become 64 at 2:1: 16 leaves, whose 22 uplinks would take 11 spines; 24 take 6, with 4 links a pair."""
    grown = grow(Demand(64, 8, 8), 64, Installed(8, 2, 16, 32), 2)
    assert (grown.leaves, grown.uplinks_per_leaf, grown.spines) == (16, 24, 6)
    assert (grown.buy_links, grown.links_moved, grown.node_cables_moved, grown.buy_node_links) == (256, 64, 0, 256)


def test_growth_beyond_two_tiers_adds_cores() -> None:
    """From the largest fabric of two tiers to 512 hosts: the published design of 128, 128 and 64."""
    grown = grow(Demand(512, 8, 8), 64, Installed(64, 32, 32, 32), 1)
    assert (grown.tiers, grown.leaves, grown.spines, grown.cores) == (3, 128, 128, 64)
    assert (grown.buy_leaves, grown.buy_spines, grown.buy_cores, grown.links_moved) == (64, 96, 64, 1024)


def test_one_switch_takes_hosts_until_its_ports_end_and_then_becomes_leaves_and_spines() -> None:
    one = Installed(1, 0, 0, 40)
    left = room(Demand(5, 8), 64, one)
    assert (left.free_leaf_ports, left.nodes_on_free_ports, left.nodes_at_ratio, left.ratio_now) == (24, 3, 3, None)
    filled = grow(Demand(8, 8), 64, one)
    assert (filled.tiers, filled.buy_leaves, filled.buy_spines, filled.buy_node_links) == (1, 0, 0, 24)
    more = grow(Demand(9, 8), 64, one)
    assert (more.tiers, more.leaves, more.spines, more.uplinks_per_leaf, more.node_cables_moved) == (2, 3, 2, 32, 8)


def test_rails_without_spines_get_spines() -> None:
    """8 leaves full of 64 hosts: half of the ports become uplinks, so each rail takes a second leaf and 32 cables move from each."""
    grown = grow(Demand(64, 8, 8), 64, Installed(8, 0, 0, 64))
    assert (grown.leaves, grown.spines, grown.links_leaf_spine, grown.node_cables_moved) == (16, 8, 512, 256)


def test_a_leaf_with_ports_to_spare_takes_uplinks_that_spread_evenly() -> None:
    """30 hosts on each leaf need 30 uplinks; 32 keep 4 to each of 8 spines, where 30 would take 10 spines and move links."""
    grown = grow(Demand(60, 8, 8), 64, Installed(16, 4, 16, 30), 1)
    assert (grown.uplinks_per_leaf, grown.spines, grown.links_moved) == (32, 8, 0)


@pytest.mark.parametrize(
    ("stated", "field"),
    [
        ({"nodes": 256, "nics_per_node": 8, "radix": 64, "topology": "single-switch"}, "radix"),
        ({"nodes": 9, "nics_per_node": 8, "radix": 64, "topology": "two-switch"}, "radix"),
        ({"nodes": 65, "nics_per_node": 8, "rails": 8, "radix": 64, "topology": "rail-only"}, "radix"),
        ({"nodes": 512, "nics_per_node": 8, "rails": 8, "radix": 64, "tiers": 2}, "radix"),
        ({"nodes": 8, "nics_per_node": 8, "rails": 3, "radix": 64}, "rails"),
        ({"nodes": 8, "nics_per_node": 4, "rails": 8, "radix": 64}, "rails"),
        ({"nodes": 64, "nics_per_node": 8, "radix": 64, "down_ports": 48, "up_ports": 17}, "down_ports"),
        ({"nodes": 64, "nics_per_node": 8, "radix": 64, "down_ports": 48, "up_ports": 16, "oversubscription": 1}, "oversubscription"),
        ({"nodes": 64, "nics_per_node": 8, "rails": 8, "radix": 64, "leaves": 8}, "leaves"),
        ({"nodes": 64, "nics_per_node": 8, "rails": 8, "radix": 64, "spines": 2}, "spines"),
        ({"nodes": 64, "radix": 64}, "nodes"),
        ({"nodes": 64, "storage_servers": 8, "radix": 64}, "storage_servers"),
        ({"radix": 64, "installed": {"leaves": 4, "spines": 1, "uplinks_per_leaf": 40, "down_used_per_leaf": 40}}, "installed"),
        ({"radix": 64, "installed": {"leaves": 16, "spines": 1, "uplinks_per_leaf": 16, "down_used_per_leaf": 32}}, "installed"),
        ({"radix": 64, "installed": {"leaves": 16, "spines": 0, "uplinks_per_leaf": 16, "down_used_per_leaf": 32}}, "installed"),
        ({"nodes": 64, "storage_ports_per_node": 2, "switch_radix": 8, "isl_ports_per_switch": 8}, "isl_ports_per_switch"),
        ({"gpus_per_node": 8}, "nodes"),
    ],
)
def test_what_cannot_be_built_names_the_field(stated: dict[str, Any], field: str) -> None:
    with pytest.raises(Impossible) as caught:
        figures(**stated)
    assert caught.value.field == field


def test_a_stated_number_of_spines_rounds_uplinks_up() -> None:
    made = design(Demand(64, 8, 8), Wanted(radix=64, ratio=2, spines=6))
    assert (made.up, made.down, made.spines, made.leaves) == (24, 40, 6, 16)


def test_uplinks_are_rounded_up_to_what_spreads_evenly() -> None:
    """2:1 asks for 22 uplinks, which spread over 11 spines; 24 spread over 6, and 40 host ports still do with 16 leaves."""
    found = size(Request(nodes=64, nics_per_node=8, rails=8, radix=64, oversubscription=2))
    made = found.fabric
    assert made is not None
    assert (made.leaves, made.down, made.up, made.spines, found.raised_from) == (16, 40, 24, 6, 22)
    other = size(Request(nodes=64, nics_per_node=8, rails=8, radix=128, oversubscription=2)).fabric
    assert other is not None
    assert (other.leaves, other.up, other.spines) == (8, 45, 3)  # 43 is a prime


def test_one_to_one_keeps_half_of_the_ports() -> None:
    """As published designs do; where a few more uplinks would take fewer switches, that is said beside it."""
    published = size(Request(nodes=95, nics_per_node=8, rails=8, radix=64))
    assert published.fabric is not None
    assert (published.fabric.up, published.fabric.spines, published.fewer) == (32, 16, None)
    found = size(Request(nodes=150, nics_per_node=1, radix=64))  # 5 leaves: 3 spines have ports enough, 4 divide 32
    assert found.fabric is not None
    assert found.fewer is not None
    assert (found.fabric.spines, found.fewer.up, found.fewer.spines) == (4, 33, 3)


def test_breakout_makes_a_larger_radix() -> None:
    """64 ports of 800G, each split in two: the same as 128 of 400G."""
    split = figures(nodes=256, nics_per_node=8, rails=8, radix=64, breakout=2)
    assert (split["leaves"], split["spines"]) == (32, 16)


def test_growth_keeps_ports_for_hosts_that_are_to_come() -> None:
    found = figures(nodes=64, nics_per_node=8, rails=8, radix=64, growth_percent=50)
    assert (found["leaves"], found["spines"], found["cables_node_leaf"]) == (24, 16, 512)


def test_a_radix_alone_tells_how_far_it_goes() -> None:
    """R^2/2 and R^3/4 at 1:1; R * d at 3:1."""
    alone = figures(radix=64)
    assert (alone["max_endpoints_two_tier"], alone["max_endpoints_three_tier"]) == (2048, 65536)
    assert figures(radix=64, oversubscription=3)["max_endpoints_two_tier"] == 64 * 48


def test_storage_by_gpu_and_by_class() -> None:
    """8 GPUs at 2 GB/s are 128 Gb/s a host: two ports of 100G. The class is that of the published table."""
    found = figures(nodes=64, gpus_per_node=8, storage_gBps_per_gpu="2", storage_link_gbps=100)
    assert (found["storage_needed_gBps"], found["storage_ports_per_node_needed"]) == (1024, 2)
    four = figures(nodes=127, storage_target="better")
    assert (four["storage_read_gBps"], four["storage_write_gBps"]) == (160, 80)
    assert figures(nodes=32, storage_target="best")["storage_write_gBps"] == 62


def test_cables_with_built_in_ends_take_no_modules() -> None:
    found = figures(nodes=64, nics_per_node=8, rails=8, radix=64, node_cable="dac")
    assert (found["optics_node_leaf"], found["optics_between_switches"], found["fibres_to_buy"]) == (0, 1024, 512)


def test_an_installed_fabric_has_a_ratio_of_today_and_one_that_is_aimed_at() -> None:
    there = {"leaves": 16, "spines": 4, "uplinks_per_leaf": 16, "down_used_per_leaf": 48}
    found = figures(nodes=96, rails=8, switch_radix=64, installed=there, oversubscription=3, target_oversubscription=1)
    assert (found["oversubscription_now"], found["oversubscription"], found["buy_spines"]) == (3.0, 1.0, 12)
