"""Archives and packed files: told by their first bytes, opened as streams, and never let past what an import may unpack.

tar     plain or packed with gzip, bzip2, xz or Zstandard, read front to back, so that nothing is unpacked twice and nothing is written
zip     by its directory; each member by itself, so that a damaged one costs no other
alone   one file packed with one of the four

Zstandard comes with Python from 3.14 on; before, the package `zstandard` unpacks it, which is imported when such a file is met.
"""

import bz2
import gzip
import lzma
import re
import stat
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import IO, Any, Literal

Packing = Literal["gz", "bz2", "xz", "zst", "zip", "tar", "foreign"]
Passed = Literal[
    "link",
    "device",
    "hidden",
    "unreadable",
    "too-large",
    "too-many",
    "too-deep",
    "damaged-archive",
    "foreign-archive",
    "document",
    "encrypted",
    "assessment",
    "empty-archive",
]

_MAGIC: tuple[tuple[bytes, Packing], ...] = (
    (b"\x1f\x8b", "gz"),
    (b"BZh", "bz2"),
    (b"\xfd7zXZ\x00", "xz"),
    (b"\x28\xb5\x2f\xfd", "zst"),
    (b"PK\x03\x04", "zip"),
    (b"PK\x05\x06", "zip"),
    (b"7z\xbc\xaf\x27\x1c", "foreign"),
    (b"Rar!\x1a\x07", "foreign"),
)
_FIRST = frozenset(magic[:1] for magic, _ in _MAGIC)
BLOCK = tarfile.BLOCKSIZE
_TAR_CHECKSUM = re.compile(rb"[ \x000-7]{8}")
_CHUNK = 2**18
_NAMES: dict[str, tuple[str, ...]] = {
    "gz": (".gz", ".gzip", ".z"),
    "bz2": (".bz2", ".bz"),
    "xz": (".xz",),
    "zst": (".zst", ".zstd"),
}
_DOCUMENT = "[Content_Types].xml"  # the first thing in a docx, xlsx or pptx, which are zip archives
_WINDOW = 2**28  # bytes that a Zstandard frame may make its reader keep; `--ultra` asks for 2**27
# What the libraries raise for an archive that is damaged or cut.
DAMAGE = (
    *(tarfile.TarError, zipfile.BadZipFile, OSError, EOFError, zlib.error, lzma.LZMAError),
    *(ValueError, RuntimeError, OverflowError),
)


class TooLarge(Exception):
    """More was unpacked than the packed file may become."""


@dataclass(slots=True)
class Allowance:
    """How many bytes may still come out of one packed file, archives inside it included; each byte is counted by `spent`, too."""

    left: int
    spent: Callable[[int], None]

    def take(self, size: int) -> None:
        """Raises TooLarge, and what `spent` raises."""
        self.left -= size
        if self.left < 0:
            raise TooLarge
        self.spent(size)


@dataclass(frozen=True, slots=True)
class Member:
    """One member of an archive: its bytes, or why there are none. Without a name it stands for the archive.

    packed   its packed size, where it is packed by itself
    counted  its bytes were counted against the allowance when the archive was unpacked
    """

    name: str
    stream: IO[bytes] | None = None
    size: int = 0
    packed: int | None = None
    counted: bool = False
    passed: Passed | None = None


def packing(head: bytes) -> Packing | None:
    """How a file is packed, by its first BLOCK bytes; None where it is not."""
    if head[:1] in _FIRST:
        for magic, kind in _MAGIC:
            if head.startswith(magic):
                return kind
    if head[1:4] == b"\x2a\x4d\x18" and 0x50 <= head[0] <= 0x5F:  # a Zstandard frame to be skipped, as pzstd writes first
        return "zst"
    return "tar" if _is_tar(head) else None


def _is_tar(head: bytes) -> bool:
    """Whether a block is the header of a tar member: its checksum is right."""
    if len(head) < BLOCK or head[BLOCK - 1] or not _TAR_CHECKSUM.match(head, 148):  # most text is told by one byte, or by eight
        return False
    try:
        tarfile.TarInfo.frombuf(head[:BLOCK], "utf-8", "surrogateescape")
    except (tarfile.HeaderError, ValueError):
        return False
    return True


class Unpacked:
    """The bytes of a packed stream, front to back, each counted against an allowance.

    head    the first BLOCK of them; they are read again by `read`
    damage  what is wrong where the bytes ended before their time
    """

    def __init__(self, kind: Packing, stream: IO[bytes], allowance: Allowance) -> None:
        self._read1, self._errors = _opened(kind, stream)
        self._allowance = allowance
        self._ready = b""
        self.damage: str | None = None
        self.head = self.read(BLOCK)
        self._ready = self.head + self._ready

    def read(self, size: int) -> bytes:
        """Fewer bytes than asked for only at the end. Raises OSError for damage with nothing before it, and what the allowance raises."""
        pieces, had = [self._ready], len(self._ready)
        while had < size and (piece := self._piece(had)):
            self._allowance.take(len(piece))
            pieces.append(piece)
            had += len(piece)
        whole = b"".join(pieces)
        self._ready = whole[size:]
        return whole[:size]

    def _piece(self, had: int) -> bytes:
        if self.damage is None:
            try:
                return self._read1(_CHUNK)
            except self._errors as error:
                self.damage = str(error) or type(error).__name__
        if not had:
            raise OSError(self.damage)
        return b""

    @property
    def is_tar(self) -> bool:
        return _is_tar(self.head)

    @property
    def is_zeros(self) -> bool:
        """A tar without members begins so."""
        return len(self.head) == BLOCK and not self.head.strip(b"\x00")


