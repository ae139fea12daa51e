"""Folders, archives, files and standard input become named bytes, within bounds. Nothing is written, so no path can leave a target.

Links, devices, sockets and hidden files are not followed or read: each is passed over with a reason, and nothing is silent. Every file,
and every archive that gave less than it holds, is one Item.
"""

import errno
import io
import os
import stat
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import takewhile
from operator import attrgetter
from pathlib import Path
from typing import NamedTuple

from advisor.base.errors import UsageError
from advisor.capture import whence
from advisor.capture.bounds import BOUNDS, Bounds, Budget, Full, Item
from advisor.capture.contents import SQLITE, bounded, source
from advisor.capture.unpack import BLOCK, inside, is_hidden, packing

__all__ = ["Bounds", "Extent", "Item", "Place", "Places", "extent", "items", "label", "opened"]

_ABOVE = 3  # folders whose names may tell something
_SIDE_FILES = ("", "-wal", "-shm", "-journal")  # of an open assessment
_FLAGS = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
_NO_FOLLOW = getattr(os, "O_NOFOLLOW", 0)
_LARGE = 2**20  # bytes of a file that is looked at before others are asked to open it: what is packed is unpacked by the one who asks
_ARCHIVES = (".zip", ".tar", ".gz", ".tgz", ".xz", ".txz", ".bz2", ".tbz", ".tbz2", ".zst", ".tzst")


class Place(NamedTuple):
    """A file outside archives that nobody has opened yet, so that any process may: where it lies, its name, its bytes when it was met.

    given: a person named the file itself, so that a link to it is followed
    """

    path: str
    name: str
    size: int
    given: bool = False
    at: int = 0


@dataclass(frozen=True, slots=True)
class Extent:
    """How much was given: files outside archives, and their bytes. `packed`: archives are among them, so there are more files."""

    files: int = 0
    bytes: int = 0
    packed: bool = False


_File = Callable[
    [str, str, "Budget", bool], Iterator["Item | Place"]
]  # what becomes of a file outside archives: path, name, whether it was given


def items(paths: list[str], bounds: Bounds = BOUNDS, into: str | None = None) -> Iterator[Item]:
    """Every file below the paths, in order of name; of an archive in its own order. `-` is standard input.

    into: an assessment that is none of the files, nor are those that SQLite keeps beside it
    Raises UsageError for a path that is not there.
    """
    for item in _all(paths, Budget(bounds), into, _file):
        if isinstance(item, Item):
            yield item


class Places:
    """The same files, those outside archives unopened: any process opens one by `opened`; `unpacked` is for those it finds packed."""

    def __init__(self, paths: list[str], bounds: Bounds = BOUNDS, into: str | None = None) -> None:
        self._paths, self._into = paths, into
        self._budget = Budget(bounds)

    def __iter__(self) -> Iterator[Item | Place]:
        """In the order of `items`. Raises UsageError for a path that is not there."""
        return _all(self._paths, self._budget, self._into, _unopened)

    def unpacked(self, place: Place) -> Iterator[Item]:
        """What is in a file that is packed although its name and size did not say so."""
        try:
            for item in _file(place.path, place.name, self._budget, place.given):
                yield item._replace(at=place.at)
        except Full:
            yield Item(place.name, passed="too-many", at=place.at)


def opened(place: Place, bounds: Bounds = BOUNDS) -> Item | None:
    """A file as it is found once it is open, so that nothing else can take its place in between; None where it is packed."""
    try:
        handle = os.open(place.path, _FLAGS | (0 if place.given else _NO_FOLLOW))
    except OSError as error:
        return Item(place.name, passed="link" if error.errno == errno.ELOOP else "unreadable", detail=error.strerror or "")
    try:
        found = os.fstat(handle)
        if not stat.S_ISREG(found.st_mode):
            return Item(place.name, passed="device")
        most = bounds.file_bytes
        data = _up_to(handle, found.st_size, most) if found.st_size <= most else None
    except OSError as error:
        return Item(place.name, passed="unreadable", detail=error.strerror or "")
    finally:
        os.close(handle)
    if data is None:
        return Item(place.name, passed="too-large")
    if data.startswith(SQLITE):
        return Item(place.name, passed="assessment")
    kind = packing(data[:BLOCK])
    if kind == "foreign":
        return Item(place.name, passed="foreign-archive")
    return Item(place.name, data) if kind is None else None


def _up_to(handle: int, size: int, most: int) -> bytes | None:
    """All bytes of an open file, mostly `size`; None where there are more than `most`."""
    data = os.read(handle, size + 1)
    if len(data) == size > 0:  # there was room for more
        return data
    while len(data) <= most and (more := os.read(handle, BLOCK * 128)):
        data += more
    return data if len(data) <= most else None


def extent(paths: list[str], into: str | None = None, enough: Callable[[Extent], bool] | None = None) -> Extent:
    """How much the paths hold, without opening a file, or as soon as it is `enough`; `into` as in `items`."""
    files = size = 0
    packed = False
    for path in paths:
        for place, _ in _walk(path, _own(into)) if os.path.isdir(path) else [(path, "")]:
            try:
                found = os.stat(place, follow_symlinks=place == path)
            except OSError:  # standard input, among others
                continue
            files += 1
            size += found.st_size if stat.S_ISREG(found.st_mode) else 0
            packed = packed or place.lower().endswith(_ARCHIVES)
            if enough and enough(Extent(files, size, packed)):
                return Extent(files, size, packed)
    return Extent(files, size, packed)


