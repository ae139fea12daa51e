"""What one remedy costs at this site: parts, labour, downtime, running cost, each line with its quantity, price and state."""

from collections.abc import Mapping
from datetime import date

from advisor.cost.labour import downtime, labour
from advisor.cost.lines import total
from advisor.cost.model import Estimate, Price
from advisor.cost.parts import bought, reserve_and_tax, running, spares
from advisor.cost.settings import Settings
from advisor.cost.templates import Template, shipped_templates
from advisor.fabric.model import Fabric
from advisor.remedy.remedy import Proposal


def estimate(
    proposal: Proposal,
    fabric: Fabric,
    prices: Mapping[str, Price],
    settings: Settings,
    today: date,
    templates: Mapping[str, Template] | None = None,
) -> Estimate:
    """The estimate of one remedy. A price or quantity that is not known makes a line that says so and counts as missing."""
    parts = list(bought(proposal, fabric, prices, settings, today, shipped_templates() if templates is None else templates))
    kept = spares(parts, settings)
    days = [labour(proposal, effort, fabric, prices, settings, today) for effort in proposal.remedy.effort]
    return total(
        (
            *parts,
            *kept,
            *days,
            *reserve_and_tax(proposal, parts + kept + days, settings),
            *downtime(proposal, fabric, settings),
            *running(proposal, parts, kept, prices, settings, today),
        ),
        settings,
    )
