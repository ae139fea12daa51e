"""How much is lost, against what, and which part of it free measures bring back."""

from collections.abc import Mapping, Sequence

from advisor.base.text import Text, text_of
from advisor.diagnosis.measured import Measured
from advisor.diagnosis.observed import Observed
from advisor.diagnosis.verdict import Loss
from advisor.diagnosis.verdicts import Verdict
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
# Causes of the diagnosis by the cause of the model that stands for them.
_MODELLED = {
    "placement": ("fragmented-placement", "rank-order"),
    "storage": (
        "checkpoint-contention",
        "storage-on-shared-queue",
        "storage-placement",
        "dataset-read-contention",
        "model-load-contention",
    ),
    "balance": ("ecmp-hash-collision", "ecmp-polarisation", "static-route-collision", "adaptive-routing-off", "path-pinning"),
    "tenants": ("noisy-neighbour", "tenant-limit-missing", "phase-collision"),
    "flow-control": ("ecn-missing", "pause-spread", "ecn-one-sided", "ecn-thresholds", "pfc-too-wide", "lossless-class-missing"),
    "capacity": ("uplink-oversubscription", "job-larger-than-leaf"),
}
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
    """The loss by the ladder of the fabric model, with the error that the model states of itself."""
    model = site.model
    if model is None:
        return None
    error = model.stated_error
    fraction = model.free_part + model.physical_part
    return Loss(
        fraction=fraction,
        low=max(fraction - error, 0.0),
        high=min(fraction + error, 1.0),
        free=model.free_part,
        hardware=model.physical_part,
        method="model",
        baseline=_text("model"),
        origins=site.model_origins,
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


def shares(site: Observed, decision: Decision) -> dict[str, float]:
    """Share of the loss of each cause at work: by the model's causes where it speaks, else by odds; nothing where the verdict is open."""
    if decision.verdict in ("undetermined", "none"):
        return {}
    at_work: dict[str, float] = {}
    for one in _at_work(decision):
        at_work[one.cause] = at_work.get(one.cause, 0.0) + one.odds
    if site.model is None:
        whole = sum(at_work.values())
        return {cause: odds / whole for cause, odds in at_work.items()}
    lost = site.model.free_part + site.model.physical_part
    parts = {**site.model.shares, "capacity": site.model.physical_part}
    found: dict[str, float] = {}
    for name, causes in _MODELLED.items():
        here = {cause: at_work[cause] for cause in causes if cause in at_work}
        whole = sum(here.values())
        found |= {cause: parts.get(name, 0.0) / lost * odds / whole for cause, odds in here.items()}
    return found


def _text(name: str) -> Text | None:
    return text_of(f"diagnosis.baseline.{name}")
