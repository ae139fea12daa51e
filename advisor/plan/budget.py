"""Which remedies bring back most within a budget: a mixed-integer programme, solved exactly (HiGHS through scipy).

A cause holds a part of the loss; each remedy leaves a fraction of what those before it left, so several leave the product. What comes back
of a part grows with the set and ever more slowly: in s, the sum of -ln(1 - r) over the chosen, it is 1 - exp(-s), which lies below each of
its tangents; and it lies below the planes that Nemhauser and Wolsey (1978) draw through any set. The programme holds such rows, the solver
proposes a set, and rows that are exact at that set are added, until what the programme promises is what a set gives. Caps on the free
side, the hardware side and the whole loss are linear. Then the cheapest set that recovers as much is found in the same way.
"""

import os
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from decimal import Decimal
from math import exp, log1p, prod
from typing import Any

from advisor.base.errors import AdvisorError

SAME = 1e-6  # recoveries closer than this, as shares of all that can be recovered, are one
MOST_POINTS = 40  # points of a frontier: nearer than a fortieth of the largest cost they are one
_FINE = 1e4  # costs as an objective are this much finer than as a row, so that the solver's tolerances are cents
_TANGENTS = (0.05, 0.15, 0.3, 0.45, 0.6, 0.8, 1.0, 1.2, 1.4, 1.6, 1.8, 2.0, 2.3, 2.6, 3.0, 3.5, 4.0, 4.5, 5.0, 6.0)
_LEAST = 1e-6  # coefficients near the solver's tolerances upset it: smaller ones are left out or raised so that a row stays true
_ATTEMPTS = ((1e-6, True), (1e-5, True), (1e-6, False), (1e-4, True), (1e-5, False))  # coarser or plainer where it is upset all the same
_ROUNDS = 500  # of proposing and adding rows; ten are many


@dataclass(frozen=True, slots=True)
class Option:
    """A remedy to choose: its cost in the budget's currency; by cause, the fraction (0 to 1) that it takes of what stands of its part."""

    name: str
    cost: Decimal
    relieves: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Problem:
    """parts: cause -> its part of the loss. limits: groups of causes, and the most that can come back of each group.

    excludes: pairs that are not done together. requires: option -> options without which it is not done.
    """

    options: tuple[Option, ...]
    parts: Mapping[str, float]
    limits: tuple[tuple[frozenset[str], float], ...] = ()
    excludes: frozenset[frozenset[str]] = frozenset()
    requires: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Choice:
    """A set of options with what it costs and recovers."""

    names: frozenset[str]
    cost: Decimal
    recovers: float


def recovery(problem: Problem, names: Iterable[str]) -> float:
    """What a set brings back of the loss."""
    chosen = [option for option in problem.options if option.name in set(names)]
    taken = {cause: 1 - prod(1 - option.relieves.get(cause, 0.0) for option in chosen) for cause in problem.parts}
    back = {cause: part * taken[cause] for cause, part in problem.parts.items() if part > 0}
    return _limited(back, problem)


def _limited(back: Mapping[str, float], problem: Problem) -> float:
    """The sum, where each group of causes gives at most its limit. Groups are apart from each other, or hold one another."""
    groups = sorted(problem.limits, key=lambda limit: len(limit[0]))
    left = dict(back)
    for causes, most in groups:
        inside = {cause: value for cause, value in left.items() if cause in causes}
        total = sum(inside.values())
        if total > most:
            left.update({cause: value * most / total for cause, value in inside.items()})
    return sum(left.values())


def cost(problem: Problem, names: Iterable[str]) -> Decimal:
    chosen = set(names)
    return sum((option.cost for option in problem.options if option.name in chosen), Decimal(0))


def best(problem: Problem, budget: Decimal | None) -> Choice:
    """The set within the budget (None: any) that recovers most; among equals the cheapest, without what adds nothing.

    Raises AdvisorError where the solver gives up.
    """
    return _best(_Programme(problem), budget)


def frontier(problem: Problem) -> tuple[Choice, ...]:
    """Sets that no other beats, from the cheapest to the one that recovers most: more is only had for more money."""
    return tuple(_down(problem))[::-1]


def _down(problem: Problem) -> Iterator[Choice]:
    programme, budget, step = _Programme(problem), None, Decimal("0.01")
    while True:
        found = _best(programme, budget)
        if budget is None:
            step = max(step, (found.cost / MOST_POINTS).quantize(step))
        yield found
        if found.cost <= 0:
            return
        budget = max(found.cost - step, Decimal(0))


