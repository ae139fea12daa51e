"""The texts of the screens: every key that the screens ask for is there, and none is there in vain."""

import re
from pathlib import Path

from rich.cells import cell_len

import advisor.tui
from advisor.base.text import catalogue
from advisor.diagnosis.verdicts import LAYERS, VERDICTS
from advisor.evidence.bundle import ROLES
from advisor.tui.views.frame import STAGES
from advisor.tui.views.words import Column, joined, text_of, word
from advisor.tui.widgets.cut import told_apart
from advisor.tui.widgets.listing import shared_out

SOURCES = "\n".join(path.read_text(encoding="utf-8") for path in sorted(Path(advisor.tui.__file__).parent.rglob("*.py")))
ASKED = set(re.findall(r"[\"'](tui\.[a-z][a-z0-9.\-]*[a-z0-9])[\"']", SOURCES))
MADE = set(re.findall(r"f[\"'](tui\.[a-z.\-]*)\{", SOURCES))


def test_every_text_that_is_asked_for_is_there() -> None:
    assert sorted(key for key in ASKED if key not in catalogue()) == []


def test_closed_sets_have_a_text_each() -> None:
    for prefix, names in (("verdict", VERDICTS), ("layer", LAYERS), ("role", ROLES), ("stage", STAGES), ("help", STAGES)):
        assert all(f"tui.{prefix}.{name}" in catalogue() for name in names), prefix


def test_no_text_is_there_in_vain() -> None:
    kept = {key for key in catalogue() if key.startswith("tui.")}
    assert sorted(key for key in kept if key not in ASKED and not any(key.startswith(start) for start in MADE)) == []


def test_both_languages_fill_in_the_same_names() -> None:
    for key, text in catalogue().items():
        if key.startswith("tui."):
            assert set(re.findall(r"\{(\w+)\}", text.en)) == set(re.findall(r"\{(\w+)\}", text.zh)), key


def test_columns_of_one_rank_go_together_and_flexible_ones_give_before_the_rest() -> None:
    columns = (Column("name", flex=True), Column("low", drop=2), Column("likely"), Column("high", drop=2), Column("note", drop=1))
    assert [i for i, _ in shared_out(columns, [20, 6, 6, 6, 10], 60)] == [0, 1, 2, 3, 4]
    assert [i for i, _ in shared_out(columns, [20, 6, 6, 6, 10], 50)] == [0, 2, 4]
    assert [i for i, _ in shared_out(columns, [20, 6, 6, 6, 10], 30)] == [0, 2]
    assert sum(width for _, width in shared_out(columns, [60, 6, 6, 6, 10], 30)) + 2 == 30


def test_bounded_columns_have_what_nobody_else_needs() -> None:
    columns = (Column("part", flex=True), Column("from", most=10))
    assert shared_out(columns, [20, 30], 40) == [(0, 20), (1, 18)]
    assert shared_out(columns, [20, 30], 80) == [(0, 48), (1, 30)]
    assert shared_out(columns, [20, 30], 30) == [(0, 18), (1, 10)]
    assert shared_out(columns, [20, 30], 180) == [(0, 80), (1, 30)], "figures stay near what they belong to"
    assert shared_out(columns, [120, 30], 180) == [(0, 120), (1, 30)]


def test_names_of_files_are_cut_so_that_they_stay_apart() -> None:
    """What differs may be the time at the end, or a word in the middle, or both."""
    for names in (
        (
            "ib_write_bw-cross-leaf-busy.txt",
            "ib_write_bw-cross-leaf-quiet.txt",
            "ib_write_bw-same-leaf-busy.txt",
            "ib_write_bw-same-leaf-quiet.txt",
        ),
        ("ethtool-S-ens10np0-20260914T130520.txt", "ethtool-S-ens10np0-20260914T131520.txt", "ethtool-S-ens11np0-20260914T130520.txt"),
        ("all_reduce-quiet-pair-0.log", "all_reduce-quiet-pair-1.log", "sendrecv-quiet-pair-0.log"),
        ("计数器-上联-第一次采集.txt", "计数器-上联-第二次采集.txt", "计数器-下联-第一次采集.txt"),
    ):
        for width in (17, 20, 26):
            cut = [told_apart(name, names, width) for name in names]
            assert len(set(cut)) == len(names)
            assert max(map(cell_len, cut)) <= width


def test_a_cut_name_keeps_whole_words_and_its_ending_where_there_is_room() -> None:
    names = ("ib_write_bw-cross-leaf-busy.txt", "ib_write_bw-same-leaf-busy.txt", "ibstat.txt")
    assert [told_apart(name, names, 17) for name in names] == ["ib_wri…cross….txt", "ib_writ…same….txt", "ibstat.txt"]


def test_nothing_stands_between_what_has_no_words() -> None:
    assert text_of(joined(word("nh-a02"), word(""), word("nh-leaf-1"), between=" · ")) == "nh-a02 · nh-leaf-1"


def test_no_chinese_text_writes_a_range_of_figures_with_another_sign() -> None:
    """GB/T 15834: a wave dash between figures, in all that is said, known and priced."""
    for folder in ("knowledge", "pricing"):
        for path in sorted((Path(advisor.tui.__file__).parents[2] / folder).rglob("*.yaml")):
            for said in re.findall(r"zh: (\"(?:[^\"\\]|\\.)*\"|[^,}\n]+)", path.read_text(encoding="utf-8")):
                assert not re.search(r"[\d}%] ?[–~] ?[\d{]", said), (path.name, said)
