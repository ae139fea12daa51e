"""What an import takes at the most, what it has taken, and the files that come out of it."""

from dataclasses import dataclass
from typing import IO, NamedTuple

from advisor.capture.unpack import Allowance, Passed


@dataclass(frozen=True, slots=True)
class Bounds:
    """What an import takes at the most.

    file_bytes          of one file, unpacked
    total_bytes, files  of the whole import: everything that is read or unpacked, every file that is met
    depth               of archives in archives
    ratio               unpacked over packed bytes, of one member and of all that comes out of one file that was given
    member_free_bytes   so much a member may become, whatever its ratio
    archive_free_bytes  so much may come out of one file, whatever the ratio: captures of many hosts are much alike, and pack well
    """

    file_bytes: int = 512 * 2**20
    total_bytes: int = 8 * 2**30
    files: int = 500_000
    depth: int = 4
    ratio: float = 200.0
    member_free_bytes: int = 16 * 2**20
    archive_free_bytes: int = 2**30


BOUNDS = Bounds()


class Item(NamedTuple):
    """One file: its name inside what was given (`site.tar.gz!gpu-07/ibstat.txt`), and its bytes, or why it was passed over.

    at: bytes of all that was given that lie behind, for progress
    """

    name: str
    data: bytes = b""
    passed: Passed | None = None
    detail: str = ""
    at: int = 0

    @property
    def size(self) -> int:
        return len(self.data)


class Full(Exception):
    """The import holds all that it may."""


@dataclass(slots=True)
class Budget:
    """What an import has taken so far. Raises Full where it would be more than its bounds."""

    bounds: Bounds
    total: int = 0
    begun: int = 0  # bytes of the given files before the one that is open
    open: IO[bytes] | None = None

    def take(self, size: int) -> None:
        self.total += size
        if self.total > self.bounds.total_bytes:
            raise Full

    @property
    def at(self) -> int:
        return self.begun + (self.open.tell() if self.open and not self.open.closed else 0)

    def allowance(self, size: int) -> Allowance:
        return Allowance(max(int(size * self.bounds.ratio), self.bounds.archive_free_bytes), self.take)

    def most(self, packed: int) -> int:
        return min(self.bounds.file_bytes, max(int(packed * self.bounds.ratio), self.bounds.member_free_bytes))
