"""What the model predicts of a remedy for each job: what it reaches now and then, with the model's error as range."""

from collections.abc import Mapping
from functools import cached_property

from advisor.fabric.model import Fabric
from advisor.remedy.remedy import Gain
from advisor.traffic.changes import changed
from advisor.traffic.predict import JobRate, Prediction, predict


class Gains:
    """Predictions of one fabric; each set of changes is worked out once."""

    def __init__(self, fabric: Fabric) -> None:
        self._fabric = fabric
        self._found: dict[tuple[str, ...], tuple[Gain, ...]] = {}

    @cached_property
    def _now(self) -> Prediction:
        return predict(self._fabric)

    def of(self, changes: tuple[str, ...]) -> tuple[Gain, ...]:
        """By job, in the fabric's order. None for a remedy that nothing in the model stands for, or where the site has no ladder."""
        if not changes:
            return ()
        if changes not in self._found:
            self._found[changes] = self._gains(changes)
        return self._found[changes]

    def _gains(self, changes: tuple[str, ...]) -> tuple[Gain, ...]:
        now = self._now
        if now.error is None or not any(rate.share is not None for rate in now.jobs):
            return ()
        then = {rate.job.name: rate for rate in predict(changed(self._fabric, *changes), before=now).jobs}
        return tuple(gain for rate in now.jobs if (gain := _gain(rate, then, now.error)) is not None)


def _gain(now: JobRate, after: Mapping[str, JobRate], error: float) -> Gain | None:
    then = after.get(now.job.name)
    if then is None or now.share is None or then.share is None:
        return None
    return Gain(
        job=now.job.name,
        now=now.share,
        then=then.share,
        low=max(0.0, then.share - error),
        high=min(1.0, then.share + error),
        now_gBps=now.rate_gBps,
        then_gBps=then.rate_gBps,
    )
