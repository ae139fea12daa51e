"""advisor compare and baseline: the same job and hosts, or the difference named."""

import json
from pathlib import Path

import pytest

from advisor.cli import run
from advisor.usecases.assess import decide, open_site
from advisor.usecases.import_ import import_into

FORM = """form: 1
site: {{name: small, date: 2026-11-01, fabric: roce}}
hosts:
  - {{class: train, count: 4, gpus_per_host: 8, gpu: H100, nics_per_host: 8, nic_rate_gbps: 400}}
runs:
{runs}
"""


def run_lines(role: str, values: list[float], hosts: str = "[n1, n2]", size: int = 1073741824) -> str:
    return "\n".join(
        f"  - {{label: {role}-{i}, what: all_reduce, between: {hosts}, size_bytes: {size}, busbw_gBps: {value}}}"
        for i, value in enumerate(values)
    )


def captures(folder: Path, role: str, values: list[float], **more: str | int) -> Path:
    place = folder / role
    place.mkdir(parents=True)
    (place / "site.yaml").write_text(FORM.format(runs=run_lines(role, values, **more)), encoding="utf-8")  # type: ignore[arg-type]
    return place


BEFORE = [200.0 + (i * 7) % 11 - 5 for i in range(12)]
AFTER = [260.0 + (i * 5) % 11 - 5 for i in range(12)]


def told(capsys: pytest.CaptureFixture[str], *words: str) -> dict:  # type: ignore[type-arg]
    assert run([*words, "--json"]) == 0
    return dict(json.loads(capsys.readouterr().out))


@pytest.fixture
def site(tmp_path: Path) -> str:
    path = str(tmp_path / "small.advisor")
    import_into(path, [str(captures(tmp_path / "one", "before", BEFORE))], role="before")
    import_into(path, [str(captures(tmp_path / "one", "after", AFTER))], role="after")
    return path


def test_by_roles(site: str, capsys: pytest.CaptureFixture[str]) -> None:
    found = told(capsys, "compare", site)
    (pair,) = found["pairs"]
    assert pair["improved"] is True
    assert pair["outcome"] == "higher"
    assert pair["low"] < 260 / 200 < pair["high"]
    assert pair["first"]["runs"] == pair["second"]["runs"] == 12
    assert found["prediction"]["outcome"] == "nothing-taken"


def test_by_paths_and_other_hosts_are_named(site: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    one = captures(tmp_path / "two", "before", BEFORE)
    other = captures(tmp_path / "two", "after", AFTER, hosts="[n1, n3]")
    found = told(capsys, "compare", site, "--before", str(one), "--after", str(other))
    assert found["pairs"] == []
    assert {tuple(row["differs"]) for row in found["unpaired"]} == {("hosts",)}
    assert run(["compare", site, "--before", str(one), "--after", str(other), "--lang", "zh"]) == 0
    assert "主机" in capsys.readouterr().out


def test_unchanged_runs_are_said_to_be_the_same(tmp_path: Path, site: str, capsys: pytest.CaptureFixture[str]) -> None:
    one, other = captures(tmp_path / "three", "before", BEFORE), captures(tmp_path / "three", "after", BEFORE[::-1])
    found = told(capsys, "compare", site, "--before", str(one), "--after", str(other))
    assert found["pairs"][0]["outcome"] == "same"
    assert found["pairs"][0]["improved"] is None


def test_a_baseline_is_kept_and_compared_with(
    site: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    assert run(["baseline", "list"]) == 0
    capsys.readouterr()
    kept = told(capsys, "baseline", "keep", str(captures(tmp_path / "four", "before", BEFORE)), "--name", "handover")
    assert kept["runs"] == 12
    found = told(capsys, "compare", str(captures(tmp_path / "four", "after", AFTER)), "--baseline", "handover")
    assert found["pairs"][0]["improved"] is True
    assert [one["name"] for one in told(capsys, "baseline", "list")["baselines"]] == ["handover"]
    for words in (
        ["compare", site, "--baseline", "nowhere"],
        ["baseline", "keep", site, "--name", "../x"],
        ["compare", site, "--before", "a"],
    ):
        assert run(words) == 2
        assert capsys.readouterr().err


def test_a_prediction_without_a_known_loss_lets_the_change_speak(site: str, capsys: pytest.CaptureFixture[str]) -> None:
    opened = open_site(site)
    if opened.plan.rungs:
        decide(opened, opened.plan.rungs[0].proposal.remedy.id, "take")
        outcome = told(capsys, "compare", site)["prediction"]["outcome"]
        assert outcome in ("held", "more", "less", "no-prediction")
