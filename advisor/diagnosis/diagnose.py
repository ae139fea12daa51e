"""The diagnosis of a site: measures, findings, verdict, split of the loss, the walk of an expert, and what to ask next."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from advisor.base.text import Text, text_of
from advisor.diagnosis.doubt import Doubts
from advisor.diagnosis.findings import findings
from advisor.diagnosis.flow_control import side_by_side
from advisor.diagnosis.library import Library, library
from advisor.diagnosis.loss import loss_of, shares
from advisor.diagnosis.observed import Observed
from advisor.diagnosis.probes import next_probes
from advisor.diagnosis.verdict import Cause, Diagnosis, Overruled
from advisor.diagnosis.verdicts import Verdict
from advisor.diagnosis.walk import gates, layer_states, missing, stop
from advisor.diagnosis.weigh import Decision, decide, held_by, led_by, weigh
from advisor.diagnosis.words import evidence, headline
from advisor.evidence.bundle import Bundle
from advisor.fabric.model import Fabric

SHOWN_FROM = 0.05  # probability below which a cause that fired is left out


@dataclass(frozen=True, slots=True)
class Overrule:
    """A person's own verdict, with the reason for it."""

    verdict: Verdict
    reason: str


def diagnose(
    bundle: Bundle,
    fabric: Fabric,
    set_aside: frozenset[str] = frozenset(),
    overrule: Overrule | None = None,
    known: Library | None = None,
) -> Diagnosis:
    """The diagnosis of what was observed.

    set_aside   names of measures that a person switched off ("what if this were wrong?")
    overrule    a person's verdict: it stands in place of the evidence's, which is told beside it
    known       the knowledge to go by; the shipped one with the person's own over it where none is given

    The same input gives the same answer, in any order of import. Raises ContentError where a data file does not fit its form.
    """
    known = known or library()
    site = Observed(bundle, fabric)
    found = findings(site, known, set_aside)
    weighed = weigh(found.fired, known)
    by_evidence = decide(weighed)
    decision = _overruled(by_evidence, overrule) if overrule else by_evidence
    share_of = shares(site, decision)
    if site.model is not None:
        decision = led_by(decision, share_of)
    states = layer_states(found.values, decision)
    probes = next_probes(site, found, known, decision)
    walked = gates(site, found, decision, known)
    doubts = Doubts(found, known, by_evidence)
    return Diagnosis(
        verdict=decision.verdict,
        confidence=decision.confidence,
        headline=_person_says(overrule) if overrule else headline(decision),
        layers=states,
        causes=_causes(decision, share_of, known),
        loss=loss_of(site, found.values, decision),
        gates=walked,
        stop=stop(walked, decision, known),
        missing=missing(states),
        next_probe=probes[0] if probes else None,
        probes=probes,
        set_aside=tuple(sorted(set_aside)),
        without=doubts.without(),
        turns=doubts.turns(),
        overruled=_beside(by_evidence, overrule) if overrule else None,
        flow_control=side_by_side(bundle, fabric),
        knowledge=known.folders,
    )


def _overruled(decision: Decision, overrule: Overrule) -> Decision:
    """The causes of a person's verdict lead; the confidence is what the evidence gives that verdict."""
    own = tuple(one for one in decision.causes if one.verdict == overrule.verdict)
    others = tuple(one for one in decision.causes if one.verdict != overrule.verdict)
    confidence = held_by(decision.causes, overrule.verdict)
    return replace(decision, verdict=overrule.verdict, confidence=confidence, causes=(*own, *others))


def _person_says(overrule: Overrule) -> Text:
    text = text_of(f"diagnosis.headline.overruled-{overrule.verdict}") or Text(en="{reason}", zh="{reason}")
    return Text(en=text.say("en", reason=overrule.reason), zh=text.say("zh", reason=overrule.reason))


def _beside(decision: Decision, overrule: Overrule) -> Overruled:
    return Overruled(reason=overrule.reason, verdict=decision.verdict, confidence=decision.confidence, headline=headline(decision))


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
