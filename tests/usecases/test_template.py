"""The form that is printed: all of it in both languages, and what is filled in is read."""

import re

import pytest

from advisor.base.text import Lang
from advisor.evidence.form import form
from advisor.fabric.build import build
from advisor.usecases.template import site_form
from tests.fabric.bundles import bundle, typed


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_an_empty_form_states_nothing(lang: Lang) -> None:
    text = site_form(lang)
    for section, entry in form().sections.items():
        assert re.search(rf"^{section}:", text, re.MULTILINE)
        assert all(re.search(rf"^\s+(?:- )?{key}:", text, re.MULTILINE) for key in entry.keys)
    capture = typed("site.yaml", text)
    (part,) = capture.reading.parts
    assert (part.tool, part.facts, part.problems) == ("site", {"form": 1}, ())
    fabric = build(bundle(capture))
    assert (fabric.hosts, fabric.leaves, fabric.links, fabric.jobs) == ({}, (), (), ())


def _filled(text: str, **values: str) -> str:
    """The form with values behind keys, each at its first place below its section: `section__key`."""
    for place, value in values.items():
        section, key = place.split("__")
        begin = text.index(f"\n{section}:")
        match = re.compile(rf"^(\s+(?:- )?{key}:)\s*#", re.MULTILINE).search(text, begin)
        assert match, place
        text = f"{text[: match.end(1)]} {value} #{text[match.end() :]}"
    return text


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_filled_form_is_a_fabric_with_its_jobs(lang: Lang) -> None:
    text = _filled(
        site_form(lang),
        hosts__nics_per_host="8",
        hosts__nic_rate_gbps="400",
        leaves__name="leaf-1",
        leaves__hosts="gpu[01-16]",
        leaves__uplinks="60",
        leaves__uplinks_down="4",
        leaves__uplink_rate_gbps="400",
        leaves__pod="A",
        spines__name="s1",
        spines__pod="A",
        spines__uplinks="30",
        spines__uplink_rate_gbps="400",
        jobs__name="train",
        jobs__between="gpu[03-01]",
    )
    assert [(problem.why, problem.detail) for problem in typed("x", text).reading.parts[0].problems] == [("bad-list", "gpu[03-01]")]
    fabric = build(bundle(typed("site.yaml", text.replace("gpu[03-01]", "gpu03, gpu01"))))
    (leaf,) = fabric.leaves
    # 16 hosts of 8 x 400 down, 60 x 400 up.
    assert (len(leaf.hosts), leaf.down_gbps, leaf.up_gbps, leaf.uplinks_down, leaf.pod) == (16, 51200, 24000, 4, "A")
    assert (fabric.tiers, fabric.pods[0].ratio) == (3, 2)
    assert fabric.jobs[0].hosts == ("gpu03", "gpu01")
