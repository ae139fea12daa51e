"""A signature: how one cause shows itself. One YAML file each, with its signs for and against, its weights, its sources and its tests.

It fires where the signs that are known lift the odds of its cause by `FIRES_AT` or more, at least one of them speaking for it.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from pydantic import ConfigDict, Field, model_validator

from advisor.base.model import Model
from advisor.base.text import Text
from advisor.diagnosis.combine import factor
from advisor.diagnosis.condition import Condition, Outcome, Threshold, word
from advisor.diagnosis.measured import Measure, Measured
from advisor.diagnosis.verdicts import Layer, Verdict

FIRES_AT = 3.0


class Sign(Condition):
    """A condition with its weight: the factor on the odds of the cause where it is true. Above 1 it speaks for, below 1 against.

    group  overrides the group of its first measure (signs of one group say much the same)
    text   what it means here, where the measure's own words do not say it
    """

    weight: float = Field(gt=0)
    group: str | None = None
    text: Text | None = None


class Trial(Model):
    """A test that stands with the signature: values of measures, and whether it fires on them."""

    values: Mapping[str, str | tuple[str, ...]]
    fires: bool


class Signature(Model):
    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)

    id: str
    cause: str
    layer: Layer
    verdict: Verdict | None = None  # where this form of the cause asks for another answer than the usual one
    title: Text
    explanation: Text
    supports: tuple[Sign, ...] = Field(alias="for", min_length=1)
    against: tuple[Sign, ...] = ()
    false_positives: Text
    sources: tuple[str, ...] = Field(min_length=1)
    probes: tuple[str, ...] = Field(min_length=1)
    cases: tuple[Trial, ...] = Field(min_length=2)

    @model_validator(mode="after")
    def _is_tested(self) -> "Signature":
        if {case.fires for case in self.cases} != {True, False}:
            raise ValueError("at least one firing and one silent case")
        if any(sign.weight <= 1 for sign in self.supports) or any(sign.weight >= 1 for sign in self.against):
            raise ValueError("weights of `for` lie above 1, of `against` below 1")
        return self

    @property
    def signs(self) -> tuple[Sign, ...]:
        return (*self.supports, *self.against)


@dataclass(frozen=True, slots=True)
class Quality:
    """How far a sign's data can be relied on, 0 to 1, and why not wholly (keys of diagnosis.doubt)."""

    factor: float = 1.0
    doubts: tuple[str, ...] = ()


WHOLE = Quality()
Trust = Callable[[Sequence[Measured]], Quality]  # diagnosis/quality


@dataclass(frozen=True, slots=True)
class Seen:
    """A sign that is true here, with the values that made it so and how far they can be relied on."""

    sign: Sign
    group: str
    because: tuple[Measured, ...]
    quality: Quality = WHOLE

    @property
    def weight(self) -> float:
        """The sign's factor on the odds, its logarithm taken as far as its data can be relied on."""
        return float(self.sign.weight**self.quality.factor)


@dataclass(frozen=True, slots=True)
class Finding:
    """A signature held against what was measured: the signs that are true, and what they do to the odds together."""

    signature: Signature
    seen: tuple[Seen, ...]
    factor: float

    @property
    def fires(self) -> bool:
        return self.factor >= FIRES_AT and any(one.sign.weight > 1 for one in self.seen)


def find(
    signature: Signature,
    values: Mapping[str, Sequence[Measured]],
    limits: Mapping[str, Threshold],
    measures: Mapping[str, Measure],
    trust: Trust | None = None,
) -> Finding:
    """The signature held against the values; all of them count in full where no `trust` tells how far each can be relied on."""
    seen = []
    for sign in signature.signs:
        outcome: Outcome = sign.outcome(values, limits)
        if outcome.truth:
            first = next(iter(sign.parts())).measure or ""
            quality = trust(outcome.because) if trust else WHOLE
            seen.append(Seen(sign, sign.group or measures[first].group, outcome.because, quality))
    return Finding(signature, tuple(seen), factor((one.group, one.weight) for one in seen))


def trial_values(trial: Trial) -> dict[str, tuple[Measured, ...]]:
    """The values of a test as measures would give them."""
    found: dict[str, tuple[Measured, ...]] = {}
    for name, raw in trial.values.items():
        items = (raw,) if isinstance(raw, str) else raw
        found[name] = tuple(Measured(name, {"yes": True, "no": False}.get(word(item), _typed(item))) for item in items)
    return found


def _typed(text: str) -> float | str:
    try:
        return float(text)
    except ValueError:
        return text
