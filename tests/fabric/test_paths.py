"""Measures of paths against counts by hand and the closed forms of rings."""

import pytest

from advisor.fabric.model import End, Fabric, Gpu, Host, Link
from advisor.fabric.paths import (
    best_crossing_share,
    by_leaf,
    crossing_edges,
    crossing_share,
    far_gpus,
    jain,
    leaves_needed,
    nearest_relation,
    pack,
    uplink_groups,
)

FOUR = {f"{leaf}{i}": leaf for leaf in "abcd" for i in range(8)}


def test_a_ring_in_order_of_leaves_leaves_each_leaf_once() -> None:
    assert crossing_edges(by_leaf(FOUR, FOUR), FOUR) == 4  # 32 hosts on 4 leaves
    assert crossing_share(by_leaf(FOUR, FOUR), FOUR) == 4 / 32


def test_a_ring_that_changes_leaves_at_every_step_crosses_everywhere() -> None:
    ring = [f"{leaf}{i}" for i in range(8) for leaf in "abcd"]
    assert crossing_share(ring, FOUR) == 1.0


def test_an_unknown_leaf_or_a_single_host_has_no_crossing_share() -> None:
    assert crossing_share(["a0", "x"], FOUR) is None
    assert crossing_share(["a0"], FOUR) is None


def test_two_hosts() -> None:
    assert crossing_share(["a0", "a1"], FOUR) == 0
    assert crossing_share(["a0", "b1"], FOUR) == 1


@pytest.mark.parametrize(("hosts", "needed", "share"), [(8, 1, 0.0), (9, 2, 2 / 9), (32, 4, 4 / 32), (33, None, None)])
def test_best_packing_of_one_job(hosts: int, needed: int | None, share: float | None) -> None:
    assert leaves_needed(hosts, [8, 8, 8, 8]) == needed
    assert best_crossing_share(hosts, [8, 8, 8, 8]) == share


def test_packing_keeps_small_jobs_whole() -> None:
    leaves = {leaf: [f"{leaf}{i}" for i in range(4)] for leaf in "abcd"}
    placed = pack({"big": 6, "x": 4, "y": 3, "z": 3}, leaves)
    assert placed is not None
    at = {host: leaf for leaf, hosts in leaves.items() for host in hosts}
    assert {job: len({at[h] for h in hosts}) for job, hosts in placed.items()} == {"big": 2, "x": 1, "y": 1, "z": 2}
    assert sorted(host for hosts in placed.values() for host in hosts) == sorted(at)


def test_packing_more_than_there_is() -> None:
    assert pack({"big": 5}, {"a": ["a0", "a1"]}) is None


def test_relations() -> None:
    gpu = Gpu(name="GPU0", nic_relations={"mlx5_0": "SYS", "mlx5_1": "NODE"})
    near = Gpu(name="GPU1", nic_relations={"mlx5_0": "PIX"})
    assert nearest_relation(gpu) == "NODE"
    assert far_gpus(Host(name="a", gpus={"GPU0": gpu, "GPU1": near, "GPU2": Gpu(name="GPU2")})) == ("GPU0",)


def test_jain_index() -> None:
    assert jain([0.5, 0.5, 0.5]) == 1
    assert jain([1, 0, 0, 0]) == 0.25
    assert jain([0.0, 0.0]) is None


def test_uplink_group_of_a_leaf() -> None:
    def link(share: float | None, state: str = "active") -> Link:
        return Link(a=End(device="*"), b=End(device="*"), tier="leaf-uplink", rate_gbps=400, utilisation=share, state=state)

    (group,) = uplink_groups(Fabric(links=(link(0.9), link(0.3), link(None, "down"))))
    assert (group.mean, group.busiest, len(group.down)) == (pytest.approx(0.6), 0.9, 1)
    assert group.jain == pytest.approx(1.2**2 / (2 * 0.9))
    (unknown,) = uplink_groups(Fabric(links=(link(0.9), link(None))))
    assert unknown.mean is None
