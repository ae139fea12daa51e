"""What a disk, a folder or another program can do to an assessment: each is named in both languages, and nothing is made worse."""

import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from advisor.base.errors import AdvisorError, AssessmentError
from advisor.base.text import say
from advisor.cli import run
from advisor.evidence.bundle import Capture
from advisor.evidence.reading import Reading
from advisor.store.file import opened
from advisor.store.migrations import STEPS
from advisor.usecases.assess import decide
from advisor.usecases.import_ import import_into
from advisor.usecases.seal import seal, verify

from .work import assessment_of, intact, older, write_site

LANGS = ("en", "zh")


def _is_named(error: AdvisorError, key: str) -> None:
    assert error.key == key
    for lang in LANGS:
        told = say(f"error.{error.key}", lang, **error.values)
        assert str(error.values["path"]) in told
        assert "{" not in told
    assert say(f"error.{key}", "en", **error.values) != say(f"error.{key}", "zh", **error.values)


def _fill(path: Path) -> None:
    with opened(path) as file:
        for number in range(200):
            data = os.urandom(60_000)
            file.add([(Capture(f"{number:064x}", f"{number}.txt", len(data), Reading()), data)])
            file.add_readings([(f"{number:064x}", Reading(), None)], "1")


# --- a full disk ----------------------------------------------------------------------------------------------------------


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of 2 MB, where this machine lets us have one."""
    place = tmp_path / "disk"
    place.mkdir()
    made = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", str(place)], capture_output=True, check=False)
    if made.returncode:
        pytest.skip("no disk of our own can be mounted here")
    yield place
    subprocess.run(["umount", str(place)], check=True)


@pytest.mark.skipif(sys.platform != "linux", reason="mounts a disk")
def test_a_full_disk(site: Path, small_disk: Path, tmp_path: Path) -> None:
    path = small_disk / "hall.advisor"
    path.write_bytes(site.read_bytes())
    with opened(path) as file:
        file.decide("m1", "later", "confirmed")
    with pytest.raises(AssessmentError) as raised:
        _fill(path)
    _is_named(raised.value, "disk-full")
    with opened(path) as file:  # it can be read, full as the disk is
        assert file.decisions()["m1"] == ("later", "confirmed")
        held = {sha: len(file.data(sha)) for sha in file.known()}
        assert len(held) > 18
        assert held == file.sizes()
    with pytest.raises(AssessmentError) as raised, opened(path) as file:
        file.decide("m2", "later", "x" * 600_000)  # more than the room that a failed write leaves
    _is_named(raised.value, "disk-full")
    for beside in path.parent.glob("hall.advisor*"):  # to a disk with room
        shutil.copy(beside, tmp_path / beside.name)
    path = tmp_path / "hall.advisor"
    intact(path)
    with opened(path) as file:
        assert file.sizes() == held


@pytest.mark.skipif(sys.platform != "linux", reason="mounts a disk")
def test_a_disk_that_fills_up_during_an_import_lets_the_same_import_go_on(small_disk: Path, captures: Path, tmp_path: Path) -> None:
    (small_disk / "other").write_bytes(b"x" * 1_980_000)
    path = small_disk / "hall.advisor"
    with pytest.raises(AdvisorError) as raised:
        import_into(str(path), [str(captures)])
    _is_named(raised.value, "disk-full")
    (small_disk / "other").unlink()
    done = import_into(str(path), [str(captures)])
    assert done.new + done.again == 18
    intact(path)


def test_a_limit_of_the_files_size(site: Path) -> None:
    """As a quota does: the write fails, not the disk. In a process of its own, as the limit stays."""
    resource = pytest.importorskip("resource")
    most = site.stat().st_size + 100_000
    code = (
        f"import resource, signal, os; resource.setrlimit(resource.RLIMIT_FSIZE, ({most}, {most}));"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN);"
        f"from pathlib import Path; from tests.durability.test_faults import _fill\n"
        f"try:\n    _fill(Path({str(site)!r}))\nexcept Exception as error:\n    print(error.key)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=Path(__file__).parents[2], check=True)
    assert resource is not None
    assert done.stdout.strip() == "disk-full", done.stdout + done.stderr
    intact(site)


def test_a_file_that_may_not_grow(site: Path) -> None:
    """SQLite's own word for a full disk, on any system."""

    def grow() -> None:
        with opened(site) as file:
            file._db.execute("pragma max_page_count = 1")
            file.add([(Capture("f" * 64, "x", 300_000, Reading()), os.urandom(300_000))])

    with pytest.raises(AssessmentError) as raised:
        grow()
    _is_named(raised.value, "disk-full")
    intact(site)


# --- folders and other programs -------------------------------------------------------------------------------------------


@pytest.mark.skipif(sys.platform != "linux", reason="mounts a folder again, read-only")
def test_a_read_only_folder(site: Path, tmp_path: Path) -> None:
    place = tmp_path / "stick"
    place.mkdir()
    (place / "hall.advisor").write_bytes(site.read_bytes())
    before = (place / "hall.advisor").read_bytes()
    if subprocess.run(["mount", "--bind", str(place), str(place)], capture_output=True, check=False).returncode:
        pytest.skip("nothing can be mounted here")
    try:
        subprocess.run(["mount", "-o", "remount,ro,bind", str(place)], check=True)
        assert len(assessment_of(place / "hall.advisor").bundle.captures) == 18  # it can be read
        with pytest.raises(AssessmentError) as raised:
            decide(assessment_of(place / "hall.advisor"), "mtu", "later")
        _is_named(raised.value, "not-writable")
        with pytest.raises(AssessmentError) as raised:
            import_into(str(place / "new.advisor"), [str(site.parent)])
        _is_named(raised.value, "not-writable")
    finally:
        subprocess.run(["umount", str(place)], check=True)
    assert (place / "hall.advisor").read_bytes() == before
    assert [p.name for p in place.iterdir()] == ["hall.advisor"]


