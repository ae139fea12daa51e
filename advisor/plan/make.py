"""The plan: proposals with their estimates and decisions in order, what they recover together, scenarios, and whether to buy."""

from collections.abc import Iterable, Mapping
from datetime import date

from advisor.cost.estimate import estimate
from advisor.cost.lines import total
from advisor.cost.model import Estimate, Price
from advisor.cost.settings import Settings
from advisor.cost.templates import Template
from advisor.diagnosis.verdict import Diagnosis
from advisor.fabric.model import Fabric
from advisor.plan.benefit import Ground
from advisor.plan.buying import two_figures
from advisor.plan.plan import Decision, Plan, Rung, compatible, excludes
from advisor.plan.scenarios import scenarios
from advisor.plan.stop import stop
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
    so_far: float | None = None
    for proposal in proposals:
        decision = decisions.get(proposal.remedy.id) or Decision(remedy=proposal.remedy.id, choice="open")
        walked = [rung.proposal.remedy for rung in rungs if rung.decision.choice in ("take", "open")]
        together = recovered([*(other for other in walked if not excludes(other, proposal.remedy)), proposal.remedy], diagnosis)
        with_it = together.likely if together else None
        with_it = so_far if with_it is None else max(with_it, so_far or 0.0)
        rungs.append(
            Rung(
                proposal=proposal,
                estimate=estimate(proposal, fabric, prices, settings, today, templates),
                decision=decision,
                recovered_so_far=with_it,
            )
        )
        if decision.choice in ("take", "open"):
            so_far = with_it
    taken = [rung for rung in rungs if rung.decision.choice == "take"]
    back = recovered([rung.proposal.remedy for rung in compatible(taken)], diagnosis)
    gained = back.likely if back else None
    fraction = diagnosis.loss.fraction
    bill = _sum(taken, settings)
    ground = Ground(fabric, diagnosis, settings)
    ways = scenarios(rungs, ground, two_figures(rungs, diagnosis)[1])
    rule, said = stop(rungs, ways, ground)
    return Plan(
        currency=settings.currency,
        rungs=tuple(rungs),
        recovered=gained if taken else (None if fraction is None else 0.0),
        recovered_low=back.low if back else None,
        recovered_high=back.high if back else None,
        still_lost=None if fraction is None or (taken and gained is None) else max(0.0, fraction - (gained or 0.0)),
        spent=bill.total,
        taken=bill,
        estimate=_sum([rung for rung in rungs if rung.decision.choice != "skip"], settings),
        scenarios=ways,
        buying=said,
        stop=rule,
    )


def _sum(rungs: Iterable[Rung], settings: Settings) -> Estimate:
    return total((line for rung in rungs for line in rung.estimate.lines), settings)
