"""Sites of which only counts are known, and what the model says where it lacks something."""

import pytest

from advisor.fabric.model import Fabric, HostKind, Job, Leaf
from advisor.traffic.counts import laid_out, missing
from advisor.traffic.ladder import ladder
from advisor.traffic.predict import predict

KIND = HostKind(nics_per_host=8, nic_rate_gbps=400)
TWO_TO_ONE = Leaf(name="*", down_gbps=16 * 3200, up_gbps=8 * 3200, ratio=2, uplinks=64, uplink_gbps=400)  # 16 hosts, 64 uplinks


def _site(*jobs: Job, leaf: Leaf | None = TWO_TO_ONE, **more: object) -> Fabric:
    leaves = (leaf,) if leaf else ()
    return Fabric.model_validate({"leaves": leaves, "jobs": jobs, "host_kinds": (KIND,), "routing": "adaptive", **more})


def test_a_job_of_many_leaves_by_counts_alone() -> None:
    found = predict(_site(Job(name="j", host_count=32, leaves=4)))
    (job,) = found.jobs
    assert job.share == pytest.approx(1.0)  # by leaf one host in eight sends up: E32
    assert found.ladder is not None
    assert "by-counts" in found.ladder.assumed
    assert found.ladder.R_now == pytest.approx(1.0)
    assert found.error == pytest.approx(0.20)  # nothing vouches for it
    assert found.links == ()  # no link has a name


def test_two_hosts_a_leaf_of_many_jobs_fill_the_uplinks() -> None:
    # Eight jobs of 8 hosts, each on 4 leaves of 16: 8 jobs x 8 ports go up each leaf's 64 uplinks, or 32 of them at 4:1.
    jobs = [Job(name=f"j{i}", host_count=8, leaves=4) for i in range(8)]
    enough = ladder(_site(*jobs))
    half = ladder(_site(*jobs, leaf=TWO_TO_ONE.model_copy(update={"up_gbps": 12_800.0, "uplinks": 32, "ratio": 4})))
    assert enough is not None
    assert half is not None
    assert enough.R_now == pytest.approx(1.0)
    assert half.R_now == pytest.approx(0.5)
    assert half.R_pack == pytest.approx(1.0)


def test_a_job_inside_a_leaf_needs_no_design() -> None:
    found = ladder(_site(Job(name="j", host_count=8, placement="same-leaf"), leaf=None))
    assert found is not None
    assert found.R_now == 1


def test_counts_that_do_not_fit_give_no_layout() -> None:
    assert laid_out(_site(Job(name="j", host_count=64, leaves=2))) is None  # 32 hosts on a leaf of 16


@pytest.mark.parametrize(
    ("site", "lacks"),
    [
        (Fabric(), ("jobs", "port-rate")),
        (_site(), ("jobs",)),
        (_site(Job(name="j", host_count=8)), ("job-places",)),
        (_site(Job(name="j", host_count=8, leaves=2), leaf=None), ("uplinks",)),
        (_site(Job(name="j", host_count=8, leaves=2), host_kinds=()), ("port-rate",)),
        (_site(Job(name="j", host_count=8, leaves=2)), ()),
    ],
)
def test_what_is_missing_is_named(site: Fabric, lacks: tuple[str, ...]) -> None:
    assert missing(site) == lacks
    found = predict(site)
    assert (found.ladder is None) == bool(lacks)
    assert found.missing == lacks
