"""Fabrics that a person writes: leaves, spines, links and jobs, alone and beside what tools saw."""

import re
from pathlib import Path
from typing import Any

import pytest

from advisor.fabric.build import build
from advisor.fabric.oddities import oddities
from tests.fabric.bundles import bundle, capture, site, taken, typed

FORM = """form: 1
hosts:
  - {nics_per_host: 8, nic_rate_gbps: 400}
fabric:
  uplink_rate_gbps: 400
leaves:
  - {name: leaf-1, hosts: "gpu[01-04]", uplinks: 32, pod: A}
  - {name: leaf-2, hosts: "gpu[05-08]", uplinks: 16, uplinks_down: 2, uplink_rate_gbps: 800, pod: A}
  - {name: leaf-3, hosts: "gpu[09-12]", uplinks: 16, pod: B}
spines:
  - {name: s1, pod: A, uplinks: 16, uplink_rate_gbps: 400}
  - {name: s2, pod: A, uplinks: 16, uplink_rate_gbps: 400}
  - {name: s3, pod: B, uplinks: 8, uplinks_down: 8, uplink_rate_gbps: 400}
jobs:
  - {name: j1, between: "gpu[01-02], gpu09"}
"""


def test_a_form_states_three_tiers_with_pods_mixed_speeds_and_dead_uplinks() -> None:
    fabric = build(bundle(typed("site.yaml", FORM)))
    # 4 hosts of 8 x 400 are 12,800 down.
    assert [(leaf.name, leaf.down_gbps, leaf.up_gbps, leaf.uplinks, leaf.uplinks_down, leaf.pod) for leaf in fabric.leaves] == [
        ("leaf-1", 12800, 12800, 32, 0, "A"),
        ("leaf-2", 12800, 12800, 16, 2, "A"),
        ("leaf-3", 12800, 6400, 16, 0, "B"),
    ]
    assert [(pod.name, pod.down_gbps, pod.up_gbps, pod.ratio, pod.uplinks_down) for pod in fabric.pods] == [
        ("A", 25600, 12800, 2, 0),
        ("B", 6400, 3200, 2, 8),
    ]
    assert (fabric.tiers, fabric.tier_ratios) == (3, {"leaf": pytest.approx(1.2), "spine": 2})
    assert (fabric.jobs[0].hosts, fabric.jobs[0].leaves) == (("gpu01", "gpu02", "gpu09"), 2)
    assert fabric.leaves[0].origin is not None
    assert (fabric.leaves[0].origin.kind, fabric.leaves[0].origin.line) == ("stated", 7)
    assert oddities(fabric) == ()


def test_leaves_without_uplinks_of_their_own_have_those_of_the_design() -> None:
    fabric = build(
        bundle(
            site(
                fabric={"uplinks_per_leaf": 8, "uplink_rate_gbps": 400},
                leaves=[
                    {"name": "a", "hosts": ["x"], "host_rate_gbps": 3200},
                    {"name": "b", "hosts": ["y"], "host_rate_gbps": 3200, "uplinks_down": 2},
                ],
            )
        )
    )
    assert [(leaf.up_gbps, leaf.uplinks, leaf.uplinks_down) for leaf in fabric.leaves] == [(3200, 8, 0), (2400, 6, 2)]


def test_stated_rails() -> None:
    leaves = [
        {"name": f"r{n}", "rail": n, "hosts": ["a", "b"], "host_rate_gbps": 400, "uplinks": 1, "uplink_rate_gbps": 400} for n in (1, 2)
    ]
    fabric = build(bundle(site(leaves=leaves)))
    assert (fabric.rails, fabric.hosts["a"].leaves, [rail.ratio for rail in fabric.leaves[0].members]) == (2, ("r1", "r2"), [2, 2])


@pytest.mark.parametrize("row", ["gpu-1,leaf-1", "leaf-1,gpu-1", "node7,rack-3", "a1,b1"])
def test_either_end_may_stand_first_where_it_can_be_told(row: str) -> None:
    first, second = row.split(",")
    host, leaf = (second, first) if first.startswith("leaf") else (first, second)
    fabric = build(bundle(typed("l.csv", f"from,to,rate_gbps\n{row},400\n")))
    assert (set(fabric.hosts), fabric.hosts[host].leaf) == ({host}, leaf)


def test_hosts_that_jobs_name_are_hosts_whichever_end() -> None:
    links = typed("l.csv", "from,to,rate_gbps\nx1,n1,400\nx1,n2,400\nx1,n3,400\n")
    fabric = build(bundle(links, typed("j.csv", "job,hosts\nj,n1 n2\n")))
    assert (set(fabric.hosts), fabric.jobs[0].leaves) == ({"n1", "n2", "n3"}, 1)


