"""An archive of 1,000 nodes (47,000 files, 305 MB) into an assessment, against insights-core over the same files to one rule.

`python -m tests.benchmarks.archive [FOLDER]`, in turns in one run, each in processes of its own. Ours stores every byte and what is known
of it; insights-core keeps nothing. With one process, processor time counts, as others use the machine too; with two, time on the clock.
Memory is that of all processes together, looked at twenty times a second.
"""

import atexit
import json
import os
import subprocess
import sys
import threading
import time
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.benchmarks import nodes
from tests.benchmarks.rounds import Row, agree, table

NODES, FEWER, ROUNDS = 1_000, 200, 3
_LOOK_S = 0.05


@dataclass(frozen=True, slots=True)
class Run:
    """seconds on the clock, of processor time; peak of memory of all processes together; what it printed."""

    seconds: float
    cpu: float
    mb: float
    told: str


def run(*command: str, jobs: int = 1) -> Run:
    peak: list[float] = [0.0]
    before, begun = os.times(), time.monotonic()
    # As from a package: what was imported once has its bytecode, wherever the checkout stands.
    environment = {**os.environ, "ADVISOR_JOBS": str(jobs), "PYTHONHASHSEED": "0", "PYTHONPYCACHEPREFIX": _bytecode()}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    with subprocess.Popen([sys.executable, *command], stdout=subprocess.PIPE, text=True, env=environment) as process:
        watcher = threading.Thread(target=_watch, args=(process, peak))
        watcher.start()
        told = process.stdout.read() if process.stdout else ""
        process.wait()
        seconds = time.monotonic() - begun
        watcher.join()
    if process.returncode:
        raise SystemExit(f"{command} ended with {process.returncode}")
    after = os.times()
    cpu = after.children_user + after.children_system - before.children_user - before.children_system
    return Run(seconds, cpu, peak[0], told)


@cache
def _bytecode() -> str:
    folder = TemporaryDirectory()
    atexit.register(folder.cleanup)
    return folder.name


def _watch(process: "subprocess.Popen[str]", peak: list[float]) -> None:
    while process.poll() is None:
        peak[0] = max(peak[0], sum(map(_resident_mb, _family(process.pid))))
        time.sleep(_LOOK_S)


def _family(pid: int) -> list[int]:
    found = [pid]
    for one in found:
        with suppress(OSError):
            for task in Path(f"/proc/{one}/task").iterdir():
                found += map(int, (task / "children").read_text().split())
    return found


def _resident_mb(pid: int) -> float:
    with suppress(OSError, ValueError, IndexError):
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20
    return 0.0


def ours(folder: Path, site: Path, jobs: int) -> Run:
    site.unlink(missing_ok=True)
    return run("-m", "advisor", "import", str(site), str(folder), "--json", jobs=jobs)


def theirs(folder: Path) -> Run:
    return run("-m", "tests.benchmarks.insights", str(folder))


def stored(site: Path, node: str) -> dict[str, dict[str, int]]:
    """The counters of each card of a node, as the assessment keeps them."""
    from advisor.store.file import opened

    with opened(site) as file:
        parts = (
            part for one in file.bundle().captures if f"{node}-" in one.name and "ethtool_-S_" in one.name for part in one.reading.parts
        )
        return {card: dict(facts["counters"]) for part in parts for card, facts in part.facts["interfaces"].items()}


def compare(folder: Path) -> list[Row]:
    archive, fewer, own = (folder / name for name in ("archive", "fewer", "own"))
    nodes.insights(archive, NODES)
    nodes.insights(fewer, FEWER)
    nodes.collected(own, NODES)
    site = folder / "hall.advisor"
    peer, one, two, small, collected = [], [], [], [], []
    nodes.insights(folder / "first", 2)
    for warm in (theirs(folder / "first"), ours(folder / "first", site, 1)):  # bytecode is there for both
        assert warm.told
    for _ in range(ROUNDS):
        peer.append(theirs(archive))
        one.append(ours(archive, site, 1))
        peer_told, our_told = json.loads(peer[-1].told), json.loads(one[-1].told)
        agree(our_told["files"], NODES * nodes.FILES, "files of the archive")
        agree(peer_told["cards"], NODES * len(nodes.CARDS), "cards of the archive")
        agree(stored(site, nodes.name(0)), peer_told["first"], "counters of the first node")
        two.append(ours(archive, site, 2))
        small.append(ours(fewer, site, 2))
        collected.append(ours(own, site, 2))
    text = f"archive of {NODES:,} nodes, {NODES * nodes.FILES:,} files"
    pairs = list(zip(peer, one, two, small, collected, strict=True))
    rule = "insights-core to one rule"
    return [
        Row(text, "import, one process", f"{rule}, processor time", [a.cpu / b.cpu for a, b, *_ in pairs], 2.0),
        Row(text, "import, two processes", f"{rule}, time", [a.seconds / c.seconds for a, _, c, *_ in pairs], 4.0),
        Row(text, "import, two processes", f"{rule}, processor time", [a.cpu / c.cpu for a, _, c, *_ in pairs], None),
        Row(
            f"{text}, our collector's layout", "import, two processes", f"{rule}, time", [a.seconds / e.seconds for a, *_, e in pairs], None
        ),
        Row(text, "import, all processes", "six times insights-core, memory", [6 * a.mb / c.mb for a, _, c, *_ in pairs], 1.0),
        Row(text, "import, all processes", f"1.3 times that of {FEWER} nodes, memory", [1.3 * d.mb / c.mb for _, _, c, d, _ in pairs], 1.0),
    ]


def main() -> int:
    before = os.getloadavg()[0]
    with TemporaryDirectory(dir=sys.argv[1] if sys.argv[1:] else None) as folder:
        rows = compare(Path(folder))
    print(f"{os.cpu_count()} cores, load {before:.1f} before and {os.getloadavg()[0]:.1f} after.\n")
    print(table(rows))
    return 0 if all(row.holds for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
