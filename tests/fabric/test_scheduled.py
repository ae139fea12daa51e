"""Places of hosts by schedulers, topograph, labels and UFM."""

import json
from typing import Any

import pytest

from advisor.fabric.build import build
from advisor.fabric.labels import labels
from advisor.fabric.oddities import oddities
from tests.fabric.bundles import bundle, capture, typed

TREE = """SwitchName=core Switches=agg[1-2]
SwitchName=agg1 Switches=tor[1-2]
SwitchName=agg2 Switches=tor3
SwitchName=tor1 Nodes=n[01-02]
SwitchName=tor2 Nodes=n[03-04]
SwitchName=tor3 Nodes=n[05-06]
"""
MODEL = """switches:
  core:
    switches: [agg1, agg2]
  agg1:
    switches: [tor1, tor2]
  agg2:
    switches: [tor3]
  tor1:
    nodes: ["n[01-02]"]
  tor2:
    nodes: ["n[03-04]"]
  tor3:
    nodes: ["n[05-06]"]
nodes:
  n01: {capacity_block: b1}
  n02: {}
  n03: {}
  n04: {}
  n05: {}
  n06: {}
"""
PLACES = {"n01": ("tor1", "agg1"), "n03": ("tor2", "agg1"), "n05": ("tor3", "agg2")}


def _instances() -> str:
    rows = [("n01", "tor1", "agg1"), ("n02", "tor1", "agg1"), ("n03", "tor2", "agg1"), ("n05", "tor3", "agg2")]
    return json.dumps({"instances": [{"id": host, "network_layers": [leaf, spine, "core"]} for host, leaf, spine in rows]})


def _nodes(keys: tuple[str, str, str]) -> str:
    rows = {"n01": ("tor1", "agg1"), "n02": ("tor1", "agg1"), "n03": ("tor2", "agg1"), "n05": ("tor3", "agg2")}
    items = [
        {
            "kind": "Node",
            "metadata": {"name": host, "labels": dict(zip(keys, (leaf, spine, "core"), strict=True))},
            "spec": {},
            "status": {},
        }
        for host, (leaf, spine) in rows.items()
    ]
    return json.dumps({"apiVersion": "v1", "kind": "List", "items": items}, indent=1)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("topology.conf", TREE),
        ("model.yaml", MODEL),
        ("graph.json", _instances()),
        (
            "nodes.json",
            _nodes(("network.topology.nvidia.com/leaf", "network.topology.nvidia.com/spine", "network.topology.nvidia.com/core")),
        ),
        (
            "older.json",
            _nodes(("network.topology.nvidia.com/block", "network.topology.nvidia.com/spine", "network.topology.nvidia.com/datacenter")),
        ),
        ("newer.json", _nodes(("fabric.topograph.run/tier-0", "fabric.topograph.run/tier-1", "fabric.topograph.run/tier-2"))),
        (
            "aws.json",
            _nodes(
                ("topology.k8s.aws/network-node-layer-3", "topology.k8s.aws/network-node-layer-2", "topology.k8s.aws/network-node-layer-1")
            ),
        ),
    ],
)
def test_every_form_of_topograph_and_slurm_tells_leaves_and_pods(name: str, text: str) -> None:
    fabric = build(bundle(typed(name, text)))
    pod_of = {leaf.name: leaf.pod for leaf in fabric.leaves}
    found = {host: (fabric.hosts[host].leaf, pod_of[str(fabric.hosts[host].leaf)]) for host in PLACES}
    assert found == PLACES
    assert (fabric.tiers, {pod.name: pod.leaves for pod in fabric.pods}) == (3, {"agg1": ("tor1", "tor2"), "agg2": ("tor3",)})
    assert not fabric.conflicts


def test_two_levels_are_no_pods() -> None:
    fabric = build(
        bundle(typed("topology.conf", "SwitchName=top Switches=tor[1-2]\nSwitchName=tor1 Nodes=a[1-2]\nSwitchName=tor2 Nodes=a[3-4]\n"))
    )
    assert (fabric.pods, [leaf.pod for leaf in fabric.leaves], fabric.tiers) == ((), [None, None], None)


