"""A few seconds of seeded mutations for each door, and every input that ever broke one (crashers/DOOR-*.bin)."""

import random
import time
from pathlib import Path

import pytest

from .harness import DOORS
from .mutate import mutated
from .seeds import seeds

CRASHERS = sorted((Path(__file__).parent / "crashers").glob("*.bin"))
SEED = 9
BUDGET_S = 4.0
LEAST = 40  # runs, however slow the machine


@pytest.mark.parametrize("door", DOORS)
def test_mutations(door: str) -> None:
    chance = random.Random(SEED)
    given = seeds(door)
    begun, runs = time.process_time(), 0
    while runs < LEAST or (time.process_time() - begun < BUDGET_S and runs < 5000):
        data = mutated(chance.choice(given), chance, given)
        try:
            DOORS[door](data)
        except BaseException as error:
            raise AssertionError(f"{door}, run {runs}: {type(error).__name__}: {error}\n{data[:3000]!r}") from error
        runs += 1


@pytest.mark.parametrize("path", CRASHERS, ids=lambda path: path.stem)
def test_what_once_broke_a_door_does_so_no_more(path: Path) -> None:
    DOORS[path.stem.split("-")[0]](path.read_bytes())


def test_every_door_has_seeds() -> None:
    assert all(len(seeds(door)) >= 8 for door in DOORS)
