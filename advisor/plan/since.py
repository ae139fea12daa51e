"""Two assessments of one site over time: what changed in the fabric, the verdict, the plan and the prices."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

from advisor.cost.model import Price
from advisor.diagnosis.verdict import Diagnosis
from advisor.fabric.model import Fabric, Link
from advisor.plan.plan import Plan

Topic = Literal["fabric", "verdict", "plan", "prices"]


@dataclass(frozen=True, slots=True)
class Difference:
    """One thing that is not as it was. `figure`: what of it (a key of since.yaml); before, now: as words, empty where there was none."""

    topic: Topic
    thing: str
    figure: str
    before: str
    now: str


def since(old: tuple[Fabric, Diagnosis, Plan], new: tuple[Fabric, Diagnosis, Plan]) -> tuple[Difference, ...]:
    """All differences, fabric first. Hosts, switches and links are the same by name, causes and remedies by id."""
    return (*_fabric(old[0], new[0]), *_verdict(old[1], new[1]), *_plan(old[2], new[2]), *_prices(old[2], new[2]))


def _set(topic: Topic, figure: str, before: Iterable[str], now: Iterable[str]) -> list[Difference]:
    was, is_now = set(before), set(now)
    found = [Difference(topic, name, figure, "yes", "") for name in sorted(was - is_now)]
    return found + [Difference(topic, name, figure, "", "yes") for name in sorted(is_now - was)]


def _values(topic: Topic, figure: str, before: Mapping[str, str], now: Mapping[str, str]) -> list[Difference]:
    """Values of things that are on both sides."""
    return [
        Difference(topic, name, figure, before[name], now[name]) for name in sorted(before.keys() & now.keys()) if before[name] != now[name]
    ]


def _fabric(old: Fabric, new: Fabric) -> list[Difference]:
    found = _set("fabric", "host", old.hosts, new.hosts) + _set("fabric", "switch", old.switches, new.switches)
    before, now = _links(old), _links(new)
    found += _set("fabric", "link", before, now)
    found += _values("fabric", "link-state", {n: _state(link) for n, link in before.items()}, {n: _state(link) for n, link in now.items()})
    rates = ({name: f"{link.rate_gbps:g}" for name, link in side.items() if link.rate_gbps is not None} for side in (before, now))
    found += _values("fabric", "link-rate", *rates)
    ratios = ({leaf.name: f"{leaf.ratio:.2f}" for leaf in side.leaves if leaf.ratio is not None} for side in (old, new))
    found += _values("fabric", "ratio", *ratios)
    jobs = ({job.name: str(job.leaves) for job in side.jobs if job.leaves is not None} for side in (old, new))
    return found + _values("fabric", "job-leaves", *jobs)


def _links(fabric: Fabric) -> dict[str, Link]:
    """Links by their ends, the same whichever end is named first; parallel ones without port names by number."""
    found: dict[str, Link] = {}
    for link in fabric.links:
        ends = sorted(f"{end.device}{f' {end.port}' if end.port else ''}" for end in (link.a, link.b))
        name, number = " - ".join(ends), 1
        while name in found:
            number += 1
            name = f"{' - '.join(ends)} #{number}"
        found[name] = link
    return found


def _state(link: Link) -> str:
    return "up" if link.is_up else link.state or "down"


def _verdict(old: Diagnosis, new: Diagnosis) -> list[Difference]:
    found = [Difference("verdict", "", "verdict", old.verdict, new.verdict)] if old.verdict != new.verdict else []
    figures = (
        ("confidence", f"{old.confidence:.2f}", f"{new.confidence:.2f}"),
        *((name, _share(getattr(old.loss, name)), _share(getattr(new.loss, name))) for name in ("fraction", "free", "hardware")),
    )
    found += [Difference("verdict", "", name, before, now) for name, before, now in figures if before != now]
    before, now = ({cause.cause: f"{cause.probability:.2f}" for cause in side.causes} for side in (old, new))
    return found + _set("verdict", "cause", before, now) + _values("verdict", "cause-probability", before, now)


def _share(value: float | None) -> str:
    return "" if value is None else f"{value * 100:.0f} %"


def _plan(old: Plan, new: Plan) -> list[Difference]:
    before, now = ({rung.proposal.remedy.id: rung for rung in side.rungs} for side in (old, new))
    found = _set("plan", "remedy", before, now)
    found += _values("plan", "decision", *({i: rung.decision.choice for i, rung in side.items()} for side in (before, now)))
    costs = ({i: _money(rung.estimate.total.likely, rung.estimate.currency) for i, rung in side.items()} for side in (before, now))
    return found + _values("plan", "cost", *costs)


def _prices(old: Plan, new: Plan) -> list[Difference]:
    before, now = ({name: _price(price) for name, price in _used(side).items()} for side in (old, new))
    return _values("prices", "price", before, now)


def _used(plan: Plan) -> dict[str, Price]:
    return {line.price.id: line.price for rung in plan.rungs for line in rung.estimate.lines if line.price is not None}


def _price(price: Price) -> str:
    return _money(price.price.likely, price.currency) if price.price else ""


def _money(amount: Decimal, currency: str) -> str:
    return f"{currency} {amount:,.2f}"
