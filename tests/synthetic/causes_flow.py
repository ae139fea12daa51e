"""Causes in flow control (RoCE), and states in which nothing is wrong."""

from tests.synthetic.causes import RDMA, mechanism
from tests.synthetic.causes_fabric import ALL, under_load
from tests.synthetic.causes_node import everywhere, one_host
from tests.synthetic.world import PLATFORMS, Trial, World

ROCE = ("roce",)


def side(w: World, name: str, **values: object) -> None:
    for entry in w.flow:
        if entry["side"] == name and entry.get("traffic") == "RoCE":
            entry |= values


@mechanism("lossless-class-missing", technologies=ROCE, also=("traffic-class-mismatch",))
def no_pfc(w: World, lost: float) -> None:
    where = w.dice.choice((("leaf",), ("host", "leaf")))
    for name in where:
        side(w, name, pfc_priorities=[], pfc_watchdog=None)
    under_load(w, 1 - lost, 1 - lost / 2)
    w.signs |= {"drops_growing": True, "pause_growing": False, "roce_on_lossy_priority": True}
    w.grows(leaf_uplink__tx_discards=True, host__out_of_sequence=True, host__packet_seq_errors=True)
    w.facts["pfc_off"] = "host" in where
    w.trials.append(Trial("PFC on priority 3 at the switches", "switch-config", "better"))


