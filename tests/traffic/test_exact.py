"""Cases whose answer follows from a formula or from counting every way, by their ids. What other tests of this folder hold is not repeated:
E70-E73 and E80-E90 stand in test_steps, E95 and E96 in test_attribution.
"""

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from advisor.fabric.model import Job
from advisor.fabric.paths import crossing_edges, expected_crossings
from advisor.traffic.changes import changed
from advisor.traffic.collectives import ceiling
from advisor.traffic.demand import Send, ring
from advisor.traffic.fairshare import Flow, max_min, starved
from advisor.traffic.hashing import expected_busiest, mean_rate, no_collision, slowdown, slowest_share
from advisor.traffic.network import Network, flow_rates
from advisor.traffic.network import slowest_share as slowest_of
from advisor.traffic.rates import job_shares
from advisor.usecases.calculators import collisions, line, wire
from tests.traffic.sites import clos

GOLDEN = Path(__file__).parents[3] / "shared" / "golden" / "whatif_exact.yaml"
EXACT = 1e-9


def _on_one(capacity: float, priority: str = "", **demands: float) -> dict[str, float]:
    """Flows over one link; the one of that name is served first."""
    return max_min([Flow(name, ("link",), demand, int(name == priority)) for name, demand in demands.items()], {"link": capacity})


# id -> capacity, demands, expected rates
ONE_LINK: dict[str, tuple[float, dict[str, float], dict[str, float]]] = {
    "E02": (800, {"A": 800, "B": 200, "C": 100}, {"A": 500, "B": 200, "C": 100}),
    "E03": (800, {"A": 400, "B": 200, "C": 100}, {"A": 400, "B": 200, "C": 100}),
    "E04": (400, {"training": 400, "storage": 100}, {"training": 300, "storage": 100}),
    "E05": (400, {"training": 400, "storage": 25}, {"training": 375, "storage": 25}),
    "E06": (400, {"training": 400, "storage": 400}, {"training": 200, "storage": 200}),
    "E09": (1, {f"s{i}": 1.0 for i in range(8)}, {f"s{i}": 0.125 for i in range(8)}),
}


@pytest.mark.parametrize("case", sorted(ONE_LINK))
def test_one_link(case: str) -> None:
    capacity, demands, expected = ONE_LINK[case]
    rates = _on_one(capacity, **demands)
    assert rates == pytest.approx(expected, rel=EXACT)
    if case == "E03":
        assert capacity - sum(rates.values()) == pytest.approx(100)


def test_e01_parking_lot() -> None:
    flows = [Flow("f1", ("a", "b")), Flow("f2", ("a",)), Flow("f3", ("b",))]
    assert max_min(flows, {"a": 1, "b": 2}) == pytest.approx({"f1": 0.5, "f2": 0.5, "f3": 1.5}, rel=EXACT)


def test_e07_a_nic_of_its_own_for_storage() -> None:
    flows = [Flow("training", ("nic",), 400), Flow("storage", ("own",), 100)]
    assert max_min(flows, {"nic": 400, "own": 400}) == pytest.approx({"training": 400, "storage": 100}, rel=EXACT)


def test_e08_strict_priority_starves_and_is_said_to() -> None:
    rates = _on_one(400, priority="training", training=400, storage=400)
    assert rates == pytest.approx({"training": 400, "storage": 0})
    assert starved([Flow("training", ("link",), 400, 1), Flow("storage", ("link",), 400)], rates) == ("storage",)


def test_e10_two_senders_hashed_to_one_uplink() -> None:
    flows = [Flow("x", ("tx1", "up1")), Flow("y", ("tx2", "up1"))]
    assert max_min(flows, {"tx1": 100, "tx2": 100, "up1": 100, "up2": 100}) == pytest.approx({"x": 50, "y": 50}, rel=EXACT)


