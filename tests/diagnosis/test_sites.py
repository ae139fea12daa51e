"""Small invented sites, as one who knows the trade would judge them; the judgement stands in each file's first line."""

from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

from advisor.diagnosis.verdict import Diagnosis

SITES = sorted((Path(__file__).parent / "sites").glob("*.yaml"))
CONFIDENT = 0.8


def judged(path: Path) -> tuple[str, dict[str, object]]:
    text = path.read_text(encoding="utf-8")
    return text, yaml.safe_load(text.split("\n", 1)[0].removeprefix("# truth: "))


@pytest.mark.parametrize("path", SITES, ids=lambda path: path.stem)
def test_site(path: Path, diagnosed: Callable[..., Diagnosis]) -> None:
    text, truth = judged(path)
    said = diagnosed(site_yaml=text)
    assert said.confidence < CONFIDENT or said.verdict in (truth["verdict"], "undetermined")
    if said.verdict == "undetermined" and truth["open"]:
        return
    assert said.verdict == truth["verdict"]
    if truth["cause"]:
        assert said.causes[0].cause in {truth["cause"], *truth["also_right"]}  # type: ignore[misc]
        assert said.causes[0].layer in truth["layer"] or said.verdict == "none"  # type: ignore[operator]
