"""Priorities, weights, limits and guarantees: small cases worked by hand, and a plain reference that raises one level step by step."""

import random
from dataclasses import replace

import pytest

from advisor.traffic.fairshare import Flow, max_min, starved

EXACT = 1e-9


def _level(room: float, flows: list[Flow]) -> float:
    """The level at which flows fill a link: those whose least rate is above it stand on that."""
    standing: set[str] = set()
    while True:
        weight = sum(f.weight for f in flows if f.name not in standing)
        if not weight:
            return 0.0
        level = max(room - sum(f.guarantee for f in flows if f.name in standing), 0.0) / weight
        more = {f.name for f in flows if f.guarantee > f.weight * level * (1 + 1e-12)} - standing
        if not more:
            return level
        standing |= more


def _one_priority(flows: list[Flow], room: dict[str, float]) -> dict[str, float]:
    """Again and again the lowest event, a link that fills or a flow that has all, closes what it touches; guarantees are wanted here."""
    rates: dict[str, float] = {}
    left = dict(room)
    while len(rates) < len(flows):
        open_ = [f for f in flows if f.name not in rates]
        levels = {link: _level(left[link], here) for link in left if (here := [f for f in open_ if link in f.path])}
        lowest = min([*levels.values(), *(f.wanted / f.weight for f in open_)])
        full = {link for link, level in levels.items() if level <= lowest * (1 + 1e-12)}
        for flow in open_:
            if flow.wanted / flow.weight <= lowest * (1 + 1e-12) or full & set(flow.path):
                rates[flow.name] = min(max(flow.guarantee, flow.weight * lowest), flow.wanted)
                for link in flow.path:
                    left[link] -= rates[flow.name]
    return rates


def plain(flows: list[Flow], capacity: dict[str, float]) -> dict[str, float]:
    """One priority after the other, each beside what the lower ones are guaranteed."""
    flows = [replace(flow, guarantee=min(flow.guarantee, flow.wanted)) for flow in flows]
    left, rates = dict(capacity), dict[str, float]()
    for priority in sorted({flow.priority for flow in flows}, reverse=True):
        later = [flow for flow in flows if flow.priority < priority]
        room = {link: left[link] - sum(flow.guarantee for flow in later if link in flow.path) for link in left}
        here = [flow for flow in flows if flow.priority == priority]
        rates |= (found := _one_priority(here, room))
        left = {link: left[link] - sum(found[flow.name] for flow in here if link in flow.path) for link in left}
    return rates


def test_weights_share_a_full_link() -> None:
    flows = [Flow("gold", ("l",), weight=3), Flow("plain", ("l",))]
    assert max_min(flows, {"l": 400}) == pytest.approx({"gold": 300, "plain": 100}, rel=EXACT)


def test_what_a_weighted_flow_does_not_want_goes_to_the_others_by_weight() -> None:
    flows = [Flow("a", ("l",), demand=50, weight=5), Flow("b", ("l",), weight=2), Flow("c", ("l",), weight=1)]
    assert max_min(flows, {"l": 350}) == pytest.approx({"a": 50, "b": 200, "c": 100}, rel=EXACT)


def test_a_limit_caps_what_is_wanted() -> None:
    flows = [Flow("storage", ("nic",), limit=25), Flow("training", ("nic",), demand=400)]
    assert max_min(flows, {"nic": 400}) == pytest.approx({"storage": 25, "training": 375}, rel=EXACT)  # E05


def test_a_guarantee_holds_and_the_others_share_the_rest() -> None:
    flows = [Flow("a", ("l",), guarantee=6), Flow("b", ("l",)), Flow("c", ("l",))]
    assert max_min(flows, {"l": 10}) == pytest.approx({"a": 6, "b": 2, "c": 2}, rel=EXACT)


def test_a_guarantee_below_the_fair_share_changes_nothing() -> None:
    flows = [Flow("a", ("l",), guarantee=2), Flow("b", ("l",)), Flow("c", ("l",))]
    assert max_min(flows, {"l": 12}) == pytest.approx({"a": 4, "b": 4, "c": 4}, rel=EXACT)


def test_a_guarantee_saves_a_lower_priority_from_starving() -> None:
    flows = [Flow("training", ("nic",), 400, priority=1), Flow("storage", ("nic",), 400, guarantee=50)]
    rates = max_min(flows, {"nic": 400})
    assert rates == pytest.approx({"training": 350, "storage": 50}, rel=EXACT)
    assert starved(flows, rates) == ()
    alone = [flows[0], Flow("storage", ("nic",), 400)]
    assert starved(alone, max_min(alone, {"nic": 400})) == ("storage",)


def test_three_priorities() -> None:
    flows = [Flow("a", ("l",), 5, priority=2), Flow("b", ("l",), 3, priority=1), Flow("c", ("l",), 9), Flow("d", ("l",), 9)]
    assert max_min(flows, {"l": 12}) == pytest.approx({"a": 5, "b": 3, "c": 2, "d": 2}, rel=EXACT)


def test_weights_on_a_path_of_two_links() -> None:
    # On x the heavy flow gets 2/3 of 3; on y it wants 2 of 6, and the other takes the rest.
    flows = [Flow("heavy", ("x", "y"), weight=2), Flow("light", ("x",)), Flow("other", ("y",))]
    assert max_min(flows, {"x": 3, "y": 6}) == pytest.approx({"heavy": 2, "light": 1, "other": 4}, rel=EXACT)


def test_what_cannot_be_kept_is_an_error_that_names_it() -> None:
    with pytest.raises(ValueError, match="link l cannot keep"):
        max_min([Flow("a", ("l",), guarantee=6), Flow("b", ("l",), guarantee=6)], {"l": 10})
    with pytest.raises(ValueError, match="weight of the flow a"):
        max_min([Flow("a", ("l",), weight=0)], {"l": 10})


@pytest.mark.parametrize("seed", range(40))
def test_equals_the_plain_filling(seed: int) -> None:
    dice = random.Random(seed)
    links = [f"l{i}" for i in range(dice.randint(1, 5))]
    capacity = {link: dice.choice([1.0, 2.0, 4.0, 7.0]) for link in links}
    count = dice.randint(1, 9)
    flows = [
        Flow(
            f"f{i}",
            tuple(dice.sample(links, dice.randint(1, len(links)))),
            demand=dice.choice([0.1, 0.7, 3.0, float("inf")]),
            priority=dice.choice([0, 0, 1, 2]),
            weight=dice.choice([1.0, 1.0, 0.5, 3.0]),
            limit=dice.choice([float("inf"), float("inf"), 0.4]),
            guarantee=dice.choice([0.0, 0.0, 1 / count]),
        )
        for i in range(count)
    ]
    assert max_min(flows, capacity) == pytest.approx(plain(flows, capacity), abs=1e-9)
