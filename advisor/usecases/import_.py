"""Import: files, folders and archives go into an assessment, bytes first, then readings; the same bytes twice are one capture."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from advisor.base.errors import AdvisorError, NothingRead, UsageError
from advisor.capture import intake
from advisor.evidence.bundle import Capture, Role
from advisor.evidence.reading import Reading
from advisor.usecases.progress import Pace, Progress, never, silent
from advisor.usecases.reading import READERS, SUFFIX, safely_read

if TYPE_CHECKING:
    from advisor.store.file import AssessmentFile

_BATCH = 200


@dataclass(frozen=True, slots=True)
class Imported:
    """What an import did. `states` counts the new captures by state; the sums add up to `files`.

    files    files that were met, in archives too; new + again + passed
    again    files whose bytes were there already
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
    items = intake.items(paths)
    first = next(items, None)  # nothing is made for a path that is not there, or an empty folder
    if first is None:
        raise UsageError("no-files", path=paths[0])
    fresh = not target.exists()
    try:
        with opened(target, create=True) as file:
            known = file.known()
            seen: set[str] = set()
            passed: list[tuple[str, str, str]] = []
            again = 0
            batch: list[tuple[Capture, bytes]] = []
            pace = Pace(progress, cancelled, intake.extent(paths).files)
            item: intake.Item | None = first
            while item is not None:
                pace.total = max(pace.total or 0, pace.done + 1)  # an archive holds more than it counts for
                pace.step(item.name)
                if item.passed:
                    passed.append((item.name, item.passed, item.detail))
                else:
                    capture = _capture(item.name, item.data, host, role)
                    again += capture.sha256 in known | seen
                    seen.add(capture.sha256)
                    batch.append((capture, item.data))
                if len(batch) >= _BATCH:
                    file.add(batch)
                    batch = []
                item = next(items, None)
            file.add(batch)
            file.add_passed(passed)
            states = _read_all(file, progress, cancelled)
            if fresh and not states.keys() & {"read", "read-in-part"}:
                raise NothingRead("nothing-read", count=len(seen) + len(passed))
    except AdvisorError as error:
        if fresh and error.exit_code != 130:
            target.unlink(missing_ok=True)
        raise
    remember(target)
    new = len(seen - known)
    return Imported(target, new + again + len(passed), new, again, states, tuple(passed))


def _capture(name: str, data: bytes, host: str | None, role: Role | None) -> Capture:
    from hashlib import sha256

    return Capture(sha256(data).hexdigest(), name, len(data), Reading(), host, role=role)


def _read_all(file: AssessmentFile, progress: Progress, cancelled: Callable[[], bool]) -> Mapping[str, int]:
    waiting = file.unread(READERS)
    pace = Pace(progress, cancelled, len(waiting))
    states: Counter[str] = Counter()
    for start in range(0, len(waiting), _BATCH):
        readings = []
        for sha in waiting[start : start + _BATCH]:
            pace.step(sha[:12])
            reading, failed = safely_read(file.data(sha))
            readings.append((sha, reading, failed))
            states["failed" if failed else reading.state] += 1
        file.add_readings(readings, READERS)
    return dict(states)
