"""Traps of kubectl's outputs and of topology objects that the golden captures do not show."""

from collections.abc import Mapping
from typing import Any

from advisor.evidence.reading import Part
from advisor.readers.recognise import read

OLD_NODE = """root@m1:~# kubectl describe nodes
Name:\t\t\t10.0.0.1
Role:\t\t\t
Conditions:
  Type\t\t\tStatus\tLastHeartbeatTime\t\t\tLastTransitionTime\t\t\tReason\t\t\t\tMessage
  ----\t\t\t------\t-----------------\t\t\t------------------\t\t\t------\t\t\t\t-------
  Ready \t\tTrue \tThu, 06 Jul 2017 10:58:59 +0800 \tTue, 21 Mar 2017 14:28:32 +0800 \tKubeletReady \t\t\tkubelet is ready
Capacity:
 alpha.kubernetes.io/nvidia-gpu:\t2
 cpu:\t\t\t\t\t16
 memory:\t\t\t\t65756796Ki
 pods:\t\t\t\t\t110
Non-terminated Pods:\t\t(1 in total)
  Namespace\t\t\tName\t\t\tCPU Requests\tCPU Limits\tMemory Requests\tMemory Limits
  ---------\t\t\t----\t\t\t------------\t----------\t---------------\t-------------
  kube-system\t\t\tkube-proxy-xx\t\t100m (0%)\t0 (0%)\t\t0 (0%)\t\t0 (0%)
Allocated resources:
  (Total limits may be over 100 percent, i.e., overcommitted.)
  CPU Requests\tCPU Limits\tMemory Requests\tMemory Limits
  ------------\t----------\t---------------\t-------------
  100m (0%)\t2 (12%)\t\t1Ki (0%)\t\t0 (0%)
"""


def _parts(text: str) -> list[Part]:
    return list(read(text.encode()).parts)


def _facts(text: str) -> Mapping[str, Any]:
    (part,) = _parts(text)
    return part.facts


def test_the_table_of_four_amounts_that_old_versions_print() -> None:
    host = _facts(OLD_NODE)["hosts"]["10.0.0.1"]
    assert host["resources"] == {"alpha.kubernetes.io/nvidia-gpu": {"capacity": 2}}
    assert (host["cpu_requested"], host["cpu_limit"]) == (0.1, 2)
    assert (host["memory_requested_bytes"], host["memory_limit_bytes"]) == (1024, 0)
    assert (host["ready"], host["pods"], host["pod_count"]) == (True, ["kube-system/kube-proxy-xx"], 1)


def test_a_filter_on_one_resource_leaves_its_capacity_then_what_is_allocatable() -> None:
    text = """$ kubectl describe nodes | grep -E "^Name:|nvidia.com/gpu"
Name:               gpu-2
  nvidia.com/gpu:     8
  nvidia.com/gpu:     7
  nvidia.com/gpu     5             5
Name:               gpu-3
  nvidia.com/gpu:     8
"""
    facts = _facts(text)
    assert facts["hosts"]["gpu-2"]["resources"]["nvidia.com/gpu"] == {"capacity": 8, "allocatable": 7, "requested": 5, "limit": 5}
    assert facts["hosts"]["gpu-3"] == {}, "one figure alone may be either"
    assert facts["filtered"] is True


def test_resources_keep_their_names_and_a_cut_row_has_no_amount() -> None:
    text = """$ kubectl describe node gpu-1
Name:               gpu-1
Capacity:
  cpu:                                   64
  nvidia.com/mig-1g.10gb:                14
  rdma/rdma_shared_device_a:             1k
  nvidia.com/gpu:                        <none>
Allocated resources:
  Resource                   Requests      Limits
  --------                   --------      ------
  nvidia.com/mig-1g.10gb     3             3
  rdma/rdma_shared_device_a  2"""
    (part,) = _parts(text)
    assert part.facts["hosts"]["gpu-1"]["resources"] == {
        "nvidia.com/mig-1g.10gb": {"capacity": 14, "requested": 3, "limit": 3},
        "rdma/rdma_shared_device_a": {"capacity": 1000},
    }
    assert [(problem.line, problem.why) for problem in part.problems] == [(7, "damaged"), (12, "cut")]


