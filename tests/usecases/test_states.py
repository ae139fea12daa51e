"""Every file of an import ends in exactly one state, and the sums add up: in what the import says, and in what is listed later."""

import io
import json
import tarfile
from pathlib import Path

import pytest

from advisor.cli import run
from advisor.report.as_json import captures_json
from advisor.usecases import pool, reading
from advisor.usecases.assess import open_site
from advisor.usecases.import_ import Imported, import_into
from advisor.usecases.progress import Step

CAPTURES = Path(__file__).parents[1] / "captures"


@pytest.fixture
def mixed(captures: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Files of every state: 2 read (the same bytes), 1 in part, 2 not recognised, 1 refused, 1 failed, 4 passed over (2 of a name)."""
    ibstat = (captures / "gpu-07" / "ibstat.txt").read_text()
    (captures / "part.txt").write_text("root@gpu-09:~# ibstat\n" + ibstat + "what is this line\n")
    (captures / "none.txt").write_text("another note of nothing\n")
    (captures / "empty.txt").write_bytes(b"")
    (captures / "defect.txt").write_text("this file breaks a reader\n")
    (captures / "link").symlink_to(captures / "note.txt")
    with tarfile.open(captures / "site.tar", "w") as tar:
        for _ in range(2):
            info = tarfile.TarInfo("shadow")
            info.type, info.linkname = tarfile.SYMTYPE, "/etc/shadow"
            tar.addfile(info)
    (captures / "cut.tar.gz").write_bytes(b"\x1f\x8b\x08 nothing that can be unpacked")
    read = reading.read

    def broken(data: bytes, name: str | None = None):  # type: ignore[no-untyped-def]
        if b"breaks a reader" in data:
            raise IndexError("list index out of range")
        return read(data, name)

    monkeypatch.setattr(reading, "read", broken)
    return captures


STATES = {"read": 2, "read-in-part": 1, "not-recognised": 2, "refused": 1, "failed": 1, "passed": 4}


def _files(site: str) -> dict[str, int]:
    found = open_site(site)
    return {**found.bundle.files, "passed": len(found.passed)}


def _is_whole(done: Imported) -> bool:
    return done.files == done.new + done.again + len(done.passed)


def test_every_state_once_and_the_sums_add_up(mixed: Path, tmp_path: Path) -> None:
    site = str(tmp_path / "hall.advisor")
    done = import_into(site, [str(mixed)])
    assert (done.files, done.new, done.again, len(done.passed)) == (11, 6, 1, 4)
    assert sum(done.states.values()) == done.new
    assert _files(site) == STATES
    assert _files(str(mixed)) == STATES  # the same where nothing is kept
    assert len({name for name, _, _ in done.passed}) == 4


def test_a_second_import_of_the_same_adds_no_file(mixed: Path, tmp_path: Path) -> None:
    site = str(tmp_path / "hall.advisor")
    import_into(site, [str(mixed)])
    done = import_into(site, [str(mixed)])
    assert (done.files, done.new, done.again, len(done.passed), dict(done.states)) == (11, 0, 7, 4, {})
    assert _files(site) == STATES


def test_a_file_that_can_be_taken_at_last_is_passed_over_no_more(mixed: Path, tmp_path: Path) -> None:
    site = str(tmp_path / "hall.advisor")
    import_into(site, [str(mixed)])
    (mixed / "link").unlink()
    (mixed / "link").write_text("a third note\n")
    import_into(site, [str(mixed)])
    assert _files(site) == {**STATES, "passed": 3, "not-recognised": 3}


def test_the_list_of_captures_adds_up(mixed: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    site = str(tmp_path / "hall.advisor")
    import_into(site, [str(mixed)])
    assert run(["captures", site, "--json"]) == 0
    listed = json.loads(capsys.readouterr().out)
    assert listed["files"] == sum(listed["states"].values()) == 11
    assert listed["files"] == sum(capture["files"] for capture in listed["captures"]) + len(listed["passed_over"])
    assert listed["states"] == STATES
    assert run(["captures", site]) == 0
    told = " ".join(capsys.readouterr().out.split())
    assert "11 files: " in told
    assert "1 of them hold the same bytes as another" in told


def test_the_same_name_and_bytes_twice_in_a_tar_are_two_files(captures: Path, tmp_path: Path) -> None:
    ibstat = (captures / "gpu-07" / "ibstat.txt").read_bytes()
    with tarfile.open(tmp_path / "x.tar", "w") as tar:
        for _ in range(3):
            info = tarfile.TarInfo("gpu-07/ibstat.txt")
            info.size = len(ibstat)
            tar.addfile(info, io.BytesIO(ibstat))
    site = str(tmp_path / "hall.advisor")
    done = import_into(site, [str(tmp_path / "x.tar")])
    assert (done.files, done.new, done.again) == (3, 1, 2)
    assert _files(site) == {"read": 3, "passed": 0}
    assert _files(str(tmp_path / "x.tar")) == {"read": 3, "passed": 0}


# --- one process and several ----------------------------------------------------------------------------------------


@pytest.fixture
def several(tmp_path: Path) -> Path:
    """A few captures of every tool that the golden tests hold."""
    root = tmp_path / "several"
    for folder in sorted(path for path in CAPTURES.iterdir() if path.is_dir()):
        for file in sorted(folder.glob("*"))[:6]:
            if file.suffix != ".yaml":
                (root / folder.name).mkdir(parents=True, exist_ok=True)
                (root / folder.name / file.name).write_bytes(file.read_bytes())
    return root


def test_several_processes_read_what_one_reads(several: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ADVISOR_JOBS", "1")
    alone = open_site(str(several)).bundle
    import_into(str(tmp_path / "a.advisor"), [str(several)])
    monkeypatch.setenv("ADVISOR_JOBS", "2")
    monkeypatch.setattr(pool, "_ALONE_S", 0.0)
    steps: list[Step] = []
    shared = open_site(str(several), progress=steps.append).bundle
    import_into(str(tmp_path / "b.advisor"), [str(several)])
    assert len(alone.captures) > 30
    assert shared.captures == alone.captures
    assert captures_json(open_site(str(tmp_path / "a.advisor")).bundle, (), "en") == captures_json(
        open_site(str(tmp_path / "b.advisor")).bundle, (), "en"
    )
    assert steps[-1].done == steps[-1].total
    assert all(step.seconds_left is None or step.seconds_left >= 0 for step in steps)


# --- names that spell commands -------------------------------------------------------------------------------------

IDLE = "NIC statistics:\n     rx_bytes_phy: 0\n     tx_bytes_phy: 0\n     rx_discards_phy: 0\n"


def _interfaces(site: str) -> set[tuple[str, str]]:
    return {(known.host or "?", known.names[0]) for known in open_site(site).bundle.find("interfaces.*.rx_bytes", "ethtool-S")}


def test_the_same_bytes_of_two_interfaces_are_two_interfaces(tmp_path: Path) -> None:
    """Idle ports print the same: one capture under two names that spell two commands."""
    folder = tmp_path / "sosreport-gpu07-2026-09-14-abcdefg" / "sos_commands" / "networking"
    folder.mkdir(parents=True)
    for name in ("ethtool_-S_eth0", "ethtool_-S_eth1"):
        (folder / name).write_text(IDLE)
    given = str(tmp_path / "sosreport-gpu07-2026-09-14-abcdefg")
    site = str(tmp_path / "hall.advisor")
    import_into(site, [given])
    assert _interfaces(site) == _interfaces(given) == {("gpu07", "eth0"), ("gpu07", "eth1")}


def test_a_name_that_comes_in_a_later_import_counts(tmp_path: Path) -> None:
    site = str(tmp_path / "hall.advisor")
    for name in ("ethtool_-S_eth1", "ethtool_-S_eth0"):
        (tmp_path / name).write_text(IDLE)
        done = import_into(site, [str(tmp_path / name)], host="gpu-07")
        assert dict(done.states) == {"read": 1}
    assert _interfaces(site) == {("gpu-07", "eth0"), ("gpu-07", "eth1")}
