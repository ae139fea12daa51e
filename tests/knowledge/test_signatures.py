"""The shipped knowledge of the diagnosis: complete, in both languages, every layer and cause covered."""

import re

import pytest

from advisor.base.text import catalogue
from advisor.diagnosis.library import library
from advisor.diagnosis.measured import measures
from advisor.diagnosis.probes import NAMES
from advisor.diagnosis.verdicts import LAYERS, VERDICTS

KNOWN = library()
CHINESE = re.compile("[\u4e00-\u9fff]")


def test_every_cause_has_a_signature_and_every_layer_several() -> None:
    assert {one.cause for one in KNOWN.signatures.values()} == set(KNOWN.causes)
    for layer in LAYERS:
        assert sum(one.layer == layer for one in KNOWN.signatures.values()) >= 5, layer
    assert {cause.verdict for cause in KNOWN.causes.values()} | {"undetermined"} == set(VERDICTS)


@pytest.mark.parametrize("name", KNOWN.signatures)
def test_a_signature_says_it_in_both_languages_and_can_be_doubted(name: str) -> None:
    one = KNOWN.signatures[name]
    for text in (one.title, one.explanation, one.false_positives, KNOWN.causes[one.cause].title):
        assert CHINESE.search(text.zh)
        assert not CHINESE.search(text.en)
        assert text.en != text.zh
    assert one.against, "nothing would ever speak against it"


def test_every_measure_has_words() -> None:
    missing = [name for name in measures() if f"measure.{name}" not in catalogue()]
    nameless = [key for key in catalogue() if key.startswith("measure.") and key.removeprefix("measure.") not in measures()]
    assert (missing, nameless) == ([], [])


def test_every_threshold_is_used_and_every_judgement_says_so() -> None:
    conditions = [sign for one in KNOWN.signatures.values() for sign in one.signs]
    conditions += [rule for sign in KNOWN.signs.values() for rule in (sign.yes, sign.no) if rule]  # type: ignore[misc]
    used = {limit for condition in conditions for part in condition.parts() for limit in part.limits}
    assert set(KNOWN.thresholds) <= used
    for one in KNOWN.thresholds.values():
        assert (one.status == "judgement") == (one.source == "judgement"), one.id


def test_gates_name_what_there_is() -> None:
    groups = {one.group for one in measures().values()} | {sign.group for one in KNOWN.signatures.values() for sign in one.signs}
    for name, gate in KNOWN.gates.items():
        assert set(gate.causes) <= set(KNOWN.causes), name
        assert set(gate.groups) <= groups, name
    at_a_gate = {cause for gate in KNOWN.gates.values() for cause in gate.causes}
    assert {name for name, cause in KNOWN.causes.items() if cause.verdict != "none"} <= at_a_gate


def test_probes_ask_for_names_that_can_be_filled_and_give_what_is_measured() -> None:
    for name, probe in KNOWN.probes.items():
        said = (probe.run.en, probe.run.zh, *probe.gear.values())
        assert {name for text in said for name in re.findall(r"\{(\w+)\}", text)} <= NAMES, name
        assert set(probe.gives) <= set(measures()), name


def test_chains_of_signs_do_not_bite_their_own_tail() -> None:
    for name, sign in KNOWN.signs.items():
        asked = {part.measure for rule in (sign.yes, sign.no) if rule for part in rule.parts()}
        assert name not in asked
        assert not asked & set(KNOWN.signs)
