"""Two programs have one assessment open: neither overwrites what the other decided, and each is told at its next step."""

from pathlib import Path

import pytest

from advisor.base.errors import UsageError
from advisor.usecases.assess import decide, overrule, set_aside
from advisor.usecases.correct import correct
from advisor.usecases.import_ import import_into
from advisor.usecases.undo import put_back

from .work import assessment_of, write_site


def test_a_decision_of_the_other_is_seen(site: Path) -> None:
    mine, theirs = assessment_of(site), assessment_of(site)
    theirs = decide(theirs, "ecmp-entropy", "take")
    assert theirs.elsewhere == ()
    mine = decide(mine, "mtu", "skip", "not now")
    assert mine.elsewhere == ("decisions",)
    assert {name: made.choice for name, made in mine.decisions.items()} == {"ecmp-entropy": "take", "mtu": "skip"}
    assert decide(mine, "mtu", "open").elsewhere == ()  # told once


def test_a_remedy_that_conflicts_with_one_that_the_other_took_is_refused(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("advisor.usecases.assess.excludes", lambda one, other: {one.id, other.id} == {"mtu", "ecmp-entropy"})
    mine = assessment_of(site)
    decide(assessment_of(site), "ecmp-entropy", "take")
    with pytest.raises(UsageError, match="cannot both be taken"):
        decide(mine, "mtu", "take")
    assert assessment_of(site).decisions.keys() == {"ecmp-entropy"}


def test_evidence_set_aside_in_both_is_set_aside_in_all(site: Path) -> None:
    mine, theirs = assessment_of(site), assessment_of(site)
    theirs = set_aside(theirs, frozenset({"a", "b"}))
    mine = set_aside(mine, frozenset({"c"}))
    assert mine.set_aside == {"a", "b", "c"}
    theirs = set_aside(theirs, frozenset({"b"}))  # takes only its own step back
    assert theirs.set_aside == {"b", "c"}
    assert assessment_of(site).set_aside == {"b", "c"}


def test_an_import_of_the_other_is_seen(site: Path, tmp_path: Path) -> None:
    mine = assessment_of(site)
    assert mine.fabric is not None
    write_site(tmp_path / "more", 8)
    import_into(str(site), [str(tmp_path / "more")])
    mine = decide(mine, "mtu", "later")
    assert mine.elsewhere == ("captures",)
    assert len(mine.bundle.captures) == 8 * 3
    assert "fabric" not in mine.__dict__  # worked out anew from what there is now


def test_a_verdict_and_a_host_that_the_other_stated_stay(site: Path) -> None:
    mine, theirs = assessment_of(site), assessment_of(site)
    sha = mine.bundle.captures[0].sha256
    overrule(theirs, "node-fault", "cable replaced")
    mine = correct(mine, sha, "gpu-77", None, None)
    assert mine.elsewhere == ("overrule",)
    assert mine.overrule is not None
    assert mine.overrule.reason == "cable replaced"
    assert mine.bundle.by_sha[sha].host == "gpu-77"


def test_going_back_takes_only_ones_own_step_back(site: Path) -> None:
    before = assessment_of(site)
    now = decide(before, "mtu", "later")
    decide(assessment_of(site), "ecmp-entropy", "take")
    back = put_back(now, before)
    assert {name: made.choice for name, made in back.decisions.items()} == {"ecmp-entropy": "take", "mtu": "open"}
    assert back.elsewhere == ("decisions",)
