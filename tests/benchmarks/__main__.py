"""Prints the table and fails if a ratio is below its least. Each task has a process of its own, so that no peer weighs on another."""

import json
import os
import platform
import subprocess
import sys
from collections.abc import Callable
from dataclasses import asdict
from datetime import date

from tests.benchmarks import answer, bisection, ethtool, exposition, fairness, handover, jc, storing, superbench, switch, whatif
from tests.benchmarks.rounds import Row, table

TEXTS: dict[str, Callable[[], list[Row]]] = {
    "ethtool": ethtool.compare,
    "switch": switch.compare,
    "exposition": exposition.compare,
    "answer": answer.compare,
    "fairness": fairness.compare,
    "bisection": bisection.compare,
    "whatif": whatif.compare,
    "superbench": superbench.compare,
    "handover": handover.compare,
    "jc": jc.compare,
    "storing": storing.compare,
}


def main() -> int:
    if sys.argv[1:]:
        print(json.dumps([asdict(row) for row in TEXTS[sys.argv[1]]()]))
        return 0
    before = os.getloadavg()[0]
    rows = [row for text in TEXTS for row in _apart(text)]
    load = f"load {before:.1f} before and {os.getloadavg()[0]:.1f} after"
    print(f"{date.today()}, Python {platform.python_version()}, {os.cpu_count()} cores, {load}.")
    print("Times: the other's processor time (or peak memory) by ours, median over interleaved rounds.\n")
    print(table(rows))
    return 0 if all(row.holds for row in rows) else 1


def _apart(text: str) -> list[Row]:
    process = subprocess.run([sys.executable, "-m", "tests.benchmarks", text], check=True, stdout=subprocess.PIPE, text=True)
    return [Row(**row) for row in json.loads(process.stdout)]


if __name__ == "__main__":
    sys.exit(main())
