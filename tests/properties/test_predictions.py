"""The model of small fabrics, links even or hashed: names and order mean nothing, uplinks never hurt, capacities hold."""

import random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from advisor.fabric.model import Fabric
from advisor.traffic.bisection import bisection
from advisor.traffic.predict import Prediction, predict
from tests.traffic.sites import clos

HOSTS = tuple(f"{leaf}{i}" for leaf in "abcd" for i in range(4))
QUICK = settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow])
routings = st.sampled_from(["adaptive", "ecmp"])
chances = st.randoms(use_true_random=False)
Jobs = dict[str, tuple[str, ...]]


@st.composite
def placements(draw: st.DrawFn) -> Jobs:
    """Up to four jobs of two hosts and more on sixteen hosts, each host in one job at the most."""
    order = draw(st.permutations(HOSTS))
    sizes = draw(st.lists(st.integers(2, 6), min_size=1, max_size=4).filter(lambda some: sum(some) <= len(HOSTS)))
    starts = [sum(sizes[:i]) for i in range(len(sizes))]
    return {f"j{i}": tuple(order[start : start + size]) for i, (start, size) in enumerate(zip(starts, sizes, strict=True))}


def relabelled(fabric: Fabric, chance: random.Random) -> tuple[Fabric, dict[str, str]]:
    """Other names for all hosts, and hosts in another order everywhere but in the rings of jobs, where order is a fact."""
    names = chance.sample([f"x{i:02}" for i in range(len(fabric.hosts))], len(fabric.hosts))
    name_of = dict(zip(fabric.hosts, names, strict=True))
    hosts = [host.model_copy(update={"name": name_of[name]}) for name, host in fabric.hosts.items()]
    chance.shuffle(hosts)
    leaves = tuple(leaf.model_copy(update={"hosts": tuple(sorted(name_of[host] for host in leaf.hosts))}) for leaf in fabric.leaves)
    jobs = tuple(job.model_copy(update={"hosts": tuple(name_of[host] for host in job.hosts)}) for job in fabric.jobs)
    return fabric.model_copy(update={"hosts": {host.name: host for host in hosts}, "leaves": leaves, "jobs": jobs}), name_of


def _figures(found: Prediction, name_of: dict[str, str]) -> dict[str, float]:
    figures = {f"job {rate.job.name}": rate.share or 0.0 for rate in found.jobs}
    figures |= {f"{name_of.get(link.source, link.source)} {name_of.get(link.target, link.target)}": link.load_gbps for link in found.links}
    assert found.ladder is not None
    return figures | {name: getattr(found.ladder, name) for name in ("R_now", "R_balance", "R_isolate", "R_pack", "R_ideal")}


@QUICK
@given(placements(), chances, routings, st.integers(1, 40))
def test_relabelling_hosts_changes_nothing(jobs: Jobs, chance: random.Random, routing: str, uplinks: int) -> None:
    fabric = clos(jobs, uplinks=uplinks, routing=routing)
    other, name_of = relabelled(fabric, chance)
    assert _figures(predict(other), {}) == pytest.approx(_figures(predict(fabric), name_of), rel=1e-9)
    assert bisection(other) == bisection(fabric)


@QUICK
@given(placements(), st.integers(1, 40), st.integers(1, 40))
def test_more_uplinks_never_lower_the_slowest_job_where_links_are_even(jobs: Jobs, few: int, more: int) -> None:
    slowest = [min(rate.share or 0.0 for rate in predict(clos(jobs, uplinks=up, routing="adaptive")).jobs) for up in (few, few + more)]
    assert slowest[0] <= slowest[1] + 1e-9


@QUICK
@given(placements(), st.integers(1, 16))
def test_twice_the_hashed_uplinks_never_lower_the_slowest_job(jobs: Jobs, few: int) -> None:
    """Hashed, it holds for the mean over throws (test_fairshare holds it throw by throw); a mean over 200 and more is near it.

    The share of a job lies between 0 and 1, so the standard error of the difference of two means is below 0.05; the slowest of few jobs may
    scatter somewhat more.
    """
    slowest = [min(rate.share or 0.0 for rate in predict(clos(jobs, uplinks=up, routing="ecmp", ports=2)).jobs) for up in (few, 2 * few)]
    assert slowest[0] <= slowest[1] + 0.1


@QUICK
@given(placements(), routings, st.integers(1, 40), st.floats(0.2, 4))
def test_total_flow_never_exceeds_capacity_on_any_link(jobs: Jobs, routing: str, uplinks: int, speed: float) -> None:
    found = predict(clos(jobs, uplinks=uplinks, routing=routing, speed=speed))
    assert found.links
    assert all(0 <= link.load_gbps <= link.capacity_gbps * (1 + 1e-9) for link in found.links)


@QUICK
@given(st.integers(1, 40), st.integers(1, 40))
def test_more_uplinks_never_lower_the_bisection(few: int, more: int) -> None:
    found = [bisection(clos({}, uplinks=up)) for up in (few, few + more)]
    assert found[0] is not None
    assert found[1] is not None
    assert found[0].gbps <= found[1].gbps <= found[1].line_gbps
