"""How a verdict stands up: where the walk ended, what hangs on which measure, which open answer would turn it, what a person overrules."""

from collections.abc import Callable

from advisor.diagnosis.diagnose import Overrule, diagnose
from advisor.diagnosis.verdict import Diagnosis
from advisor.fabric.build import build
from tests.diagnosis.conftest import bundle_of

Diagnosed = Callable[..., Diagnosis]
GDR = """form: 1
site: {fabric: ib}
hosts:
  - {count: 2, gpus_per_host: 8, nics_per_host: 8, nic_rate_gbps: 200}
runs:
  - {label: pair, what: all_reduce, hosts: 2, algorithm: ring, size_bytes: 8589934592, busbw_gBps: 84}
observations:
  gdr_used: no
"""
BAD_CABLE = "form: 1\nsite: {fabric: ib}\nobservations: {port_errors_growing: yes, one_host_slow: yes}\n"


def test_the_measure_that_the_verdict_hangs_on_is_named(diagnosed: Diagnosed) -> None:
    said = diagnosed(site_yaml=GDR)
    turning = {one.measure: one.verdict for one in said.without if one.turns}
    assert turning["gdr_used"] == "undetermined" == diagnosed(frozenset({"gdr_used"}), site_yaml=GDR).verdict
    alone = next(one for one in said.without if one.measure == "gdr_used")
    assert abs(alone.confidence - diagnosed(frozenset({"gdr_used"}), site_yaml=GDR).confidence) < 1e-9


def test_every_measure_without_which_it_stands_is_what_setting_it_aside_gives(diagnosed: Diagnosed) -> None:
    more = GDR + "  gdr_module_loaded: no\n  perftest_at_line_rate: yes\n"
    for one in diagnosed(site_yaml=more).without:
        assert diagnosed(frozenset({one.measure}), site_yaml=more).verdict == one.verdict, one.measure


def test_an_open_answer_that_would_turn_it_does_so_when_it_is_given(diagnosed: Diagnosed) -> None:
    vague = "form: 1\nsite: {fabric: roce, use: training}\nobservations: {varies_between_runs: yes}\n"
    said = diagnosed(site_yaml=vague)
    assert said.verdict == "undetermined"
    assert said.turns
    for turn in said.turns:
        answered = vague.replace("{varies", f"{{{turn.measure}: {turn.value}, varies")
        if f"{turn.measure}: " in answered and turn.measure in _form_signs():
            assert diagnosed(site_yaml=answered).verdict == turn.verdict, turn.measure


def _form_signs() -> set[str]:
    from advisor.diagnosis.measures.stated import SIGNS

    return set(SIGNS)


def test_the_walk_ends_at_a_fault_of_host_or_link_before_all_else(diagnosed: Diagnosed) -> None:
    said = diagnosed(site_yaml=BAD_CABLE)
    assert said.stop is not None
    assert (said.stop.gate, said.stop.state) == ("link", "faulty")
    assert "cannot be judged" in said.stop.text.en


def test_the_walk_of_an_open_verdict_ends_where_data_is_missing(diagnosed: Diagnosed) -> None:
    said = diagnosed(site_yaml="form: 1\nsite: {fabric: ib}\n")
    assert said.stop is not None
    assert (said.stop.gate, said.stop.state) == ("data", "unknown")
    assert [gate.gate for gate in said.gates] == [
        *("data", "node", "link", "counters", "load", "bisection", "uplinks", "tenants", "time", "flow-control")
    ]


def test_statements_alone_are_named_at_the_first_gate(diagnosed: Diagnosed) -> None:
    gate = diagnosed(site_yaml=GDR).gates[0]
    assert (gate.gate, gate.state) == ("data", "suspect")
    assert "no capture backs it" in gate.text.en


def test_a_persons_verdict_leads_with_its_own_causes_and_what_the_evidence_gives_it() -> None:
    bundle = bundle_of(site_yaml=GDR)
    by_evidence = diagnose(bundle, build(bundle))
    said = diagnose(bundle, build(bundle), overrule=Overrule("node-fault", "card was replaced"))
    assert (said.verdict, by_evidence.verdict) == ("node-fault", "configuration")
    assert said.confidence < 0.5 < by_evidence.confidence
    assert said.without == by_evidence.without  # what hangs on what is asked of the evidence
    others = [cause.verdict for cause in said.causes]
    assert others == sorted(others, key=lambda verdict: verdict != "node-fault")


def test_an_overruled_verdict_that_the_evidence_shares_keeps_its_confidence() -> None:
    bundle = bundle_of(site_yaml=GDR)
    by_evidence = diagnose(bundle, build(bundle))
    same = diagnose(bundle, build(bundle), overrule=Overrule("configuration", "seen it before"))
    assert abs(same.confidence - by_evidence.confidence) < 1e-9
