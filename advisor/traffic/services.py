"""Flows that are no collective: reads of a data set, loading of models, and the KV cache on its way from prefill to decode hosts.

Only what somebody stated has a rate here. Storage stands behind the spines; on a site of one leaf, on that leaf.
"""

from collections.abc import Iterator

from advisor.fabric.model import Fabric, Job
from advisor.traffic.demand import Send, number_of, queue_pairs, settings_of
from advisor.traffic.patterns import PREFILL_HOSTS, sends
from advisor.traffic.topology import Network

# Free keys of a job's settings in the form.
KV_GBPS, LOAD_GBPS = "KV_GBPS", "MODEL_LOAD_GBPS"
READ, LOAD = "data set", "model load"  # names under which these flows run


def sends_of(job: Job, net: Network, demand: float = 1.0) -> list[Send]:
    """What a job sends between its hosts: the KV cache where its prefill hosts are stated, else its collective."""
    return list(kv_cache(job, net, demand)) or sends(job, net.ports, net.leaf_of, demand)


def kv_cache(job: Job, net: Network, demand: float = 1.0) -> Iterator[Send]:
    """The KV cache of an inference job from its first `prefill_hosts` to the others, evenly; `kv_gBps` of it in all, else all they can.

    Nothing where prefill hosts are not stated, or all hosts are.
    """
    stated = settings_of(job)
    first = int(number_of(stated.get(PREFILL_HOSTS)) or 0)
    if not 0 < first < len(job.hosts):
        return
    rate = number_of(stated.get(KV_GBPS))
    port_gBps = net.port_gbps / 8  # noqa: N806 - the unit's own spelling
    prefill, decode = job.hosts[:first], job.hosts[first:]
    share = min(rate / (first * net.ports * port_gBps), 1.0) if rate else 1.0
    for host in prefill:
        for there in decode:
            for rail in range(net.ports):
                yield Send(job.name, host, there, rail, demand * share / len(decode), queue_pairs(job))


def storage_reads(fabric: Fabric, net: Network) -> list[Send]:
    """What storage sends to hosts during steps: the data set to training and data jobs, models to inference jobs, at stated rates."""
    storage, placed = fabric.storage, [job for job in fabric.jobs if job.hosts and all(host in net.leaf_of for host in job.hosts)]
    found: list[Send] = []
    if storage is not None and storage.read_during_steps and storage.read_gBps:
        readers = sorted({host for job in placed if job.kind in (None, "training", "data") for host in job.hosts})
        found.extend(_from_storage(READ, readers, storage.read_gBps, net))
    for job in placed:
        rate = number_of(settings_of(job).get(LOAD_GBPS))
        if rate and job.kind == "inference":
            found.extend(_from_storage(f"{job.name} {LOAD}", sorted(job.hosts), rate, net))
    return found


def _from_storage(name: str, hosts: list[str], rate_gBps: float, net: Network) -> Iterator[Send]:  # noqa: N803 - the unit's own spelling
    share = rate_gBps * 8 / (max(len(hosts), 1) * net.ports * net.port_gbps)
    for host in hosts:
        for rail in range(net.ports):
            yield Send(name, None, host, rail, min(share, 1.0))
