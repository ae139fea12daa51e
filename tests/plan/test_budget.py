"""The best plan for a budget, against exhaustive search over every set; the efficient frontier."""

import random
from decimal import Decimal
from itertools import chain, combinations, pairwise

import pytest

from advisor.plan.budget import SAME, Choice, Option, Problem, best, cost, frontier, recovery


def problem(rng: random.Random, most: int = 8) -> Problem:
    """A small case: causes with parts, limits on groups of them, remedies of any cost and relief, some bound to each other."""
    causes = [f"c{n}" for n in range(rng.randint(1, 4))]
    parts = {cause: round(rng.uniform(0, 0.3), 4) for cause in causes}
    names = [f"r{n}" for n in range(rng.randint(0, most))]
    options = tuple(
        Option(
            name,
            Decimal(rng.choice((0, rng.randint(1, 20) * 1000, rng.randint(1, 2_000_000)))) / rng.choice((1, 100)),
            {cause: rng.choice((1.0, round(rng.uniform(0, 1), 3))) for cause in causes if rng.random() < 0.6},
        )
        for name in names
    )
    pairs = list(combinations(names, 2))
    limits = [(frozenset(causes), round(rng.uniform(0, 0.8), 4))] if rng.random() < 0.7 else []
    if len(causes) > 1 and rng.random() < 0.7:
        limits += [(frozenset(causes[:1]), round(rng.uniform(0, 0.3), 4)), (frozenset(causes[1:]), round(rng.uniform(0, 0.5), 4))]
    return Problem(
        options,
        parts,
        tuple(limits),
        frozenset(frozenset(pair) for pair in pairs if rng.random() < 0.1),
        {b: (a,) for a, b in pairs if rng.random() < 0.08},
    )


def may_be(made: Problem, chosen: frozenset[str]) -> bool:
    apart = not any(pair <= chosen for pair in made.excludes)
    return apart and all(set(needed) <= chosen for name, needed in made.requires.items() if name in chosen)


def exhaustive(made: Problem, budget: Decimal | None) -> Choice:
    names = [option.name for option in made.options]
    sets = map(frozenset, chain.from_iterable(combinations(names, size) for size in range(len(names) + 1)))
    found = [
        Choice(chosen, cost(made, chosen), recovery(made, chosen))
        for chosen in sets
        if may_be(made, chosen) and (budget is None or cost(made, chosen) <= budget)
    ]
    most = max(choice.recovers for choice in found)
    return min((choice for choice in found if choice.recovers >= most - SAME / 10), key=lambda choice: choice.cost)


@pytest.mark.parametrize("part", range(10))
def test_the_best_is_that_of_an_exhaustive_search(part: int) -> None:
    """500 random cases in ten parts."""
    rng = random.Random(20261130 + part)
    for _ in range(50):
        made = problem(rng)
        whole = int(sum((option.cost for option in made.options), Decimal(0)))
        budget = Decimal(rng.randint(0, whole + 1))
        found, right = best(made, budget), exhaustive(made, budget)
        assert may_be(made, found.names)
        assert found.cost <= budget
        assert found.recovers == pytest.approx(right.recovers, abs=2 * SAME), made
        assert found.cost <= right.cost, made


def test_the_frontier_is_what_no_other_set_beats() -> None:
    rng = random.Random(6)
    for _ in range(20):
        made = problem(rng, 6)
        points = frontier(made)
        assert [point.cost for point in points] == sorted({point.cost for point in points})
        for point, dearer in pairwise(points):
            assert dearer.recovers > point.recovers
        for point in points:
            assert point.recovers == pytest.approx(exhaustive(made, point.cost).recovers, abs=2 * SAME)
        assert points[-1].recovers == pytest.approx(exhaustive(made, None).recovers, abs=2 * SAME)


def test_a_budget_of_nothing_takes_what_costs_nothing() -> None:
    made = Problem((Option("free", Decimal(0), {"a": 0.5}), Option("dear", Decimal(10), {"a": 1.0})), {"a": 0.4})
    assert best(made, Decimal(0)) == Choice(frozenset({"free"}), Decimal(0), 0.2)
    assert best(made, Decimal(10)).names == {"dear"}  # the free one adds nothing to it


def test_a_budget_is_kept_to_the_cent() -> None:
    made = Problem((Option("a", Decimal("999999999.99"), {"c": 1.0}), Option("b", Decimal(1), {"c": 0.1})), {"c": 1.0})
    assert best(made, Decimal("999999999.98")).names == {"b"}
    assert best(made, Decimal("999999999.99")).names == {"a"}


def test_nothing_to_choose_from() -> None:
    assert best(Problem((), {}), Decimal(5)) == Choice(frozenset(), Decimal(0), 0.0)
    assert frontier(Problem((), {"a": 0.3})) == (Choice(frozenset(), Decimal(0), 0.0),)
