"""The ladder of remedies, the one that is looked at, and the bar of what is recovered."""

from dataclasses import dataclass

from advisor.base.text import Lang, Text, say
from advisor.base.writing import clauses, span
from advisor.cost.model import Estimate
from advisor.diagnosis.verdict import Diagnosis
from advisor.plan.plan import Choice, Plan, Rung
from advisor.tui.views.figures import UNKNOWN, money, percent, percent_range, single, sure, total
from advisor.tui.views.words import Column, Para, Phrase, Row, Span, Table, Tone, bullet, cells, joined, padded, some, word

CHOICE_SIGNS: dict[Choice, tuple[str, Tone]] = {"take": ("✓", "good"), "skip": ("✗", "dim"), "later": ("…", "info"), "open": ("○", "plain")}


@dataclass(frozen=True, slots=True)
class Trial:
    """What the jobs reach of their ports' rate by the model, 0 to 1: with what is taken, and with one remedy more (or less, if taken).

    now, then   None where the model does not tell. speaks: whether anything in the model stands for the remedy
    """

    remedy: str
    now: float | None = None
    then: float | None = None
    speaks: bool = True

    @property
    def gain(self) -> float | None:
        return None if self.now is None or self.then is None else self.then - self.now


def trial_words(trial: Trial | None, plan: Plan, lang: Lang) -> Phrase:
    """What if the remedy under the cursor were taken, or were not."""
    rung = rung_of(plan, trial.remedy) if trial else None
    if trial is None or rung is None:
        return ()
    if not trial.speaks:
        return word(say("tui.trial.silent", lang), "dim")
    if trial.gain is None:
        return word(say("tui.trial.unknown", lang), "dim")
    taken = rung.decision.choice == "take"
    tone: Tone = "dim" if abs(trial.gain) < 0.0005 else "good" if trial.gain > 0 else "bad"
    return joined(
        word(say("tui.trial.without" if taken else "tui.trial.with", lang) + " ", "dim"),
        word(f"{percent(trial.now, lang)} → {percent(trial.then, lang)}", "strong"),
        word(f"  {'+' if trial.gain >= 0 else '−'}{percent(abs(trial.gain), lang)}", tone),
        word("  " + say("tui.trial.by", lang), "dim"),
    )


def live_bar(plan: Plan, diagnosis: Diagnosis, lang: Lang, width: int, trial: Trial | None = None) -> tuple[Para, ...]:
    """Recovered so far, what the remedy under the cursor would add, still lost, spent so far, and whether buying is still needed."""
    lost = diagnosis.loss.fraction
    recovered = plan.recovered
    still = plan.still_lost
    if still is None and lost is not None:
        still = max(lost - (recovered or 0.0), 0.0)
    figures = joined(
        joined(word(say("tui.plan.recovered", lang) + " ", "dim"), word(percent(recovered, lang), "good" if recovered else "dim")),
        joined(word(say("tui.plan.still-lost", lang) + " ", "dim"), word(percent(still, lang), "bad" if still else "good")),
        joined(
            word(say("tui.plan.spent", lang) + " ", "dim"),
            word(total(plan.taken), "strong"),
            _range_words(plan.taken, lang),
        ),
        word(say("tui.plan.missing", lang, n=plan.taken.missing), "warn") if plan.taken.missing else (),
        between="   ",
    )
    lines = [Para(figures)]
    if lost:
        long = max(min(width - 2, 100), 10)
        done = round(min((recovered or 0.0) / lost, 1.0) * long)
        left = min(round(min((still or 0.0) / lost, 1.0) * long), long - done)
        more = min(round(max(trial.gain or 0.0, 0.0) / lost * long), left) if trial else 0
        rest = max(long - done - left, 0)
        parts = (Span("█" * done, "good"), Span("▓" * more, "info"), Span("▒" * (left - more), "bad"), Span("░" * rest, "dim"))
        lines.append(Para(parts))
    tried = trial_words(trial, plan, lang)
    if tried:
        lines.append(Para(tried))
    lines.append(Para(word(plan.buying.say(lang), "plain")))
    return tuple(lines)


