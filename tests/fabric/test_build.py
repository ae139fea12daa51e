"""What a person would draw of a cluster after reading the same captures."""

import pytest

from advisor.evidence.bundle import Bundle, Capture
from advisor.fabric.build import build

from .bundles import bundle, capture, site

NCCL = {
    "collective": "all_reduce",
    "rank_count": 16,
    "host_count": 2,
    "avg_busbw_gBps": 120.5,
    "sizes": {
        "1048576": {"out_of_place": {"busbw_gBps": 20.0}},
        "8589934592": {"out_of_place": {"busbw_gBps": 361.2, "algbw_gBps": 192.6}, "in_place": {"busbw_gBps": 362.0}},
    },
}


def test_an_empty_bundle_is_an_empty_fabric() -> None:
    fabric = build(Bundle())
    assert fabric.hosts == {}
    assert fabric.leaves == ()
    assert fabric.technology is None


def test_a_stated_run_takes_its_figures_from_the_file_that_it_names() -> None:
    fabric = build(
        bundle(
            site(runs=[{"label": "near", "what": "all_reduce", "file": "near.txt", "between": ["a1", "a2"], "load": "quiet"}]),
            capture("runs/near.txt", ("nccl-tests", NCCL)),
            capture("runs/other.txt", ("nccl-tests", NCCL), role="busy"),
        )
    )
    near, other = fabric.runs
    assert (near.label, near.hosts, near.load, near.ranks) == ("near", ("a1", "a2"), "quiet", 16)
    assert near.figure("busbw_gBps") == 361.2  # the largest message, out of place
    assert near.size_bytes == 8589934592
    assert near.tool == "nccl-tests"
    assert str(near.origin) == "runs/near.txt:1"
    assert (other.label, other.load, other.host_count) == ("runs/other.txt", "busy", 2)


def test_a_stated_figure_that_contradicts_its_capture_is_a_conflict() -> None:
    fabric = build(bundle(site(runs=[{"label": "near", "file": "near.txt", "busbw_gBps": 300}]), capture("near.txt", ("nccl-tests", NCCL))))
    assert fabric.runs[0].figure("busbw_gBps") == 361.2
    (conflict,) = fabric.conflicts
    assert (conflict.figure, conflict.values, conflict.used) == ("busbw_gBps", ("361.2", "300.0"), "361.2")


def test_repeats_stay_a_series_and_further_keys_stay_as_stated() -> None:
    run = {"label": "far", "busbw_gBps": [201, 264, 188], "relative": 0.5, "compared_with": "near", "queue_pairs": 4}
    (far,) = build(bundle(site(runs=[run]))).runs
    assert far.figures == {"busbw_gBps": (201.0, 264.0, 188.0), "relative": (0.5,)}
    assert far.figure("busbw_gBps") == 201.0
    assert far.settings == {"compared_with": "near", "queue_pairs": 4}


def test_a_point_to_point_run_is_named_by_its_program() -> None:
    facts = {"test": "write_bw", "bidirectional": False, "qp_count": 4, "sizes": {"65536": {"avg_gbps": 392.1, "peak_gbps": 393.0}}}
    (run,) = build(bundle(capture("same-leaf-quiet.txt", ("perftest", facts), host="a1", role="quiet"))).runs
    assert (run.what, run.hosts, run.placement, run.load) == ("ib_write_bw", ("a1",), "same-leaf", "quiet")
    assert run.figure("rate_gbps") == 392.1
    assert run.settings["queue_pairs"] == 4


