"""Causes above the wire: storage, scheduling, and the software of hosts."""

from tests.synthetic.causes import mechanism
from tests.synthetic.causes_fabric import ALL, measured_far, spread_jobs, step_runs, under_load
from tests.synthetic.causes_node import everywhere
from tests.synthetic.flows import uplink_loads
from tests.synthetic.world import Trial, Work, World

# --- storage ---------------------------------------------------------------------------------------------------


def windows(w: World, inside: float) -> None:
    """Checkpoints beside the steps: written through the jobs' ports, which leaves `inside` of their speed."""
    every = w.dice.choice((600, 900, 1800))
    lasts = round(every * w.dice.uniform(0.06, 0.2))
    w.storage |= {"checkpoint_every_s": every, "checkpoint_s": lasts, "inside_over_outside": round(inside, 3)}
    w.facts["log_inside"] = inside


@mechanism("checkpoint-contention", technologies=ALL, also=("storage-on-shared-queue", "storage-placement"))
def checkpoints(w: World, lost: float) -> None:
    w.storage |= {"plane": "shared", "queue": w.dice.choice(("shared", "own"))}
    windows(w, 1 - max(lost, 0.25))
    w.signs |= {"dips_in_checkpoint_windows": True, "slow_while_storage_busy": w.dice.choice((True, None)), "one_host_slow": False}
    w.trials.append(Trial("checkpoints written asynchronously", "workload", "better"))


@mechanism("dataset-read-contention", technologies=ALL, also=("storage-placement", "storage-on-shared-queue"))
def reads(w: World, lost: float) -> None:
    w.storage |= {"plane": "shared", "read_during_steps": True}
    w.signs |= {"slow_while_data_is_read": True, "varies_between_runs": True, "one_host_slow": False, "depends_on_load": True}
    w.signs |= {"synthetic_data_helps": True, "slow_while_storage_busy": True}
    w.step, w.scatter = 1 - lost, 0.08
    w.trials.append(Trial("synthetic data in place of the data set", "workload", "better"))


@mechanism("model-load-contention", technologies=ALL, also=("storage-placement", "noisy-neighbour"))
def model_loads(w: World, lost: float) -> None:
    w.use = w.dice.choice(("inference", "mixed"))
    w.storage |= {"plane": "shared"}
    for job in w.jobs:
        job.kind, job.parallelism = "inference", {}
    w.signs |= {"slow_while_storage_busy": True, "depends_on_load": True, "one_host_slow": False, "slow_at_all_hours": False}
    w.facts["storage_use"] = w.dice.uniform(0.92, 1.0)
    w.step = 1 - lost
    w.runs += step_runs(w, 1 - lost)


@mechanism(
    "storage-on-shared-queue", technologies=("roce",), also=("checkpoint-contention", "storage-placement", "dataset-read-contention")
)
def shared_queue(w: World, lost: float) -> None:
    w.storage |= {"plane": "shared", "queue": "shared"}
    w.flow.append({"side": "host", "traffic": "storage", "dscp": 26, "priority": 3})
    w.signs |= {"slow_while_storage_busy": True, "pause_growing": w.dice.choice((True, False)), "one_host_slow": False}
    under_load(w, 1 - lost, 1 - lost)
    w.trials.append(Trial("storage moved to a service class of its own", "switch-config", "better"))


@mechanism("storage-placement", technologies=ALL, also=("dataset-read-contention", "storage-on-shared-queue", "checkpoint-contention"))
def storage_place(w: World, lost: float) -> None:
    w.storage |= {"plane": "shared", "queue": "own"}
    w.facts["storage_use"] = w.dice.uniform(0.9, 1.0)
    w.signs |= {"slow_while_storage_busy": True, "one_host_slow": False}
    under_load(w, 1 - lost)
    w.trials.append(Trial("storage servers moved behind their own leaf", "hardware", "better"))


