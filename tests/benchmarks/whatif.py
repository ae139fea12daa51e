"""A key press in what-if on a site of 1,000 hosts that is open, against starting Python for `import json` ten times; and memory.

As a program it is the process whose memory counts: it builds a site of 16,000 hosts and solves its model.
"""

import gc
import resource
import subprocess
import sys
from datetime import date
from pathlib import Path

from advisor.evidence.bundle import Bundle
from advisor.usecases.assess import Assessment
from advisor.usecases.model import model
from advisor.usecases.whatif import reached_with, whatif
from tests.benchmarks.rounds import Row, agree
from tests.benchmarks.sites import scattered

HOSTS, LARGE = 1_000, 16_000
LIMIT_MB = 200
WAYS = ("always", "in turns")
ROUNDS = 5
# Remedies that change ways, number and capacity of flows.
REMEDIES = ("topology-scheduling", "ecmp-entropy", "uplink-expansion")


def compare() -> list[Row]:
    site = _open(HOSTS, hosts_of_leaf=16, ports=8)
    before = site.prediction  # the site is open: its own model is on the screen
    after = {remedy: whatif(site, [remedy]).after for remedy in REMEDIES}
    for remedy in REMEDIES:
        agree(reached_with(site, [remedy]), after[remedy], f"what jobs reach after {remedy}")
        agree((after[remedy] or 0) > (before.ladder.R_now if before.ladder else 1), True, f"a gain by {remedy}")
    quick: dict[str, list[float]] = {remedy: [] for remedy in REMEDIES}
    whole: dict[str, list[float]] = {remedy: [] for remedy in REMEDIES}
    for _ in range(ROUNDS):
        start = _ten_starts()
        for remedy in REMEDIES:
            quick[remedy].append(start / _own(lambda remedy=remedy: reached_with(site, [remedy])))
            whole[remedy].append(start / _own(lambda remedy=remedy: whatif(site, [remedy])))
    text, other = f"what-if, {HOSTS:,} hosts with 8 ports, hashed", "ten processes of import json"
    rows = [Row(text, f"what jobs reach after {remedy}", other, quick[remedy], 1) for remedy in REMEDIES]
    rows += [Row(text, f"the whole model after {remedy}", other, whole[remedy], None) for remedy in REMEDIES]
    for way in WAYS:
        text = f"the model of {LARGE:,} hosts, one hashed flow each, jobs send {way}"
        rows.append(Row(text, "peak memory", f"{LIMIT_MB} MB", [LIMIT_MB / _peak_mb(way) for _ in range(2)], 1))
    return rows


def _open(hosts: int, hosts_of_leaf: int, ports: int, most: int = 128) -> Assessment:
    site = Assessment("large", None, Bundle.of([]), date(2026, 11, 30), {}, frozenset())
    site.__dict__["fabric"] = scattered(hosts, hosts_of_leaf, ports, most)
    return site


def _own(work) -> float:  # type: ignore[no-untyped-def]
    gc.collect()
    before = resource.getrusage(resource.RUSAGE_SELF)
    work()
    after = resource.getrusage(resource.RUSAGE_SELF)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def _ten_starts() -> float:
    """Processor time of ten processes."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    for _ in range(10):
        subprocess.run([sys.executable, "-c", "import json"], check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def _peak_mb(way: str) -> float:
    done = subprocess.run([sys.executable, "-m", "tests.benchmarks.whatif", way], check=True, capture_output=True, text=True)
    hosts, mb = done.stdout.split()
    agree(int(hosts), LARGE, "hosts in jobs")
    return float(mb)


def main() -> None:
    site = _open(LARGE, hosts_of_leaf=32, ports=1, most=1024)
    if sys.argv[1] == "in turns":
        jobs = tuple(job.model_copy(update={"communication_share": 0.3 + i % 5 / 10}) for i, job in enumerate(site.fabric.jobs))
        site.__dict__["fabric"] = site.fabric.model_copy(update={"jobs": jobs})
    hosts = sum(len(rate.job.hosts) for rate in model(site).jobs if rate.share is not None or len(rate.job.hosts) == 1)
    print(hosts, _own_peak_mb())


def _own_peak_mb() -> float:
    """Of this program alone: what getrusage gives on Linux begins with the peak of the process that started it."""
    status = Path("/proc/self/status")
    if not status.exists():
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return next(int(line.split()[1]) for line in status.read_text().splitlines() if line.startswith("VmHWM:")) / 1024


if __name__ == "__main__":
    main()