def test_one_port_by_several_names_is_one_port() -> None:
    fabric = build(
        bundle(
            capture("a1/ibdev2netdev.txt", ("ibdev2netdev", {"ports": {"mlx5_0/1": {"netdev": "ens1np0"}}}), host="a1"),
            capture("a1/ibstat.txt", ("ibstat", {"ports": {"mlx5_0/1": {"state": "active", "rate_gbps": 400}}}), host="a1"),
            capture("a1/qos.txt", ("mlnx_qos", {"interfaces": {"ens1np0": {"trust": "dscp", "pfc_priorities": [3]}}}), host="a1"),
            capture("a1/i.txt", ("ethtool-i", {"interfaces": {"ens1np0": {"pci_address": "0000:18:00.0"}}}), host="a1"),
            capture("a1/lspci.txt", ("lspci", {"devices": {"0000:18:00.0": {"pcie_gen": 5, "pcie_width": 16}}}), host="a1"),
            capture("a1/link.txt", ("mlxlink", {"ports": {"mlx5_0": {"raw_ber": 1e-9, "rate_gbps": 400}}}), host="a1"),
        )
    )
    assert list(fabric.hosts["a1"].ports) == ["mlx5_0/1"]
    port = fabric.hosts["a1"].ports["mlx5_0/1"]
    assert (port.netdev, port.rate_gbps, port.trust, port.pfc_priorities, port.pcie_gen) == ("ens1np0", 400, "dscp", (3,), 5)
    assert port.counters["raw_ber"] == 1e-9
    assert str(port.origin("rate_gbps")) == "a1/ibstat.txt:1"
    assert fabric.conflicts == ()


def test_two_tools_that_contradict_leave_a_conflict() -> None:
    fabric = build(
        bundle(
            capture("a1/ibstat.txt", ("ibstat", {"ports": {"mlx5_0/1": {"rate_gbps": 400}}}), host="a1"),
            capture("a1/mlxlink.txt", ("mlxlink", {"ports": {"mlx5_0/1": {"rate_gbps": 200}}}), host="a1"),
        )
    )
    (conflict,) = fabric.conflicts
    assert (conflict.thing, conflict.figure, conflict.values, conflict.used) == (
        "a1 port mlx5_0/1",
        "rate_gbps",
        ("400.0", "200.0"),
        "400.0",
    )
    assert fabric.hosts["a1"].ports["mlx5_0/1"].rate_gbps == 400


def test_the_same_tool_later_tells_a_change() -> None:
    fabric = build(
        bundle(
            capture("1.txt", ("ibstat", {"ports": {"mlx5_0/1": {"rate_gbps": 200}}}), host="a1", role="before"),
            capture("2.txt", ("ibstat", {"ports": {"mlx5_0/1": {"rate_gbps": 400}}}), host="a1", role="after"),
        )
    )
    assert fabric.conflicts == ()
    assert fabric.hosts["a1"].ports["mlx5_0/1"].rate_gbps == 400


def test_a_host_that_nobody_names_has_its_captures_name() -> None:
    fabric = build(bundle(capture("ibstat.txt", ("ibstat", {"ports": {"mlx5_0/1": {"state": "active"}}}))))
    (host,) = fabric.hosts.values()
    assert (host.name, host.named) == ("ibstat.txt", False)


def test_gpus_and_their_counts() -> None:
    topo = {"gpu_count": 8, "gpus": {"GPU0": {"numa_node": 0, "nics": {"mlx5_0": "SYS", "mlx5_1": "NODE"}, "best_nics": ["mlx5_1"]}}}
    gpus = {"nvidia.com/gpu": {"capacity": 8, "requested": 6}, "nvidia.com/gpu.shared": {"capacity": 80}}
    fabric = build(
        bundle(
            capture("a1/topo.txt", ("nvidia-smi-topo", topo), host="a1"),
            capture("k8s.txt", ("kubectl-describe-node", {"hosts": {"a1": {"resources": gpus}}})),
        )
    )
    host = fabric.hosts["a1"]
    assert (host.gpu_count, host.gpu_allocated) == (8, 6)
    assert host.gpus["GPU0"].best_nics == ("mlx5_1",)
    assert fabric.scheduler == "kubernetes"


SLURM = {
    "kind": "tree",
    "switches": {"leaf1": {"level": 0, "hosts": ["a1", "a2"]}, "leaf2": {"level": 0, "hosts": ["b1", "b2"]}, "top": {"level": 1}},
    "hosts": {"a1": {"leaf": "leaf1"}, "a2": {"leaf": "leaf1"}, "b1": {"leaf": "leaf2"}, "b2": {"leaf": "leaf2"}},
}


def test_a_job_is_placed_by_the_schedulers_topology() -> None:
    jobs = {"jobs": {"7": {"state": "running", "hosts": ["a1", "b1"], "gpu_count": 16}, "6": {"state": "completed", "hosts": ["a2"]}}}
    fabric = build(bundle(capture("topology.conf", ("slurm-topology", SLURM)), capture("jobs.txt", ("slurm-job", jobs))))
    (job,) = fabric.jobs
    assert (job.leaves, job.leaves_needed, job.placement) == (2, 1, "cross-leaf")
    assert (job.crossing_share, job.crossing_share_best) == (1.0, 0.0)
    assert fabric.hosts["b2"].leaf == "leaf2"
    assert fabric.switches["top"].tier == "spine"
    assert [leaf.ratio for leaf in fabric.leaves] == [None, None]  # nobody told what leads up


