"""An assessment on disk and in memory: order of import, decisions, corrections, original lines."""

import itertools
import shutil
from datetime import date
from pathlib import Path

import pytest

from advisor.base.errors import Cancelled, NothingRead, UsageError
from advisor.report.as_json import diagnosis_json, plan_json
from advisor.usecases.assess import decide, example, open_site, original_lines, remedies, set_aside
from advisor.usecases.correct import correct
from advisor.usecases.import_ import import_into
from advisor.usecases.progress import Step
from advisor.usecases.recent import recent

TODAY = date(2026, 11, 30)


def _answers(site: str) -> tuple[dict, dict]:
    found = open_site(site, today=TODAY)
    return diagnosis_json(found.diagnosis, "en"), plan_json(found.plan, "en")


def test_any_order_of_import_gives_the_same_answer(tmp_path: Path) -> None:
    folders = sorted(path for path in Path(example()).iterdir() if path.is_dir())[:3]
    files = [str(path) for path in Path(example()).iterdir() if path.is_file()]
    answers = []
    for i, order in enumerate(itertools.permutations(folders, len(folders))):
        site = tmp_path / f"{i}.advisor"
        for folder in order:
            import_into(str(site), [str(folder)])
        import_into(str(site), files)
        answers.append(_answers(str(site)))
        if i == 2:
            break
    assert answers[0] == answers[1] == answers[2]


def test_a_file_and_the_folder_it_came_from_say_the_same(tmp_path: Path) -> None:
    site = tmp_path / "hall.advisor"
    import_into(str(site), [example()])
    assert _answers(str(site)) == _answers(example())


def test_decisions_are_kept(tmp_path: Path) -> None:
    site = tmp_path / "hall.advisor"
    import_into(str(site), [example()])
    assessment = open_site(str(site), today=TODAY)
    first = assessment.plan.rungs[0].proposal.remedy.id
    second = assessment.plan.rungs[1].proposal.remedy.id
    after = decide(decide(assessment, first, "take"), second, "skip", "no window until May")
    again = open_site(str(site), today=TODAY)
    for plan in (after.plan, again.plan):
        assert {r.proposal.remedy.id: r.decision.choice for r in plan.rungs}[first] == "take"
        assert {r.proposal.remedy.id: r.decision.reason for r in plan.rungs}[second] == "no window until May"
    assert assessment.plan.rungs[0].decision.choice == "open"


def test_a_decision_needs_a_remedy(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no remedy"):
        decide(open_site(example(), today=TODAY), "pray", "take")


def test_evidence_set_aside_changes_what_rests_on_it(tmp_path: Path) -> None:
    site = tmp_path / "hall.advisor"
    import_into(str(site), [example()])
    assessment = open_site(str(site), today=TODAY)
    leading = assessment.diagnosis.causes[0]
    measures = frozenset(e.measure for e in leading.evidence if e.supports)
    without = set_aside(assessment, measures)
    still = {c.cause: c.probability for c in without.diagnosis.causes}
    assert still.get(leading.cause, 0) < leading.probability
    assert open_site(str(site), today=TODAY).set_aside == measures
    assert set_aside(without, frozenset()).diagnosis == assessment.diagnosis


def test_a_person_corrects_the_host(captures: Path, tmp_path: Path) -> None:
    site = tmp_path / "hall.advisor"
    import_into(str(site), [str(captures)])
    assessment = open_site(str(site), today=TODAY)
    sha = next(c.sha256 for c in assessment.bundle.captures if c.state == "read")
    assert set(assessment.fabric.hosts) == {"gpu-07"}
    assert set(correct(assessment, sha, "gpu-09", None, None).fabric.hosts) == {"gpu-09"}
    assert set(open_site(str(site), today=TODAY).fabric.hosts) == {"gpu-09"}


def test_evidence_leads_to_the_original_line(tmp_path: Path) -> None:
    assessment = open_site(example(), today=TODAY)
    for cause in assessment.diagnosis.causes:
        for evidence in cause.evidence:
            for origin in evidence.origins:
                if origin.line:
                    lines = original_lines(assessment, origin.capture)
                    assert 1 <= origin.line <= len(lines)
                    assert lines[origin.line - 1].strip()


def test_progress_tells_and_cancel_stops(captures: Path, tmp_path: Path) -> None:
    site = tmp_path / "hall.advisor"
    steps: list[Step] = []
    import_into(str(site), [str(captures)], progress=steps.append)
    assert steps[-1].done == steps[-1].total
    stop = tmp_path / "stopped.advisor"
    with pytest.raises(Cancelled):
        import_into(str(stop), [str(captures)], cancelled=lambda: True)
    assert import_into(str(stop), [str(captures)]).new + 0 >= 0  # goes on
    assert {c.sha256 for c in open_site(str(stop)).bundle.captures} == {c.sha256 for c in open_site(str(site)).bundle.captures}


def test_nothing_readable_leaves_no_file(tmp_path: Path) -> None:
    (tmp_path / "note.txt").write_text("the switch room was closed\n")
    with pytest.raises(NothingRead):
        import_into(str(tmp_path / "x.advisor"), [str(tmp_path / "note.txt")])
    assert not (tmp_path / "x.advisor").exists()


def test_an_unreadable_file_never_harms_what_is_there(captures: Path, tmp_path: Path) -> None:
    site = tmp_path / "hall.advisor"
    import_into(str(site), [str(captures)])
    before = {c.sha256 for c in open_site(str(site)).bundle.captures}
    (tmp_path / "x.bin").write_bytes(bytes(range(256)))
    import_into(str(site), [str(tmp_path / "x.bin")])
    assert before < {c.sha256 for c in open_site(str(site)).bundle.captures}


def test_opened_assessments_are_remembered(captures: Path, tmp_path: Path) -> None:
    first, second = tmp_path / "a.advisor", tmp_path / "b.advisor"
    for site in (first, second):
        import_into(str(site), [str(captures)])
    open_site(str(first))
    assert [entry.name for entry in recent()] == ["a", "b"]
    first.unlink()
    assert [entry.name for entry in recent()] == ["b"]


def test_every_proposed_remedy_is_one_of_ours() -> None:
    assessment = open_site(example(), today=TODAY)
    assert {rung.proposal.remedy.id for rung in assessment.plan.rungs} <= remedies().keys()


def test_a_folder_is_read_and_not_kept(captures: Path) -> None:
    before = sorted(p.name for p in captures.rglob("*"))
    open_site(str(captures))
    assert sorted(p.name for p in captures.rglob("*")) == before


def test_an_archive_is_a_site(captures: Path, tmp_path: Path) -> None:
    archive = shutil.make_archive(str(tmp_path / "site"), "gztar", captures)
    assert set(open_site(archive, today=TODAY).fabric.hosts) == {"gpu-07"}


def test_the_same_bytes_on_two_hosts_speak_of_both(captures: Path, tmp_path: Path) -> None:
    """Two hosts of a kind print the same ibstat where GUIDs are left out: one capture, two hosts."""
    (captures / "gpu-08").mkdir()
    (captures / "gpu-08" / "ibstat.txt").write_bytes((captures / "gpu-07" / "ibstat.txt").read_bytes())
    site = tmp_path / "hall.advisor"
    import_into(str(site), [str(captures)])
    for target in (str(captures), str(site)):
        assessment = open_site(target, today=TODAY)
        assert set(assessment.fabric.hosts) == {"gpu-07", "gpu-08"}
        assert sum(capture.state == "read" for capture in assessment.bundle.captures) == 1
