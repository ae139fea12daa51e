"""What all tests share: a state folder of their own, and no network."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from guard.sitecustomize import reached
from hypothesis import settings

# No test depends on absolute time. On main the same examples each time, so that a red run means the change; new ones at a desk.
settings.register_profile("house", deadline=None, derandomize=bool(os.environ.get("CI")))
settings.load_profile("house")
GUARD = str(Path(__file__).parent / "guard")
IBSTAT = """CA 'mlx5_0'
\tCA type: MT4129
\tNumber of ports: 1
\tFirmware version: 28.39.1002
\tPort 1:
\t\tState: Active
\t\tPhysical state: LinkUp
\t\tRate: 400
\t\tBase lid: 17
\t\tSM lid: 1
\t\tLink layer: InfiniBand
"""


@pytest.fixture(autouse=True)
def _own_state(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """A person's own list, settings and language never decide a test."""
    home = tmp_path_factory.mktemp("home")
    monkeypatch.setenv("XDG_STATE_HOME", str(home / "state"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(home / "config"))
    monkeypatch.setenv("ADVISOR_LANG", "en")
    monkeypatch.setenv("COLUMNS", "100")


_beyond: list[str] = []


def _guard(event: str, given: tuple[Any, ...]) -> None:
    """Of the interpreter itself, so that nothing gets around it by importing socket in its own way."""
    if event.startswith("socket.") and (what := reached(event, given)):
        _beyond.append(what)
        raise AssertionError(f"a test reached beyond this machine: {what}")


sys.addaudithook(_guard)


@pytest.fixture(autouse=True)
def _no_network(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Nothing here reaches beyond this machine, nor does a process that a test starts (tests/guard); caught or not, a try is a failure."""
    path = os.environ.get("PYTHONPATH")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([GUARD, path]) if path else GUARD)
    _beyond.clear()
    yield
    assert _beyond == []


@pytest.fixture
def captures(tmp_path: Path) -> Path:
    """A folder with one good capture, one note, and the good one again under another name."""
    root = tmp_path / "captures"
    (root / "gpu-07").mkdir(parents=True)
    (root / "gpu-07" / "ibstat.txt").write_text(IBSTAT, encoding="utf-8")
    (root / "gpu-07" / "ibstat-copy.txt").write_text(IBSTAT, encoding="utf-8")
    (root / "note.txt").write_text("the switch room was closed\n", encoding="utf-8")
    return root