# id -> hosts of a leaf, port, uplinks together, share that sends across, expected rate of a crossing flow (E20: min(C, U / (p H)))
@pytest.mark.parametrize(
    ("case", "hosts", "port", "up", "share", "expected"),
    [
        ("E21", 16, 400, 3200, 1, 200),
        ("E22", 16, 400, 3200, 0.5, 400),
        ("E23", 16, 400, 3200, 0.75, 266.667),
        ("E24", 48, 200, 3200, 1, 66.667),
    ],
)
def test_oversubscribed_leaf(case: str, hosts: int, port: float, up: float, share: float, expected: float) -> None:
    crossing = round(share * hosts)
    leaf_of = {f"{leaf}{i}": leaf for leaf in "ab" for i in range(hosts)}
    net = Network(1, port, leaf_of, {leaf: (round(up / port), 1.0) for leaf in "ab"}, balanced=True)
    sends = [Send("j", f"a{i}", f"b{i}", 0) for i in range(crossing)] + [
        Send("in", f"a{i}", f"a{i - 1}", 0) for i in range(crossing, hosts)
    ]
    rate = (slowest_of(net, sends, "j") or 0) * port
    assert rate == pytest.approx(expected, rel=1e-5), case
    assert rate == pytest.approx(min(port, up / (share * hosts)), rel=EXACT)  # E20


def test_e25_one_of_eight_uplinks_down() -> None:
    jobs = {"j": tuple(f"{leaf}{i}" for i in range(8) for leaf in "ab")}
    shares = [job_shares(clos(jobs, leaves="ab", hosts=8, ports=1, uplinks=up, routing="adaptive"), ["j"])["j"] for up in (8, 7)]
    assert shares == pytest.approx([1.0, 0.875], rel=EXACT)


BY_LEAF = tuple(f"{leaf}{i}" for leaf in "abcd" for i in range(8))
ALTERNATING = tuple(f"{leaf}{i}" for i in range(8) for leaf in "abcd")


def test_e30_a_ring_by_leaf_leaves_each_leaf_once() -> None:
    assert crossing_edges(BY_LEAF, {host: host[0] for host in BY_LEAF}) == 4


def test_e31_a_ring_in_random_order() -> None:
    assert expected_crossings(32, 4) == pytest.approx(24.774, rel=1e-4)


@pytest.mark.parametrize(("case", "uplinks"), [("E32", 32), ("E32 at 8:1", 8)])
def test_e32_by_leaf_nothing_is_lost_at_two_or_eight_to_one(case: str, uplinks: int) -> None:
    site = clos({"j": BY_LEAF}, hosts=8, uplinks=uplinks, routing="adaptive")
    assert job_shares(site, ["j"]) == {"j": pytest.approx(1.0, rel=EXACT)}, case


def test_e33_the_same_leaf_and_job_in_bad_order() -> None:
    flows_up = expected_crossings(32, 4) / 4 * 8
    assert flows_up == pytest.approx(49.548, rel=1e-4)
    assert 32 / flows_up == pytest.approx(0.646, rel=1e-3)
    # The model on a ring with as many crossings as that on the mean: 24 or 25 of 32 edges, spread as evenly as they go.
    worst = job_shares(clos({"j": ALTERNATING}, hosts=8, uplinks=32, routing="adaptive"), ["j"])["j"]
    assert worst == pytest.approx(32 / 64)


def _four(order: str) -> dict[str, tuple[str, ...]]:
    if order == "packed":
        return {leaf: tuple(f"{leaf}{i}" for i in range(8)) for leaf in "abcd"}
    if order == "by leaf":
        return {str(k): tuple(f"{leaf}{2 * k + i}" for leaf in "abcd" for i in range(2)) for k in range(4)}
    return {str(k): tuple(f"{leaf}{2 * k + i}" for i in range(2) for leaf in "abcd") for k in range(4)}


@pytest.mark.parametrize(("case", "order", "rate"), [("E34", "packed", 1.0), ("E35", "by leaf", 1.0), ("E36", "alternating", 0.5)])
def test_four_jobs_of_eight_hosts(case: str, order: str, rate: float) -> None:
    jobs = _four(order)
    shares = job_shares(clos(jobs, hosts=8, uplinks=32, routing="adaptive"), list(jobs))
    assert shares == {job: pytest.approx(rate, rel=EXACT) for job in jobs}, case