def test_blocks_stand_for_leaves_where_nothing_else_tells() -> None:
    blocks = "BlockName=b1 Nodes=n[01-04]\nBlockName=b2 Nodes=n[05-08]\nBlockSizes=4\n"
    fabric = build(bundle(typed("topology.conf", blocks)))
    assert {leaf.name: leaf.hosts for leaf in fabric.leaves} == {"b1": ("n01", "n02", "n03", "n04"), "b2": ("n05", "n06", "n07", "n08")}
    with_tree = build(bundle(typed("blocks.conf", blocks), typed("tree.conf", TREE)))
    assert [leaf.name for leaf in with_tree.leaves] == ["tor1", "tor2", "tor3"]


def test_accelerator_domains_stand_for_leaves_only_without_switches() -> None:
    def nodes(**more: str) -> Any:
        labels_of = {host: {"network.topology.nvidia.com/accelerator": domain, **more} for host, domain in (("a", "d1"), ("b", "d2"))}
        return capture("nodes", ("kubectl-get", {"hosts": {host: {"labels": carried} for host, carried in labels_of.items()}}))

    assert [leaf.name for leaf in build(bundle(nodes())).leaves] == ["d1", "d2"]
    assert [leaf.name for leaf in build(bundle(nodes(**{"network.topology.nvidia.com/leaf": "tor"}))).leaves] == ["tor"]


def test_a_sites_own_levels_name_its_racks() -> None:
    levels = capture("kueue", ("k8s-topology", {"levels": ["zone", "example.org/rack", "kubernetes.io/hostname"]}))
    nodes = capture("nodes", ("kubectl-get", {"hosts": {h: {"labels": {"example.org/rack": r}} for h, r in (("a", "r1"), ("b", "r2"))}}))
    fabric = build(bundle(levels, nodes))
    assert {host.name: host.leaf for host in fabric.hosts.values()} == {"a": "r1", "b": "r2"}


def test_groups_that_two_sources_draw_differently_are_a_conflict() -> None:
    other = "SwitchName=top Switches=x[1-2]\nSwitchName=x1 Nodes=n01,n03\nSwitchName=x2 Nodes=n05\n"
    labelled = capture(
        "nodes", ("kubectl-get", {"hosts": {h: {"labels": {"network.topology.nvidia.com/leaf": "one"}} for h in ("n01", "n05")}})
    )
    (conflict,) = build(bundle(typed("tree.conf", other), labelled)).conflicts
    assert (conflict.thing, conflict.figure, conflict.used) == ("one", "hosts", "x1 x2")
    agree = capture(
        "nodes", ("kubectl-get", {"hosts": {h: {"labels": {"network.topology.nvidia.com/leaf": "rack-7"}} for h in ("n01", "n02")}})
    )
    assert build(bundle(typed("tree.conf", TREE), agree)).conflicts == ()


def test_a_switch_above_itself_is_named_once_with_its_line() -> None:
    text = "SwitchName=a Switches=b,tor1\nSwitchName=b Switches=c\nSwitchName=c Switches=a\nSwitchName=tor1 Nodes=n1\n"
    found = [oddity for oddity in oddities(build(bundle(typed("topology.conf", text)))) if oddity.kind == "cycle"]
    assert [(odd.thing, odd.detail, odd.origin and odd.origin.line) for odd in found] == [("a", "a > c > b > a", 1)]


def test_every_label_names_a_source_that_is_listed() -> None:
    assert len({(label.tier, label.label) for label in labels()}) == len(labels()) > 10


# --- UFM --------------------------------------------------------------------------------------------------------

_SYSTEMS = {
    "leaf-1": {"guid": "00000000000000a1", "kind": "switch", "role": "tor"},
    "top": {"guid": "00000000000000a9", "kind": "switch", "role": "core"},
    "gpu-1": {"guid": "00000000000000b1", "kind": "host", "role": "endpoint"},
    "gpu-2": {"guid": "00000000000000b2", "kind": "host", "role": "endpoint"},
}
_LINKS = [
    ("00000000000000a1", 1, "00000000000000b1", 1, "1", "HCA-1/1", "leaf-1:1", "gpu-1 HCA-1"),
    ("00000000000000b2", 1, "00000000000000a1", 2, "HCA-1/1", "2", "gpu-2 mlx5_0", "leaf-1:2"),
    ("00000000000000a1", 33, "00000000000000a9", 1, "33", "1", "leaf-1:33", "top:1"),
]


def _ufm_links(described: bool) -> str:
    rows = []
    for guid, port, far, far_port, label, far_label, text, far_text in _LINKS:
        row = {"source_guid": guid, "source_port": str(port), "destination_guid": far, "destination_port": str(far_port), "width": "4x"}
        row |= {"source_port_dname": label, "destination_port_dname": far_label}
        rows.append(row | ({"source_port_node_description": text, "destination_port_node_description": far_text} if described else {}))
    return json.dumps(rows, indent=1)


