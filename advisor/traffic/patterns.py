"""The flows of a collective: ring, double tree, all-to-all, or reduction inside the switches; and which of them a job uses.

Every pattern is scaled so that the busiest port of the job sends at its rate when nothing is in the way: the job then gets a share of 1.
All but those that say otherwise are rail-aligned: what port r sends, port r of the other host receives (NCCL keeps rings and trees on one
rail, and with PXN moves data over NVLink to the GPU of the rail that the receiver sits on).
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, Literal

from advisor.base.model import Model
from advisor.fabric.model import Job
from advisor.traffic.demand import Send, number_of, queue_pairs, ring, settings_of

Pattern = Literal["ring", "tree", "all-to-all", "in-network", "kv-cache"]
PREFILL_HOSTS = "PREFILL_HOSTS"  # key of a job's settings in the form
# Partners of a host in an all-to-all that are looked at one by one: further ones are stood for by these, spread evenly over the job.
MOST_PARTNERS = 16
_WORDS: tuple[tuple[str, Pattern], ...] = (
    (r"coll-?net|sharp|in-?network", "in-network"),
    (r"nvls-?tree|tree", "tree"),
    (r"ring", "ring"),
    (r"all-?to-?all|moe|expert", "all-to-all"),
)


class Collective(Model):
    """pattern: how the job's bytes go. said_by: the setting or statement that says so; None where nothing does, and a ring is assumed."""

    pattern: Pattern = "ring"
    said_by: str | None = None


def collective_of(job: Job) -> Collective:
    """What a job's statement says of its collective: prefill hosts, a stated `collective`, NCCL_ALGO, NCCL_COLLNET_ENABLE, or experts that
    are spread over hosts.

    Of a list in NCCL_ALGO the first counts; a list of what is excluded (`^Tree`) says nothing. NVLS alone names what happens inside a
    host. Experts that fit into a host send nothing between hosts.
    """
    stated = settings_of(job)
    if 0 < (number_of(stated.get(PREFILL_HOSTS)) or 0) < len(job.hosts):
        return Collective(pattern="kv-cache", said_by="prefill_hosts")
    for name in ("COLLECTIVE", "NCCL_ALGO"):
        found = _by_word(stated.get(name))
        if found is not None:
            return Collective(pattern=found, said_by=name if name != "COLLECTIVE" else "collective")
    if str(stated.get("NCCL_COLLNET_ENABLE", "")).strip() == "1":
        return Collective(pattern="in-network", said_by="NCCL_COLLNET_ENABLE")
    if expert_hosts(job) > 1:
        return Collective(pattern="all-to-all", said_by="parallelism.expert")
    return Collective()


def _by_word(stated: Any) -> Pattern | None:
    text = str(stated or "").strip().lower()
    if not text or text.startswith("^"):
        return None
    first = re.split(r"[,;]", text.split(":")[-1])[0]
    return next((pattern for word, pattern in _WORDS if re.search(word, first)), None)


