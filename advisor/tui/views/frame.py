"""The frame around every stage: the answer so far in one line, the rail of stages, and what a stage lacks."""

from typing import TYPE_CHECKING, Literal, get_args

from advisor.base.errors import AdvisorError
from advisor.base.text import Lang, say
from advisor.tui.views.figures import percent, seconds, sure, total
from advisor.tui.views.words import Para, Phrase, Span, Tone, joined, word

if TYPE_CHECKING:
    from advisor.diagnosis.verdict import Diagnosis
    from advisor.diagnosis.verdicts import LayerState, Verdict
    from advisor.plan.plan import Plan
    from advisor.usecases.assess import Assessment
    from advisor.usecases.progress import Step

Stage = Literal["evidence", "fabric", "diagnosis", "remedies", "costs", "compare", "report"]
STAGES: tuple[Stage, ...] = get_args(Stage)
VERDICT_SIGNS: "dict[Verdict, tuple[str, Tone]]" = {
    "shared-contention": ("≈", "warn"),
    "physical-capacity": ("▲", "bad"),
    "node-fault": ("✗", "bad"),
    "configuration": ("!", "warn"),
    "none": ("✓", "good"),
    "undetermined": ("?", "info"),
}
LAYER_SIGNS: "dict[LayerState, tuple[str, Tone]]" = {
    "clean": ("✓", "good"),
    "suspect": ("!", "warn"),
    "faulty": ("✗", "bad"),
    "unknown": ("?", "dim"),
}


def verdict(diagnosis: "Diagnosis", lang: Lang) -> Phrase:
    """The verdict with its sign and how sure it is."""
    sign, tone = VERDICT_SIGNS[diagnosis.verdict]
    return joined(word(f"{sign} {say(f'tui.verdict.{diagnosis.verdict}', lang)}", tone), word(f" {sure(diagnosis.confidence)}", "dim"))


def answer(assessment: "Assessment", lang: Lang, brief: bool = False) -> tuple[Phrase, ...]:
    """The answer so far in pieces, the most important first; `brief` for a narrow screen."""
    diagnosis, plan = assessment.diagnosis, assessment.plan
    pieces = [verdict(diagnosis, lang)]
    loss = diagnosis.loss
    if loss.fraction is not None:
        pieces.append(joined(word(say("tui.frame.loss", lang) + " ", "dim"), word(percent(loss.fraction, lang), "strong")))
    if loss.free is not None:
        pieces.append(
            joined(
                word(say("tui.frame.free-brief" if brief else "tui.frame.free", lang) + " ", "dim"), word(percent(loss.free, lang), "good")
            )
        )
    if plan.recovered:
        pieces.append(joined(word(say("tui.frame.taken", lang) + " ", "dim"), word(percent(plan.recovered, lang), "good")))
    if plan.taken.lines:
        pieces.append(joined(word(say("tui.frame.cost", lang) + " ", "dim"), word(total(plan.taken), "strong")))
    if diagnosis.set_aside:
        pieces.append(word(say("tui.frame.set-aside", lang, n=len(diagnosis.set_aside)), "warn"))
    return tuple(pieces)


def working(step: "Step | None", title: str, lang: Lang) -> Phrase:
    """What goes on now: how far, and how long still."""
    words = [word(f"… {title}", "info")]
    if step is not None:
        total = f" / {step.total:,}" if step.total else ""
        words.append(word(f"{step.done:,}{total}", "strong"))
        if step.seconds_left is not None:
            words.append(word(say("tui.frame.left", lang, time=seconds(step.seconds_left, lang)), "dim"))
    return joined(*words, between=" ")


def lacks(stage: Stage, assessment: "Assessment", lang: Lang) -> tuple[Para, ...]:
    """What a stage would need and does not have, and what to import; nothing where it can show something."""
    keys = _lacks(stage, assessment)
    if not keys:
        return ()
    paras = [Para(word(say(f"tui.stage.{stage}", lang), "title")), Para()]
    paras += [Para(word(say(f"tui.lack.{key}", lang))) for key in keys]
    paras += [Para(), Para(word(say("tui.lack.how", lang), "dim"))]
    probe = assessment.diagnosis.next_probe
    if probe and stage != "evidence":
        paras += [Para(), Para(word(say("tui.probe.title", lang), "title")), *probe_lines(assessment.diagnosis, lang)]
    return tuple(paras)


