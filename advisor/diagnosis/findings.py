"""What was measured, held against what is known: values with the signs that follow from them, and every signature's finding."""

from collections.abc import Mapping
from dataclasses import dataclass

from advisor.diagnosis.condition import Condition
from advisor.diagnosis.library import Library
from advisor.diagnosis.measured import Measured, measured, measures, ordered
from advisor.diagnosis.observed import Observed
from advisor.diagnosis.quality import trust_in
from advisor.diagnosis.signature import Finding, Signature, Trust, find

Values = Mapping[str, tuple[Measured, ...]]


@dataclass(frozen=True)
class Findings:
    """`raw`: the values without the signs that follow from them; `trust`: how far each can be relied on."""

    values: Values
    findings: tuple[Finding, ...]
    raw: Values
    trust: Trust

    @property
    def fired(self) -> tuple[Finding, ...]:
        return tuple(one for one in self.findings if one.fires)


def findings(site: Observed, known: Library, set_aside: frozenset[str] = frozenset()) -> Findings:
    """Every signature against the site, in order of id. Measures that are set aside say nothing."""
    raw = measured(site, set_aside)
    values = with_signs(raw, known, set_aside)
    trust = trust_in(site.bundle, values)
    return Findings(values, tuple(held_against(one, values, known, trust) for one in known.signatures.values()), raw, trust)


def held_against(signature: Signature, values: Values, known: Library, trust: Trust) -> Finding:
    return find(signature, values, known.thresholds, measures(), trust)


def with_signs(values: Values, known: Library, set_aside: frozenset[str] = frozenset()) -> dict[str, tuple[Measured, ...]]:
    """The values, and the signs of the form that follow from figures: yes where its condition is met, else no where that one is."""
    found = dict(values)
    for name, sign in known.signs.items():
        if name in set_aside:
            continue
        for condition, answer in ((sign.yes, True), (sign.no, False)):
            because = _because(condition, values, known)
            if because:
                origins = tuple(dict.fromkeys(where for one in because for where in one.origins))
                about = ", ".join(dict.fromkeys(one.about for one in because if one.about))
                found[name] = ordered((*found.get(name, ()), Measured(name, answer, about, origins)))
                break
    return found


def _because(condition: Condition | None, values: Values, known: Library) -> tuple[Measured, ...]:
    if condition is None:
        return ()
    outcome = condition.outcome(values, known.thresholds)
    return outcome.because if outcome.truth else ()
