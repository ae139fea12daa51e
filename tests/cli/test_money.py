"""Commands of money: a plan for a budget, the price book, single sums; what cannot be is refused with exit code 2."""

import json
from pathlib import Path

import pytest

from advisor.cli import run
from advisor.usecases.assess import example

CASE = "inputs: {gpus: 512, utilisation: 0.70, share_affected: 0.60, saved_share: 0.1240, gpu_hour: 2.35}\n"


@pytest.fixture(autouse=True)
def _own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))


def asked(words: list[str], capsys: pytest.CaptureFixture[str]) -> dict[str, object]:
    assert run([*words, "--json"]) == 0
    return json.loads(capsys.readouterr().out)  # type: ignore[no-any-return]


def test_a_plan_for_a_budget(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["plan", example(), "--budget", "20000", "--currency", "USD", "--rate", "GBP=1.3", "--frontier"]
    tree = asked(words, capsys)
    scenarios = {each["id"]: each for each in tree["scenarios"]}  # type: ignore[union-attr, index]
    budget = scenarios["budget"]
    assert float(budget["estimate"]["total"]["likely"]) <= 20000
    assert "topology-scheduling" in budget["remedies"]
    assert float(budget["chances"][0]["p10"]) < float(budget["chances"][0]["p90"])
    costs = [float(point["cost"]) for point in tree["frontier"]["points"]]  # type: ignore[index, call-overload]
    assert costs == sorted(costs)
    stop = tree["stop"]
    assert stop["together"] in tree["buying"]  # type: ignore[index, operator]
    assert stop["together"] in scenarios["free"]["note"]  # type: ignore[index]


def test_without_a_rate_currencies_stand_apart(capsys: pytest.CaptureFixture[str]) -> None:
    tree = asked(["plan", example(), "--budget", "20000"], capsys)
    free = next(each for each in tree["scenarios"] if each["id"] == "free")  # type: ignore[union-attr, index]
    assert set(free["by_currency"]) == {"GBP"}
    budget = next(each for each in tree["scenarios"] if each["id"] == "budget")  # type: ignore[union-attr, index]
    assert budget["remedies"] == []
    assert "GBP" in budget["left_out"]["topology-scheduling"]


@pytest.mark.parametrize(
    "words",
    [
        ["plan", "SITE", "--budget", "-5"],
        ["plan", "SITE", "--budget", "much"],
        ["plan", "SITE", "--currency", "EURO"],
        ["plan", "SITE", "--rate", "GBP"],
        ["plan", "SITE", "--rate", "GBP=0"],
        ["plan", "SITE", "--set", "colour=red"],
        ["plan", "SITE", "--pricing", "/nowhere"],
        ["prices", "override", "nothing", "5"],
        ["prices", "override", "nic-400", "-5"],
        ["prices", "restore", "nic-400"],
        ["prices", "set", "rates.XXQ", "5"],
        ["prices", "import", "/nowhere.csv"],
        ["cost", "step", "--input", "/nowhere.yaml"],
    ],
)
def test_what_cannot_be_is_refused(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run([example() if word == "SITE" else word for word in words]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert "error." not in said.err


def test_the_price_book(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    listed = asked(["prices", "list"], capsys)["prices"]
    missing = {each["item"] for each in asked(["prices", "check"], capsys)["prices"] if "missing" in each["findings"]}  # type: ignore[attr-defined, index]
    assert {each["item"] for each in listed if each["price"] is None} == missing  # type: ignore[attr-defined, index]
    (changed,) = asked(["prices", "override", "mpo-12", "75", "--currency", "EUR", "--by", "Li", "--why", "quote"], capsys)["prices"]  # type: ignore[misc]
    assert (changed["price"]["likely"], changed["currency"]) == ("75", "EUR")
    assert changed["history"][0]["by"] == "Li"
    assert run(["prices", "export", "--to", str(tmp_path / "book.csv")]) == 0
    capsys.readouterr()
    assert asked(["prices", "import", str(tmp_path / "book.csv")], capsys)["prices"]
    assert run(["prices", "set", "rates.GBP", "1.33"]) == 0
    assert run(["prices", "restore", "mpo-12"]) == 0
    said = capsys.readouterr().out
    assert "rates.GBP = 1.33" in said
    assert "ask for a quote" in said


def test_a_refused_list_names_file_row_and_column(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "bad.csv"
    path.write_text("item,price,currency,date,valid_days,source\nnic-400,-1,USD,2026-01-02,30,S\n", encoding="utf-8")
    assert run(["prices", "import", str(path), "--lang", "zh"]) == 2
    assert "bad.csv 第 2 行 B 列" in capsys.readouterr().err


def test_a_single_sum(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "case.yaml"
    path.write_text("id: x\n" + CASE, encoding="utf-8")
    answer = asked(["cost", "do-nothing", "--input", str(path)], capsys)
    assert answer["money_per_year"] == pytest.approx(548925, abs=2)
    assert asked(["cost", "--input", str(path)], capsys) == answer
    assert run(["cost", "do-nothing", "--input", str(path)]) == 0
    assert run(["cost", "dance", "--input", str(path)]) == 2
    path.write_text("inputs: {gpus: -1}\n", encoding="utf-8")
    assert run(["cost", "do-nothing", "--input", str(path)]) == 2
    assert "case.yaml:1: gpus" in capsys.readouterr().err
