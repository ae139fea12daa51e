"""From captures to the report at 1,000 and 10,000 hosts (80,000 GPUs): `python -m tests.benchmarks.growth [FOLDER]`.

Ten times as much may take no more than thirteen times as long. Each size has processes of its own: one to make the captures, one to import
them, one for all behind it. Processor time counts, with that of the processes that an import has started, as others use the machine too;
memory is the peak of one process.
"""

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

LESS, MORE = 1_000, 10_000
MOST = 1.3  # of what is linear


def _timed(work: Callable[[], Any]) -> tuple[Any, float]:
    before = os.times()
    found = work()
    after = os.times()
    return found, sum(after[:4]) - sum(before[:4])


def _mb() -> float:
    return max(resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)) / 1024


def make(folder: Path, hosts: int) -> dict[str, float]:
    from tests.hall import hall

    return {"files": sum(1 for one in hall(folder / "captures", hosts).rglob("*") if one.is_file())}


def take(folder: Path, hosts: int) -> dict[str, float]:
    from advisor.usecases.import_ import import_into

    done, seconds = _timed(lambda: import_into(str(folder / "hall.advisor"), [str(folder / "captures")]))
    return {"import": seconds, "imported": done.files, "import MB": _mb()}


def judge(folder: Path, hosts: int) -> dict[str, float]:
    """Seconds of each stage behind the import."""
    from advisor.usecases.assess import open_site
    from advisor.usecases.export import report_html

    found: dict[str, float] = {}
    site, found["open"] = _timed(lambda: open_site(str(folder / "hall.advisor")))
    for stage in ("fabric", "prediction", "diagnosis", "plan"):
        _, found[stage] = _timed(lambda stage=stage: getattr(site, stage))
    page, found["report"] = _timed(lambda: report_html(site, "en"))
    if len(site.fabric.hosts) != hosts or '<main lang="en"' not in page:
        raise SystemExit("the report is not that of the hall")
    return {**found, "judge MB": _mb(), "page MB": len(page.encode()) / 1e6, "gpus": sum(len(h.gpus) for h in site.fabric.hosts.values())}


STEPS = {"make": make, "take": take, "judge": judge}


def measured(folder: Path, hosts: int) -> dict[str, float]:
    found: dict[str, float] = {}
    for step in STEPS:
        begun = time.monotonic()
        command = (sys.executable, "-m", "tests.benchmarks.growth", "--one", step, str(folder / str(hosts)), str(hosts))
        found |= json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout)
        found[f"{step} wall"] = time.monotonic() - begun
    return found


TIMES = ("import", "open", "fabric", "prediction", "diagnosis", "plan", "report")


def main() -> int:
    if sys.argv[1:2] == ["--one"]:
        step, folder, hosts = sys.argv[2:]
        print(json.dumps(STEPS[step](Path(folder), int(hosts))))
        return 0
    with tempfile.TemporaryDirectory(dir=sys.argv[1] if sys.argv[1:] else None) as folder:
        less, more = (measured(Path(folder), hosts) for hosts in (LESS, MORE))
    print(f"| | {LESS:,} hosts | {MORE:,} hosts | times linear |\n| --- | --- | --- | --- |")
    for name in TIMES:
        print(f"| {name}, s of processor time | {less[name]:.1f} | {more[name]:.1f} | {more[name] / less[name] * LESS / MORE:.2f} |")
    whole = [sum(found[name] for name in TIMES) for found in (less, more)]
    ratio = whole[1] / whole[0] * LESS / MORE
    print(f"| all | {whole[0]:.1f} | {whole[1]:.1f} | {ratio:.2f} |")
    for name in ("imported", "gpus", "import MB", "judge MB", "page MB"):
        print(f"| {name} | {less[name]:,.0f} | {more[name]:,.0f} | {more[name] / less[name] * LESS / MORE:.2f} |")
    load = os.getloadavg()[0]
    print(f"\n{os.cpu_count()} cores, load {load:.1f} at the end; at most {MOST:.1f} times linear: {'yes' if ratio <= MOST else 'NO'}")
    return 0 if ratio <= MOST else 1


if __name__ == "__main__":
    sys.exit(main())
