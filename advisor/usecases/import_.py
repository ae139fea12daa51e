"""Import: files, folders and archives go into an assessment, bytes first, then readings; the same bytes twice are one capture."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from functools import partial
from itertools import chain
from pathlib import Path
from secrets import token_hex
from typing import TYPE_CHECKING, Protocol

from advisor.base.errors import AdvisorError, Cancelled, NothingRead, UsageError
from advisor.capture import intake
from advisor.evidence.bundle import Role
from advisor.evidence.reading import State
from advisor.store.row import Row
from advisor.usecases import pool
from advisor.usecases.pool import Job
from advisor.usecases.progress import Pace, Progress, never, silent
from advisor.usecases.reading import READERS, SUFFIX, Packed, Waiting, cost, packed_readings, spells
from advisor.usecases.taking import Source, Taken, forget, lost, take, take_whole

if TYPE_CHECKING:
    from advisor.store.file import AssessmentFile

_BATCH = 4000
_BATCH_BYTES = 16 * 2**20
_LONG = 48 * 2**20  # of `cost`: as much as takes a process as long as others take to start


class Each(Protocol):
    """Who does a job: every thing's result in order (usecases/pool.py, usecases/dask.py)."""

    def __call__(self, things: Iterable[Source], job: Job[Source, Taken], is_long: bool = False) -> Generator[Taken, None, None]: ...


@dataclass(frozen=True, slots=True)
class Imported:
    """What an import did. Every file is in exactly one of the sums.

    files    files that were met, in archives too: new + again + passed
    new      captures that were not there before; `states` counts them, and those that were read anew, by state
    again    files whose bytes were there already, or came twice: they have the state of those bytes
    passed   files passed over: name, why (a key of refused.yaml), detail
    """

    site: Path
    files: int
    new: int
    again: int
    states: Mapping[str, int]
    passed: tuple[tuple[str, str, str], ...]


def import_into(
    site: str,
    paths: list[str],
    host: str | None = None,
    role: Role | None = None,
    progress: Progress = silent,
    cancelled: Callable[[], bool] = never,
    each: Each = pool.each,
) -> Imported:
    """Import paths into NAME.advisor, which is made if it is not there.

    each: who takes the files: processes of this machine, or a cluster (usecases/dask.py); the assessment is the same

    Raises UsageError (path not there, no file in it, not an assessment's name), NothingRead if a new file would hold no
    capture that can be read (it is then not kept), AssessmentError, Cancelled (what was taken in so far stays).
    """
    from advisor.store.file import opened
    from advisor.usecases.recent import remember

    target = Path(site)
    if target.suffix != SUFFIX:
        raise UsageError("not-advisor-name", path=site)
    for path in paths:
        if path != "-" and Path(path).resolve() == target.resolve():
            raise UsageError("into-itself", path=path)
    places = intake.Places(paths, into=site)
    files = iter(places)
    first = next(files, None)  # nothing is made for a path that is not there, or an empty folder
    if first is None:
        raise UsageError("no-files", path=paths[0])
    fresh = not target.exists()
    taking: _Taking | None = None
    try:
        with opened(target, create=True) as file:
            taking = _Taking(file, {bytes.fromhex(sha) for sha in file.known()}, host, role, file.shared())
            extent = intake.extent(paths, into=site, enough=_is_long if progress is silent else None)
            pace = Pace(progress, cancelled, None if extent.packed else extent.files, extent.bytes)
            try:
                _take_all(taking, places, chain([first], files), partial(each, is_long=_is_long(extent)), pace)
            except Cancelled:
                taking.flush()
                raise
            taking.flush()
            states = taking.states + Counter(read_waiting(file, file.unread(READERS), progress, cancelled))
            if fresh and not states.keys() & {"read", "read-in-part"}:
                raise NothingRead("nothing-read", count=taking.files)
    except AdvisorError as error:
        if fresh and error.exit_code != 130 and _is_for_nothing(target, taking, isinstance(error, NothingRead)):
            target.unlink(missing_ok=True)
        raise
    remember(target)
    return Imported(target, taking.files, taking.new, taking.again, dict(states), tuple(taking.passed))


