"""Max-min shares against counts by hand and against a plain filling, flow by flow."""

import random

import pytest

from advisor.traffic.fairshare import Flow, max_min, starved


def plain(flows: list[Flow], capacity: dict[str, float]) -> dict[str, float]:
    """Progressive filling as the textbook words it: raise all open flows by the same step until one must stop."""
    rate = {flow.name: 0.0 for flow in flows}
    open_ = {flow.name for flow in flows}
    while open_:
        used = {link: sum(rate[flow.name] for flow in flows if link in flow.path) for link in capacity}
        wanting = {link: sum(1 for flow in flows if link in flow.path and flow.name in open_) for link in capacity}
        steps = [(capacity[link] - used[link]) / wanting[link] for link in capacity if wanting[link]]
        steps += [flow.demand - rate[flow.name] for flow in flows if flow.name in open_]
        step = max(min(steps), 0.0)
        for name in open_:
            rate[name] += step
        used = {link: sum(rate[flow.name] for flow in flows if link in flow.path) for link in capacity}
        full = {link for link in capacity if used[link] >= capacity[link] * (1 - 1e-12) - 1e-12}
        for flow in flows:
            if flow.name in open_ and (rate[flow.name] >= flow.demand * (1 - 1e-12) or full & set(flow.path)):
                open_.discard(flow.name)
    return rate


def test_parking_lot() -> None:
    flows = [Flow("f1", ("a", "b")), Flow("f2", ("a",)), Flow("f3", ("b",))]
    assert max_min(flows, {"a": 1, "b": 2}) == pytest.approx({"f1": 0.5, "f2": 0.5, "f3": 1.5}, rel=1e-9)


def test_what_small_tenants_leave_goes_to_the_large_one() -> None:
    flows = [Flow("A", ("u",), 800), Flow("B", ("u",), 200), Flow("C", ("u",), 100)]
    assert max_min(flows, {"u": 800}) == pytest.approx({"A": 500, "B": 200, "C": 100}, rel=1e-9)


def test_a_limit_may_leave_capacity_unused() -> None:
    rates = max_min([Flow("A", ("u",), 400), Flow("B", ("u",), 200), Flow("C", ("u",), 100)], {"u": 800})
    assert sum(rates.values()) == pytest.approx(700)


@pytest.mark.parametrize(
    ("storage", "expected"),
    [(100, (300, 100)), (25, (375, 25)), (float("inf"), (200, 200))],
)
def test_training_and_checkpoints_on_one_nic(storage: float, expected: tuple[float, float]) -> None:
    rates = max_min([Flow("training", ("nic",), 400), Flow("storage", ("nic",), storage)], {"nic": 400})
    assert (rates["training"], rates["storage"]) == pytest.approx(expected, rel=1e-9)


def test_strict_priority_starves_and_says_so() -> None:
    flows = [Flow("training", ("nic",), 400, priority=1), Flow("storage", ("nic",))]
    rates = max_min(flows, {"nic": 400})
    assert rates == {"training": 400, "storage": 0}
    assert starved(flows, rates) == ("storage",)


def test_incast_shares_the_receiving_port() -> None:
    flows = [Flow(f"s{i}", (f"tx{i}", "rx")) for i in range(8)]
    capacity = {"rx": 1.0} | {f"tx{i}": 1.0 for i in range(8)}
    assert set(max_min(flows, capacity).values()) == {0.125}


def test_two_senders_on_one_uplink_while_the_other_idles() -> None:
    flows = [Flow("x", ("tx1", "up1")), Flow("y", ("tx2", "up1"))]
    assert max_min(flows, {"tx1": 100, "tx2": 100, "up1": 100, "up2": 100}) == {"x": 50, "y": 50}


def test_a_flow_that_nothing_bounds_is_an_error() -> None:
    with pytest.raises(ValueError, match="nothing bounds"):
        max_min([Flow("x", ())], {})


@pytest.mark.parametrize("seed", range(25))
def test_equals_the_plain_filling(seed: int) -> None:
    dice = random.Random(seed)
    links = [f"l{i}" for i in range(dice.randint(1, 9))]
    capacity = {link: dice.choice([0.5, 1.0, 2.0, 4.0]) for link in links}
    flows = [
        Flow(f"f{i}", tuple(dice.sample(links, dice.randint(1, len(links)))), dice.choice([0.1, 0.7, 3.0, float("inf")]))
        for i in range(dice.randint(1, 20))
    ]
    assert max_min(flows, capacity) == pytest.approx(plain(flows, capacity), abs=1e-9)


@pytest.mark.parametrize(("crossing", "expected"), [(16, 200), (8, 400), (12, 266.6667)])
def test_an_oversubscribed_leaf_costs_nothing_until_its_crossing_share_exceeds_one_over_r(crossing: int, expected: float) -> None:
    flows = [Flow(f"h{i}", (f"port{i}", "up")) for i in range(crossing)]  # 16 ports of 400 under 3200 up: 2:1
    rates = max_min(flows, {"up": 3200} | {f"port{i}": 400 for i in range(16)})
    assert rates["h0"] == pytest.approx(expected, rel=1e-6)
