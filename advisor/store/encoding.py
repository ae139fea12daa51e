"""Bytes of captures and their readings in the form of the store, and back. What goes in comes out equal (tests/store hold it).

Zstandard packs the text of tools as small as zlib in a sixth of the time, and MessagePack is written in a third of what JSON takes:
packing took longer than reading. Assessments of before hold zlib and JSON; the first bytes tell which it is.

A capture of plain counters (evidence/columns) is kept as its integers, and the names, which thousands of captures share, once for all: a
third of the bytes and a fifth of the time. Its reading then has no counters of its own: they are those of the capture.
"""

import json
import zlib
from collections.abc import Callable, Mapping
from functools import lru_cache
from hashlib import sha256
from threading import local
from typing import Any, NamedTuple

from advisor.evidence.columns import Shape, integers, lines_of, names_of
from advisor.evidence.reading import Part, Problem, Reading

_ZSTANDARD = b"\x28\xb5\x2f\xfd"  # RFC 8878, 3.1.1
_JSON = b"{"
_NAMED = b"\x00N"  # no frame of Zstandard, no zlib
_COLUMNS = b"\x00C"  # the shape's id; packed: the length of what stands in front, that, the integers
OWN = b"\x00O"  # begins a reading whose counters are those of its capture
_TABLE, _OWN = 1, 2  # kinds of extensions in MessagePack
_ID = 16  # bytes
_LONG = 64  # entries of a table that is worth it
_MOST_NAMES = 200
_LEVEL = 1
_MOST = 2**31  # bytes that one blob may become: four times the largest file that an import takes
_mine = local()  # a compressor serves one thread at a time, and making one takes longer than packing a small file


def squeeze(data: bytes) -> bytes:
    """Bytes as the store keeps them."""
    if not hasattr(_mine, "squeeze"):
        import zstandard

        _mine.squeeze = zstandard.ZstdCompressor(level=_LEVEL, write_checksum=True).compress
    packed: bytes = _mine.squeeze(data)
    return packed


def unsqueeze(data: bytes) -> bytes:
    """The bytes again. Raises ValueError where they are damaged."""
    if not data.startswith(_ZSTANDARD):
        try:
            return zlib.decompress(data)
        except zlib.error as error:
            raise ValueError(str(error)) from None
    import zstandard

    try:
        if zstandard.frame_content_size(data) > _MOST:
            raise ValueError("too large")
        return zstandard.ZstdDecompressor().decompress(data)
    except zstandard.ZstdError as error:
        raise ValueError(str(error)) from None


class Kept(NamedTuple):
    """A capture and its reading as the store keeps them. `shape`: id and packed heads of the shape that the two refer to."""

    data: bytes
    reading: bytes
    shape: tuple[bytes, bytes] | None = None


def packed(data: bytes, reading: Reading) -> Kept:
    """A capture with the reading that was just made of it."""
    columns = next((part.columns for part in reading.parts if part.columns), None)
    if columns is None or columns.size > len(data):
        return Kept(squeeze(data), pack(reading))
    import msgspec

    name, heads = _packed_shape(columns.shape)
    front = data[: len(data) - columns.size]
    tree = _tree(reading, lambda facts: _without(facts, columns.table, msgspec.msgpack.Ext(_OWN, b"")))
    try:
        told = OWN + squeeze(msgspec.msgpack.encode(tree))
    except OverflowError:
        return Kept(squeeze(data), pack(reading))
    return Kept(b"".join((_COLUMNS, name, squeeze(b"".join((len(front).to_bytes(4, "big"), front, columns.values))))), told, (name, heads))


@lru_cache(maxsize=256)
def _packed_shape(shape: Shape) -> tuple[bytes, bytes]:
    return sha256(shape.heads).digest()[:_ID], squeeze(shape.heads)


def _without(facts: Any, table: Any, instead: Any) -> Any:
    return {
        key: instead if value is table else _without(value, table, instead) if type(value) is dict else value
        for key, value in facts.items()
    }


def shape_of(data: bytes) -> bytes | None:
    """The id of the shape that a packed capture refers to."""
    return data[len(_COLUMNS) : len(_COLUMNS) + _ID] if data.startswith(_COLUMNS) else None


def restored(data: bytes, heads: Callable[[bytes], bytes]) -> bytes:
    """The bytes of a packed capture; `heads`: packed heads of a shape by its id. Raises ValueError where they are damaged."""
    if not data.startswith(_COLUMNS):
        return unsqueeze(data)
    front, spelt, shape = _columns(data, heads)
    return front + lines_of(shape.split("\n"), spelt)


def table_of(data: bytes, heads: Callable[[bytes], bytes]) -> dict[str, int]:
    """The counters of a packed capture of plain counters. Raises ValueError where it is damaged."""
    _, spelt, shape = _columns(data, heads)
    names = _names_of(shape)
    values = integers(spelt, len(names))
    if values is None:
        raise ValueError("no integers")
    return dict(zip(names, values, strict=True))


def _columns(data: bytes, heads: Callable[[bytes], bytes]) -> tuple[bytes, bytes, str]:
    name = shape_of(data)
    if name is None:
        raise ValueError("no columns")
    plain = unsqueeze(data[len(_COLUMNS) + _ID :])
    end = 4 + int.from_bytes(plain[:4], "big")
    return plain[4:end], plain[end:], _heads(heads(name))


