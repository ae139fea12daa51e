"""Seals and changes over time: what a person changes shows, and nothing else."""

import json
import sqlite3
import zlib
from pathlib import Path

import pytest

from advisor.__main__ import opens_screens
from advisor.cli import run
from advisor.usecases.assess import Assessment, decide, example, open_site
from advisor.usecases.import_ import import_into
from advisor.usecases.seal import seal, verify
from advisor.usecases.since import changed_since


@pytest.fixture
def path(tmp_path: Path) -> Path:
    place = tmp_path / "hall.advisor"
    import_into(str(place), [example()])
    return place


def reopened(path: Path) -> Assessment:
    return open_site(str(path))


def test_the_same_input_gives_the_sealed_answer(path: Path) -> None:
    made = seal(reopened(path))
    found = verify(reopened(path))
    assert found.same_answer
    assert found.changes == ()
    assert found.now.digest == made.digest
    assert len(made.parts["captures"]) == 32


def test_a_decision_and_a_capture_more_are_named(path: Path, tmp_path: Path) -> None:
    seal(reopened(path))
    decide(reopened(path), "topology-scheduling", "skip", "not this quarter")
    (tmp_path / "more").mkdir()
    (tmp_path / "more" / "uptime.txt").write_text("nothing that a tool printed\n", encoding="utf-8")
    import_into(str(path), [str(tmp_path / "more" / "uptime.txt"), str(Path(example()) / "site.yaml")])
    found = verify(reopened(path))
    assert not found.same_answer
    told = {(change.part, change.how, change.name) for change in found.changes if change.part != "answer"}
    assert ("decisions", "added", "topology-scheduling") in told
    assert ("captures", "added", "uptime.txt") in told
    assert all(how == "added" for part, how, _ in told if part == "captures")


def test_a_damaged_capture_is_found(path: Path) -> None:
    seal(reopened(path))
    with sqlite3.connect(path) as db:
        sha = db.execute("select sha256 from capture order by name limit 1").fetchone()[0]
        db.execute("update capture set data = ? where sha256 = ?", (zlib.compress(b"something else\n"), sha))
    assert [change.how for change in verify(reopened(path)).changes] == ["damaged"]
    assert run(["verify", str(path)]) == 1


def test_seal_and_verify_by_command(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["verify", str(path)]) == 2
    assert "advisor seal" in capsys.readouterr().err
    assert run(["seal", str(path), "--json"]) == 0
    digest = json.loads(capsys.readouterr().out)["digest"]
    assert run(["verify", str(path), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["same_answer"] is True
    assert found["sealed"]["digest"] == digest
    assert run(["seal", example()]) == 2


def test_what_changed_between_two_assessments(path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    later = tmp_path / "later"
    for source in Path(example()).rglob("*"):
        if source.is_file():
            target = later / source.relative_to(example())
            target.parent.mkdir(parents=True, exist_ok=True)
            text = source.read_text(encoding="utf-8")
            if target.name == "lldp.txt":  # a cable pulled: one neighbour less
                lines = text.split("\n")
                lines.pop(next(i for i, line in enumerate(lines) if "nh-spine-4" in line))
                text = "\n".join(lines)
            target.write_text(text, encoding="utf-8")
    old, new = reopened(path), open_site(str(later))
    found = changed_since(old, new)
    links = [one for one in found if one.figure == "link"]
    assert len(links) == 1
    assert "nh-spine-4" in links[0].thing
    assert (links[0].before, links[0].now) == ("yes", "")
    assert changed_since(old, reopened(path)) == ()
    assert run(["since", str(path), str(later), "--lang", "zh"]) == 0
    assert "nh-spine-4" in capsys.readouterr().out
    assert not opens_screens(["since", "a", "b"])
