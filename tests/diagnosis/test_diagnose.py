"""What a diagnosis holds: origins, restraint, what would change it, and the same answer every time."""

from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from advisor.base.places import example_site
from advisor.base.text import LANGS, Lang
from advisor.diagnosis.diagnose import diagnose
from advisor.diagnosis.verdict import Diagnosis
from advisor.evidence.bundle import Bundle
from advisor.fabric.build import build
from advisor.usecases.assess import open_site

FORM = """form: 1
site: {fabric: ib}
hosts:
  - {count: 2, gpus_per_host: 8, nics_per_host: 8, nic_rate_gbps: 200}
runs:
  - {label: pair, what: all_reduce, hosts: 2, algorithm: ring, size_bytes: 8589934592, busbw_gBps: 84}
observations:
  gdr_used: no
"""


def test_evidence_leads_back_to_its_line(diagnosed: Callable[..., Diagnosis]) -> None:
    said = diagnosed(site_yaml=FORM)
    assert (said.verdict, said.causes[0].cause) == ("configuration", "gpudirect-rdma-missing")
    lines = {(piece.measure, piece.origins[0].line) for piece in said.causes[0].evidence}
    assert ("gdr_used", 8) in lines
    low = next(piece for piece in said.causes[0].evidence if piece.measure == "collective_share_of_line" or "0.42" in piece.text.en)
    assert 6 in {where.line for where in low.origins}


def test_the_share_of_line_is_bytes_over_bytes(diagnosed: Callable[..., Diagnosis]) -> None:
    """84 GB/s of 8 x 200 Gb/s = 200 GB/s is 0.42; of what a healthy host reaches (0.96) 0.5625 is lost."""
    said = diagnosed(site_yaml=FORM)
    assert said.loss.fraction is not None
    assert abs(said.loss.fraction - (1 - 0.42 / 0.96)) < 1e-9
    assert (said.loss.free, said.loss.hardware) == (said.loss.fraction, 0.0)


def test_without_its_evidence_the_verdict_goes(diagnosed: Callable[..., Diagnosis]) -> None:
    said = diagnosed(frozenset({"gdr_used"}), site_yaml=FORM)
    assert said.verdict == "undetermined"
    assert said.set_aside == ("gdr_used",)
    assert all(piece.measure != "gdr_used" for cause in said.causes for piece in cause.evidence)


def test_an_empty_bundle_is_undetermined_and_asks(diagnosed: Callable[..., Diagnosis]) -> None:
    said = diagnose(Bundle(), build(Bundle()))
    assert (said.verdict, said.causes, said.loss.fraction) == ("undetermined", (), None)
    assert set(said.layers.values()) == {"unknown"}
    assert said.next_probe is not None
    assert said.next_probe.gain > 0
    assert len(said.missing) == 6


def test_silence_is_not_health(diagnosed: Callable[..., Diagnosis]) -> None:
    said = diagnosed(
        site_yaml="form: 1\nsite: {fabric: ib, use: training}\nhosts:\n  - {gpu: H100, nics_per_host: 8, nic_rate_gbps: 400}\n"
    )
    assert said.verdict == "undetermined"
    assert said.layers["storage"] == "unknown"


def test_nothing_is_shown_surer_than_allowed_without_an_experiment(diagnosed: Callable[..., Diagnosis]) -> None:
    sure = FORM.replace("gdr_used: no", "gdr_used: no\n  gdr_module_loaded: no\n  perftest_at_line_rate: yes")
    assert diagnosed(site_yaml=sure).confidence <= 0.95
    tried = sure + "changes:\n  - {what: GPUDirect RDMA module loaded, kind: setting, only_change: yes, effect: better}\n"
    assert 0.95 < diagnosed(site_yaml=tried).confidence <= 0.99


def test_an_experiment_without_effect_speaks_against(diagnosed: Callable[..., Diagnosis]) -> None:
    tried = FORM + "changes:\n  - {what: GPUDirect RDMA module loaded, kind: setting, only_change: yes, effect: none}\n"
    before, after = diagnosed(site_yaml=FORM).causes[0], diagnosed(site_yaml=tried).causes[0]
    assert after.probability < before.probability


def test_any_order_of_import_gives_the_same_answer() -> None:
    bundle = open_site(str(example_site())).bundle
    first = diagnose(bundle, build(bundle)).model_dump_json()
    for seed in range(2):
        captures = list(bundle.captures)
        Random(seed).shuffle(captures)
        again = Bundle.of(captures)
        assert diagnose(again, build(again)).model_dump_json() == first


def test_the_example_is_contention_that_placement_relieves() -> None:
    """What was built into the example: scattered jobs, checkpoints on the shared queue, pause without marks, and uplinks that look full."""
    bundle = open_site(str(example_site())).bundle
    said = diagnose(bundle, build(bundle))
    assert (said.verdict, said.causes[0].cause) == ("shared-contention", "fragmented-placement")
    assert {"checkpoint-contention", "ecn-missing"} <= {cause.cause for cause in said.causes if cause.probability >= 0.5}
    assert said.loss.method == "model"
    assert said.loss.hardware is not None
    assert said.loss.hardware < 0.02
    shares = {cause.cause: cause.share or 0 for cause in said.causes}
    assert shares["fragmented-placement"] > 0.5
    assert sum(shares.values()) <= 1.0001
    assert shares.get("uplink-oversubscription", 0) < 0.02


def test_on_a_healthy_site_nothing_speaks_for_a_fault() -> None:
    bundle = open_site(str(Path(__file__).parents[1] / "clusters" / "healthy")).bundle
    said = diagnose(bundle, build(bundle))
    assert (said.verdict, said.loss.fraction) == ("none", 0.0)
    assert [cause.cause for cause in said.causes if cause.verdict != "none"] == []
    assert set(said.layers.values()) == {"clean"}


def test_one_port_state_is_too_little_to_call_a_site_healthy() -> None:
    bundle = open_site(str(Path(__file__).parents[1] / "clusters" / "too-little")).bundle
    said = diagnose(bundle, build(bundle))
    assert (said.verdict, said.causes) == ("undetermined", ())
    assert {"node", "storage", "scheduling", "flow-control"} <= {layer for layer, state in said.layers.items() if state == "unknown"}
    assert said.next_probe is not None
    assert said.next_probe.where == "w-17"


@pytest.mark.parametrize("lang", LANGS)
def test_signs_of_one_cause_differ_in_their_first_words(lang: Lang) -> None:
    """On a screen of 120 cells the words of a sign are cut after some 40: two rows must not look alike there."""
    site = open_site(example_site())
    for cause in site.diagnosis.causes:
        begun = [piece.text.say(lang)[: 40 if lang == "en" else 20] for piece in cause.evidence]
        assert len(set(begun)) == len(begun), (cause.cause, begun)


def test_things_that_a_sign_names_are_written_in_a_row_as_the_language_does() -> None:
    texts = [piece.text for cause in open_site(example_site()).diagnosis.causes for piece in cause.evidence]
    named = [text for text in texts if "nh-leaf-1, nh-leaf-2" in text.en]
    assert named
    assert all("nh-leaf-1、nh-leaf-2" in text.zh and ", " not in text.zh for text in named)
