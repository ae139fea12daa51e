"""Facts become a cluster: each part of the fabric is built by its own module, and put together here."""

import gc
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from advisor.evidence.bundle import Bundle, host_of
from advisor.fabric import design
from advisor.fabric.claims import Claims
from advisor.fabric.facts import names, whole
from advisor.fabric.hosts import hosts, say_hosts
from advisor.fabric.identities import Systems
from advisor.fabric.jobs import jobs
from advisor.fabric.leaves import leaves
from advisor.fabric.links import say_switches, switches
from advisor.fabric.logs import logs
from advisor.fabric.model import Fabric, Host, Job, Run
from advisor.fabric.names import HostNames, short_names
from advisor.fabric.paths import kept_in_leaf, placed_job, placed_run
from advisor.fabric.pods import pods, tier_ratios
from advisor.fabric.ports import is_counter
from advisor.fabric.runs import run_conflicts, runs
from advisor.fabric.shape import contradictions, is_one_leaf, rails, tier_count
from advisor.fabric.wiring import wiring


def build(bundle: Bundle) -> Fabric:
    """The cluster that the captures and statements tell of. An empty bundle gives an empty fabric; nothing is filled in by guessing.

    Figures of one thing that sources give differently stand in `conflicts` with the value that is used.
    """
    with _collector_paused():
        return _build(bundle)


@contextmanager
def _collector_paused() -> Iterator[None]:
    """No search for circles among objects meanwhile: facts and models form none, and with millions of them it is half of the time."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def _build(bundle: Bundle) -> Fabric:
    measured, running = runs(bundle), jobs(bundle)
    host_names = HostNames(short_names(_all_names(bundle, measured, running)))
    measured = tuple(run.model_copy(update={"hosts": tuple(map(host_names.short, run.hosts))}) for run in measured)
    running = tuple(job.model_copy(update={"hosts": tuple(map(host_names.short, job.hosts))}) for job in running)
    on_hosts, on_switches = Claims(), Claims()
    say_hosts(bundle, on_hosts, host_names)
    systems = Systems(bundle)
    say_switches(bundle, on_switches, host_names, systems)
    wires = wiring(bundle, (on_hosts, on_switches), host_names, {*on_hosts.things(), *_hosts_of(measured, running)}, systems)
    found_hosts = hosts(on_hosts, host_names, wires.hosts, wires.leaf_of, wires.leaves_of)
    kinds = design.host_kinds(bundle)
    found_leaves, found_pods = pods(wires, leaves(bundle, wires, found_hosts, kinds))
    technology = design.word(bundle, "site", "fabric") or _technology(found_hosts.values())
    sizes = [len(leaf.hosts) for leaf in found_leaves]
    placed_runs = tuple(placed_run(run, wires.leaf_of) for run in measured)
    spines = design.figure(bundle, "fabric", "spine_count")
    seen_spines = sum(1 for tier in wires.tier_of.values() if tier == "spine")
    one_leaf = is_one_leaf(bundle, wires, found_hosts, found_leaves)
    return Fabric(
        hosts=found_hosts,
        switches=switches(on_switches, wires.tier_of, wires.hosts_of_switch, wires.told_at),
        links=wires.links,
        leaves=found_leaves,
        pods=found_pods,
        tier_ratios=tier_ratios(found_leaves, found_pods),
        one_leaf=one_leaf,
        jobs=tuple(placed_job(job, wires.leaf_of, sizes) for job in running),
        runs=placed_runs,
        logs=logs(bundle),
        conflicts=(
            *on_hosts.conflicts(is_counter),
            *on_switches.conflicts(is_counter),
            *wires.conflicts,
            *contradictions(bundle, wires, found_leaves),
            *run_conflicts(bundle),
        ),
        doubts=wires.doubts,
        host_kinds=kinds,
        storage=design.storage(bundle),
        routing=design.word(bundle, "fabric", "routing"),
        rails=whole(design.figure(bundle, "fabric", "rails")) or rails(bundle, wires, technology),
        spines=int(spines) if spines else seen_spines or None,
        tiers=tier_count(bundle, wires, one_leaf),
        hash_fields=next((names(known.value) for known in bundle.find("fabric.hash_fields", "site")), ()),
        hash_seeds=design.word(bundle, "fabric", "hash_seeds"),
        kept_in_leaf=kept_in_leaf(placed_runs),
        technology=technology,
        topology=design.word(bundle, "fabric", "topology"),
        use=design.word(bundle, "site", "use"),
        scheduler=design.word(bundle, "site", "scheduler") or _scheduler(bundle),
    )


def _all_names(bundle: Bundle, measured: Iterable[Run], running: Iterable[Job]) -> set[str]:
    from_tools = {name for capture, part in bundle.parts() if (name := host_of(capture, part))}
    listed = {known.names[0] for known in bundle.find("hosts.*", "kubectl-describe-node", "slurm-node", "slurm-topology")}
    return from_tools | listed | set(_hosts_of(measured, running))


def _hosts_of(measured: Iterable[Run], running: Iterable[Job]) -> Iterable[str]:
    yield from (host for run in measured for host in run.hosts)
    yield from (host for job in running for host in job.hosts)


def _technology(hosts: Iterable[Host]) -> str | None:
    """ib or roce, where all known RDMA ports are of one link layer."""
    layers = {port.link_layer for host in hosts for port in host.ports.values() if port.link_layer}
    return {"infiniband": "ib", "ethernet": "roce"}.get(layers.pop()) if len(layers) == 1 else None


def _scheduler(bundle: Bundle) -> str | None:
    """The scheduler whose tools were run, where it is one."""
    families = {
        "slurm" if tool.startswith("slurm") else "kubernetes" for tool in bundle.tools if tool.startswith(("slurm-", "kubectl-", "k8s-"))
    }
    return families.pop() if len(families) == 1 else None
