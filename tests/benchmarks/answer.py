"""An answer to query_range of 100 MB against json.loads, each in a process of its own: time and peak memory.

As a program it is one such process: `python -m tests.benchmarks.answer reading FILE`.
"""

import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.benchmarks import inputs
from tests.benchmarks.rounds import Row, agree

MEGABYTES = 100.0
ROUNDS = 3
WAYS = ("json", "arrays", "reading")


def compare() -> list[Row]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "query_range.json"
        samples = inputs.write_answer(path, MEGABYTES)
        took: dict[str, list[dict[str, float]]] = {way: [] for way in WAYS}
        for turn in range(ROUNDS):
            for way in WAYS[turn % len(WAYS) :] + WAYS[: turn % len(WAYS)]:
                took[way].append(_process(way, path))
    for way in WAYS:
        for run in took[way]:
            agree(run["samples"], samples, f"samples, {way}")
            agree(run["last"], took["json"][0]["last"], f"sum of the last values, {way}")
    text = f"query_range, {MEGABYTES:.0f} MB, {samples:,} samples"
    seconds, memory = "json.loads, time", "json.loads, peak memory"
    return [
        Row(text, "into arrays", seconds, _ratios(took, "arrays", "seconds"), 3.5),
        Row(text, "into arrays", memory, _ratios(took, "arrays", "peak_mb"), 1 / 0.35),
        Row(text, "recognised and read", seconds, _ratios(took, "reading", "seconds"), 3.5),
        Row(text, "recognised and read", memory, _ratios(took, "reading", "peak_mb"), 1 / 0.35),
    ]


def _ratios(took: dict[str, list[dict[str, float]]], ours: str, figure: str) -> list[float]:
    return [b[figure] / a[figure] for a, b in zip(took[ours], took["json"], strict=True)]


def _process(way: str, path: Path) -> dict[str, float]:
    command = [sys.executable, "-m", "tests.benchmarks.answer", way, str(path)]
    found: dict[str, float] = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    return found


# --- one process ----------------------------------------------------------------------------------------------


def _json(path: Path) -> tuple[float, int, float]:
    start = time.process_time()
    tree = json.loads(path.read_bytes())
    took = time.process_time() - start
    series = tree["data"]["result"]
    return took, sum(len(one["values"]) for one in series), sum(float(one["values"][-1][1]) for one in series)


def _arrays(path: Path) -> tuple[float, int, float]:
    from advisor.readers._arrays import samples_apart
    from advisor.readers._series import plain_answer

    start = time.process_time()
    apart = samples_apart(path.read_bytes())
    found = plain_answer(*apart, first=1, last=1) if apart else None
    took = time.process_time() - start
    series = found.series if found else []
    return took, sum(len(one.values) for one in series), sum(one.values[-1] for one in series)


def _reading(path: Path) -> tuple[float, int, float]:
    from advisor.readers.recognise import read

    read(b"NIC statistics:\n     rx_packets: 1\n")  # readers are imported once for a program
    start = time.process_time()
    reading = read(path.read_bytes())
    took = time.process_time() - start
    series = reading.parts[0].facts["series"]
    return took, sum(one["sample_count"] for one in series), float(sum(one["last"] for one in series))


def main() -> None:
    took, samples, last = {"json": _json, "arrays": _arrays, "reading": _reading}[sys.argv[1]](Path(sys.argv[2]))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps({"seconds": took, "samples": samples, "last": last, "peak_mb": peak}))


if __name__ == "__main__":
    main()
