"""What to type: every system says of every act what to type or why it has no such thing, and nothing is set without an undo."""

import re

import pytest
import yaml
from pydantic import ValidationError

from advisor.base.places import knowledge
from advisor.base.text import text_of
from advisor.remedy.fills import FILLS, places
from advisor.remedy.vendor import PHASES, Command, Vendor, acts, shipped_vendors

SOURCES = yaml.safe_load((knowledge() / "sources.yaml").read_text(encoding="utf-8"))
VENDORS = shipped_vendors()
HAN = re.compile(r"[\u4e00-\u9fff]")
each = pytest.mark.parametrize("vendor", VENDORS.values(), ids=list(VENDORS))


def test_the_systems_that_were_asked_for_are_there() -> None:
    switches = {"sonic", "cumulus-nvue", "onyx", "arista-eos", "cisco-nxos", "junos", "huawei-ce", "h3c-comware", "ruijie"}
    others = {"mlx5", "linux", "nccl", "slurm", "kueue", "volcano", "kai", "kubernetes", "lustre", "nfs", "beegfs", "csi"}
    assert switches == {vendor.id for vendor in VENDORS.values() if vendor.domain == "switch"}
    assert others <= set(VENDORS)


@each
def test_every_act_of_the_domain_has_an_entry(vendor: Vendor) -> None:
    assert set(vendor.commands) == {name for name, act in acts().items() if act.domain == vendor.domain}


@each
def test_an_entry_has_all_phases_or_says_why_not(vendor: Vendor) -> None:
    for name, command in vendor.commands.items():
        if command.absent is None:
            assert all(command.lines(phase) for phase in acts()[name].phases), name


@each
def test_places_are_of_the_closed_set_and_say_where_to_find_them(vendor: Vendor) -> None:
    for name, command in vendor.commands.items():
        for phase in PHASES:
            for line in command.lines(phase):
                assert set(places(line)) <= set(FILLS), (name, line)
    assert all(text_of(f"plan.fill.{name}") for name in FILLS)


@each
def test_words_stand_in_both_languages(vendor: Vendor) -> None:
    texts = [text for command in vendor.commands.values() for text in (command.note, command.absent) if text is not None]
    for text in (*texts, *(act.title for act in acts().values())):
        assert text.en
        assert not HAN.search(text.en)
        assert HAN.search(text.zh)


@each
def test_commands_name_documentation_and_version_and_what_was_not_seen_is_not_verified(vendor: Vendor) -> None:
    for name, command in vendor.commands.items():
        source = command.source or vendor.source
        assert SOURCES[source]["read"] != "memory"
        assert command.version or vendor.version
        if SOURCES[source]["read"] == "named":
            assert not command.verified, name


def test_a_file_that_is_not_whole_is_refused() -> None:
    for wrong in ({"show": "x", "set": "y"}, {"set": "y", "undo": "z"}, {"show": "x", "verified": ["set"]}, {"show": "x", "more": "y"}, {}):
        with pytest.raises(ValidationError):
            Command.model_validate(wrong)
    with pytest.raises(ValidationError):
        Command.model_validate({"show": "x", "absent": {"en": "no", "zh": "无"}})
