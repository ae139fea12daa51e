"""A folder or archive is read and not kept."""

from collections import deque
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from hashlib import sha256

from advisor.capture import intake, whence
from advisor.evidence.bundle import Capture
from advisor.evidence.reading import Reading
from advisor.usecases.progress import Pace, Progress
from advisor.usecases.reading import Done, Waiting, readings, spells, spelt, together


@dataclass
class Look:
    """Captures by sha256: their names, bytes, and readings by the command that a name spells (mostly none); and what was passed over."""

    names: dict[str, list[str]] = field(default_factory=dict)
    sizes: dict[str, int] = field(default_factory=dict)
    readings: dict[str, dict[str | None, Done]] = field(default_factory=dict)
    passed: list[tuple[str, str, str]] = field(default_factory=list)

    def captures(self) -> list[Capture]:
        return [self._capture(sha) for sha in self.names]

    def _capture(self, sha: str) -> Capture:
        """The capture under the first of its names, with host, time and role by the rules of capture/whence."""
        names = sorted(self.names[sha])
        by_command = self.readings[sha]
        done = [by_command[spells(name) if name else None] for name in spelt(names)]
        return Capture(
            sha,
            names[0],
            self.sizes[sha],
            together([one.reading for one in done]),
            path_host=whence.host(names[0]),
            time=whence.time(names[0]),
            role=whence.role(names[0]),
            copies=whence.copies(names),
            failed=next((one.failed for one in done if one.failed), None),
            files=len(names),
        )


def look(target: str, progress: Progress, cancelled: Callable[[], bool]) -> Look:
    """Read all that is in a folder or archive; the same bytes once for each command that a name of theirs spells. Raises Cancelled."""
    extent = intake.extent([target])
    pace = Pace(progress, cancelled, None if extent.packed else extent.files, extent.bytes)
    looked = Look()
    asked: deque[tuple[str | None, str, int]] = deque()

    def waiting() -> Iterator[Waiting]:
        for item in intake.items([target]):
            if item.passed:
                looked.passed.append((item.name, item.passed, item.detail))
                pace.step(item.name, item.at)
                continue
            sha, command = sha256(item.data).hexdigest(), spells(item.name)
            looked.names.setdefault(sha, []).append(item.name)
            looked.sizes[sha] = len(item.data)
            known = looked.readings.setdefault(sha, {})
            if command in known:
                pace.step(item.name, item.at)
                continue
            known[command] = Done(sha, Reading())  # until it is read
            asked.append((command, item.name, item.at))
            pace.begin(item.name)
            yield Waiting(sha, (item.name,), item.data)

    with closing(readings(waiting(), pace.check)) as found:
        for done in found:
            command, name, at = asked.popleft()
            looked.readings[done.sha256][command] = done
            pace.step(name, at)
    return looked
