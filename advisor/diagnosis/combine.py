"""How signs add up: likelihood ratios on the odds of each hypothesis, held back because they are not yet calibrated.

Within a group the strongest sign counts in full and each further one half; one sign counts at most a factor of 10, one group of 30.
"""

from collections.abc import Iterable, Mapping
from math import exp, log

ITEM_CLIP = log(10)
GROUP_CLIP = log(30)
FURTHER = 0.5  # weight of each further sign of a group
SHOWN_AT_MOST = 0.95  # without an experiment
SHOWN_AT_MOST_TRIED = 0.99  # with one: a change that was tried and measured


def factor(signs: Iterable[tuple[str, float]]) -> float:
    """What signs `(group, likelihood ratio)` do together to the odds of one hypothesis."""
    groups: dict[str, list[float]] = {}
    for group, ratio in signs:
        groups.setdefault(group, []).append(_clip(log(ratio), ITEM_CLIP))
    return exp(sum(_clip(_of_group(logs), GROUP_CLIP) for _, logs in sorted(groups.items())))


def _of_group(logs: list[float]) -> float:
    strongest, *further = sorted(logs, key=lambda value: (-abs(value), value))
    return strongest + FURTHER * sum(further)


def _clip(value: float, bound: float) -> float:
    return max(-bound, min(bound, value))


def posterior(prior: Mapping[str, float], signs: Iterable[tuple[str, Mapping[str, float]]]) -> dict[str, float]:
    """Probabilities of exclusive hypotheses after signs `(group, {hypothesis: likelihood ratio})`; one that a sign does not name has 1."""
    held = list(signs)
    odds = {name: p * factor((group, ratios[name]) for group, ratios in held if name in ratios) for name, p in prior.items()}
    whole = sum(odds.values())
    return {name: value / whole for name, value in odds.items()}
