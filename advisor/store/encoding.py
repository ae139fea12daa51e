"""Bytes of captures and their readings in the form of the store, and back. What goes in comes out equal (tests/store hold it).

Zstandard packs the text of tools as small as zlib in a sixth of the time, and MessagePack is written in a third of what JSON takes:
packing took longer than reading. Assessments of before hold zlib and JSON; the first bytes tell which it is.
"""

import json
import zlib
from collections.abc import Callable, Mapping
from functools import lru_cache
from threading import local
from typing import Any

from advisor.evidence.reading import Part, Problem, Reading

_ZSTANDARD = b"\x28\xb5\x2f\xfd"  # RFC 8878, 3.1.1
_JSON = b"{"
_NAMED = b"\x00N"  # no frame of Zstandard, no zlib
_TABLE = 1  # the kind of extension in MessagePack
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


def _shortened(facts: Any, names: list[tuple[str, ...]]) -> Any:
    """The tree with its long tables as a number, that of their names, and values."""
    if not isinstance(facts, Mapping):
        return facts
    if len(facts) >= _LONG:
        mine = tuple(facts)
        if mine not in names and len(names) < _MOST_NAMES:
            names.append(mine)
        if mine in names:
            import msgspec

            return msgspec.msgpack.Ext(_TABLE, msgspec.msgpack.encode((names.index(mine), list(facts.values()))))
    return {key: _shortened(value, names) for key, value in facts.items()}


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


def _tree_of(data: bytes) -> Any:
    import msgspec

    names: list[list[Any]] = []
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
        number, values = msgspec.msgpack.decode(packed)
        return dict(zip(names[number], values, strict=True))

    return msgspec.msgpack.decode(plain, ext_hook=table)


def unpack(data: bytes) -> Reading:
    """The reading again. Raises ValueError, KeyError, TypeError or IndexError where the bytes are damaged."""
    tree = _tree_of(data)
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
