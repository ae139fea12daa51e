"""Ladders of small sites whose rungs can be counted."""

import pytest

from advisor.base.content import parse
from advisor.base.places import knowledge
from advisor.fabric.model import Fabric, Host, HostKind, Job, Leaf, Run, Step, Storage, TrainingLog
from advisor.fabric.paths import placed_job
from advisor.traffic.changes import FREE, PAID, RELIEVES, changed, expanded, packed, repaired
from advisor.traffic.ladder import ladder, reached

LEAVES = "abcd"
HOSTS = {f"{leaf}{i}": Host(name=f"{leaf}{i}", leaf=leaf) for leaf in LEAVES for i in range(4)}


def _site(jobs: list[tuple[str, ...]], uplinks: int = 16, **more: object) -> Fabric:
    """Four leaves of four hosts with eight ports of 400, and `uplinks` of 400 each."""
    leaf_of = {name: host.leaf or "" for name, host in HOSTS.items()}
    leaves = tuple(
        Leaf(
            name=leaf,
            hosts=tuple(h for h in HOSTS if h[0] == leaf),
            down_gbps=12800,
            up_gbps=400 * uplinks,
            ratio=32 / uplinks,
            uplinks=uplinks,
        )
        for leaf in LEAVES
    )
    made = tuple(placed_job(Job(name=f"j{i}", kind="training", hosts=hosts), leaf_of, [4, 4, 4, 4]) for i, hosts in enumerate(jobs))
    return Fabric.model_validate(
        {"hosts": HOSTS, "leaves": leaves, "jobs": made, "host_kinds": (HostKind(nics_per_host=8, nic_rate_gbps=400),), **more}
    )


SCATTERED = [tuple(f"{leaf}{k}" for leaf in LEAVES) for k in range(4)]
PACKED = [tuple(f"{leaf}{k}" for k in range(4)) for leaf in LEAVES]


def test_packed_jobs_lose_nothing() -> None:
    found = ladder(_site(PACKED))
    assert found is not None
    assert (found.R_now, found.R_ideal, found.free_part, found.physical_part) == (1, 1, 0, 0)
    assert found.error is None


def test_scattered_jobs_lose_to_placement_and_hashing_and_nothing_to_capacity() -> None:
    found = ladder(_site(SCATTERED))
    assert found is not None
    assert found.R_balance == pytest.approx(0.5)  # 32 flows of 400 up 16 links
    assert found.R_now < 0.3  # and two stages of hashing below that
    assert (found.R_pack, found.R_ideal) == (1, 1)
    assert found.shares["storage"] == found.shares["tenants"] == found.shares["flow-control"] == 0
    assert sum(found.shares.values()) == pytest.approx(found.free_part)
    assert found.if_first["placement"] == pytest.approx(1 - found.R_now)
    assert found.assumed == ("hashed-evenly", "always-sending", "ring")


def test_a_job_larger_than_its_leaves_carry_leaves_a_physical_part() -> None:
    everywhere = [tuple(f"{leaf}{k}" for k in range(4) for leaf in LEAVES)]
    found = ladder(_site(everywhere, uplinks=4, routing="adaptive"))
    assert found is not None
    assert found.R_now == pytest.approx(4 / 32)  # alternating leaves: every flow leaves
    assert found.R_ideal == pytest.approx(4 / 8)  # by leaf one host in four sends up, 8 flows on 4 links
    assert found.physical_part == pytest.approx(0.5)
    after = ladder(expanded(_site(everywhere, uplinks=4, routing="adaptive"), ratio=1))
    assert after is not None
    assert (after.R_now, after.physical_part) == (1, 0)


def test_checkpoint_windows_take_their_share_of_the_time() -> None:
    steps = tuple(Step(number=i, time_s=8.0 if i % 10 == 0 else 4.0, in_checkpoint=i % 10 == 0) for i in range(100))
    found = ladder(_site(PACKED, logs=(TrainingLog(name="log", steps=steps, windows_known=True),)))
    assert found is not None
    assert found.R_now == pytest.approx(1 - 80 / 440 * 0.5)  # 10 steps of 8 s in 440 s, at half the speed
    assert found.R_isolate == 1
    assert found.shares["storage"] == pytest.approx(found.free_part)


def test_checkpoint_windows_as_stated() -> None:
    found = ladder(_site(PACKED, storage=Storage(plane="shared", checkpoint_s=300, checkpoint_every_s=1800, inside_over_outside=0.5)))
    assert found is not None
    assert 1 - found.R_now == pytest.approx(0.083333, rel=1e-5)


def test_what_a_pair_inside_a_leaf_loses_under_load() -> None:
    found = ladder(_site(PACKED, kept_in_leaf=0.9))
    assert found is not None
    assert (found.R_now, found.R_pack, found.R_ideal) == (pytest.approx(0.9), pytest.approx(0.9), 1)


def test_the_model_is_held_against_runs_across_leaves() -> None:
    runs = (
        Run(label="quiet", what="all_reduce", hosts=("a3", "b3"), placement="cross-leaf", load="quiet", figures={"busbw_gBps": (360.0,)}),
        Run(label="busy", what="all_reduce", hosts=("a3", "b3"), placement="cross-leaf", load="busy", figures={"busbw_gBps": (180.0,)}),
    )
    found = ladder(_site(SCATTERED[:3], routing="adaptive", runs=runs))
    assert found is not None
    assert found.measured == 0.5
    assert found.modelled == pytest.approx(0.5)  # three jobs and the run: 32 flows on 16 uplinks
    assert found.error == pytest.approx(0)


def test_no_ladder_without_placement_or_leaves() -> None:
    assert ladder(Fabric()) is None
    assert ladder(_site([])) is None
    assert ladder(_site(SCATTERED).model_copy(update={"leaves": ()})) is None


def test_changes_leave_the_fabric_as_it_was() -> None:
    before = _site(SCATTERED)
    after = packed(before)
    assert [job.leaves for job in before.jobs] == [4, 4, 4, 4]
    assert [job.leaves for job in after.jobs] == [1, 1, 1, 1]
    assert changed(before, "balance", "storage").routing == "adaptive"


def test_repair_brings_uplinks_back() -> None:
    leaf = Leaf(name="a", hosts=("a0",), down_gbps=3200, up_gbps=1400, ratio=3200 / 1400, uplinks=7, uplinks_down=1)
    (after,) = repaired(Fabric(leaves=(leaf,))).leaves
    assert (after.uplinks, after.uplinks_down, after.up_gbps, after.ratio) == (8, 0, 1600, 2)


def test_the_gain_of_a_change_depends_on_what_came_before() -> None:
    site = _site(SCATTERED, routing="adaptive")
    assert reached(site) == pytest.approx(0.5)
    assert reached(site, "placement") == 1
    assert reached(site, "uplinks") == 1
    assert reached(site, "placement", "uplinks") == 1  # nothing is left for the uplinks to bring
    assert reached(Fabric()) is None


def test_changes_speak_of_causes_that_are_known() -> None:
    tree, _ = parse((knowledge() / "causes.yaml").read_text(encoding="utf-8"), "causes.yaml")
    assert {cause for causes in RELIEVES.values() for cause in causes} <= set(tree)
    assert RELIEVES.keys() == FREE.keys() | PAID.keys()
