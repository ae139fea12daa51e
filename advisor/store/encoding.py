"""Bytes of captures and their readings in the form of the store, and back. What goes in comes out equal (tests/store hold it).

Zstandard packs the text of tools as small as zlib in a sixth of the time, and MessagePack is written in a third of what JSON takes:
packing took longer than reading. Assessments of before hold zlib and JSON; the first bytes tell which it is.
"""

import json
import zlib
from threading import local
from typing import Any

from advisor.evidence.reading import Part, Problem, Reading

_ZSTANDARD = b"\x28\xb5\x2f\xfd"  # RFC 8878, 3.1.1
_JSON = b"{"
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
    """A reading as packed MessagePack; as JSON where it holds an integer of more than 64 bits."""
    import msgspec

    tree = _tree(reading)
    try:
        return squeeze(msgspec.msgpack.encode(tree))
    except OverflowError:
        return squeeze(json.dumps(tree, ensure_ascii=False, separators=(",", ":")).encode())


def unpack(data: bytes) -> Reading:
    """The reading again. Raises ValueError where the bytes are damaged."""
    plain = unsqueeze(data)
    if plain.startswith(_JSON):
        tree = json.loads(plain)
    else:
        import msgspec

        tree = msgspec.msgpack.decode(plain)
    return Reading(
        refused=tree["refused"],
        parts=tuple(_part(part) for part in tree["parts"]),
        unread=_pairs(tree["unread"]),
        line_count=tree["line_count"],
        encoding=tree["encoding"],
    )


def _tree(reading: Reading) -> dict[str, Any]:
    return {
        "refused": reading.refused,
        "parts": [
            {
                "tool": part.tool,
                "lines": part.lines,
                "host": part.host,
                "command": part.command,
                "facts": part.facts,
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
