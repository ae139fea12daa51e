"""One file of an import, from where it lies to what the store keeps: opened, hashed, packed, read. Any process does it by itself.

Whoever takes a file says of bytes that it has given back before only which they are: a site of one model has most files a thousand times.
"""

from collections import OrderedDict
from hashlib import sha256
from typing import NamedTuple

from advisor.capture import intake
from advisor.capture.unpack import Passed
from advisor.evidence.reading import Reading, State
from advisor.usecases.reading import LOST, safely_read

_IMPORTS = 4  # whose bytes are remembered: a worker of a cluster serves several, one after another


Source = intake.Place | intake.Item  # a file that is to be taken: where it lies, or its bytes, where it came out of an archive


class Taken(NamedTuple):
    """What became of a file.

    digest   SHA-256 of its bytes; empty where it was passed over or is packed
    size     of its bytes
    data     them, as the store keeps them; None where they were given back before
    reading  as the store keeps it; None with `data`
    shared   what both refer to (store/encoding), without what was given back before
    failed   why its reader failed, if it did
    passed   why it was passed over: a key of refused.yaml, `detail` beside it
    packed   it is an archive after all: whoever knows what an import may hold unpacks it
    """

    digest: bytes = b""
    size: int = 0
    data: bytes | None = None
    reading: bytes | None = None
    state: State = "read"
    failed: str | None = None
    passed: Passed | None = None
    detail: str = ""
    packed: bool = False
    shared: tuple[tuple[bytes, bytes], ...] = ()


_given_back: OrderedDict[str, set[bytes]] = OrderedDict()


def forget(run: str) -> None:
    """An import is over: what this process remembers of it may go."""
    _given_back.pop(run, None)


def take(run: str, stored: frozenset[bytes], source: Source) -> Taken:
    """The file as the store keeps it, or only its hash where that is `stored`, or this process has given it back already.

    run   names the import
    """
    return _taken(source, _known(run), stored)


def take_whole(source: Source) -> Taken:
    """The same with its bytes and reading, whatever was given back before."""
    return _taken(source, set())


def lost(source: Source) -> Taken:
    """The file without a reading: the process that read it died, mostly because memory ran out."""
    return _taken(source, set(), failed=LOST)


def _taken(source: Source, known: set[bytes], stored: frozenset[bytes] = frozenset(), failed: str | None = None) -> Taken:
    item = source if isinstance(source, intake.Item) else intake.opened(source)
    if item is None:
        return Taken(packed=True)
    if item.passed:
        return Taken(passed=item.passed, detail=item.detail)
    data = item.data
    digest = sha256(data).digest()
    if digest in known or digest in stored:
        return Taken(digest, len(data))
    from advisor.store.encoding import packed

    reading, failed = (Reading(refused="failed"), failed) if failed else safely_read(data, (source.name,))
    known.add(digest)
    kept = packed(data, reading)
    shared = tuple(one for one in kept.shared if one[0] not in known)
    known.update(name for name, _ in shared)
    return Taken(digest, len(data), kept.data, kept.reading, "failed" if failed else reading.state, failed, shared=shared)


def _known(run: str) -> set[bytes]:
    known = _given_back.get(run)
    if known is None:
        known = _given_back[run] = set()
        if len(_given_back) > _IMPORTS:
            _given_back.popitem(last=False)
    return known