def _ufm_ports() -> dict[str, Any]:
    ndr = {"state": "active", "rate_gbps": 400, "width": 4}
    ports = {f"leaf-1/{n}": ndr for n in (1, 2)} | {"leaf-1/33": ndr | {"rate_gbps": 800}}
    return ports | {"gpu-1/1": ndr | {"label": "HCA-1/1"}, "gpu-2/1": ndr | {"node_description": "gpu-2 mlx5_0"}}


@pytest.mark.parametrize("described", [True, False])
def test_links_and_systems_of_ufm_make_a_fabric(described: bool) -> None:
    fabric = build(
        bundle(
            typed("links.json", _ufm_links(described)),
            capture("systems.json", ("ufm", {"systems": _SYSTEMS})),
            capture("ports.json", ("ufm", {"ports": _ufm_ports()})),
        )
    )
    assert {name: switch.tier for name, switch in fabric.switches.items()} == {"leaf-1": "leaf", "top": "spine"}
    assert set(fabric.hosts) == {"gpu-1", "gpu-2"}
    (leaf,) = fabric.leaves
    assert (leaf.hosts, leaf.down_gbps, leaf.up_gbps, leaf.ratio) == (("gpu-1", "gpu-2"), 800, 800, 1)
    assert oddities(fabric) == ()


def test_a_table_of_links_from_ufms_pages() -> None:
    head = "Source Node,Source Port,Destination Node,Destination Port,Width,Severity\n"
    text = head + "leaf-1:1,1,gpu-1 HCA-1,1,4x,Info\nleaf-1:33,33,top:1,1,4x,Info\n"
    fabric = build(bundle(typed("links.csv", text)))
    assert (fabric.hosts["gpu-1"].leaf, set(fabric.switches)) == ("leaf-1", {"leaf-1", "top"})


# --- jobs -------------------------------------------------------------------------------------------------------


def test_jobs_of_kubernetes_by_their_workers_in_order_of_rank() -> None:
    wide = """NAMESPACE   NAME               READY   STATUS    RESTARTS   AGE   IP           NODE    NOMINATED NODE   READINESS GATES
team        llm-worker-1       1/1     Running   0          3h    10.0.0.2     n03     <none>           <none>
team        llm-worker-0       1/1     Running   0          3h    10.0.0.1     n05     <none>           <none>
team        llm-worker-2       1/1     Running   0          3h    10.0.0.3     n01     <none>           <none>
team        web-7f9c-abcde     1/1     Running   0          9d    10.0.0.9     n02     <none>           <none>
"""
    fabric = build(bundle(typed("kubectl_get_pods_-A_-o_wide.txt", wide), typed("tree.conf", TREE)))
    (job,) = fabric.jobs
    assert (job.name, job.hosts, job.leaves, job.leaves_needed) == ("team/llm", ("n05", "n03", "n01"), 3, 2)
    pods = {"kind": "PodList", "apiVersion": "v1", "items": []}
    items: list[Any] = []
    for name, node in (("llm-worker-1", "n03"), ("llm-worker-0", "n05")):
        items.append(
            {"kind": "Pod", "metadata": {"name": name, "namespace": "t"}, "spec": {"nodeName": node}, "status": {"phase": "Running"}}
        )
    (other,) = build(bundle(typed("pods.json", json.dumps(pods | {"items": items}, indent=1)))).jobs
    assert (other.name, other.hosts) == ("t/llm", ("n05", "n03"))


def _pod(name: str, node: str, labels_of: dict[str, str], gpus: int = 8, phase: str = "Running") -> dict[str, Any]:
    containers = [{"name": "main", "resources": {"limits": {"nvidia.com/gpu": str(gpus)}}}]
    spec = {"nodeName": node, "containers": containers}
    return {"kind": "Pod", "metadata": {"name": name, "namespace": "t", "labels": labels_of}, "spec": spec, "status": {"phase": phase}}


def _jobs(*items: dict[str, Any]) -> list[tuple[str, tuple[str, ...], int | None]]:
    text = json.dumps({"kind": "PodList", "apiVersion": "v1", "items": list(items)}, indent=1)
    return [(job.name, job.hosts, job.gpu_count) for job in build(bundle(typed("pods.json", text))).jobs]


