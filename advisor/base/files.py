"""Small files of a person's own, written whole or not at all, and closed to everybody else."""

import os
from contextlib import suppress
from pathlib import Path


def write_whole(path: Path, data: bytes | str, private: bool = True) -> None:
    """Put a file in the place of the one that may be there; after a crash or a loss of power either of them is there, and whole.

    private: only its owner may read it, and folders are made for it that only the owner may look into; else the system's own rule (umask)
             holds, and its folder must be there
    Raises OSError; what was there before stays.
    """
    if private:
        make_folder(path.parent)
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    part.unlink(missing_ok=True)  # of a process of the same number that was cut off
    flags = os.O_CREAT | os.O_EXCL | os.O_WRONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
    try:
        with open(os.open(part, flags, 0o600 if private else 0o666), "wb") as out:
            out.write(data if isinstance(data, bytes) else data.encode("utf-8", "surrogatepass"))
            out.flush()
            os.fsync(out.fileno())
        part.replace(path)
    except OSError:
        with suppress(OSError):
            part.unlink(missing_ok=True)
        raise
    sync_folder(path.parent)


def make_folder(folder: Path) -> None:
    """A folder and those above it that are not there yet, for their owner alone. Raises OSError."""
    missing = [folder, *folder.parents]
    for one in reversed([one for one in missing if not one.exists()]):
        one.mkdir(mode=0o700, exist_ok=True)


def sync_folder(folder: Path) -> None:
    """Make sure that names in a folder outlast a loss of power, where the system lets a folder be opened (Windows does not)."""
    if os.name != "posix":
        return
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
