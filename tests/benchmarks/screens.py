"""The screens against Textual's own, and against the command line: `python -m tests.benchmarks.screens [rows|scroll|bytes|open]`.

rows    50,000 rows until they are drawn: our table against Textual's DataTable with the same rows, in turns in one run
scroll  a page further at 50,000 rows against 500
bytes   what goes to the terminal for a cursor key on a full 120x40 screen against one whole repaint, the worst key of every list, also
        of those that scroll it
open    a site of 1,000 hosts until its verdict stands on the screen against `advisor diagnose --json`
"""

import asyncio
import gc
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from itertools import takewhile
from pathlib import Path
from statistics import median

from textual.app import App, ComposeResult
from textual.widgets import DataTable

from advisor.tui.views.words import Column, Row, Rows, Table, word
from advisor.tui.widgets.listing import Listing
from tests.benchmarks.rounds import Row as Compared
from tests.benchmarks.rounds import table as markdown

ROWS, FEW, COLUMNS = 50_000, 500, 8
SIZE = (120, 40)
HOSTS = 1_000
_SEED = 20261130
Cells = list[tuple[str, ...]]


def cells(count: int) -> Cells:
    dice = random.Random(_SEED)
    return [
        (f"leaf-{i % 64:02}", str(i), f"spine-{i % 8}", "400", f"{dice.random():.3f}", f"{dice.randrange(10**9):,}", "active", "-")
        for i in range(count)
    ]


def listed(rows: Cells) -> Table:
    """What a view makes of them."""
    columns = tuple(Column(f"column {i}", right=i in (1, 3, 4, 5)) for i in range(COLUMNS))
    return Table(columns, Rows(len(rows), lambda i: Row(str(i), tuple(map(word, rows[i])), order=rows[i])))


class Ours(App[None]):
    def compose(self) -> ComposeResult:
        yield Listing(id="table")

    def get_theme_variable_defaults(self) -> dict[str, str]:
        return {"cursor": "ansi_default", "shade": "ansi_default"}


class Theirs(App[None]):
    def compose(self) -> ComposeResult:
        yield DataTable(id="table", cursor_type="row")


def drawn(app: App[None]) -> int:
    """Lines of the screen, all drawn."""
    return len(app.screen._compositor.render_strips())


async def first_paint(app: App[None], fill: Callable[[App[None]], object]) -> float:
    """Processor seconds from rows at hand to the screen drawn."""
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        gc.collect()
        start = time.process_time()
        fill(app)
        await pilot.pause()
        assert drawn(app) == SIZE[1]
        return time.process_time() - start


def _fill_ours(rows: Cells) -> Callable[[App[None]], object]:
    return lambda app: app.query_one(Listing).show(listed(rows))


def _fill_theirs(rows: Cells) -> Callable[[App[None]], object]:
    def fill(app: App[None]) -> None:
        table = app.query_one(DataTable)
        table.add_columns(*(f"column {i}" for i in range(COLUMNS)))
        table.add_rows(rows)

    return fill


def rows_compared(count: int = ROWS, rounds: int = 3) -> Compared:
    given = cells(count)
    ratios = []
    for _ in range(rounds):
        ours = asyncio.run(first_paint(Ours(), _fill_ours(given)))
        theirs = asyncio.run(first_paint(Theirs(), _fill_theirs(given)))
        ratios.append(theirs / ours)
    return Compared(f"{count:,} rows of {COLUMNS} until drawn", "our table", "Textual's DataTable", ratios, 20)