def test_e35_hashed_is_the_case_of_as_many_flows_as_links() -> None:
    assert mean_rate(32, 32) == pytest.approx(0.637945, rel=1e-5)  # E43
    sends = [send for name, hosts in _four("by leaf").items() for send in ring(Job(name=name, hosts=hosts), 8)]
    net = Network(8, 400, {host: host[0] for host in BY_LEAF}, dict.fromkeys("abcd", (32, 1.0)), balanced=False, spines=None)
    crossing = [rate for send, rate in zip(sends, flow_rates(net, sends), strict=True) if send.host[0] != (send.to or " ")[0]]
    assert sum(crossing) / len(crossing) == pytest.approx(mean_rate(32, 32), rel=0.02)  # up and down again


def test_e37_a_rail_ring_inside_a_pod_crosses_nothing() -> None:
    pod = {"j": tuple(f"a{i}" for i in range(8))}  # the leaves of all rails of a pod are one group
    site = clos(pod, hosts=8, uplinks=1, routing="ecmp")
    assert site.jobs[0].crossing_share == 0
    assert job_shares(site, ["j"])["j"] == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("case", "n", "free", "rate", "most"),
    [
        ("E40", 4, 0.09375, 0.683594, 2.125),
        ("E41", 8, 0.00240325, 0.656391, 2.597233),
        ("E42", 16, 1.13423e-6, 0.643926, 3.078247),
        ("E43", 32, None, 0.637945, 3.532941),
    ],
)
def test_as_many_flows_as_links(case: str, n: int, free: float | None, rate: float, most: float) -> None:
    assert free is None or no_collision(n, n) == pytest.approx(free, rel=1e-5)
    assert mean_rate(n, n) == pytest.approx(rate, rel=1e-5), case
    assert mean_rate(n, n) == pytest.approx(1 - (1 - 1 / n) ** n, rel=1e-12)  # E44
    assert expected_busiest(n, n) == pytest.approx(most, rel=1e-6)


def test_e41_at_most_two_on_a_link() -> None:
    from advisor.traffic.hashing import busiest_at_most

    assert busiest_at_most(8, 8, 2) == pytest.approx(0.500779, rel=1e-5)


@pytest.mark.parametrize(
    ("case", "links", "speed", "mean", "slowest"),
    [("E45", 8, 2, 0.7472, 0.4978), ("E46", 4, 4, 0.8310, 0.6707), ("E47", 16, 1, 0.6439, 0.3447)],
)
def test_the_same_capacity_in_fewer_links(case: str, links: int, speed: float, mean: float, slowest: float) -> None:
    assert mean_rate(16, links, speed) == pytest.approx(mean, rel=0.01), case
    assert slowest_share(16, links, speed) == pytest.approx(slowest, rel=0.01), case


@pytest.mark.parametrize(
    ("case", "pieces", "slower", "effective"),
    [
        ("E50", 1, 2.597, 0.410),
        ("E51", 2, 2.101, 0.498),
        ("E52", 4, 1.761, 0.583),
        ("E53", 8, 1.528, 0.665),
        ("E54", 16, 1.370, 0.738),
        ("E55", 32, 1.259, 0.798),
    ],
)
def test_queue_pairs_that_are_hashed_apart(case: str, pieces: int, slower: float, effective: float) -> None:
    assert slowdown(8, 8, pieces) == pytest.approx(slower, rel=0.015), case
    assert slowest_share(8, 8, pieces=pieces) == pytest.approx(effective, rel=0.015), case


def test_e56_queue_pairs_that_the_hash_does_not_see_change_nothing() -> None:
    assert collisions(8, 8, queue_pairs=8, pairs_hashed=False) == collisions(8, 8)
    assert collisions(8, 8, queue_pairs=8).slowest > collisions(8, 8).slowest


