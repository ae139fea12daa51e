"""Nothing grows with the square of its input: four times as much takes about four times as long; at sixteen times it would be a square."""

import gzip
import io
import json
import tarfile
from collections.abc import Callable
from pathlib import Path
from time import process_time

import pytest

from advisor.capture.intake import items
from advisor.readers.recognise import read
from advisor.usecases.import_ import import_into

pytestmark = pytest.mark.slow
_MORE = 4
_GENEROUS = 2.2  # of what is linear: two slow processors that others share, and caches that fill
_LEAST_S = 0.02  # below that a clock says nothing


def _best(work: Callable[[], object]) -> float:
    """The shortest of three runs, in seconds of this process."""
    found = []
    for _ in range(3):
        begun = process_time()
        work()
        found.append(process_time() - begun)
    return min(found)


def _is_linear(work: Callable[[int], object], size: int) -> bool:
    """Whether more takes no more than its share; tried again, as a neighbour may have been busy."""
    for _ in range(3):
        less, more = _best(lambda: work(size)), _best(lambda: work(_MORE * size))
        if more <= _GENEROUS * _MORE * max(less, _LEAST_S):
            return True
    return False


STATISTICS = "NIC statistics:\n     rx_bytes_phy: {0}\n     tx_bytes_phy: {0}\n     rx_prio3_pause: {0}\n"
ANSWER = json.dumps({"status": "success", "data": {"resultType": "matrix", "result": []}})
ITERATION = " [2026-09-14 10:00:00] iteration {0:8d}/ 5000000 | elapsed time per iteration (ms): 1200.5 | lm loss: 2.1E+00 |\n"
TEXTS: dict[str, Callable[[int], str]] = {
    "training log": lambda n: "".join(ITERATION.format(i) for i in range(2 * n)),
    "log of something else": lambda n: "".join(f"Sep 14 10:00:00 gpu-07 kernel: [{i}.5] eth{i % 8} a b c 0x{i:x}\n" for i in range(4 * n)),
    "prompts": lambda n: "".join(f"root@gpu-07:~# ethtool -S eth{i}\n{STATISTICS.format(i)}" for i in range(n // 4)),
    "titles": lambda n: "".join(f"=== gpu-{i:04} ===\n{STATISTICS.format(i)}" for i in range(n // 4)),
    "answers, one a line": lambda n: f"{ANSWER}\n" * n,
    "answers with remarks between": lambda n: f"asked again\n{ANSWER}\n" * n,
    "one line": lambda n: "x=1; y " * (100 * n),
    "one line of JSON": lambda n: json.dumps({"a": [{"name": f"n{i}", "value": i} for i in range(20 * n)]}),
    "quote marks": lambda n: "> " * (100 * n),
    "brackets": lambda n: "[{" * (100 * n),
    "a line that never ends a colour": lambda n: "\x1b[31mx" * (100 * n),
    "blanks": lambda n: "root@gpu-07:~# ls\n" + " " * (1000 * n) + "x",
}


@pytest.mark.parametrize("kind", TEXTS)
def test_reading(kind: str) -> None:
    read(b"NIC statistics:\n     rx_bytes_phy: 1\n")  # the readers are there
    assert _is_linear(lambda n: read(TEXTS[kind](n).encode()), 1_000)


def test_importing_many_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ADVISOR_JOBS", "1")
    made: list[int] = []
    for n in (100, 100 * _MORE):
        for i in range(n):
            folder = tmp_path / str(n) / f"gpu-{i % 50:04}"
            folder.mkdir(parents=True, exist_ok=True)
            (folder / f"ethtool_-S_eth{i // 50}").write_text(STATISTICS.format(i))

    def work(n: int) -> None:
        made.append(n)
        assert import_into(str(tmp_path / f"{len(made)}.advisor"), [str(tmp_path / str(n))]).files == n

    assert _is_linear(work, 100)


def test_unpacking_many_members(tmp_path: Path) -> None:
    def packed(n: int) -> str:
        path = tmp_path / f"{n}.tar.gz"
        if not path.exists():
            out = io.BytesIO()
            with tarfile.open(fileobj=out, mode="w") as tar:
                for i in range(n):
                    info = tarfile.TarInfo(f"gpu-{i}/ibstat.txt")
                    info.size = 100
                    tar.addfile(info, io.BytesIO(b"x" * 100))
            path.write_bytes(gzip.compress(out.getvalue()))
        return str(path)

    assert _is_linear(lambda n: sum(1 for _ in items([packed(n)])), 500)
