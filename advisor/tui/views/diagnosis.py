"""The money question, the causes, the evidence for and against each, and what is not known."""

from advisor.base.text import Lang, say, text_of, value_word
from advisor.base.writing import clauses, names_in
from advisor.diagnosis.verdict import Cause, Diagnosis, Evidence
from advisor.diagnosis.verdicts import Verdict
from advisor.evidence.origin import Origin
from advisor.tui.views.figures import UNKNOWN, bar, percent, percent_range, sure
from advisor.tui.views.frame import LAYER_SIGNS, VERDICT_SIGNS
from advisor.tui.views.words import Column, Para, Phrase, Row, Span, Table, Tone, cells, joined, padded, word


def money(diagnosis: Diagnosis, lang: Lang, width: int) -> tuple[Para, ...]:
    """The split of the loss as two bars, each a share of the expected bandwidth."""
    loss = diagnosis.loss
    lines = [Para(word(diagnosis.headline.say(lang), "strong"))]
    if diagnosis.overruled:
        lines.append(Para(word(say("tui.overrule.evidence", lang, headline=diagnosis.overruled.headline.say(lang)), "dim")))
    if loss.fraction is None:
        return (*lines, Para(word(say("tui.money.no-loss", lang), "dim")))
    of = loss.baseline.say(lang) if loss.baseline else ""
    span = percent_range(loss.low, loss.high, lang)
    figure = joined(
        word(f"{say('tui.money.loss', lang)} ", "dim"),
        word(percent(loss.fraction, lang), "strong"),
        word(f" ({span})" if span != UNKNOWN else "", "dim"),
        word(f"  {of}" if of else "", "dim"),
        word(f"  {say(f'tui.money.by-{loss.method}', lang)}" if loss.method != "none" and (width >= 90 or not of) else "", "dim"),
    )
    lines.append(Para(figure))
    label = max(cells(say(f"tui.money.{part}", lang)) for part in ("free", "hardware"))
    long = max(min(width - label - 12, 60), 10)
    for part, share, tone in (("free", loss.free, "good"), ("hardware", loss.hardware, "bad")):
        name = padded(say(f"tui.money.{part}", lang), label)
        scaled = None if share is None else share / loss.fraction if loss.fraction else 0.0
        drawn = bar(scaled, long)
        done = drawn.rstrip("░")
        track = (Span(done, tone), Span(drawn[len(done) :], "dim"))  # type: ignore[arg-type]
        lines.append(Para((Span(f"{name}  "), *track, Span(f"  {percent(share, lang):>5}", "strong"))))
    return tuple(lines)


def walk(diagnosis: Diagnosis, lang: Lang) -> Phrase:
    """The gates of an expert's walk, with the state of each."""
    steps: list[Phrase] = []
    for gate in diagnosis.gates:
        sign, tone = LAYER_SIGNS[gate.state]
        steps.append(
            (Span(f"{sign} ", tone), Span(say(f"tui.gate.{gate.gate}", lang), tone if gate.state in ("faulty", "suspect") else "plain"))
        )
    return joined(*steps, between=" › ")


def whole_walk(diagnosis: Diagnosis, lang: Lang) -> tuple[Para, ...]:
    """Every gate with what it saw, what is not known, and all probes in order of what they tell."""
    paras: list[Para] = []
    for gate in diagnosis.gates:
        sign, tone = LAYER_SIGNS[gate.state]
        name = padded(say(f"tui.gate.{gate.gate}", lang), 13) + " "
        paras.append(Para((Span(f"{sign} ", tone), Span(name, "strong"), Span(gate.text.say(lang))), hang=16))
    if diagnosis.stop:
        gate_word = say(f"tui.gate.{diagnosis.stop.gate}", lang)
        paras += [Para(), Para((Span(f"{gate_word}: ", "strong"), Span(diagnosis.stop.text.say(lang))))]
    paras += _standing(diagnosis, lang)
    paras += _flow_control(diagnosis, lang)
    if diagnosis.missing:
        paras += [Para(), Para(word(say("tui.walk.missing", lang), "title")), *missing(diagnosis, lang)]
    if diagnosis.probes:
        paras += [Para(), Para(word(say("tui.walk.probes", lang), "title"))]
        for probe in diagnosis.probes:
            about = joined(word(probe.where, "info") if probe.where else (), word(probe.decides.say(lang), "dim"), between=" · ")
            paras += [Para((Span("- ", "dim"), Span(probe.run.say(lang), "strong")), hang=2), Para(about, indent=2)]
    return tuple(paras)


