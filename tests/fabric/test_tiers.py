"""Tiers, pods and rails, on simulated networks whose plan is known (captures/README.md), and on small ones drawn by hand."""

from typing import Any

import pytest

from advisor.fabric.build import build
from advisor.fabric.hosts import ports_by_cable
from advisor.fabric.model import Fabric
from advisor.fabric.oddities import oddities
from tests.fabric.bundles import bundle, capture, site, taken, typed


def _links(text: str) -> Any:
    return typed("links.csv", "from,to,rate_gbps,count,state\n" + text)


def test_a_fat_tree_of_three_tiers() -> None:
    fabric = build(bundle(taken("fat-tree-three-tiers.ibnetdiscover.txt")))
    assert (fabric.tiers, len(fabric.hosts), fabric.spines, fabric.rails, fabric.one_leaf) == (3, 16, 4, None, False)
    assert {name for name, switch in fabric.switches.items() if switch.tier == "core"} == {"ib-core-1", "ib-core-2"}
    assert [(leaf.down_gbps, leaf.up_gbps, leaf.ratio, leaf.uplinks) for leaf in fabric.leaves] == [(160, 80, 2, 2)] * 4
    first, second = fabric.pods
    assert (first.leaves, second.leaves) == (("ib-leaf-11", "ib-leaf-12"), ("ib-leaf-21", "ib-leaf-22"))
    assert (first.down_gbps, first.up_gbps, first.ratio, first.uplinks) == (160, 80, 2, 2)
    assert [(spine.name, spine.down_gbps, spine.up_gbps, spine.ratio) for spine in first.spines] == [
        ("ib-spine-11", 80, 40, 2),
        ("ib-spine-12", 80, 40, 2),
    ]
    assert {leaf.name: leaf.pod for leaf in fabric.leaves}["ib-leaf-21"] == second.name
    assert fabric.tier_ratios == {"leaf": 2, "spine": 2}
    assert oddities(fabric) == ()


def test_counters_by_lid_are_those_of_the_port() -> None:
    fabric = build(bundle(taken("fat-tree-three-tiers.ibnetdiscover.txt"), taken("fat-tree-three-tiers.perfquery.txt")))
    port = fabric.switches["ib-leaf-11"].ports["5"]
    assert port.rate_gbps == 40
    assert set(port.counters) >= {"tx_bytes", "rx_bytes", "tx_packets", "rx_packets"}


def test_counters_of_an_adapter_by_lid() -> None:
    ib = {"cas": {"gpu-1 mlx5_0": {"ports": {"1": {"lid": 7, "rate_gbps": 400}}}}}
    counters = {"ports": {"lid7/1": {"tx_bytes": 400.0}, "lid8/1": {"tx_bytes": 1.0}}}
    fabric = build(bundle(capture("a", ("ibnetdiscover", ib)), capture("b", ("perfquery", counters))))
    assert fabric.hosts["gpu-1"].ports["mlx5_0/1"].counters == {"tx_bytes": 400}
    assert set(fabric.hosts) == {"gpu-1"}


def test_a_lid_of_two_subnets_is_nobodys() -> None:
    ib = {"switches": {"a": {"lid": 3, "ports": {"1": {}}}, "b": {"lid": 3, "ports": {"1": {}}}}}
    fabric = build(bundle(capture("a", ("ibnetdiscover", ib)), capture("b", ("perfquery", {"ports": {"lid3/1": {"tx_bytes": 9.0}}}))))
    assert [switch.ports["1"].counters for switch in fabric.switches.values()] == [{}, {}]


def test_rails_are_one_leaf_for_their_hosts_and_each_keeps_its_ratio() -> None:
    fabric = build(bundle(taken("four-rails.ibnetdiscover.txt")))
    assert (fabric.rails, fabric.technology) == (4, None)
    (leaf,) = fabric.leaves
    assert (len(leaf.hosts), leaf.down_gbps, leaf.up_gbps, leaf.uplinks) == (6, 960, 440, 11)
    assert [(rail.name, rail.down_gbps, rail.up_gbps, rail.ratio) for rail in leaf.members] == [
        ("ib-rail-leaf-1", 240, 80, 3),
        ("ib-rail-leaf-2", 240, 120, 2),
        ("ib-rail-leaf-3", 240, 120, 2),
        ("ib-rail-leaf-4", 240, 120, 2),
    ]
    assert fabric.hosts["gpu-001"].leaves == tuple(f"ib-rail-leaf-{n}" for n in range(1, 5))
    assert oddities(fabric) == ()


def test_a_pair_for_redundancy_is_no_rail() -> None:
    pair = (
        "\n".join(f"gpu-{n},leaf-{k},100,1,up" for n in range(4) for k in (1, 2)) + "\nleaf-1,spine-1,100,2,up\nleaf-2,spine-1,100,2,up\n"
    )
    fabric = build(bundle(_links(pair)))
    assert (fabric.rails, [leaf.name for leaf in fabric.leaves]) == (None, ["leaf-1..leaf-2"])
    assert fabric.leaves[0].ratio == 2