def _best(programme: "_Programme", budget: Decimal | None) -> Choice:
    problem = programme.problem
    most = programme.most_within(budget)
    cheapest = programme.cheapest_of(recovery(problem, most), budget)
    if cheapest is None or cost(problem, cheapest) > cost(problem, most):
        cheapest = most
    needed = _needed(problem, cheapest)
    return Choice(needed, cost(problem, needed), recovery(problem, needed))


def _needed(problem: Problem, names: frozenset[str]) -> frozenset[str]:
    """The set without what changes nothing: no part of what comes back rests on it, and no other option needs it."""
    kept = set(names)
    for option in reversed(problem.options):
        without = kept - {option.name}
        asked_for = any(option.name in problem.requires.get(other, ()) for other in without)
        if option.name in kept and not asked_for and recovery(problem, without) >= recovery(problem, kept):
            kept = without
    return frozenset(kept)


Row = tuple[Mapping[int, float], float]  # coefficients by column, and what they add up to at most


class _Programme:
    """Columns: the choices, the recovered part of each cause, the total. Recoveries are shares of all that can be recovered.

    Rows that were added for one budget hold for every other one, and are kept.
    """

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.pick = {option.name: i for i, option in enumerate(problem.options)}
        self.most = _limited(problem.parts, problem) or 1.0
        self.money = 1 / (max((float(option.cost) for option in problem.options), default=0.0) or 1.0)
        costs = {self.pick[option.name]: float(option.cost) * self.money for option in problem.options}
        self.costs = {column: value for column, value in costs.items() if value > _LEAST}  # the rest is counted to the cent afterwards
        causes = [cause for cause, part in problem.parts.items() if part > 0]
        self.back = {cause: len(self.pick) + i for i, cause in enumerate(causes)}
        self.total = len(self.pick) + len(causes)
        self.relief = {
            cause: {self.pick[o.name]: min(o.relieves[cause], 1.0) for o in problem.options if o.relieves.get(cause, 0.0) > 0}
            for cause in causes
        }
        self.exact: set[frozenset[str]] = set()
        self.rows = [*self._bounds(), *(row for cause in causes for at in _TANGENTS for row in self._tangent(cause, at))]
        for chosen in (frozenset[int](), *(frozenset({column}) for column in self.pick.values())):
            self.rows += [self._plane(cause, chosen) for cause in causes if not chosen or chosen & self.relief[cause].keys()]

    def _bounds(self) -> Iterator[Row]:
        """The total adds the parts, within the limits; what excludes and what requires."""
        problem = self.problem
        yield {self.total: 1.0} | dict.fromkeys(self.back.values(), -1.0), 0.0
        for causes, most in problem.limits:
            yield {column: 1.0 for cause, column in self.back.items() if cause in causes}, max(most, 0.0) / self.most
        for pair in problem.excludes:
            if pair <= self.pick.keys():
                yield {self.pick[name]: 1.0 for name in pair}, 1.0
        for name, needed in problem.requires.items():
            for other in needed if name in self.pick else ():
                yield {self.pick[name]: 1.0} | ({self.pick[other]: -1.0} if other in self.pick else {}), 0.0

    def _tangent(self, cause: str, at: float) -> Iterator[Row]:
        """What comes back of a cause lies below the tangent at `at`; with a remedy that takes all of it, it is the whole part."""
        scale, left = self.problem.parts[cause] / self.most, exp(-at)
        falls = {column: -scale * left * (-log1p(-share) if share < 1 else 1 + at) for column, share in self.relief[cause].items()}
        yield {self.back[cause]: 1.0} | falls, scale * (1 - left * (1 + at))

    def _plane(self, cause: str, chosen: frozenset[int]) -> Row:
        """What comes back of a cause lies below the plane through a set: each one more brings at most what it brings to the set,
        each one less takes at least what it brings to all others."""
        scale, shares = self.problem.parts[cause] / self.most, self.relief[cause]
        stands = prod(1 - share for column, share in shares.items() if column in chosen)
        row, limit = {self.back[cause]: 1.0}, scale * (1 - stands)
        for column, share in shares.items():
            if column in chosen:
                last = scale * share * prod(1 - other for name, other in shares.items() if name != column)
                if last > _LEAST:
                    row[column] = -last
                    limit -= last
            else:
                row[column] = -scale * stands * share
        return row, limit

    def most_within(self, budget: Decimal | None) -> frozenset[str]:
        """The set within the budget that recovers most; the empty one where there is none."""
        held: list[Row] = [] if budget is None else [(self.costs, float(budget) * self.money)]
        found, recovers = frozenset[str](), -1.0
        for _ in range(_ROUNDS):
            solved = self._solve({self.total: -1.0}, held)
            if solved is None:
                return found
            names, bound = solved
            given = recovery(self.problem, names)
            if budget is not None and cost(self.problem, names) > budget:
                held.append(self._other_than(names))
                continue
            if given > recovers:
                found, recovers = names, given
            # A set whose rows are exact already and that is proposed again: what is promised beyond it is the solver's tolerance.
            if -bound <= recovers / self.most + SAME or not self._add_exact(names):
                return found
        raise AdvisorError("no-best-plan", why="rounds")

    def cheapest_of(self, at_least: float, budget: Decimal | None) -> frozenset[str] | None:
        """The cheapest set that recovers so much."""
        prices = {self.pick[option.name]: float(option.cost) * self.money * _FINE for option in self.problem.options}
        wanted = at_least / self.most - SAME
        held: list[Row] = [({self.total: -1.0}, -wanted)]
        if budget is not None:
            held.append((self.costs, float(budget) * self.money))
        for _ in range(_ROUNDS):
            solved = self._solve(prices, held)
            if solved is None:
                return None
            names, _ = solved
            if recovery(self.problem, names) / self.most >= wanted - SAME:
                return names
            if not self._add_exact(names):
                held.append(self._other_than(names))
        raise AdvisorError("no-best-plan", why="rounds")

    def _add_exact(self, names: frozenset[str]) -> bool:
        """Adds rows that are exact at a set; False where they are there already."""
        if names in self.exact:
            return False
        self.exact.add(names)
        chosen = frozenset(self.pick[name] for name in names)
        for cause, shares in self.relief.items():
            here = {column: share for column, share in shares.items() if column in chosen}
            self.rows.append(self._plane(cause, frozenset(here)))
            if all(share < 1 for share in here.values()):
                self.rows += self._tangent(cause, sum(-log1p(-share) for share in here.values()))
        return True

    def _other_than(self, names: frozenset[str]) -> Row:
        return {column: 1.0 if name in names else -1.0 for name, column in self.pick.items()}, len(names) - 1.0

    def _solve(self, objective: Mapping[int, float], held: list[Row]) -> tuple[frozenset[str], float] | None:
        """The choices at the least of the objective under all rows, and the value below which there is none; None: nothing fulfils them."""
        import numpy as np
        from scipy.optimize import Bounds, LinearConstraint, milp
        from scipy.sparse import csr_array

        rows = [row for row in (*self.rows, *held) if row[0]]
        weights = np.zeros(self.total + 1)
        for column, value in objective.items():
            weights[column] = value
        result: Any = None
        for least, presolve in _ATTEMPTS:
            entries = [(_held_apart(value, least), i, column) for i, (row, _) in enumerate(rows) for column, value in row.items()]
            data, places, columns = zip(*(entry for entry in entries if entry[0]), strict=True)
            matrix = csr_array((data, (places, columns)), shape=(len(rows), self.total + 1))
            with _quiet():
                result = milp(
                    weights,
                    constraints=LinearConstraint(matrix, ub=[most for _, most in rows]),
                    bounds=Bounds(0, 1),
                    integrality=[1] * len(self.pick) + [0] * (len(self.back) + 1),
                    options={"mip_rel_gap": 0.0, "presolve": presolve},
                )
            if result.status != 4:
                break
        if result.status == 2:  # nothing fulfils all rows
            return None
        if result.x is None:
            raise AdvisorError("no-best-plan", why=str(result.message))
        bound = result.fun if result.mip_dual_bound is None else result.mip_dual_bound  # without choices there is no tree
        return frozenset(name for name, column in self.pick.items() if result.x[column] > 0.5), float(bound)


def _held_apart(value: float, least: float) -> float:
    """A coefficient of a row that stays true with it, since no column is below 0: none too near to 0."""
    return 0.0 if 0 <= value < least else min(value, -least) if value < 0 else value


@contextmanager
def _quiet() -> Iterator[None]:
    """Keeps stdout to our own answers: the solver writes notes to it whatever its options say."""
    sys.stdout.flush()
    try:
        kept = os.dup(1)
    except OSError:  # there is no stdout
        yield
        return
    nowhere = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, 1)
        yield
    finally:
        os.dup2(kept, 1)
        os.close(kept)
        os.close(nowhere)