def _range_words(estimate: Estimate, lang: Lang) -> Phrase:
    """Low and high behind a likely total; nothing where all are the same, or where currencies stand side by side."""
    one = single(estimate)
    return word(f" ({span(money(one[1].low), money(one[1].high), lang)})", "dim") if one and one[1].low != one[1].high else ()


def ladder(plan: Plan, lang: Lang) -> Table:
    """The rungs, cheapest first."""
    rows = [_rung(i, rung, plan, lang) for i, rung in enumerate(plan.rungs, 1)]
    columns = (
        Column(say("tui.plan.remedy", lang), flex=True),
        Column(say("tui.plan.brings", lang), right=True),
        Column(say("tui.plan.cost", lang), right=True, most=26),
        Column(say("tui.plan.kind", lang), drop=1),
    )
    return Table(columns, tuple(rows), empty=say("tui.plan.none", lang))


def _rung(i: int, rung: Rung, plan: Plan, lang: Lang) -> Row:
    sign, tone = CHOICE_SIGNS[rung.decision.choice]
    proposal = rung.proposal
    blocked = bool(proposal.blocked_by)
    name = (
        Span(f"{sign} ", tone),
        Span(f"{i}. ", "dim"),
        Span(proposal.remedy.title.say(lang), "dim" if rung.decision.choice == "skip" else "plain"),
    )
    one = single(rung.estimate)
    return Row(
        proposal.remedy.id,
        (
            (*name, Span(" ⇡", "warn")) if blocked else name,
            word(percent(proposal.recovers, lang), "good" if proposal.recovers else "dim"),
            word(total(rung.estimate, named=False)),
            word(say(f"tui.plan.kind-{proposal.remedy.kind}", lang), "warn" if proposal.remedy.kind == "capital" else "dim"),
        ),
        order=(float(i), proposal.recovers, float(one[1].likely) if one else None, proposal.remedy.kind),
    )


def rung_of(plan: Plan, remedy: str) -> Rung | None:
    return next((rung for rung in plan.rungs if rung.proposal.remedy.id == remedy), None)


def next_open(plan: Plan, after: str) -> str | None:
    """The next remedy that nobody has decided on, from one on and round."""
    ids = [rung.proposal.remedy.id for rung in plan.rungs]
    start = ids.index(after) + 1 if after in ids else 0
    still = {rung.proposal.remedy.id for rung in plan.rungs if rung.decision.choice == "open"}
    return next((name for name in [*ids[start:], *ids[:start]] if name in still), None)


def detail(rung: Rung | None, plan: Plan, diagnosis: Diagnosis, lang: Lang) -> tuple[Para, ...]:
    """All of one remedy: what it fixes and brings, what it takes, the steps, the way back, the proof."""
    if rung is None:
        return ()
    proposal = rung.proposal
    remedy = proposal.remedy
    titles = {each.proposal.remedy.id: each.proposal.remedy.title.say(lang) for each in plan.rungs}
    causes = {cause.cause: cause.title.say(lang) for cause in diagnosis.causes}
    paras = [Para(_chosen(rung, lang)), Para(word(remedy.what.say(lang))), Para()]
    paras += _facts(rung, causes, lang)
    first = [name for name in remedy.requires if name in titles]
    if remedy.prerequisites or first:
        paras += _head("prerequisites", lang)
        paras += [bullet(word(text.say(lang))) for text in remedy.prerequisites]
        for name in first:
            missing = name in proposal.blocked_by
            paras.append(
                bullet(
                    joined(
                        word(titles.get(name, name), "warn" if missing else "plain"),
                        word(" " + say("tui.plan.first", lang), "warn") if missing else (),
                    )
                )
            )
    conflicts = [name for name in remedy.conflicts if name in titles]
    if conflicts:
        paras += _head("conflicts", lang)
        taken = {each.proposal.remedy.id for each in plan.rungs if each.decision.choice == "take"}
        paras += [bullet(word(titles.get(name, name), "bad" if name in taken else "plain")) for name in conflicts]
    steps: tuple[Text, ...] = proposal.steps or remedy.steps
    if steps:
        paras += _head("steps", lang)
        for i, step in enumerate(steps, 1):
            lines = step.say(lang).splitlines() or [""]
            paras.append(Para((Span(f"{i:>2}. ", "dim"), Span(lines[0])), hang=4))
            paras += [Para(word(text, "info"), indent=4, hang=2) for text in lines[1:]]
    own = (proposal.rollback or remedy.rollback, proposal.verify or remedy.verify, proposal.expect or remedy.expect)
    for part, text in zip(("rollback", "verify", "expect"), own, strict=True):
        said, *to_type = text.say(lang).splitlines() or [""]
        paras += [*_head(part, lang), Para(word(said)), *(Para(word(line, "info"), indent=4, hang=2) for line in to_type)]
    if proposal.gains:
        paras += [Para(), Para(word(say("report.gains", lang), "title"))]
        for gain in proposal.gains:
            span = percent_range(gain.low, gain.high, lang)
            paras.append(bullet(word(f"{gain.job}: {percent(gain.now, lang)} → {percent(gain.then, lang)} ({span})")))
    if remedy.effects:
        paras += _head("elsewhere", lang)
        for effect in remedy.effects:
            span = percent_range(effect.low, effect.high, lang)
            paras.append(
                bullet(
                    joined(
                        word(f"{span} ", "strong") if span != UNKNOWN else (),
                        word(effect.text.say(lang)),
                        word(f" [{effect.source}]", "dim"),
                    )
                )
            )
    if proposal.origins:
        paras += [*_head("sources", lang), Para(joined(*(word(str(origin), "info") for origin in proposal.origins[:8]), between=" · "))]
    return tuple(paras)


