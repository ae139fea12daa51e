"""What import and opening share: the version of the readers, a reading that one bad file cannot stop, many read in a few processes."""

from collections.abc import Callable, Generator, Iterable
from dataclasses import dataclass

from advisor import __version__
from advisor.evidence.reading import Part, Reading, State
from advisor.readers.named import named
from advisor.readers.recognise import read
from advisor.usecases.pool import Job, each

# Readings of another version are made anew from the bytes.
READERS = __version__
SUFFIX = ".advisor"
LOST = "ChildProcessError: reading process ended"  # mostly because memory ran out
_FILE_COSTS = 2000  # bytes that take as long to read as what every file takes beside its bytes


@dataclass(frozen=True, slots=True)
class Waiting:
    """A capture to be read: its bytes, and all names that they came under."""

    sha256: str
    names: tuple[str, ...]
    data: bytes

    @property
    def size(self) -> int:
        return len(self.data)


@dataclass(frozen=True, slots=True)
class Done:
    """Its reading, and why its reader failed, if it did."""

    sha256: str
    reading: Reading
    failed: str | None = None


@dataclass(frozen=True, slots=True)
class Packed:
    """A reading in the form of the store: packing takes as long as reading, so whichever process reads also packs."""

    sha256: str
    reading: bytes
    state: State
    failed: str | None = None


def cost(size: int) -> int:
    """What reading so many bytes takes, for an estimate of the time."""
    return size + _FILE_COSTS


def spelt(names: Iterable[str]) -> tuple[str | None, ...]:
    """The names that make a difference to the reading: one for each command line that they spell; None stands for all others.

    Bytes that came as `ethtool_-S_eth0` and as `ethtool_-S_eth1` are the output of both. Names that may spell a command by chance count
    only where none surely does.
    """
    found: dict[str, tuple[bool, str]] = {}
    for name in sorted(names):
        by_name = named(name)
        if by_name:
            found.setdefault(by_name.command, (by_name.is_sure, name))
    sure = [name for is_sure, name in found.values() if is_sure]
    return tuple(sorted(sure or [name for _, name in found.values()])) or (None,)


def spells(name: str) -> str | None:
    """The command line that a name spells, surely or by chance."""
    by_name = named(name)
    return by_name.command if by_name else None


def safely_read(data: bytes, names: Iterable[str] = ()) -> tuple[Reading, str | None]:
    """The reading of bytes; a reader's own defect gives an empty reading and its name, so that one file never costs the others."""
    try:
        return together([read(data, name) for name in spelt(names)]), None
    except Exception as error:  # the defect is shown as the state "failed" of this capture
        return Reading(refused="failed"), f"{type(error).__name__}: {error}"


def together(readings: list[Reading]) -> Reading:
    """The readings of the same bytes under several names as one: what any of them tells, each thing once."""
    first, *others = readings
    parts: list[Part] = list(first.parts)
    for reading in others:
        if reading.refused is None and first.refused is not None:
            first, parts = reading, list(reading.parts)
        elif reading.refused == first.refused:
            parts += [part for part in reading.parts if part not in parts]
    parts.sort(key=lambda part: (part.lines, part.tool))
    return Reading(first.refused, tuple(parts), first.unread, first.line_count, first.encoding)


def readings(waiting: Iterable[Waiting], check: Callable[[], None]) -> Generator[Done, None, None]:
    """The readings in the same order. Close it when it is left before its end. Raises what `check` raises."""
    return each(waiting, Job(_read, _lost, check))


def packed_readings(waiting: Iterable[Waiting], check: Callable[[], None]) -> Generator[Packed, None, None]:
    """The same for the store."""
    return each(waiting, Job(_read_and_pack, _lost_and_packed, check))


def _read(one: Waiting) -> Done:
    return Done(one.sha256, *safely_read(one.data, one.names))


def _lost(one: Waiting) -> Done:
    return Done(one.sha256, Reading(refused="failed"), LOST)


def _read_and_pack(one: Waiting) -> Packed:
    return _packed(_read(one))


def _lost_and_packed(one: Waiting) -> Packed:
    return _packed(_lost(one))


def _packed(done: Done) -> Packed:
    from advisor.store.encoding import pack

    return Packed(done.sha256, pack(done.reading), "failed" if done.failed else done.reading.state, done.failed)
