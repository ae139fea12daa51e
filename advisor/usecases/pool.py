"""Work on many things in a few processes: results in order, the same as with one process, and at once stopped when a person says so.

A pool is made only once the work proves long, or for one big thing. Where the system gives no processes, and where a started one cannot run
this program, the work goes on in this process. A process that dies (out of memory, a defect of the interpreter) costs the one thing that
it died of.

Where this program has one thread, as a command on Linux has, processes are forked, and have loaded what it has; the screens run threads,
so theirs are spawned. They have no terminal, and end with the program that started them.
"""

import contextlib
import gc
import os
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import chain, islice
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from queue import SimpleQueue
from time import monotonic
from typing import Any, Generic, NamedTuple, Protocol, TypeVar, cast

_ALONE_S = 1.5  # work that this process does by itself before others are started: as long as their start takes
_BIG = 8 * 2**20  # bytes of one thing that are worth a process, and the wait for it that a person may cut short
_CHUNK = 100  # things handed over together, at the most
_CHUNK_BYTES = 2**19
_AT_ONCE = 256 * 2**20  # bytes that may be in work at the same time, beside one thing that is larger
_AHEAD = 24  # chunks of a process whose results may wait for an earlier one
_QUEUE, _QUEUE_BYTES = 16, 2**23  # chunks that a process may hold, and what stays below a second or so of work
_MOST = 8  # processes
_START_S = 60.0
_TICK_S = 0.1


class Sized(Protocol):
    @property
    def size(self) -> int: ...


T = TypeVar("T", bound=Sized)
R = TypeVar("R")


@dataclass(frozen=True)
class Job(Generic[T, R]):
    """What to do: `work` gives the result of a thing, `lost` that of one whose process died. Both are functions of a module.

    check   raises when a person says stop; it is asked ten times a second
    """

    work: Callable[[T], R]
    lost: Callable[[T], R]
    check: Callable[[], None]


def processes() -> int:
    """How many may work at once: ADVISOR_JOBS, else the processors that this program may use, eight at the most."""
    said = os.environ.get("ADVISOR_JOBS", "")
    if said.isdigit():
        return min(int(said), 64)
    try:
        return min(len(os.sched_getaffinity(0)), _MOST)
    except AttributeError:  # not on this system
        return min(os.cpu_count() or 1, _MOST)


def each(things: Iterable[T], job: Job[T, R], is_long: bool = False) -> Generator[R, None, None]:
    """The result of every thing, in order. Close it when it is left before its end. Raises what `check` raises.

    is_long   the work is known to be worth processes: they start at once, and this one works until they are there
    """
    begun, most, rest = monotonic(), processes(), iter(things)
    if is_long and most > 1:
        yield from _shared(rest, job, most, meanwhile=True)
        return
    for thing in rest:
        job.check()
        if most > 1 and (thing.size >= _BIG or monotonic() - begun > _ALONE_S):
            yield from _shared(chain([thing], rest), job, most)
            return
        yield job.work(thing)


def _shared(things: Iterator[T], job: Job[T, R], most: int, meanwhile: bool = False) -> Iterator[R]:
    workers: list[_Worker] = []
    try:
        for thing in islice(things, _CHUNK) if meanwhile and _forks() else ():  # what they need is then loaded for all
            job.check()
            yield job.work(thing)
        workers = _begun(most, job)
        since = monotonic()
        for thing in things if meanwhile else ():
            job.check()
            yield job.work(thing)
            if all(worker.tells() for worker in workers) or monotonic() - since > _START_S:
                break
        workers = _ready(workers, job)
        sharing = _Sharing(workers, things, job)
        yield from sharing.results()
        for thing in sharing.rest():
            job.check()
            yield job.work(thing)
    finally:
        for worker in workers:
            worker.end()


# --- processes ----------------------------------------------------------------------------------------------------


def _forks() -> bool:
    """Whether a process may be forked: there is no other thread whose locks it would inherit."""
    return sys.platform == "linux" and threading.active_count() == 1 and threading.current_thread() is threading.main_thread()


