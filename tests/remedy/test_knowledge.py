"""The shipped remedies hold together: every cause has one, every word is in both languages, every figure has a source that was read."""

import re
from pathlib import Path

import pytest
import yaml
from pydantic import ValidationError

from advisor.base.places import knowledge
from advisor.cost.quantities import RULES
from advisor.cost.templates import shipped_templates
from advisor.remedy.ladder import shipped_remedies
from advisor.remedy.remedy import Remedy
from advisor.remedy.site import PLACEHOLDERS
from advisor.remedy.vendor import PHASES, acts, shipped_vendors

REMEDIES = shipped_remedies()
SOURCES = yaml.safe_load((knowledge() / "sources.yaml").read_text(encoding="utf-8"))
CAUSES_FILE = knowledge() / "causes.yaml"
HAN = re.compile(r"[\u4e00-\u9fff]")
each = pytest.mark.parametrize("remedy", REMEDIES.values(), ids=list(REMEDIES))


def _causes() -> dict[str, str]:
    """Cause -> its usual layer."""
    return {name: cause["layers"][0] for name, cause in yaml.safe_load(CAUSES_FILE.read_text(encoding="utf-8")).items()}


@pytest.mark.skipif(not CAUSES_FILE.exists(), reason="no list of causes")
def test_every_cause_has_a_remedy_and_every_remedy_a_cause() -> None:
    causes = _causes()
    relieved = {cause for remedy in REMEDIES.values() for cause in remedy.relieves}
    assert relieved <= set(causes)
    assert {cause for cause, layer in causes.items() if layer != "none"} <= relieved


def test_every_row_of_the_remedy_table_is_there() -> None:
    rows = {remedy.row for remedy in REMEDIES.values()}
    assert {"flow-control", "scheduling", "storage-limits", "affinity", "storage-plane", "expansion"} <= rows


@each
def test_figures_rest_on_sources_that_were_read(remedy: Remedy) -> None:
    used = {*remedy.sources, *(effect.source for effect in remedy.effects), *(effort.source for effort in remedy.effort)}
    assert used <= set(SOURCES)
    assert all(SOURCES[source]["read"] != "memory" for source in used)
    assert all(effect.source != "judgement" for effect in remedy.effects)
    assert all(0 <= bound <= 1 for effect in remedy.effects for bound in (effect.low, effect.high) if bound is not None)


@each
def test_words_stand_in_both_languages(remedy: Remedy) -> None:
    texts = (remedy.title, remedy.what, remedy.risk, remedy.rollback, remedy.verify, remedy.expect, *remedy.steps, *remedy.prerequisites)
    for text in texts:
        assert text.en
        assert not HAN.search(text.en)
        assert HAN.search(text.zh)
        assert _names(text.en) == _names(text.zh)


@each
def test_placeholders_are_of_the_closed_set(remedy: Remedy) -> None:
    for text in (*remedy.steps, remedy.rollback, remedy.verify, remedy.expect):
        assert set(_names(text.en)) <= set(PLACEHOLDERS)


@each
def test_links_between_remedies_exist_and_order_ends(remedy: Remedy) -> None:
    assert {*remedy.requires, *remedy.conflicts} <= set(REMEDIES)
    seen: set[str] = set()
    waiting = list(remedy.requires)
    while waiting:
        name = waiting.pop()
        assert name != remedy.id
        if name not in seen:
            seen.add(name)
            waiting += REMEDIES[name].requires


@each
def test_parts_and_steps_are_complete(remedy: Remedy) -> None:
    assert len(remedy.steps) >= 3
    assert remedy.effort
    assert all(effort.low_days <= effort.high_days for effort in remedy.effort)
    assert all(part.quantity in RULES for part in remedy.parts)
    assert not remedy.template or remedy.template in shipped_templates()
    assert (remedy.kind == "free") == (not remedy.parts and not remedy.template) or remedy.kind == "cheap"


