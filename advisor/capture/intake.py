"""Folders, archives, files and standard input become named bytes, within bounds. Nothing is written, so no path can leave a target.

Links, devices, sockets and hidden files are not followed or read: each is passed over with a reason, and nothing is silent.
"""

import bz2
import gzip
import io
import lzma
import os
import stat
import sys
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Literal

from advisor.base.errors import UsageError

Passed = Literal[
    "link",
    "device",
    "hidden",
    "unreadable",
    "too-large",
    "too-many",
    "too-deep",
    "damaged-archive",
    "encrypted",
    "assessment",
    "empty-archive",
]


@dataclass(frozen=True, slots=True)
class Bounds:
    """What an import takes at the most. A ratio is unpacked over packed bytes; small members may exceed it."""

    file_bytes: int = 512 * 2**20
    total_bytes: int = 8 * 2**30
    files: int = 500_000
    depth: int = 4
    ratio: float = 200.0
    ratio_free_bytes: int = 16 * 2**20


@dataclass(frozen=True, slots=True)
class Item:
    """One file: its name inside what was given (`site.tar.gz!gpu-07/ibstat.txt`), and its bytes, or why it was passed over."""

    name: str
    data: bytes = b""
    passed: Passed | None = None
    detail: str = ""


class _Bound(Exception):
    def __init__(self, passed: Passed) -> None:
        self.passed = passed


@dataclass(slots=True)
class _Budget:
    bounds: Bounds
    files: int = 0
    total: int = 0

    def take(self, size: int) -> None:
        self.files += 1
        self.total += size
        if self.files > self.bounds.files or self.total > self.bounds.total_bytes:
            raise _Bound("too-many")


def items(paths: list[str], bounds: Bounds | None = None) -> Iterator[Item]:
    """Every file below the paths, in order of name. `-` is standard input. Raises UsageError for a path that is not there."""
    budget = _Budget(bounds or Bounds())
    for path in paths:
        if path != "-" and not os.path.lexists(path):
            raise UsageError("no-such-path", path=path)
    for path in paths:
        try:
            yield from _given(path, budget)
        except _Bound as bound:
            yield Item(path, passed=bound.passed)
            return


def count(paths: list[str]) -> int:
    """How many files there are outside archives, for progress."""
    total = 0
    for path in paths:
        total += sum(len(files) for _, _, files in os.walk(path)) if os.path.isdir(path) else 1
    return total


def _given(path: str, budget: _Budget) -> Iterator[Item]:
    if path == "-":
        yield from _bytes("-", _bounded(sys.stdin.buffer, budget.bounds.file_bytes), budget, 0)
    elif os.path.isdir(path):
        root = Path(path)
        for folder, folders, files in os.walk(root, followlinks=False):
            folders.sort()
            here = Path(folder)
            for name in [name for name in folders if name.startswith(".") or (here / name).is_symlink()]:
                folders.remove(name)
                yield Item(
                    (here / name).relative_to(root).as_posix(),
                    passed="link" if (here / name).is_symlink() else "hidden",
                )
            for name in sorted(files):
                yield from _file(here / name, (here / name).relative_to(root).as_posix(), budget)
    else:
        yield from _file(Path(path), Path(path).name, budget, given=True)


def _file(path: Path, name: str, budget: _Budget, given: bool = False) -> Iterator[Item]:
    try:
        mode = path.stat().st_mode if given else path.lstat().st_mode
        if stat.S_ISLNK(mode):
            yield Item(name, passed="link")
        elif not stat.S_ISREG(mode):
            yield Item(name, passed="device")
        elif path.name.startswith(".") and not given:
            yield Item(name, passed="hidden")
        elif path.stat().st_size > budget.bounds.file_bytes and not _packed(path):
            yield Item(name, passed="too-large")
        elif _packed(path):
            yield from _archive(name, path, path.stat().st_size, budget, 1)
        else:
            yield from _bytes(name, path.read_bytes(), budget, 0)
    except OSError as error:
        yield Item(name, passed="unreadable", detail=error.strerror or "")


def _packed(path: Path) -> bool:
    return zipfile.is_zipfile(path) or _tar(path)