class _Worker:
    """One process, and the line to it. `others`: lines that a fork would inherit, and keep open after this process has died."""

    def __init__(self, work: Callable[[Any], Any], others: Iterable["_Worker"] = ()) -> None:
        """Raises what the system and the library raise where there can be no process."""
        forks = _forks()
        context: Any = get_context("fork" if forks else "spawn")
        self.line, theirs = context.Pipe()
        inherited = [self.line, *(other.line for other in others)] if forks else []
        self._process = context.Process(target=_serve, args=(theirs, work, inherited), daemon=True)
        try:
            with _deaf(), _frozen():
                self._process.start()
        except BaseException:
            self.line.close()
            raise
        finally:
            theirs.close()

    def is_ready(self, check: Callable[[], None]) -> bool:
        """Whether it has started; waits for it."""
        begun = monotonic()
        while monotonic() - begun < _START_S:
            check()
            if self.line.poll(_TICK_S):
                try:
                    return bool(self.line.recv())
                except (EOFError, OSError):
                    return False
        return False

    def tells(self) -> bool:
        """Whether it has something to say, that it has started or that it has not."""
        return bool(self.line.poll())

    def end(self) -> None:
        self.line.close()
        self._process.terminate()
        self._process.join(2)
        if self._process.is_alive():
            self._process.kill()
            self._process.join()
        self._process.close()


def _begun(count: int, job: Job[Any, Any], others: Iterable[_Worker] = ()) -> list[_Worker]:
    """Processes that may start, beside `others`; nobody has waited for them."""
    begun: list[_Worker] = []
    with contextlib.suppress(OSError, RuntimeError, AssertionError, ImportError, ValueError):
        for _ in range(count):
            begun.append(_Worker(job.work, [*others, *begun]))
    return begun


def _ready(begun: list[_Worker], job: Job[Any, Any]) -> list[_Worker]:
    """Those of them that started."""
    try:
        ready = [worker for worker in begun if worker.is_ready(job.check)]
    except BaseException:
        for worker in begun:
            worker.end()
        raise
    for worker in begun:
        if worker not in ready:
            worker.end()
    return ready


@contextlib.contextmanager
def _frozen() -> Iterator[None]:
    """What is there is not looked through for garbage by a fork, which would make it copies of all of it."""
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()


@contextlib.contextmanager
def _deaf() -> Iterator[None]:
    """What is started here does not hear Ctrl-C: this process does, and ends the others."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _serve(line: Connection, work: Callable[[Any], Any], inherited: Iterable[Connection] = ()) -> None:
    """The other process: a list of things comes, a list of results goes, until the line ends. It prints nothing into the screens."""
    for other in inherited:
        other.close()
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    silence = os.open(os.devnull, os.O_RDWR)
    for stream in (1, 2):
        os.dup2(silence, stream)
    given: SimpleQueue[list[Any]] = SimpleQueue()
    done: SimpleQueue[Any] = SimpleQueue()
    done.put(True)
    for act, queue in ((_listen, given), (_tell, done)):
        threading.Thread(target=act, args=(line, queue), daemon=True).start()
    first = True
    while True:
        done.put([work(thing) for thing in given.get()])
        if first:  # the readers are loaded: what stays is not looked through for garbage again and again
            gc.freeze()
            first = False


def _listen(line: Connection, given: "SimpleQueue[list[Any]]") -> None:
    """Takes what comes while work goes on, so that whoever sends never waits. At the line's end nobody asks for the rest of the work."""
    with contextlib.suppress(EOFError, OSError):
        while True:
            given.put(line.recv())
    os._exit(0)


def _tell(line: Connection, done: "SimpleQueue[Any]") -> None:
    """Gives back what is done while work goes on: whoever asked may be writing to the disk, and a line holds little."""
    with contextlib.suppress(OSError):
        while True:
            line.send(done.get())


# --- order --------------------------------------------------------------------------------------------------------


class _Chunk(NamedTuple, Generic[T]):
    """Things that go together; `size`: of all of them."""

    number: int
    things: list[T]
    size: int


