"""`advisor decide`: taken, skipped with its reason, left for later; kept in the file and shown in the plan."""

import json
from pathlib import Path

import pytest

from advisor.base.places import example_site
from advisor.cli import run
from advisor.usecases.import_ import import_into


@pytest.fixture
def site(tmp_path: Path) -> str:
    target = str(tmp_path / "hall.advisor")
    import_into(target, [str(example_site())])
    return target


def decisions(site: str, capsys: pytest.CaptureFixture[str]) -> dict[str, dict[str, str]]:
    capsys.readouterr()
    assert run(["plan", site, "--json", "--lang", "en"]) == 0
    return {rung["remedy"]: rung["decision"] for rung in json.loads(capsys.readouterr().out)["rungs"]}


def test_each_choice_is_kept_with_its_reason(site: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["decide", site, "topology-scheduling", "take", "--lang", "en"]) == 0
    assert run(["decide", site, "tenant-limits", "skip", "--reason", "one tenant only", "--lang", "en"]) == 0
    assert run(["decide", site, "phase-shift", "later", "--lang", "en"]) == 0
    found = decisions(site, capsys)
    assert found["topology-scheduling"] == {"choice": "take", "reason": ""}
    assert found["tenant-limits"] == {"choice": "skip", "reason": "one tenant only"}
    assert found["phase-shift"]["choice"] == "later"
    assert run(["decide", site, "topology-scheduling", "open", "--lang", "en"]) == 0
    told = " ".join(capsys.readouterr().out.split())
    assert "one tenant only" in told
    assert decisions(site, capsys)["topology-scheduling"]["choice"] == "open"


def test_a_skip_needs_a_reason(site: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["decide", site, "tenant-limits", "skip", "--lang", "en"]) == 2
    assert "--reason" in capsys.readouterr().err
    assert decisions(site, capsys)["tenant-limits"]["choice"] == "open"


def test_conflicting_remedies_cannot_both_be_taken(site: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["decide", site, "storage-client-limit", "take", "--lang", "en"]) == 0
    assert run(["decide", site, "checkpoint-async", "take", "--lang", "en"]) == 2
    assert "storage-client-limit" in capsys.readouterr().err
    assert run(["decide", site, "storage-client-limit", "skip", "--reason", "asynchronous instead", "--lang", "en"]) == 0
    assert run(["decide", site, "checkpoint-async", "take", "--lang", "en"]) == 0


def test_unknown_remedies_and_sites_that_are_not_kept_are_refused(site: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["decide", site, "prayer", "take", "--lang", "en"]) == 2
    assert "prayer" in capsys.readouterr().err
    assert run(["decide", str(example_site()), "tenant-limits", "take", "--lang", "en"]) == 2
    assert "advisor import" in capsys.readouterr().err
