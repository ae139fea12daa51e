"""What collecting tools pack: sos, Insights, must-gather, `kubectl cluster-info dump`. Host, time and command come from the layout."""

import gzip
import json
from pathlib import Path

import pytest

from advisor.evidence.bundle import Bundle
from advisor.usecases.assess import open_site

STATISTICS = "NIC statistics:\n     rx_bytes_phy: 1000\n     rx_prio3_pause: 4\n"
NODE = """---
apiVersion: v1
kind: Node
metadata:
  labels:
    topology.kubernetes.io/rack: r1
  name: gpu-07
spec:
  unschedulable: true
status:
  allocatable:
    nvidia.com/gpu: "7"
  capacity:
    cpu: "96"
    nvidia.com/gpu: "8"
  conditions:
  - status: "True"
    type: Ready
"""
EVENTS = """---
apiVersion: v1
items:
- apiVersion: v1
  involvedObject:
    kind: Pod
    name: llm-worker-3
  kind: Event
  message: '0/4 nodes are available: 2 Insufficient nvidia.com/gpu.'
  metadata:
    name: llm-worker-3.17a
    namespace: training
  reason: FailedScheduling
  type: Warning
kind: EventList
metadata: {}
"""
NCCL = "gpu-11:12:34 [0] NCCL INFO Bootstrap : Using eth0:10.0.0.7<0>\n"


def _written(root: Path, files: dict[str, str | bytes]) -> str:
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    return str(root)


def _by_name(bundle: Bundle) -> dict[str, tuple[str, str | None, str | None]]:
    """Name in the last folder -> state, host by the path, time by the path."""
    return {capture.name.rsplit("/", 1)[-1]: (capture.state, capture.path_host, capture.time) for capture in bundle.captures}


@pytest.mark.parametrize("packed", [False, True])
def test_sosreport(tmp_path: Path, packed: bool) -> None:
    import shutil

    top = "sosreport-gpu-node-07-03456789-2026-09-14-kxyzabc"
    networking = f"{top}/sos_commands/networking"
    given = _written(
        tmp_path / "given",
        {
            f"{networking}/ethtool_-S_ens1f0np0": STATISTICS,
            f"{networking}/ethtool_-a_ens1f0np0": "Pause parameters for ens1f0np0:\nAutonegotiate:\toff\nRX:\t\ton\nTX:\t\toff\n",
            f"{networking}/ethtool_-k_ens1f0np0": "Features for ens1f0np0:\nrx-checksumming: on\n",
            f"{top}/sos_commands/memory/numactl_--hardware": "available: 1 nodes (0)\nnode 0 cpus: 0 1 2 3\nnode 0 size: 515000 MB\n",
            f"{top}/hostname": "gpu-node-07\n",
        },
    )
    if packed:
        given = shutil.make_archive(str(tmp_path / top), "xztar", given)
    bundle = open_site(given).bundle
    read = ("read", "gpu-node-07", "2026-09-14")
    assert _by_name(bundle) == {
        "ethtool_-S_ens1f0np0": read,
        "ethtool_-a_ens1f0np0": read,
        "ethtool_-k_ens1f0np0": ("not-recognised", "gpu-node-07", "2026-09-14"),
        "numactl_--hardware": read,
        "hostname": ("not-recognised", "gpu-node-07", "2026-09-14"),
    }
    (bytes_,) = bundle.find("interfaces.*.rx_bytes", "ethtool-S")
    assert (bytes_.host, bytes_.names, bytes_.value) == ("gpu-node-07", ("ens1f0np0",), 1000)


def test_insights(tmp_path: Path) -> None:
    given = _written(tmp_path, {"insights-nh-a01-20260914101112/data/insights_commands/ethtool_-S_eth0": STATISTICS})
    assert _by_name(open_site(given).bundle) == {"ethtool_-S_eth0": ("read", "nh-a01", "2026-09-14T10:11:12")}


