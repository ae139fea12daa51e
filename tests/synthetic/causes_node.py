"""Causes inside hosts: one host or all of them give less to the network than their ports."""

from tests.synthetic.causes import mechanism
from tests.synthetic.world import Trial, World


def one_host(w: World, lost: float, kind: str = "all") -> str:
    """One host is slow, whoever the partner; a job over it runs at its pace."""
    host = w.dice.choice(w.hosts)
    w.slow_hosts[host] = 1 - lost
    w.slow_in = kind
    w.signs |= {"one_host_slow": True, "depends_on_load": False, "slow_at_all_hours": True}
    return host


def everywhere(w: World) -> None:
    w.signs |= {"one_host_slow": False, "depends_on_load": False, "slow_at_all_hours": True}


@mechanism("gpu-nic-affinity", also=("topology-misread", "gpu-nic-pairing"))
def far_nic(w: World, lost: float) -> None:
    everywhere(w)
    w.facts["far"] = True
    w.collective, w.gpu_wire = 1 - lost, 1 - lost
    w.signs["gdr_used"] = w.dice.choice((True, False))
    w.trials.append(Trial("NICs moved to slots beside their GPUs", "hardware", "better"))
    w.facts["memory_runs"] = True


@mechanism("gpu-nic-pairing", also=("nic-selection", "gpu-nic-affinity"))
def shared_nic(w: World, lost: float) -> None:
    everywhere(w)
    used = max(w.platform.nics // 2, 1)
    w.collective = used / w.platform.nics if w.platform.nics > 1 else 1 - lost
    w.signs |= {"gpus_share_nic": True, "nic_share_equal": False}
    w.facts["shared_near"] = True
    w.trials.append(Trial("GPU-NIC mapping by hand", "setting", "better"))


@mechanism("cpu-memory-affinity", also=("numa-per-socket", "slow-receiver"))
def remote_buffers(w: World, lost: float) -> None:
    everywhere(w)
    w.wire = 1 - lost
    w.signs |= {"host_memory_slower_than_gpu_memory": True, "varies_between_runs": True}
    w.scatter = 0.06
    w.facts["memory_runs"] = True
    w.trials.append(Trial("processes bound with numactl --cpunodebind", "setting", "better"))


@mechanism("numa-per-socket", also=("cpu-memory-affinity", "slow-receiver"))
def interleave(w: World, lost: float) -> None:
    everywhere(w)
    w.wire = 1 - lost
    w.signs["host_memory_slower_than_gpu_memory"] = True
    w.facts |= {"memory_runs": True, "cpu": w.dice.choice(("EPYC 9654", "EPYC 7763", w.platform.cpu))}
    w.trials.append(Trial("NPS4 to NPS1 in the BIOS", "bios", "better", "NPS4", "NPS1"))


@mechanism("acs-p2p-redirect", also=("gpudirect-rdma-missing",))
def redirected(w: World, lost: float) -> None:
    everywhere(w)
    w.collective = w.gpu_wire = 1 - max(lost, 0.3)
    w.facts |= {"memory_runs": True, "acs": True}
    if w.environment in ("vm", "cloud"):
        w.signs["iommu_translating"] = True
    w.signs["acs_redirect_on"] = True
    w.trials.append(Trial("ACS redirect switched off on the bridges", "bios", "better"))


@mechanism("pcie-link-degraded", technologies=("ib", "roce", "tcp"), also=("slow-node",))
def narrow_link(w: World, lost: float) -> None:
    host = one_host(w, 0.5)
    w.signs |= {"pcie_below_common_max": True}
    w.facts["narrow"] = {host: w.dice.choice(("width", "gen"))}
    w.trials.append(Trial("card reseated in its slot", "hardware", "better"))


@mechanism("pcie-slot-limit")
def narrow_slot(w: World, lost: float) -> None:
    everywhere(w)
    w.signs |= {"slot_narrower_than_card": True, "pcie_below_common_max": False}
    w.facts["slot_width"] = 8
    w.wire = w.collective = w.gpu_wire = 0.5 * w.dice.uniform(0.84, 0.9)
    w.trials.append(Trial("card moved to a x16 slot", "hardware", "better"))


@mechanism("card-port-limit", also=("pcie-slot-limit",))
def shared_card(w: World, lost: float) -> None:
    everywhere(w)
    w.signs["ports_share_card"] = True
    w.facts |= {"nic_ports": 2, "nics_stated": max(w.platform.nics // 2, 1)}
    both = w.dice.uniform(0.5, 0.62)
    w.collective = w.gpu_wire = both
    w.runs += [
        {"label": "one-port", "what": "ib_write_bw", "ports": 1, "rate_gbps": round(w.port_gbps * w.dice.uniform(0.94, 0.985), 1)},
        {"label": "both-ports", "what": "ib_write_bw", "ports": 2, "rate_gbps": round(w.port_gbps * both, 1), "note": "on each of the two"},
    ]


@mechanism("slow-receiver", also=("pfc-storm", "slow-node", "nic-fault"))
def slow_sink(w: World, lost: float) -> None:
    host = one_host(w, lost)
    w.facts["pausing"] = host
    w.signs["cpu_clock_low"] = w.dice.random() < 0.2
    if w.technology == "roce":
        w.signs |= {"pause_first_seen_at": "host-edge", "pause_growing": True}
        w.grows(host__tx_pause=True, host_edge__rx_pause=True, host__rx_pause=False)
    else:
        w.grows(host_edge__xmit_wait=True)


@mechanism("nic-fault", also=("slow-node", "slow-receiver", "pfc-storm"))
def bad_nic(w: World, lost: float) -> None:
    host = one_host(w, lost)
    w.signs |= {"nic_share_equal": False, "port_errors_growing": False}
    if w.technology == "roce" and w.dice.random() < 0.4:
        w.facts["pausing"] = host
        w.signs |= {"pause_first_seen_at": "host-edge", "pause_growing": True}
        w.grows(host__tx_pause=True)
    w.trials.append(Trial("NIC replaced", "hardware", "better"))


@mechanism("nvlink-degraded", also=("slow-node",))
def lost_nvlink(w: World, lost: float) -> None:
    if not w.platform.nvlinks:
        w.platform = next(p for p in _with_nvlink() if w.technology in p.technologies)
    host = one_host(w, lost, "collective")
    w.signs["nvlinks_as_on_twins"] = False
    w.facts["nvlinks_lost"] = {host: w.dice.choice((1, 2, 6))}
    w.facts["inside_slow"] = {host: 1 - lost}


def _with_nvlink() -> list:  # type: ignore[type-arg]
    from tests.synthetic.world import PLATFORMS

    return [one for one in PLATFORMS if one.nvlinks]


@mechanism("slow-node", technologies=("ib", "roce", "tcp"), also=("nic-fault", "clock-throttling"))
def slow_node(w: World, lost: float) -> None:
    one_host(w, lost)
    w.trials.append(Trial("that host excluded from the job", "hardware", "better"))


@mechanism("clock-throttling", technologies=("ib", "roce", "tcp"), also=("slow-node",))
def low_clocks(w: World, lost: float) -> None:
    if w.dice.random() < 0.5:
        one_host(w, lost)
    else:
        everywhere(w)
        w.collective = w.wire = 1 - lost
    w.signs["cpu_clock_low"] = True
    w.trials.append(Trial("CPU governor performance, C-states off", "bios", "better", "powersave", "performance"))
