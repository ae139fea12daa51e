"""What fuzzing starts from: the golden captures of the tests, and archives of them."""

import bz2
import gzip
import io
import lzma
import tarfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

from advisor.readers.registry import readers

CAPTURES = Path(__file__).parent.parent / "captures"
MOST = 6000  # bytes of a seed: what a text has of forms comes early


def texts() -> list[bytes]:
    """The beginnings of all golden captures, in order of name."""
    paths = sorted(path for path in CAPTURES.glob("*/*") if path.suffix not in (".yaml", ".pyc") and path.is_file())
    return [path.read_bytes()[:MOST] for path in paths]


def seeds(door: str) -> list[bytes]:
    if door in ("whole", "site"):
        return texts()
    if door == "reader":
        return [bytes([n % 256]) + text for n in range(len(readers())) for text in texts()[n :: len(readers())][:2]]
    return list(_archives())


def _archives() -> Iterator[bytes]:
    members = {f"gpu-{n}/{'long' * n}.txt": text[:300] for n, text in enumerate(texts()[:6])}
    for mode in ("w", "w:gz", "w:bz2", "w:xz"):
        out = io.BytesIO()
        with tarfile.open(fileobj=out, mode=mode) as tar:
            for name, data in members.items():
                info = tarfile.TarInfo(name)
                info.size = len(data)
                tar.addfile(info, io.BytesIO(data))
            for kind in (tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.CHRTYPE, tarfile.FIFOTYPE):
                info = tarfile.TarInfo("link")
                info.type, info.linkname = kind, "/etc/shadow"
                tar.addfile(info)
        yield out.getvalue()
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    yield out.getvalue()
    for pack in (gzip.compress, bz2.compress, lzma.compress):
        yield pack(pack(texts()[0]))
    import zstandard

    yield zstandard.ZstdCompressor().compress(gzip.compress(texts()[1]))
