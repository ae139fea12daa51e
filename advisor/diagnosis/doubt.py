"""How the verdict stands up: what it would be without any one piece of evidence, and which open answers would turn it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from advisor.base.text import Text, text_of
from advisor.diagnosis.findings import Findings, held_against, with_signs
from advisor.diagnosis.library import Library
from advisor.diagnosis.measured import Measured
from advisor.diagnosis.signature import Finding
from advisor.diagnosis.verdict import Turn, Without
from advisor.diagnosis.verdicts import Verdict
from advisor.diagnosis.weigh import Decision, Weighed, decide, weigh

LIKELY = 0.2  # probability from which the evidence of a cause is taken away to see what happens
TRIED = 12  # measures that are taken away, heaviest first
TURNS = 5  # answers that are named
Values = Mapping[str, tuple[Measured, ...]]


@dataclass(frozen=True)
class Doubts:
    """Decides again with other values; only signatures that ask for what changed are held against them again."""

    found: Findings
    known: Library
    decision: Decision

    def without(self) -> tuple[Without, ...]:
        """The verdict without each measure that bears on a likely cause, heaviest first."""
        said = []
        for name in heaviest(self.decision.causes):
            raw = {other: values for other, values in self.found.raw.items() if other != name}
            again = self._again(name, with_signs(raw, self.known, frozenset({name})))
            turns = again.verdict != self.decision.verdict
            said.append(Without(measure=name, text=_words(name), verdict=again.verdict, confidence=again.confidence, turns=turns))
        return tuple(said)

    def turns(self) -> tuple[Turn, ...]:
        """Signs of the form that nobody has answered and whose answer would give another verdict, the surest first."""
        found = []
        for name in sorted(self.known.signs_asked):
            if name in self.found.values:
                continue
            for answer in (True, False):
                supposed = {**self.found.values, name: (Measured(name, answer),)}
                again = self._again(name, supposed)
                if again.verdict not in (self.decision.verdict, "undetermined"):
                    found.append(_turn(name, answer, again.verdict, again.confidence))
        return tuple(sorted(found, key=lambda turn: (-turn.confidence, turn.measure, turn.value))[:TURNS])

    def _again(self, changed: str, values: Values) -> Decision:
        before = self.found.values
        touched = {changed} | {name for name in before.keys() | values.keys() if before.get(name) != values.get(name)}
        return decide(weigh(self._fired(touched, values), self.known))

    def _fired(self, touched: set[str], values: Values) -> Iterable[Finding]:
        for finding in self.found.findings:
            asked = self.known.asks[finding.signature.id]
            one = held_against(finding.signature, values, self.known, self.found.trust) if asked & touched else finding
            if one.fires:
                yield one


def heaviest(causes: Iterable[Weighed]) -> list[str]:
    """Measures behind the evidence of likely causes, by the weight of their heaviest sign."""
    weights: dict[str, float] = {}
    for cause in causes:
        for finding in cause.findings if cause.probability >= LIKELY else ():
            for seen in finding.seen:
                for one in seen.because:
                    weight = max(seen.weight, 1 / seen.weight)
                    weights[one.name] = max(weights.get(one.name, 0.0), weight)
    return sorted(weights, key=lambda name: (-weights[name], name))[:TRIED]


def _turn(name: str, answer: bool, verdict: Verdict, confidence: float) -> Turn:
    value = "yes" if answer else "no"
    key, said = text_of("diagnosis.piece"), text_of(f"diagnosis.{value}")
    words = _words(name)
    text = words
    if key and said:
        text = Text(
            en=key.say("en", measure=words.en, value=said.en),
            zh=key.say("zh", measure=words.zh, value=said.zh),
        )
    return Turn(measure=name, value=value, text=text, verdict=verdict, confidence=confidence)


def _words(name: str) -> Text:
    return text_of(f"measure.{name}") or Text(en=name, zh=name)