# Every host sends to the same index in the next leaf; four leaves of eight hosts; hashed at the leaf.
@pytest.mark.parametrize(
    ("case", "spines", "speed", "mean", "slowest", "ideal"),
    [("E60", 8, 1, 0.656, 0.316, 1.0), ("E61", 4, 1, 0.450, 0.237, 0.5), ("E62", 4, 2, 0.768, 0.474, 1.0)],
)
def test_two_stages(case: str, spines: int, speed: float, mean: float, slowest: float, ideal: float) -> None:
    leaf_of = {f"{leaf}{i}": leaf for leaf in "abcd" for i in range(8)}
    sends = [Send("j", f"{a}{i}", f"{b}{i}", 0) for a, b in zip("abcd", "bcda", strict=True) for i in range(8)]
    hashed = Network(1, 400, leaf_of, dict.fromkeys("abcd", (spines, speed)), balanced=False, spines=spines)
    rates = flow_rates(hashed, sends)
    assert sum(rates) / len(rates) == pytest.approx(mean, rel=0.02), case
    assert slowest_of(hashed, sends, "j") == pytest.approx(slowest, rel=0.02), case
    balanced = Network(1, 400, leaf_of, dict.fromkeys("abcd", (spines, speed)), balanced=True)
    assert slowest_of(balanced, sends, "j") == pytest.approx(ideal, rel=EXACT), case


def test_e63_tuning_and_money_on_a_two_to_one_fabric() -> None:
    """The job fills the site, so no placement lowers its crossing share: what remains after balance is physical."""
    site = clos({"j": ALTERNATING}, hosts=8, ports=1, uplinks=4, spines=4)
    now = job_shares(site, ["j"])["j"]
    balanced = job_shares(changed(site, "balance"), ["j"])["j"]
    bought = job_shares(changed(site, "balance", "uplinks"), ["j"])["j"]
    assert now == pytest.approx(0.237, rel=0.02)
    assert (balanced, bought) == (pytest.approx(0.5), pytest.approx(1.0))
    assert balanced - now == pytest.approx(0.263, rel=0.02)


def test_e97_which_wire_carries_the_busbw() -> None:
    found = wire(377.34, ranks=32, hosts=4, nics=8, nic=50)
    assert found.hierarchy == pytest.approx(36.52, rel=1e-3)
    assert found.ring == pytest.approx(47.17, rel=1e-3)
    assert (found.hierarchy / 50, found.ring / 50) == (pytest.approx(0.73, abs=0.005), pytest.approx(0.94, abs=0.005))


def test_e98_a_tree_over_two_hosts_may_exceed_the_nics() -> None:
    assert wire(500, ranks=16, hosts=2, nics=8, nic=50).ceiling_tree == pytest.approx(750)
    assert ceiling("tree", 400, 2, ranks=16, inside=480) == 480


def test_e99_a_read_test_as_a_share_of_the_line() -> None:
    found = line(180, nics=2, gbps=200, measured_TiBps=6.6)
    assert found.line_TiBps == pytest.approx(8.185, rel=1e-3)
    assert found.share == pytest.approx(0.806, rel=1e-3)


@pytest.mark.skipif(not GOLDEN.is_file(), reason="the table is not here")
def test_every_row_is_held_by_a_test_or_named_in_the_design() -> None:
    rows: dict[str, list[dict[str, Any]]] = yaml.safe_load(GOLDEN.read_text(encoding="utf-8"))
    ids = {row["id"] for section in rows.values() for row in section}
    here = Path(__file__).parent
    told = "".join(path.read_text(encoding="utf-8") for path in (*here.glob("test_*.py"), here.parents[1] / "docs" / "design.md"))
    named = {f"E{n}" for n in re.findall(r"[eE](\d\d)\b", told.replace("_", " "))}
    for first, last in re.findall(r"E(\d\d)-E(\d\d)", told):
        named |= {f"E{n:02}" for n in range(int(first), int(last) + 1)}
    assert ids <= named
