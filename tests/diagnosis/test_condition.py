"""Conditions: closed set, three-valued, never decided by what is not known."""

import pytest
from pydantic import ValidationError

from advisor.diagnosis.condition import Condition, Threshold
from advisor.diagnosis.measured import Measured

LIMITS = {"half": Threshold(id="half", value=0.5, status="judgement", source="judgement", applies="a share")}


def values(**known: object) -> dict[str, tuple[Measured, ...]]:
    return {name: tuple(Measured(name, one) for one in (value if isinstance(value, list) else [value])) for name, value in known.items()}  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("comparison", "value", "met"),
    [
        ({"below": "half"}, 0.4, True),
        ({"below": "half"}, 0.5, False),
        ({"at-least": "half"}, 0.5, True),
        ({"at-most": "half"}, 0.5, True),
        ({"above": "0.45", "source": "formula"}, 0.5, True),
        ({"between": ["half", "1"], "source": "formula"}, 1.0, True),
        ({"equals": "no"}, False, True),
        ({"equals": "no"}, True, False),
        ({"equals": "0"}, 0.0, True),
        ({"in": ["PIX", "PXB"]}, "pix", True),
        ({"below": "half"}, "not a figure", False),
    ],
)
def test_comparisons(comparison: dict[str, object], value: object, met: bool) -> None:
    condition = Condition.model_validate({"measure": "x", **comparison})
    assert condition.outcome(values(x=value), LIMITS).truth is met


def test_unknown_decides_nothing() -> None:
    known, unknown = {"measure": "x", "equals": "yes"}, {"measure": "y", "equals": "yes"}
    for tree, truth in (
        (unknown, None),
        ({"not": unknown}, None),
        ({"all": [known, unknown]}, None),
        ({"any": [known, unknown]}, True),
        ({"all": [{"not": known}, unknown]}, False),
    ):
        assert Condition.model_validate(tree).outcome(values(x=True), LIMITS).truth is truth


def test_of_several_values_one_is_enough_and_it_is_named() -> None:
    condition = Condition.model_validate({"measure": "x", "below": "half"})
    outcome = condition.outcome(values(x=[0.9, 0.3]), LIMITS)
    assert (outcome.truth, [one.value for one in outcome.because]) == (True, [0.3])


@pytest.mark.parametrize(
    "tree",
    [
        {},
        {"measure": "x"},
        {"measure": "x", "above": "half", "below": "half"},
        {"measure": "x", "equals": "yes", "any": [{"measure": "y", "equals": "yes"}]},
        {"measure": "x", "above": "0.5"},  # a figure without a source
        {"measure": "x", "matches": "a.*"},
    ],
)
def test_what_is_no_condition_is_refused(tree: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        Condition.model_validate(tree)
