"""The slowest flow of a job on two tiers, against closed forms and published sampled values."""

from math import isclose

import pytest

from advisor.fabric.model import Fabric, Host, HostKind, Job, Leaf
from advisor.traffic.demand import Send, checkpoint, ring
from advisor.traffic.network import Network, network, slowest_share

LEAVES = "abcd"


def _net(uplinks: int, speed: float = 1.0, ports: int = 8, hosts: int = 8, balanced: bool = False) -> Network:
    leaf_of = {f"{leaf}{i}": leaf for leaf in LEAVES for i in range(hosts)}
    return Network(ports, 400.0, leaf_of, dict.fromkeys(LEAVES, (uplinks, speed)), balanced)


def _to_next_leaf() -> list[Send]:
    after = dict(zip(LEAVES, LEAVES[1:] + LEAVES[:1], strict=True))
    return [Send("job", f"{leaf}{i}", f"{after[leaf]}{i}", 0) for leaf in LEAVES for i in range(8)]


# Every host sends one flow to the next leaf; as many spines as uplinks; mean of the slowest flow over many draws.
@pytest.mark.parametrize(("uplinks", "speed", "slowest", "ideal"), [(8, 1, 0.316, 1.0), (4, 1, 0.237, 0.5), (4, 2, 0.474, 1.0)])
def test_two_stages_of_hashing(uplinks: int, speed: float, slowest: float, ideal: float) -> None:
    hashed = slowest_share(_net(uplinks, speed, ports=1), _to_next_leaf(), "job")
    assert hashed == pytest.approx(slowest, abs=0.02)
    assert slowest_share(_net(uplinks, speed, ports=1, balanced=True), _to_next_leaf(), "job") == pytest.approx(ideal)


def test_a_ring_by_leaf_loses_nothing_at_two_to_one() -> None:
    job = Job(name="job", hosts=tuple(f"{leaf}{i}" for leaf in LEAVES for i in range(8)))
    net = _net(32, balanced=True)  # 64 ports down, 32 uplinks
    assert slowest_share(net, list(ring(job, 8)), "job") == 1.0
    assert slowest_share(_net(8, balanced=True), list(ring(job, 8)), "job") == 1.0  # nor at 8:1: 8 flows leave a leaf


def test_the_same_ring_alternating_leaves_halves() -> None:
    job = Job(name="job", hosts=tuple(f"{leaf}{i}" for i in range(8) for leaf in LEAVES))
    assert slowest_share(_net(32, balanced=True), list(ring(job, 8)), "job") == pytest.approx(0.5)


def test_four_small_jobs_packed_or_spread() -> None:
    packed = [Job(name=leaf, hosts=tuple(f"{leaf}{i}" for i in range(8))) for leaf in LEAVES]
    spread = [Job(name=str(k), hosts=tuple(f"{leaf}{2 * k + i}" for leaf in LEAVES for i in range(2))) for k in range(4)]
    net = _net(32, balanced=True)
    for jobs in (packed, spread):
        sends = [send for job in jobs for send in ring(job, 8)]
        assert slowest_share(net, sends, jobs[0].name) == 1.0
    hashed = _net(32)
    assert slowest_share(hashed, [send for job in packed for send in ring(job, 8)], "a") == 1.0  # nothing leaves a leaf
    spread_hashed = slowest_share(hashed, [send for job in spread for send in ring(job, 8)], "0")
    assert spread_hashed is not None
    assert spread_hashed < 0.45


def test_pieces_even_out_what_a_hash_does() -> None:
    net = _net(8, ports=1)
    whole = slowest_share(net, _to_next_leaf(), "job")
    cut = slowest_share(net, [Send("job", s.host, s.to, 0, pieces=16) for s in _to_next_leaf()], "job")
    assert whole is not None
    assert cut is not None
    assert whole + 0.1 < cut < 1.0


def test_an_uplink_that_is_down() -> None:
    assert slowest_share(_net(7, ports=1, balanced=True), _to_next_leaf(), "job") == pytest.approx(0.875)


def test_checkpoints_take_from_the_uplinks() -> None:
    job = Job(name="job", hosts=("a0", "b0"))
    net = _net(8, balanced=True)
    sends = [*ring(job, 8), *checkpoint(job, 8, share=0.25)]
    assert slowest_share(net, sends, "job") == pytest.approx(0.75)


def test_the_same_every_time() -> None:
    assert slowest_share(_net(4, ports=1), _to_next_leaf(), "job") == slowest_share(_net(4, ports=1), _to_next_leaf(), "job")


def test_a_fabric_becomes_a_network_only_where_leaves_and_uplinks_are_known() -> None:
    leaf = Leaf(name="a", hosts=("a0", "a1"), down_gbps=6400, up_gbps=3200, uplinks=8, uplink_gbps=400)
    kind = HostKind(nics_per_host=8, nic_rate_gbps=400)
    net = network(Fabric(hosts={"a0": Host(name="a0")}, leaves=(leaf,), host_kinds=(kind,)))
    assert net is not None
    assert (net.ports, net.uplinks) == (8, {"a": (8, 1.0)})
    assert network(Fabric(leaves=(leaf,))) is None
    apart = (Leaf(name="a", hosts=("a0",)), Leaf(name="b", hosts=("b0",)))
    crossing = Job(name="j", hosts=("a0", "b0"))
    assert network(Fabric(leaves=apart, host_kinds=(kind,), jobs=(crossing,))) is None  # what leads up matters, and nobody says


def test_a_job_that_sends_nothing() -> None:
    assert slowest_share(_net(8), [], "job") is None
    assert isclose(slowest_share(_net(8), list(ring(Job(name="j", hosts=("a0", "a1")), 8)), "j") or 0, 1.0)
