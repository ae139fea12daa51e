"""The statements form: what it takes, what it says of the rest, and that its template is itself."""

from pathlib import Path

import pytest

from advisor.readers.recognise import read
from advisor.usecases.template import site_form

SHARED = Path(__file__).parents[3] / "shared" / "cases"


def _facts(text: str) -> dict:
    (part,) = read(text.encode()).parts
    return {name: section for name, section in part.facts.items() if name != "form"}


def test_unknown_is_not_no() -> None:
    facts = _facts("form: 1\nobservations:\n  gdr_used: no\n  rdma_used: yes\n  mtu_equal: unknown\n  one_host_slow:\n")
    assert facts["observations"] == {"gdr_used": False, "rdma_used": True}


def test_a_list_of_repeats_keeps_its_order() -> None:
    assert _facts("form: 1\nruns:\n  - {label: far, busbw_gBps: [201, 264, 188]}\n")["runs"][0]["busbw_gBps"] == [201, 264, 188]


def test_an_empty_list_is_a_known_nothing() -> None:
    assert _facts("form: 1\nflow_control:\n  - {side: host, pfc_priorities: []}\n")["flow_control"] == [
        {"side": "host", "pfc_priorities": []}
    ]


def test_versions_stay_text() -> None:
    assert _facts('form: 1\nchanges:\n  - {what: nccl, from: "2.10", to: "2.18"}\n')["changes"][0]["from"] == "2.10"


def test_an_unknown_key_is_a_problem_with_its_line() -> None:
    (part,) = read(b"form: 1\nsite:\n  name: x\n  colour: red\nweather: fine\n").parts
    assert [(p.line, p.why, p.detail) for p in part.problems] == [(4, "unknown-key", "site.colour"), (5, "unknown-key", "weather")]
    assert part.facts == {"form": 1, "site": {"name": "x"}}


def test_a_word_for_a_number_is_a_problem() -> None:
    (part,) = read(b"form: 1\nfabric:\n  ratio: 2:1\n  tiers: 2\n").parts
    assert [(p.line, p.why) for p in part.problems] == [(3, "not-a-number")]
    assert part.facts == {"form": 1, "fabric": {"tiers": 2}}


def test_every_fact_has_its_line() -> None:
    (part,) = read(b"# a remark\nform: 1\nruns:\n  - label: a\n    rate_gbps: 380\n  - label: b\n    rate_gbps: 190\n").parts
    assert part.line_of(("runs", "1", "rate_gbps")) == 7
    assert part.line_of(("runs", "0", "label")) == 4


def test_a_form_that_is_no_yaml_gives_no_facts_and_says_where() -> None:
    reading = read(b"form: 1\nsite: {name: x\nruns: [\n")
    assert [problem.line for part in reading.parts for problem in part.problems] == [3]


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_template_is_the_form(lang: str) -> None:
    reading = read(site_form(lang).encode())  # type: ignore[arg-type]
    assert all(not part.problems for part in reading.parts)
    assert [dict(part.facts) for part in reading.parts] == [{"form": 1}]
    filled = site_form(lang).replace("  scheduler:", "  scheduler: slurm", 1)  # type: ignore[arg-type]
    assert _facts(filled) == {"site": {"scheduler": "slurm"}}


@pytest.mark.skipif(not SHARED.is_dir(), reason="the shared cases are not here")
@pytest.mark.parametrize("case", sorted(SHARED.glob("*/site.yaml")), ids=lambda path: path.parent.name)
def test_public_reports_fit_the_form(case: Path) -> None:
    (part,) = read(case.read_bytes()).parts
    assert part.problems == ()