@dataclass
class _Sharing(Generic[T, R]):
    """Chunks go to whichever process is free; results wait until their turn comes."""

    workers: list[_Worker]
    things: Iterator[T]
    job: Job[T, R]
    _given: dict[_Worker, deque[_Chunk[T]]] = field(default_factory=dict)  # the first of them is in work
    _done: dict[int, list[R]] = field(default_factory=dict)
    _held: list[T] = field(default_factory=list)
    _count: int = 0

    def rest(self) -> Iterator[T]:
        """What no process was left for."""
        return chain(self._held, self.things)

    def results(self) -> Iterator[R]:
        """All results, or those of the first things where no process is left; the others are the `rest`."""
        told = 0
        self._given = {worker: deque() for worker in self.workers}
        while True:
            self._hand_out(told)
            if told in self._done:
                yield from self._done.pop(told)
                told += 1
            elif any(self._given.values()):
                self._collect()
            else:
                return

    def _hand_out(self, told: int) -> None:
        """Chunks to each process, and more behind those that are soon done: it does not wait while this process writes to the disk."""
        while self._count - told < _AHEAD * len(self.workers) and (worker := self._next_worker()):
            given = [chunk for chunks in self._given.values() for chunk in chunks]
            chunk = self._chunk(_AT_ONCE - sum(chunk.size for chunk in given), first=not given)
            if not chunk.things:
                return
            self._given[worker].append(chunk)
            self._count += 1
            with contextlib.suppress(OSError):  # it died: the line's end tells when it is read
                worker.line.send(chunk.things)

    def _next_worker(self) -> _Worker | None:
        free = [worker for worker, given in self._given.items() if len(given) < _QUEUE and sum(one.size for one in given) <= _QUEUE_BYTES]
        return min(free, key=lambda worker: len(self._given[worker]), default=None)

    def _chunk(self, room: int, first: bool) -> _Chunk[T]:
        """The next things that go together; none where there are no more, or no room for the next."""
        chunk: list[T] = []
        size = 0
        while len(chunk) < _CHUNK and size < _CHUNK_BYTES:
            thing = self._held.pop() if self._held else next(self.things, None)
            if thing is None:
                break
            if size + thing.size > room and not (first and not chunk):
                self._held.append(thing)
                break
            chunk.append(thing)
            size += thing.size
        return _Chunk(self._count, chunk, size)

    def _collect(self) -> None:
        """Take in what is done. Raises what `check` raises."""
        self.job.check()
        busy = {worker.line: worker for worker, given in self._given.items() if given}
        for line in wait(list(busy), _TICK_S):
            worker = busy[cast(Connection, line)]
            number = self._given[worker][0].number
            try:
                self._done[number] = worker.line.recv()
            except (EOFError, OSError):
                self._one_by_one([*self._given.pop(worker)], worker)
            else:
                self._given[worker].popleft()

    def _one_by_one(self, chunks: list[_Chunk[T]], dead: _Worker) -> None:
        """The things of a process that died, each by itself, so that the one that it died of is found."""
        worker = self._another(dead)
        for chunk in chunks:
            results = self._done[chunk.number] = []
            for thing in chunk.things:
                if worker is None:
                    results.append(self.job.work(thing))
                    continue
                found = self._alone(worker, thing)
                if found is None:
                    worker = self._another(worker)
                results += [self.job.lost(thing)] if found is None else found
        if worker:
            self._given[worker] = deque()

    def _alone(self, worker: _Worker, thing: T) -> list[R] | None:
        try:
            worker.line.send([thing])
            while not worker.line.poll(_TICK_S):
                self.job.check()
            found: list[R] = worker.line.recv()
        except (EOFError, OSError):
            return None
        return found

    def _another(self, dead: _Worker) -> _Worker | None:
        dead.end()
        self.workers.remove(dead)
        fresh = _ready(_begun(1, self.job, self.workers), self.job)
        self.workers += fresh
        return fresh[0] if fresh else None
