"""The diagnosis of a site: measures, findings, verdict, split of the loss, the walk of an expert, and what to ask next."""

from collections.abc import Mapping

from advisor.diagnosis.findings import findings
from advisor.diagnosis.library import Library, library
from advisor.diagnosis.loss import loss_of, shares
from advisor.diagnosis.observed import Observed
from advisor.diagnosis.probes import next_probes
from advisor.diagnosis.verdict import Cause, Diagnosis
from advisor.diagnosis.walk import gates, layer_states, missing
from advisor.diagnosis.weigh import Decision, decide, led_by, weigh
from advisor.diagnosis.words import evidence, headline
from advisor.evidence.bundle import Bundle
from advisor.fabric.model import Fabric

SHOWN_FROM = 0.05  # probability below which a cause that fired is left out


def diagnose(bundle: Bundle, fabric: Fabric, set_aside: frozenset[str] = frozenset()) -> Diagnosis:
    """The diagnosis of what was observed. `set_aside`: names of measures that a person switched off ("what if this were wrong?").

    The same input gives the same answer, in any order of import. Raises ContentError where a data file does not fit its form.
    """
    known = library()
    site = Observed(bundle, fabric)
    found = findings(site, known, set_aside)
    weighed = weigh(found.fired, known)
    decision = decide(weighed)
    share_of = shares(site, decision)
    if site.model is not None:
        decision = led_by(decision, share_of)
    loss = loss_of(site, found.values, decision)
    states = layer_states(found.values, decision)
    probes = next_probes(site, found, known, decision)
    return Diagnosis(
        verdict=decision.verdict,
        confidence=decision.confidence,
        headline=headline(decision),
        layers=states,
        causes=_causes(decision, share_of, known),
        loss=loss,
        gates=gates(found.values, decision, known),
        missing=missing(states),
        next_probe=probes[0] if probes else None,
        probes=probes,
        set_aside=tuple(sorted(set_aside)),
    )


def _causes(decision: Decision, share_of: Mapping[str, float], known: Library) -> tuple[Cause, ...]:
    found: dict[str, Cause] = {}
    for one in decision.causes:
        if one.cause in found or (found and one.probability < SHOWN_FROM):
            continue
        leading = one.findings[0].signature
        found[one.cause] = Cause(
            cause=one.cause,
            layer=one.layer,
            verdict=one.verdict,
            title=leading.title,
            probability=one.probability,
            share=share_of.get(one.cause),
            evidence=evidence(one, known),
            explanation=leading.explanation,
            signatures=tuple(finding.signature.id for finding in one.findings),
        )
    return tuple(found.values())
