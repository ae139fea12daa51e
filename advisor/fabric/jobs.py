"""Jobs: what the scheduler lists, and what a person stated of them; one job of the same name is one."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from advisor.evidence.bundle import Bundle, origin
from advisor.evidence.origin import Origin
from advisor.fabric.facts import entries, names, number, text, tree, whole
from advisor.fabric.model import Job

_WORKER = re.compile(r"(?P<job>.+?)-(?P<role>master|chief|workers?|replica|trainer|node)-(?:\d+-)?(?P<rank>\d+)(?:-[a-z0-9]{5})?")
_FIRST = {"master", "chief"}  # the roles whose pod is rank 0
_PLAIN_JOB = "batch.kubernetes.io/job-name"
_WIDE = 100_000  # more pods than a replicated job has
# Labels of a pod: its job, its place among the workers (coarse, then fine), its role.
_JOB_LABELS = (
    ("training.kubeflow.org/job-name", ("training.kubeflow.org/replica-index",), "training.kubeflow.org/replica-type"),
    (
        "jobset.sigs.k8s.io/jobset-name",
        ("jobset.sigs.k8s.io/job-index", "batch.kubernetes.io/job-completion-index"),
        "jobset.sigs.k8s.io/replicatedjob-name",
    ),
    (_PLAIN_JOB, ("batch.kubernetes.io/job-completion-index",), ""),
)
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
    """Pods of one training job that run on several hosts, as one job, its hosts in order of rank. Other pods may send no collectives."""
    found: dict[str, dict[tuple[int, int, str], str]] = {}
    gpus: dict[str, int] = {}
    origins: dict[str, Origin] = {}
    for known in bundle.find("pods.*", "kubectl-get"):
        pod = tree(known.value)
        host, member = text(pod.get("host")), _member(known.names[0], tree(pod.get("labels")))
        if member is None or host is None or str(pod.get("status", "")).lower() != "running":
            continue
        name, rank = member
        if (*rank, known.names[0]) not in found.setdefault(name, {}):
            gpus[name] = gpus.get(name, 0) + (whole(pod.get("gpu_count")) or 0)
        found[name][*rank, known.names[0]] = host
        origins.setdefault(name, known.origin)
    for name, workers in sorted(found.items()):
        hosts = tuple(dict.fromkeys(workers[rank] for rank in sorted(workers)))
        if len(hosts) > 1:
            yield Job(name=name, hosts=hosts, host_count=len(hosts), gpu_count=gpus[name] or None, origin=origins[name])


def _member(pod: str, labels: Mapping[str, Any]) -> tuple[str, tuple[int, int]] | None:
    """The job that a pod is a worker of, and its rank: by the labels of its operator, else by its name. None for any other pod.

    A launcher (MPIJob) starts the ranks and is none. Labels: Kubeflow training operator, JobSet, and Kubernetes' own indexed jobs.
    """
    namespace, slash, _ = pod.rpartition("/")
    for job_key, index_keys, role_key in _JOB_LABELS:
        if job := text(labels.get(job_key)):
            if str(labels.get(role_key, "")).lower() == "launcher":
                return None
            places = [int(str(labels[key])) for key in index_keys if str(labels.get(key, "")).isdecimal()]
            if not places and job_key == _PLAIN_JOB:
                continue  # a job without indices: its pods are no ranks
            first = 0 if str(labels.get(role_key, "")).lower() in _FIRST else 1
            return f"{namespace}{slash}{job}", (first, places[0] * _WIDE + places[-1] if len(places) > 1 else sum(places))
    match = _WORKER.fullmatch(pod)
    return (match["job"], (0 if match["role"] in _FIRST else 1, int(match["rank"]))) if match else None


def _joined(first: Job, second: Job) -> Job:
    """The first with what only the second tells."""
    more: Mapping[str, Any] = {
        key: value
        for key in Job.model_fields
        if getattr(first, key) in (None, (), {}) and (value := getattr(second, key)) not in (None, (), {})
    }
    return first.model_copy(update=dict(more))
