"""Import: files, folders and archives go into an assessment, bytes first, then readings; the same bytes twice are one capture."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from advisor.base.errors import AdvisorError, Cancelled, NothingRead, UsageError
from advisor.capture import intake
from advisor.evidence.bundle import Capture, Role
from advisor.evidence.reading import Reading
from advisor.usecases.progress import Pace, Progress, never, silent
from advisor.usecases.reading import READERS, SUFFIX, Packed, Waiting, cost, packed_readings, spells

if TYPE_CHECKING:
    from advisor.store.file import AssessmentFile

_BATCH = 200
_BATCH_BYTES = 32 * 2**20


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
) -> Imported:
    """Import paths into NAME.advisor, which is made if it is not there.

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
    items = intake.items(paths, into=site)
    first = next(items, None)  # nothing is made for a path that is not there, or an empty folder
    if first is None:
        raise UsageError("no-files", path=paths[0])
    fresh = not target.exists()
    taking: _Taking | None = None
    try:
        with opened(target, create=True) as file:
            taking = _Taking(file, file.known(), host, role)
            extent = intake.extent(paths, into=site)
            pace = Pace(progress, cancelled, None if extent.packed else extent.files, extent.bytes)
            item: intake.Item | None = first
            while item is not None:
                pace.step(item.name, item.at)
                taking.take(item)
                item = next(items, None)
            taking.flush()
            states = _read_all(file, taking.renamed, progress, cancelled)
            if fresh and not states.keys() & {"read", "read-in-part"}:
                raise NothingRead("nothing-read", count=taking.files)
    except AdvisorError as error:
        if fresh and error.exit_code != 130 and _is_for_nothing(target, taking, isinstance(error, NothingRead)):
            target.unlink(missing_ok=True)
        raise
    remember(target)
    return Imported(target, taking.files, taking.new, taking.again, states, tuple(taking.passed))


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
    return known <= taking.fresh if nothing_read else not known


@dataclass
class _Taking:
    """The first pass: bytes and names into the file, in batches; a batch is in the file whole or not at all.

    known    captures that the file had before
    renamed  of these, those with a further name that spells another command: they are read anew
    """

    file: AssessmentFile
    known: set[str]
    host: str | None
    role: Role | None
    new: int = 0
    again: int = 0
    passed: list[tuple[str, str, str]] = field(default_factory=list)
    renamed: set[str] = field(default_factory=set)
    fresh: set[str] = field(default_factory=set)
    _met: set[str] = field(default_factory=set)
    _batch: list[tuple[Capture, bytes]] = field(default_factory=list)
    _bytes: int = 0
    _passed: int = 0  # of `passed` in the file

    @property
    def files(self) -> int:
        return self.new + self.again + len(self.passed)

    def take(self, item: intake.Item) -> None:
        if item.passed:
            self.passed.append((self._told("", item.name), item.passed, item.detail))
        else:
            self._capture(sha256(item.data).hexdigest(), item.name, item.data)
        if len(self._batch) >= _BATCH or self._bytes >= _BATCH_BYTES:
            self.flush()

    def _capture(self, sha: str, name: str, data: bytes) -> None:
        if sha in self.known or sha in self.fresh:
            self.again += 1
            if sha in self.known and (command := spells(name)) and command not in map(spells, self.file.names(sha)):
                self.renamed.add(sha)
        else:
            self.new += 1
            self.fresh.add(sha)
        self._batch.append((Capture(sha, self._told(sha, name), len(data), Reading(), self.host, role=self.role), data))
        self._bytes += len(data)

    def _told(self, sha: str, name: str) -> str:
        """A name that comes again for the same bytes (twice in a tar) is told apart by a number, so that each file is in the sums once."""
        n, told = 1, name
        while sha + told in self._met:
            n += 1
            told = f"{name}#{n}"
        self._met.add(sha + told)
        return told

    def flush(self) -> None:
        self.file.add(self._batch)
        self.file.add_passed(self.passed[self._passed :])
        self._batch, self._bytes, self._passed = [], 0, len(self.passed)


def _read_all(file: AssessmentFile, renamed: set[str], progress: Progress, cancelled: Callable[[], bool]) -> Mapping[str, int]:
    """The second pass: whatever has no reading of these readers, and the renamed."""
    waiting = file.unread(READERS)
    waiting += sorted(renamed.difference(waiting))
    return read_waiting(file, waiting, progress, cancelled)


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