@lru_cache(maxsize=256)
def _heads(packed_heads: bytes) -> str:
    return unsqueeze(packed_heads).decode("ascii")


@lru_cache(maxsize=256)
def _names_of(heads: str) -> list[str]:
    """The same names are the same objects in all readings, which saves most of their memory."""
    return names_of(heads)


def pack(reading: Reading) -> bytes:
    """A reading as packed MessagePack; as JSON where it holds an integer of more than 64 bits.

    Names of long tables (a thousand counters) stand in front of it, packed once for all readings of a process that have the same; the table
    is a list of its values then.
    """
    import msgspec

    names: list[tuple[str, ...]] = []
    try:
        packed = squeeze(msgspec.msgpack.encode(_tree(reading, lambda facts: _shortened(facts, names))))
    except OverflowError:
        return squeeze(json.dumps(_tree(reading, lambda facts: facts), ensure_ascii=False, separators=(",", ":")).encode())
    if not names:
        return packed
    frames = [_packed_names(one) for one in names]
    return b"".join((_NAMED, bytes([len(frames)]), *(len(one).to_bytes(4, "big") for one in frames), *frames, packed))


def _shortened(facts: Mapping[str, Any], names: list[tuple[str, ...]]) -> Any:
    """The tree with its long tables as a number, that of their names, and values."""
    if len(facts) >= _LONG:
        mine = tuple(facts)
        if mine not in names and len(names) < _MOST_NAMES:
            names.append(mine)
        if mine in names:
            import msgspec

            return msgspec.msgpack.Ext(_TABLE, msgspec.msgpack.encode((names.index(mine), list(facts.values()))))
    return {key: _shortened(value, names) if isinstance(value, dict) else value for key, value in facts.items()}


@lru_cache(maxsize=256)
def _packed_names(names: tuple[str, ...]) -> bytes:
    import msgspec

    return squeeze(msgspec.msgpack.encode(names))


@lru_cache(maxsize=256)
def _names(frame: bytes) -> list[Any]:
    """The same names are the same objects in all readings, which saves most of their memory."""
    import msgspec

    found: list[Any] = msgspec.msgpack.decode(unsqueeze(frame))
    return found


def _tree_of(data: bytes, own: Callable[[], Mapping[str, int]] | None) -> Any:
    import msgspec

    names: list[list[Any]] = []
    data = data.removeprefix(OWN)
    if data.startswith(_NAMED):
        at = len(_NAMED) + 1
        sizes = [int.from_bytes(data[at + 4 * i : at + 4 * i + 4], "big") for i in range(data[at - 1])]
        at += 4 * len(sizes)
        for size in sizes:
            names.append(_names(data[at : at + size]))
            at += size
        data = data[at:]
    plain = unsqueeze(data)
    if plain.startswith(_JSON):
        return json.loads(plain)

    def table(code: int, packed: memoryview) -> Any:
        if code == _OWN:
            if own is None:
                raise ValueError("counters of a capture that is not there")
            return own()
        number, values = msgspec.msgpack.decode(packed)
        return dict(zip(names[number], values, strict=True))

    return msgspec.msgpack.decode(plain, ext_hook=table)


def unpack(data: bytes, own: Callable[[], Mapping[str, int]] | None = None) -> Reading:
    """The reading again; `own`: the counters of its capture, asked where it begins with OWN.

    Raises ValueError, KeyError, TypeError or IndexError where the bytes are damaged.
    """
    tree = _tree_of(data, own)
    return Reading(
        refused=tree["refused"],
        parts=tuple(_part(part) for part in tree["parts"]),
        unread=_pairs(tree["unread"]),
        line_count=tree["line_count"],
        encoding=tree["encoding"],
    )


def _tree(reading: Reading, facts: Callable[[Any], Any]) -> dict[str, Any]:
    return {
        "refused": reading.refused,
        "parts": [
            {
                "tool": part.tool,
                "lines": part.lines,
                "host": part.host,
                "command": part.command,
                "facts": facts(part.facts),
                "at": [[line, *path] for path, line in part.at.items()],
                "problems": [[p.line, p.text, p.why, p.detail] for p in part.problems],
                "unread": part.unread,
                "ignored": dict(part.ignored),
                **({"time": part.time} if part.time else {}),
            }
            for part in reading.parts
        ],
        "unread": reading.unread,
        "line_count": reading.line_count,
        "encoding": reading.encoding,
    }


def _part(tree: dict[str, Any]) -> Part:
    first, last = tree["lines"]
    return Part(
        tool=tree["tool"],
        lines=(first, last),
        host=tree["host"],
        command=tree["command"],
        facts=tree["facts"],
        at={tuple(path): line for line, *path in tree["at"]},
        problems=tuple(Problem(*problem) for problem in tree["problems"]),
        unread=_pairs(tree["unread"]),
        ignored=tree["ignored"],
        time=tree.get("time"),
    )


def _pairs(pairs: list[list[int]]) -> tuple[tuple[int, int], ...]:
    return tuple((a, b) for a, b in pairs)
