"""The closed set of conditions over named measures: comparisons with a threshold or a literal, `all`, `any`, `not`. No code in data.

Truth has three values: a condition on an unknown measure is None, and None decides nothing.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from pydantic import ConfigDict, Field, model_validator

from advisor.base.model import Model
from advisor.diagnosis.measured import Measured, Value

Number = float | str  # a literal, or the id of a threshold
COMPARISONS = {"above": ">", "below": "<", "at_least": ">=", "at_most": "<=", "equals": "=", "one_of": "in", "between": "in"}


class Threshold(Model):
    """A named limit (knowledge/thresholds/<id>.yaml). What was only recalled does not load."""

    id: str
    value: float
    unit: str = ""
    status: str
    source: str
    applies: str


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a condition comes to, and the values that made it so."""

    truth: bool | None
    because: tuple[Measured, ...] = ()


class Condition(Model):
    """Exactly one of: a measure with exactly one comparison; `all`; `any`; `not`.

    A measure with several values (of several ports, say) fulfils a comparison if one of them does.
    A literal figure names its `source`; a word needs none.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)

    measure: str | None = None
    above: Number | None = None
    below: Number | None = None
    at_least: Number | None = Field(None, alias="at-least")
    at_most: Number | None = Field(None, alias="at-most")
    equals: str | None = None
    one_of: tuple[str, ...] | None = Field(None, alias="in")
    between: tuple[Number, Number] | None = None
    source: str | None = None
    all: tuple["Condition", ...] = ()
    any: tuple["Condition", ...] = ()
    negated: "Condition | None" = Field(None, alias="not")

    @model_validator(mode="after")
    def _is_one_thing(self) -> "Condition":
        kinds = [bool(self.measure), bool(self.all), bool(self.any), self.negated is not None]
        if sum(kinds) != 1:
            raise ValueError("exactly one of measure, all, any, not")
        compared = [name for name in COMPARISONS if getattr(self, name) is not None]
        if len(compared) != (1 if self.measure else 0):
            raise ValueError("a measure takes exactly one of above, below, at-least, at-most, equals, in, between; all, any, not take none")
        if any(_figure(limit) is not None for limit in self.limits) and not self.source:
            raise ValueError("a literal figure needs a source; or name a threshold")
        return self

    @cached_property
    def comparison(self) -> str:
        return next(name for name in COMPARISONS if getattr(self, name) is not None)

    @property
    def limits(self) -> tuple[Number, ...]:
        """What the measure is held against as a figure: literals and ids of thresholds."""
        found = [getattr(self, name) for name in ("above", "below", "at_least", "at_most") if getattr(self, name) is not None]
        return (*found, *(self.between or ()))

    def parts(self) -> Iterator["Condition"]:
        """The comparisons in it."""
        if self.measure:
            yield self
        for part in (*self.all, *self.any, *([self.negated] if self.negated else [])):
            yield from part.parts()

    def outcome(self, values: Mapping[str, Sequence[Measured]], limits: Mapping[str, Threshold]) -> Outcome:
        if self.measure:
            known = values.get(self.measure, ())
            met = tuple(one for one in known if self.met_by(one.value, limits))
            return Outcome(None) if not known else Outcome(True, met) if met else Outcome(False, tuple(known))
        if self.negated:
            inner = self.negated.outcome(values, limits)
            return Outcome(None if inner.truth is None else not inner.truth, inner.because)
        decisive = bool(self.any)  # one True settles an `any`, one False an `all`
        outcomes = [part.outcome(values, limits) for part in (self.any or self.all)]
        settled = [one for one in outcomes if one.truth is decisive]
        if settled:
            return Outcome(decisive, _together(settled))
        if any(one.truth is None for one in outcomes):
            return Outcome(None)
        return Outcome(not decisive, _together(outcomes))

    def met_by(self, value: Value, limits: Mapping[str, Threshold]) -> bool:
        if self.equals is not None:
            return word(value) == word(self.equals)
        if self.one_of is not None:
            return word(value) in map(word, self.one_of)
        figure = _figure(value)
        if figure is None:
            return False
        if self.between is not None:
            low, high = (amount(limit, limits) for limit in self.between)
            return low <= figure <= high
        limit = amount(self.limits[0], limits)
        return {"above": figure > limit, "below": figure < limit, "at_least": figure >= limit, "at_most": figure <= limit}[self.comparison]

    def as_text(self, limits: Mapping[str, Threshold]) -> str:
        """The comparison as a person reads it: `> 0.3`."""
        sign = COMPARISONS[self.comparison]
        if self.between is not None:
            low, high = (f"{amount(limit, limits):g}" for limit in self.between)
            return f"{low} - {high}"
        if self.limits:
            return f"{sign} {amount(self.limits[0], limits):g}"
        return f"{sign} {self.equals or ', '.join(self.one_of or ())}"

    def limit_source(self, limits: Mapping[str, Threshold]) -> str:
        named = [limits[limit].source for limit in self.limits if isinstance(limit, str) and limit in limits]
        return named[0] if named else self.source or ""


def amount(limit: Number, limits: Mapping[str, Threshold]) -> float:
    figure = _figure(limit)
    return limits[str(limit)].value if figure is None else figure


def word(value: Value) -> str:
    """A value as the word that data files use: yes, no, a figure without needless digits, or text in lower case."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int | float):
        return f"{value:g}"
    text = value.strip().lower()
    return {"true": "yes", "false": "no"}.get(text, text)


def _figure(value: Value | Number) -> float | None:
    if isinstance(value, bool):
        return None
    try:
        return float(value)
    except ValueError:
        return None


def _together(outcomes: Sequence[Outcome]) -> tuple[Measured, ...]:
    return tuple(dict.fromkeys(one for outcome in outcomes for one in outcome.because))
