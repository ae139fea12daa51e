"""What the model predicts of a remedy for each job: what it reaches now and then, with the model's error as range."""

from functools import cached_property

from advisor.fabric.model import Fabric
from advisor.remedy.remedy import Gain
from advisor.traffic.changes import changed
from advisor.traffic.measured import fitted
from advisor.traffic.predict import JobRate, Prediction, predict, rated_jobs


class Gains:
    """Predictions of one fabric; each set of changes is worked out once. `now`: the fabric as it is, where that was worked out already."""

    def __init__(self, fabric: Fabric, now: Prediction | None = None) -> None:
        self._fabric = fabric
        self._given = now
        self._found: dict[tuple[str, ...], tuple[Gain, ...]] = {}

    @cached_property
    def _now(self) -> Prediction:
        return self._given or predict(self._fabric)

    def of(self, changes: tuple[str, ...]) -> tuple[Gain, ...]:
        """By job, in the fabric's order.

        None for a remedy that nothing in the model stands for, and where the model knows no rate or misses what was measured.
        """
        if not changes:
            return ()
        if changes not in self._found:
            self._found[changes] = self._gains(changes)
        return self._found[changes]

    def _gains(self, changes: tuple[str, ...]) -> tuple[Gain, ...]:
        error, rungs = self._now.error, self._now.ladder
        if error is None or rungs is None or rungs.reproduces is False:
            return ()
        then = {rate.job.name: rate for rate in rated_jobs(changed(fitted(self._fabric), *changes))}
        return tuple(gain for now in self._now.jobs if (gain := _gain(now, then.get(now.job.name), error)) is not None)


def _gain(now: JobRate, then: JobRate | None, error: float) -> Gain | None:
    if now.share is None or then is None or then.share is None:
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
