"""Whole small sites, captures to ladder: what one who knows the site would count."""

from functools import cache
from pathlib import Path

import pytest

from advisor.base.places import example_site
from advisor.evidence.bundle import Bundle
from advisor.fabric.build import build
from advisor.fabric.model import Fabric
from advisor.fabric.paths import far_gpus, uplink_groups
from advisor.fabric.series import rates
from advisor.traffic.changes import expanded
from advisor.traffic.ladder import ladder
from advisor.traffic.rates import windows
from advisor.usecases.assess import open_site

HERE = Path(__file__).parent
NORTH_HALL = str(example_site())


@cache
def _bundle(folder: str) -> Bundle:
    return open_site(folder).bundle


@cache
def _fabric(folder: str) -> Fabric:
    return build(_bundle(folder))


def test_every_capture_of_the_example_is_read() -> None:
    assert [capture.name for capture in _bundle(NORTH_HALL).captures if capture.state != "read"] == []


def test_the_example_is_small() -> None:
    assert sum(path.stat().st_size for path in example_site().rglob("*") if path.is_file()) < 600_000


def test_north_hall_is_what_its_site_form_says() -> None:
    fabric = _fabric(NORTH_HALL)
    assert len(fabric.hosts) == 16
    assert [(leaf.name, len(leaf.hosts), leaf.ratio, leaf.uplinks) for leaf in fabric.leaves] == [
        (f"nh-leaf-{i}", 4, 2.0, 16) for i in (1, 2, 3, 4)
    ]
    assert fabric.conflicts == ()
    assert {job.name: (job.leaves, job.leaves_needed, job.crossing_share, job.crossing_share_best) for job in fabric.jobs} == {
        "41207": (4, 1, 1.0, 0.0),
        "41209": (4, 1, 1.0, 0.0),
        "41213": (3, 1, 1.0, 0.0),
        "41215": (2, 1, 1.0, 0.0),
    }
    assert fabric.hosts["nh-a03"].gpu_allocated == 0
    assert far_gpus(fabric.hosts["nh-b01"]) == ()


def test_north_halls_uplinks_are_full_and_even() -> None:
    (group,) = uplink_groups(_fabric(NORTH_HALL))
    assert (group.leaf, len(group.links), group.down) == ("nh-leaf-2", 16, ())
    assert group.mean == pytest.approx(0.92, abs=0.01)
    assert group.jain is not None
    assert group.jain > 0.99


def test_north_hall_pauses_and_never_marks() -> None:
    on_host = {rate.counter: rate for rate in rates(_bundle(NORTH_HALL)) if rate.device == "nh-b01"}
    assert on_host["priorities.3.rx_pause_us"].duty == pytest.approx(6_664_108 / 60e6)
    assert on_host["priorities.3.tx_bytes"].gbps == pytest.approx(183.88, abs=0.01)
    on_leaf = {rate.counter: rate for rate in rates(_bundle(NORTH_HALL)) if rate.device == "nh-leaf-2" and rate.port == "Ethernet0"}
    # What the leaf sends is what the host's port counts.
    assert on_leaf["priorities.3.tx_pause"].delta == on_host["priorities.3.rx_pause"].delta == 184_233
    assert on_host["ecn_marked"].delta == 0
    assert on_host["cnp_handled"].delta == 0


def test_north_halls_steps_dip_while_checkpoints_are_written() -> None:
    (log,) = _fabric(NORTH_HALL).logs
    assert log.checkpoint_count == 8
    assert sum(step.in_checkpoint for step in log.steps) > 30
    found = windows(log)
    assert found is not None
    assert found[1] == pytest.approx(0.71, abs=0.02)


def test_north_hall_needs_no_uplinks() -> None:
    fabric = _fabric(NORTH_HALL)
    found = ladder(fabric)
    assert found is not None
    assert found.measured is not None
    assert found.modelled == pytest.approx(found.measured, abs=0.05)  # the model gives what was measured
    assert found.error is not None
    assert found.error < 0.06  # the mean over a collective and a point-to-point run
    assert found.physical_part == pytest.approx(0, abs=0.01)
    assert found.R_now < 0.5
    assert [cause for cause, share in found.shares.items() if share > 0.02] == ["storage", "placement", "flow-control"]
    assert max(found.shares, key=lambda cause: found.shares[cause]) == "placement"
    bought = ladder(expanded(fabric))
    assert bought is not None
    assert bought.R_now < found.R_pack  # uplinks alone bring less than the free things


def test_nothing_is_lost_on_a_healthy_site() -> None:
    fabric = _fabric(str(HERE / "healthy"))
    found = ladder(fabric)
    assert found is not None
    assert found.R_now > 0.99
    assert fabric.conflicts == ()
    paused = [rate for rate in rates(_bundle(str(HERE / "healthy"))) if "pause" in rate.counter]
    assert paused
    assert all(rate.delta == 0 for rate in paused)


def test_one_ibstat_tells_one_host_and_no_more() -> None:
    fabric = _fabric(str(HERE / "too-little"))
    assert list(fabric.hosts) == ["w-17"]
    assert fabric.hosts["w-17"].ports["mlx5_0/1"].rate_gbps == 400
    assert (fabric.leaves, fabric.jobs, fabric.runs) == ((), (), ())
    assert ladder(fabric) is None
