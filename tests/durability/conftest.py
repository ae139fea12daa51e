"""A small site whose assessment takes a fraction of a second, and files of it to be cut off in."""

import shutil
from pathlib import Path

import pytest

from advisor.usecases.import_ import import_into

from .work import write_site


@pytest.fixture(scope="session")
def _site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("site")
    write_site(root / "captures", hosts=6)
    return root


@pytest.fixture
def captures(_site: Path) -> Path:
    return _site / "captures"


@pytest.fixture
def site(_site: Path, tmp_path: Path) -> Path:
    """An assessment of the site, each test its own copy."""
    made = _site / "made.advisor"
    if not made.exists():
        import_into(str(made), [str(_site / "captures")])
    return Path(shutil.copy(made, tmp_path / "hall.advisor"))
