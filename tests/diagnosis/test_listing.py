"""Every measure can be looked up: what it says, how it is computed, what it needs, what happens where that is missing."""

import re

import pytest

from advisor.diagnosis.library import library
from advisor.diagnosis.listing import groups, listed
from advisor.diagnosis.measured import measures

CHINESE = re.compile("[\u4e00-\u9fff]")
LISTED = {one.name: one for one in listed(library())}

# The measures of the money question, under our names.
GOLDEN = {
    "r": "oversubscription_ratio",
    "x": "crossing_share",
    "x_min": "crossing_share_best",
    "x - x_min": "crossing_excess",
    "S": "uplink_mean",
    "S p95": "uplink_use_p95",
    "M": "uplink_max",
    "J": "uplink_jain",
    "CV over CV_hash": "uplink_cv_over_hash",
    "duty": "uplink_duty",
    "g": "inside_over_outside",
    "D_need over capacity": "need_over_uplinks",
    "q_same": "quiet_same_leaf_share",
    "q_cross over q_same": "quiet_cross_over_same",
    "b_same over q_same": "busy_over_quiet_same_leaf",
    "b_cross over q_cross": "busy_over_quiet_cross_leaf",
    "q_full over q_cross": "full_over_single_pair",
    "q_full times r": "crossing_times_ratio",
    "physical_part": "modelled_physical_part",
    "permutation p": "checkpoint_chance",
}


def test_all_measures_are_listed_and_every_group_is_told() -> None:
    assert set(LISTED) == set(measures())
    assert set(groups()) == {one.group for one in measures().values()}


@pytest.mark.parametrize("name", LISTED)
def test_a_measure_says_what_it_needs_and_how_it_degrades(name: str) -> None:
    one = LISTED[name]
    assert one.doc
    assert one.degrades
    for text in (one.says, one.needs, *one.degrades):
        assert text.en
        assert text.zh
        assert not CHINESE.search(text.en)
    assert all(CHINESE.search(text.zh) for text in (one.says, *one.degrades))


@pytest.mark.parametrize("name", GOLDEN)
def test_the_measures_of_the_money_question_are_there(name: str) -> None:
    assert GOLDEN[name] in LISTED
