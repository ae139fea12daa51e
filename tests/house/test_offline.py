"""Offline and private: every command without a socket, every kept file for its owner alone, no secret in what is told or handed over."""

import json
import os
import re
import stat
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from advisor.cli.parser import parser
from advisor.usecases.assess import example

from .offline_run import COMMANDS, SCREENS

ROOT = Path(__file__).parents[2]
GUARD = Path(__file__).parents[1] / "guard"
ENVIRONMENT = {
    "AWS_SECRET_ACCESS_KEY": "S3CR-environment-1",
    "HF_TOKEN": "S3CR-environment-2",
    "DB_PASSWORD": "S3CR-environment-3",
    "MY_API_KEY": "S3CR-environment-4",
    "HARMLESS_LOOKING": "S3CR-environment-5",
}
CAPTURED = {
    "env.txt": "root@gpu-07:~# printenv\nNCCL_DEBUG=INFO\nNVIDIA_API_KEY=S3CR-captured-1\nNCCL_IB_HCA=mlx5_0\nHF_TOKEN=S3CR-captured-2\n",
    "nccl.log": "gpu-07:1:1 [0] NCCL INFO NVIDIA_API_KEY set by environment to S3CR-captured-3.\n"
    "gpu-07:1:1 [0] NCCL INFO NCCL_DEBUG set by environment to INFO\ngpu-07:1:1 [0] NCCL INFO NCCL version 2.21.5+cuda12.4\n",
    "failed.txt": "root@gpu-08:~# ibstat --token=S3CR-captured-4\nError: HF_TOKEN=S3CR-captured-5 was refused\n",
    "switch.txt": "leaf-1# show running-config\nusername admin secret 5 S3CR-captured-6\nsnmp-server community S3CR-captured-7 ro\n",
}


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("offline")
    captures = folder / "captures"
    (captures / "site").mkdir(parents=True)
    for path in Path(example()).rglob("*"):
        if path.is_file():
            (captures / "site" / "-".join(path.relative_to(example()).parts)).write_bytes(path.read_bytes())
    for name, text in CAPTURED.items():
        (captures / name).write_text(text, encoding="utf-8")
    home = {name: str(folder / "home" / name) for name in ("XDG_STATE_HOME", "XDG_CONFIG_HOME")}
    guard = {"PYTHONPATH": os.pathsep.join([str(GUARD), str(ROOT)]), "ADVISOR_TEST_NO_SOCKETS": "1"}
    env = {**os.environ, **home, **guard, **ENVIRONMENT, "ADVISOR_LANG": "en", "ADVISOR_JOBS": "2"}
    words = [sys.executable, str(Path(__file__).with_name("offline_run.py")), str(folder)]
    ran = subprocess.run(words, env=env, cwd=folder, capture_output=True, text=True, umask=0o022 if os.name == "posix" else -1, check=False)
    assert ran.returncode == 0, ran.stderr[-3000:]  # 99: a socket was made
    return folder


@pytest.mark.slow
def test_every_command_runs_without_a_socket(done: Path) -> None:
    codes = json.loads((done / "codes.json").read_text())
    told = {path.name[3:]: path.read_text(encoding="utf-8")[-400:] for path in (done / "out").glob("*.txt")}
    assert {words: code for words, code in codes.items() if code not in (0, 3)} == {}, told


def test_no_command_is_left_out() -> None:
    known = next(action.choices for action in parser("en")._actions if action.dest == "command")
    assert set(known or ()) == COMMANDS.keys() | SCREENS


@pytest.mark.slow
def test_no_secret_is_told(done: Path) -> None:
    """Neither of this process's environment nor of a stranger's that was captured."""
    found = []
    for path in sorted((done / "out").iterdir()):
        if path.suffix == ".xlsx":
            with zipfile.ZipFile(path) as book:
                data = b"".join(book.read(name) for name in book.namelist())
        elif path.suffix == ".advisor":
            continue  # holds captures, as they came
        else:
            data = path.read_bytes()
        found += [(path.name, secret.decode()) for secret in re.findall(rb"S3CR-\w+-\d", data)]
    assert found == []
    assert "[secret]" in next((done / "out").glob("*-inspect.txt")).read_text(encoding="utf-8")


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="other systems have other permissions")
def test_what_is_kept_is_for_its_owner_alone(done: Path) -> None:
    kept = [done / "hall.advisor", *(done / "out").glob("*.advisor"), *done.glob("*.mapping.json")]
    inside = [path for path in (done / "home").rglob("*") if path.is_file()]
    assert {path.name for path in inside} >= {"recent.json", "first.json"}
    assert len(kept) >= 3
    open_to_others = {str(path): oct(path.stat().st_mode) for path in [*kept, *inside] if stat.S_IMODE(path.stat().st_mode) != 0o600}
    folders = [path for path in (done / "home").rglob("*") if path.is_dir()]
    open_to_others |= {str(path): oct(path.stat().st_mode) for path in folders if stat.S_IMODE(path.stat().st_mode) != 0o700}
    assert open_to_others == {}


@pytest.mark.parametrize("call", ["s.connect(('192.0.2.1', 9))", "s.bind(('0.0.0.0', 0))", "socket.getaddrinfo('example.com', 80)"])
def test_the_guard_guards_processes(call: str) -> None:
    code = f"import socket; s = socket.socket(); {call}"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False)
    assert done.returncode == 99, done.stderr


def test_the_guard_lets_this_machine_be() -> None:
    code = "import socket; s = socket.socket(); s.bind(('127.0.0.1', 0)); socket.create_connection(s.getsockname()) if s.listen() else 0"
    subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    quiet = subprocess.run(
        [sys.executable, "-c", "import socket; socket.socket()"], env={**os.environ, "ADVISOR_TEST_NO_SOCKETS": "1"}, check=False
    )
    assert quiet.returncode == 99