def test_a_pod_is_no_node_and_an_error_is_no_answer() -> None:
    assert read(b"$ kubectl describe pod x\nName: x\nNamespace: default\nNode: gpu-1/10.0.0.1\n").refused == "not-recognised"
    (part,) = _parts('$ kubectl describe node gpu-9\nError from server (NotFound): nodes "gpu-9" not found\n')
    assert (part.facts, [problem.why for problem in part.problems]) == ({}, ["tool-error"])


def test_pods_and_the_blanks_in_their_restarts() -> None:
    text = """$ kubectl get pods -A -o wide
NAMESPACE   NAME    READY   STATUS    RESTARTS      AGE     IP          NODE    NOMINATED NODE   READINESS GATES
default     a-0     1/1     Running   1 (2d ago)    2m51s   10.68.5.7   gpu-1   <none>           <none>
default     a-1     0/1     Pending   0             109s    <none>      <none>  <none>           <none>
"""
    assert _facts(text)["pods"] == {"default/a-0": {"status": "running", "host": "gpu-1"}, "default/a-1": {"status": "pending"}}


def test_a_node_may_be_ready_and_closed_to_new_pods() -> None:
    text = """$ kubectl get nodes
NAME    STATUS                     ROLES    AGE   VERSION
gpu-1   Ready,SchedulingDisabled   worker   5d    v1.30.1
gpu-2   NotReady                   <none>   5d    v1.30.1
"""
    assert _facts(text)["hosts"] == {"gpu-1": {"ready": True, "unschedulable": True}, "gpu-2": {"ready": False}}


def test_what_a_pod_waits_for_is_in_its_event() -> None:
    message = (
        "0/12 nodes are available: 1 node(s) had untolerated taint {a: b}, 3 Insufficient cpu, 8 Insufficient nvidia.com/gpu. "
        "preemption: 0/12 nodes are available: 12 No preemption victims found for incoming pod."
    )
    text = f"""$ kubectl get events
LAST SEEN   TYPE      REASON             OBJECT        MESSAGE
6m33s       Warning   FailedScheduling   pod/a-1       {message}
"""
    (event,) = _facts(text)["events"]
    assert (event["available_host_count"], event["host_count"], event["insufficient"]) == (0, 12, ["cpu", "nvidia.com/gpu"])


def test_no_resources_is_a_count_of_zero() -> None:
    assert _facts("$ kubectl get pods\nNo resources found in default namespace.\n") == {"pods": {}, "pod_count": 0}


def test_members_by_pattern_stay_patterns_and_children_without_an_object_are_unresolved() -> None:
    text = """apiVersion: topology.volcano.sh/v1alpha1
kind: HyperNode
metadata:
  name: s0
spec:
  tier: 1
  members:
  - type: Node
    selector:
      exactMatch:
        name: node-0
  - type: Node
    selector:
      regexMatch:
        pattern: node-[1-3]
---
apiVersion: topology.volcano.sh/v1alpha1
kind: HyperNode
metadata: {name: s2}
spec:
  tier: 2
  members:
  - {type: HyperNode, selector: {exactMatch: {name: s0}}}
  - {type: HyperNode, selector: {exactMatch: {name: s1}}}
"""
    facts = _facts(text)
    assert facts["hypernodes"] == {
        "s0": {"tier": 1, "members": ["node-0"], "member_patterns": ["node-[1-3]"]},
        "s2": {"tier": 2, "members": ["s0", "s1"]},
    }
    assert facts["unresolved"] == ["s1"]


def test_a_question_behind_a_manifest_or_a_table_is_no_part_of_it() -> None:
    manifest = 'apiVersion: kueue.x-k8s.io/v1beta1\nkind: Topology\nspec:\n  levels:\n  - nodeLabel: "kubernetes.io/hostname"\n'
    (part,) = read(f"{manifest}\nAny idea why\nit is slow?\n".encode()).parts
    assert (part.facts["levels"], part.problems, part.lines) == (["kubernetes.io/hostname"], (), (1, 6))
    table = "NAME                      READY   STATUS    RESTARTS   AGE\ntrain-worker-29-abcdefg   1/1     Running   0          4h58m\n"
    (part,) = read(f"{table}\nAny idea why it is slow?\nthanks\n".encode()).parts
    assert (list(part.facts["pods"]), part.problems) == (["train-worker-29-abcdefg"], ())