def _bytes(name: str, data: bytes, budget: _Budget, depth: int) -> Iterator[Item]:
    """A file's bytes: an archive is opened, one packed file is unpacked, the rest is a capture."""
    if data.startswith(b"SQLite format 3\x00"):
        yield Item(name, passed="assessment")
        return
    packed = data.startswith((b"\x1f\x8b", b"BZh", b"\xfd7zXZ\x00", b"PK\x03\x04", b"PK\x05\x06")) or (
        len(data) > 262 and data[257:262] == b"ustar"
    )
    if not packed:
        budget.take(len(data))
        yield Item(name, data)
    elif depth >= budget.bounds.depth:
        yield Item(name, passed="too-deep")
    elif data.startswith(b"PK") or _tar(data):
        yield from _archive(name, io.BytesIO(data), len(data), budget, depth + 1)
    else:
        try:
            inner = _bounded(_unpacker(data), _most(len(data), budget.bounds))
        except _Bound as bound:
            yield Item(name, passed=bound.passed)
        except (OSError, EOFError, zlib.error, lzma.LZMAError, ValueError) as error:
            yield Item(name, passed="damaged-archive", detail=str(error))
        else:
            yield from _bytes(name.removesuffix(".gz").removesuffix(".bz2").removesuffix(".xz"), inner, budget, depth + 1)


def _tar(source: Path | bytes) -> bool:
    """Whether it is a tar, packed or not; a damaged one may be none."""
    try:
        return tarfile.is_tarfile(io.BytesIO(source) if isinstance(source, bytes) else source)
    except (OSError, EOFError, zlib.error, lzma.LZMAError, ValueError):
        return False


def _unpacker(data: bytes) -> gzip.GzipFile | bz2.BZ2File | lzma.LZMAFile:
    if data.startswith(b"\x1f\x8b"):
        return gzip.GzipFile(fileobj=io.BytesIO(data))
    return bz2.BZ2File(io.BytesIO(data)) if data.startswith(b"BZh") else lzma.LZMAFile(io.BytesIO(data))


def _most(packed: int, bounds: Bounds) -> int:
    return min(bounds.file_bytes, max(int(packed * bounds.ratio), bounds.ratio_free_bytes))


def _bounded(stream: IO[bytes] | gzip.GzipFile | bz2.BZ2File | lzma.LZMAFile, most: int) -> bytes:
    data = stream.read(most + 1)
    if len(data) > most:
        raise _Bound("too-large")
    return data


def _archive(name: str, source: Path | IO[bytes], size: int, budget: _Budget, depth: int) -> Iterator[Item]:
    found = 0
    try:
        zipped = zipfile.is_zipfile(source)
        if not isinstance(source, Path):
            source.seek(0)
        members = _zip(source) if zipped else _tar_members(source)
        for member, kind, stream in members:
            found += 1
            inner = f"{name}!{_inside(member)}"
            if kind or stream is None:
                yield Item(inner, passed=kind or "unreadable")
                continue
            try:
                data = _bounded(stream, _most(size, budget.bounds))
            except _Bound as bound:
                yield Item(inner, passed=bound.passed)
                continue
            yield from _bytes(inner, data, budget, depth)
    except (
        tarfile.TarError,
        zipfile.BadZipFile,
        OSError,
        EOFError,
        zlib.error,
        lzma.LZMAError,
        ValueError,
        RuntimeError,
        NotImplementedError,
    ) as error:
        yield Item(name, passed="damaged-archive", detail=str(error))
        return
    if not found:
        yield Item(name, passed="empty-archive")


def _inside(member: str) -> str:
    """A member's name without what could leave a folder: it is a label here, never a path to write to."""
    return "/".join(step for step in member.replace("\\", "/").split("/") if step not in ("", ".", ".."))


def _tar_members(source: Path | IO[bytes]) -> Iterator[tuple[str, Passed | None, IO[bytes] | None]]:
    with tarfile.open(source) if isinstance(source, Path) else tarfile.open(fileobj=source) as tar:
        for member in tar:
            if member.isdir():
                continue
            if member.issym() or member.islnk():
                yield member.name, "link", None
            elif not member.isreg():
                yield member.name, "device", None
            else:
                yield member.name, None, tar.extractfile(member)


def _zip(source: Path | IO[bytes]) -> Iterator[tuple[str, Passed | None, IO[bytes] | None]]:
    with zipfile.ZipFile(source) as archive:
        for info in archive.infolist():
            if info.is_dir():
                continue
            if info.flag_bits & 1:
                yield info.filename, "encrypted", None
            elif stat.S_ISLNK(info.external_attr >> 16):
                yield info.filename, "link", None
            else:
                with archive.open(info) as stream:
                    yield info.filename, None, stream
