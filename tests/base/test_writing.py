"""Rows, days and ranges as each language writes them."""

from datetime import date

from advisor.base.writing import clauses, day, listed, names_in, share_range
from advisor.report import words as report
from advisor.tui.views import figures


def test_rows_of_names_and_of_statements() -> None:
    assert (listed(["a", "b"], "en"), listed(["a", "b"], "zh")) == ("a, b", "a、b")
    assert (clauses(["a", "b"], "en"), clauses(["a", "b"], "zh")) == ("a; b", "a；b")
    assert names_in("leaf-1, leaf-2", "zh") == "leaf-1、leaf-2"


def test_days() -> None:
    assert (day(date(2026, 11, 3), "en"), day(date(2026, 11, 3), "zh")) == ("3 Nov 2026", "2026年11月3日")


def test_a_range_is_written_the_same_on_a_screen_and_in_a_report() -> None:
    assert share_range(0.46, 0.66, "en") == "46–66 %"
    assert share_range(0.461, 0.462, "zh") == "46%"
    assert report.percent_range(0.46, 0.66, "en") == figures.percent_range(0.46, 0.66, "en") == "46–66 %"
    assert report.percent_range(0.46, 0.66, "zh") == figures.percent_range(0.46, 0.66, "zh") == "46%～66%"
