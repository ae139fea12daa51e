"""Knowledge that does not fit does not load, and says where: file, line, field."""

from pathlib import Path

import pytest

from advisor.base.content import load
from advisor.base.errors import ContentError
from advisor.base.places import knowledge
from advisor.diagnosis.condition import Threshold
from advisor.diagnosis.library import library, signature, threshold_stands
from advisor.diagnosis.signature import Signature

GOOD = """id: port-flaps
cause: link-degraded
layer: fabric
title: {en: Flaps, zh: 闪断}
explanation: {en: A link comes and goes., zh: 链路时断时续。}
for:
  - {measure: port_errors_growing, equals: "yes", weight: 8}
against:
  - {measure: port_errors_growing, equals: "no", weight: 0.2}
false_positives: {en: A port that was unplugged., zh: 被拔掉的端口。}
sources: [azurehpc]
probes: [link-errors]
cases:
  - {values: {port_errors_growing: "yes"}, fires: true}
  - {values: {port_errors_growing: "no"}, fires: false}
"""


def loaded(tmp_path: Path, text: str) -> Signature:
    path = tmp_path / "port-flaps.yaml"
    path.write_text(text, encoding="utf-8")
    known = library()
    return signature(path, known.causes, known.probes, known.sources, known.thresholds)


def test_a_whole_signature_loads(tmp_path: Path) -> None:
    assert loaded(tmp_path, GOOD).id == "port-flaps"


@pytest.mark.parametrize(
    ("old", "new", "line", "field"),
    [
        ("sources: [azurehpc]\n", "", 1, "sources"),
        ("sources: [azurehpc]", "sources: []", 11, "sources"),
        ("[azurehpc]", "[hearsay]", 11, "sources.0"),
        ("[link-errors]", "[guess]", 12, "probes.0"),
        ("cause: link-degraded", "cause: gremlins", 2, "cause"),
        ("layer: fabric", "layer: storage", 3, "layer"),
        ('port_errors_growing, equals: "yes", weight: 8', 'luck, equals: "yes", weight: 8', 7, "for.0"),
        ('equals: "yes", weight: 8', "above: no-such-limit, weight: 8", 7, "for.0"),
        ('equals: "yes", weight: 8', "above: 3, weight: 8", 7, "for.0"),
        ("weight: 8", "weight: 0.8", 1, "(all)"),
        ('  - {values: {port_errors_growing: "no"}, fires: false}\n', "", 13, "cases"),
        ('{port_errors_growing: "no"}, fires: false', '{port_errors_growing: "yes"}, fires: false', 15, "cases.1"),
        ('{port_errors_growing: "no"}, fires', '{no_such_measure: "no"}, fires', 15, "cases.1.values.no_such_measure"),
        ("id: port-flaps", "id: flaps", 1, "id"),
        ("id: port-flaps", "id: port-flaps\ncolour: red", 2, "colour"),
    ],
)
def test_what_lacks_something_says_where(tmp_path: Path, old: str, new: str, line: int, field: str) -> None:
    assert old in GOOD
    with pytest.raises(ContentError) as refused:
        loaded(tmp_path, GOOD.replace(old, new))
    assert (refused.value.values["line"], refused.value.values["field"]) == (line, field)


@pytest.mark.parametrize(("field", "value"), [("status", "memory"), ("status", "unverified"), ("source", "memory")])
def test_a_threshold_that_was_only_recalled_does_not_load(tmp_path: Path, field: str, value: str) -> None:
    entry = {"id": "limit", "value": "1", "status": "judgement", "source": "judgement", "applies": "a share"} | {field: value}
    path = tmp_path / "limit.yaml"
    path.write_text("\n".join(f"{key}: {text}" for key, text in entry.items()), encoding="utf-8")
    with pytest.raises(ContentError) as refused:
        threshold_stands(path, load(Threshold, path), library().sources)
    assert refused.value.values["field"] == field


def test_a_persons_own_signature_and_limit_win_by_id(tmp_path: Path) -> None:
    (tmp_path / "signatures" / "fabric").mkdir(parents=True)
    (tmp_path / "signatures" / "fabric" / "port-flaps.yaml").write_text(GOOD, encoding="utf-8")
    (tmp_path / "thresholds").mkdir()
    own = (knowledge() / "thresholds" / "uplinks-full.yaml").read_text(encoding="utf-8").replace("0.85", "0.8")
    (tmp_path / "thresholds" / "uplinks-full.yaml").write_text(own, encoding="utf-8")
    known = library(tmp_path)
    assert "port-flaps" in known.signatures
    assert known.thresholds["uplinks-full"].value == 0.8
    assert library().thresholds["uplinks-full"].value == 0.85


def test_what_a_probe_decides_is_a_question() -> None:
    """It stands behind "First find out": a clause that asks, without a full stop."""
    for probe in library().probes.values():
        assert probe.decides.en.split()[0] in {"whether", "which", "what", "how", "who"}, probe.decides.en
        assert not probe.decides.en.endswith("."), probe.decides.en
        assert not probe.decides.zh.endswith("。"), probe.decides.zh