def test_the_master_of_a_training_operators_job_is_its_first_rank() -> None:
    def worker(role: str, index: int, node: str) -> dict[str, Any]:
        keys = {"job-name": "llm", "replica-type": role, "replica-index": str(index)}
        return _pod(f"llm-{role}-{index}", node, {f"training.kubeflow.org/{key}": value for key, value in keys.items()})

    workers = [worker("worker", 10, "n4"), worker("worker", 9, "n3"), worker("worker", 0, "n2"), worker("master", 0, "n9")]
    assert _jobs(*workers) == [("t/llm", ("n9", "n2", "n3", "n4"), 32)]
    assert _jobs(*workers, worker("launcher", 0, "head")) == [("t/llm", ("n9", "n2", "n3", "n4"), 32)]
    bare = [_pod(f"llm-{role}-{index}", node, {}) for role, index, node in (("worker", 0, "n2"), ("master", 0, "n9"))]
    assert _jobs(*bare) == [("t/llm", ("n9", "n2"), 16)]


def test_jobs_of_jobsets_and_indexed_jobs() -> None:
    def of_set(job: int, index: int, node: str) -> dict[str, Any]:
        keys = {
            "jobset.sigs.k8s.io/jobset-name": "js",
            "jobset.sigs.k8s.io/job-index": str(job),
            "batch.kubernetes.io/job-name": f"js-w-{job}",
        }
        return _pod(f"js-w-{job}-{index}-x7k2p", node, keys | {"batch.kubernetes.io/job-completion-index": str(index)})

    assert _jobs(of_set(1, 0, "c"), of_set(0, 1, "b"), of_set(0, 0, "a")) == [("t/js", ("a", "b", "c"), 24)]
    indexed = {"batch.kubernetes.io/job-name": "ix"}
    pods = [_pod(f"ix-{n}-abcde", f"h{n}", indexed | {"batch.kubernetes.io/job-completion-index": str(n)}, gpus=4) for n in (1, 0)]
    assert _jobs(*pods, _pod("ix-9-zzzzz", "h9", indexed, phase="Succeeded")) == [("t/ix", ("h0", "h1"), 8)]
    assert (
        _jobs(
            _pod("plain-abcde", "h1", {"batch.kubernetes.io/job-name": "plain"}),
            _pod("plain-fghij", "h2", {"batch.kubernetes.io/job-name": "plain"}),
        )
        == []
    )


# --- LLDP as hosts tell it --------------------------------------------------------------------------------------


def _lldp(host: str, *rows: tuple[str, str, str]) -> Any:
    """A host's neighbours: interface, switch, port."""
    ports = {netdev: {"state": "active", "rate_gbps": 400, "netdev": netdev} for netdev, _, _ in rows}
    neighbours = {netdev: {"peer_device": switch, "peer_port": port} for netdev, switch, port in rows}
    return capture(f"{host}/lldp", ("lldpctl", {"interfaces": neighbours}), ("ethtool", {"interfaces": ports}), host=host)


def test_hosts_tell_their_leaves_by_lldp() -> None:
    hosts = [_lldp(f"gpu-{n}", ("ens1", "rack-a", f"swp{n}"), ("ens2", "rack-b", f"swp{n}"), ("ens3", "rack-c", f"swp{n}")) for n in (1, 2)]
    fabric = build(bundle(*hosts))
    assert {name: switch.tier for name, switch in fabric.switches.items()} == {"rack-a": "leaf", "rack-b": "leaf", "rack-c": "leaf"}
    assert (fabric.hosts["gpu-1"].leaves, fabric.rails) == (("rack-a", "rack-b", "rack-c"), 3)
    assert [(link.a.device, link.rate_gbps) for link in fabric.links] == [("gpu-1", 400)] * 3 + [("gpu-2", 400)] * 3


def test_a_cable_that_both_ends_tell_of_is_one() -> None:
    switch = {"swp1": {"state": "active", "rate_gbps": 400, "peer_device": "gpu-1", "peer_port": "50:00:00:aa:00:01"}}
    switch["swp60"] = {"state": "active", "rate_gbps": 400, "peer_device": "spine-1", "peer_port": "swp1"}
    leaf = capture("leaf", ("cumulus-nvue", {"interfaces": switch}), host="leaf-1")
    fabric = build(bundle(leaf, _lldp("gpu-1", ("ens1", "leaf-1", "swp1"))))
    assert [leaf.down_gbps for leaf in fabric.leaves] == [400]
    assert len(fabric.links) == 2
