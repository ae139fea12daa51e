"""What if: the model of a site after remedies, beside the model as it is."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from advisor.base.errors import UsageError
from advisor.traffic.changes import changed
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
    known = remedies()
    for remedy in take:
        if remedy not in known:
            raise UsageError("no-such-remedy", remedy=remedy)
    taken = {remedy: known[remedy].changes for remedy in take}
    changes = dict.fromkeys(change for names in taken.values() for change in names)
    now = predict(assessment.fabric)
    return WhatIf(taken, now, predict(changed(assessment.fabric, *changes), before=now))
