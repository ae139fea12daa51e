"""Findings become hypotheses with odds, hypotheses become a verdict.

A hypothesis is a cause with the verdict that its signatures ask for. Its odds are those of the cause before any evidence times what its
signs do to them; of several signatures that fire the strongest counts, because their signs overlap. Beside them stands one open
hypothesis with odds of 1: nothing that we know of. The verdict is the class that holds more than everything else together.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from math import log2

from advisor.base.text import Text
from advisor.diagnosis.calibration import calibration
from advisor.diagnosis.combine import SHOWN_AT_MOST, SHOWN_AT_MOST_TRIED
from advisor.diagnosis.library import Library
from advisor.diagnosis.signature import Finding
from advisor.diagnosis.verdicts import Layer, Verdict

OPEN_ODDS = 1.0
DECIDED_AT = 0.5  # share of all odds that a verdict needs
LEADS_BY = 1.5  # and how far it must lead the next verdict
LIKELY = 0.5
EXPERIMENT = "experiment"  # group of signs that a trial gave


@dataclass(frozen=True, slots=True)
class Weighed:
    """A cause with its odds. `findings`: its signatures that fired, strongest first."""

    cause: str
    verdict: Verdict
    layer: Layer
    odds: float
    findings: tuple[Finding, ...]

    @property
    def title(self) -> Text:
        """The cause in the form in which it shows itself here."""
        return self.findings[0].signature.title

    @property
    def probability(self) -> float:
        """That it is at work here, whatever else is: causes stack."""
        return min(self.odds / (1 + self.odds), shown_at_most(self.findings))


@dataclass(frozen=True, slots=True)
class Decision:
    """The verdict, how sure, and the causes, leading first."""

    verdict: Verdict
    confidence: float
    causes: tuple[Weighed, ...]


def shown_at_most(findings: Iterable[Finding]) -> float:
    """0.95, or 0.99 where an experiment speaks for the cause: ratios that are not calibrated are too sure of themselves."""
    tried = any(one.group == EXPERIMENT and one.sign.weight > 1 for finding in findings for one in finding.seen)
    return SHOWN_AT_MOST_TRIED if tried else SHOWN_AT_MOST


def weigh(fired: Iterable[Finding], known: Library) -> tuple[Weighed, ...]:
    """The hypotheses that findings speak for, strongest first."""
    groups: dict[tuple[str, Verdict], list[Finding]] = {}
    for finding in fired:
        cause = known.causes[finding.signature.cause]
        groups.setdefault((finding.signature.cause, finding.signature.verdict or cause.verdict), []).append(finding)
    found = []
    for (cause_id, verdict), members in groups.items():
        members.sort(key=lambda finding: (-finding.factor, finding.signature.id))
        odds = known.causes[cause_id].odds * members[0].factor
        found.append(Weighed(cause_id, verdict, members[0].signature.layer, odds, tuple(members)))
    return tuple(sorted(found, key=lambda one: (-one.odds, one.cause, one.verdict)))


def decide(weighed: tuple[Weighed, ...]) -> Decision:
    whole = OPEN_ODDS + sum(one.odds for one in weighed)
    masses: dict[Verdict, float] = {}
    for one in weighed:
        masses[one.verdict] = masses.get(one.verdict, 0.0) + one.odds / whole
    ranked = sorted(masses.items(), key=lambda pair: (-pair[1], pair[0]))
    top: tuple[Verdict, float] = ranked[0] if ranked else ("undetermined", 0.0)
    second = ranked[1][1] if len(ranked) > 1 else 0.0
    if top[1] < DECIDED_AT or top[1] < LEADS_BY * second:
        return Decision("undetermined", min(1 - _sure(top[1]), SHOWN_AT_MOST), weighed)
    leading = [one for one in weighed if one.verdict == top[0]]
    others = [one for one in weighed if one is not leading[0]]
    return Decision(top[0], min(_sure(top[1]), shown_at_most(leading[0].findings)), (leading[0], *others))


def _sure(held: float) -> float:
    """How sure a verdict is that holds this share of the odds."""
    return calibration().of(held)


def held_by(weighed: Iterable[Weighed], verdict: Verdict) -> float:
    """Share of all odds that the causes of a verdict hold, as far as it may be shown; of `undetermined` what is left of the others."""
    known = tuple(weighed)
    whole = OPEN_ODDS + sum(one.odds for one in known)
    own = [one for one in known if one.verdict == verdict]
    if verdict == "undetermined":
        return OPEN_ODDS / whole
    return min(_sure(sum(one.odds for one in own) / whole), shown_at_most(own[0].findings) if own else SHOWN_AT_MOST)


def led_by(decision: Decision, share_of: Mapping[str, float]) -> Decision:
    """The decision led by the cause of its verdict that takes the largest share of the loss, among those that are likelier than not."""
    likely = [one for one in decision.causes if one.verdict == decision.verdict and one.probability > LIKELY]
    if not likely:
        return decision
    leading = max(likely, key=lambda one: (share_of.get(one.cause, 0.0), one.odds))
    return replace(decision, causes=(leading, *(one for one in decision.causes if one is not leading)))


def entropy(odds: Iterable[float]) -> float:
    """Uncertainty of exclusive hypotheses with these odds, bits."""
    known = [one for one in odds if one > 0]
    whole = sum(known)
    return -sum(one / whole * log2(one / whole) for one in known) if whole else 0.0