def test_jobs_of_a_table_keep_the_order_of_ranks() -> None:
    fabric = build(bundle(typed("j.csv", "job,hosts,kind\nj,gpu[7-8],training\nj,gpu2,\nk,gpu9,inference\n")))
    assert [(job.name, job.hosts, job.kind, job.host_count) for job in fabric.jobs] == [
        ("j", ("gpu7", "gpu8", "gpu2"), "training", 3),
        ("k", ("gpu9",), "inference", 1),
    ]
    assert fabric.jobs[0].origin is not None
    assert (fabric.jobs[0].origin.kind, fabric.jobs[0].origin.line) == ("stated", 2)


def test_the_tables_of_the_documentation() -> None:
    page = (Path(__file__).parents[2] / "docs" / "using.md").read_text(encoding="utf-8")
    links, jobs = (re.search(rf"^```\n({head}\n.*?)^```", page, re.MULTILINE | re.DOTALL) for head in ("from,to,.*?", "job,hosts"))
    assert links
    assert jobs
    fabric = build(bundle(typed("links.csv", links[1]), typed("jobs.csv", jobs[1])))
    (leaf,) = fabric.leaves
    # 16 hosts x 8 x 400 down; 4 spines x 8 x 400 up; each spine 2 x 2 x 800 to the core.
    assert (leaf.down_gbps, leaf.up_gbps, leaf.uplinks, leaf.uplinks_down) == (51200, 12800, 32, 1)
    assert (fabric.tiers, fabric.pods[0].up_gbps) == (3, 12800)
    assert [(job.name, len(job.hosts), job.leaves) for job in fabric.jobs] == [("train-a", 8, 1), ("train-b", 5, 1)]
    assert oddities(fabric) == ()


def test_what_tools_saw_goes_before_what_a_person_wrote_and_both_are_shown() -> None:
    wrote = typed("site.yaml", "form: 1\nleaves:\n  - {name: ib-leaf-11, hosts: [gpu-1101, gpu-1201], uplinks: 4, uplink_rate_gbps: 40}\n")
    fabric = build(bundle(taken("fat-tree-three-tiers.ibnetdiscover.txt"), wrote))
    assert [(leaf.up_gbps, len(leaf.hosts)) for leaf in fabric.leaves] == [(80, 4)] * 4
    assert {(c.thing, c.figure): (c.values, c.used) for c in fabric.conflicts} == {
        ("gpu-1201", "leaf"): (("ib-leaf-12", "ib-leaf-11"), "ib-leaf-12"),
        ("ib-leaf-11", "uplinks"): (("2", "4"), "2"),
    }
    (uplinks,) = [conflict for conflict in fabric.conflicts if conflict.figure == "uplinks"]
    assert [origin.name for origin in uplinks.origins] == ["fat-tree-three-tiers.ibnetdiscover.txt", "site.yaml"]


def test_what_a_person_wrote_of_devices_that_no_tool_saw_is_taken() -> None:
    wrote = typed("l.csv", "from,to,rate_gbps,count\ngpu-9,leaf-9,40,1\nleaf-9,ib-spine-11,40,1\n")
    fabric = build(bundle(taken("fat-tree-three-tiers.ibnetdiscover.txt"), wrote))
    (leaf,) = [leaf for leaf in fabric.leaves if leaf.name == "leaf-9"]
    assert (leaf.hosts, leaf.ratio, leaf.pod) == (("gpu-9",), 1, fabric.pods[0].name)
    assert fabric.conflicts == ()


def test_a_stated_design_that_cables_contradict_is_shown_and_the_cables_count() -> None:
    stated = {"uplinks_per_leaf": 4.0, "uplink_rate_gbps": 40.0, "leaf_count": 2.0, "spine_count": 16.0, "tiers": 2.0}
    fabric = build(bundle(taken("fat-tree-three-tiers.ibnetdiscover.txt"), site(fabric=stated)))
    assert {(c.thing, c.figure, c.values, c.used) for c in fabric.conflicts} == {
        ("fabric", "uplinks_per_leaf", ("2", "4"), "2"),
        ("fabric", "leaf_count", ("4", "2"), "4"),
        ("fabric", "tiers", ("3", "2"), "3"),
    }
    assert (fabric.leaves[0].uplinks, fabric.tiers) == (2, 3)
    assert [origin.kind for origin in fabric.conflicts[0].origins] == ["capture", "stated"]


def test_parts_that_no_written_link_joins() -> None:
    rows = "".join(f"h{n},leaf-{n},400\nleaf-{n},spine-{n},400\n" for n in (1, 2))
    (odd,) = oddities(build(bundle(typed("l.csv", "from,to,rate_gbps\n" + rows))))
    assert (odd.kind, odd.thing, odd.origin and odd.origin.line) == ("parts-apart", "h2", 4)


def test_agreement_is_no_conflict() -> None:
    wrote = typed(
        "l.csv", "from,to,rate_gbps,count\ngpu-11[01-04],ib-leaf-11,40,1\nib-leaf-11,ib-spine-11,40,1\nib-leaf-11,ib-spine-12,40,1\n"
    )
    assert build(bundle(taken("fat-tree-three-tiers.ibnetdiscover.txt"), wrote)).conflicts == ()


