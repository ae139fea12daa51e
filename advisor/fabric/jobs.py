"""Jobs: what the scheduler lists, and what a person stated of them; one job of the same name is one."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from advisor.evidence.bundle import Bundle, origin
from advisor.evidence.origin import Origin
from advisor.fabric.facts import entries, names, number, text, tree, whole
from advisor.fabric.model import Job

_WORKER = re.compile(r"(?P<job>.+?)-(?:worker|replica|trainer|node)-(?:\d+-)?(?P<rank>\d+)")
_OVER = {"completed", "cancelled", "failed", "timeout", "pending", "node_fail", "out_of_memory", "preempted", "boot_fail"}


def jobs(bundle: Bundle) -> tuple[Job, ...]:
    """Jobs that run, or of unknown state, by name: stated first, then those of Slurm and of Kubernetes.

    Placement on leaves is not known here: build adds it once the leaves are known.
    """
    found: dict[str, Job] = {}
    for job in (*_stated(bundle), *_slurm(bundle), *_pods(bundle)):
        known = found.get(job.name)
        found[job.name] = job if known is None else _joined(known, job)
    return tuple(found.values())


def _stated(bundle: Bundle) -> Iterator[Job]:
    for capture, part in bundle.parts("site"):
        for i, entry in enumerate(entries(part.facts.get("jobs"))):
            share = number(entry.get("communication_percent"))
            hosts = names(entry.get("between"))
            yield Job(
                name=text(entry.get("name")) or f"#{i + 1}",
                kind=text(entry.get("kind")),
                hosts=hosts,
                host_count=whole(entry.get("hosts")) or len(hosts) or None,
                gpu_count=whole(entry.get("ranks")),
                leaves=whole(entry.get("leaves")),
                leaves_needed=whole(entry.get("leaves_needed")),
                placement=text(entry.get("placement")),
                communication_share=share / 100 if share is not None else None,
                settings={key: value for key, value in entry.items() if key in ("framework", "parallelism", "step_bytes", "settings")},
                origin=origin(capture, part, ("jobs", str(i))),
            )


def _slurm(bundle: Bundle) -> Iterator[Job]:
    for capture, part in bundle.parts("slurm-job"):
        for name, row in tree(part.facts.get("jobs")).items():
            row = tree(row)
            if str(row.get("state", "")).lower() in _OVER:
                continue
            hosts = names(row.get("hosts"))
            yield Job(
                name=f"{capture.name} {name}" if str(name).startswith("#") else str(name),
                hosts=hosts,
                host_count=whole(row.get("host_count")) or len(hosts) or None,
                gpu_count=whole(row.get("gpu_count")),
                origin=origin(capture, part, ("jobs", str(name))),
            )


def _pods(bundle: Bundle) -> Iterator[Job]:
    """Workers of training operators (`name-worker-3`) that run on several hosts, as one job. Other pods may send no collectives."""
    found: dict[str, dict[int, str]] = {}
    origins: dict[str, Origin] = {}
    for known in bundle.find("pods.*", "kubectl-get"):
        match = _WORKER.fullmatch(known.names[0])
        host = text(tree(known.value).get("host"))
        if match and host and str(tree(known.value).get("status", "")).lower() == "running":
            found.setdefault(match["job"], {})[int(match["rank"])] = host
            origins.setdefault(match["job"], known.origin)
    for name, workers in sorted(found.items()):
        hosts = tuple(dict.fromkeys(workers[rank] for rank in sorted(workers)))
        if len(hosts) > 1:
            yield Job(name=name, hosts=hosts, host_count=len(hosts), origin=origins[name])


def _joined(first: Job, second: Job) -> Job:
    """The first with what only the second tells."""
    more: Mapping[str, Any] = {
        key: value
        for key in Job.model_fields
        if getattr(first, key) in (None, (), {}) and (value := getattr(second, key)) not in (None, (), {})
    }
    return first.model_copy(update=dict(more))
