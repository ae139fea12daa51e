"""An import on an existing Dask cluster: workers open files where they lie, on a filesystem that all of them see, and only what the store
keeps comes back. The same interface as the processes of this machine (usecases/pool.py), so the assessment is the same.

What an archive holds is unpacked here and sent to them. Work in flight is bounded. A worker that dies costs nothing: its files are read by
another one; a file that kills one worker after another is kept without a reading, as on one machine.
"""

import os
from collections import deque
from collections.abc import Generator, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any

from advisor.base.errors import UsageError
from advisor.capture.intake import Place
from advisor.usecases.import_ import Each
from advisor.usecases.pool import Job
from advisor.usecases.reading import READERS
from advisor.usecases.taking import Source, Taken

SLURM = "slurm"
_REACHED_S = 15.0
_QUEUED_S = 600.0  # that a Slurm job may wait until its first worker is there
_JOBS = 4  # Slurm jobs; what each of them asks for is in Dask's own configuration
_CHUNK = 200  # files that go together, at the most
_CHUNK_BYTES = 4 * 2**20
_AHEAD = 4  # chunks in flight for each thread of the cluster
_AT_ONCE = 256 * 2**20  # bytes of files in flight, beside one that is larger
_TICK_S = 0.2
_TRIES = 3  # that a chunk is handed out again after the scheduler forgot it


@contextmanager
def cluster(address: str) -> Iterator[Each]:
    """Who takes the files of an import: the workers at `tcp://HOST:PORT`, or of Slurm jobs that are started for it (`slurm`).

    Raises UsageError: Dask is not installed, nobody answers, no worker there, or one with another version of this program.
    """
    try:
        from distributed import Client
    except ImportError:
        raise UsageError("no-dask") from None
    make: Any = Client  # its types are not declared
    with _slurm() if address == SLURM else _given(address) as there:
        try:
            client = make(there, timeout=_REACHED_S, set_as_default=False)
        except (OSError, ValueError, TypeError) as error:
            raise UsageError("dask-unreachable", address=address, why=str(error) or type(error).__name__) from None
        with client:
            _require_workers(client, address)
            yield _Cluster(client)


@contextmanager
def _given(address: str) -> Iterator[Any]:
    yield address


@contextmanager
def _slurm() -> Iterator[Any]:
    """A cluster of Slurm jobs: queue, cores, memory and time as `jobqueue.slurm` in Dask's configuration says."""
    try:
        from dask_jobqueue import SLURMCluster
    except ImportError:
        raise UsageError("no-dask-jobqueue") from None
    try:
        made = SLURMCluster()
    except (OSError, ValueError, TypeError, RuntimeError) as error:
        raise UsageError("dask-unreachable", address=SLURM, why=str(error)) from None
    with made:
        made.scale(jobs=_JOBS)
        yield made


def version() -> str:
    """Of the readers, as a worker has them."""
    return READERS


def _require_workers(client: Any, address: str) -> None:
    try:
        client.wait_for_workers(1, timeout=_QUEUED_S if address == SLURM else _REACHED_S)
    except TimeoutError:
        raise UsageError("dask-no-workers", address=address) from None
    try:
        found = set(client.run(version).values())
    except Exception as error:  # whatever a worker raises that cannot import this program
        raise UsageError("dask-worker", address=address, why=f"{type(error).__name__}: {error}") from None
    if found != {READERS}:
        raise UsageError("dask-version", address=address, theirs=", ".join(sorted(found - {READERS})), ours=READERS)


def work(take: Any, chunk: list[Source]) -> list[Taken]:
    """On a worker: what becomes of these files."""
    return [take(source) for source in chunk]


@dataclass(frozen=True)
class _Cluster:
    client: Any

    def __call__(self, things: Iterable[Source], job: Job[Source, Taken], is_long: bool = False) -> Generator[Taken, None, None]:
        """The result of every file, in order. Raises what `check` raises, and UsageError where the cluster is lost."""
        chunks, in_flight = _chunks(things), deque[tuple[Any, list[Source]]]()
        take = self._everywhere(job)
        try:
            while True:
                self._hand_out(chunks, in_flight, take)
                if not in_flight:
                    return
                future, chunk = in_flight[0]
                results = self._result(future, chunk, job)
                yield from self._one_by_one(chunk, take, job) if results is None else results
                in_flight.popleft()
        finally:
            with suppress(Exception):  # the cluster may be gone
                self.client.cancel([future for future, _ in in_flight], force=True)

    def _hand_out(self, chunks: Iterator[list[Source]], in_flight: deque[tuple[Any, list[Source]]], take: Any) -> None:
        most = _AHEAD * max(self._call(lambda: sum(self.client.nthreads().values())), 1)
        while len(in_flight) < most and sum(source.size for _, chunk in in_flight for source in chunk) < _AT_ONCE:
            chunk = next(chunks, None)
            if chunk is None:
                return
            in_flight.append((self.client.submit(work, take, chunk, pure=False), chunk))

    def _everywhere(self, job: Job[Source, Taken]) -> Any:
        """What is to be done, on every worker."""
        return self._call(lambda: self.client.scatter(job.work, broadcast=True, hash=False))

    def _result(self, future: Any, chunk: list[Source], job: Job[Source, Taken]) -> list[Taken] | None:
        """None where one worker after another died of it."""
        from distributed import CancelledError, KilledWorker, TimeoutError

        forgotten = 0
        while True:
            job.check()
            try:
                found: list[Taken] = self._call(
                    lambda asked=future: asked.result(timeout=_TICK_S), TimeoutError, KilledWorker, CancelledError
                )
            except TimeoutError:
                continue
            except KilledWorker:
                return None
            except CancelledError as error:  # the scheduler forgets a task when the last worker that held what it needs is gone
                forgotten += 1
                if forgotten > _TRIES or self.client.status != "running":
                    raise UsageError("dask-lost", why=f"{type(error).__name__}: {error}") from error
                future = self.client.submit(work, self._everywhere(job), chunk, pure=False)
                continue
            return found

    def _one_by_one(self, chunk: list[Source], take: Any, job: Job[Source, Taken]) -> Iterator[Taken]:
        for source in chunk:
            found = self._result(self.client.submit(work, take, [source], pure=False), [source], job)
            yield found[0] if found else job.lost(source)

    def _call(self, ask: Any, *expected: type[BaseException]) -> Any:
        """Raises UsageError for what Dask raises beside the expected: mostly that the scheduler is gone."""
        try:
            return ask()
        except expected:
            raise
        except Exception as error:
            raise UsageError("dask-lost", why=f"{type(error).__name__}: {error}") from error


def _chunks(things: Iterable[Source]) -> Iterator[list[Source]]:
    chunk: list[Source] = []
    size = 0
    for source in things:
        if isinstance(source, Place):  # a worker stands in another folder
            source = source._replace(path=os.path.abspath(source.path))
        chunk.append(source)
        size += source.size
        if len(chunk) >= _CHUNK or size >= _CHUNK_BYTES:
            yield chunk
            chunk, size = [], 0
    if chunk:
        yield chunk
