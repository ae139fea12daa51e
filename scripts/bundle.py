"""`python -m scripts.bundle`: one file for machines without network. Wheels of all that the program runs with, ours, an installer, hashes.

The file is a zip that Python runs as it is (`python3 fabric-advisor-0.1.0.zip`), and that can be unpacked, too. Every wheel is held to the
hash in requirements.lock when it is fetched, and to SHA256SUMS when it is installed. What an index does not serve for a system is left out,
and said.
"""

import argparse
import hashlib
import json
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

from scripts.packages import ROOT, pinned, project, runtime
from scripts.sbom import sbom

INSTALLER = Path(__file__).parent / "installer"
DIST = ROOT / "dist"
PYTHONS = ("3.11", "3.12", "3.13")
# What a wheel for a system may be named for: the oldest system that our packages still support (PEP 600), and older ones.
SYSTEMS = {
    "linux-x86_64": (
        "manylinux_2_28_x86_64",
        "manylinux_2_27_x86_64",
        "manylinux_2_24_x86_64",
        "manylinux_2_17_x86_64",
        "manylinux2014_x86_64",
    ),
    "linux-aarch64": ("manylinux_2_28_aarch64", "manylinux_2_27_aarch64", "manylinux_2_17_aarch64", "manylinux2014_aarch64"),
    "macos-arm64": ("macosx_14_0_arm64", "macosx_13_0_arm64", "macosx_12_0_arm64", "macosx_11_0_arm64"),
    "macos-x86_64": ("macosx_14_0_x86_64", "macosx_13_0_x86_64", "macosx_11_0_x86_64", "macosx_10_15_x86_64", "macosx_10_12_x86_64"),
    "windows-x86_64": ("win_amd64",),
}
_ZIP_TIME = (2026, 1, 1, 0, 0, 0)  # the same bytes whenever it is made


def fetch(system: str, python: str, wheels: Path, log: Path) -> bool:
    """Wheels of one system and version of Python; whether the index serves them all."""
    named = [word for name in SYSTEMS[system] for word in ("--platform", name)]
    words = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps", "--require-hashes"]
    words += ["--only-binary", ":all:", "--implementation", "cp", "--python-version", python, *named, "--dest", str(wheels)]
    done = subprocess.run([*words, "-r", str(_lock(wheels.parent))], capture_output=True, text=True, check=False)
    log.write_text(done.stdout + done.stderr, encoding="utf-8")
    return done.returncode == 0


def _lock(folder: Path) -> Path:
    """requirements.lock without what only builds the package."""
    wanted = {one.name for one in runtime()} | {"colorama"}  # which Windows alone asks for
    lines = [
        f"{name}=={pin.version}{f' ; {pin.when}' if pin.when else ''} " + " ".join(f"--hash=sha256:{value}" for value in pin.hashes)
        for name, pins in sorted(pinned().items())
        for pin in pins
        if name in wanted
    ]
    path = folder / "wanted.txt"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def own_wheel(folder: Path) -> Path:
    code = f"import os; os.chdir({str(ROOT)!r}); from hatchling.build import build_wheel; print(build_wheel({str(folder)!r}))"
    made = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip().splitlines()[-1]
    return folder / made


def put_together(to: Path, wheels: list[Path], systems: list[str]) -> None:
    """Write the bundle, whole or not at all."""
    part = to.with_suffix(".part")
    sums = []
    with zipfile.ZipFile(part, "w", zipfile.ZIP_STORED) as out:
        for name, content in _members(wheels, systems):
            data = content.read_bytes() if isinstance(content, Path) else content
            sums.append(f"{hashlib.sha256(data).hexdigest()}  {name}\n")
            out.writestr(_entry(name), data)
        out.writestr(_entry("SHA256SUMS"), "".join(sums))
    part.replace(to)


def _entry(name: str) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(name, _ZIP_TIME)
    info.external_attr = (0o755 if name.endswith(".sh") else 0o644) << 16
    return info


def _members(wheels: list[Path], systems: list[str]) -> Iterator[tuple[str, bytes | Path]]:
    """Name and content of all that is in a bundle but its sums; wheels as files, since all of them would fill the memory."""
    values = {"version": project()["version"], "systems": ", ".join(systems)}
    for path in sorted(INSTALLER.iterdir()):
        if path.suffix in (".py", ".sh", ".bat", ".txt"):
            text = path.read_text(encoding="utf-8")
            for name, value in values.items():
                text = text.replace(f"@{name}@", value)
            yield path.name, text.replace("\n", "\r\n" if path.suffix == ".bat" else "\n").encode()
    yield "LICENSE", ROOT / "LICENSE"
    yield "licences.md", ROOT / "docs" / "licences.md"
    yield "sbom.cdx.json", (json.dumps(sbom(), ensure_ascii=False, indent=1) + "\n").encode()
    for wheel in sorted(wheels):
        yield f"wheels/{wheel.name}", wheel


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m scripts.bundle", description=__doc__)
    parser.add_argument("--for", dest="systems", nargs="+", choices=SYSTEMS, default=["linux-x86_64", "linux-aarch64"])
    parser.add_argument("--python", nargs="+", choices=PYTHONS, default=list(PYTHONS))
    parser.add_argument("--wheels", type=Path, default=ROOT / "build" / "bundle" / "wheels", help="where fetched wheels are kept")
    parser.add_argument("--to", type=Path, default=DIST / f"{project()['name']}-{project()['version']}.zip")
    given = parser.parse_args()
    for folder in (given.wheels, given.to.parent):
        folder.mkdir(parents=True, exist_ok=True)
    for old in given.wheels.glob(f"{project()['name'].replace('-', '_')}-*.whl"):
        old.unlink()
    served = []
    for system in given.systems:
        for python in given.python:
            log = given.wheels.parent / f"{system}-{python}.log"
            if fetch(system, python, given.wheels, log):
                served.append(f"{system} Python {python}")
            else:
                print(f"left out: {system} Python {python}: {log.read_text(encoding='utf-8').strip().splitlines()[-1:]}", file=sys.stderr)
    if not served:
        return 1
    own_wheel(given.wheels)
    put_together(given.to, list(given.wheels.glob("*.whl")), served)
    with given.to.open("rb") as made:
        digest = hashlib.file_digest(made, "sha256").hexdigest()
    print(f"{given.to} {given.to.stat().st_size / 1e6:.0f} MB, sha256 {digest}\nfor {', '.join(served)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
