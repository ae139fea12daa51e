"""What starts fast stays fast: heavy libraries are not imported before they are needed."""

import os
import pty
import select
import statistics
import subprocess
import sys
import time
from pathlib import Path

import pytest

HEAVY = {"pandas", "numpy", "scipy", "sqlite_utils", "sqlite3"}


@pytest.mark.parametrize("module", ["advisor.cli", "advisor.tui.app", "advisor.usecases.assess"])
def test_heavy_libraries_wait(module: str) -> None:
    code = f"import sys, {module}; print(*sorted(sys.modules))"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert not HEAVY & set(loaded)


def test_the_command_line_is_put_together_without_models() -> None:
    code = "import sys; from advisor.cli.parser import parser; parser('en'); print(*sorted(sys.modules))"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert not {*HEAVY, "pydantic", "textual"} & set(loaded)


def test_the_command_line_starts_without_screens() -> None:
    code = "import sys, advisor.cli; print(*sorted(sys.modules))"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert "textual" not in loaded


def _until_exit(words: list[str]) -> float:
    started = time.perf_counter()
    subprocess.run(words, check=True, capture_output=True)
    return time.perf_counter() - started


def _until_first_frame(words: list[str], env: dict[str, str]) -> float:
    """Seconds until the program has drawn its name in a terminal of its own."""
    started = time.perf_counter()
    pid, terminal = pty.fork()
    if pid == 0:
        os.execvpe(words[0], words, env)
    seen = b""
    try:
        while b"Fabric Advisor" not in seen and time.perf_counter() - started < 60:
            if select.select([terminal], [], [], 1)[0]:
                seen += os.read(terminal, 65536)
        assert b"Fabric Advisor" in seen
        return time.perf_counter() - started
    finally:
        os.kill(pid, 15)
        while True:
            try:
                if not os.read(terminal, 65536):
                    break
            except OSError:
                break
        os.waitpid(pid, 0)
        os.close(terminal)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
def test_first_screen_within_three_imports_of_textual(tmp_path: Path) -> None:
    """In turn, in one run, so that a noisy machine is noisy for both; the medians are compared."""
    env = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "120", "LINES": "40", "XDG_STATE_HOME": str(tmp_path)}
    bare, ours = [], []
    for _ in range(7):
        bare.append(_until_exit([sys.executable, "-c", "import textual.app"]))
        ours.append(_until_first_frame([sys.executable, "-m", "advisor", "open"], env))
    ratio = statistics.median(ours) / statistics.median(bare)
    print(f"first frame / import textual.app = {ratio:.2f}")
    assert ratio <= 3
