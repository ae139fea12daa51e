"""What the model predicts of a remedy for each job: what it reaches now and then, with the model's error as range."""

from functools import cached_property

from advisor.fabric.model import Fabric
from advisor.remedy.remedy import Gain
from advisor.traffic.changes import changed
from advisor.traffic.predict import Prediction, predict
from advisor.traffic.rates import job_rates, job_shares


class Gains:
    """Predictions of one fabric; each set of changes is worked out once, and nothing before it is asked for."""

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
        now = {rate.job.name: rate for rate in self._now.jobs if rate.share}
        error = self._now.error
        if error is None or not now:
            return ()
        after = changed(self._fabric, *changes)
        then = job_rates(after, job_shares(after, list(now)))
        return tuple(
            Gain(
                job=name,
                now=rate.share,
                then=then[name],
                low=max(0.0, then[name] - error),
                high=min(1.0, then[name] + error),
                now_gBps=rate.rate_gBps,
                then_gBps=None if rate.rate_gBps is None else rate.rate_gBps * then[name] / rate.share,
            )
            for name, rate in now.items()
            if rate.share and name in then
        )
