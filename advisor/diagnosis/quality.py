"""How far the data behind a sign can be relied on: a factor 0 to 1 on the logarithm of its weight.

Halved for what is older than 30 days, as the rules of combination have it. The other factors are our own judgement, kept near 1 until
labelled sites say more. A person's word counts in full (the weights of signs were judged on statements) until a capture says otherwise.
There is no clock here: age is counted from the newest capture of the assessment.
"""

from collections.abc import Callable, Mapping, Sequence
from datetime import date
from functools import cache

from advisor.diagnosis.condition import word
from advisor.diagnosis.measured import Measured
from advisor.diagnosis.signature import WHOLE, Quality, Trust
from advisor.evidence.bundle import Bundle, Capture
from advisor.evidence.origin import Origin

OLD_DAYS = 30
OLD = 0.5  # another month, often another mix of jobs
READ_IN_PART = 0.7  # the run that it comes from is cut, damaged or was thinned out
OVERRIDDEN = 0.5  # a person's word, against what a tool printed
_HARMED = {"cut", "damaged", "doubtful", "left-out", "missing-part"}


def trust_in(bundle: Bundle, values: Mapping[str, Sequence[Measured]]) -> Trust:
    """Tells how far the values of a sign can be relied on.

    Of several values of one measure the best counts, of several measures the worst.
    """
    age = ages(bundle)
    against = {name: _captured_words(known) for name, known in values.items()}

    @cache
    def of_origin(where: Origin) -> Quality:
        found = WHOLE
        capture = bundle.by_sha.get(where.capture)
        if capture is not None and _is_harmed(capture, where.line):
            found = _both(found, Quality(READ_IN_PART, ("read-in-part",)))
        if age(where.capture) > OLD_DAYS:
            found = _both(found, Quality(OLD, ("old",)))
        return found

    @cache
    def of_value(one: Measured) -> Quality:
        if one.origins and all(where.kind == "stated" for where in one.origins) and _denied(one, against.get(one.name, frozenset())):
            return Quality(OVERRIDDEN, ("overridden",))
        return min((of_origin(where) for where in one.origins), key=lambda quality: quality.factor, default=WHOLE)

    def trust(because: Sequence[Measured]) -> Quality:
        best: dict[str, Quality] = {}
        for one in because:
            quality = of_value(one)
            if one.name not in best or quality.factor > best[one.name].factor:
                best[one.name] = quality
        return min(best.values(), key=lambda quality: quality.factor, default=WHOLE)

    return trust


def ages(bundle: Bundle) -> Callable[[str], int]:
    """Days by which a capture is older than the newest one of the assessment; 0 where no date is known."""
    days = {capture.sha256: day for capture in bundle.captures if (day := _day(capture)) is not None}
    newest = max(days.values(), default=None)
    return lambda sha: (newest - days[sha]).days if newest is not None and sha in days else 0


def _day(capture: Capture) -> date | None:
    """The day of a capture, else the latest that the text of its parts tells."""
    found = []
    for time in (capture.time, *(part.time for part in capture.reading.parts)):
        try:
            found.append(date.fromisoformat((time or "")[:10]))
        except ValueError:
            continue
        if capture.time:
            break
    return max(found, default=None)


def _is_harmed(capture: Capture, line: int | None) -> bool:
    """Whether the run that a line belongs to was not read whole. What is wrong elsewhere in a file says nothing of it."""
    return any(
        problem.why in _HARMED
        for part in capture.reading.parts
        if line is not None and part.lines[0] <= line <= part.lines[1]
        for problem in part.problems
    )


def _captured_words(values: Sequence[Measured]) -> frozenset[str]:
    """Answers, yes or no, that rest on captures."""
    return frozenset(
        word(one.value) for one in values if isinstance(one.value, bool) and any(where.kind == "capture" for where in one.origins)
    )


def _denied(one: Measured, captured: frozenset[str]) -> bool:
    return isinstance(one.value, bool) and bool(captured) and word(one.value) not in captured


def _both(first: Quality, second: Quality) -> Quality:
    return Quality(first.factor * second.factor, (*first.doubts, *second.doubts))