def test_a_spine_with_storage_on_it_stays_a_spine() -> None:
    rows = [f"gpu-{k}{n:02d},leaf-{k},400,1,up" for k in range(1, 5) for n in range(16)]
    rows += [f"leaf-{k},top-{s},400,8,up" for k in range(1, 5) for s in range(2)] + ["nfs-1,top-0,400,1,up"]
    fabric = build(bundle(_links("\n".join(rows) + "\n")))
    assert {name: switch.tier for name, switch in fabric.switches.items() if name.startswith("top")} == {"top-0": "spine", "top-1": "spine"}
    assert [leaf.ratio for leaf in fabric.leaves] == [1.0] * 4
    assert [(oddity.kind, oddity.thing, oddity.detail) for oddity in oddities(fabric)] == [("host-above-leaves", "nfs-1", "top-0")]


def test_mixed_speeds_and_dead_links_count_as_they_are() -> None:
    fabric = build(
        bundle(_links("gpu-[1-4],leaf-1,400,2,up\nleaf-1,spine-1,800,2,up\nleaf-1,spine-2,400,1,up\nleaf-1,spine-2,400,3,down\n"))
    )
    (leaf,) = fabric.leaves
    assert (leaf.down_gbps, leaf.up_gbps, leaf.uplinks, leaf.uplinks_down, leaf.uplink_gbps) == (3200, 2000, 3, 3, None)
    assert leaf.ratio == pytest.approx(1.6)


def test_one_leaf_says_that_nothing_crosses() -> None:
    alone = build(bundle(_links("gpu-[1-4],sw-1,400,1,up\n")))
    assert (alone.one_leaf, alone.tiers, alone.leaves[0].up_gbps) == (True, 1, None)
    stated = build(bundle(site(leaves=[{"name": "l", "hosts": ["a", "b"], "uplinks": 0.0}])))
    assert (stated.one_leaf, stated.leaves[0].up_gbps, oddities(stated)) == (True, 0, ())
    two = build(bundle(site(leaves=[{"name": n, "hosts": [f"h{n}"], "uplinks": 0.0} for n in "ab"])))
    assert ([leaf.up_gbps for leaf in two.leaves], two.one_leaf) == ([0, 0], False)
    assert [(odd.kind, odd.thing, odd.origin is not None) for odd in oddities(two)] == [
        ("leaf-without-uplinks", "a", True),
        ("leaf-without-uplinks", "b", True),
    ]
    assert build(bundle(site(fabric={"topology": "single-switch"}))).one_leaf
    assert not Fabric().one_leaf


@pytest.mark.parametrize(
    "more",
    [
        site(fabric={"spine_count": 2}),
        site(fabric={"uplinks_per_leaf": 4}),
        site(jobs=[{"name": "j", "between": ["gpu-1", "somewhere-else"]}]),
        _links("gpu-9,sw-2,400,1,up\n"),
        _links("sw-1,spine-1,400,1,down\n"),
    ],
)
def test_one_leaf_is_not_said_where_something_may_cross(more: Any) -> None:
    assert not build(bundle(typed("a.csv", "from,to,rate_gbps\ngpu-[1-4],sw-1,400\n"), more)).one_leaf


def test_members_of_a_bond_count_once() -> None:
    def host(mode: str, shown: bool = True) -> Any:
        ports = {"eth0": 100, "eth1": 100, "bond0": 200 if mode == "802.3ad" else 100, "mgmt": 1}
        speeds = {name: {"state": "active", "rate_gbps": rate} for name, rate in ports.items()}
        bond = {"interfaces": {"bond0": {"bond_mode": mode, "members": {"eth0": {}, "eth1": {}}}}}
        parts = [("ethtool", {"interfaces": speeds})] + ([("proc-net-bonding", bond)] if shown else [])
        return capture(f"{mode}{shown}", *parts, host="h")

    cable = _links("h,leaf-1,,,\nleaf-1,spine-1,100,1,up\n")
    assert build(bundle(host("802.3ad"), cable)).leaves[0].down_gbps == 200
    assert build(bundle(host("802.3ad", shown=False), cable)).leaves[0].down_gbps == 200
    assert build(bundle(host("active-backup"), cable)).leaves[0].down_gbps == 100
    alone = capture("x", ("ethtool", {"interfaces": {"bond0": {"state": "active", "rate_gbps": 200}}}), host="h")
    assert build(bundle(alone, cable)).leaves[0].down_gbps == 200


def test_ports_of_hosts_by_their_cables() -> None:
    fabric = build(
        bundle(
            _links("gpu-1,leaf-1,400,8,up\ngpu-1,leaf-1,25,1,up\ngpu-2,leaf-1,400,7,up\ngpu-2,leaf-1,400,1,down\nleaf-1,spine-1,400,8,up\n")
        )
    )
    assert ports_by_cable(fabric) == {"gpu-1": (8, 400), "gpu-2": (7, 400)}
    rails = build(bundle(taken("four-rails.ibnetdiscover.txt")))
    assert set(ports_by_cable(rails).values()) == {(4, 40)}
