"""A person's own verdict: kept with its reason, shown beside the evidence's, and taken back; and a person's own knowledge."""

from pathlib import Path

import pytest

from advisor.base.errors import ContentError, UsageError
from advisor.base.places import example_site
from advisor.report.as_json import diagnosis_json
from advisor.usecases import assess
from advisor.usecases.import_ import import_into


@pytest.fixture
def kept(captures: Path, tmp_path: Path) -> str:
    path = tmp_path / "hall.advisor"
    import_into(str(path), [str(captures)])
    return str(path)


def test_a_verdict_is_overruled_with_a_reason_kept_and_taken_back(kept: str) -> None:
    site = assess.open_site(kept)
    by_evidence = site.diagnosis
    assert by_evidence.overruled is None
    assess.overrule(site, "physical-capacity", " second fabric is not cabled ")
    again = assess.open_site(kept).diagnosis
    assert again.verdict == "physical-capacity"
    assert "second fabric is not cabled" in again.headline.en
    assert again.overruled is not None
    assert (again.overruled.reason, again.overruled.verdict) == ("second fabric is not cabled", by_evidence.verdict)
    assert again.overruled.headline == by_evidence.headline
    assert again.confidence <= by_evidence.confidence or by_evidence.verdict == "undetermined"
    told = diagnosis_json(again, "en")["overruled"]
    assert told["evidence_verdict"] == by_evidence.verdict
    assess.undo_overrule(assess.open_site(kept))
    assert assess.open_site(kept).diagnosis == by_evidence


@pytest.mark.parametrize(("verdict", "reason", "key"), [("physical-capacity", "  ", "no-reason"), ("gremlins", "x", "no-such-verdict")])
def test_no_verdict_without_a_reason_and_none_that_there_is_not(kept: str, verdict: str, reason: str, key: str) -> None:
    with pytest.raises(UsageError) as error:
        assess.overrule(assess.open_site(kept), verdict, reason)
    assert error.value.key == key


def test_overruling_keeps_the_fabric_and_what_was_set_aside(captures: Path) -> None:
    site = assess.set_aside(assess.open_site(str(captures)), frozenset({"gdr_used"}))
    fabric = site.fabric
    changed = assess.overrule(site, "none", "as it was bought")
    assert changed.fabric is fabric
    assert changed.set_aside == {"gdr_used"}


SIGNATURE = """id: our-own
cause: noisy-neighbour
layer: fabric
title: {en: "Nightly backup", zh: "夜间备份"}
explanation: {en: "The backup runs at night.", zh: "备份在夜间运行。"}
for:
  - {measure: use, equals: mixed, weight: 4}
false_positives: {en: "none known", zh: "暂无"}
sources: [judgement]
probes: [top-talkers]
cases:
  - {values: {use: mixed}, fires: true}
  - {values: {use: single-job}, fires: false}
"""


def own_knowledge(folder: Path, signature: str = SIGNATURE) -> Path:
    (folder / "signatures" / "fabric").mkdir(parents=True)
    (folder / "signatures" / "fabric" / "our-own.yaml").write_text(signature, encoding="utf-8")
    return folder


def test_own_knowledge_is_laid_over_the_shipped_and_named(tmp_path: Path) -> None:
    own = own_knowledge(tmp_path / "ours")
    found = assess.open_site(str(example_site()), knowledge=(own,)).diagnosis
    assert found.knowledge == (str(own),)
    assert "our-own" in {name for cause in found.causes for name in cause.signatures}
    assert "our-own" not in {name for cause in assess.open_site(str(example_site())).diagnosis.causes for name in cause.signatures}


def test_a_file_that_does_not_fit_is_named_with_its_line(tmp_path: Path) -> None:
    own = own_knowledge(tmp_path / "ours", SIGNATURE.replace("measure: use", "measure: gremlins"))
    with pytest.raises(ContentError) as error:
        assess.open_site(str(example_site()), knowledge=(own,))
    assert (error.value.values["line"], "gremlins" in str(error.value)) == (7, True)
    assert "our-own.yaml:7" in str(error.value)


def test_a_folder_without_knowledge_is_no_knowledge(tmp_path: Path) -> None:
    with pytest.raises(UsageError) as error:
        assess.open_site(str(example_site()), knowledge=(tmp_path,))
    assert error.value.key == "no-knowledge"