def _is_long(extent: intake.Extent) -> bool:
    """Whether so much is worth more processes. Who watches nobody's progress need not know how much there is beyond it."""
    return cost(extent.bytes) + cost(0) * extent.files > _LONG


def _is_for_nothing(target: Path, taking: _Taking | None, nothing_read: bool) -> bool:
    """Whether a new file may go again: it holds no capture, or only those of this import, of which none can be read.

    A file that another program has open, or put something into, stays; so does one that an error cut short: the same import goes on there.
    """
    from advisor.store.file import opened

    if target.with_name(f"{target.name}-wal").exists():
        return False
    if taking is None:
        return target.is_file() and target.stat().st_size == 0
    try:
        with opened(target) as file:
            known = file.known()
    except AdvisorError:
        return False
    return all(bytes.fromhex(sha) in taking.fresh for sha in known) if nothing_read else not known


@dataclass
class _Taking:
    """The first pass: bytes, names and readings into the file, in batches; a batch is in the file whole or not at all.

    known    captures that the file had before
    shared   what captures and readings may refer to (store/encoding)
    fresh    those that this import brought
    renamed  captures with a further name that spells another command: their reading is taken back, and made anew with all names
    """

    file: AssessmentFile
    known: set[bytes]
    host: str | None
    role: Role | None
    shared: set[bytes]
    new: int = 0
    again: int = 0
    passed: list[tuple[str, str, str]] = field(default_factory=list)
    states: Counter[str] = field(default_factory=Counter)
    fresh: dict[bytes, tuple[str | None, State]] = field(default_factory=dict)  # the command that it was read with, and how
    renamed: set[bytes] = field(default_factory=set)
    _met: set[int] = field(default_factory=set)
    _batch: list[Row] = field(default_factory=list)
    _forget: set[bytes] = field(default_factory=set)
    _bytes: int = 0
    _passed: int = 0  # of `passed` in the file

    @property
    def files(self) -> int:
        return self.new + self.again + len(self.passed)

    def pass_over(self, name: str, why: str, detail: str) -> None:
        self.passed.append((self._told(b"", name), why, detail))
        self._flush_if_full()

    def keep(self, name: str, taken: Taken) -> None:
        digest = taken.digest
        is_new = digest not in self.known and digest not in self.fresh
        if is_new:
            self.new += 1
            self.states[taken.state] += 1
            self.fresh[digest] = (spells(name), taken.state)
        else:
            self.again += 1
            self._look_at_name(digest, name)
        data, reading = (taken.data, taken.reading) if is_new else (None, None)
        told = self._told(digest, name)
        if taken.shared:
            self.shared.update(one for one, _ in taken.shared)
        self._batch.append(Row(digest, told, taken.size, data, reading, taken.failed, self.host, self.role, taken.shared))
        self._bytes += len(data or b"") + len(reading or b"")
        self._flush_if_full()

    def lacks(self, taken: Taken) -> bool:
        """Whether something is not there that this file came without: its bytes, or what they refer to."""
        if taken.data is None or taken.reading is None:
            return taken.digest not in self.known and taken.digest not in self.fresh
        from advisor.store.encoding import shared_by

        came = {one for one, _ in taken.shared}
        return any(one not in came and one not in self.shared for one in shared_by(taken.data, taken.reading))

    def _look_at_name(self, digest: bytes, name: str) -> None:
        if digest in self.renamed:
            return
        command = spells(name)
        if digest not in self.fresh:
            is_other = command is not None and command not in map(spells, self.file.names(digest.hex()))
        elif is_other := command != self.fresh[digest][0]:
            self.states -= Counter([self.fresh[digest][1]])  # it counts as what it is at the end
        if is_other:
            self.renamed.add(digest)
            self._forget.add(digest)

    def _told(self, digest: bytes, name: str) -> str:
        """A name that comes again for the same bytes (twice in a tar) is told apart by a number, so that each file is in the sums once."""
        n, told = 1, name
        while (met := hash((digest, told))) in self._met:
            n += 1
            told = f"{name}#{n}"
        self._met.add(met)
        return told

    def _flush_if_full(self) -> None:
        if len(self._batch) + len(self.passed) - self._passed >= _BATCH or self._bytes >= _BATCH_BYTES:
            self.flush()

    def flush(self) -> None:
        if self._batch:
            self.file.add_rows(self._batch, READERS, self._forget)
        if len(self.passed) > self._passed:
            self.file.add_passed(self.passed[self._passed :])
        self._batch, self._forget, self._bytes, self._passed = [], set(), 0, len(self.passed)


