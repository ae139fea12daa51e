"""Max-min fair shares of any flows over any links, against a plain reference and against what defines them."""

from itertools import pairwise

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from advisor.traffic.fairshare import Flow, fill, max_min

LINKS = tuple(f"l{i}" for i in range(8))
QUICK = settings(max_examples=200, deadline=None)
rates_of_links = st.sampled_from([0.1, 0.5, 1.0, 2.0, 10.0, 400.0]) | st.floats(0.01, 1000)
demands = st.sampled_from([0.0, 0.3, 1.0, 50.0, float("inf")]) | st.floats(0, 1000)
Capacity = dict[str, float]


@st.composite
def networks(draw: st.DrawFn, priorities: int = 1) -> tuple[list[Flow], Capacity]:
    capacity = {link: draw(rates_of_links) for link in LINKS[: draw(st.integers(1, len(LINKS)))]}
    paths = st.lists(st.sampled_from(sorted(capacity)), min_size=1, max_size=4, unique=True)
    flows = [
        Flow(f"f{i}", tuple(draw(paths)), draw(demands), priority=draw(st.integers(0, priorities - 1)))
        for i in range(draw(st.integers(1, 16)))
    ]
    return flows, capacity


def plain(flows: list[Flow], capacity: Capacity) -> dict[str, float]:
    """All open flows rise together to the lowest level at which one must stop; that one stops there; and so on, priority by priority."""
    left, rate = dict(capacity), {flow.name: 0.0 for flow in flows}
    for priority in sorted({flow.priority for flow in flows}, reverse=True):
        here = [flow for flow in flows if flow.priority == priority]
        room, waiting = dict(left), list(here)
        while waiting:
            wanting = {link: sum(link in flow.path for flow in waiting) for link in room}
            level = {flow.name: min(flow.demand, *(max(room[link], 0.0) / wanting[link] for link in flow.path)) for flow in waiting}
            first = min(waiting, key=lambda flow: level[flow.name])
            rate[first.name] = level[first.name]
            waiting.remove(first)
            for link in first.path:
                room[link] -= rate[first.name]
        left = room
    return rate


def carried(flows: list[Flow], rates: dict[str, float]) -> Capacity:
    return {link: sum(rates[flow.name] for flow in flows if link in flow.path) for link in LINKS}


@QUICK
@given(networks(priorities=3))
def test_equals_the_plain_reference(network: tuple[list[Flow], Capacity]) -> None:
    flows, capacity = network
    assert max_min(flows, capacity) == pytest.approx(plain(flows, capacity), rel=1e-9, abs=1e-9)


@QUICK
@given(networks(priorities=3))
def test_no_link_carries_more_than_it_can_and_no_flow_gets_more_than_it_wants(network: tuple[list[Flow], Capacity]) -> None:
    flows, capacity = network
    rates = max_min(flows, capacity)
    load = carried(flows, rates)
    assert all(load[link] <= capacity[link] * (1 + 1e-9) for link in capacity)
    assert all(0 <= rates[flow.name] <= flow.demand * (1 + 1e-9) for flow in flows)


@QUICK
@given(networks())
def test_whoever_gets_less_than_it_wants_has_a_bottleneck(network: tuple[list[Flow], Capacity]) -> None:
    """What defines max-min fairness: a full link of its path on which no other flow gets more (Bertsekas and Gallager, 6.5.2)."""
    flows, capacity = network
    rates = max_min(flows, capacity)
    load = carried(flows, rates)
    most = {link: max((rates[flow.name] for flow in flows if link in flow.path), default=0.0) for link in capacity}
    for flow in flows:
        near = 1 - 1e-9
        assert rates[flow.name] >= flow.demand * near or any(
            load[link] >= capacity[link] * near and rates[flow.name] >= most[link] * near for link in flow.path
        )


@QUICK
@given(networks(priorities=2), st.randoms(use_true_random=False))
def test_names_and_order_mean_nothing(network: tuple[list[Flow], Capacity], chance) -> None:  # type: ignore[no-untyped-def]
    flows, capacity = network
    links, names = list(capacity), [flow.name for flow in flows]
    link_of = dict(zip(links, chance.sample([f"x{i}" for i in range(len(links))], len(links)), strict=True))
    name_of = dict(zip(names, chance.sample([f"y{i}" for i in range(len(names))], len(names)), strict=True))
    other = [Flow(name_of[f.name], tuple(link_of[link] for link in reversed(f.path)), f.demand, priority=f.priority) for f in flows]
    chance.shuffle(other)
    chance.shuffle(links)
    found = max_min(other, {link_of[link]: capacity[link] for link in links})
    assert {name: found[name_of[name]] for name in names} == pytest.approx(max_min(flows, capacity), rel=1e-9, abs=1e-9)


@QUICK
@given(networks(), st.sampled_from(LINKS), st.floats(1, 10))
def test_more_capacity_never_lowers_the_slowest_flow(network: tuple[list[Flow], Capacity], link: str, factor: float) -> None:
    flows, capacity = network
    wider = {name: rate * factor if name == link else rate for name, rate in capacity.items()}
    wanting = [flow for flow in flows if flow.demand > 0]
    if wanting:
        slowest = [min(rates[flow.name] for flow in wanting) for rates in (max_min(flows, capacity), max_min(flows, wider))]
        assert slowest[0] <= slowest[1] * (1 + 1e-9)


def test_more_capacity_may_lower_another_flow() -> None:
    """Why the slowest is what is held: a wider first link lets one flow take more of the second, from a flow that had more."""
    flows = [Flow("x", ("a", "b")), Flow("y", ("b",))]
    assert max_min(flows, {"a": 1.0, "b": 10.0}) == {"x": 1.0, "y": 9.0}
    assert max_min(flows, {"a": 5.0, "b": 10.0}) == {"x": 5.0, "y": 5.0}


@QUICK
@given(st.integers(1, 6), st.lists(st.tuples(st.integers(0, 10**6), st.integers(0, 10**6)), min_size=1, max_size=24))
@example(1, [(0, 1), (1, 0)])
def test_twice_the_hashed_uplinks_never_lower_the_slowest_flow(links: int, hashes: list[tuple[int, int]]) -> None:
    """In which sense more uplinks never hurt where a hash chooses: hash by hash, with each link split in two by a further bit.

    With another number of links every flow is thrown anew, and by chance a throw may be worse; over all throws it is not.
    """
    import numpy as np

    count = len(hashes)
    slowest = []
    for parts in (1, 2):
        up = [hash_ % (2 * links) // (2 // parts) for hash_, _ in hashes]
        down = [parts * links + hash_ % (2 * links) // (2 // parts) for _, hash_ in hashes]
        on = np.tile(np.arange(count), 2)
        slowest.append(fill(on, np.array(up + down), np.ones(2 * parts * links), np.ones(count)).min())
    assert all(before <= after + 1e-12 for before, after in pairwise(slowest))
