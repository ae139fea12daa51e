"""What all tests share: a state folder of their own, and no network."""

import socket
from pathlib import Path
from typing import Any

import pytest

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


@pytest.fixture(autouse=True)
def _no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing here opens a connection beyond this machine."""
    connect = socket.socket.connect

    def guarded(self: socket.socket, address: Any) -> None:
        host = address[0] if isinstance(address, tuple) else ""
        if self.family in (socket.AF_INET, socket.AF_INET6) and host not in ("127.0.0.1", "::1", "localhost"):
            raise AssertionError(f"a test opened a connection to {host}")
        connect(self, address)

    monkeypatch.setattr(socket.socket, "connect", guarded)


@pytest.fixture
def captures(tmp_path: Path) -> Path:
    """A folder with one good capture, one note, and the good one again under another name."""
    root = tmp_path / "captures"
    (root / "gpu-07").mkdir(parents=True)
    (root / "gpu-07" / "ibstat.txt").write_text(IBSTAT, encoding="utf-8")
    (root / "gpu-07" / "ibstat-copy.txt").write_text(IBSTAT, encoding="utf-8")
    (root / "note.txt").write_text("the switch room was closed\n", encoding="utf-8")
    return root
