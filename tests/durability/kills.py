"""Kill -9 at random moments: a child process works on a copy of an assessment, its parent strikes, and the file is looked at.

The moments are drawn from a seed, over the time that the same work takes when nobody cuts it off. A child is forked from this process,
which has everything imported, so that a moment falls into the work and not into the start of Python. What the child has been told
(a line for each return) stands in a file beside the assessment.
"""

import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from advisor.usecases.assess import Assessment
from advisor.usecases.import_ import import_into

from .work import KINDS, assessment_of, must_hold, write_site

_ROUNDS = 3  # times that work is timed before it is cut off


@dataclass(frozen=True, slots=True)
class Strike:
    """One kill: of what, in which part of the work's time it was aimed, whether the work was still going on, and what was lost by it."""

    kind: str
    at: float
    struck: bool
    lost: str = ""


@dataclass(frozen=True, slots=True)
class Ground:
    """The site that all is done on: its captures, an assessment that nobody cut off, and a folder to work in."""

    folder: Path
    captures: Path
    made: Path
    whole: Assessment


def ground(folder: Path, hosts: int = 8) -> Ground:
    write_site(folder / "captures", hosts)
    made = folder / "made.advisor"
    import_into(str(made), [str(folder / "captures")])
    return Ground(folder, folder / "captures", made, assessment_of(made))


def strikes(on: Ground, kinds: list[str], kills: int, seed: int) -> Iterator[Strike]:
    """So many kills that struck work, the kinds in turn; a work that ended before its moment is held to the same, and not counted."""
    chance = random.Random(seed)
    took = {kind: max(_timed(on, kind, chance) for _ in range(_ROUNDS)) for kind in kinds}
    done = 0
    while done < kills:
        kind = kinds[done % len(kinds)]
        strike = _strike(on, kind, chance, took[kind])
        done += strike.struck
        yield strike


def _timed(on: Ground, kind: str, chance: random.Random) -> float:
    path, said = _ready(on, kind, chance)
    begun = time.monotonic()
    os.waitpid(_child(on, kind, path, said, chance.randrange(2**32)), 0)
    return time.monotonic() - begun


def _strike(on: Ground, kind: str, chance: random.Random, took: float) -> Strike:
    path, said = _ready(on, kind, chance)
    at = chance.random()
    child = _child(on, kind, path, said, chance.randrange(2**32))
    time.sleep(at * took)
    os.kill(child, signal.SIGKILL)
    struck = os.WIFSIGNALED(os.waitpid(child, 0)[1])
    return Strike(kind, at, struck, _lost(on, kind, path, said))


def _lost(on: Ground, kind: str, path: Path, said: Path) -> str:
    try:
        lines = [line for line in said.read_text().splitlines(keepends=True) if line.endswith("\n")]
        must_hold(kind, path, on.captures, [line.strip() for line in lines], on.whole)
    except Exception as error:  # told with the moment that led to it
        return f"{type(error).__name__}: {error}"[:400]
    return ""


def _ready(on: Ground, kind: str, chance: random.Random) -> tuple[Path, Path]:
    place = on.folder / "work"
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir()
    path = Path(shutil.copy(on.made, place / "hall.advisor"))
    if kind in KINDS:
        KINDS[kind].prepare(path, chance)
    else:
        path.unlink()
    said = on.folder / "said"
    said.write_text("")
    return path, said


def _child(on: Ground, kind: str, path: Path, said: Path, seed: int) -> int:
    if kind == "command":
        return _command(on, path)
    child = os.fork()
    if child:
        return child
    try:
        out = os.open(said, os.O_WRONLY | os.O_APPEND)
        KINDS[kind].work(path, on.captures, lambda line: void(os.write(out, f"{line}\n".encode())), random.Random(seed))
    finally:
        os._exit(0)


def void(_: object) -> None:
    """Nothing is made of it."""


def _command(on: Ground, path: Path) -> int:
    """The command as a person gives it, with processes of its own; they end by themselves when it dies."""
    words = [sys.executable, "-m", "advisor", "import", str(path), str(on.captures)]
    silent = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "stdin": subprocess.DEVNULL}
    process = subprocess.Popen(words, env={**os.environ, "ADVISOR_JOBS": "2"}, **silent)  # type: ignore[call-overload]
    process.returncode = 0  # waited for by its number
    return int(process.pid)


def summary(found: list[Strike]) -> str:
    """How many struck, of which kinds, and what was lost."""
    by_kind = Counter(strike.kind for strike in found if strike.struck)
    kept = sum(1 for strike in found if strike.struck and not strike.lost)
    lines = [f"{kept} of {sum(by_kind.values())} kills without loss: " + ", ".join(f"{kind} {count}" for kind, count in by_kind.items())]
    ended = sum(1 for strike in found if not strike.struck)
    lines.append(f"{ended} more had ended before their moment; {sum(1 for s in found if not s.struck and s.lost)} of them lost something")
    lines += [f"LOST in {strike.kind} at {strike.at:.3f}: {strike.lost}" for strike in found if strike.lost]
    return "\n".join(lines)