def _standing(diagnosis: Diagnosis, lang: Lang) -> list[Para]:
    """Which measures the verdict hangs on, and which open answers would turn it."""
    turning = [one for one in diagnosis.without if one.turns]
    paras: list[Para] = []
    for title, rows in (("tui.walk.without", turning), ("tui.walk.turns", diagnosis.turns)):
        if rows:
            paras += [Para(), Para(word(say(title, lang), "title"))]
            for one in rows:
                told = f" → {say(f'tui.verdict.{one.verdict}', lang)} {one.confidence:.2f}"
                paras.append(Para((Span("- ", "dim"), Span(one.text.say(lang)), Span(told, "strong")), hang=2))
    return paras


def _flow_control(diagnosis: Diagnosis, lang: Lang) -> list[Para]:
    """What does not fit between NIC and switch, by priority."""
    paras: list[Para] = []
    for one in diagnosis.flow_control:
        if one.differs:
            paras += [Para(), Para(word(f"{say('flow-control.title', lang)}: {' / '.join(side.name for side in one.sides)}", "title"))]
            paras += [Para((Span("! ", "warn"), Span(text.say(lang))), hang=2) for text in one.mismatches]
            for line in one.lines:
                paras += [Para((Span(f"{line.priority} ", "strong"), Span(text.say(lang))), hang=2) for text in line.mismatches]
    return paras


def causes(diagnosis: Diagnosis, lang: Lang) -> Table:
    """The causes, leading first; they stack."""
    rows = [
        Row(
            cause.cause,
            (
                word(cause.title.say(lang), "strong"),
                word(percent(cause.share, lang)),
                _sure(cause.probability),
                word(say(f"tui.layer.{cause.layer}", lang), "dim"),
                _count(cause),
            ),
            order=(cause.title.say(lang), cause.share, cause.probability, cause.layer, float(len(cause.evidence))),
        )
        for cause in diagnosis.causes
    ]
    columns = (
        Column(say("tui.cause.title", lang), flex=True),
        Column(say("tui.cause.share", lang), right=True),
        Column(say("tui.cause.sure", lang), right=True),
        Column(say("tui.cause.layer", lang), drop=2),
        Column(say("tui.cause.evidence", lang), right=True, drop=1),
    )
    return Table(columns, tuple(rows), empty=say("tui.cause.none", lang))


def _sure(probability: float) -> Phrase:
    tone: Tone = "strong" if probability >= 0.8 else "plain" if probability >= 0.5 else "dim"
    return word(sure(probability), tone)


def _count(cause: Cause) -> Phrase:
    pro = sum(item.supports for item in cause.evidence)
    return (
        Span(f"+{pro}", "good" if pro else "dim"),
        Span(f" −{len(cause.evidence) - pro}", "warn" if pro < len(cause.evidence) else "dim"),
    )