@mechanism("storage-too-slow", technologies=ALL, also=("input-pipeline-stall",))
def slow_storage(w: World, lost: float) -> None:
    w.storage |= {"plane": "separate", "queue": "own", "read_during_steps": True}
    w.signs |= {"slow_while_data_is_read": True, "depends_on_load": False, "slow_at_all_hours": True, "one_host_slow": False}
    w.step = 1 - lost
    wanted = w.dice.choice((20, 40, 80))
    got = round(wanted * w.dice.uniform(0.3, 0.65), 1)
    w.runs.append({"label": "fio", "what": "io_read", "load": "quiet", "rate_gBps": got})
    w.facts["expected_io"] = wanted


@mechanism("input-pipeline-stall", technologies=ALL, also=("storage-too-slow", "dataset-read-contention"))
def late_ranks(w: World, lost: float) -> None:
    w.storage |= {"plane": "separate", "read_during_steps": True}
    w.signs |= {"ranks_arrive_late": True, "synthetic_data_helps": True, "perftest_at_line_rate": True, "one_host_slow": False}
    w.step = 1 - lost
    w.trials.append(Trial("dataloader with more workers and prefetch", "workload", "better"))


# --- scheduling ------------------------------------------------------------------------------------------------


@mechanism("fragmented-placement", technologies=ALL, also=("rank-order",))
def scattered(w: World, lost: float) -> None:
    spread_jobs(w, w.dice.uniform(0.4, 0.7))
    w.uplinks = max(w.uplinks // 2 // w.spines, 1) * w.spines
    w.ratio = len(next(iter(w.leaves.values()))) * w.platform.nics / w.uplinks
    w.routing = "adaptive"
    w.loads = uplink_loads(w, "leaf-1", True, w.dice)
    under_load(w, min(measured_far(w, True), 0.85))
    w.signs |= {
        "placement_scattered": True,
        "leaf_shared_by_jobs": True,
        "uplinks_even": True,
        "uplinks_full": sum(w.loads) / len(w.loads) > 0.85,
    }
    w.trials.append(Trial("jobs packed on whole leaves", "placement", "better"))


@mechanism("rank-order", also=("fragmented-placement",))
def bad_order(w: World, lost: float) -> None:
    leaves = list(w.leaves.values())[:2]
    hosts = [host for row in zip(*leaves, strict=True) for host in row]
    w.jobs = [Work("70100", "training", hosts, 0.6)]
    if len(w.hosts) == 4:
        w.facts["small_ring"] = True
    w.uplinks = max(w.uplinks // 2 // w.spines, 1) * w.spines
    w.ratio = len(leaves[0]) * w.platform.nics / w.uplinks
    w.routing = "adaptive"
    w.signs |= {"placement_scattered": False, "slow_only_across_leaves": True, "one_host_slow": False}
    w.facts["ring_kept"] = 1 - max(lost, 0.3)
    w.trials.append(Trial("rank order leaf by leaf", "placement", "better"))


@mechanism("job-larger-than-leaf", technologies=ALL, also=("uplink-oversubscription",))
def larger(w: World, lost: float) -> None:
    from tests.synthetic.causes_fabric import too_few_uplinks

    too_few_uplinks(w, lost)
    w.facts["larger"] = True


@mechanism("allocation-affinity-broken", also=("gpu-nic-affinity", "gpu-nic-pairing"))
def parts_of_hosts(w: World, lost: float) -> None:
    w.environment = "container"
    everywhere(w)
    w.facts["partly"] = True
    w.collective, w.scatter = 1 - lost, 0.1
    w.signs |= {"varies_between_runs": True, "gpus_share_nic": w.dice.choice((True, None)), "one_host_slow": w.dice.choice((True, False))}
    w.trials.append(Trial("whole hosts given to the job (exclusive)", "placement", "better"))


@mechanism("phase-collision", technologies=ALL, also=("noisy-neighbour",))
def phases(w: World, lost: float) -> None:
    under_load(w, 1 - lost)
    w.scatter = 0.12
    w.loads = [w.dice.uniform(0.35, 0.6) for _ in range(w.uplinks)]
    w.signs |= {"other_tenants_active": True, "uplinks_full": False, "varies_between_runs": True}
    w.trials.append(Trial("start of iterations staggered between jobs", "workload", "better"))


# --- host software ---------------------------------------------------------------------------------------------


@mechanism("gpudirect-rdma-missing", also=("acs-p2p-redirect",))
def no_gdr(w: World, lost: float) -> None:
    everywhere(w)
    w.collective = w.gpu_wire = 1 - max(lost, 0.3)
    w.signs |= {"gdr_used": False, "gdr_module_loaded": w.dice.choice((False, False, None))}
    w.trials.append(Trial("nvidia_peermem loaded", "setting", "better"))


@mechanism("pcie-relaxed-ordering-off", also=("acs-p2p-redirect",))
def strict_order(w: World, lost: float) -> None:
    everywhere(w)
    w.signs["relaxed_ordering_on"] = False
    w.collective = w.gpu_wire = w.wire = w.dice.uniform(0.5, 0.8)
    w.trials.append(Trial("NCCL_IB_PCI_RELAXED_ORDERING", "setting", "better", "0", "1"))


@mechanism("nic-selection", also=("gpu-nic-pairing",))
def fewer_nics(w: World, lost: float) -> None:
    everywhere(w)
    if w.platform.nics < 2:
        w.platform = next(p for p in _many_nics() if w.technology in p.technologies)
    used = w.dice.choice([n for n in (1, 2, w.platform.nics // 2) if n < w.platform.nics])
    w.collective = used / w.platform.nics
    w.facts["hcas"] = used
    w.signs |= {"nic_share_equal": False, "gpus_share_nic": True}
    w.trials.append(Trial("NCCL_IB_HCA with all NICs", "setting", "better"))


def _many_nics() -> list:  # type: ignore[type-arg]
    from tests.synthetic.world import PLATFORMS

    return [one for one in PLATFORMS if one.nics > 1]


@mechanism("settings-differ-between-hosts", technologies=ALL)
def unlike_settings(w: World, lost: float) -> None:
    w.collective = 1 - lost
    everywhere(w)
    w.signs |= {"settings_equal_on_hosts": False}
    w.facts["env_differs"] = w.dice.choice(("NCCL_IB_HCA", "NCCL_PROTO", "NCCL_NET_GDR_LEVEL", "NCCL_IB_TC"))
    w.trials.append(Trial("same environment on all hosts", "setting", "better"))


@mechanism("rdma-disabled")
def sockets(w: World, lost: float) -> None:
    everywhere(w)
    w.collective = w.dice.uniform(0.05, 0.25)
    w.signs |= {"rdma_used": False, "rdma_devices_present": True, "gdr_used": False, "scales_down_with_hosts": True}
    w.facts["env"] = {"NCCL_IB_DISABLE": "1"} if w.dice.random() < 0.7 else {}
    w.trials.append(Trial("NCCL_IB_DISABLE", "setting", "better", "1", "0"))


@mechanism("tcp-path-limit", technologies=("tcp",))
def slow_sockets(w: World, lost: float) -> None:
    from tests.synthetic.world import PLATFORMS

    w.platform = w.dice.choice([one for one in PLATFORMS if "tcp" in one.technologies and one.rate >= 25])
    everywhere(w)
    one = w.dice.uniform(0.12, 0.4)
    w.facts["iperf"] = (one, min(one * w.dice.uniform(2.2, 3.5), 0.93))
    w.collective = one
    w.trials.append(Trial("more socket streams (NSOCKS)", "setting", "better"))


@mechanism("bond-single-flow", technologies=("roce", "tcp"))
def bond(w: World, lost: float) -> None:
    everywhere(w)
    w.facts |= {"bonded": True}
    half = w.dice.uniform(0.46, 0.5)
    w.collective = w.wire = half
    w.runs += [
        {
            "label": "one-qp",
            "what": "ib_write_bw" if w.technology == "roce" else "iperf",
            ("queue_pairs" if w.technology == "roce" else "streams"): 1,
            "rate_gbps": round(2 * w.port_gbps * half, 1),
        },
        {
            "label": "many",
            "what": "ib_write_bw" if w.technology == "roce" else "iperf",
            ("queue_pairs" if w.technology == "roce" else "streams"): 8,
            "rate_gbps": round(2 * w.port_gbps * w.dice.uniform(0.85, 0.95), 1),
        },
    ]
    w.signs["one_queue_pair_enough"] = False
    w.trials.append(Trial("xmit_hash_policy of the bond", "setting", "better", "layer2", "layer3+4"))


@mechanism("wrong-topology-file", also=("topology-misread", "nic-selection"))
def topology_file(w: World, lost: float) -> None:
    w.environment = w.dice.choice(("vm", "cloud", "container"))
    everywhere(w)
    w.signs |= {"topology_file_in_use": True}
    w.collective = 1 - max(lost, 0.3)
    w.facts["plan"] = w.dice.uniform(0.02, 0.4)
    w.trials.append(Trial("NCCL_TOPO_FILE removed", "setting", "better"))


@mechanism("topology-misread", also=("gpu-nic-affinity", "nic-selection", "wrong-topology-file"))
def misread(w: World, lost: float) -> None:
    w.environment = w.dice.choice(("vm", "cloud", "bare-metal"))
    everywhere(w)
    w.signs |= {"topology_file_in_use": False, "gdr_used": w.dice.choice((False, True))}
    w.collective = 1 - max(lost, 0.3)
    w.facts["plan"] = w.dice.uniform(0.15, 0.5)
    w.trials.append(Trial("topology file with the real PCIe tree", "setting", "better"))


@mechanism("library-defect", technologies=ALL, also=("library-settings-limit",))
def defect(w: World, lost: float) -> None:
    everywhere(w)
    w.collective = 1 - lost
    old, new = w.dice.choice((("2.18.3", "2.20.5"), ("2.21.5", "2.23.4"), ("2.26.2", "2.27.3")))
    good = round(w.line_gBps * w.dice.uniform(0.9, 0.96), 1)
    w.runs += [
        {"label": "old", "what": "all_reduce", "hosts": 2, "software": {"nccl": old}, "busbw_gBps": good},
        {"label": "new", "what": "all_reduce", "hosts": 2, "software": {"nccl": new}, "busbw_gBps": round(good * (1 - lost), 1)},
    ]
    w.trials.append(Trial("NCCL version", "library-version", "worse", old, new))


@mechanism("library-settings-limit", technologies=ALL, also=("library-defect",))
def settings(w: World, lost: float) -> None:
    everywhere(w)
    w.collective = 1 - lost
    w.signs["perftest_at_line_rate"] = True
    name, bad, good = w.dice.choice(
        (
            ("NCCL_MAX_NCHANNELS", "2", "16"),
            ("NCCL_BUFFSIZE", "262144", "4194304"),
            ("NCCL_PROTO", "LL", "Simple"),
            ("NCCL_MIN_NCHANNELS", "4", "32"),
        )
    )
    rate = round(w.line_gBps * w.dice.uniform(0.9, 0.96), 1)
    w.runs += [
        {"label": "as-is", "what": "all_reduce", "hosts": 2, "settings": {name: bad}, "busbw_gBps": round(rate * (1 - lost), 1)},
        {"label": "changed", "what": "all_reduce", "hosts": 2, "settings": {name: good}, "busbw_gBps": rate},
    ]
    w.facts["env"] = {name: bad}
    w.trials.append(Trial(name, "setting", "better", bad, good))


@mechanism("ring-channel-mismatch", also=("incast",))
def unlike_rings(w: World, lost: float) -> None:
    w.collective = 1 - lost
    w.signs |= {"graph_equal_on_hosts": False, "one_host_slow": False, "depends_on_load": False}
    if w.technology == "roce":
        w.signs |= {"pause_growing": True, "pause_first_seen_at": "host-edge"}
    w.trials.append(Trial("ring graph of one host given to all (NCCL_GRAPH_FILE)", "setting", "better"))