def test_the_stated_design_gives_each_leaf_its_ratio() -> None:
    fabric = build(
        bundle(
            site(hosts=[{"nics_per_host": 8, "nic_rate_gbps": 400}], fabric={"uplinks_per_leaf": 8, "uplink_rate_gbps": 400}),
            capture("topology.conf", ("slurm-topology", SLURM)),
        )
    )
    for leaf in fabric.leaves:
        assert (leaf.down_gbps, leaf.up_gbps, leaf.ratio) == (6400, 3200, 2)


def test_a_design_without_names_stands_for_every_leaf() -> None:
    (leaf,) = build(bundle(site(fabric={"ratio": 3}))).leaves
    assert (leaf.name, leaf.ratio, leaf.down_gbps) == ("*", 3, None)


def _switch(up: dict[str, tuple[str, str]], down: dict[str, str], failed: str) -> dict[str, object]:
    ports: dict[str, object] = {}
    for port, (peer, state) in up.items():
        ports[port] = {"peer_device": peer, "peer_port": port, "state": state, "rate_gbps": 400}
    for port, peer in down.items():
        ports[port] = {"peer_device": peer, "peer_port": 1, "state": "active", "rate_gbps": 400}
    return {"ports": ports}


def test_cables_of_a_fabric_file_make_leaves_and_uplinks() -> None:
    facts = {
        "switches": {
            "L1": _switch({"31": ("S1", "active"), "32": ("S1", "down")}, {"1": "a1 HCA-1", "2": "a2 HCA-1"}, ""),
            "L2": _switch({"33": ("S1", "active"), "34": ("S1", "active")}, {"1": "b1 HCA-1", "2": "b2 HCA-1"}, ""),
            "S1": {"ports": {"31": {"peer_device": "L1", "peer_port": 31, "state": "active", "rate_gbps": 400}}},
        },
        "cas": {"a1 HCA-1": {"ports": {"1": {"peer_device": "L1", "peer_port": 1}}}},
    }
    fabric = build(bundle(capture("fabric.txt", ("iblinkinfo", facts))))
    assert {name: switch.tier for name, switch in fabric.switches.items()} == {"L1": "leaf", "L2": "leaf", "S1": "spine"}
    first, second = fabric.leaves
    assert (first.hosts, first.down_gbps, first.up_gbps, first.ratio, first.uplinks, first.uplinks_down) == (
        ("a1", "a2"),
        800,
        400,
        2,
        1,
        1,
    )
    assert (second.ratio, second.uplink_gbps) == (1, 400)
    assert len(fabric.links) == 8  # the cable that both its ends list is one
    assert fabric.hosts["a1"].leaf == "L1"


def test_leaves_of_rails_are_one_group() -> None:
    ports = {"1": {"peer_device": "a1 mlx5_0", "peer_port": 1}, "2": {"peer_device": "a2 mlx5_0", "peer_port": 1}}
    fabric = build(bundle(capture("fabric.txt", ("ibnetdiscover", {"switches": {"R1": {"ports": ports}, "R2": {"ports": ports}}}))))
    assert fabric.hosts["a1"].leaf == fabric.hosts["a2"].leaf == "R1..R2"


def test_a_scheduler_that_groups_hosts_otherwise_than_the_cables_is_a_conflict() -> None:
    cables = {"switches": {"L1": {"ports": {"1": {"peer_device": "a1 HCA-1"}}}, "L2": {"ports": {"1": {"peer_device": "a2 HCA-1"}}}}}
    fabric = build(bundle(capture("fabric.txt", ("iblinkinfo", cables)), capture("topology.conf", ("slurm-topology", SLURM))))
    assert [(c.thing, c.figure, c.used) for c in fabric.conflicts] == [("leaf1", "hosts", "L1 L2")]


