"""Bytes of captures and their readings in the form of the store, and back. What goes in comes out equal (tests/store hold it).

Zstandard packs the text of tools as small as zlib in a sixth of the time, and MessagePack is written in a third of what JSON takes:
packing took longer than reading. Assessments of before hold zlib and JSON; the first bytes tell which it is.

A capture of plain counters (evidence/columns) is kept as its integers, and what stands before them, which thousands of captures share, once
for all: a third of the bytes, a quarter of the time. Its reading refers to a template in the same way.
"""

import json
import zlib
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from hashlib import sha256
from threading import local
from typing import Any, NamedTuple

from advisor.evidence.columns import ALL, At, Path, Shape, Template, Told, lines_of, plain, size_of
from advisor.evidence.reading import Part, Problem, Reading

_ZSTANDARD = b"\x28\xb5\x2f\xfd"  # RFC 8878, 3.1.1
_JSON = b"{"
_NAMED = b"\x00N"  # no frame of Zstandard, no zlib
_COLUMNS = b"\x00C"  # begins a capture: id of its shape; packed: the length of what stands in front, that, the integers
OWN = b"\x00O"  # begins a reading: id of its template; MessagePack of all but facts and lines, whose integers are those of the capture
_TABLE = 1  # the kind of extension in MessagePack
_AT, _ALL = 2, 3  # the kinds in a template
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


class Packed(NamedTuple):
    """A capture and its reading as the store keeps them. `shared`: what the two refer to, by id, and many others do."""

    data: bytes
    reading: bytes
    shared: tuple[tuple[bytes, bytes], ...] = ()


Shared = Callable[[bytes], bytes]  # what is kept once, by its id; it raises ValueError where that is not there


def packed(data: bytes, reading: Reading) -> Packed:
    """A capture with the reading that was just made of it."""
    facts = reading.parts[0].facts if len(reading.parts) == 1 else None
    if not isinstance(facts, Told) or (size := size_of(facts)) > len(data):
        return Packed(squeeze(data), pack(reading))
    import msgspec

    shape, template = _kept_shape(facts.template.shape), _kept_template(facts.template)
    front = data[: len(data) - size]
    columns = squeeze(b"".join((len(front).to_bytes(4, "big"), front, facts.spelt())))
    rest = msgspec.msgpack.encode(_tree(reading, lambda _: None, lambda _: None))
    return Packed(b"".join((_COLUMNS, shape[0], columns)), b"".join((OWN, template[0], rest)), (shape, template))


@lru_cache(maxsize=256)
def _kept_shape(shape: Shape) -> tuple[bytes, bytes]:
    return _named(squeeze(shape.heads))


@lru_cache(maxsize=1024)
def _kept_template(template: Template) -> tuple[bytes, bytes]:
    import msgspec

    tree = {"shape": _kept_shape(template.shape)[0], "facts": _marked(template.facts), "at": _lines(template.at)}
    return _named(squeeze(msgspec.msgpack.encode(tree)))


def _named(blob: bytes) -> tuple[bytes, bytes]:
    return sha256(blob).digest()[:_ID], blob


def _marked(facts: Mapping[str, Any]) -> dict[str, Any]:
    import msgspec

    def mark(value: Any) -> Any:
        if isinstance(value, Mapping):
            return _marked(value)
        if isinstance(value, At):
            return msgspec.msgpack.Ext(_AT, value.line.to_bytes(4, "big"))
        return msgspec.msgpack.Ext(_ALL, b"") if value is ALL else value

    return {key: mark(value) for key, value in facts.items()}


@lru_cache(maxsize=1024)
def _template(blob: bytes, shape: Shape) -> Template:
    import msgspec

    def of(code: int, marked: memoryview) -> Any:
        return At(int.from_bytes(marked, "big")) if code == _AT else ALL

    tree = msgspec.msgpack.decode(unsqueeze(blob), ext_hook=of)
    return Template(shape, tree["facts"], _at(tree["at"]))


@lru_cache(maxsize=256)
def _shape(blob: bytes) -> Shape:
    heads = unsqueeze(blob)
    return Shape(heads, len(heads) - heads.count(b"\n"))


def shared_by(*packed: bytes) -> Iterator[bytes]:
    """The ids of what a packed capture and its reading refer to."""
    return (one[len(OWN) : len(OWN) + _ID] for one in packed if one.startswith((_COLUMNS, OWN)))


