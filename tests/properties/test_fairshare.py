"""Max-min fair shares of any flows over any links, against a plain reference and against what defines them."""

from dataclasses import replace
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
def networks(draw: st.DrawFn, priorities: int = 1, promises: bool = False) -> tuple[list[Flow], Capacity]:
    """promises: also weights, limits, and guarantees that every link can keep."""
    capacity = {link: draw(rates_of_links) for link in LINKS[: draw(st.integers(1, len(LINKS)))]}
    links = st.lists(st.sampled_from(sorted(capacity)), min_size=1, max_size=4, unique=True)
    paths = [tuple(draw(links)) for _ in range(draw(st.integers(1, 16)))]
    found = []
    for i, path in enumerate(paths):
        fair = min(capacity[link] / sum(link in other for other in paths) for link in path)
        more = {}
        if promises:
            more = {
                "weight": draw(st.sampled_from([0.5, 1.0, 1.0, 3.0])),
                "limit": draw(st.sampled_from([float("inf"), 0.7, 40.0])),
                "guarantee": fair * draw(st.sampled_from([0.0, 0.0, 0.5, 0.99])),
            }
        found.append(Flow(f"f{i}", path, draw(demands), priority=draw(st.integers(0, priorities - 1)), **more))
    return found, capacity


def plain(flows: list[Flow], capacity: Capacity) -> dict[str, float]:
    """Priority by priority, one level rises for all open flows: each has weight times level, but no less than its guarantee and no more
    than it wants. Where a link is full its flows stop, and the level rises on for the others. What lower ones are guaranteed is kept free.
    """
    left, rate = dict(capacity), {flow.name: 0.0 for flow in flows}
    for priority in sorted({flow.priority for flow in flows}, reverse=True):
        open_ = [flow for flow in flows if flow.priority == priority]
        room = {link: left[link] - sum(_least(f) for f in flows if f.priority < priority and link in f.path) for link in left}
        while open_:
            on = {link: [flow for flow in open_ if link in flow.path] for link in room}
            levels = {link: _full_at(room[link], over) for link, over in on.items() if over}
            level = min(levels.values())
            stops = [flow for flow in open_ if level == float("inf") or any(levels[link] == level for link in flow.path)]
            for flow in stops:
                rate[flow.name] = _at(flow, level)
                for link in flow.path:
                    room[link] -= rate[flow.name]
                    left[link] -= rate[flow.name]
            open_ = [flow for flow in open_ if flow not in stops]
    return rate


def _wanted(flow: Flow) -> float:
    return min(flow.demand, flow.limit)


def _least(flow: Flow) -> float:
    return min(flow.guarantee, _wanted(flow))


def _at(flow: Flow, level: float) -> float:
    return max(min(flow.weight * level, _wanted(flow)), _least(flow))


def _full_at(room: float, flows: list[Flow]) -> float:
    """The level at which these flows fill a link: between two levels at which one of them begins or ends to rise, they rise evenly."""
    if sum(map(_wanted, flows)) <= room:
        return float("inf")
    turns = sorted({0.0} | {bound / flow.weight for flow in flows for bound in (_least(flow), _wanted(flow)) if bound < float("inf")})
    below = [turn for turn in turns if sum(_at(flow, turn) for flow in flows) <= room]
    start = below[-1] if below else 0.0
    rising = sum(flow.weight for flow in flows if _least(flow) <= flow.weight * start < _wanted(flow))
    return start + max(room - sum(_at(flow, start) for flow in flows), 0.0) / rising if rising else start


def carried(flows: list[Flow], rates: dict[str, float]) -> Capacity:
    return {link: sum(rates[flow.name] for flow in flows if link in flow.path) for link in LINKS}


@QUICK
@given(networks(priorities=3, promises=True))
def test_equals_the_plain_reference(network: tuple[list[Flow], Capacity]) -> None:
    flows, capacity = network
    assert max_min(flows, capacity) == pytest.approx(plain(flows, capacity), rel=1e-9, abs=1e-9)


@QUICK
@given(networks(priorities=3, promises=True))
def test_no_link_carries_more_than_it_can_and_each_flow_has_between_its_guarantee_and_what_it_wants(
    network: tuple[list[Flow], Capacity],
) -> None:
    flows, capacity = network
    rates = max_min(flows, capacity)
    load = carried(flows, rates)
    assert all(load[link] <= capacity[link] * (1 + 1e-9) for link in capacity)
    assert all(_least(flow) * (1 - 1e-9) <= rates[flow.name] <= _wanted(flow) * (1 + 1e-9) for flow in flows)


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
@given(networks(priorities=2, promises=True), st.randoms(use_true_random=False))
def test_names_and_order_mean_nothing(network: tuple[list[Flow], Capacity], chance) -> None:  # type: ignore[no-untyped-def]
    flows, capacity = network
    links, names = list(capacity), [flow.name for flow in flows]
    link_of = dict(zip(links, chance.sample([f"x{i}" for i in range(len(links))], len(links)), strict=True))
    name_of = dict(zip(names, chance.sample([f"y{i}" for i in range(len(names))], len(names)), strict=True))
    other = [replace(flow, name=name_of[flow.name], path=tuple(link_of[link] for link in reversed(flow.path))) for flow in flows]
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
