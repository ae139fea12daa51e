import re
import string

import pytest

from advisor.base.places import knowledge
from advisor.base.plain import plain
from advisor.base.text import Text, catalogue, say

CATALOGUE = catalogue()


def test_the_catalogue_is_there() -> None:
    assert (knowledge() / "text").is_dir()
    assert len(CATALOGUE) > 150


@pytest.mark.parametrize("key", sorted(CATALOGUE))
def test_both_languages_fill_the_same_values(key: str) -> None:
    fields = [{name for _, name, _, _ in string.Formatter().parse(text) if name} for text in (CATALOGUE[key].en, CATALOGUE[key].zh)]
    assert fields[0] == fields[1]


@pytest.mark.parametrize("key", sorted(CATALOGUE))
def test_chinese_is_chinese(key: str) -> None:
    """A text of three English words or more has Chinese characters in its Chinese."""
    text = CATALOGUE[key]
    if len(re.findall(r"[A-Za-z]{3,}", re.sub(r"\{\w+\}|%\(\w+\)\w|`[^`]*`", "", text.en))) >= 3:
        assert re.search("[\u4e00-\u9fff]", text.zh)


def test_a_value_is_data() -> None:
    text = Text(en="on {host}", zh="在 {host} 上")
    assert text.say("en", host="{secret}", secret="x") == "on {secret}"
    assert text.say("zh", host="a") == "在 a 上"


def test_a_gap_is_seen_and_ends_nothing() -> None:
    assert say("no.such.key", "en") == "no.such.key"


@pytest.mark.parametrize("acting", ["\x1b]0;title\x07", "\x9b31m", "a\u202eb", "a\u200bb", "a\x00b", "line\nline", "a\u2028b", "\ufeffa"])
def test_plain_text_does_not_act(acting: str) -> None:
    shown = plain(acting)
    assert not re.search("[\x00-\x08\x0a-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\ufeff]", shown)


def test_plain_leaves_text_alone() -> None:
    assert plain("机房 A\tmlx5_0: 400 Gb/s ± 3") == "机房 A\tmlx5_0: 400 Gb/s ± 3"
