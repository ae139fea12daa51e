"""An import on a Dask cluster of two worker processes gives the assessment of a local import, row by row and byte by byte, whoever dies."""

import json
import os
import signal
import sqlite3
import subprocess
import sys
import tarfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from advisor.base.errors import UsageError
from advisor.cli import run
from advisor.usecases import dask_cluster
from advisor.usecases.assess import open_site
from advisor.usecases.dask_cluster import cluster
from advisor.usecases.import_ import import_into
from advisor.usecases.progress import Step
from tests.hall import hall

pytest.importorskip("distributed", reason="the extra dask is not installed")
pytestmark = pytest.mark.slow
HOSTS = 60
_START_S = 240  # at the most: a machine that does much else starts processes slowly


class Cluster:
    """A scheduler and two workers, each a process that dies for good when it is killed."""

    def __init__(self, folder: Path) -> None:
        self._file = folder / "scheduler.json"
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "cwd": folder}
        here = ("--host", "127.0.0.1", "--dashboard-address", "127.0.0.1:0")  # their side servers listen on this machine alone too
        place = (*here, "--scheduler-file", str(self._file))
        self.processes = [subprocess.Popen([sys.executable, "-m", "distributed.cli.dask_scheduler", "--port", "0", *place], **quiet)]
        self._until(self._file.exists)
        worker = (sys.executable, "-m", "distributed.cli.dask_worker", "--nthreads", "1", "--no-nanny", *place)
        self.workers = [subprocess.Popen(worker, **quiet) for _ in range(2)]
        self.processes += self.workers
        self.address: str = json.loads(self._file.read_text())["address"]

    def until_workers(self, count: int) -> None:
        from distributed import Client

        with Client(self.address, set_as_default=False) as client:
            client.wait_for_workers(count, timeout=_START_S)

    def _until(self, is_so: "object") -> None:
        since = time.monotonic()
        while not is_so():  # type: ignore[operator]
            assert self.processes[0].poll() is None, "the scheduler ended"
            assert time.monotonic() - since < _START_S
            time.sleep(0.1)

    def end(self) -> None:
        for process in reversed(self.processes):
            process.kill()
            process.wait()


@pytest.fixture
def dask(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    made = Cluster(tmp_path_factory.mktemp("cluster"))
    try:
        made.until_workers(2)
        yield made
    finally:
        made.end()


@pytest.fixture(scope="module")
def captures(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A hall with what else a folder may hold: an archive, the same bytes under another command, a link, and nothing of ours."""
    folder = hall(tmp_path_factory.mktemp("hall") / "captures", HOSTS)
    first = sorted(folder.glob("nh-r0000h0/ibstat.txt"))[0]
    with tarfile.open(folder / "more.tar.gz", "w:gz") as tar:
        for n in range(3):
            tar.add(first, f"nh-r9999h{n}/ibstat.txt")
        tar.add(folder / "slurm" / "jobs.txt", "slurm/others.txt")
    counters = next(folder.glob("nh-r0000h0/ethtool-S-*-104000.txt")).read_text().split("\n", 1)[1]
    for card in ("eth0", "eth1"):
        (folder / "nh-r0000h1" / f"ethtool_-S_{card}").write_text(counters)
    (folder / "link").symlink_to(first)
    (folder / "packed").write_bytes((folder / "more.tar.gz").read_bytes())  # an archive that its name does not tell
    (folder / "note").write_text("nothing of ours\n")
    return folder


def rows(path: Path) -> dict[str, list[tuple[object, ...]]]:
    """Every row of every table, blobs as they lie."""
    with sqlite3.connect(path) as db:
        tables = [name for (name,) in db.execute("select name from sqlite_master where type = 'table' and name <> 'turn'")]
        return {table: sorted(db.execute(f"select * from {table}").fetchall(), key=repr) for table in tables}


def answers(path: Path, capsys: pytest.CaptureFixture[str]) -> list[str]:
    told = []
    for command in ("diagnose", "plan"):
        assert run([command, str(path), "--json"]) == 0
        told.append(capsys.readouterr().out.replace(str(path), "SITE"))
    return told


def test_the_same_assessment_though_a_worker_is_killed(
    dask: Cluster, captures: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dask_cluster, "_CHUNK", 20)  # many tasks, so that one dies at work
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    here, there = tmp_path / "a" / "hall.advisor", tmp_path / "b" / "hall.advisor"
    local = import_into(str(here), [str(captures)])
    seen: list[int] = []

    def kill_one(step: Step) -> None:
        seen.append(step.done)
        if step.done > 20 and dask.workers[0].poll() is None:
            os.kill(dask.workers[0].pid, signal.SIGKILL)

    with cluster(dask.address) as each:
        far = import_into(str(there), [str(captures)], progress=kill_one, each=each)
    assert dask.workers[0].poll() == -signal.SIGKILL
    assert dask.workers[1].poll() is None
    assert (far.files, far.new, far.again, far.states, far.passed) == (local.files, local.new, local.again, local.states, local.passed)
    assert rows(there) == rows(here)
    assert answers(there, capsys) == answers(here, capsys)
    assert open_site(str(there)).bundle == open_site(str(here)).bundle


def test_by_command_and_once_more_is_nothing_new(dask: Cluster, captures: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    site, command = str(tmp_path / "hall.advisor"), ["--json", "--dask", dask.address]
    assert run(["import", site, str(captures), *command]) == 0
    first = json.loads(capsys.readouterr().out)
    assert run(["import", site, str(captures), *command]) == 0
    second = json.loads(capsys.readouterr().out)
    assert (second["new"], second["files"], second["states"]) == (0, first["files"], {})


def test_a_scheduler_that_is_not_there_is_said(tmp_path: Path, captures: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dask_cluster, "_REACHED_S", 1.0)
    with pytest.raises(UsageError, match=r"No Dask scheduler answers at tcp://127\.0\.0\.1:9"), cluster("tcp://127.0.0.1:9"):
        pass


def test_without_dask_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(UsageError, match=r"fabric-advisor\[dask\]"), cluster("tcp://127.0.0.1:8786"):
        pass


def test_without_dask_jobqueue_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "dask_jobqueue", None)
    with pytest.raises(UsageError, match="dask-jobqueue"), cluster("slurm"):
        pass
