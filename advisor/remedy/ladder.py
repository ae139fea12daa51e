"""The ladder: the remedies that fit a diagnosis, free first, then small parts, then capital, each after what it requires."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path

from advisor.base.content import folder
from advisor.base.places import knowledge
from advisor.diagnosis.verdict import Cause, Diagnosis
from advisor.evidence.bundle import Bundle
from advisor.evidence.origin import Origin
from advisor.fabric.model import Fabric
from advisor.remedy.gains import Gains
from advisor.remedy.relief import Span, at_work, recovered
from advisor.remedy.remedy import KINDS, Proposal, Remedy, Step
from advisor.remedy.site import pointed_at, values
from advisor.remedy.siting import Sited
from advisor.remedy.steps import in_words, with_commands
from advisor.remedy.vendor import Vendor, shipped_vendors
from advisor.traffic.predict import Prediction

BUY_FROM = 0.5  # least probability of a cause that money is spent on; judgement


@cache
def shipped_remedies() -> Mapping[str, Remedy]:
    """The remedies of knowledge/remedies. Raises ContentError."""
    return load_remedies(knowledge() / "remedies")


def load_remedies(*folders: Path) -> Mapping[str, Remedy]:
    """Remedies of folders, later ones win by id. Raises ContentError."""
    return folder(Remedy, *(place for place in folders if place.is_dir()))


def ladder(
    bundle: Bundle,
    fabric: Fabric,
    diagnosis: Diagnosis,
    remedies: Mapping[str, Remedy],
    vendors: Mapping[str, Vendor] | None = None,
    now: Prediction | None = None,
) -> tuple[Proposal, ...]:
    """Proposals for the causes at work. A remedy that the site's technology rules out is left out; an unknown one rules out none.

    Steps hold what to type on the `vendors` (default: the shipped ones) that the site has. `now`: the model's word on the fabric as it is.
    """
    known = shipped_vendors() if vendors is None else vendors
    gains = Gains(fabric, now)
    causes = {cause.cause: cause for cause in at_work(diagnosis)}
    fitting = {name: remedy for name, remedy in remedies.items() if _fits(remedy, causes, fabric)}
    found = [_proposal(remedy, causes, bundle, fabric, diagnosis, set(fitting), known, gains) for remedy in fitting.values()]
    return tuple(_after_what_they_require(sorted(found, key=_rank)))


def _fits(remedy: Remedy, causes: Mapping[str, Cause], fabric: Fabric) -> bool:
    relieved = [causes[cause].probability for cause in remedy.relieves if cause in causes]
    if not relieved or (remedy.kind == "capital" and max(relieved) < BUY_FROM):
        return False
    return not remedy.technology or fabric.technology is None or fabric.technology in remedy.technology


def _proposal(
    remedy: Remedy,
    causes: Mapping[str, Cause],
    bundle: Bundle,
    fabric: Fabric,
    diagnosis: Diagnosis,
    fitting: set[str],
    vendors: Mapping[str, Vendor],
    gains: Gains,
) -> Proposal:
    relieved = [cause for name, cause in causes.items() if name in remedy.relieves]
    where = pointed_at(relieved, fabric)
    words = values(where, bundle, fabric)
    steps = tuple(step for step in remedy.steps if _is_for(step, fabric))
    said, rollback, commands = with_commands(steps, remedy.rollback, words, Sited(bundle, fabric, where, vendors))
    brings = recovered([remedy], diagnosis)
    return Proposal(
        remedy=remedy,
        causes=tuple(cause.cause for cause in relieved),
        probability=max(cause.probability for cause in relieved),
        **_shares(brings),
        steps=said,
        where=where.all(),
        rollback=rollback,
        verify=in_words(remedy.verify, words),
        expect=in_words(remedy.expect, words),
        blocked_by=tuple(name for name in remedy.requires if name in fitting),
        origins=_origins(relieved),
        commands=commands,
        gains=gains.of(remedy.changes),
    )


def _shares(brings: Span | None) -> dict[str, float | None]:
    if brings is None:
        return {}
    return {"recovers_low": brings.low, "recovers": brings.likely, "recovers_high": brings.high}


def _is_for(step: Step, fabric: Fabric) -> bool:
    pairs = ((step.scheduler, fabric.scheduler), (step.technology, fabric.technology))
    return all(not wanted or known is None or known in wanted for wanted, known in pairs)


def _origins(causes: list[Cause]) -> tuple[Origin, ...]:
    return tuple(dict.fromkeys(origin for cause in causes for e in cause.evidence if e.supports for origin in e.origins))


def _rank(proposal: Proposal) -> tuple[int, bool, int, bool, bool, float, str]:
    """Free first; among equals what more likely helps than not, then the usual order of work, then what asks least of the site:
    no window, no host out of service, fewest person-days.
    """
    remedy = proposal.remedy
    days = sum(effort.low_days + effort.high_days for effort in remedy.effort)
    asks = (remedy.window, remedy.downtime is not None, days)
    return KINDS.index(remedy.kind), proposal.probability < BUY_FROM, remedy.order, *asks, remedy.id


def _after_what_they_require(proposals: list[Proposal]) -> list[Proposal]:
    """The same, each one moved behind what blocks it; a circle of requirements keeps the given order."""
    placed: dict[str, Proposal] = {}
    waiting = list(proposals)
    while waiting:
        ready = next((p for p in waiting if all(name in placed for name in p.blocked_by)), waiting[0])
        placed[ready.remedy.id] = ready
        waiting.remove(ready)
    return list(placed.values())