def _chosen(rung: Rung, lang: Lang) -> Phrase:
    sign, tone = CHOICE_SIGNS[rung.decision.choice]
    reason = f": {rung.decision.reason}" if rung.decision.reason else ""
    return word(f"{sign} {say(f'tui.choice.{rung.decision.choice}', lang)}{reason}", tone)


def _head(part: str, lang: Lang) -> list[Para]:
    return [Para(), Para(word(say(f"tui.plan.{part}", lang), "title"))]


def _facts(rung: Rung, causes: dict[str, str], lang: Lang) -> list[Para]:
    proposal, remedy = rung.proposal, rung.proposal.remedy
    effort = joined(
        *(
            word(
                say(
                    f"tui.plan.days-per-{item.per}",
                    lang,
                    who=say(f"tui.who.{item.role}", lang),
                    low=f"{item.low_days:g}",
                    high=f"{item.high_days:g}",
                )
            )
            for item in remedy.effort
        ),
        between=clauses(("", ""), lang),
    )
    span = percent_range(proposal.recovers_low, proposal.recovers_high, lang)
    brings = joined(word(percent(proposal.recovers, lang), "good"), word(f" ({span})" if span != UNKNOWN else "", "dim"))
    if proposal.recovers is None and proposal.recovers_high is not None:
        brings = word(say("tui.plan.at-most", lang, share=percent(proposal.recovers_high, lang)))
    cost = joined(
        word(total(rung.estimate), "strong"),
        _range_words(rung.estimate, lang),
        word("  " + say("tui.plan.missing", lang, n=rung.estimate.missing), "warn") if rung.estimate.missing else (),
    )
    rows: list[tuple[str, Phrase]] = [
        (
            "fixes",
            joined(*(word(causes.get(cause, cause)) for cause in proposal.causes), word(sure(proposal.probability), "dim"), between=" · "),
        ),
        ("brings", brings),
        ("cost", cost),
        ("effort", effort),
        ("risk", word(remedy.risk.say(lang))),
        ("window", word(say("tui.yes" if remedy.window else "tui.no", lang), "warn" if remedy.window else "plain")),
    ]
    if rung.recovered_so_far is not None:
        rows.insert(2, ("so-far", word(percent(rung.recovered_so_far, lang))))
    if proposal.where:
        rows.append(("where", word(some(proposal.where, 12, lang), "info")))
    label = max(cells(say(f"tui.plan.{name}", lang)) for name, _ in rows)
    found: list[Para] = []
    for name, phrase in rows:
        title = say(f"tui.plan.{name}", lang)
        found.append(Para((Span(padded(title, label + 2), "dim"), *phrase), hang=label + 2))
    return found
