"""How jobs meet: phases, three tiers, uplinks of different rates, polarisation, and what storage and inference send."""

import pytest

from advisor.fabric.model import Convergence, End, Fabric, HostKind, Job, Leaf, Link, Pod, Storage
from advisor.traffic.changes import changed
from advisor.traffic.demand import Send
from advisor.traffic.hashing import slowest_share as by_formula
from advisor.traffic.ladder import ladder
from advisor.traffic.network import Network, slowest_share, slowest_shares
from advisor.traffic.predict import predict
from advisor.traffic.rates import job_shares
from advisor.traffic.steps import aligned, at_random, interleaved
from advisor.traffic.topology import network
from tests.traffic.sites import clos

ONE_LINK = Network(1, 400, {"a0": "a", "a1": "a", "b0": "b", "b1": "b"}, {"a": (1, 1.0), "b": (1, 1.0)}, balanced=True)
TWO_JOBS = [Send("x", "a0", "b0", 0), Send("y", "a1", "b1", 0)]


@pytest.mark.parametrize(("share", "together", "in_turn"), [(0.4, 1.4, 1.0), (0.5, 1.5, 1.0), (0.6, 1.6, 1.2)])  # E70 to E72
def test_flows_of_two_jobs_on_one_link_give_the_closed_forms(share: float, together: float, in_turn: float) -> None:
    duties = {"x": share, "y": share}
    step = {
        phases: 1 - share + share / slowest_shares(ONE_LINK, TWO_JOBS, duties, phases)["x"] for phases in ("aligned", "shifted", "random")
    }
    assert step["aligned"] == pytest.approx(together, rel=1e-9) == aligned(share)
    assert step["shifted"] == pytest.approx(in_turn, rel=0.02) == pytest.approx(interleaved(share), rel=0.02)
    assert step["random"] == pytest.approx(at_random(share), rel=1e-3)
    assert step["shifted"] <= step["random"] <= step["aligned"]


def test_random_phases_solve_their_own_equation() -> None:
    step = at_random(0.5)
    rate = 0.5 / (step - 0.5)
    sending = (0.5 / rate) / step
    assert rate == pytest.approx(1 - sending / 2)


def test_a_job_beside_a_steady_load_gets_what_that_leaves() -> None:
    found = slowest_shares(ONE_LINK, TWO_JOBS, {"x": 0.3, "y": 0.4}, "steady")
    assert found == {"x": pytest.approx(0.6), "y": pytest.approx(0.7)}


def test_a_job_that_stands_back_takes_what_others_leave() -> None:
    assert slowest_shares(ONE_LINK, TWO_JOBS, {"y": 0.0}) == {"x": pytest.approx(1.0), "y": pytest.approx(0.0)}


def test_shifting_phases_is_a_change_of_a_site() -> None:
    jobs = {"x": ("a0", "b0"), "y": ("a1", "b1")}
    site = clos(jobs, leaves="ab", ports=1, uplinks=1, routing="adaptive")
    half = site.model_copy(update={"jobs": tuple(job.model_copy(update={"communication_share": 0.5}) for job in site.jobs)})
    assert job_shares(half) == {"x": pytest.approx(0.7071, rel=1e-3), "y": pytest.approx(0.7071, rel=1e-3)}
    assert job_shares(changed(half, "phases")) == {"x": pytest.approx(1.0), "y": pytest.approx(1.0)}
    assert job_shares(half.model_copy(update={"phases": "aligned"})) == {"x": pytest.approx(0.5), "y": pytest.approx(0.5)}


