"""Ways to go on, side by side: do nothing, the free remedies, with a storage plane, with an expansion, the best for a budget."""

from collections.abc import Callable, Iterable, Iterator, Mapping

from advisor.base.text import Text
from advisor.cost.chance import chances
from advisor.cost.lines import total
from advisor.cost.model import Scenario
from advisor.plan.benefit import Ground, benefit
from advisor.plan.budget import best
from advisor.plan.plan import Rung, compatible
from advisor.plan.weighing import unknown_gain, weigh
from advisor.remedy.relief import Span, recovered
from advisor.remedy.remedy import Remedy
from advisor.remedy.words import both, sentences

_STAGES: tuple[tuple[str, Callable[[Remedy], bool]], ...] = (
    ("free", lambda remedy: remedy.kind == "free"),
    ("small-parts", lambda remedy: remedy.kind == "cheap" and remedy.row != "storage-plane"),
    ("storage-plane", lambda remedy: remedy.row == "storage-plane"),
    ("expansion", lambda remedy: remedy.row == "expansion"),
)


def scenarios(rungs: Iterable[Rung], ground: Ground, told: Text | None = None) -> tuple[Scenario, ...]:
    """Scenarios of the rungs that nobody skipped; one that adds nothing to the one before is left out.

    `told` is what is to be said of the free steps beside their figures.
    """
    open_to = [rung for rung in rungs if rung.decision.choice != "skip"]
    found = [build(name, chosen, ground, told if name == "free" else None) for name, chosen in _sets(open_to)]
    if ground.settings.budget is not None:
        found.append(for_budget(open_to, ground))
    return tuple(found)


def _sets(rungs: list[Rung]) -> Iterator[tuple[str, list[Rung]]]:
    yield "do-nothing", []
    chosen: list[Rung] = []
    for name, belongs in _STAGES:
        more = [rung for rung in rungs if rung not in chosen and belongs(rung.proposal.remedy)]
        grown = compatible([rung for rung in rungs if rung in chosen or rung in more])
        if len(grown) > len(chosen):
            chosen = grown
            yield name, chosen


def for_budget(rungs: Iterable[Rung], ground: Ground) -> Scenario:
    """The set within the settings' budget that recovers most by likely figures, and what could not be weighed. Raises AdvisorError."""
    given = list(rungs)
    problem, left_out = weigh(given, ground.diagnosis)
    chosen = best(problem, ground.settings.budget).names
    silent = {name: why for name, why in unknown_gain(problem, given).items() if name not in chosen}
    picked = [rung for rung in given if rung.proposal.remedy.id in chosen]
    return build("budget", picked, ground, left_out={**left_out, **silent})


def build(name: str, chosen: list[Rung], ground: Ground, told: Text | None = None, left_out: Mapping[str, Text] | None = None) -> Scenario:
    """A set of rungs with all that is known of it."""
    remedies = [rung.proposal.remedy for rung in chosen]
    loss, back = ground.diagnosis.loss.fraction, recovered(remedies, ground.diagnosis)
    gained = 0.0 if not remedies else back.likely if back else None
    spend = total((line for rung in chosen for line in rung.estimate.lines), ground.settings)
    spread = chances(spend)
    brings = benefit(back if remedies else Span(0.0, 0.0, 0.0), spend, spread, ground)
    notes = [text for text in (told, _left_out(left_out or {}), brings.stays.basis) if text is not None]
    return Scenario(
        id=name,
        title=both(f"plan.scenario.{name}"),
        remedies=tuple(remedy.id for remedy in remedies),
        recovers=gained if loss is not None else None,
        recovers_low=back.low if back else None,
        recovers_high=back.high if back else None,
        remaining=None if loss is None or gained is None else max(0.0, loss - gained),
        estimate=spend,
        chances=spread,
        lost_gpu_hours=brings.stays.gpu_hours,
        lost=brings.stays.money,
        won_gpu_hours=brings.won_gpu_hours,
        won=brings.won,
        payback_months=brings.payback_months,
        present_value=brings.present_value,
        break_even_gpu_hours=brings.break_even_gpu_hours,
        sensitivity=brings.swings,
        open=brings.open,
        left_out=dict(left_out or {}),
        note=sentences(notes),
    )


def _left_out(left_out: Mapping[str, Text]) -> Text | None:
    """How many remedies could not be weighed, and why, most frequent reason first."""
    if not left_out:
        return None
    reasons = list(left_out.values())
    told = sorted({(text.en, text.zh) for text in reasons}, key=lambda pair: (-sum(text.en == pair[0] for text in reasons), pair))
    why = [Text(en=en, zh=zh) for en, zh in told[:3]]
    joined = Text(en="; ".join(text.en for text in why), zh="；".join(text.zh for text in why))
    return both("plan.left-out.some", count=len(left_out), why=joined)
