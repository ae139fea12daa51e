"""How far evidence can be relied on: age from the newest capture, harm to the very run, and a person's word against a tool's."""

from dataclasses import replace
from datetime import date, timedelta

import pytest

from advisor.diagnosis.measured import Measured
from advisor.diagnosis.quality import OLD, OVERRIDDEN, READ_IN_PART, trust_in
from advisor.diagnosis.signature import Seen, Sign
from advisor.evidence.bundle import Bundle, Capture
from advisor.evidence.origin import Origin
from advisor.evidence.reading import Part, Problem, Reading

NEWEST = date(2026, 9, 14)


def capture(name: str, days_old: int = 0, problems: tuple[Problem, ...] = ()) -> Capture:
    part = Part("ibstat", (1, 10), problems=problems)
    taken = (NEWEST - timedelta(days=days_old)).isoformat()
    return Capture(name, f"{name}.txt", 10, Reading(None, (part, Part("lspci", (11, 20)))), time=taken)


def value(name: str, answer: bool, *captures: str, line: int = 3) -> Measured:
    return Measured(name, answer, "", tuple(Origin(capture=c, name=c, line=line) for c in captures))


STATED = Measured("mtu_equal", False, "", (Origin(kind="stated", capture="site", name="site.yaml", line=4),))


def factor(captures: list[Capture], *because: Measured, known: tuple[Measured, ...] = ()) -> float:
    values: dict[str, tuple[Measured, ...]] = {}
    for one in (*because, *known):
        values[one.name] = (*values.get(one.name, ()), one)
    return trust_in(Bundle.of(captures), values)(because).factor


@pytest.mark.parametrize(("days", "counts"), [(0, 1.0), (30, 1.0), (31, OLD)])
def test_what_is_a_month_older_than_the_newest_capture_counts_half(days: int, counts: float) -> None:
    assert factor([capture("new"), capture("a", days)], value("mtu_equal", True, "a")) == counts


def test_age_needs_no_clock_and_no_date_is_no_age() -> None:
    undated = replace(capture("b"), time=None)
    assert factor([capture("a", 400)], value("mtu_equal", True, "a")) == 1.0  # the only capture is the newest
    assert factor([capture("a"), undated], value("mtu_equal", True, "b")) == 1.0


def test_harm_counts_only_for_the_run_that_it_befell() -> None:
    cut = capture("a", problems=(Problem(9, "Rate: 4", "cut"),))
    assert factor([cut], value("mtu_equal", True, "a", line=3)) == READ_IN_PART
    assert factor([cut], value("mtu_equal", True, "a", line=15)) == 1.0  # another run in the same file
    assert factor([capture("a", problems=(Problem(9, "x", "unknown-key"),))], value("mtu_equal", True, "a")) == 1.0


def test_one_good_witness_is_enough_but_a_ratio_is_as_good_as_its_worse_half() -> None:
    captures = [capture("new"), capture("old", 90)]
    assert factor(captures, value("mtu_equal", True, "old"), value("mtu_equal", True, "new")) == 1.0
    assert factor(captures, value("busy_over_quiet", True, "old", "new")) == OLD


def test_a_persons_word_counts_in_full_until_a_capture_says_otherwise() -> None:
    assert factor([capture("a")], STATED) == 1.0
    assert factor([capture("a")], STATED, known=(value("mtu_equal", False, "a"),)) == 1.0
    assert factor([capture("a")], STATED, known=(value("mtu_equal", True, "a"),)) == OVERRIDDEN


def test_quality_is_a_factor_on_the_logarithm_of_the_weight() -> None:
    sign = Sign.model_validate({"measure": "mtu_equal", "equals": "no", "weight": 9})
    trust = trust_in(Bundle.of([capture("new"), capture("a", 90)]), {})
    assert Seen(sign, "mtu", (), trust((value("mtu_equal", False, "a"),))).weight == pytest.approx(3)  # 9 ** 0.5
