"""Collectives: which one a statement asks for, and what each puts on ports and uplinks, counted by hand."""

from collections import Counter

import pytest

from advisor.fabric.model import Job
from advisor.traffic.collectives import ceiling, factor
from advisor.traffic.demand import Send
from advisor.traffic.network import Network, slowest_share
from advisor.traffic.patterns import (
    MOST_PARTNERS,
    all_to_all,
    bytes_per_host,
    collective_of,
    crosses_rails,
    expert_hosts,
    in_network,
    sends,
    tree,
    tree_edges,
)
from advisor.traffic.predict import predict
from tests.traffic.sites import clos


def _job(hosts: int, leaf: str = "a", **settings: object) -> Job:
    return Job(name="j", hosts=tuple(f"{leaf}{i}" for i in range(hosts)), settings={"settings": settings})


@pytest.mark.parametrize(
    ("settings", "pattern", "said_by"),
    [
        ({}, "ring", None),
        ({"NCCL_ALGO": "RING"}, "ring", "NCCL_ALGO"),
        ({"NCCL_ALGO": "Tree,Ring"}, "tree", "NCCL_ALGO"),
        ({"nccl_algo": "NVLSTree"}, "tree", "NCCL_ALGO"),
        ({"NCCL_ALGO": "allreduce:tree"}, "tree", "NCCL_ALGO"),
        ({"NCCL_ALGO": "^Tree"}, "ring", None),
        ({"NCCL_ALGO": "NVLS"}, "ring", None),  # says what happens inside a host
        ({"NCCL_ALGO": "CollnetDirect"}, "in-network", "NCCL_ALGO"),
        ({"NCCL_COLLNET_ENABLE": 1}, "in-network", "NCCL_COLLNET_ENABLE"),
        ({"NCCL_COLLNET_ENABLE": 0}, "ring", None),
        ({"collective": "all-to-all", "NCCL_ALGO": "Ring"}, "all-to-all", "collective"),
    ],
)
def test_which_collective(settings: dict[str, object], pattern: str, said_by: str | None) -> None:
    found = collective_of(_job(4, **settings))
    assert (found.pattern, found.said_by) == (pattern, said_by)


def test_experts_spread_over_hosts_send_all_to_all() -> None:
    experts = {"parallelism": {"expert": 32}}
    assert collective_of(Job(name="j", hosts=tuple("abcdefgh"), gpu_count=64, settings=experts)).pattern == "all-to-all"
    assert expert_hosts(Job(name="j", hosts=tuple("abcdefgh"), gpu_count=64, settings=experts)) == 4
    inside = {"parallelism": {"expert": 8}}
    assert collective_of(Job(name="j", hosts=tuple("abcd"), gpu_count=32, settings=inside)).pattern == "ring"


def _sent(flows: list[Send]) -> Counter[str | None]:
    found: Counter[str | None] = Counter()
    for send in flows:
        found[send.host] += send.demand
    return found


@pytest.mark.parametrize("hosts", [2, 3, 4, 5, 8, 13, 32])
def test_a_double_tree_has_no_host_with_more_than_two_children_and_loads_no_port_beyond_its_rate(hosts: int) -> None:
    edges = tree_edges(hosts)
    assert len(edges) == hosts - 1
    assert max(Counter(parent for _, parent in edges).values()) <= 2
    flows = list(tree(_job(hosts), 1))
    assert max(_sent(flows).values()) == pytest.approx(1.0)
    # Half of the data goes each way over every edge of both trees: 4 (n - 1) halves.
    assert len(flows) == 4 * (hosts - 1)


def test_two_hosts_by_tree_send_the_data_once_and_many_twice() -> None:
    assert (bytes_per_host("tree", 2), bytes_per_host("tree", 8)) == (1, 2)
    assert bytes_per_host("ring", 4, ranks=32) == pytest.approx(1.9375)
    assert ceiling("tree", 400, 2, 16) == pytest.approx(750)  # E98
    assert ceiling("ring", 400, 4, 32) == pytest.approx(400)
    assert ceiling("in-network", 400, 4, 32, inside=480) == 480


@pytest.mark.parametrize(
    ("collective", "n8", "n16", "n32"),
    [
        ("all_reduce", 1.75, 1.875, 1.9375),
        ("all_reduce_in_network", 0.777778, 0.882353, 0.939394),
        ("reduce_scatter", 0.875, 0.9375, 0.96875),
        ("all_gather", 0.875, 0.9375, 0.96875),
        ("broadcast", 1, 1, 1),
        ("reduce", 1, 1, 1),
        ("alltoall", 0.875, 0.9375, 0.96875),
    ],
)
def test_factors_of_nccl_tests(collective: str, n8: float, n16: float, n32: float) -> None:
    assert [factor(collective, n) for n in (8, 16, 32)] == pytest.approx([n8, n16, n32], abs=1e-6)


def _crossing(site_of: dict[str, str], flows: list[Send]) -> float:
    return sum(send.demand for send in flows if send.host and send.to and site_of[send.host] != site_of[send.to])


def test_all_to_all_crosses_by_how_many_partners_sit_elsewhere() -> None:
    job = Job(name="j", hosts=("a0", "a1", "b0", "b1"))
    flows = list(all_to_all(job, 1))
    assert max(_sent(flows).values()) == pytest.approx(1.0)
    assert _crossing({host: host[0] for host in job.hosts}, flows) == pytest.approx(4 * 2 / 3)  # two of three partners of four hosts
    # One uplink of a port's rate for a leaf: two hosts send 2/3 each across, so each gets 3/4.
    net = Network(1, 400, {host: host[0] for host in job.hosts}, {"a": (1, 1.0), "b": (1, 1.0)}, balanced=True)
    assert slowest_share(net, flows, "j") == pytest.approx(3 / 4)


