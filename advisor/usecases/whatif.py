"""What if: the model of a site after remedies, beside the model as it is."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from advisor.base.errors import UsageError
from advisor.traffic.changes import changed
from advisor.traffic.ladder import reached
from advisor.traffic.measured import fitted
from advisor.traffic.predict import Prediction, predict
from advisor.usecases.assess import Assessment, remedies


@dataclass(frozen=True, slots=True)
class WhatIf:
    """taken: remedy -> the changes that stand for it in the model, in the order in which they were named; none where it cannot speak of it.

    before, after: what the jobs reach of their ports' rate now and then, 0 to 1; None where the site has no ladder.
    """

    taken: Mapping[str, tuple[str, ...]]
    now: Prediction
    then: Prediction

    @property
    def before(self) -> float | None:
        return self.now.ladder.R_now if self.now.ladder else None

    @property
    def after(self) -> float | None:
        return self.then.ladder.R_now if self.then.ladder else None

    @property
    def gain(self) -> float | None:
        return None if self.before is None or self.after is None else self.after - self.before

    @property
    def silent(self) -> tuple[str, ...]:
        """Remedies that nothing in the model stands for."""
        return tuple(remedy for remedy, changes in self.taken.items() if not changes)


def whatif(assessment: Assessment, take: Sequence[str]) -> WhatIf:
    """The site's model after these remedies, one after the other. Raises UsageError for a remedy that is not there."""
    taken = _taken(take)
    now = assessment.prediction
    return WhatIf(taken, now, predict(changed(fitted(assessment.fabric), *_changes(taken)), before=now))


def reached_with(assessment: Assessment, take: Sequence[str]) -> float | None:
    """What the jobs reach of their ports' rate after these remedies, 0 to 1: `after` of the above without all else, while a person chooses.

    None where the fabric does not tell. Raises UsageError for a remedy that is not there.
    """
    return reached(assessment.fabric, *_changes(_taken(take)))


def _taken(take: Sequence[str]) -> dict[str, tuple[str, ...]]:
    known = remedies()
    for remedy in take:
        if remedy not in known:
            raise UsageError("no-such-remedy", remedy=remedy)
    return {remedy: known[remedy].changes for remedy in take}


def _changes(taken: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(change for names in taken.values() for change in names))