def evidence(cause: Cause | None, aside: frozenset[str], lang: Lang) -> Table:
    """Evidence for a cause, then against it, then what a person set aside."""
    rows: list[Row] = []
    items = cause.evidence if cause else ()
    for supports, title in ((True, "for"), (False, "against")):
        found = [(i, item) for i, item in enumerate(items) if item.supports == supports]
        if found:
            rows.append(Row(title, (word(say(f"tui.evidence-{title}", lang), "title"),), heading=True))
            rows += [_evidence_row(i, item, lang) for i, item in found]
    if aside:
        rows.append(Row("aside", (word(say("tui.evidence-aside", lang), "title"),), heading=True))
        rows += [
            Row(f"aside:{name}", ((Span("⊘ ", "mark"), Span(measure_word(name, lang), "dim")), (), (), (), ())) for name in sorted(aside)
        ]
    columns = (
        Column(say("tui.evidence.measure", lang), flex=True),
        Column(say("tui.evidence.value", lang), right=True),
        Column(say("tui.evidence.threshold", lang), drop=2, most=18),
        Column(say("tui.evidence.factor", lang), right=True),
        Column(say("tui.evidence.source", lang), drop=1, most=34),
    )
    return Table(columns, tuple(rows), empty=say("tui.evidence.no-evidence", lang))


def _evidence_row(i: int, item: Evidence, lang: Lang) -> Row:
    sign, tone = ("+", "good") if item.supports else ("−", "warn")
    cells = (
        (Span(f"{sign} ", tone), Span(item.text.say(lang))),  # type: ignore[arg-type]
        word(value_text(item, lang), "strong"),
        word(f"({threshold_text(item, lang)})" if item.threshold else "", "dim"),
        word(factor(item.weight), tone),  # type: ignore[arg-type]
        word(str(item.origins[0]) + (f" +{len(item.origins) - 1}" if len(item.origins) > 1 else "") if item.origins else "–", "info"),
    )
    return Row(f"evidence:{i}", cells)


def value_text(item: Evidence, lang: Lang) -> str:
    """A measured value with its unit."""
    value = item.value
    if value is None:
        return UNKNOWN
    if isinstance(value, bool):
        return say("tui.yes" if value else "tui.no", lang)
    text = f"{value:.3g}" if isinstance(value, float) else value_word(str(value), lang)
    return f"{text} {item.unit}".strip()


def threshold_text(item: Evidence, lang: Lang) -> str:
    """A threshold with its comparison; a word in it as the reader's language has it."""
    sign, _, limit = item.threshold.partition(" ")
    if limit in ("yes", "no"):
        return f"{sign} {say(f'tui.{limit}', lang)}"
    return f"{sign} {value_word(limit, lang)}" if limit else item.threshold


def measure_word(name: str, lang: Lang) -> str:
    """What a measure says, or its name where the catalogue has no words for it."""
    text = text_of(f"measure.{name}")
    return text.say(lang) if text else name


def factor(weight: float) -> str:
    """The factor on the odds of a cause, as ×9.1 or ÷3."""
    if weight <= 0:
        return UNKNOWN
    return f"×{weight:.3g}" if weight >= 1 else f"÷{1 / weight:.3g}"


def evidence_of(cause: Cause | None, key: str) -> Evidence | None:
    kind, _, place = key.partition(":")
    if cause is None or kind != "evidence" or int(place) >= len(cause.evidence):
        return None
    return cause.evidence[int(place)]


def measure_of(cause: Cause | None, key: str) -> str | None:
    """The measure that a row of the evidence stands for, also where it was set aside."""
    if key.startswith("aside:"):
        return key.removeprefix("aside:")
    item = evidence_of(cause, key)
    return item.measure if item else None


def place_of(item: Evidence | None) -> Origin | None:
    """The capture's line that a piece of evidence comes from."""
    return next((origin for origin in item.origins if origin.capture), None) if item else None


