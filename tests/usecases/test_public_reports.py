"""Folders of public reports: everything in them is read or named, nothing crashes, and the same folder gives the same bytes."""

import json
import shutil
from pathlib import Path

import pytest

from advisor.cli import run
from advisor.diagnosis.verdicts import LAYERS, VERDICTS

SHARED = Path(__file__).parents[3] / "shared" / "cases"
CASES = sorted(path.parent for path in SHARED.glob("*/case.yaml"))

pytestmark = pytest.mark.skipif(not CASES, reason="the shared cases are not here")


@pytest.mark.parametrize("case", CASES, ids=lambda path: path.name)
def test_a_report_is_diagnosed_and_nothing_is_skipped(case: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    site = tmp_path / "site"
    shutil.copytree(case, site, ignore=shutil.ignore_patterns("case.yaml"))
    assert run(["diagnose", str(site), "--json"]) == 0
    said, narrated = capsys.readouterr()
    tree = json.loads(said)
    assert tree["verdict"] in VERDICTS
    assert 0 <= tree["confidence"] <= 0.95
    assert set(tree["layers"]) <= set(LAYERS)
    for cause in tree["causes"]:
        for evidence in cause["evidence"]:
            assert evidence["capture"] in {path.name for path in site.iterdir()} | {None}
            assert evidence["capture"] is None or evidence["line"]
    assert run(["captures", str(site), "--json"]) == 0
    listed = {c["name"]: c["state"] for c in json.loads(capsys.readouterr().out)["captures"]}
    assert set(listed) == {path.name for path in site.iterdir()}
    for name, state in listed.items():
        assert state == "read" or name in narrated


def test_the_same_folder_gives_the_same_bytes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shutil.copytree(CASES[0], tmp_path / "site", ignore=shutil.ignore_patterns("case.yaml"))
    answers = set()
    for _ in range(2):
        assert run(["diagnose", str(tmp_path / "site"), "--json"]) == 0
        answers.add(capsys.readouterr().out)
    assert len(answers) == 1
