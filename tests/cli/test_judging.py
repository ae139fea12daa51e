"""`advisor probes`, `overrule`, `measures`, and `--knowledge`."""

import json
from pathlib import Path

import pytest

from advisor.base.places import example_site
from advisor.cli import run
from advisor.usecases.import_ import import_into


def test_probes_are_ranked_by_what_they_are_worth(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["probes", str(example_site()), "--json", "--lang", "en"]) == 0
    probes = json.loads(capsys.readouterr().out)["probes"]
    assert len(probes) > 1
    assert [probe["worth"] for probe in probes] == sorted((probe["worth"] for probe in probes), reverse=True)
    assert all(probe["run"] and probe["risk"] in ("none", "load", "jobs") for probe in probes)


def test_probes_name_the_commands_of_this_sites_switches(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["probes", str(example_site()), "--lang", "en"]) == 0
    assert "sonic: show pfc priority" in " ".join(capsys.readouterr().out.split())


def test_a_verdict_is_overruled_and_taken_back(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    site = str(tmp_path / "hall.advisor")
    import_into(site, [str(example_site())])
    assert run(["overrule", site, "--verdict", "node-fault", "--reason", "cable replaced", "--lang", "en"]) == 0
    assert run(["diagnose", site, "--lang", "en"]) == 0
    told = " ".join(capsys.readouterr().out.split())
    assert "cable replaced" in told
    assert "By the evidence alone the verdict is: contention" in told
    assert run(["overrule", site, "--undo", "--json", "--lang", "en"]) == 0
    assert json.loads(capsys.readouterr().out)["overruled"] is None


def test_what_is_not_kept_cannot_be_overruled(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["overrule", str(example_site()), "--verdict", "none", "--reason", "x", "--lang", "en"]) == 2
    assert "advisor import" in capsys.readouterr().err


def test_measures_are_listed_and_one_is_told_in_full(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["measures", "uplink_jain", "--lang", "en"]) == 0
    told = " ".join(capsys.readouterr().out.split())
    assert "Jain's index" in told
    assert "ecmp-hash-collision" in told  # it asks for the sign that follows from the index
    assert run(["measures", "--json"]) == 0
    assert len(json.loads(capsys.readouterr().out)["measures"]) > 200
    assert run(["measures", "gremlins", "--lang", "en"]) == 2


def test_own_knowledge_that_is_not_there_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["diagnose", str(example_site()), "--knowledge", "nowhere", "--lang", "en"]) == 2
    assert "nowhere" in capsys.readouterr().err
