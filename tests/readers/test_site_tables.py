"""Tables that a person writes: what each row says, and a sentence with its line where it says nothing that can be."""

from typing import Any

import pytest

from advisor.evidence.reading import Part
from advisor.readers.recognise import read


def _part(text: str) -> Part:
    (part,) = read(text.encode(), "table.csv").parts
    assert part.tool == "site"
    return part


def test_links_with_lists_of_names_and_their_lines() -> None:
    part = _part("# our hall\nfrom,to,rate_gbps,count,state\ngpu[01-03],leaf-1,400,,\nleaf-1,spine-1,800,2,down\n")
    assert part.facts["links"] == [
        {"from": ["gpu01", "gpu02", "gpu03"], "to": ["leaf-1"], "rate_gbps": 400},
        {"from": ["leaf-1"], "to": ["spine-1"], "rate_gbps": 800, "count": 2, "state": "down"},
    ]
    assert [part.line_of(("links", str(i))) for i in range(2)] == [3, 4]
    assert not part.problems


@pytest.mark.parametrize("sign", [",", ";", "\t"])
def test_jobs_keep_the_order_of_their_hosts_over_several_rows(sign: str) -> None:
    rows = [["job", "hosts", "kind"], ["a", "gpu[07-08] gpu02", "training"], ["b", "gpu05", ""], ["a", "gpu01", ""]]
    part = _part("\n".join(sign.join(row) for row in rows) + "\n")
    assert part.facts["jobs"] == [
        {"name": "a", "between": ["gpu07", "gpu08", "gpu02", "gpu01"], "kind": "training"},
        {"name": "b", "between": ["gpu05"]},
    ]


def test_a_quoted_list_with_commas_is_one_cell() -> None:
    assert _part('job,hosts\nx,"a1, a2, b[3-4]"\n').facts["jobs"] == [{"name": "x", "between": ["a1", "a2", "b3", "b4"]}]


@pytest.mark.parametrize(
    ("row", "why", "kept"),
    [
        ("a,b,-400,1,up", "negative", {"from": ["a"], "to": ["b"], "count": 1, "state": "up"}),
        ("a,b,fast,1,up", "not-a-number", {"from": ["a"], "to": ["b"], "count": 1, "state": "up"}),
        (",b,400,1,up", "empty-cell", None),
        ("a[1-,b,400,1,up", "bad-list", None),
        ("a,b,400,1,up,more", "damaged", None),
        ("a", "damaged", None),
    ],
)
def test_what_cannot_be_is_a_problem_with_its_line(row: str, why: str, kept: dict[str, Any] | None) -> None:
    part = _part(f"from,to,rate_gbps,count,state\nx,y,400,1,up\n{row}\n")
    assert [(problem.line, problem.why) for problem in part.problems] == [(3, why)]
    assert part.facts["links"][1:] == ([kept] if kept else [])


def test_a_column_that_the_form_does_not_have() -> None:
    part = _part("from,to,rate_gbps,colour\na,b,400,red\n")
    assert [(problem.line, problem.why, problem.detail) for problem in part.problems] == [(1, "unknown-key", "links.colour")]
    assert part.facts["links"] == [{"from": ["a"], "to": ["b"], "rate_gbps": 400}]


def test_other_tables_are_not_taken() -> None:
    for text in ("from,subject,to\nme,hello,you\n", "time,from,to,latency,loss,hops,ttl\n1,a,b,2,3,4,5\n", "job,owner\na,b\n"):
        assert not [part for part in read(text.encode(), "x.csv").parts if part.tool == "site"]


def test_the_yaml_form_takes_lists_of_names_and_no_negative_figure() -> None:
    (part,) = read(
        b"form: 1\nleaves:\n  - name: l1\n    hosts: gpu[1-2]\n    uplinks: -4\njobs:\n  - {name: j, between: [gpu1, gpu2]}\n", "s.yaml"
    ).parts
    assert part.facts["leaves"] == [{"name": "l1", "hosts": ["gpu1", "gpu2"]}]
    assert part.facts["jobs"] == [{"name": "j", "between": ["gpu1", "gpu2"]}]
    assert [(p.line, p.why, p.detail) for p in part.problems] == [(5, "negative", "-4")]
