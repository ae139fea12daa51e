"""The published schema: a real report fits it in both languages, and a report that is not one does not."""

import copy
import json
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from advisor.base.text import Lang
from advisor.cli import run
from advisor.usecases.assess import example, open_site
from advisor.usecases.export import report_json


@pytest.fixture(scope="module")
def tree() -> dict[str, Any]:
    return dict(json.loads(report_json(open_site(example()), "en")))


def schema(capsys: pytest.CaptureFixture[str]) -> Draft202012Validator:
    assert run(["template", "report-schema"]) == 0
    told = json.loads(capsys.readouterr().out)
    Draft202012Validator.check_schema(told)
    return Draft202012Validator(told)


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_report_fits_the_schema(lang: Lang, capsys: pytest.CaptureFixture[str]) -> None:
    made = json.loads(report_json(open_site(example()), lang))
    assert [error.message for error in schema(capsys).iter_errors(made)] == []


@pytest.mark.parametrize(
    ("place", "value"),
    [
        (("plan", "spent", "low"), 12.5),
        (("diagnosis", "verdict"), "guilty"),
        (("diagnosis", "loss", "fraction"), 56),
        (("captures", 0, "sha256"), "abc"),
        (("form",), 2),
    ],
)
def test_what_is_no_report_does_not(
    tree: dict[str, Any], place: tuple[Any, ...], value: object, capsys: pytest.CaptureFixture[str]
) -> None:
    wrong = copy.deepcopy(tree)
    inner: Any = wrong
    for step in place[:-1]:
        inner = inner[step]
    inner[place[-1]] = value
    assert list(schema(capsys).iter_errors(wrong))
