"""What the model says of fabrics that can be counted: rates, loads, the split, and the stated error."""

import pytest

from advisor.fabric.model import End, Fabric, Job, Link, Run
from advisor.traffic.changes import CHANGES, changed
from advisor.traffic.measured import ERROR_AT_BEST, ERROR_UNCHECKED
from advisor.traffic.predict import predict
from tests.traffic.sites import clos

ALTERNATING = {"j": tuple(f"{leaf}{i}" for i in range(4) for leaf in "abcd")}


def test_rates_are_shares_of_what_the_platform_reaches() -> None:
    found = predict(clos(ALTERNATING, uplinks=16, routing="adaptive"))
    (job,) = found.jobs
    assert job.share == pytest.approx(0.5)  # 32 flows leave a leaf over 16 uplinks
    assert job.expected_gBps == pytest.approx(400 * 0.92)  # 8 ports of 50 GB/s, middle of 0.88 to 0.96 (many hosts, H100)
    assert job.rate_gBps == pytest.approx(184)


def test_an_unknown_gpu_is_held_to_the_line_rate() -> None:
    fabric = clos(ALTERNATING, uplinks=16)
    found = predict(fabric.model_copy(update={"host_kinds": (fabric.host_kinds[0].model_copy(update={"gpu": None}),)}))
    assert found.jobs[0].expected_gBps == pytest.approx(400)


def test_loads_of_uplinks_and_ports() -> None:
    found = predict(clos(ALTERNATING, uplinks=16, routing="adaptive"))
    of = {(load.source, load.target): load for load in found.links}
    assert of["a", "spines"].load_gbps == pytest.approx(6400)
    assert of["spines", "a"].utilisation == pytest.approx(1.0)
    assert of["a0", "a"].load_gbps == pytest.approx(1600)
    assert (of["a0", "a"].links, of["a0", "a"].capacity_gbps) == (8, 3200)


def test_an_idle_leaf_has_idle_uplinks() -> None:
    found = predict(clos({"j": ("a0", "a1")}))
    assert {load.load_gbps for load in found.links if "spines" in (load.source, load.target)} == {0}


def test_the_parts_of_the_loss_add_up() -> None:
    found = predict(clos({"j": ALTERNATING["j"]}, uplinks=8))
    assert found.ladder is not None
    assert sum(part.share for part in found.split) == pytest.approx(1 - found.ladder.R_now)
    capacity = next(part for part in found.split if part.cause == "capacity")
    assert capacity.share == pytest.approx(found.ladder.physical_part)


def test_the_error_is_stated_and_never_below_what_published_models_reach() -> None:
    assert predict(clos(ALTERNATING)).error == ERROR_UNCHECKED
    runs = (
        Run(label="q", what="all_reduce", hosts=("a3", "b3"), placement="cross-leaf", load="quiet", figures={"busbw_gBps": (360.0,)}),
        Run(label="b", what="all_reduce", hosts=("a3", "b3"), placement="cross-leaf", load="busy", figures={"busbw_gBps": (360.0,)}),
    )
    assert predict(clos({}, runs=runs, routing="adaptive")).error is None
    quiet = predict(clos({"j": ("a0", "b0")}, runs=runs, routing="adaptive"))
    assert quiet.error == ERROR_AT_BEST
    wrong = predict(clos({"j": ALTERNATING["j"][:12]}, uplinks=8, runs=runs, routing="adaptive"))
    assert wrong.error is not None
    assert wrong.error > 0.5


def test_after_a_change_the_error_is_that_of_what_was_measured() -> None:
    runs = (
        Run(label="q", what="all_reduce", hosts=("a3", "b3"), placement="cross-leaf", load="quiet", figures={"busbw_gBps": (360.0,)}),
        Run(label="b", what="all_reduce", hosts=("a3", "b3"), placement="cross-leaf", load="busy", figures={"busbw_gBps": (180.0,)}),
    )
    before = clos({"j": ALTERNATING["j"][:12]}, uplinks=16, runs=runs, routing="adaptive")
    now = predict(before)
    assert predict(changed(before, "placement"), before=now).error == now.error


def test_what_the_fabric_does_not_tell_stays_open() -> None:
    found = predict(Fabric(jobs=(Job(name="j", hosts=("a", "b")),)))
    assert (found.ladder, found.error, found.links, found.split) == (None, None, (), ())
    assert (found.jobs[0].rate_gBps, found.jobs[0].expected_gBps) == (None, None)


def test_queue_pairs_bring_what_a_hash_that_sees_them_brings() -> None:
    site = clos(ALTERNATING, uplinks=32, routing="ecmp")
    now, cut = predict(site).jobs[0].share, predict(changed(site, "entropy")).jobs[0].share
    assert now is not None
    assert cut is not None
    assert now < cut < 1


def test_ring_order_alone_helps_without_moving_the_job() -> None:
    site = clos(ALTERNATING, uplinks=8, routing="adaptive")
    after = changed(site, "order")
    assert set(after.jobs[0].hosts) == set(site.jobs[0].hosts)
    assert after.jobs[0].crossing_share == pytest.approx(4 / 16)
    assert predict(after).jobs[0].share == pytest.approx(1.0)  # 8 flows up 8 uplinks


@pytest.mark.parametrize("name", sorted(CHANGES))
def test_every_change_takes_an_empty_fabric(name: str) -> None:
    assert predict(changed(Fabric(), name)).ladder is None


def test_repair_of_a_leaf_whose_uplinks_are_all_down() -> None:
    site = clos({"j": ("a0", "b0")}, ports=1, uplinks=2, routing="adaptive")
    dead = site.leaves[0].model_copy(update={"up_gbps": 0.0, "uplinks": 0, "uplinks_down": 2, "ratio": None})
    down = Link(a=End(device="a"), b=End(device="s"), rate_max_gbps=400, state="down", tier="leaf-uplink")
    broken = site.model_copy(update={"leaves": (dead, *site.leaves[1:]), "links": (down, down)})
    assert predict(broken).jobs[0].share == 0
    after = changed(broken, "repair")
    assert (after.leaves[0].up_gbps, after.leaves[0].uplinks, after.leaves[0].ratio) == (800, 2, 2)
    assert predict(after).jobs[0].share == pytest.approx(1.0)


def test_a_hash_of_addresses_alone_sees_no_queue_pairs() -> None:
    blind = changed(clos(ALTERNATING, routing="ecmp"), "entropy").model_copy(update={"hash_fields": ("source-ip", "destination-ip")})
    seeing = blind.model_copy(update={"hash_fields": ("source-ip", "destination-ip", "udp-source-port")})
    shares = [predict(site).jobs[0].share for site in (clos(ALTERNATING, routing="ecmp"), blind, seeing)]
    assert shares[0] == pytest.approx(shares[1])
    assert (shares[2] or 0) > (shares[1] or 0) + 0.1
    assert predict(changed(blind, "entropy")).jobs[0].share == pytest.approx(shares[2])
