"""What the diagnosis says in words: the headline, and each piece of evidence with its value and threshold."""

from collections import Counter
from collections.abc import Mapping

from advisor.base.text import LANGS, Lang, Text, say, text_of, value_word
from advisor.base.writing import clauses, listed, names_in
from advisor.diagnosis.combine import ITEM_CLIP
from advisor.diagnosis.condition import word
from advisor.diagnosis.library import Library
from advisor.diagnosis.measured import Measured, Value, measures
from advisor.diagnosis.signature import Seen
from advisor.diagnosis.verdict import Evidence
from advisor.diagnosis.weigh import Decision, Weighed

MANY = 3  # things named in a text; of more only their number is said


def headline(decision: Decision) -> Text:
    """One sentence: the verdict with its leading cause, or what is open."""
    leading = decision.causes[0].title if decision.causes else None
    key = f"diagnosis.headline.{decision.verdict}" if leading or decision.verdict != "undetermined" else "diagnosis.headline.nothing"
    return _both(key, {lang: {"cause": leading.say(lang) if leading else ""} for lang in LANGS})


def evidence(one: Weighed, known: Library) -> tuple[Evidence, ...]:
    """The signs of a cause that are true here, heaviest first; a sign that two signatures share stands once."""
    signs = {_asked(seen, known): seen for finding in one.findings for seen in finding.seen}
    common = Counter(name for seen in signs.values() for name in {value.name for value in seen.because})
    found: dict[tuple[tuple[str, str], ...], Evidence] = {}
    for finding in one.findings:
        for seen in finding.seen:
            found.setdefault(_asked(seen, known), _piece(seen, known, common))
    return tuple(sorted(found.values(), key=lambda piece: (-max(piece.weight, 1 / piece.weight), piece.measure)))


def _asked(seen: Seen, known: Library) -> tuple[tuple[str, str], ...]:
    """What a sign asks, measure by measure: the same of two signatures is one sign."""
    return tuple((part.measure or "", part.as_text(known.thresholds)) for part in seen.sign.parts())


def _piece(seen: Seen, known: Library, common: Mapping[str, int]) -> Evidence:
    parts = list(seen.sign.parts())
    by_name = {part.measure: part for part in parts}
    first: Measured | None = next((value for value in seen.because if value.name in by_name), None)
    part = by_name[first.name] if first else parts[0]
    bound = 2.718281828459045**ITEM_CLIP
    return Evidence(
        supports=seen.sign.weight > 1,
        measure=part.measure or "",
        about=first.about if first else "",
        value=first.value if first else None,
        unit=measures()[part.measure or ""].unit,
        threshold=part.as_text(known.thresholds),
        threshold_source=part.limit_source(known.thresholds),
        weight=min(max(seen.weight, 1 / bound), bound),
        quality=seen.quality.factor,
        doubts=tuple(text for doubt in seen.quality.doubts if (text := text_of(f"diagnosis.doubt.{doubt}"))),
        text=seen.sign.text or _sentence(seen, common),
        origins=tuple(dict.fromkeys(where for value in seen.because for where in value.origins)),
    )


def _sentence(seen: Seen, common: Mapping[str, int]) -> Text:
    """What was seen, measure by measure, each with its values; then on what, in the same order.

    First what fewest signs of the cause ask (`common` counts them), the short before the long, and no places between the measures:
    signs that share a part then differ in their first words, which is all of them that a narrow table shows.
    """
    asked = tuple(dict.fromkeys(value.name for value in seen.because))
    said: dict[Lang, str] = {}
    for lang in LANGS:
        pieces, places = [], []
        for name in sorted(asked, key=lambda name: (common.get(name, 1), len(_label(name, lang)))):
            values = [value for value in seen.because if value.name == name]
            shown = listed(dict.fromkeys(_shown(value.value, lang) for value in values[:MANY]), lang)
            pieces.append(say("diagnosis.piece", lang, measure=_label(name, lang), value=shown))
            things = [names_in(value.about, lang) for value in values if value.about]
            if things:
                many = len(things) > MANY
                places.append(
                    say("diagnosis.things", lang, count=len(things), first=things[0]) if many else listed(dict.fromkeys(things), lang)
                )
        text = clauses(pieces, lang)
        said[lang] = say("diagnosis.at", lang, what=text, where=clauses(dict.fromkeys(places), lang)) if places else text
    return Text(**said)


def _label(name: str, lang: Lang) -> str:
    return say(f"measure.{name}", lang)


def _shown(value: Value, lang: Lang) -> str:
    if isinstance(value, bool):
        return say(f"diagnosis.{word(value)}", lang)
    if isinstance(value, float):
        return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}"
    return value_word(str(value), lang)


def _both(key: str, values: dict[Lang, dict[str, str]]) -> Text:
    text = text_of(key) or Text(en=key, zh=key)
    return Text(en=text.say("en", **values["en"]), zh=text.say("zh", **values["zh"]))