def _lacks(stage: Stage, assessment: "Assessment") -> tuple[str, ...]:
    fabric, diagnosis, plan = assessment.fabric, assessment.diagnosis, assessment.plan
    if stage == "evidence":
        return () if assessment.bundle.captures else ("captures",)
    if stage == "fabric":
        return () if fabric.hosts or fabric.switches or fabric.links or fabric.leaves or fabric.jobs or fabric.logs else ("fabric",)
    if stage == "diagnosis":
        return () if assessment.bundle.captures else ("captures",)
    if stage in ("remedies", "costs"):
        if plan.rungs:
            return ()
        return ("nothing-wrong",) if diagnosis.verdict == "none" else ("verdict",)
    if stage == "compare":
        return () if fabric.runs else ("runs",)
    return () if assessment.bundle.captures else ("captures",)


def stage_sign(stage: Stage, assessment: "Assessment | None") -> tuple[str, Tone]:
    """The state of a stage on the rail."""
    if assessment is None or _lacks(stage, assessment):
        return "·", "dim"
    if stage == "evidence":
        states = {capture.state for capture in assessment.bundle.captures}
        return ("✗", "bad") if "failed" in states else ("✓", "good")
    if stage == "fabric":
        return ("!", "warn") if assessment.fabric.conflicts else ("✓", "good")
    if stage == "diagnosis":
        return VERDICT_SIGNS[assessment.diagnosis.verdict]
    if stage in ("remedies", "costs"):
        return _plan_sign(assessment.plan, stage)
    return "✓", "good"


def _plan_sign(plan: "Plan", stage: Stage) -> tuple[str, Tone]:
    if stage == "costs":
        return ("!", "warn") if plan.taken.missing or plan.taken.expired else ("✓", "good")
    still_open = sum(rung.decision.choice == "open" for rung in plan.rungs)
    return ("✓", "good") if not still_open else (str(still_open), "info")


def layers(diagnosis: "Diagnosis | None", lang: Lang) -> tuple[Phrase, ...]:
    """The state of each layer, in the order of an expert's walk."""
    if diagnosis is None:
        return ()
    from advisor.diagnosis.verdicts import LAYERS

    lines: list[Phrase] = [word(say("tui.frame.layers", lang), "dim")]
    for layer in LAYERS:
        state = diagnosis.layers.get(layer)  # type: ignore[call-overload]
        if state is not None and layer != "none":
            sign, tone = LAYER_SIGNS[state]
            lines.append((Span(f"{sign} ", tone), Span(say(f"tui.layer.{layer}", lang), "dim" if state == "unknown" else "plain")))
    return tuple(lines)


def probe_lines(diagnosis: "Diagnosis", lang: Lang) -> tuple[Para, ...]:
    """The next best probe: the command, where, how long, and what it would decide."""
    probe = diagnosis.next_probe
    if probe is None:
        return (Para(word(say("tui.probe.none", lang), "dim")),)
    where = [word(probe.where, "plain")] if probe.where else []
    if probe.minutes is not None:
        where.append(word(seconds(probe.minutes * 60, lang), "dim"))
    if probe.gain:
        where.append(word(say("tui.probe.gain", lang, bits=f"{probe.gain:.2f}"), "dim"))
    return (
        Para(word(probe.run.say(lang), "strong"), hang=2),
        *([Para(joined(*where, between=" · "))] if where else []),
        Para(word(probe.decides.say(lang), "dim")),
    )


def explained(error: Exception, lang: Lang) -> str:
    """What happened, in the reader's language where it is known."""
    if isinstance(error, AdvisorError):
        return say(f"error.{error.key}", lang, **error.values)
    return say("tui.error.inside", lang, kind=type(error).__name__, why=str(error))
