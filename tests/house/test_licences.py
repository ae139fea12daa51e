"""Licences, bill of materials and bundle say what the lock says."""

import hashlib
import json
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from scripts.bundle import put_together
from scripts.licences import KNOWN, PAGE
from scripts.packages import direct, pinned, project, runtime
from scripts.sbom import sbom

ROW = re.compile(r"^\| ([\w-]+) \| ([\w.]+)(?: \(`[^`]+`\))? \| ([^|]+) \|", re.MULTILINE)


def test_the_page_lists_what_is_pinned() -> None:
    rows = ROW.findall(PAGE.read_text(encoding="utf-8"))
    listed = {(name, version) for name, version, _ in rows if name != "package"}
    locked = {(name, pin.version) for name, pins in pinned().items() for pin in pins}
    assert listed <= locked, "run make licences"
    assert {(name, version) for name, version in locked if name in set(direct())} <= listed, "run make licences"
    assert listed >= {(one.name, one.version) for one in runtime()}, "run make licences"
    for name, _, licence in rows:
        assert name == "package" or name == "---" or any(word.lower() in licence.lower() for word in KNOWN), (name, licence)


def test_the_bill_of_materials_is_whole_and_the_same_each_time() -> None:
    made = sbom()
    assert made == sbom()
    assert (made["bomFormat"], made["specVersion"]) == ("CycloneDX", "1.6")
    refs = [component["bom-ref"] for component in made["components"]]
    assert len(refs) == len(set(refs)) >= 30
    root = made["metadata"]["component"]["bom-ref"]
    assert {entry["ref"] for entry in made["dependencies"]} == {root, *refs}
    assert all(ref in refs for entry in made["dependencies"] for ref in entry["dependsOn"])
    assert all(component["licenses"] and component["purl"].startswith("pkg:pypi/") for component in made["components"])
    names = {component["name"] for component in made["components"]}
    assert {"textual", "pydantic", "typst"} <= names
    assert not {"pytest", "mypy", "hypothesis"} & names


@pytest.fixture
def bundle(tmp_path: Path) -> Path:
    """A bundle whose one wheel is none: what is checked before anything is installed."""
    wheel = tmp_path / "fabric_advisor-0.0-py3-none-any.whl"
    wheel.write_bytes(b"not a wheel")
    put_together(tmp_path / "bundle.zip", [wheel], ["linux-x86_64 Python 3.11"])
    return tmp_path / "bundle.zip"


def _checked(path: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-I", str(path), "--check"], capture_output=True, text=True, check=False)


def test_a_bundle_is_one_file_whose_every_member_has_its_hash(bundle: Path) -> None:
    with zipfile.ZipFile(bundle) as made:
        sums = dict(reversed(line.split("  ", 1)) for line in made.read("SHA256SUMS").decode().splitlines())
        assert sums.keys() | {"SHA256SUMS"} == set(made.namelist())
        assert all(hashlib.sha256(made.read(name)).hexdigest() == digest for name, digest in sums.items())
        assert {"__main__.py", "install.sh", "install.bat", "README.txt", "LICENSE", "licences.md", "sbom.cdx.json"} <= sums.keys()
        readme = made.read("README.txt").decode("utf-8")
        assert json.loads(made.read("sbom.cdx.json"))["bomFormat"] == "CycloneDX"
    assert project()["version"] in readme
    assert "安装" in readme
    assert "@" not in readme
    assert _checked(bundle).returncode == 0


def test_a_bundle_that_was_damaged_on_the_way_is_refused(bundle: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(bundle) as whole, zipfile.ZipFile(tmp_path / "damaged.zip", "w") as out:
        for name in whole.namelist():
            out.writestr(name, b"other bytes" if name.endswith(".whl") else whole.read(name))
    done = _checked(tmp_path / "damaged.zip")
    assert done.returncode == 1
    assert "fabric_advisor-0.0-py3-none-any.whl is damaged" in done.stderr


def test_an_unpacked_bundle_checks_itself_too(bundle: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(bundle) as whole:
        whole.extractall(tmp_path / "unpacked")
    assert _checked(tmp_path / "unpacked").returncode == 0
