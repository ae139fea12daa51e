"""What holds for every fabric: more uplinks never hurt, names mean nothing, and no link carries more than it can."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from advisor.fabric.model import Fabric
from advisor.traffic.hashing import slowest_share
from advisor.traffic.predict import Prediction, predict
from tests.traffic.sites import clos

ALL = tuple(f"{leaf}{i}" for leaf in "abcd" for i in range(4))
QUICK = settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@st.composite
def placements(draw: st.DrawFn) -> dict[str, tuple[str, ...]]:
    """Up to four jobs of two hosts and more on sixteen hosts, each host in one job at the most."""
    order = draw(st.permutations(ALL))
    sizes = draw(st.lists(st.integers(2, 6), min_size=1, max_size=4).filter(lambda some: sum(some) <= len(ALL)))
    jobs, start = {}, 0
    for i, size in enumerate(sizes):
        jobs[f"j{i}"] = tuple(order[start : start + size])
        start += size
    return jobs


def _shares(found: Prediction) -> dict[str, float]:
    return {job.job.name: job.share for job in found.jobs if job.share is not None}


@QUICK
@given(placements(), st.integers(1, 40), st.integers(1, 40))
def test_more_uplinks_never_lower_the_slowest_job(jobs: dict[str, tuple[str, ...]], few: int, more: int) -> None:
    slowest = [min(_shares(predict(clos(jobs, uplinks=up, routing="adaptive"))).values()) for up in (few, few + more)]
    assert slowest[0] <= slowest[1] + 1e-9


@given(st.integers(1, 40), st.integers(1, 40), st.integers(1, 8))
@QUICK
def test_more_links_never_lower_the_slowest_hashed_flow(flows: int, links: int, pieces: int) -> None:
    assert slowest_share(flows, links, pieces=pieces) <= slowest_share(flows, links + 1, pieces=pieces) + 1e-9


def _renamed(fabric: Fabric, name_of: dict[str, str]) -> Fabric:
    return fabric.model_copy(
        update={
            "hosts": {name_of[name]: host.model_copy(update={"name": name_of[name]}) for name, host in fabric.hosts.items()},
            "leaves": tuple(leaf.model_copy(update={"hosts": tuple(name_of[h] for h in leaf.hosts)}) for leaf in fabric.leaves),
            "jobs": tuple(job.model_copy(update={"hosts": tuple(name_of[h] for h in job.hosts)}) for job in fabric.jobs),
        }
    )


@QUICK
@given(placements(), st.permutations(range(len(ALL))), st.sampled_from(["adaptive", "ecmp"]))
def test_names_of_hosts_mean_nothing(jobs: dict[str, tuple[str, ...]], order: list[int], routing: str) -> None:
    fabric = clos(jobs, uplinks=12, routing=routing)
    renamed = _renamed(fabric, {host: f"x{order[i]:02}" for i, host in enumerate(ALL)})
    here, there = predict(fabric), predict(renamed)
    assert _shares(here) == pytest.approx(_shares(there))
    assert here.ladder is not None
    assert there.ladder is not None
    assert (here.ladder.R_now, here.ladder.R_balance) == pytest.approx((there.ladder.R_now, there.ladder.R_balance))


@QUICK
@given(placements(), st.integers(1, 40), st.sampled_from(["adaptive", "ecmp"]))
def test_no_link_carries_more_than_it_can(jobs: dict[str, tuple[str, ...]], uplinks: int, routing: str) -> None:
    for load in predict(clos(jobs, uplinks=uplinks, routing=routing)).links:
        assert 0 <= load.load_gbps <= load.capacity_gbps * (1 + 1e-9)


@QUICK
@given(placements(), st.integers(1, 40), st.sampled_from(["adaptive", "ecmp"]))
def test_the_parts_of_the_loss_add_up(jobs: dict[str, tuple[str, ...]], uplinks: int, routing: str) -> None:
    found = predict(clos(jobs, uplinks=uplinks, routing=routing))
    assert found.ladder is not None
    assert sum(part.share for part in found.split) == pytest.approx(1 - found.ladder.R_now)
    assert 0 <= found.ladder.R_now <= 1
    assert 0 <= found.ladder.R_ideal <= 1