def test_must_gather(tmp_path: Path) -> None:
    top = "must-gather.local.5464882304048078/quay-io-release-sha256-abc123"
    pod = "namespaces/training/pods/llm-worker-0/trainer/trainer/logs/current.log"
    given = _written(
        tmp_path,
        {
            f"{top}/cluster-scoped-resources/core/nodes/gpu-07.yaml": NODE,
            f"{top}/namespaces/training/core/events.yaml": EVENTS,
            f"{top}/{pod}": f"2026-09-14T10:00:00.123456789Z {NCCL}",
        },
    )
    site = open_site(given)
    assert _by_name(site.bundle) == {
        "gpu-07.yaml": ("read", "gpu-07", None),
        "events.yaml": ("read", None, None),
        "current.log": ("read", None, None),  # a pod is no machine
    }
    (node,) = site.bundle.find("hosts.*", "kubectl-get")
    assert node.value == {
        "labels": {"topology.kubernetes.io/rack": "r1"},
        "unschedulable": True,
        "ready": True,
        "resources": {"nvidia.com/gpu": {"capacity": 8, "allocatable": 7}},
    }
    (events,) = site.bundle.find("events", "kubectl-get")
    assert events.value == [
        {
            "type": "warning",
            "reason": "FailedScheduling",
            "object": "pod/llm-worker-3",
            "available_host_count": 0,
            "host_count": 4,
            "insufficient": ["nvidia.com/gpu"],
        }
    ]
    assert site.fabric.hosts["gpu-07"].gpu_count == 8


def test_cluster_info_dump(tmp_path: Path) -> None:
    """Items of a typed list say no kind of their own."""

    def listed(kind: str, *items: dict) -> str:  # type: ignore[type-arg]
        return json.dumps({"kind": f"{kind}List", "apiVersion": "v1", "metadata": {}, "items": items}, indent=4)

    nodes = listed("Node", {"metadata": {"name": "gpu-11"}, "status": {"conditions": [{"type": "Ready", "status": "False"}]}})
    pods = listed(
        "Pod", {"metadata": {"name": "w-1", "namespace": "default"}, "spec": {"nodeName": "gpu-11"}, "status": {"phase": "Running"}}
    )
    event = {"metadata": {"name": "w-2.1"}, "reason": "FailedScheduling", "type": "Warning", "message": "0/4 nodes are available"}
    of_pod = "logs for container main of pod default/w-x7k2p ===="
    logs = f"==== START {of_pod}\n{NCCL}==== END {of_pod}\n"
    folder = {
        "nodes.json": nodes,
        "default/pods.json": pods,
        "default/events.json": listed("Event", event),
        "default/replicasets.json": json.dumps({"kind": "ReplicaSetList", "apiVersion": "apps/v1", "metadata": {}, "items": []}, indent=4),
        "default/w-x7k2p/logs.txt": logs,
    }
    bundle = open_site(_written(tmp_path / "folder", folder)).bundle
    assert {name: found[:2] for name, found in _by_name(bundle).items()} == {
        "nodes.json": ("read", None),
        "pods.json": ("read", None),
        "events.json": ("read", None),
        "replicasets.json": ("not-recognised", None),
        "logs.txt": ("read-in-part", None),
    }
    assert [(known.names, known.value) for known in bundle.find("hosts.*.ready", "kubectl-get")] == [(("gpu-11",), False)]
    assert [(known.names, known.value) for known in bundle.find("pods.*.host", "kubectl-get")] == [(("default/w-1",), "gpu-11")]
    printed = _written(tmp_path / "printed", {"dump.txt": "\n".join(folder.values())})
    parts = [part.tool for capture in open_site(printed).bundle.captures for part in capture.reading.parts]
    assert parts == ["kubectl-get", "kubectl-get", "kubectl-get", "nccl-log"]


def test_packed_logs(tmp_path: Path) -> None:
    given = _written(tmp_path, {"gpu-11/nccl.log.1.gz": gzip.compress(NCCL.encode())})
    assert _by_name(open_site(given).bundle) == {"nccl.log.1": ("read", "gpu-11", None)}
