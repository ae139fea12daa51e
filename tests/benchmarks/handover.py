"""The report of a hall of 1,000 hosts against its diagnosis, and the size of its page against 5 MB."""

import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from advisor.usecases.assess import open_site
from advisor.usecases.export import report_html
from tests.benchmarks.rounds import Row, agree
from tests.hall import hall

HOSTS, LIMIT_BYTES, ROUNDS = 1_000, 5_000_000, 3


def compare() -> list[Row]:
    with TemporaryDirectory() as folder:
        site = open_site(str(hall(Path(folder) / "hall", HOSTS)))
        agree(len(site.fabric.hosts), HOSTS, "hosts of the hall")
        ratios: list[float] = []
        page = ""
        for _ in range(ROUNDS):
            fresh = replace(site)  # nothing worked out yet
            diagnosed = _own(lambda fresh=fresh: (fresh.fabric, fresh.diagnosis))
            fresh.plan  # noqa: B018 - the plan is there when a report is asked for
            started = time.process_time()
            page = report_html(fresh, "en")
            ratios.append(diagnosed / (time.process_time() - started))
        agree(page.count('<main lang="en"'), 1, "pages of the report")
    text = f"report of {HOSTS:,} hosts as a page"
    return [
        Row(text, "report", "its diagnosis", ratios, 1 / 3),
        Row(text, f"{len(page.encode()) / 1e6:.1f} MB", "5 MB", [LIMIT_BYTES / len(page.encode())] * 2, 1),
    ]


def _own(work: Callable[[], object]) -> float:
    started = time.process_time()
    work()
    return time.process_time() - started
