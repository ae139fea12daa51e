"""A scheduler forgets a task when the last worker that held what it needs is gone: the files are handed out again, a few times."""

from collections.abc import Callable
from concurrent.futures import CancelledError
from typing import Any

import pytest

from advisor.base.errors import UsageError
from advisor.capture.intake import Item
from advisor.usecases.pool import Job
from advisor.usecases.taking import Source, Taken

pytest.importorskip("distributed")


class _Future:
    def __init__(self, ask: Callable[[], list[Taken]]) -> None:
        self._ask = ask

    def result(self, timeout: float) -> list[Taken]:
        return self._ask()


class _Forgetful:
    """A cluster of one thread that forgets so many tasks."""

    status = "running"

    def __init__(self, forgets: int) -> None:
        self._left = forgets

    def scatter(self, work: Any, **_: Any) -> Any:
        return work

    def nthreads(self) -> dict[str, int]:
        return {"worker": 1}

    def cancel(self, futures: Any, force: bool) -> None:
        pass

    def submit(self, work: Callable[..., list[Taken]], *given: Any, pure: bool) -> _Future:
        def ask() -> list[Taken]:
            if self._left:
                self._left -= 1
                raise CancelledError("already forgotten")
            return work(*given)

        return _Future(ask)


def _taken(source: Source) -> Taken:
    return Taken(digest=source.name.encode())


def _results(forgets: int) -> list[Taken]:
    from advisor.usecases.dask_cluster import _Cluster

    sources = [Item(f"{n}.txt", b"x") for n in range(450)]
    return list(_Cluster(_Forgetful(forgets))(sources, Job(_taken, _taken, lambda: None)))


def test_a_forgotten_task_is_handed_out_again() -> None:
    assert [taken.digest for taken in _results(3)] == [b"%d.txt" % n for n in range(450)]


def test_a_cluster_that_forgets_everything_is_lost() -> None:
    with pytest.raises(UsageError) as raised:
        _results(10_000)
    assert raised.value.key == "dask-lost"