def test_neighbours_that_an_ethernet_switch_names() -> None:
    leaf = {
        "interfaces": {
            "Ethernet0": {"state": "active", "rate_gbps": 400, "peer_device": "a1", "peer_port": "ens1np0"},
            "Ethernet256": {
                "state": "active",
                "rate_gbps": 400,
                "tx_gbps": 300,
                "rx_gbps": 200,
                "peer_device": "spine-1",
                "peer_port": "Ethernet8",
            },
            "Ethernet264": {
                "state": "active",
                "rate_gbps": 400,
                "tx_gbps": 100,
                "rx_gbps": 50,
                "peer_device": "spine-2",
                "peer_port": "Ethernet8",
            },
        }
    }
    fabric = build(bundle(capture("leaf-1/show.txt", ("sonic", leaf), host="leaf-1")))
    assert "leaf-1" not in fabric.hosts
    assert fabric.switches["spine-1"].tier == "spine"
    assert fabric.leaves[0].ratio == pytest.approx(0.5)
    assert [link.utilisation for link in fabric.links if link.tier == "leaf-uplink"] == [0.75, 0.25]


def test_long_and_short_names_are_one_host() -> None:
    fabric = build(
        bundle(
            capture("1.txt", ("ibstat", {"ports": {"mlx5_0/1": {"rate_gbps": 400}}}), host="a1.dc.example"),
            capture("2.txt", ("slurm-node", {"hosts": {"a1": {"gpu_count": 8}}})),
        )
    )
    assert list(fabric.hosts) == ["a1"]


def test_two_takes_of_a_switchs_byte_counters_load_its_links() -> None:
    def take(name: str, tx: int, time: str) -> Capture:
        port = {"rate_gbps": 400, "tx_bytes": tx, "rx_bytes": 5, "peer_device": "spine-1", "peer_port": "Ethernet8"}
        return capture(name, ("sonic", {"interfaces": {"Ethernet256": port}}), host="leaf-1", time=time)

    fabric = build(bundle(take("a", 0, "2026-09-14T10:00:00"), take("b", 250_000_000_000, "2026-09-14T10:00:10")))
    (link,) = fabric.links
    assert (link.load_gbps, link.utilisation) == (pytest.approx(200), pytest.approx(0.5))


def test_a_fabric_tools_default_text_is_no_host() -> None:
    ports = {
        "41": {"peer_device": "Mellanox Technologies Aggregation Node", "peer_port": 1},
        "1": {"peer_device": "a1 HCA-1", "peer_port": 1},
    }
    fabric = build(bundle(capture("fabric.txt", ("iblinkinfo", {"switches": {"L1": {"ports": ports}}}))))
    assert list(fabric.hosts) == ["a1"]
    assert len(fabric.links) == 2


def test_workers_of_a_training_operator_are_a_job() -> None:
    pods = {
        "team/llama-worker-0": {"host": "a1", "status": "Running"},
        "team/llama-worker-1": {"host": "b1", "status": "Running"},
        "team/llama-worker-10": {"host": "a2", "status": "Running"},
        "team/llama-worker-11": {"host": "b2", "status": "Pending"},
        "monitoring/prometheus-0": {"host": "a1", "status": "Running"},
        "monitoring/prometheus-1": {"host": "b1", "status": "Running"},
    }
    (job,) = build(bundle(capture("pods.txt", ("kubectl-get", {"pods": pods})))).jobs
    assert (job.name, job.hosts) == ("team/llama", ("a1", "b1", "a2"))


def test_things_without_a_name_are_never_one() -> None:
    fabric = build(
        bundle(
            capture("a1/one.txt", ("ibv_devinfo", {"ports": {"#1": {"rate_gbps": 100}}}), host="a1"),
            capture("a1/two.txt", ("mlxlink", {"ports": {"#1": {"rate_gbps": 200}}}), host="a1"),
        )
    )
    assert list(fabric.hosts["a1"].ports) == ["a1/one.txt #1", "a1/two.txt #1"]
    assert fabric.conflicts == ()


def test_tiers_and_hash_fields_as_stated() -> None:
    fabric = build(bundle(site(fabric={"tiers": 3, "hash_fields": ["source-ip", "udp-source-port"]})))
    assert (fabric.tiers, fabric.hash_fields) == (3, ("source-ip", "udp-source-port"))
    assert (build(bundle()).tiers, build(bundle()).hash_fields) == (None, ())
