"""What is usual on sites and harmless there: it stands beside whatever the cause is, and beside none.

Chances are judgement. A cause that acts later overrides what it touches.
"""

from tests.synthetic.causes_fabric import free_pair, spread_jobs
from tests.synthetic.flows import pair_share, uplink_loads
from tests.synthetic.world import World


def background(w: World) -> None:
    """Draws what is usual: tenants, mixed leaves, scattered jobs where nothing is short, reads, settings that nobody needed."""
    dice = w.dice
    if dice.random() < 0.3:
        w.signs["other_tenants_active"] = True
    if dice.random() < 0.25 and w.routing == "adaptive":
        spread_jobs(w, round(dice.uniform(0.2, 0.5), 2))
        w.signs |= {"placement_scattered": True, "leaf_shared_by_jobs": True}
    elif dice.random() < 0.3:
        w.signs["leaf_shared_by_jobs"] = True
    if dice.random() < 0.4:
        w.storage["read_during_steps"] = True
    if w.environment in ("vm", "cloud"):
        w.signs |= {"topology_file_in_use": dice.random() < 0.5, "iommu_translating": dice.random() < 0.5}
    if w.technology == "roce":
        for entry in w.flow:
            if entry["side"] == "leaf":
                entry["pfc_watchdog"] = dice.random() < 0.6
        if dice.random() < 0.3:
            w.flow.append({"side": "leaf", "traffic": "all tenants", "limits": False})
        if dice.random() < 0.3:
            w.signs |= {"ecn_marks_growing": True}  # marks are how it works
    if dice.random() < 0.35:
        adaptive = w.routing == "adaptive"
        w.loads = [min(load, 0.8) for load in uplink_loads(w, "leaf-1", adaptive, dice)] or None
    if pair_share(w, free_pair(w), balanced=True) < 0.95:  # scattered jobs that do cost something are no background
        w.jobs = [job for job in w.jobs if len({w.leaf_of(host) for host in job.hosts}) == 1]
