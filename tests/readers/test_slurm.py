"""Traps of Slurm's topology files, `scontrol`, `squeue`, `sacct` and `sinfo` that the golden captures do not show."""

from collections.abc import Mapping
from typing import Any

from advisor.evidence.reading import Part
from advisor.readers.recognise import read

TOPOLOGIES = """---
- topology: topo1
  cluster_default: True
  tree:
    switches:
    - switch: sw_root
      children: s[1-2]
    - switch: s1
      nodes: node[09-10]
    - switch: s2
      nodes: node[03,7]
- topology: topo2
  block:
    block_sizes: [4, 16]
    blocks:
    - block: b1
      nodes: node[01-02]
- topology: topo3
  flat: True
"""


def _parts(text: str) -> list[Part]:
    return list(read(text.encode()).parts)


def _part(text: str) -> Part:
    (part,) = _parts(text)
    return part


def _facts(text: str) -> Mapping[str, Any]:
    return _part(text).facts


def _whys(part: Part) -> list[tuple[int, str]]:
    return [(problem.line, problem.why) for problem in part.problems]


def test_several_topologies_in_one_file_stay_apart() -> None:
    topologies = _facts(TOPOLOGIES)["topologies"]
    assert [topologies[name]["kind"] for name in ("topo1", "topo2", "topo3")] == ["tree", "block", "flat"]
    assert topologies["topo1"]["default"] is True
    assert "default" not in topologies["topo2"]
    assert topologies["topo1"]["switches"]["sw_root"]["children"] == ["s1", "s2"]
    assert topologies["topo1"]["hosts"] == {
        "node09": {"leaf": "s1"},
        "node10": {"leaf": "s1"},
        "node03": {"leaf": "s2"},
        "node7": {"leaf": "s2"},
    }
    assert topologies["topo2"]["block_sizes"] == [4, 16]


def test_a_directive_goes_on_behind_a_backslash_and_ends_at_a_hash() -> None:
    text = "# ours\nSwitchName=s0 Nodes=a[1-2] \\\n   LinkSpeed=900\nswitchname=s1 switches=s0   # top\n#SwitchName=s2 Nodes=z9\n"
    facts = _facts("$ cat /etc/slurm/topology.conf\n" + text)
    assert facts["switches"] == {"s0": {"hosts": ["a1", "a2"], "host_count": 2}, "s1": {"children": ["s0"]}}
    assert facts["hosts"] == {"a1": {"leaf": "s0"}, "a2": {"leaf": "s0"}}


def test_lines_that_a_terminal_wrapped_and_a_range_that_is_cut() -> None:
    text = """$ scontrol show topology
SwitchName=s0 Level=0 LinkSpeed=1 Nodes=tux[0-3,
5-7]
SwitchName=s1 Level=1 LinkSpeed=1
   Nodes=tux[0-3,5-7] Switches=s0
SwitchName=s2 Level=0 Nodes=tux[8-"""
    part = _part(text)
    assert part.facts["switches"]["s0"]["host_count"] == 7
    assert part.facts["switches"]["s1"]["children"] == ["s0"]
    assert part.facts["switches"]["s2"] == {"level": 0}
    assert "host_count" not in part.facts
    assert _whys(part) == [(6, "cut")]


def test_blocks_of_blocks_hold_hosts_and_are_no_blocks() -> None:
    text = """$ scontrol show topology
BlockName=b0 BlockIndex=0 Nodes=n[01-02] BlockSize=2
BlockName=b1 BlockIndex=1 Nodes=n[03-04] BlockSize=2
AggregatedBlock=b[0-1] BlockIndex=2 Nodes=n[01-04] BlockSize=4
"""
    facts = _facts(text)
    assert (facts["kind"], facts["block_count"], facts["host_count"]) == ("block", 2, 4)
    assert facts["hosts"]["n03"] == {"block": "b1"}


def test_no_topology_is_an_error_and_no_answer() -> None:
    part = _part("$ scontrol show topology\nscontrol: error: No topology information available\n")
    assert (part.facts, _whys(part)) == ({}, [(2, "tool-error")])


def test_states_keep_their_marks_and_gpus_are_counted_once() -> None:
    text = """$ scontrol show node
NodeName=p0685 Arch=x86_64 CoresPerSocket=24
   CPUAlloc=48 CPUTot=48 CPULoad=48.16
   Gres=pfsdir:scratch:1,ime:1
   State=DOWN* ThreadsPerCore=1
   CfgTRES=cpu=48,mem=178G,billing=48
   AllocTRES=cpu=48

NodeName=b200 Arch=x86_64
   State=IDLE+DRAIN ThreadsPerCore=1
   Reason=NHC: check failed opt=value more [root@2026-01-01T00:00:00]
   CfgTRES=cpu=192,gres/gpu=16,gres/gpu:nvidia_b200=16
   AllocTRES=cpu=88,gres/gpu=8,gres/g"""
    part = _part(text)
    down, idle = part.facts["hosts"]["p0685"], part.facts["hosts"]["b200"]
    assert (down["state"], down["state_flags"], down["gpu_count"]) == ("down", ["not_responding"], 0)
    assert (idle["state"], idle["state_flags"], idle["gpu_count"], idle["gpu_model"]) == ("idle", ["drain"], 16, "nvidia_b200")
    assert idle["reason"] == "NHC: check failed opt=value more [root@2026-01-01T00:00:00]"
    assert "gpu_allocated" not in idle, "the list of what is taken is cut"
    assert _whys(part) == [(13, "cut")]


