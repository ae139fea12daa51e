"""The wheel carries its data and works where there is no checkout."""

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.slow
def test_the_wheel_finds_its_data(tmp_path: Path) -> None:
    build = f"import os; os.chdir({str(ROOT)!r}); from hatchling.build import build_wheel; print(build_wheel({str(tmp_path)!r}))"
    name = subprocess.run([sys.executable, "-c", build], capture_output=True, text=True, check=True).stdout.strip().splitlines()[-1]
    with zipfile.ZipFile(tmp_path / name) as wheel:
        names = wheel.namelist()
    assert "advisor/_shipped/knowledge/text/error.yaml" in names
    assert any(entry.startswith("advisor/_shipped/pricing/") for entry in names)
    assert not any(entry.startswith(("tests/", "knowledge/", "pricing/")) for entry in names)
    target = tmp_path / "site"
    install = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--target", str(target), str(tmp_path / name)]
    subprocess.run(install, check=True, capture_output=True)
    # -P and an empty folder: the checkout is not on the path; -S would lose the dependencies
    env = {**os.environ, "PYTHONPATH": str(target), "XDG_STATE_HOME": str(tmp_path), "ADVISOR_LANG": "en"}
    where = subprocess.run(
        [sys.executable, "-P", "-c", "import advisor; print(advisor.__file__)"],
        cwd=tmp_path,
        env=env,
        capture_output=True,
        text=True,
        check=True,
    )
    assert where.stdout.strip().startswith(str(target))
    demo = subprocess.run(
        [sys.executable, "-P", "-m", "advisor", "demo", "--json"],
        cwd=tmp_path,
        env=env,
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
    )
    assert demo.returncode == 0, demo.stderr
    assert json.loads(demo.stdout)["diagnosis"]["verdict"]