@each
def test_everything_that_an_engineer_asks_for_is_there(remedy: Remedy) -> None:
    """What it relieves, what must be true first, person-days by role, an effect or why none is known; the model asks for the rest."""
    assert remedy.relieves
    assert remedy.prerequisites
    assert all(effort.role and effort.source and effort.high_days > 0 for effort in remedy.effort)
    assert bool(remedy.effects) != (remedy.unmeasured is not None)
    assert remedy.sources
    texts = (*remedy.prerequisites, *(each.text for each in remedy.interplay), *(effect.text for effect in remedy.effects))
    for text in (*texts, *([remedy.unmeasured] if remedy.unmeasured else [])):
        assert text.en
        assert not HAN.search(text.en)
        assert HAN.search(text.zh)


@each
def test_a_conflict_has_a_reason_and_both_sides_know_of_it(remedy: Remedy) -> None:
    reasons = {each.remedy for each in remedy.interplay}
    assert set(remedy.conflicts) <= reasons <= set(REMEDIES)
    assert all(remedy.id in REMEDIES[other].conflicts for other in remedy.conflicts)
    assert not set(remedy.conflicts) & set(remedy.requires)


# Their ids -> ours, for the table of remedies that was handed to us.
GOLDEN = {
    "M01": ("lossless-class",),
    "M02": ("ecn-dcqcn",),
    "M03": ("pfc-watchdog",),
    "M04": ("ecmp-entropy", "hash-seeds"),
    "M05": ("adaptive-routing",),
    "M06": ("topology-scheduling",),
    "M07": ("rank-order",),
    "M08": ("phase-shift",),
    "M09": ("job-classes",),
    "M10": ("storage-priority",),
    "M11": ("storage-client-limit",),
    "M12": ("checkpoint-async", "local-cache"),
    "M13": ("tenant-limits",),
    "M14": ("affinity-pinning", "slot-change", "acs-iommu", "gpudirect"),
    "M15": ("link-repair",),
    "M16": ("storage-plane",),
    "M17": ("uplink-expansion",),
    "M18": ("rail-rebuild",),
}
TABLE = Path(__file__).parents[3] / "shared" / "golden" / "remedies.yaml"


@pytest.mark.skipif(not TABLE.exists(), reason="the table is not here")
def test_all_of_the_table_is_there_with_its_sources_requirements_and_conflicts() -> None:
    table = yaml.safe_load(TABLE.read_text(encoding="utf-8"))
    assert {row["id"] for row in table["remedies"]} == set(GOLDEN)
    for row in table["remedies"]:
        ours = [REMEDIES[name] for name in GOLDEN[row["id"]]]
        effects = row["effect"] if isinstance(row["effect"], list) else [row["effect"]]
        cited = {effect.source for remedy in ours for effect in remedy.effects} | {s for remedy in ours for s in remedy.sources}
        assert {effect["source"] for effect in effects} <= cited, row["id"]
        for needed in row.get("prerequisites", []):
            named = {name for other in re.findall(r"M\d\d", str(needed)) for name in GOLDEN[other]}
            assert not named or any(named & set(remedy.requires) for remedy in ours), row["id"]
    for one, other, _ in table["conflicts"]:
        minded = {each.remedy for name in GOLDEN[one] for each in REMEDIES[name].interplay}
        assert minded & set(GOLDEN[other]), (one, other)


def _names(text: str) -> list[str]:
    return sorted(set(re.findall(r"\{(\w+)\}", text)))


@each
def test_steps_name_acts_of_the_closed_set(remedy: Remedy) -> None:
    """`act.phase`, or `system:act.phase` of a system that has it; what is set was not left without a way back."""
    for step in remedy.steps:
        for word in step.acts:
            only, _, rest = word.rpartition(":")
            act, _, phase = rest.partition(".")
            assert act in acts()
            assert phase in PHASES
            assert phase in acts()[act].phases
            if only:
                assert getattr(shipped_vendors()[only].commands[act], phase)


def test_a_step_with_an_unknown_act_is_refused() -> None:
    given = REMEDIES["mtu"].model_dump()
    for word in ("mtu.tune", "prayer.set", "counters.set", "mtu"):
        step = {"en": "x", "zh": "某", "acts": [word]}
        with pytest.raises(ValidationError):
            Remedy.model_validate({**given, "steps": [step]})


def test_every_act_is_used_by_a_remedy() -> None:
    used = {word.rpartition(":")[2].partition(".")[0] for remedy in REMEDIES.values() for step in remedy.steps for word in step.acts}
    assert used == set(acts())