def test_names_with_blanks_do_not_move_the_columns_of_squeue() -> None:
    text = """$ squeue
             JOBID PARTITION     NAME     USER ST       TIME  NODES NODELIST(REASON)
           7377456      pall my job   gvangees PD       0:00      4 (ReqNodeNotAvail, UnavailableNodes:n1)
            429_10      gpu  arr      u         R 1-02:03:04      2 gpu[01-02]
"""
    jobs = _facts(text)["jobs"]
    assert (jobs["7377456"]["state"], jobs["7377456"]["reason"]) == ("pending", "ReqNodeNotAvail, UnavailableNodes:n1")
    assert "hosts" not in jobs["7377456"]
    assert (jobs["429_10"]["run_time_s"], jobs["429_10"]["hosts"]) == (93784, ["gpu01", "gpu02"])


def test_no_jobs_under_a_header_is_a_count_of_zero() -> None:
    text = "$ squeue -u me\n             JOBID PARTITION     NAME     USER ST       TIME  NODES NODELIST(REASON)\n"
    assert _facts(text) == {"jobs": {}, "job_count": 0}


def test_what_sacct_cuts_with_a_plus_is_unknown_and_steps_are_no_jobs() -> None:
    text = """$ sacct
JobID           JobName  Partition    Account  AllocCPUS      State ExitCode
------------ ---------- ---------- ---------- ---------- ---------- --------
1234               bash      debug       root          4  COMPLETED      0:0
1234.batch        batch                  root          4  COMPLETED      0:0
1234.0             hydra                  root          4  COMPLETED      0:0
1235               bash gpu_h100+       root          4 CANCELLED+      0:0
1236               bash  gpu_h100       root          4 OUT_OF_ME+      0:0
"""
    part = _part(text)
    jobs = part.facts["jobs"]
    assert list(jobs) == ["1234", "1235", "1236"]
    assert jobs["1234"] == {"state": "completed", "partition": "debug", "cpu_count": 4, "step_count": 2}
    assert jobs["1235"] == {"state": "cancelled", "cpu_count": 4}, "the state is whole: its author is cut"
    assert jobs["1236"] == {"partition": "gpu_h100", "cpu_count": 4}
    assert _whys(part) == [(7, "cut"), (8, "cut")]


def test_sacct_for_programs() -> None:
    text = """$ sacct -P -o JobID,State,NodeList,NNodes,AllocTRES,Elapsed,Timelimit
JobID|State|NodeList|NNodes|AllocTRES|Elapsed|Timelimit
77|CANCELLED by 1000|gpu[01-04]|4|billing=4,cpu=4,gres/gpu=32,node=4|1-00:00:01|UNLIMITED
78|PENDING|None assigned|2||00:00:00|10:00:00
"""
    jobs = _facts(text)["jobs"]
    assert jobs["77"] == {
        "state": "cancelled",
        "run_time_s": 86401,
        "hosts": [f"gpu0{i}" for i in range(1, 5)],
        "host_count": 4,
        "gpu_count": 32,
    }
    assert "hosts" not in jobs["78"]
    assert jobs["78"]["time_limit_s"] == 36000


def test_sinfo_names_hosts_and_marks_those_that_do_not_answer() -> None:
    text = """$ sinfo
PARTITION AVAIL  TIMELIMIT  NODES  STATE NODELIST
cpu*           up 180-00:00:      0    n/a
gpu            up 180-00:00:      2   resv gpu-h-[2,5]
gpu            up   infinite      1  drain* gpu-h-7
"""
    hosts = _facts(text)["hosts"]
    assert {name: (host["state"], host["state_flags"]) for name, host in hosts.items()} == {
        "gpu-h-2": ("reserved", []),
        "gpu-h-5": ("reserved", []),
        "gpu-h-7": ("drained", ["not_responding"]),
    }


def test_sinfo_tells_why_hosts_are_down_as_far_as_its_column_is_wide() -> None:
    text = """$ sinfo -R
REASON               USER      TIMESTAMP           NODELIST
Not responding       slurm     2026-05-01T10:00:00 gpu[01-02]
NHC: check_hw_gpu: G root      2026-05-01T10:00:00 gpu07
"""
    assert _facts(text)["hosts"] == {"gpu01": {"reason": "Not responding"}, "gpu02": {"reason": "Not responding"}, "gpu07": {}}


def test_steps_whose_names_the_column_cuts_are_counted() -> None:
    head = "       JobID    JobName  Partition  AllocCPUS      State\n------------ ---------- ---------- ---------- ----------\n"
    steps = "".join(f"488.{name:<9}       step                     1  COMPLETED\n" for name in ("ba+", "ex+", "0"))
    part = _part(f"{head}488               train        gpu          1  COMPLETED\n{steps}")
    assert part.facts["jobs"]["488"]["step_count"] == 3
    assert _whys(part) == []


def test_a_topology_yaml_that_is_cut_is_read_as_far_as_it_goes() -> None:
    text = (
        "---\n- topology: tree1\n  cluster_default: true\n  tree:\n    switches:\n      - switch: s1\n        nodes: node[01-02]\n"
        "- topology: flat1\n  flat: true\n"
    )
    for end in range(4, len(text)):
        for part in read(text[:end].encode()).parts:
            assert set(part.facts.get("topologies", {})) <= {"tree1", "flat1", "flat", "fla", "fl", "f"}