def test_a_folder_that_takes_no_new_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def closed(*_: object) -> int:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("advisor.store.connection.os.open", closed)
    with pytest.raises(AssessmentError) as raised, opened(tmp_path / "hall.advisor", create=True):
        pass
    _is_named(raised.value, "not-writable")


def test_a_file_locked_by_another_process(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The other one holds the file for writing, and dies with it: then it is free again."""
    monkeypatch.setattr("advisor.store.connection._LOCK_S", 0.05)
    code = f"import sqlite3, sys; c = sqlite3.connect({str(site)!r}); c.execute('begin exclusive'); print(1, flush=True); sys.stdin.read()"
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stdin=subprocess.PIPE) as other:
        assert other.stdout is not None
        other.stdout.readline()
        with pytest.raises(AssessmentError) as raised, opened(site) as file:
            file.decide("m1", "later", "")
        _is_named(raised.value, "locked")
        other.kill()
    with opened(site) as file:
        file.decide("m1", "later", "free")
    assert assessment_of(site).decisions["m1"].reason == "free"


# --- other forms, damage --------------------------------------------------------------------------------------------------


def test_a_newer_version(site: Path) -> None:
    conn = sqlite3.connect(site)
    conn.execute(f"pragma user_version = {len(STEPS) + 1}")
    conn.close()
    before = site.read_bytes()
    with pytest.raises(AssessmentError) as raised:
        assessment_of(site)
    _is_named(raised.value, "newer-version")
    assert site.read_bytes() == before
    assert not list(site.parent.glob("*.advisor-*"))


@pytest.mark.parametrize("version", range(1, len(STEPS)))
def test_every_older_version_comes_up_with_all_that_it_held(site: Path, version: int) -> None:
    with opened(site) as file:
        file.decide("m1", "later", "of old")
    before = assessment_of(site)
    older(site, version)
    after = assessment_of(site)
    intact(site)
    assert (after.bundle, after.decisions) == (before.bundle, before.decisions)


def test_two_programs_bring_up_one_file(site: Path) -> None:
    """Each finds the other's steps done, wherever it looks."""
    older(site, 1)
    code = f"from pathlib import Path; from advisor.store.file import opened\nwith opened(Path({str(site)!r})): pass"
    both = [subprocess.Popen([sys.executable, "-c", code], stderr=subprocess.PIPE) for _ in range(3)]
    assert [one.communicate()[1] for one in both] == [b"", b"", b""]
    intact(site)


def test_every_damaged_page_is_named_or_harmless(site: Path) -> None:
    """One page at a time is overwritten: the file opens and says the same, or it is named; never an error without a sentence."""
    whole = site.read_bytes()
    page = int.from_bytes(whole[16:18], "big")
    captures = assessment_of(site).bundle
    errors = []
    for begin in range(0, len(whole), page):
        site.write_bytes(whole[:begin] + b"\xa5" * page + whole[begin + page :])
        try:
            assert len(assessment_of(site).bundle.captures) <= len(captures.captures)
        except AssessmentError as error:
            errors.append(error)
    for error in errors:
        _is_named(error, error.key)
    assert {error.key for error in errors} == {"damaged-file", "not-assessment"}
    assert len(errors) > len(whole) // page // 2


def test_a_damaged_capture_is_found_by_verify(site: Path) -> None:
    seal(assessment_of(site))
    conn = sqlite3.connect(site)
    sha, name, data = conn.execute("select sha256, name, data from capture where name like '%notes%'").fetchone()
    with conn:
        conn.execute("update capture set data = ? where sha256 = ?", (data[:-1] + bytes([data[-1] ^ 1]), sha))
    conn.close()
    found = verify(assessment_of(site)).changes
    assert [(change.part, change.name, change.how) for change in found] == [("captures", name, "damaged")]


# --- two programs on one assessment ---------------------------------------------------------------------------------------


def test_a_folder_that_is_imported_into_by_two_at_once(captures: Path, tmp_path: Path) -> None:
    more = tmp_path / "more"
    write_site(more, 9)
    target = tmp_path / "hall.advisor"
    words = [sys.executable, "-m", "advisor", "import", str(target)]
    both = [subprocess.Popen([*words, str(folder)], stdout=subprocess.PIPE, stderr=subprocess.PIPE) for folder in (captures, more)]
    for one in both:
        out, err = one.communicate()
        assert one.returncode == 0, (out, err)
    intact(target)
    assert sum(assessment_of(target).bundle.files.values()) == 9 * 3  # the six of the first are the same as the first six of the second


def test_a_new_file_that_another_program_filled_stays(tmp_path: Path, captures: Path) -> None:
    """An import of nothing takes its new file away again, but never one that holds another's captures."""
    target = tmp_path / "hall.advisor"
    (tmp_path / "none.txt").write_text("nothing of any tool\n")
    calls = []

    def meanwhile(step: object) -> None:
        if not calls:
            calls.append(step)
            import_into(str(target), [str(captures)])

    with pytest.raises(AdvisorError, match="None of the"):
        import_into(str(target), [str(tmp_path / "none.txt")], progress=meanwhile)
    assert calls
    assert len(assessment_of(target).bundle.captures) >= 18


def test_commands_say_it_in_both_languages(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    site.write_bytes(site.read_bytes()[: site.stat().st_size // 3])
    for lang, word in (("en", "damaged"), ("zh", "损坏")):
        assert run(["diagnose", str(site), "--lang", lang]) == 2
        assert word in capsys.readouterr().err
