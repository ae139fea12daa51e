"""The same captures in any order of import, at once or one by one: the same bytes of JSON."""

import random
from pathlib import Path

import pytest

from advisor.cli import run
from advisor.usecases.assess import example
from advisor.usecases.import_ import import_into

Capsys = pytest.CaptureFixture[str]
COMMANDS = ("diagnose", "plan", "model")


@pytest.fixture(autouse=True)
def _one_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ADVISOR_JOBS", "1")


def _printed(folder: Path, batches: list[list[str]], capsys: Capsys) -> list[bytes]:
    """What each command prints of an assessment into which the batches were imported one after the other."""
    folder.mkdir()
    site = folder / "site.advisor"  # the same name each time: it is part of what is printed
    for batch in batches:
        import_into(str(site), batch)
    found = []
    for command in COMMANDS:
        assert run([command, str(site), "--json"]) == 0
        found.append(capsys.readouterr().out.encode())
    return found


def test_json_does_not_depend_on_the_order_of_import(tmp_path: Path, capsys: Capsys) -> None:
    entries = sorted(str(path) for path in Path(example()).iterdir())
    assert len(entries) > 5
    orders: list[list[list[str]]] = [[entries], [[entry] for entry in reversed(entries)]]
    for seed in range(2):
        dice = random.Random(seed)
        shuffled = dice.sample(entries, len(entries))
        cut = dice.randrange(1, len(entries))
        orders.append([shuffled[:cut], shuffled[cut:], [shuffled[0]]])  # the last of them a second time
    first, *others = (_printed(tmp_path / str(i), batches, capsys) for i, batches in enumerate(orders))
    assert all(len(printed) > 1000 for printed in first)
    for other in others:
        for command, printed, expected in zip(COMMANDS, other, first, strict=True):
            assert printed == expected, command
