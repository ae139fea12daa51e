"""What is in a file: a capture, one packed file, or an archive, whose members are files in turn. What it is, its first bytes say."""

import io
from collections.abc import Iterator
from typing import IO

from advisor.capture.bounds import Budget, Item
from advisor.capture.unpack import (
    BLOCK,
    DAMAGE,
    Allowance,
    Member,
    Packing,
    TooLarge,
    Unpacked,
    inside,
    is_hidden,
    packing,
    tar_members,
    without_suffix,
    zip_members,
)

SQLITE = b"SQLite format 3\x00"


def source(name: str, stream: IO[bytes], size: int, budget: Budget, allowance: Allowance, depth: int) -> Iterator[Item]:
    """A file, wherever it is: an archive is opened, one packed file is unpacked, the rest is a capture."""
    head = stream.read(BLOCK)
    stream.seek(0)
    kind = packing(head)
    if head.startswith(SQLITE):
        yield Item(name, passed="assessment")
    elif kind == "foreign":
        yield Item(name, passed="foreign-archive")
    elif kind is None:
        data = bounded(stream, budget.bounds.file_bytes) if size <= budget.bounds.file_bytes else None
        budget.take(len(data or b"") if depth == 0 else 0)
        yield Item(name, passed="too-large") if data is None else Item(name, data)
    elif depth >= budget.bounds.depth:
        yield Item(name, passed="too-deep")
    else:
        try:
            yield from _packed(kind, name, stream, size, budget, allowance, depth + 1)
        except TooLarge:
            yield Item(name, passed="too-large")
        except DAMAGE as error:
            yield Item(name, passed="damaged-archive", detail=str(error))


def _packed(kind: Packing, name: str, stream: IO[bytes], size: int, budget: Budget, allowance: Allowance, depth: int) -> Iterator[Item]:
    if kind == "zip":
        yield from _members(name, zip_members(stream), size, budget, allowance, depth)
    elif kind == "tar":
        yield from _members(name, tar_members(stream), size, budget, allowance, depth)
    else:
        unpacked = Unpacked(kind, stream, allowance)
        bare = without_suffix(name, kind)
        if unpacked.is_tar:
            yield from _members(name, tar_members(unpacked), size, budget, allowance, depth)
        elif unpacked.is_zeros and bare.lower().endswith(".tar"):
            yield Item(name, passed="empty-archive")
        else:
            most = budget.most(size)
            data = unpacked.read(most + 1)
            if len(data) > most:
                raise TooLarge
            yield from source(bare, io.BytesIO(data), len(data), budget, allowance, depth)
        if unpacked.damage is not None:  # what came before the damage is above
            yield Item(name if name != bare else f"{name}#rest", passed="damaged-archive", detail=unpacked.damage)


def _members(name: str, members: Iterator[Member], size: int, budget: Budget, allowance: Allowance, depth: int) -> Iterator[Item]:
    found = False
    for member in members:
        found = True
        inner = f"{name}!{inside(member.name)}" if member.name else name
        if member.passed or member.stream is None:
            yield Item(inner, passed=member.passed or "unreadable")
            continue
        if is_hidden(inside(member.name)):
            yield Item(inner, passed="hidden")
            continue
        most = budget.most(size if member.packed is None else member.packed)
        try:
            data = bounded(member.stream, most) if member.size <= most else None
        except DAMAGE as error:
            if member.packed is None:  # the rest of a tar is lost; members of a zip stand by themselves
                raise
            yield Item(inner, passed="damaged-archive", detail=str(error))
            continue
        if data is None:
            yield Item(inner, passed="too-large")
            continue
        allowance.take(0 if member.counted else len(data))
        yield from source(inner, io.BytesIO(data), len(data), budget, allowance, depth)
    if not found:
        yield Item(name, passed="empty-archive")


def bounded(stream: IO[bytes], most: int) -> bytes | None:
    """All bytes; None where there are more than `most`."""
    data = stream.read(most + 1)
    return data if len(data) <= most else None
