"""Worked money cases: formulas against results that were worked out outside the program, and what cannot be is refused."""

from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from advisor.base.content import parse
from advisor.cost.worked import CASES
from advisor.usecases.sums import _kind

HERE = Path(__file__).parent / "worked.yaml"
SHARED = Path(__file__).parents[3] / "shared" / "pricing-facts" / "golden-cost.yaml"
# Keys that tell the kind of a case where the file does not name it.
TELLING = {
    "bandwidth_loss": "step",
    "busbw_gbps": "wire",
    "gpus_out": "downtime",
    "share_affected": "do-nothing",
    "system_capex": "owned-gpu-hour",
    "prices": "bill",
    "benefit_per_year": "payback",
    "mode": "range",
    "vat": "tax",
    "lines": "exchange",
    "valid_days": "expiry",
}


def rows(path: Path) -> list[dict[str, Any]]:
    tree, _ = parse(path.read_text(encoding="utf-8"), path.name)
    if isinstance(tree, list):
        return tree
    return [_plain(case) for name, group in tree.items() if name.endswith("_cases") for case in group]


def _plain(case: dict[str, Any]) -> dict[str, Any]:
    about = {key: case[key] for key in ("id", "expected", "tolerance") if key in case}
    inputs = {key: value for key, value in case.items() if key not in (*about, "note", "inputs")} | case.get("inputs", {})
    return {**about, "kind": next(kind for key, kind in TELLING.items() if key in inputs), "inputs": inputs}


def differences(case: dict[str, Any]) -> list[str]:
    answer = CASES[case["kind"]].model_validate(case["inputs"]).answer()
    found = []
    for key, text in case["expected"].items():
        if text in ("valid", "expired", "undated"):
            found += [] if answer[key] == text else [f"{key}: {answer[key]}"]
            continue
        digits = len(text.partition(".")[2])
        allowed = Decimal(case.get("tolerance") or Decimal(5).scaleb(-digits - 1))
        if abs(Decimal(str(answer[key])) - Decimal(text)) > allowed:
            found.append(f"{key}: {answer[key]}, not {text}")
    return found


@pytest.mark.parametrize("case", rows(HERE), ids=lambda case: case["id"])
def test_worked_case(case: dict[str, Any]) -> None:
    assert differences(case) == []


@pytest.mark.skipif(not SHARED.is_file(), reason="the customer's file is not beside this checkout")
def test_every_row_of_the_customers_file() -> None:
    cases = rows(SHARED) if SHARED.is_file() else []
    assert len(cases) >= 21
    assert {case["id"]: differences(case) for case in cases if differences(case)} == {}


@pytest.mark.parametrize(
    ("kind", "inputs"),
    [
        ("step", {"C": "0.2", "X": "0.3", "bandwidth_loss": "0.1"}),
        ("step", {"C": "0.4", "X": "0.3", "bandwidth_loss": "1"}),
        ("step", {"C": "0.4", "X": "0.3", "bandwidth_loss": "0.1", "Y": "1"}),
        ("wire", {"nodes": "1", "gpus_per_node": "8", "busbw_gbps": "1", "nic_gbps": "50"}),
        ("do-nothing", {"gpus": "-8", "utilisation": "1", "share_affected": "1", "saved_share": "0.1", "gpu_hour": "1"}),
        ("do-nothing", {"gpus": "8", "utilisation": "1", "share_affected": "1", "gpu_hour": "1"}),
        ("do-nothing", {"gpus": "8", "utilisation": "70", "share_affected": "1", "saved_share": "0.1", "gpu_hour": "1"}),
        ("range", {"low": "3", "mode": "2", "high": "4"}),
        ("exchange", {"lines": [{"amount": "1", "currency": "USD"}], "report": "CNY", "rate_usd_cny": "0"}),
        ("exchange", {"lines": [], "report": "CNY", "colour": "red"}),
        ("tax", {"net": "1", "vat": "20"}),
    ],
)
def test_what_cannot_be_is_refused(kind: str, inputs: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        CASES[kind].model_validate(inputs)


@pytest.mark.parametrize("case", rows(HERE), ids=lambda case: case["id"])
def test_names_of_inputs_tell_the_kind(case: dict[str, Any]) -> None:
    assert _kind(case["inputs"]) == case["kind"]


def test_what_has_no_rate_stays_beside_the_total() -> None:
    lines = [{"amount": "10", "currency": "USD"}, {"amount": "5", "currency": "GBP"}]
    answer = CASES["exchange"].model_validate({"lines": lines, "report": "USD"}).answer()
    assert (answer["total"], answer["no_rate"]) == (10, {"GBP": 5})


def test_a_rate_holds_both_ways() -> None:
    case = {"lines": [{"amount": "71", "currency": "CNY"}], "report": "USD", "rate_usd_cny": "7.1"}
    assert CASES["exchange"].model_validate(case).answer()["total"] == 10


def test_a_payback_that_never_comes_is_none() -> None:
    assert CASES["payback"].model_validate({"capex": "1", "benefit_per_year": "5", "opex_per_year": "5"}).answer()["payback_months"] is None