def turning(diagnosis: Diagnosis, lang: Lang) -> Table:
    """The verdict if a measure were wrong, heaviest first; then answers that are not known and would turn it."""
    rows: list[Row] = []
    if diagnosis.without:
        rows.append(Row("head:without", (word(say("tui.turning.without", lang), "title"),), heading=True))
        for one in diagnosis.without:
            rows.append(_turn_row(f"without:{one.measure}", one.text.say(lang), one.verdict, one.confidence, one.turns, lang))
    if diagnosis.turns:
        rows.append(Row("head:turns", (word(say("tui.turning.turns", lang), "title"),), heading=True))
        for i, turn in enumerate(diagnosis.turns):
            rows.append(_turn_row(f"turn:{i}", turn.text.say(lang), turn.verdict, turn.confidence, True, lang))
    columns = (
        Column(say("tui.turning.what", lang), flex=True),
        Column(say("tui.turning.then", lang)),
        Column(say("tui.cause.sure", lang), right=True),
    )
    return Table(columns, tuple(rows), empty=say("tui.turning.none", lang))


def _turn_row(key: str, text: str, verdict: Verdict, confidence: float, turns: bool, lang: Lang) -> Row:
    sign, tone = VERDICT_SIGNS[verdict]
    mark = Span("↻ " if turns else "= ", "warn" if turns else "dim")
    said = word(f"{sign} {say(f'tui.verdict.{verdict}', lang)}", tone if turns else "dim")
    return Row(key, ((mark, Span(text)), said, _sure(confidence)))


def turning_detail(diagnosis: Diagnosis, key: str, lang: Lang) -> tuple[Para, ...]:
    """Which measure it is, what it stands at and where that is from."""
    kind, _, name = key.partition(":")
    if kind == "turn":
        turn = diagnosis.turns[int(name)]
        return (Para(word(turn.text.say(lang), "strong"), hang=2), Para(word(f"{turn.measure} = {value_word(turn.value, lang)}", "dim")))
    items = [item for cause in diagnosis.causes for item in cause.evidence if item.measure == name]
    words = joined(word(name), *(word(value_text(item, lang), "strong") for item in items[:1]), between=" = ")
    sources = " · ".join(dict.fromkeys(str(origin) for item in items for origin in item.origins))
    return (Para(word(measure_word(name, lang), "strong"), hang=2), Para(joined(words, word(sources, "info"), between=" · "), hang=2))


def detail(cause: Cause | None, item: Evidence | None, lang: Lang, diagnosis: Diagnosis | None = None) -> tuple[Para, ...]:
    """All of one piece of evidence in words: what, of what, against which threshold, from where; and the verdict if it were wrong."""
    if item is None:
        return (Para(word(cause.explanation.say(lang), "dim")),) if cause and cause.explanation else ()
    words = joined(
        word(names_in(item.about, lang)) if item.about else (),
        word(f"{item.measure} = {value_text(item, lang)}"),
        word(f"{say('tui.evidence.threshold', lang)} {threshold_text(item, lang)}", "dim") if item.threshold else (),
        word(f"{say('tui.evidence.after', lang)} {item.threshold_source}", "dim") if item.threshold_source else (),
        between=" · ",
    )
    sources = joined(*(word(str(origin), "info") for origin in item.origins[:6]), between=" · ")
    doubts = word("! " + clauses((text.say(lang) for text in item.doubts), lang), "warn") if item.doubts else ()
    lines = (word(item.text.say(lang), "strong"), joined(words, _if_wrong(item, diagnosis, lang), between=" · "), sources, doubts)
    return tuple(Para(phrase, hang=2) for phrase in lines if phrase)


def _if_wrong(item: Evidence, diagnosis: Diagnosis | None, lang: Lang) -> Phrase:
    """The verdict without this piece of evidence, where it was worked out."""
    one = next((one for one in diagnosis.without if one.measure == item.measure), None) if diagnosis else None
    if one is None:
        return ()
    verdict = say(f"tui.verdict.{one.verdict}", lang)
    return word(say("tui.turning.if-wrong", lang, verdict=verdict, sure=sure(one.confidence)), "warn" if one.turns else "dim")


def missing(diagnosis: Diagnosis, lang: Lang) -> tuple[Para, ...]:
    """What is not known, and what would change the verdict."""
    return tuple(Para((Span("? ", "mark"), Span(text.say(lang))), hang=2) for text in diagnosis.missing)