@mechanism("traffic-class-mismatch", technologies=ROCE, also=("lossless-class-missing",))
def wrong_class(w: World, lost: float) -> None:
    dscp = w.dice.choice((0, 0, 46, 34))
    side(w, "host", dscp=dscp, priority=dscp // 8)
    under_load(w, 1 - lost, 1 - lost / 2)
    w.signs |= {"drops_growing": True, "roce_on_lossy_priority": True, "pause_growing": w.dice.choice((False, None))}
    w.grows(host__out_of_sequence=True)
    w.trials.append(Trial("NCCL_IB_TC so that DSCP is 26", "setting", "better", "0", "106"))


@mechanism("ecn-missing", technologies=ROCE, also=("pause-spread",))
def no_ecn(w: World, lost: float) -> None:
    side(w, "leaf", ecn=False)
    if w.dice.random() < 0.4:
        side(w, "host", ecn=False)
    under_load(w, 1 - lost, 1 - lost * w.dice.uniform(0.5, 0.9))
    w.signs |= {"pause_growing": True, "ecn_marks_growing": False, "pause_first_seen_at": "between-switches", "drops_growing": False}
    w.grows(leaf_uplink__rx_pause=True, host_edge__ecn_marked=False, host__rx_pause=True, host__cnp_sent=False)
    w.trials.append(Trial("ECN marking on leaf and spine", "switch-config", "better"))


@mechanism("ecn-one-sided", technologies=ROCE, also=("ecn-thresholds",))
def one_sided(w: World, lost: float) -> None:
    side(w, "host", ecn=False, congestion_control=None)
    under_load(w, 1 - lost, 1 - lost / 2)
    w.signs |= {"ecn_marks_growing": True, "pause_growing": True, "pause_first_seen_at": "between-switches"}
    w.grows(leaf_uplink__ecn_marked=True, host__cnp_sent=False, host__rx_pause=True)
    w.trials.append(Trial("ECN on the hosts' priority 3", "setting", "better"))


@mechanism("ecn-thresholds", technologies=ROCE, also=("ecn-missing", "pause-spread", "ecn-one-sided", "congestion-control-unsuited"))
def thresholds(w: World, lost: float) -> None:
    under_load(w, 1 - lost, 1 - lost / 2)
    late = w.dice.random() < 0.6
    w.signs |= {"ecn_marks_growing": True, "pause_growing": late, "uplinks_full": False, "drops_growing": False}
    w.grows(leaf_uplink__ecn_marked=True, host__cnp_sent=True, host__cnp_handled=True, host__rx_pause=late)
    w.trials.append(Trial("ECN Kmin and Kmax thresholds", "switch-config", "better", "1 MB", "150 KB"))


@mechanism("pfc-storm", technologies=ROCE, also=("slow-receiver", "nic-fault"))
def storm(w: World, lost: float) -> None:
    host = one_host(w, max(lost, 0.4))
    w.busy_far = w.busy_near = 1 - lost
    w.facts |= {"pausing": host, "storm": True}
    w.signs |= {"pause_first_seen_at": "host-edge", "pause_growing": True, "depends_on_load": None}
    side(w, "leaf", pfc_watchdog=False)
    w.grows(host_edge__rx_pause=True, leaf_uplink__rx_pause=True, host__tx_pause=True)
    if w.dice.random() < 0.4:
        w.runs.append({"label": "hang", "what": "all_reduce", "outcome": "hang"})
    w.trials.append(Trial("that host drained", "hardware", "better"))


@mechanism("pfc-too-wide", technologies=ROCE, also=("pause-spread",))
def wide_pfc(w: World, lost: float) -> None:
    for name in ("host", "leaf"):
        side(w, name, pfc_priorities=list(range(8)))
    under_load(w, 1 - lost, 1 - lost / 2)
    w.signs |= {"pause_growing": True, "pause_first_seen_at": "between-switches"}
    w.grows(leaf_uplink__rx_pause=True, host__rx_pause=True)
    w.trials.append(Trial("PFC on priority 3 alone", "switch-config", "better", "all", "3"))


@mechanism("pause-spread", technologies=ROCE, also=("ecn-missing", "ecn-thresholds"))
def spreading(w: World, lost: float) -> None:
    under_load(w, 1 - lost, 1 - lost * w.dice.uniform(0.6, 1.0))
    w.signs |= {"pause_growing": True, "pause_first_seen_at": "between-switches", "uplinks_full": False, "slow_only_across_leaves": None}
    w.grows(leaf_uplink__rx_pause=True, spine__rx_pause=True, host__rx_pause=True)
    w.loads = [w.dice.uniform(0.3, 0.6) for _ in range(w.uplinks)]


@mechanism("tenant-limit-missing", technologies=ALL, also=("noisy-neighbour",))
def no_limits(w: World, lost: float) -> None:
    from tests.synthetic.causes_fabric import neighbour

    neighbour(w, lost)
    w.flow.append({"side": "leaf", "traffic": "all tenants", "limits": False})
    w.trials = [Trial("rate limit per tenant", "switch-config", "better")]


@mechanism("congestion-control-unsuited", technologies=ROCE, also=("ecn-thresholds", "library-defect"))
def unsuited(w: World, lost: float) -> None:
    everywhere(w)
    side(w, "host", congestion_control=w.dice.choice(("ZTR_RTTCC", "dcqcn", "swift")))
    w.collective, w.wire = 1 - max(lost, 0.4), 1 - max(lost, 0.4)
    w.gpu_wire = w.wire
    w.signs |= {"drops_growing": False, "pause_growing": False}
    w.trials.append(Trial("congestion control algorithm", "setting", "better", "ZTR_RTTCC", "DCQCN"))


# --- nothing is wrong ------------------------------------------------------------------------------------------


@mechanism("on-target", technologies=ALL)
def sound(w: World, lost: float) -> None:
    everywhere(w)
    w.facts["sound"] = True


@mechanism("two-node-tree")
def tree(w: World, lost: float) -> None:
    everywhere(w)
    w.facts |= {"sound": True, "above": w.dice.uniform(1.05, 1.5), "algorithm": w.dice.choice(("tree", "default"))}


@mechanism("in-network-reduction")
def in_network(w: World, lost: float) -> None:
    everywhere(w)
    w.facts |= {
        "sound": True,
        "above": w.dice.uniform(1.1, 1.7),
        "algorithm": w.dice.choice(("nvls", "collnet", "nvlstree")),
        "hosts_of_run": 4,
    }


@mechanism("sku-limit")
def product(w: World, lost: float) -> None:
    w.platform = next(one for one in PLATFORMS if one.gpu == "H800")
    everywhere(w)
    w.facts |= {"sound": True, "links_stated": (8, 18)}


@mechanism("small-message-test", technologies=RDMA)
def small(w: World, lost: float) -> None:
    everywhere(w)
    w.facts |= {"sound": True, "small": w.dice.choice((2**20, 2**22, 2**24))}


@mechanism("idle-link-state", technologies=ALL)
def idle(w: World, lost: float) -> None:
    everywhere(w)
    w.facts |= {"sound": True, "idle_gen": True}
