"""`advisor correct`: what is given is kept, the rest stays, and what cannot be is said in a sentence."""

import json
from pathlib import Path

import pytest

from advisor.base.places import example_site
from advisor.cli import run
from advisor.usecases.import_ import import_into


@pytest.fixture
def site(tmp_path: Path) -> str:
    target = str(tmp_path / "hall.advisor")
    import_into(target, [str(example_site() / "slurm"), str(example_site() / "nh-a03")])
    return target


def captures(site: str, capsys: pytest.CaptureFixture[str]) -> dict[str, dict[str, str | None]]:
    capsys.readouterr()
    assert run(["captures", site, "--json", "--lang", "en"]) == 0
    return {one["name"]: one for one in json.loads(capsys.readouterr().out)["captures"]}


def test_what_is_given_is_kept_and_the_rest_stays(site: str, capsys: pytest.CaptureFixture[str]) -> None:
    name = next(iter(captures(site, capsys)))
    assert run(["correct", site, name, "--host", "gpu-99", "--lang", "en"]) == 0
    before = captures(site, capsys)[name]
    assert before["host"] == "gpu-99"
    assert run(["correct", site, name, "--time", "2026-09-14 13:05", "--role", "quiet", "--lang", "en"]) == 0
    told = capsys.readouterr()
    assert "2026-09-14T13:05:00" in told.err
    assert name in told.out
    after = captures(site, capsys)[name]
    assert (after["host"], after["time"], after["role"]) == (before["host"], "2026-09-14T13:05:00", "quiet")
    assert run(["correct", site, name, "--time", "", "--role", "none", "--lang", "zh"]) == 0
    assert "未知" in capsys.readouterr().err
    after = captures(site, capsys)[name]
    assert (after["host"], after["time"], after["role"]) == (before["host"], None, None)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--time", "noon"], "2026-09-14 13:05:20"),
        ([], "--host, --time or --role"),
    ],
)
def test_what_cannot_be_is_said(site: str, words: list[str], told: str, capsys: pytest.CaptureFixture[str]) -> None:
    name = next(iter(captures(site, capsys)))
    assert run(["correct", site, name, *words, "--lang", "en"]) == 2
    assert told in capsys.readouterr().err


def test_what_is_not_kept_is_not_corrected(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["correct", str(example_site()), "site.yaml", "--role", "quiet", "--lang", "en"]) == 2
    assert "advisor import" in capsys.readouterr().err
