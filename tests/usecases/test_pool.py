"""The same results in the same order with one process and with several; a dead process costs one thing; a person can stop it."""

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import pytest

from advisor.base.errors import Cancelled
from advisor.usecases import pool
from advisor.usecases.pool import Job, each


@dataclass(frozen=True)
class Thing:
    n: int
    size: int = 1


def double(thing: Thing) -> int:
    return 2 * thing.n


def double_or_die(thing: Thing) -> int:
    if thing.n == 57:
        os._exit(1)
    return 2 * thing.n


def sleep(thing: Thing) -> int:
    time.sleep(600)
    return thing.n


def process(thing: Thing) -> int:
    return os.getpid()


def lost(thing: Thing) -> int:
    return -thing.n


def marked(thing: Thing) -> bytes:
    """More than a line between processes holds, and a mark that it was made."""
    Path(os.environ["MARKS"], str(thing.n)).touch()
    return bytes(20_000)


def never() -> None:
    pass


@pytest.fixture
def eager(monkeypatch: pytest.MonkeyPatch) -> None:
    """Processes from the first thing on."""
    monkeypatch.setenv("ADVISOR_JOBS", "2")
    monkeypatch.setattr(pool, "_ALONE_S", 0.0)


def _children() -> int:
    import multiprocessing

    return len(multiprocessing.active_children())


def test_few_things_need_no_other_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ADVISOR_JOBS", "8")
    assert set(each([Thing(n) for n in range(50)], Job(process, lost, never))) == {os.getpid()}


@pytest.mark.usefixtures("eager")
def test_results_come_in_order_and_the_processes_go() -> None:
    things = [Thing(n, size=n % 7 * 100_000) for n in range(500)]
    assert list(each(things, Job(double, lost, never))) == [2 * n for n in range(500)]
    assert os.getpid() not in set(each(things[:5], Job(process, lost, never)))
    assert _children() == 0


@pytest.mark.usefixtures("eager")
def test_a_process_that_dies_costs_what_it_died_of() -> None:
    found = list(each([Thing(n) for n in range(300)], Job(double_or_die, lost, never)))
    assert found == [-57 if n == 57 else 2 * n for n in range(300)]


@pytest.mark.usefixtures("eager")
def test_a_person_stops_it_in_the_middle_of_a_thing() -> None:
    begun = time.monotonic()
    stop: list[bool] = []

    def check() -> None:
        if time.monotonic() - begun > 3 or stop:
            raise Cancelled("cancelled")

    with pytest.raises(Cancelled), closing(each([Thing(n) for n in range(4)], Job(sleep, lost, check))) as found:
        list(found)
    assert time.monotonic() - begun < 300, "it did not wait for the things themselves"
    assert _children() == 0


@pytest.mark.usefixtures("eager")
def test_nothing_is_taken_up_that_nobody_waits_for() -> None:
    """A reader far ahead of its results would hold them all in memory."""
    taken: list[int] = []

    def things() -> Iterator[Thing]:
        for n in range(100_000):
            taken.append(n)
            yield Thing(n, size=10_000)

    with closing(each(things(), Job(double, lost, never))) as found:
        assert next(found) == 0
    assert len(taken) < 100 * pool._AHEAD * 3


@pytest.mark.usefixtures("eager")
def test_the_work_goes_on_while_nobody_takes_results(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever takes them writes them to the disk in between."""
    monkeypatch.setenv("MARKS", str(tmp_path))
    limit = time.monotonic() + 120
    with closing(each([Thing(n) for n in range(1_000)], Job(marked, lost, never))) as found:  # type: ignore[arg-type]
        next(found)
        while len(os.listdir(tmp_path)) < 1_000 and time.monotonic() < limit:
            time.sleep(0.05)
        assert len(os.listdir(tmp_path)) == 1_000
        assert sum(1 for _ in found) == 999


@pytest.mark.usefixtures("eager")
def test_without_processes_the_work_goes_on_here(monkeypatch: pytest.MonkeyPatch) -> None:
    def none(_: Callable[[Thing], int], others: object = ()) -> None:
        raise OSError("no process for you")

    monkeypatch.setattr(pool, "_Worker", none)
    assert set(each([Thing(n) for n in range(20)], Job(process, lost, never))) == {os.getpid()}


def test_a_program_that_came_over_a_pipe() -> None:
    """It has no file that another process could begin with."""
    script = (
        f"import sys; sys.path[:0] = {[os.path.dirname(__file__)]!r}\n"
        "from advisor.usecases import pool\n"
        "from test_pool import Thing, double, lost, never\n"
        "pool._ALONE_S = 0.0\n"
        "print(list(pool.each([Thing(n) for n in range(3)], pool.Job(double, lost, never))))\n"
    )
    env = {**os.environ, "ADVISOR_JOBS": "2"}
    done = subprocess.run([sys.executable, "-"], input=script, capture_output=True, text=True, env=env, timeout=120, check=True)
    assert done.stdout.strip() == "[0, 2, 4]"


def test_one_process_where_one_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ADVISOR_JOBS", "1")
    monkeypatch.setattr(pool, "_ALONE_S", 0.0)
    assert set(each([Thing(n, size=10**9) for n in range(3)], Job(process, lost, never))) == {os.getpid()}


_ALONE = """import os, sys, threading
sys.path[:0] = [{folder!r}]
from advisor.usecases import pool
from test_pool import Thing, double_or_die, slowly, lost, never
pool._ALONE_S = 0.0
assert threading.active_count() == 1
{work}
"""


def _alone(work: str) -> "subprocess.Popen[str]":
    """A program of one thread, as a command is."""
    env = {**os.environ, "ADVISOR_JOBS": "2"}
    script = _ALONE.format(folder=os.path.dirname(__file__), work=work)
    return subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True, env=env)


def slowly(thing: Thing) -> int:
    time.sleep(0.01)
    return os.getpid()


@pytest.mark.skipif(sys.platform != "linux", reason="forked on Linux only")
def test_a_program_of_one_thread_forks() -> None:
    """The same results, also where a process dies; what was printed is printed once."""
    work = (
        "print('once', end='')\n"
        "found = list(pool.each([Thing(n) for n in range(300)], pool.Job(double_or_die, lost, never)))\n"
        "assert found == [-57 if n == 57 else 2 * n for n in range(300)]\n"
    )
    with _alone(work) as program:
        assert program.communicate(timeout=120)[0] == "once"
        assert program.returncode == 0


@pytest.mark.skipif(sys.platform != "linux", reason="forked on Linux only")
def test_processes_end_with_a_program_that_is_killed() -> None:
    """Neither keeps the other's line open."""
    work = (
        "results = pool.each((Thing(n) for n in range(10**6)), pool.Job(slowly, lost, never))\n"
        "found = set()\n"
        "while len(found) < 2:\n"
        "    found.add(next(results))\n"
        "print(*found, flush=True)\n"
        "import time; time.sleep(600)\n"
    )
    with _alone(work) as program:
        assert program.stdout is not None
        pids = [int(pid) for pid in program.stdout.readline().split()]
        program.kill()
    limit = time.monotonic() + 120
    while any(_runs(pid) for pid in pids) and time.monotonic() < limit:
        time.sleep(0.05)
    assert [pid for pid in pids if _runs(pid)] == []


def _runs(pid: int) -> bool:
    try:
        with open(f"/proc/{pid}/stat") as stat:
            return stat.read().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False
