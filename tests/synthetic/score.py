"""Figures of judged sites: reliability, Brier score, expected calibration error, accuracy by cause, false alarms, stacked causes."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from tests.synthetic.judge import Judged
from tests.synthetic.stacks import CAUSES

BINS = 10
TAKES_PART = 0.10  # share of the loss from which a planted cause must be named
NEAR = 0.10  # how near its share must be
SIBLINGS: Mapping[str, frozenset[str]] = {cause: frozenset((cause, *also)) for cause, also in CAUSES.values()}


@dataclass(frozen=True, slots=True)
class Bin:
    """Of the answers whose stated confidence falls between `low` and `low` + 0.1: how many, their mean confidence, and how often right."""

    low: float
    count: int
    stated: float
    right: float


def reliability(answers: Sequence[Judged]) -> list[Bin]:
    """Ten bins of equal width; empty ones are left out."""
    found = []
    for k in range(BINS):
        here = [one for one in answers if min(int(one.confidence * BINS), BINS - 1) == k]
        if here:
            stated = sum(one.confidence for one in here) / len(here)
            found.append(Bin(k / BINS, len(here), stated, share(one.is_right for one in here)))
    return found


def calibration_error(answers: Sequence[Judged]) -> float:
    """Expected calibration error: |how often right - mean confidence| over the bins, weighted by their answers (Naeini 2015)."""
    return sum(one.count * abs(one.right - one.stated) for one in reliability(answers)) / len(answers)


def brier(answers: Sequence[Judged]) -> float:
    """Mean square of confidence less outcome: 0 is perfect, 0.25 is a coin."""
    return sum((one.confidence - one.is_right) ** 2 for one in answers) / len(answers)


def share(outcomes: Iterable[bool]) -> float:
    held = list(outcomes)
    return sum(held) / len(held) if held else 0.0


@dataclass(frozen=True, slots=True)
class ByCause:
    """Of the sites of one cause: how many, verdict right, wrong, open; the cause or its like leads; it is named at all."""

    cause: str
    count: int
    right: int
    wrong: int
    leads: int
    named: int


def by_cause(answers: Sequence[Judged]) -> list[ByCause]:
    found = []
    for cause in sorted({one.cause for one in answers}):
        here = [one for one in answers if one.cause == cause]
        found.append(
            ByCause(
                cause,
                len(here),
                sum(one.verdict == one.truth.verdict for one in here),
                sum(one.is_decided and one.verdict != one.truth.verdict for one in here),
                sum(bool(one.named) and one.named[0][0] in {cause, *one.truth.also} for one in here),
                sum(any(name == cause for name, *_ in one.named) for one in here),
            )
        )
    return found


def false_alarms(answers: Iterable[Judged]) -> list[Judged]:
    """Answers on sound sites that blame something."""
    return [one for one in answers if one.verdict not in ("none", "undetermined")]


def all_named(answer: Judged) -> bool:
    """Whether every planted cause of a tenth of the loss or more is named: itself, or one that says the same of the site."""
    named = {name for name, *_ in answer.named}
    return all(named & SIBLINGS[cause] for cause, part in answer.truth.causes.items() if part >= TAKES_PART)


def all_near(answer: Judged) -> bool:
    """Whether the share of each of them is within ten points of the truth."""
    return all(
        abs(sum(part or 0.0 for name, _, _, part in answer.named if name in SIBLINGS[cause]) - true) <= NEAR
        for cause, true in answer.truth.causes.items()
        if true >= TAKES_PART
    )