def _opened(kind: Packing, stream: IO[bytes]) -> tuple[Callable[[int], bytes], tuple[type[Exception], ...]]:
    """How to get the next bytes, and what it raises for damage."""
    if kind == "gz":
        return gzip.GzipFile(fileobj=stream).read1, DAMAGE
    if kind == "bz2":
        return bz2.BZ2File(stream).read1, DAMAGE
    if kind == "xz":
        return lzma.LZMAFile(stream).read1, DAMAGE
    import zstandard

    reader = zstandard.ZstdDecompressor(max_window_size=_WINDOW).stream_reader(stream, read_across_frames=True)
    return reader.read1, (*DAMAGE, zstandard.ZstdError)


def without_suffix(name: str, kind: Packing) -> str:
    """A packed file's name as it was before it was packed: log.gz is log, host.tgz is host.tar."""
    lower = name.lower()
    for suffix in _NAMES.get(kind, ()):
        if lower.endswith(suffix) and len(name) > len(suffix):
            return name[: -len(suffix)]
    for short in (".tgz", ".tbz2", ".tbz", ".txz", ".tzst"):
        if lower.endswith(short):
            return name[: -len(short)] + ".tar"
    return name


class _Header(tarfile.TarInfo):
    """A header whose damage is told wherever it stands; the library takes it for the end of the archive."""

    @classmethod
    def fromtarfile(cls, tar: tarfile.TarFile) -> "_Header":
        try:
            return super().fromtarfile(tar)
        except (tarfile.InvalidHeaderError, tarfile.TruncatedHeaderError) as error:  # type: ignore[attr-defined]
            raise tarfile.ReadError(str(error)) from None


def tar_members(stream: Any) -> Iterator[Member]:
    """Members in the archive's order; read each before the next. Raises tarfile.TarError and what the stream raises."""
    counted = isinstance(stream, Unpacked)
    with tarfile.open(fileobj=stream, mode="r|" if counted else "r:", bufsize=_CHUNK, tarinfo=_Header, errors="surrogateescape") as tar:
        while (member := tar.next()) is not None:
            tar.members.clear()  # type: ignore[attr-defined]  # or a million headers stay in memory
            if member.isdir():
                continue
            if member.issym() or member.islnk():
                yield Member(member.name, passed="link")
            elif not member.isreg():
                yield Member(member.name, passed="device")
            else:
                yield Member(member.name, tar.extractfile(member), member.size, counted=counted)


def zip_members(stream: IO[bytes]) -> Iterator[Member]:
    """Members in the directory's order. Raises zipfile.BadZipFile and what the stream raises."""
    with zipfile.ZipFile(stream) as archive:
        infos = archive.infolist()
        if any(info.filename == _DOCUMENT for info in infos[:8]):
            yield Member("", passed="document")
            return
        for info in infos:
            if info.filename.endswith("/"):
                continue
            name = _zip_name(info)
            if info.flag_bits & 1:
                yield Member(name, passed="encrypted")
            elif stat.S_ISLNK(info.external_attr >> 16):
                yield Member(name, passed="link")
            else:
                yield _zip_member(archive, info, name)


def _zip_member(archive: zipfile.ZipFile, info: zipfile.ZipInfo, name: str) -> Member:
    try:
        stream = archive.open(info)
    except NotImplementedError:  # a method of compression that the library lacks
        return Member(name, passed="foreign-archive")
    except DAMAGE:
        return Member(name, passed="damaged-archive")
    return Member(name, stream, info.file_size, info.compress_size)


def _zip_name(info: zipfile.ZipInfo) -> str:
    """A member's name; without the flag for UTF-8 it stands in what its maker used, which the library takes for code page 437."""
    if info.flag_bits & 0x800 or info.filename.isascii():
        return info.filename
    try:
        raw = info.filename.encode("cp437")
    except UnicodeEncodeError:
        return info.filename
    return spelt(raw)


def spelt(raw: bytes) -> str:
    """A name from its bytes: UTF-8, else GB18030, else with what cannot be spelt replaced."""
    for encoding in ("utf-8", "gb18030"):
        try:
            return raw.decode(encoding)
        except UnicodeDecodeError:
            continue
    return raw.decode("utf-8", errors="replace")


def inside(member: str) -> str:
    """A member's name without what could leave a folder: it is a label here, never a path to write to."""
    if member.isascii() and "/" not in member and "\\" not in member and member not in ("", ".", ".."):
        return member
    if any("\ud800" <= c <= "\udfff" for c in member):
        member = spelt(member.encode("utf-8", errors="surrogateescape"))
    return "/".join(step for step in member.replace("\\", "/").split("/") if step not in ("", ".", "..")) or "?"


def is_hidden(name: str) -> bool:
    """Whether a file or a folder on the way to it is hidden, as .git and what macOS adds to an archive are."""
    if "/" not in name:
        return name.startswith(".") or name == "__MACOSX"
    return any(map(is_hidden, name.split("/")))
