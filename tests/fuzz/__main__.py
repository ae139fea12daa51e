"""`python -m tests.fuzz DOOR --seconds N`: fuzz one door for long; what breaks it is kept in tests/fuzz/crashers, where a test takes it up.

With atheris (`make fuzz`) guided by the branches that an input reaches; without it by seeded mutations alone.
"""

import argparse
import hashlib
import random
import sys
import tempfile
import time
from pathlib import Path

from .harness import DOORS
from .mutate import mutated
from .seeds import seeds

CRASHERS = Path(__file__).parent / "crashers"


def keep(door: str, data: bytes, error: BaseException) -> None:
    CRASHERS.mkdir(exist_ok=True)
    path = CRASHERS / f"{door}-{hashlib.sha256(data).hexdigest()[:12]}.bin"
    path.write_bytes(data)
    print(f"{path.name}: {type(error).__name__}: {error}", file=sys.stderr, flush=True)


def plain(door: str, seconds: float, seed: int) -> tuple[int, int]:
    """Runs and crashers of seeded mutations."""
    chance, given = random.Random(seed), seeds(door)
    begun, runs, broken = time.monotonic(), 0, set()
    while time.monotonic() - begun < seconds:
        data = mutated(chance.choice(given), chance, given)
        runs += 1
        try:
            DOORS[door](data)
        except Exception as error:
            kind = f"{type(error).__name__}: {error}"[:60]
            if kind not in broken:
                broken.add(kind)
                keep(door, data, error)
    return runs, len(broken)


def guided(door: str, seconds: float, seed: int) -> None:
    """Does not return: libFuzzer ends the process, with a code other than 0 at the first crasher."""
    import atheris

    def one(data: bytes) -> None:
        try:
            DOORS[door](data)
        except Exception as error:
            keep(door, data, error)
            raise

    atheris.instrument_all()
    folder = tempfile.mkdtemp()
    for n, data in enumerate(seeds(door)):
        Path(folder, f"{n:04}").write_bytes(data)
    options = [
        f"-max_total_time={int(seconds)}",
        f"-seed={seed}",
        "-max_len=8000",
        "-timeout=30",
        "-rss_limit_mb=2000",
        "-print_final_stats=1",
    ]
    atheris.Setup([sys.argv[0], *options, f"-artifact_prefix={folder}/", folder], one)
    atheris.Fuzz()


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("door", choices=DOORS)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=9)
    parser.add_argument("--plain", action="store_true", help="without atheris")
    given = parser.parse_args()
    if not given.plain:
        guided(given.door, given.seconds, given.seed)
    runs, broken = plain(given.door, given.seconds, given.seed)
    print(f"{given.door}: {runs} runs in {given.seconds:.0f} s, seed {given.seed}, {broken} kinds of crashers")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