def _pods(core_links: int, **more: object) -> Fabric:
    """Two pods of two leaves with two hosts of one port, two spines each; each leaf 2 uplinks, each pod so many links to the core."""
    names = {leaf: (f"{leaf}0", f"{leaf}1") for leaf in "abcd"}
    leaves = tuple(
        Leaf(name=leaf, hosts=hosts, down_gbps=800, up_gbps=800, ratio=1, uplinks=2, uplink_gbps=400, pod="p" if leaf in "ab" else "q")
        for leaf, hosts in names.items()
    )
    spines = tuple(Convergence(name=f"s{i}", uplinks=core_links // 2) for i in range(2))
    pods = tuple(
        Pod(name=pod, leaves=of, down_gbps=1600, up_gbps=core_links * 400, uplinks=core_links, spines=spines)
        for pod, of in (("p", ("a", "b")), ("q", ("c", "d")))
    )
    jobs = (Job(name="near", hosts=("a0", "b0")), Job(name="far", hosts=("a1", "c1", "b1", "d1")))
    kinds = (HostKind(nics_per_host=1, nic_rate_gbps=400),)
    return Fabric.model_validate({"leaves": leaves, "pods": pods, "jobs": jobs, "host_kinds": kinds, "routing": "adaptive", **more})


def test_three_tiers_bind_where_pods_meet() -> None:
    # far: a1-c1-b1-d1, all four edges between pods: two flows up from each pod.
    assert job_shares(_pods(2)) == {"near": pytest.approx(1.0), "far": pytest.approx(1.0)}
    tight = _pods(1)
    assert job_shares(tight) == {"near": pytest.approx(1.0), "far": pytest.approx(0.5)}
    assert job_shares(changed(tight, "uplinks"))["far"] == pytest.approx(1.0)
    loads = {(load.source, load.target): load for load in predict(tight).links}
    assert loads["p", "core"].load_gbps == pytest.approx(400)
    assert loads["p", "core"].utilisation == pytest.approx(1.0)
    assert loads["a", "spines"].capacity_gbps == 800


def test_hashed_three_tiers_lose_more_than_two() -> None:
    far = [Job(name="j", hosts=("a0", "c0", "a1", "c1", "b0", "d0", "b1", "d1"))]
    wide = _pods(4, routing="ecmp").model_copy(update={"jobs": tuple(far)})
    two = wide.model_copy(update={"pods": ()})
    assert job_shares(wide)["j"] < job_shares(two)["j"]


def test_the_same_hash_on_all_tiers_uses_few_links() -> None:
    # 4 spines with 4 parallel links to each leaf. A leaf's hash h sends a flow to uplink h mod 16; a spine that hashes alike takes
    # link h mod 4 down, so of its 4 links the one that goes with the spine is always taken.
    leaf_of = {f"{leaf}{i}": leaf for leaf in "ab" for i in range(16)}
    sends = [Send("j", f"a{i}", f"b{i}", 0) for i in range(16)]
    uplinks = {"a": (4, 4.0), "b": (16, 1.0)}
    apart = Network(1, 400, leaf_of, uplinks, balanced=False, spines=4)
    alike = Network(1, 400, leaf_of, uplinks, balanced=False, spines=4, same_seed=True)
    differs, polarised = slowest_share(apart, sends, "j") or 0, slowest_share(alike, sends, "j") or 0
    assert polarised < differs * 0.75
    # Four links of the sixteen carry all 16 flows: as 16 flows on 4 links of a port's rate.
    assert polarised == pytest.approx(by_formula(16, 4), rel=0.03)


def test_stated_seeds_reach_the_network_and_a_change_parts_them() -> None:
    site = clos({"j": ("a0", "b0")}, hash_seeds="same", routing="ecmp")
    found, after = network(site), network(changed(site, "seeds"))
    assert found is not None
    assert after is not None
    assert (found.same_seed, after.same_seed) == (True, False)


@pytest.mark.parametrize("routing", ["static", "pinned"])
def test_a_table_of_destinations_takes_one_path_for_all_queue_pairs(routing: str) -> None:
    found = network(clos({"j": ("a0", "b0")}, routing=routing))
    assert found is not None
    assert not found.sees_pairs


def _mixed(routing: str) -> Fabric:
    """A leaf with an uplink of 800 and one of 200, one host port of 400 each for two crossing flows."""
    links = tuple(
        Link(a=End(device=leaf), b=End(device="s"), rate_gbps=rate, state="active", tier="leaf-uplink")
        for leaf in "ab"
        for rate in (800.0, 200.0)
    )
    leaves = tuple(Leaf(name=leaf, hosts=(f"{leaf}0",), down_gbps=400, up_gbps=1000, uplinks=2) for leaf in "ab")
    kinds = (HostKind(nics_per_host=1, nic_rate_gbps=400),)
    return Fabric(leaves=leaves, links=links, host_kinds=kinds, routing=routing, jobs=(Job(name="j", hosts=("a0", "b0")),))


def test_uplinks_of_different_rates() -> None:
    net = network(_mixed("ecmp"))
    assert net is not None
    assert net.members["a"] == ((2.0, 0.5),)
    assert job_shares(_mixed("adaptive"))["j"] == pytest.approx(1.0)
    # Both flows of the ring must miss the slow link, up and, at the same index, down: a quarter of the time all is well.
    assert job_shares(_mixed("ecmp"))["j"] == pytest.approx(1 / 4 * 1 + 3 / 4 * 0.5, abs=0.03)


def test_a_site_of_one_leaf_needs_no_uplinks() -> None:
    leaf = Leaf(name="a", hosts=("a0", "a1", "a2"), down_gbps=9600)
    site = Fabric(
        leaves=(leaf,), host_kinds=(HostKind(nics_per_host=8, nic_rate_gbps=400),), jobs=(Job(name="j", hosts=("a0", "a1", "a2")),)
    )
    found = ladder(site)
    assert found is not None
    assert (found.R_now, found.R_ideal, found.physical_part) == (1, 1, 0)
    written = site.model_copy(update={"storage": Storage(plane="shared", read_gBps=100.0, read_during_steps=True)})
    assert job_shares(written)["j"] < 1  # reads come in by the same ports


def test_reads_of_the_data_set_take_from_the_links_down() -> None:
    site = clos({"j": ("a0", "b0")}, leaves="ab", hosts=1, ports=1, uplinks=1, routing="adaptive")
    assert job_shares(site)["j"] == pytest.approx(1.0)
    storage = Storage(plane="shared", read_gBps=25.0, read_during_steps=True)  # 12.5 GB/s to each of two hosts: a quarter of a port
    busy = site.model_copy(update={"storage": storage})
    assert job_shares(busy)["j"] == pytest.approx(0.75)
    assert job_shares(changed(busy, "storage"))["j"] == pytest.approx(1.0)
    found = ladder(busy)
    assert found is not None
    assert found.shares["storage"] == pytest.approx(0.25)
    idle = storage.model_copy(update={"read_during_steps": None})
    assert job_shares(site.model_copy(update={"storage": idle}))["j"] == pytest.approx(1.0)  # nobody says that it reads meanwhile
    assert {load.load_gbps for load in predict(busy).links if load.kind == "leaf"} == {300.0, 400.0}


def _inference(**settings: object) -> Fabric:
    site = clos({"kv": ("a0", "a1", "b0")}, leaves="ab", hosts=2, ports=1, uplinks=1, routing="adaptive")
    job = site.jobs[0].model_copy(update={"kind": "inference", "settings": {"settings": settings}})
    return site.model_copy(update={"jobs": (job,)})


def test_the_kv_cache_goes_from_prefill_to_decode() -> None:
    found = predict(_inference(prefill_hosts=2)).jobs[0]
    assert (found.collective.pattern, found.collective.said_by) == ("kv-cache", "prefill_hosts")
    assert found.share == pytest.approx(0.5)  # two hosts send to one: its port and the uplink hold one of them
    stated = predict(_inference(prefill_hosts=2, kv_gBps=20)).jobs[0]
    assert (stated.share, stated.rate_gBps) == (pytest.approx(1.0), pytest.approx(20.0))
    assert predict(_inference()).jobs[0].collective.pattern == "ring"  # nobody says which hosts do what
    assert predict(_inference(prefill_hosts=3)).jobs[0].share is not None


def test_loading_a_model_takes_from_what_runs_there() -> None:
    site = _inference(prefill_hosts=1, kv_gBps=50, model_load_gBps=75)  # 25 GB/s to each host, half of a port
    both = site.model_copy(update={"storage": Storage(plane="shared")})
    loads = {(load.source, load.target): load.load_gbps for load in predict(both).links}
    assert loads["b", "b0"] == pytest.approx(400)  # 200 of the model, 200 of the cache
    apart = site.model_copy(update={"storage": Storage(plane="separate")})
    assert {(load.source, load.target): load.load_gbps for load in predict(apart).links}["b", "b0"] == pytest.approx(200)


def test_every_job_has_a_rate_however_many_there_are() -> None:
    jobs = {f"j{i}": (f"a{2 * i}", f"a{2 * i + 1}") for i in range(100)}
    site = clos(jobs, leaves="ab", hosts=200, ports=1, uplinks=4, routing="adaptive")
    assert all(job.share == pytest.approx(1.0) for job in predict(site).jobs)
    found = ladder(site)
    assert found is not None
    assert len(found.jobs) == 100