def label(path: str) -> str:
    """What the names of a given folder (or of the folder of a given file) and of those around it add to its files' names: mostly nothing.

    `gpu-07/`, `before/gpu-07/` and `sosreport-gpu-07-2026-09-14-abcdefg/` tell host, role or time, which would be lost; `captures/` tells
    nothing, and what is above it is another matter.
    """
    given = os.path.abspath(path)
    folder = Path(given if os.path.isdir(given) else os.path.dirname(given))
    names = takewhile(whence.tells, (inside(step) for step in reversed(folder.parts[-_ABOVE:])))
    return "".join(f"{name}/" for name in reversed(list(names)))


# --- what was given -----------------------------------------------------------------------------------------------


def _own(into: str | None) -> frozenset[str]:
    return frozenset(os.path.realpath(into) + suffix for suffix in _SIDE_FILES) if into else frozenset()


def _all(paths: list[str], budget: Budget, into: str | None, file: "_File") -> Iterator[Item | Place]:
    for path in paths:
        if path != "-" and not os.path.lexists(path):
            raise UsageError("no-such-path", path=path)
    met = 0
    for path in paths:
        try:
            for item in _given(path, budget, _own(into), file):
                met += 1
                if met > budget.bounds.files:
                    raise Full
                yield item if isinstance(item, Place) else item._replace(at=budget.at)
        except Full:
            yield Item(path, passed="too-many", at=budget.at)
            return


def _given(path: str, budget: Budget, own: frozenset[str], file: "_File") -> Iterator[Item | Place]:
    if path == "-":
        data = bounded(sys.stdin.buffer, budget.bounds.file_bytes)
        if data is None:
            yield Item("-", passed="too-large")
        else:
            yield from source("-", io.BytesIO(data), len(data), budget, budget.allowance(len(data)), 0)
        return
    before = label(path)
    if os.path.isdir(path):
        for place, name in _walk(path, own):
            yield from file(place, before + name, budget, False)
    else:
        yield from file(path, before + inside(os.path.basename(path)), budget, True)


def _walk(root: str, own: frozenset[str]) -> Iterator[tuple[str, str]]:
    """Path and name from the root of every file below a folder, files before folders, and of every folder that is not looked into."""
    waiting = [(root, "")]
    own_names = {os.path.basename(path) for path in own}
    while waiting:
        folder, name = waiting.pop()
        try:
            with os.scandir(folder) as found:
                entries = sorted(found, key=attrgetter("name"))
        except OSError:
            yield folder, name.rstrip("/") or "."
            continue
        folders = []
        for entry in entries:
            if entry.name in own_names and os.path.realpath(entry.path) in own:
                continue
            mine = name + inside(entry.name)
            if entry.is_dir(follow_symlinks=False) and not is_hidden(entry.name):
                folders.append((entry.path, mine + "/"))
            else:
                yield entry.path, mine
        waiting += reversed(folders)


def _unopened(path: str, name: str, budget: Budget, given: bool) -> Iterator[Item | Place]:
    """A file outside archives as a place, unless it is an archive, or surely none that is taken."""
    try:
        found = os.stat(path, follow_symlinks=given)
        size = found.st_size
        is_plain = (
            stat.S_ISREG(found.st_mode) and size <= budget.bounds.file_bytes and (given or not is_hidden(path[path.rfind(os.sep) + 1 :]))
        )
        if not is_plain or path.lower().endswith(_ARCHIVES) or ((given or size >= _LARGE) and _is_packed(path)):
            yield from _file(path, name, budget, given)
            return
    except OSError as error:
        yield Item(name, passed="unreadable", detail=error.strerror or "")
        return
    budget.take(size)
    budget.begun += size
    yield Place(path, name, size, given, budget.begun)


def _is_packed(path: str) -> bool:
    with open(os.open(path, _FLAGS), "rb") as stream:
        return packing(stream.read(BLOCK)) is not None


def _file(path: str, name: str, budget: Budget, given: bool = False) -> Iterator[Item]:
    """A file outside archives. What it is counts once it is open, so that nothing else can take its place in between."""
    try:
        mode = os.stat(path, follow_symlinks=given).st_mode
        if stat.S_ISLNK(mode):
            yield Item(name, passed="link")
        elif not given and is_hidden(os.path.basename(path)):
            yield Item(name, passed="hidden")
        elif stat.S_ISDIR(mode):
            yield Item(name, passed="unreadable")
        elif not stat.S_ISREG(mode):
            yield Item(name, passed="device")
        else:
            with open(os.open(path, _FLAGS | (0 if given else _NO_FOLLOW)), "rb") as stream:
                size = os.fstat(stream.fileno()).st_size
                budget.open = stream
                yield from source(name, stream, size, budget, budget.allowance(size), 0)
                budget.open, budget.begun = None, budget.begun + size
    except OSError as error:
        yield Item(name, passed="unreadable", detail=error.strerror or "")
