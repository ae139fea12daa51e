"""Offline always: no command opens a network socket, and none would notice if there were none."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from advisor.usecases.assess import example

# Laid on the path of the process under test: an address family of the network ends it at once.
GUARD = """
import os, socket
made = socket.socket.__init__
def guarded(self, family=-1, *rest, **more):
    if family in (-1, socket.AF_INET, socket.AF_INET6):
        os.write(2, b"a network socket was opened")
        os._exit(99)
    made(self, family, *rest, **more)
socket.socket.__init__ = guarded
"""


@pytest.mark.parametrize(
    "words",
    [
        ["demo"],
        ["demo", "--json"],
        ["diagnose", "SITE"],
        ["plan", "SITE", "--json"],
        ["captures", "SITE"],
        ["report", "SITE", "--to", "TO"],
        ["import", "FILE", "SITE"],
    ],
    ids=" ".join,
)
def test_no_command_opens_a_network_socket(words: list[str], tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(GUARD, encoding="utf-8")
    env = {**os.environ, "PYTHONPATH": str(tmp_path), "XDG_STATE_HOME": str(tmp_path / "state")}
    names = {"SITE": example(), "TO": str(tmp_path / "report.md"), "FILE": str(tmp_path / "hall.advisor")}
    command = [sys.executable, "-m", "advisor", *(names.get(word, word) for word in words)]
    done = subprocess.run(command, env=env, capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False)
    assert done.returncode == 0, done.stderr


def test_the_guard_guards(tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(GUARD, encoding="utf-8")
    env = {**os.environ, "PYTHONPATH": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", "import socket; socket.socket()"], env=env, capture_output=True, check=False)
    assert done.returncode == 99
