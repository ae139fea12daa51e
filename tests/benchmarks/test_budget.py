"""Forty remedies are weighed within ten times an empty import of scipy: both as whole processes, in one run, by processor time."""

import json
import os
import random
import subprocess
import sys
from pathlib import Path
from statistics import median

import pytest

from advisor.remedy.ladder import shipped_remedies
from advisor.remedy.relief import relief

ROOT = Path(__file__).parents[2]
EMPTY = "import scipy"
SOLVE = """
import json, sys
from decimal import Decimal
from advisor.plan.budget import Option, Problem, best

made = json.loads(sys.argv[1])
options = tuple(Option(name, Decimal(cost), relieves) for name, cost, relieves in made["options"])
limits = tuple((frozenset(causes), most) for causes, most in made["limits"])
problem = Problem(options, made["parts"], limits, frozenset(map(frozenset, made["excludes"])), made["requires"])
assert len(options) == 40
found = best(problem, Decimal(made["budget"]))
assert found.recovers > 0 and found.cost <= made["budget"]
"""

FRONTIER = """
points = frontier(problem)
assert len(points) > 5 and all(a.cost < b.cost and a.recovers < b.recovers for a, b in zip(points, points[1:]))
"""


def forty_shipped(seed: int) -> dict[str, object]:
    """Forty remedies of the catalogue with what they relieve, exclude and require; costs and parts of the loss by chance."""
    rng = random.Random(seed)
    remedies = dict(rng.sample(sorted(shipped_remedies().items()), 40))
    causes = sorted({cause for remedy in remedies.values() for cause in remedy.relieves})
    parts = {cause: rng.uniform(0.002, 0.03) for cause in causes}
    options = []
    for name, remedy in remedies.items():
        likely = relief(remedy).likely
        cost = {"free": 20_000, "cheap": 100_000, "capital": 1_000_000}[remedy.kind]
        options.append(
            (name, rng.randint(5, 100) * cost // 100, dict.fromkeys(remedy.relieves, rng.uniform(0.2, 0.9) if likely is None else likely))
        )
    return {
        "options": options,
        "parts": parts,
        "limits": [(causes, sum(parts.values())), (causes[::2], 0.8 * sum(parts[cause] for cause in causes[::2]))],
        "excludes": [(name, other) for name, remedy in remedies.items() for other in remedy.conflicts if other in remedies],
        "requires": {name: [other for other in remedy.requires if other in remedies] for name, remedy in remedies.items()},
        "budget": rng.choice((50_000, 200_000, 800_000)),
    }


def processor_seconds(code: str, *words: str) -> float:
    """User and system time of a process of its own."""
    before = os.times()
    subprocess.run([sys.executable, "-c", code, *words], check=True, cwd=ROOT)
    after = os.times()
    return after.children_user + after.children_system - before.children_user - before.children_system


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(6))
def test_forty_remedies(seed: int) -> None:
    """The whole of it: start of Python, imports of numpy and the solver, most that comes back, cheapest set."""
    given = json.dumps(forty_shipped(seed))
    processor_seconds(EMPTY)  # files into memory
    empty = median(processor_seconds(EMPTY) for _ in range(5))
    whole = median(processor_seconds(SOLVE, given) for _ in range(3))
    print(f"empty import {empty:.2f} s, solved {whole:.2f} s: {whole / empty:.1f} times")
    assert whole <= 10 * empty


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2])
def test_the_frontier_of_forty_remedies_ends_too(seed: int) -> None:
    """Within a hundred times an empty import; a set that is proposed again and again within the solver's tolerance must not hold it up."""
    given = json.dumps(forty_shipped(seed))
    empty = median(processor_seconds(EMPTY) for _ in range(3))
    whole = processor_seconds(SOLVE.replace("import Option, Problem, best", "import Option, Problem, best, frontier") + FRONTIER, given)
    assert whole <= 100 * empty
