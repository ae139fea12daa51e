"""A few kills and losses of power of the many that `make durability` does."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="kill -9 is of POSIX systems")
def test_nothing_confirmed_is_lost() -> None:
    """A process of its own: it forks, which a process with threads must not."""
    words = [sys.executable, "-m", "tests.durability", "--kills", "10", "--command", "1", "--power", "60"]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "10 of 10 kills without loss" in done.stdout
    assert "60 of 60 losses of power without loss" in done.stdout
