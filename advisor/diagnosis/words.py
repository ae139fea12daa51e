"""What the diagnosis says in words: the headline, and each piece of evidence with its value and threshold."""

from advisor.base.text import LANGS, Lang, Text, say, text_of, value_word
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
    found: dict[tuple[tuple[str, str], ...], Evidence] = {}
    for finding in one.findings:
        for seen in finding.seen:
            asked = tuple((part.measure or "", part.as_text(known.thresholds)) for part in seen.sign.parts())
            found.setdefault(asked, _piece(seen, known))
    return tuple(sorted(found.values(), key=lambda piece: (-max(piece.weight, 1 / piece.weight), piece.measure)))


def _piece(seen: Seen, known: Library) -> Evidence:
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
        text=seen.sign.text or _sentence(seen),
        origins=tuple(dict.fromkeys(where for value in seen.because for where in value.origins)),
    )


def _sentence(seen: Seen) -> Text:
    """What was seen, measure by measure: its words, its values, and on what."""
    said: dict[Lang, str] = {}
    for lang in LANGS:
        pieces = []
        for name in dict.fromkeys(value.name for value in seen.because):
            values = [value for value in seen.because if value.name == name]
            shown = ", ".join(dict.fromkeys(_shown(value.value, lang) for value in values[:MANY]))
            things = [value.about for value in values if value.about]
            where = (
                ", ".join(dict.fromkeys(things))
                if len(things) <= MANY
                else say("diagnosis.things", lang, count=len(things), first=things[0])
            )
            pieces.append(
                say("diagnosis.piece-about" if where else "diagnosis.piece", lang, measure=_label(name, lang), value=shown, about=where)
            )
        said[lang] = say("diagnosis.and", lang).join(pieces)
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