def test_experts_keep_to_their_groups() -> None:
    flows = list(all_to_all(_job(8), 1, group=4))
    assert {(int(str(s.host)[1:]) // 4, int(str(s.to)[1:]) // 4) for s in flows} == {(0, 0), (1, 1)}


def test_many_partners_are_stood_for_by_some() -> None:
    flows = [send for send in all_to_all(_job(100), 1) if send.host == "a0"]
    assert len(flows) == len({send.to for send in flows}) == MOST_PARTNERS
    assert sum(send.demand for send in flows) == pytest.approx(1.0)


def test_reduction_inside_switches_sends_one_stream_of_a_leaf_whatever_its_hosts() -> None:
    hosts = tuple(f"{leaf}{i}" for leaf in "ab" for i in range(4))
    leaf_of = {host: host[0] for host in hosts}
    net = Network(1, 400, leaf_of, {"a": (1, 1.0), "b": (1, 1.0)}, balanced=True)
    alternating = Job(name="j", hosts=tuple(f"{leaf}{i}" for i in range(4) for leaf in "ab"))
    assert slowest_share(net, list(in_network(alternating, 1, leaf_of)), "j") == pytest.approx(1.0)
    assert slowest_share(net, sends(alternating, 1, leaf_of), "j") == pytest.approx(1 / 4)  # a ring of the same order
    inside = Job(name="j", hosts=("a0", "a1"))
    assert {(s.host, s.to) for s in in_network(inside, 1, leaf_of)} == {("a0", None), (None, "a0"), ("a1", None), (None, "a1")}


RAILS = {"a": ((1.0,),) * 4, "b": ((1.0,),) * 4}  # four rails, one uplink each


def test_rails_keep_a_ring_inside_a_pod_and_without_pxn_an_all_to_all_goes_up() -> None:
    leaf_of = {f"{leaf}{i}": leaf for leaf in "ab" for i in range(4)}
    net = Network(4, 400, leaf_of, {"a": (4, 1.0), "b": (4, 1.0)}, balanced=True, members=RAILS)
    ring_inside = sends(_job(4), 4, leaf_of)
    assert slowest_share(net, ring_inside, "j") == pytest.approx(1.0)
    aligned = _job(4, collective="all-to-all")
    assert slowest_share(net, sends(aligned, 4, leaf_of), "j") == pytest.approx(1.0)
    apart = _job(4, collective="all-to-all", NCCL_PXN_DISABLE=1)
    assert crosses_rails(apart)
    # Two of three partners are met on another rail: 4 hosts x 2/3 up one uplink of a rail.
    assert slowest_share(net, sends(apart, 4, leaf_of), "j") == pytest.approx(3 / 8)
    wandering = _job(4, NCCL_CROSS_NIC=1)
    assert slowest_share(net, sends(wandering, 4, leaf_of), "j") == pytest.approx(1 / 4)


def test_a_flow_keeps_to_the_uplinks_of_its_rail() -> None:
    leaf_of = {"a0": "a", "b0": "b"}
    members = {"a": ((1.0,), (0.5,)), "b": ((1.0,), (1.0,))}
    net = Network(2, 400, leaf_of, {"a": (2, 0.75), "b": (2, 1.0)}, balanced=True, members=members)
    assert slowest_share(net, [Send("j", "a0", "b0", 0)], "j") == pytest.approx(1.0)
    assert slowest_share(net, [Send("j", "a0", "b0", 1)], "j") == pytest.approx(0.5)


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({}, 400 * 0.92),  # many hosts, H100: 0.88 to 0.96 of the NICs
        ({"NCCL_ALGO": "Tree"}, 400 * (2 * 127 / 128) / 2),  # no band for a tree over many hosts: the formula, 128 ranks
        ({"collective": "all-to-all"}, 50 * 0.97),  # 0.96 to 0.98 of one NIC
        ({"NCCL_COLLNET_ENABLE": 1}, 400 * 2 * 127 / 128),
    ],
)
def test_the_model_of_a_site_uses_the_jobs_collective(settings: dict[str, object], expected: float) -> None:
    site = clos({"j": tuple(f"{leaf}{i}" for i in range(4) for leaf in "abcd")}, uplinks=16, routing="adaptive")
    job = site.jobs[0].model_copy(update={"settings": {"settings": settings}, "gpu_count": 128})
    (found,) = predict(site.model_copy(update={"jobs": (job,)})).jobs
    assert found.expected_gBps == pytest.approx(expected)
    assert found.collective.pattern == collective_of(job).pattern
    if found.collective.pattern == "in-network":
        assert found.share == pytest.approx(1.0)  # 8 streams up 16 links, where a ring sends 32
    if found.collective.pattern == "ring":
        assert found.share == pytest.approx(0.5)


def test_dgx_a100_with_collnet_is_bound_by_nvlink() -> None:
    site = clos({"j": ("a0", "a1", "b0", "b1")}, ports=8, uplinks=32, routing="adaptive")
    kind = site.host_kinds[0].model_copy(update={"gpu": "A100", "nic_rate_gbps": 200.0})
    job = site.jobs[0].model_copy(update={"settings": {"settings": {"NCCL_COLLNET_ENABLE": 1}}})
    found = predict(site.model_copy(update={"host_kinds": (kind,), "jobs": (job,)})).jobs[0].expected
    assert found is not None
    assert found.gBps == pytest.approx(220, rel=0.01)  # NCCL issue 320
    four = kind.model_copy(update={"nics_per_host": 4})
    found = predict(site.model_copy(update={"host_kinds": (four,), "jobs": (job,)})).jobs[0].expected
    assert found is not None
    assert found.gBps == pytest.approx(160)  # NCCL issue 652: about 80 GB/s of algbw, 160 of busbw
