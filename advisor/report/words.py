"""Figures as words: shares, money, origins, in one place for every form of a report."""

from decimal import Decimal

from advisor.base.text import Lang, say, text_of, value_word
from advisor.base.writing import listed, names_in, share_range
from advisor.cost.model import Range
from advisor.diagnosis.verdict import Evidence
from advisor.evidence.origin import Origin


def per_cent(lang: Lang) -> str:
    """The sign after a number: with a blank in English, as the SI writes it, without one in Chinese, as is usual there."""
    return "%" if lang == "zh" else " %"


def percent(share: float | None, lang: Lang, digits: int = 0, signed: bool = False) -> str:
    """A share from 0 to 1 as per cent; unknown says so."""
    return say("report.unknown", lang) if share is None else f"{share * 100:{'+' if signed else ''}.{digits}f}{per_cent(lang)}"


def percent_range(low: float | None, high: float | None, lang: Lang) -> str:
    if low is None or high is None:
        return say("report.unknown", lang)
    return share_range(low, high, lang)


def money(amount: Decimal) -> str:
    return f"{amount:,.0f}"


def money_range(amounts: Range | None, currency: str, lang: Lang) -> str:
    """Low, likely and high of an amount with its currency; unknown says so."""
    if amounts is None:
        return say("report.unknown", lang)
    if amounts.low == amounts.high:
        return f"{currency} {money(amounts.likely)}"
    return f"{currency} {money(amounts.low)} / {money(amounts.likely)} / {money(amounts.high)}"


def unit_word(unit: str, lang: Lang) -> str:
    """A unit of the price book behind a quantity; one that the catalogue lacks stays as it is written."""
    text = text_of(f"piece.many.{unit}")
    return text.say(lang) if text else unit


def figure(value: object, unit: str, lang: Lang) -> str:
    """A measured or stated value with its unit."""
    if value is None:
        return say("report.unknown", lang)
    if isinstance(value, bool):
        return say("report.yes" if value else "report.no", lang)
    text = f"{value:.4g}" if isinstance(value, float) else value_word(str(value), lang)
    return f"{text} {unit}".strip()


def place(origins: tuple[Origin, ...], lang: Lang) -> str:
    """Where a figure comes from: the capture's name and line, or that a person stated it."""
    if not origins:
        return "-"
    first = origins[0]
    text = str(first) if first.kind == "capture" else say("report.stated", lang, place=str(first))
    return text if len(origins) == 1 else f"{text} (+{len(origins) - 1})"


def threshold(evidence: Evidence, lang: Lang) -> str:
    """A threshold with its comparison; words of ours in it as the language of the report has them."""
    sign, _, limit = evidence.threshold.partition(" ")
    if not limit:
        return evidence.threshold or "-"
    if limit in ("yes", "no"):
        return f"{sign} {figure(limit == 'yes', '', lang)}"
    words = listed([value_word(one, lang) for one in limit.split(", ")], lang)
    return f"{say('report.one-of', lang)} {words}" if sign == "in" else f"{sign} {words}"


def evidence_row(evidence: Evidence, lang: Lang) -> tuple[str, ...]:
    """One sign as cells: for or against, words, value, threshold, factor, origin."""
    words = evidence.text.say(lang)
    about = names_in(evidence.about, lang)
    words = words if about in words else f"{words}（{about}）" if lang == "zh" else f"{words} ({about})"
    return (
        "+" if evidence.supports else "-",
        " ".join([words, *(f"[{doubt.say(lang)}]" for doubt in evidence.doubts)]),
        figure(evidence.value, evidence.unit, lang),
        threshold(evidence, lang),
        f"x{evidence.weight:.3g}",
        place(evidence.origins, lang),
    )
