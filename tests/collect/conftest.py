"""A sandbox for the collecting script: a PATH of plain POSIX tools and fake ones that print golden captures, and a fake /sys."""

import os
import shlex
import shutil
import subprocess
import tarfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from advisor.capture.prompt import hint, prompt

GOLDEN = Path(__file__).parents[1] / "captures"
# What the script itself stands on.
PLAIN = (
    *("awk", "cat", "cp", "cut", "date", "find", "grep", "gzip", "id", "mkdir", "mkfifo", "mv", "printenv", "rm", "sed", "sleep", "sort"),
    *("tail", "tar", "timeout", "tr", "true", "wc"),
)


BOND = """Ethernet Channel Bonding Driver: v5.15.0

Bonding Mode: IEEE 802.3ad Dynamic link aggregation
Transmit Hash Policy: layer3+4 (1)
MII Status: up

Slave Interface: eth0
MII Status: up
Speed: 100000 Mbps
Duplex: full
Link Failure Count: 2
"""


def golden(name: str) -> str:
    """The output in a golden capture, without prompts."""
    lines = (GOLDEN / name).read_text(encoding="utf-8").splitlines()
    if hint(lines[0]):
        del lines[0]
    return "\n".join(line for line in lines if not prompt(line)) + "\n"


@dataclass
class Sandbox:
    root: Path
    env: dict[str, str] = field(default_factory=dict)

    @property
    def bin(self) -> Path:
        return self.root / "bin"

    def tool(self, name: str, body: str) -> None:
        """A fake tool with a body in sh."""
        path = self.bin / name
        path.unlink(missing_ok=True)
        path.write_text(f"#!/bin/sh\n{body}\n", encoding="utf-8")
        path.chmod(0o755)

    def prints(self, name: str, outputs: Mapping[str, str]) -> None:
        """A fake tool that prints a text for each pattern of its arguments, and fails for others."""
        arms = []
        for i, (pattern, text) in enumerate(outputs.items()):
            source = self.root / f"{name}-{i}.out"
            source.write_text(text, encoding="utf-8")
            arms.append(f"  {pattern}) cat {shlex.quote(str(source))} ;;")
        self.tool(name, 'case "$*" in\n' + "\n".join(arms) + '\n  *) echo "unknown: $*" >&2; exit 2 ;;\nesac')

    def without(self, name: str) -> None:
        (self.bin / name).unlink()

    def sh(self, script: str, *options: str, seconds: float = 300, code: int | None = 0) -> subprocess.CompletedProcess[str]:
        """Run the script in the sandbox and nowhere else."""
        path = self.root / "collect.sh"
        path.write_text(script, encoding="utf-8")
        done = subprocess.run(
            [str(self.bin / "sh"), str(path), "--to", str(self.archive), *options],
            cwd=self.root / "cwd",
            env=self.env,
            capture_output=True,
            text=True,
            timeout=seconds,
            check=False,
        )
        if code is not None:
            assert done.returncode == code, done.stderr
        return done

    @property
    def archive(self) -> Path:
        return self.root / "out.tar.gz"

    def files(self) -> dict[str, str]:
        """Text of each file of the archive, by HOST/NN-tool, or by HOST/TIME/NN-tool where there are two takes."""
        with tarfile.open(self.archive) as tar:
            assert all(member.isreg() for member in tar)
            return {member.name: tar.extractfile(member).read().decode() for member in tar}  # type: ignore[union-attr]

    def one(self, ending: str) -> str:
        """The text of the only file that ends so."""
        (text,) = [text for name, text in self.files().items() if name.endswith(ending)]
        return text


@pytest.fixture
def sandbox(tmp_path: Path) -> Sandbox:
    for folder in ("bin", "cwd", "tmp"):
        (tmp_path / folder).mkdir()
    for name in PLAIN:
        found = shutil.which(name)
        assert found, name
        (tmp_path / "bin" / name).symlink_to(found)
    shell = shutil.which("dash") or shutil.which("sh")
    assert shell
    (tmp_path / "bin" / "sh").symlink_to(shell)
    box = Sandbox(tmp_path)
    box.env = {
        "PATH": str(box.bin),
        "ADVISOR_PATH": str(tmp_path / "none"),
        "ADVISOR_ROOT": str(tmp_path / "root"),
        "TMPDIR": str(tmp_path / "tmp"),
        "HOME": str(tmp_path),
    }
    box.tool("uname", f'echo "${{FAKE_HOST:-gpu-07}}" # {os.getpid()}')
    _machine(tmp_path / "root")
    return box


def _machine(root: Path) -> None:
    """A machine with a RoCE NIC, a virtual function of it, a management port, a bond, and an odd device name."""
    net, devices = root / "sys/class/net", root / "sys/class/infiniband"
    for name in ("eth0", "eth1", "eth9"):
        (net / name / "device").mkdir(parents=True)
        (net / name / "type").write_text("1\n")
    (net / "eth0/device/infiniband").mkdir()
    (net / "eth9/device/physfn").mkdir()
    (net / "$(touch pwned)" / "device").mkdir(parents=True)
    (net / "lo").mkdir()
    port = devices / "mlx5_0/ports/1"
    (port / "counters").mkdir(parents=True)
    (port / "hw_counters").mkdir()
    (port / "counters/port_xmit_data").write_text("1000\n")
    (port / "counters/port_rcv_data").write_text("2000\n")
    (port / "hw_counters/np_cnp_sent").write_text("7\n")
    (port / "state").write_text("4: ACTIVE\n")
    (port / "rate").write_text("400 Gb/sec (4X NDR)\n")
    (port / "link_layer").write_text("Ethernet\n")
    (root / "proc/net/bonding").mkdir(parents=True)
    (root / "proc/net/bonding/bond0").write_text(BOND)