def expert_hosts(job: Job) -> int:
    """Hosts over which the experts of a mixture are spread, as stated (parallelism.expert, in GPUs); 1 where they fit into a host."""
    parallel = job.settings.get("parallelism")
    experts = number_of(parallel.get("expert")) if isinstance(parallel, Mapping) else None
    if experts is None or experts <= 1 or len(job.hosts) < 2:
        return 1
    per_host = job.gpu_count / len(job.hosts) if job.gpu_count else 8.0
    return min(max(-(-int(experts) // max(int(per_host), 1)), 1), len(job.hosts))


def sends(job: Job, rails: int, leaf_of: Mapping[str, str], demand: float = 1.0) -> list[Send]:
    """The flows of a job's collective at full pace (times `demand`), on so many ports of each host."""
    if len(job.hosts) < 2:
        return []
    pattern = collective_of(job).pattern
    if pattern == "tree":
        return list(tree(job, rails, demand))
    if pattern == "in-network":
        return list(in_network(job, rails, leaf_of, demand))
    if pattern == "all-to-all":
        return list(all_to_all(job, rails, expert_hosts(job), demand, aligned=not crosses_rails(job)))
    found = list(ring(job, rails, demand))
    return [replace(send, to_rail=(send.rail + 1) % rails) for send in found] if crosses_rails(job) else found


def crosses_rails(job: Job) -> bool:
    """Whether a job's flows change rails in the network: an all-to-all without PXN (NCCL_PXN_DISABLE=1), or rings that may leave by
    another NIC than they came in by (NCCL_CROSS_NIC=1).
    """
    stated, pattern = settings_of(job), collective_of(job).pattern
    switch = {"all-to-all": "NCCL_PXN_DISABLE", "ring": "NCCL_CROSS_NIC"}.get(pattern, "")
    return str(stated.get(switch, "")).strip() == "1"


def tree_edges(count: int) -> list[tuple[int, int]]:
    """Child and parent of a binary tree over 0, 1, ..., count - 1 in which the even numbers are leaves: the parent of i is found by
    setting its lowest bit to 0 and the next one to 1 (Sanders, Speck and Traeff, Two-tree algorithms, 2009; what NCCL uses).
    """
    found = []
    for i in range(1, count):
        bit = i & -i
        parent = (i ^ bit) | (bit << 1)
        found.append((i, parent if parent < count else i ^ bit))
    return found


def tree(job: Job, rails: int, demand: float = 1.0) -> Iterator[Send]:
    """A double binary tree: half of the data up and down one tree, half in its mirror, in which leaves and inner hosts swap places.

    Over each edge half of the data goes each way; a host sends up to four such halves, two times the data, as a ring nearly does. Two
    hosts send each other the data once.
    """
    count = len(job.hosts)
    first = tree_edges(count)
    # An odd number of hosts is shifted by one, an even number mirrored, so that inner hosts of one tree are leaves of the other.
    second = [((a + 1) % count, (b + 1) % count) if count % 2 else (count - 1 - a, count - 1 - b) for a, b in first]
    edges = [edge for a, b in (*first, *second) for edge in ((a, b), (b, a))]
    sent: dict[int, int] = {}
    for a, _ in edges:
        sent[a] = sent.get(a, 0) + 1
    share, pieces = demand / max(sent.values()), queue_pairs(job)
    for a, b in edges:
        for rail in range(rails):
            yield Send(job.name, job.hosts[a], job.hosts[b], rail, share, pieces)


def all_to_all(job: Job, rails: int, group: int = 1, demand: float = 1.0, *, aligned: bool = True) -> Iterator[Send]:
    """Every host sends the same amount to every other of its group; groups are consecutive hosts (all hosts, if there are none).

    aligned    data changes rails inside the host (PXN); else port r sends to all ports of the receiver alike
    """
    size = group if group > 1 else len(job.hosts)
    pieces = queue_pairs(job)
    for start in range(0, len(job.hosts), size):
        members = job.hosts[start : start + size]
        others = len(members) - 1
        count = min(others, MOST_PARTNERS)
        steps = [1 + round(k * (others - 1) / max(count - 1, 1)) for k in range(count)]
        for i, host in enumerate(members):
            for k, step in enumerate(steps):
                for rail in range(rails):
                    there = rail if aligned else (rail + k) % rails
                    yield Send(job.name, host, members[(i + step) % len(members)], rail, demand / count, pieces, to_rail=there)


def in_network(job: Job, rails: int, leaf_of: Mapping[str, str], demand: float = 1.0) -> Iterator[Send]:
    """Reduction inside the switches (SHARP): a host sends its data once to its leaf and gets the sum once; a leaf sends on one stream.

    Streams keep to one tree of switches: they are not cut into parts. A job inside one leaf sends nothing up.
    """
    leaves = sorted({leaf_of[host] for host in job.hosts if host in leaf_of})
    for rail in range(rails):
        for host in job.hosts:
            leaf = leaf_of.get(host)
            yield Send(job.name, host, None, rail, demand, to_leaf=leaf)
            yield Send(job.name, None, host, rail, demand, leaf=leaf)
        for leaf in leaves if len(leaves) > 1 else ():
            yield Send(job.name, None, None, rail, demand, leaf=leaf)
            yield Send(job.name, None, None, rail, demand, to_leaf=leaf)


def bytes_per_host(pattern: Pattern, hosts: int, ranks: int | None = None) -> float:
    """What the busiest host sends for one byte of an all-reduce: ring 2(n-1)/n of n ranks, tree 2 (1 between two hosts), switches 1.

    Of an all-to-all it is for one byte of each GPU's send buffer the share that leaves the host, (k-1)/k of k hosts.
    """
    n = ranks or hosts
    if pattern == "ring":
        return 2 * (n - 1) / n
    if pattern == "tree":
        return 1.0 if hosts == 2 else 2.0
    return 1.0 if pattern == "in-network" else (hosts - 1) / hosts
