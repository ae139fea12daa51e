"""Loss of power on a copied file: what was synced stays, what was written after the last sync is there in part, in any order, or torn.

A commit is confirmed once its frames in the write-ahead log are synced (`pragma synchronous = full`); the file itself is written at a
checkpoint only, when the whole log is synced (https://www.sqlite.org/wal.html, section 2.2 and 4; https://www.sqlite.org/atomiccommit.html,
section 2: sectors of 512 bytes, written in any order, each old, new or torn). So a disk may hold, after the commit k:

log   the log up to commit k as it was, then of the next commit any sectors: new, zero, torn or not there
file  the file before the next checkpoint; and during one, with the whole log beside it, any of its sectors old, new or torn
"""

import os
import random
import shutil
from dataclasses import dataclass
from pathlib import Path

from advisor.evidence.bundle import Capture
from advisor.evidence.reading import Reading
from advisor.store.file import opened

from .kills import Ground
from .work import intact

_SECTOR = 512
_STEPS = 24
_Contents = tuple[dict[str, tuple[str, str]], dict[str, int]]


@dataclass(frozen=True, slots=True)
class Moment:
    """File and log as they were when something had just been confirmed, and what was then in them."""

    file: bytes
    log: bytes
    holds: _Contents


def cuts(on: Ground, count: int, seed: int) -> list[str]:
    """What so many losses of power cost: nothing, if all is well."""
    chance = random.Random(seed)
    lost: list[str] = []
    for number in range(count):
        if number % 20 == 0:
            moments, closed = _history(on, chance)
        try:
            _cut(on.folder / "power", moments, closed, chance)
        except Exception as error:  # told with its number, which the seed leads back to
            lost.append(f"cut {number}: {type(error).__name__}: {error}"[:400])
    return lost


def power_summary(lost: list[str], count: int) -> str:
    return "\n".join([f"{count - len(lost)} of {count} losses of power without loss", *(f"LOST in {one}" for one in lost)])


def _history(on: Ground, chance: random.Random) -> tuple[list[Moment], bytes]:
    """Confirmed moments of one session, and the file after its end."""
    place = on.folder / "power"
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir()
    path = Path(shutil.copy(on.made, place / "hall.advisor"))
    moments = []
    with opened(path) as file:
        moments.append(_moment(path, file))
        for number in range(_STEPS):
            if chance.random() < 0.5:
                file.decide(f"remedy-{number % 5}", "later", f"reason {number} " + "x" * chance.randrange(3000))
            else:
                data = chance.randbytes(chance.randrange(20_000))
                sha = f"{number:064x}"
                file.add([(Capture(sha, f"gpu/{number}.txt", len(data), Reading()), data)])
                file.add_readings([(sha, Reading(), None)], "1")
            moments.append(_moment(path, file))
    return moments, path.read_bytes()


def _moment(path: Path, file: object) -> Moment:
    log = path.with_name(f"{path.name}-wal")
    return Moment(path.read_bytes(), log.read_bytes() if log.exists() else b"", _holds(file))


def _holds(file: object) -> _Contents:
    return file.decisions(), file.sizes()  # type: ignore[attr-defined]


def _cut(place: Path, moments: list[Moment], closed: bytes, chance: random.Random) -> None:
    at = chance.randrange(len(moments))
    now = moments[at]
    if at + 1 < len(moments) and chance.random() < 0.75:
        after = moments[at + 1]
        assert after.log.startswith(now.log) or not now.log  # the log only grows
        file, log, allowed = now.file, now.log + _mixed(b"", after.log[len(now.log) :], chance), (now.holds, after.holds)
    else:  # at the end: a checkpoint, then the log goes
        last = moments[-1]
        file, log = _mixed(last.file, closed, chance, whole=True), last.log
        if chance.random() < 0.2:
            file, log = closed, chance.choice((last.log, b""))
        allowed = (last.holds,)
    path = place / "cut.advisor"
    for old in place.glob("cut.advisor*"):
        old.unlink()
    path.write_bytes(file)
    if log:
        path.with_name(f"{path.name}-wal").write_bytes(log)
    intact(path)
    with opened(path) as found:
        assert _holds(found) in allowed, f"after {at} of {len(moments)}"
        for sha in found.known():
            found.data(sha)
    assert os.listdir(place).count("cut.advisor-wal") == 0


def _mixed(old: bytes, new: bytes, chance: random.Random, whole: bool = False) -> bytes:
    """Sectors of either, some torn in the middle; `whole`: of the length of the newer, as a file is that grew before it was written."""
    out = bytearray()
    for begin in range(0, len(new), _SECTOR):
        there = new[begin : begin + _SECTOR]
        before = old[begin : begin + _SECTOR].ljust(len(there), b"\0")
        kind = chance.choice(("new", "new", "old", "torn"))
        if kind == "torn":
            at = chance.randrange(len(there) + 1)
            out += there[:at] + before[at:]
        else:
            out += there if kind == "new" else before
    return bytes(out) if whole else bytes(out[: chance.randrange(len(out) + 1)])
