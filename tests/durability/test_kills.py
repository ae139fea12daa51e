"""A few kills and losses of power of the many that `make durability` does."""

import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from advisor.evidence.bundle import Bundle
from advisor.store.file import opened
from advisor.usecases.assess import Assessment
from advisor.usecases.seal import seal

from . import power
from .kills import ground
from .work import assessment_of, must_hold

ROOT = Path(__file__).parents[2]


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="kill -9 is of POSIX systems")
def test_nothing_confirmed_is_lost() -> None:
    """A process of its own: it forks, which a process with threads must not."""
    words = [sys.executable, "-m", "tests.durability", "--kills", "10", "--command", "1", "--power", "60"]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "10 of 10 kills without loss" in done.stdout
    assert "60 of 60 losses of power without loss" in done.stdout


def test_what_is_lost_or_there_twice_is_noticed(site: Path, captures: Path) -> None:
    """The judge of the kills is no rubber stamp."""
    whole = assessment_of(site)
    seal(whole)
    must_hold("re-read", site, captures, ["read"], whole)
    with pytest.raises((AssertionError, KeyError)):
        must_hold("decide", site, captures, ["decided mtu 3"], whole)  # told, but not in the file
    with opened(site) as file:
        file.decide("mtu", "later", "nobody was told of it")
    with pytest.raises(AssertionError):
        must_hold("re-read", site, captures, ["read"], whole)  # no longer what was sealed
    conn = sqlite3.connect(site)
    with conn:
        conn.execute("delete from decision")
        conn.execute("delete from reading where capture in (select capture from reading limit 1)")
    conn.close()
    with pytest.raises(AssertionError):
        must_hold("migrate", site, captures, [], Assessment("", None, Bundle(()), whole.today, {}, frozenset()))


def test_a_log_that_was_not_synced_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Were the end of the log not on the disk when a commit returns, the losses of power would show it."""
    on = ground(tmp_path, 2)
    monkeypatch.setattr(power, "_moment", _unsynced(power._moment))
    assert len(power.cuts(on, 20, 1)) >= 5


def _unsynced(moment: Callable[..., power.Moment]) -> Callable[..., power.Moment]:
    def cut(path: Path, file: object) -> power.Moment:
        found = moment(path, file)
        return power.Moment(found.file, found.log[: len(found.log) // 2], found.holds)

    return cut