def restored(data: bytes, shared: Shared) -> bytes:
    """The bytes of a packed capture. Raises ValueError where they are damaged."""
    if not data.startswith(_COLUMNS):
        return unsqueeze(data)
    front, spelt = _columns(data)
    return front + lines_of(_shape(shared(data[len(_COLUMNS) : len(_COLUMNS) + _ID])), spelt)


def _columns(data: bytes) -> tuple[bytes, bytes]:
    if not data.startswith(_COLUMNS):
        raise ValueError("no integers")
    whole = unsqueeze(data[len(_COLUMNS) + _ID :])
    end = 4 + int.from_bytes(whole[:4], "big")
    return whole[4:end], whole[end:]


def pack(reading: Reading) -> bytes:
    """A reading as packed MessagePack; as JSON where it holds an integer of more than 64 bits.

    Names of long tables (a thousand counters) stand in front of it, packed once for all readings of a process that have the same; the table
    is a list of its values then.
    """
    import msgspec

    names: list[tuple[str, ...]] = []
    try:
        packed = squeeze(msgspec.msgpack.encode(_tree(reading, lambda facts: _shortened(facts, names), _lines)))
    except OverflowError:
        return squeeze(json.dumps(_tree(reading, plain, _lines), ensure_ascii=False, separators=(",", ":")).encode())
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
    return {key: _shortened(value, names) if isinstance(value, Mapping) else value for key, value in facts.items()}


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
    whole = unsqueeze(data)
    if whole.startswith(_JSON):
        return json.loads(whole)

    def table(code: int, packed: memoryview) -> Any:
        number, values = msgspec.msgpack.decode(packed)
        return dict(zip(names[number], values, strict=True))

    return msgspec.msgpack.decode(whole, ext_hook=table)


def unpack(data: bytes) -> Reading:
    """The reading again. Raises ValueError, KeyError, TypeError or IndexError where the bytes are damaged."""
    return _reading(_tree_of(data), _part)


def unpack_with(data: bytes, capture: bytes | None, shared: Shared) -> Reading:
    """The reading of a packed capture; `capture` is asked for where the reading begins with OWN. Raises as `unpack`."""
    if not data.startswith(OWN):
        return unpack(data)
    import msgspec

    if capture is None or not capture.startswith(_COLUMNS):
        raise ValueError("the integers of a capture are not there")
    shape = _shape(shared(capture[len(_COLUMNS) : len(_COLUMNS) + _ID]))
    template = _template(shared(data[len(OWN) : len(OWN) + _ID]), shape)
    _columns(capture)  # whether it is damaged is told now, not when somebody asks; until then it stays packed
    told = Told(template, lambda: _columns(capture)[1])
    return _reading(msgspec.msgpack.decode(data[len(OWN) + _ID :]), lambda tree: _part({**tree, "facts": told, "at": []}, template.at))


def _reading(tree: Any, part: Callable[[Any], Part]) -> Reading:
    return Reading(
        refused=tree["refused"],
        parts=tuple(map(part, tree["parts"])),
        unread=_pairs(tree["unread"]),
        line_count=tree["line_count"],
        encoding=tree["encoding"],
    )


def _tree(reading: Reading, facts: Callable[[Any], Any], at: Callable[[Any], Any]) -> dict[str, Any]:
    return {
        "refused": reading.refused,
        "parts": [
            {
                "tool": part.tool,
                "lines": part.lines,
                "host": part.host,
                "command": part.command,
                "facts": facts(part.facts),
                "at": at(part.at),
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


def _lines(at: Mapping[Path, int]) -> list[list[Any]]:
    return [[line, *path] for path, line in at.items()]


def _at(lines: list[list[Any]]) -> dict[Path, int]:
    return {tuple(path): line for line, *path in lines}


def _part(tree: dict[str, Any], at: Mapping[Path, int] | None = None) -> Part:
    first, last = tree["lines"]
    return Part(
        tool=tree["tool"],
        lines=(first, last),
        host=tree["host"],
        command=tree["command"],
        facts=tree["facts"],
        at=_at(tree["at"]) if at is None else at,
        problems=tuple(Problem(*problem) for problem in tree["problems"]),
        unread=_pairs(tree["unread"]),
        ignored=tree["ignored"],
        time=tree.get("time"),
    )


def _pairs(pairs: list[list[int]]) -> tuple[tuple[int, int], ...]:
    return tuple((a, b) for a, b in pairs)