def _take_all(
    taking: _Taking,
    places: intake.Places,
    files: Iterable[Source],
    each: Callable[[Iterable[Source], Job[Source, Taken]], Generator[Taken, None, None]],
    pace: Pace,
) -> None:
    """Every file into the assessment, taken by whatever `each` has at hand. Raises Cancelled."""
    run, asked, behind = token_hex(8), deque[Source](), 0

    def sources() -> Iterator[Source]:
        for found in files:
            if isinstance(found, intake.Item) and found.passed:
                taking.pass_over(found.name, found.passed, found.detail)
                pace.step(found.name, found.at)
                continue
            asked.append(found)
            pace.begin(found.name)
            yield found

    job = Job(partial(take, run, frozenset(taking.known)), lost, pace.check)
    with closing(each(sources(), job)) as results:
        for taken in results:
            source = asked.popleft()
            if taken.digest and not taking.lacks(taken):
                taking.keep(source.name, taken)
            else:
                for name, one in _settled(source, taken, places):
                    if one.passed:
                        taking.pass_over(name, one.passed, one.detail)
                    else:
                        taking.keep(name, one)
            behind += source.size
            pace.step(source.name, behind)
    forget(run)


def _settled(source: Source, taken: Taken, places: intake.Places) -> Iterator[tuple[str, Taken]]:
    """What there is to keep of a file that another process could not open, unpack or tell: it is done here."""
    if taken.packed and isinstance(source, intake.Place):
        for item in places.unpacked(source):
            yield item.name, take_whole(item)
    elif taken.digest or taken.passed == "unreadable":
        yield source.name, take_whole(source)
    else:
        yield source.name, taken


def read_waiting(file: AssessmentFile, waiting: list[str], progress: Progress, cancelled: Callable[[], bool]) -> Mapping[str, int]:
    """Read these captures of a file, and count their states. Raises Cancelled; what was read so far stays."""
    sizes = file.sizes()
    names: dict[str, str] = {}
    pace = Pace(progress, cancelled, len(waiting), sum(cost(sizes[sha]) for sha in waiting))
    states: Counter[str] = Counter()
    batch: list[Packed] = []
    behind = 0

    def flush() -> None:
        file.add_packed([(one.sha256, one.reading, one.failed) for one in batch], READERS)
        batch.clear()

    with closing(packed_readings(_bytes_of(file, waiting, names, pace), pace.check)) as found:
        try:
            for done in found:
                batch.append(done)
                states[done.state] += 1
                behind += cost(sizes[done.sha256])
                pace.step(names.pop(done.sha256), behind)
                if len(batch) >= _BATCH:
                    flush()
        except Cancelled:
            flush()
            raise
    flush()
    return dict(states)


def _bytes_of(file: AssessmentFile, waiting: list[str], names: dict[str, str], pace: Pace) -> Iterator[Waiting]:
    """The captures with their bytes, one after another; `names` learns what each is called until it is read."""
    for sha in waiting:
        spelt_so = file.names(sha)
        names[sha] = spelt_so[0]
        pace.begin(spelt_so[0])
        yield Waiting(sha, spelt_so, file.data(sha))