@pytest.mark.parametrize(
    ("text", "kind", "line"),
    [
        ("from,to,rate_gbps,count\ngpu-1,leaf-1,-400,1\n", "negative", 2),
        ("from,to,rate_gbps,count\ngpu-1,leaf-1,400,1\nleaf-1,leaf-1,400,1\n", "link-to-itself", 3),
        ("from,to,rate_gbps,count\ngpu-[1-,leaf-1,400,1\n", "bad-list", 2),
        ("from,to,rate_gbps,count\ngpu-1,,400,1\n", "empty-cell", 2),
        ("from,to,rate_gbps,count\ngpu-1,leaf-1,0,1\n", "zero-rate", 2),
        ("from,to,rate_gbps,count\ngpu-1,leaf-1,400,1.5\n", "not-whole", 2),
        ("form: 1\nleaves:\n  - {name: l, hosts: a, uplinks: 1.5}\n", "not-whole", 3),
        ("form: 1\nleaves:\n  - {name: l, uplinks: 4}\n", "leaf-without-hosts", 3),
        ("form: 1\njobs:\n  - {name: j, between: 'a[1'}\n", "bad-list", 3),
        ("form: 1\nleaves:\n  - {name: l, hosts: a, uplinks: -1}\n", "negative", 3),
    ],
)
def test_nonsense_is_named_with_its_file_and_line(text: str, kind: str, line: int) -> None:
    found = [oddity for oddity in oddities(build(bundle(typed("hall", text)))) if oddity.kind == kind]
    assert [(o.origin.name, o.origin.line) for o in found if o.origin] == [("hall", line)]


def test_a_list_without_end_is_named_and_not_built() -> None:
    text = "from,to\nh[1-1000],s[1-1000]\n"
    (odd,) = [oddity for oddity in oddities(build(bundle(typed("l.csv", text)))) if oddity.kind == "bad-list"]
    assert odd.origin is not None
    assert odd.origin.line == 2


def test_a_leaf_with_two_links_down_only_has_no_capacity() -> None:
    fabric = build(bundle(site(leaves=[{"name": "l", "hosts": ["a"], "uplinks": 0, "uplinks_down": 2}])))
    assert (fabric.leaves[0].up_gbps, fabric.leaves[0].uplinks_down, fabric.one_leaf) == (0, 2, False)
    assert [oddity.kind for oddity in oddities(fabric)] == ["leaf-without-uplinks"]


def test_groups_of_links_without_names_stay_groups() -> None:
    fabric = build(bundle(site(links=[{"tier": "leaf-uplink", "rate_gbps": 400, "used_percent": [10.0, 90.0]}])))
    assert [(link.a.device, link.utilisation) for link in fabric.links] == [("*", 0.1), ("*", 0.9)]


def _cables(hosts: int) -> Any:
    switches: dict[str, Any] = {}
    for leaf in range(hosts // 16):
        ports = {str(p): {"rate_gbps": 400.0, "peer_device": f"gpu-{leaf:04d}{p:02d} mlx5_0", "peer_port": 1} for p in range(16)}
        spines = {str(20 + s): {"rate_gbps": 400.0, "peer_device": f"spine-{leaf // 16}-{s}", "peer_port": leaf % 16} for s in range(8)}
        switches[f"leaf-{leaf}"] = {"ports": ports | spines}
        switches.setdefault(
            f"spine-{leaf // 16}-0", {"ports": {"30": {"rate_gbps": 400.0, "peer_device": "core-0", "peer_port": leaf // 16 + 1}}}
        )
    return bundle(capture("ib.txt", ("ibnetdiscover", {"switches": switches})))


def _table(hosts: int) -> Any:
    leaves = [
        {"name": f"leaf-{n}", "hosts": [f"g{n}-{h}" for h in range(16)], "host_rate_gbps": 400.0, "uplinks": 8.0, "uplink_rate_gbps": 400.0}
        for n in range(hosts // 16)
    ]
    jobs = [{"name": f"j{n}", "between": [f"g{n}-{h}" for h in range(16)]} for n in range(hosts // 16)]
    return bundle(site(leaves=leaves, jobs=jobs))


@pytest.mark.parametrize("make", [_cables, _table])
def test_ten_times_the_hosts_take_about_ten_times_as_long(make: Any) -> None:
    import gc
    from time import process_time

    def cost(hosts: int) -> float:
        site_of = make(hosts)
        gc.collect()
        gc.disable()  # what other tests left behind is not searched on this one's account
        try:
            begin = process_time()
            fabric = build(site_of)
            assert oddities(fabric) == ()
            assert len(fabric.hosts) == hosts
            return process_time() - begin
        finally:
            gc.enable()

    small = min(cost(1024) for _ in range(3))
    large = min(cost(10_240) for _ in range(2))
    assert large < 20 * small  # twice of linear, for noise; the square would be a hundred times
