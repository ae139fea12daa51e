"""How much is lost, against what, and which part of it free measures bring back."""

from collections.abc import Callable, Mapping, Sequence

from advisor.base.text import Text, catalogue
from advisor.diagnosis.measured import Measured
from advisor.diagnosis.observed import Observed
from advisor.diagnosis.verdict import Loss, Verdict
from advisor.diagnosis.weigh import Decision, Weighed

# What a loss may be read from, most direct first: a measure that is 1 where nothing is lost, and what 1 stands for there.
_BASELINES = (
    ("busy_over_quiet", 1.0),
    ("share_of_expected", 1.0),
    ("cross_over_same_leaf", 1.0),
    ("pair_spread", 1.0),
    ("more_hosts_over_fewer", 1.0),
    ("host_over_gpu_memory", 1.0),
    ("inside_over_outside", 1.0),
    ("collective_share_of_line", 0.96),  # what a healthy host reaches of the sum of its NICs (platform table, row P20)
    ("point_to_point_share_of_line", 0.97),  # row F17
    ("socket_share_of_line", 0.94),
    ("version_gain", 0.0),  # given as gain: 1 - 1/gain is lost
    ("setting_gain", 0.0),
    ("many_hosts_over_one", 1.0),
)
AT_WORK = 0.2  # probability from which a cause takes part in the split


def loss_of(site: Observed, values: Mapping[str, Sequence[Measured]], decision: Decision) -> Loss:
    """The loss by the model of the fabric where it speaks, else by the most direct measured baseline; unknown where nothing tells."""
    modelled = _by_model(site)
    if modelled is not None and decision.verdict != "none":
        return modelled
    if decision.verdict == "none":
        return Loss(fraction=0.0, free=0.0, hardware=0.0, method="evidence", baseline=_text("hardware"))
    for name, whole in _BASELINES:
        known = [one for one in values.get(name, ()) if isinstance(one.value, float) and one.value > 0]
        if known:
            lost = [1 - 1 / float(one.value) if not whole else 1 - float(one.value) / whole for one in known]
            worst = max(lost)
            if worst <= 0:
                continue
            origins = known[lost.index(worst)].origins
            free = _free(decision)
            return Loss(
                fraction=worst,
                low=max(min(lost), 0.0),
                high=min(worst + 0.05, 1.0),
                free=None if free is None else worst * free,
                hardware=None if free is None else worst * (1 - free),
                method="measured",
                baseline=_text(name),
                origins=origins,
            )
    return Loss()


def _by_model(site: Observed) -> Loss | None:
    """The loss by the ladder of the fabric model: now, balanced, isolated, packed, ideal."""
    try:
        from advisor.traffic.ladder import ladder
    except ModuleNotFoundError:
        return None
    rungs: Callable[..., object] = ladder
    found = rungs(site.fabric)
    now, ideal = getattr(found, "R_now", None), getattr(found, "R_ideal", None)
    if not isinstance(now, float) or not isinstance(ideal, float) or now >= 1:
        return None
    free = max(ideal - now, 0.0)
    error = 0.1  # what a published analytical model reaches at best (published results, row R23)
    fraction = 1 - now
    return Loss(
        fraction=fraction,
        low=max(fraction - error, 0.0),
        high=min(fraction + error, 1.0),
        free=free,
        hardware=max(fraction - free, 0.0),
        method="model",
        baseline=_text("model"),
    )


def _free(decision: Decision) -> float | None:
    """Share of the loss that measures without hardware bring back, by the odds of the causes at work; None where nothing is decided."""
    part = {"shared-contention": 1.0, "configuration": 1.0, "physical-capacity": 0.0, "node-fault": 1.0}
    at_work = _at_work(decision)
    weights = sum(one.odds for one in at_work)
    if decision.verdict in ("undetermined", "none") or not weights:
        return None
    return sum(one.odds * part[one.verdict] for one in at_work) / weights


def _at_work(decision: Decision) -> list[Weighed]:
    silent: tuple[Verdict, ...] = ("none", "undetermined")
    return [one for one in decision.causes if one.probability >= AT_WORK and one.verdict not in silent]


def shares(decision: Decision) -> dict[str, float]:
    """Share of the loss of each cause at work, by their odds; nothing where the verdict is open or nothing is wrong."""
    if decision.verdict in ("undetermined", "none"):
        return {}
    at_work = _at_work(decision)
    whole = sum(one.odds for one in at_work)
    found: dict[str, float] = {}
    for one in at_work:
        found[one.cause] = found.get(one.cause, 0.0) + one.odds / whole
    return found


def _text(name: str) -> Text | None:
    return catalogue().get(f"diagnosis.baseline.{name}")
