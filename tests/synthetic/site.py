"""One synthetic site from a seed: a folder of captures, and its truth. Seeds of tuning and of judging never meet (`HELD_FROM`)."""

from collections.abc import Mapping
from dataclasses import dataclass
from random import Random

import yaml

from advisor.base import places
from tests.synthetic import causes_above, causes_fabric, causes_flow, causes_node  # noqa: F401 - they register what they do
from tests.synthetic.background import background
from tests.synthetic.causes import MECHANISMS, RDMA, Mechanism
from tests.synthetic.causes_unknown import unknown
from tests.synthetic.report import Reporter
from tests.synthetic.world import world

HELD_FROM = 1_000_000  # seeds below are for tuning, from here on for judging alone
# How often a verdict rules on sites that ask: the priors of the money question; configuration is what is wrong on a node but not broken.
MIX = {"shared-contention": 0.40, "physical-capacity": 0.15, "configuration": 0.19, "node-fault": 0.16, "none": 0.10}
LARGE = 0.04
UNKNOWN = 0.10  # of sites: slow for no reason that anybody established, as one in ten of the public reports


@dataclass(frozen=True, slots=True)
class Truth:
    """verdict: the right one. causes: planted ones with their share of the loss, largest first. also: causes as right to name first."""

    verdict: str
    causes: Mapping[str, float]
    also: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Site:
    seed: int
    files: Mapping[str, str]
    truth: Truth


def verdicts() -> dict[str, str]:
    """The usual verdict of each cause of the closed set."""
    known = yaml.safe_load((places.knowledge() / "causes.yaml").read_text(encoding="utf-8"))
    return {name: entry["verdict"] for name, entry in known.items()}


def site(seed: int, cause: str | None = None) -> Site:
    """A site with one cause or none: drawn by verdict as on sites that ask, then evenly among its causes. A tenth has no known cause."""
    dice = Random(seed)
    known = verdicts()
    if cause is None and dice.random() < UNKNOWN:
        return _site(seed, dice, Mechanism("", unknown, RDMA), Truth("undetermined", {}))
    if cause is None:
        verdict = dice.choices(list(MIX), list(MIX.values()))[0]
        cause = dice.choice([name for name in MECHANISMS if known[name] == verdict])
    return _site(seed, dice, MECHANISMS[cause], Truth(known[cause], {cause: 1.0}, MECHANISMS[cause].also))


def _site(seed: int, dice: Random, made: Mechanism, truth: Truth) -> Site:
    w = world(dice, large=dice.random() < LARGE)
    if w.technology not in made.technologies:
        w = world(dice, dice.choice(made.technologies))
    background(w)
    made.act(w, dice.uniform(0.18, 0.6))
    return Site(seed, Reporter(w, clear=False).write(), truth)


def healthy(seed: int) -> Site:
    """A site on which nothing is wrong."""
    return site(seed, "on-target")
