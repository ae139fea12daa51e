"""The plan: proposals with their estimates and decisions in order, what they recover together, scenarios, and whether to buy."""

from collections.abc import Iterable, Mapping
from datetime import date

from advisor.cost.estimate import estimate, total
from advisor.cost.model import Estimate, Price
from advisor.cost.settings import Settings
from advisor.cost.templates import Template
from advisor.diagnosis.verdict import Diagnosis
from advisor.fabric.model import Fabric
from advisor.plan.buying import buying
from advisor.plan.plan import Decision, Plan, Rung
from advisor.plan.scenarios import scenarios
from advisor.remedy.relief import recovered
from advisor.remedy.remedy import Proposal


def make_plan(
    fabric: Fabric,
    diagnosis: Diagnosis,
    proposals: Iterable[Proposal],
    decisions: Mapping[str, Decision],
    prices: Mapping[str, Price],
    settings: Settings,
    today: date,
    templates: Mapping[str, Template] | None = None,
) -> Plan:
    """The plan for a ladder of proposals. Decisions are by id of the remedy; without one a rung is open."""
    rungs: list[Rung] = []
    for proposal in proposals:
        decision = decisions.get(proposal.remedy.id) or Decision(remedy=proposal.remedy.id, choice="open")
        walked = [rung.proposal.remedy for rung in rungs if rung.decision.choice in ("take", "open")]
        so_far = recovered([*walked, proposal.remedy], diagnosis)
        rungs.append(
            Rung(
                proposal=proposal,
                estimate=estimate(proposal, fabric, prices, settings, today, templates),
                decision=decision,
                recovered_so_far=so_far.likely if so_far else None,
            )
        )
    taken = [rung for rung in rungs if rung.decision.choice == "take"]
    back = recovered([rung.proposal.remedy for rung in taken], diagnosis)
    gained = back.likely if back else None
    fraction = diagnosis.loss.fraction
    bill = _sum(taken, settings)
    return Plan(
        currency=settings.currency,
        rungs=tuple(rungs),
        recovered=gained if taken else (None if fraction is None else 0.0),
        still_lost=None if fraction is None or (taken and gained is None) else max(0.0, fraction - (gained or 0.0)),
        spent=bill.total,
        taken=bill,
        estimate=_sum([rung for rung in rungs if rung.decision.choice != "skip"], settings),
        scenarios=scenarios(rungs, fabric, diagnosis, settings),
        buying=buying(rungs, diagnosis),
    )


def _sum(rungs: Iterable[Rung], settings: Settings) -> Estimate:
    return total((line for rung in rungs for line in rung.estimate.lines), settings)
