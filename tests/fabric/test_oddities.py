"""Nonsense in: named with its place, and the rest goes on."""

from typing import Any

import pytest

from advisor.fabric.build import build
from advisor.fabric.model import Fabric, Host, Leaf
from advisor.fabric.oddities import oddities
from advisor.traffic.predict import predict
from tests.fabric.bundles import bundle, capture, site


def _switch(name: str, ports: dict[str, tuple[str, str, float]]) -> Any:
    """A switch whose ports each have a neighbour: port -> device, its port, rate."""
    facts = {
        port: {"state": "active", "rate_gbps": rate, "peer_device": far, "peer_port": there} for port, (far, there, rate) in ports.items()
    }
    return capture(f"{name}/lldp.txt", ("arista-eos", {"interfaces": facts}), host=name)


def _leaf(name: str, hosts: list[str], spine: str = "spine-1", rate: float = 400) -> Any:
    ports = {f"Ethernet{i}/1": (host, "enp1s0", 400.0) for i, host in enumerate(hosts, 1)}
    return _switch(name, ports | {"Ethernet60/1": (spine, f"Ethernet{name[-1]}/1", rate)})


def _kinds(fabric: Fabric) -> list[tuple[str, str]]:
    return [(oddity.kind, oddity.thing) for oddity in oddities(fabric)]


HOSTS = site(hosts=[{"nics_per_host": 1, "nic_rate_gbps": 400}], jobs=[{"name": "j", "between": ["gpu-1", "gpu-3"]}])


def test_a_sound_fabric_has_none() -> None:
    fabric = build(bundle(_leaf("leaf-1", ["gpu-1", "gpu-2"]), _leaf("leaf-2", ["gpu-3", "gpu-4"]), HOSTS))
    assert oddities(fabric) == ()
    assert predict(fabric).jobs[0].share == pytest.approx(1.0)
    assert oddities(Fabric()) == ()


def test_a_leaf_without_hosts_is_named_and_the_others_go_on() -> None:
    fabric = build(
        bundle(
            _leaf("leaf-1", ["gpu-1", "gpu-2"]),
            _leaf("leaf-2", ["gpu-3"]),
            _switch("leaf-9", {"Ethernet60/1": ("spine-1", "Ethernet9/1", 400.0)}),
            HOSTS,
        )
    )
    assert ("leaf-without-hosts", "leaf-9") in _kinds(fabric)
    assert predict(fabric).jobs[0].share is not None
    bare = fabric.model_copy(update={"leaves": (*fabric.leaves, Leaf(name="empty"))})
    assert ("leaf-without-hosts", "empty") in _kinds(bare)
    assert predict(bare).jobs[0].share is not None


def test_a_link_of_rate_zero() -> None:
    fabric = build(bundle(_leaf("leaf-1", ["gpu-1"], rate=0), _leaf("leaf-2", ["gpu-3"]), HOSTS))
    (zero,) = [oddity for oddity in oddities(fabric) if oddity.kind == "zero-rate"]
    assert "leaf-1 Ethernet60/1" in zero.thing
    assert zero.origin is not None
    assert zero.origin.name == "leaf-1/lldp.txt"
    assert predict(fabric).jobs[0].share == 0
    assert ("leaf-without-uplinks", "leaf-1") in _kinds(fabric)


def test_all_uplinks_down_is_no_capacity_and_not_an_unknown_one() -> None:
    facts = {"Ethernet1/1": {"state": "active", "rate_gbps": 400, "peer_device": "gpu-1", "peer_port": "enp1s0"}}
    facts["Ethernet60/1"] = {"state": "down", "rate_gbps": 400, "peer_device": "spine-1", "peer_port": "Ethernet1/1"}
    fabric = build(bundle(capture("leaf-1/x.txt", ("arista-eos", {"interfaces": facts}), host="leaf-1"), _leaf("leaf-2", ["gpu-3"]), HOSTS))
    assert [leaf.up_gbps for leaf in fabric.leaves] == [0, 400]
    assert ("leaf-without-uplinks", "leaf-1") in _kinds(fabric)
    assert predict(fabric).jobs[0].share == 0


def test_a_job_on_unknown_hosts() -> None:
    jobs = site(hosts=[{"nics_per_host": 1, "nic_rate_gbps": 400}], jobs=[{"name": "ghost", "between": ["gpu-1", "no-such"]}])
    fabric = build(bundle(_leaf("leaf-1", ["gpu-1"]), _leaf("leaf-2", ["gpu-3"]), jobs))
    (ghost,) = oddities(fabric)
    assert (ghost.kind, ghost.thing, ghost.detail) == ("job-on-unknown-hosts", "ghost", "no-such")
    assert ghost.origin is not None
    found = predict(fabric)
    assert [(job.job.name, job.share) for job in found.jobs] == [("ghost", None)]
    assert found.ladder is None


def test_parts_that_no_cable_joins() -> None:
    fabric = build(bundle(_leaf("leaf-1", ["gpu-1", "gpu-2"]), _leaf("leaf-2", ["gpu-3"], spine="spine-2"), HOSTS))
    assert ("parts-apart", "gpu-3") in _kinds(fabric)


def test_a_host_on_two_leaves_by_its_cables() -> None:
    first, second = ["gpu-1", "gpu-2", "gpu-5"], ["gpu-3", "gpu-4", "gpu-5"]
    fabric = build(bundle(_leaf("leaf-1", first), _leaf("leaf-2", second), HOSTS))
    assert _kinds(fabric) == [("host-on-two-leaves", "gpu-5")]


def test_hosts_that_all_hang_on_both_leaves_are_a_pair_and_no_oddity() -> None:
    hosts = ["gpu-1", "gpu-2", "gpu-3"]
    assert oddities(build(bundle(_leaf("leaf-1", hosts), _leaf("leaf-2", hosts), HOSTS))) == ()


def test_a_host_on_two_leaves_of_a_schedulers_topology_is_a_conflict() -> None:
    slurm = {
        "switches": {"s1": {"level": 0, "hosts": ["a", "b"]}, "s2": {"level": 0, "hosts": ["b", "c"]}},
        "hosts": {"a": {"leaf": "s1"}, "b": {"leaf": "s1"}, "c": {"leaf": "s2"}},
    }
    fabric = build(bundle(capture("topology.conf", ("slurm-topology", slurm))))
    (conflict,) = fabric.conflicts
    assert (conflict.thing, conflict.values, conflict.used) == ("b", ("s1", "s2"), "s1")
    assert ("host-on-two-leaves", "b") in _kinds(fabric)


def test_a_host_that_two_leaves_list() -> None:
    leaves = (Leaf(name="x", hosts=("a",), up_gbps=400), Leaf(name="y", hosts=("a", "b"), up_gbps=400))
    fabric = Fabric(hosts={"a": Host(name="a"), "b": Host(name="b")}, leaves=leaves)
    assert _kinds(fabric) == [("host-on-two-leaves", "a")]