async def page_seconds(count: int, pages: int = 60) -> float:
    """Processor seconds of a page down and the drawing of it, the shortest of some."""
    app = Ours()
    async with app.run_test(size=SIZE) as pilot:
        listing = app.query_one(Listing)
        listing.show(listed(cells(count)))
        listing.focus()
        await pilot.pause()
        found = []
        for turn in range(pages):
            start = time.process_time()
            listing.action_page(1 if turn // 8 % 2 == 0 else -1)
            drawn(app)
            found.append(time.process_time() - start)
            await pilot.pause()
        return min(found)


def scrolling_compared(rounds: int = 5) -> Compared:
    ratios = []
    for _ in range(rounds):
        many, few = asyncio.run(page_seconds(ROWS)), asyncio.run(page_seconds(FEW))
        ratios.append(1.5 * few / many)
    return Compared("a page further", f"{ROWS:,} rows", f"1.5 x {FEW} rows", ratios, 1)


# ---- bytes


def bytes_compared() -> Compared:
    """Of the example site in a terminal with all colours, in English: on each of the seven stages and in each of its lists a whole
    screen drawn anew once, and cursor keys on it. One ratio for each list: the worst of its keys counts."""
    from tests.terminal.ptys import PROGRAM, Pty, environment

    ratios = {}
    with tempfile.TemporaryDirectory() as folder:
        it = Pty(PROGRAM, environment(Path(folder), COLORTERM="truecolor"), SIZE)
        try:
            it.wait("Recent assessments")
            it.press("e")
            it.wait("Coverage: layers")
            it.quiet(2)
            for place in PLACES:
                it.press(place)
                it.quiet(1.5)
                whole = _whole(it)
                worst = max(_written(it, key) for key in KEYS)
                assert worst, f"keys move something on {place!r}"
                further = takewhile(bool, (_written(it, DOWN, 0.4) for _ in range(SIZE[1])))
                worst = max(worst, *further, 0)  # behind the end of the pane a key scrolls
                ratios[place] = 0.25 * whole / max(worst, 1)
                print(f"keys {place!r}: whole screen {whole:,} bytes, worst key {worst:,}: {worst / whole:.2f}", file=sys.stderr)
            it.press("q")
            it.end()
        finally:
            it.close()
    text = "a cursor key on a full 120x40 screen, worst of each list"
    return Compared(text, "bytes to the terminal", "0.25 x a whole screen", list(ratios.values()), 1, every=True)


DOWN, UP = "\x1b[B", "\x1b[A"
# Stages, and keys to further lists in them: links, jobs, evidence, the breakdown of two scenarios, the capture's text.
PLACES = ("1", "2", "2m\x1b[B\x1b[C", "2l", "2j", "3", "3\r", "4", "5", f"5{DOWN}{DOWN}\r", "5\x1b[Fb", "6", "7")
KEYS = (*[DOWN] * 5, *[UP] * 3)


def _whole(it) -> int:  # type: ignore[no-untyped-def]
    """Bytes of one whole screen: the least of those that another size, and this one again, bring. Each begins in the first cell."""
    it.resize(SIZE[0], SIZE[1] - 1)
    it.quiet(1)
    it.resize(*SIZE)
    screens = it.quiet(1).split(b"\x1b[1;1H")[1:]
    assert screens, "a terminal of another size is drawn anew"
    return min(map(len, screens))


def _written(it, keys: str, rest: float = 0.7) -> int:  # type: ignore[no-untyped-def]
    """Bytes that keys bring until nothing more comes."""
    it.press(keys)
    return len(it.quiet(rest))


# ---- opening


def large_site(folder: Path, hosts: int = HOSTS) -> Path:
    """Captures of that many hosts on leaves of 16, jobs scattered over them, imported into a file."""
    from advisor.usecases.import_ import import_into
    from tests.synthetic import formats
    from tests.synthetic.world import Work, world

    dice = random.Random(_SEED)
    w = world(random.Random(5), "ib")
    w.leaves = {f"leaf-{i + 1:02}": [f"gpu-{16 * i + j + 1:04}" for j in range(16)] for i in range(-(-hosts // 16))}
    names = w.hosts
    dice.shuffle(names)
    w.jobs.clear()
    while names:
        size = min(dice.choice((4, 8, 16, 32, 64, 128)), len(names))
        w.jobs.append(Work(f"job{len(w.jobs):03}", "training", names[:size], 0.5))
        names = names[size:]
    captures = folder / "captures"
    for host in w.hosts[:hosts]:
        place = captures / host
        place.mkdir(parents=True)
        (place / "ibstat.txt").write_text(formats.ibstat(w, host), encoding="utf-8")
        (place / "nvidia-smi_topo_-m.txt").write_text(formats.topo(w, host), encoding="utf-8")
        counters = {"rx_bytes_phy": dice.randrange(10**12), "tx_bytes_phy": dice.randrange(10**12), "rx_discards_phy": 0}
        (place / "ethtool_-S_ib0.txt").write_text(formats.ethtool_s(host, counters), encoding="utf-8")
    (captures / "topology.conf").write_text(formats.slurm_topology(w), encoding="utf-8")
    (captures / "scontrol_show_job.txt").write_text(formats.slurm_jobs(w), encoding="utf-8")
    (captures / "nccl-quiet.txt").write_text(formats.nccl_tests(w, w.jobs[0].hosts[:2], 150.0), encoding="utf-8")
    target = folder / "large.advisor"
    import_into(str(target), [str(captures)])
    return target


async def until_verdict(target: str) -> None:
    """The screens open a site; ends when its verdict stands in the first line."""
    from advisor.base.text import say
    from advisor.tui.app import AdvisorApp

    app = AdvisorApp(target)
    async with app.run_test(size=SIZE) as pilot:
        while True:
            await pilot.pause(0.05)
            if app.assessment is not None and app.work is None:
                strips = app.screen._compositor.render_strips()
                first = "".join(segment.text for segment in strips[0]) if strips else ""
                if say(f"tui.verdict.{app.assessment.diagnosis.verdict}", "en") in first:
                    return


def opening_compared(rounds: int = 3) -> Compared:
    with tempfile.TemporaryDirectory() as folder:
        target = str(large_site(Path(folder)))
        ratios = []
        for _ in range(rounds):
            ours = _seconds(["-m", "tests.benchmarks.screens", "verdict", target])
            line = _seconds(["-m", "advisor", "diagnose", target, "--json"])
            ratios.append(3 * line / ours)
    return Compared(f"a site of {HOSTS:,} hosts until its verdict is seen", "the screens", "3 x advisor diagnose --json", ratios, 1)


def _seconds(words: list[str]) -> float:
    """Processor seconds of a process."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, *words], check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> int:
    asked = sys.argv[1:]
    if asked[:1] == ["verdict"]:
        asyncio.run(until_verdict(asked[1]))
        return 0
    kinds: dict[str, Callable[[], Compared]] = {
        "rows": rows_compared,
        "scroll": scrolling_compared,
        "bytes": bytes_compared,
        "open": opening_compared,
    }
    found = [kinds[name]() for name in asked or kinds]
    print(markdown(found))
    print("medians:", ", ".join(f"{median(row.ratios):.2f}" for row in found))
    return 0 if all(row.holds for row in found) else 1


if __name__ == "__main__":
    sys.exit(main())
