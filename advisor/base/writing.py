"""Rows of names, days and ranges as each language writes them."""

from collections.abc import Iterable
from datetime import date

from advisor.base.text import Lang

_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def listed(items: Iterable[str], lang: str) -> str:
    """Names in a row."""
    return ("、" if lang == "zh" else ", ").join(items)


def clauses(items: Iterable[str], lang: str) -> str:
    """Statements in a row."""
    return ("；" if lang == "zh" else "; ").join(items)


def names_in(text: str, lang: str) -> str:
    """Names that are parted by commas, as the language writes a row of names."""
    return listed(text.split(", "), lang)


def day(when: date, lang: Lang) -> str:
    """A day: `30 Nov 2026`, `2026年11月30日`."""
    if lang == "zh":
        return f"{when.year}年{when.month}月{when.day}日"
    return f"{when.day} {_MONTHS[when.month - 1]} {when.year}"


def day_of(text: str, lang: Lang) -> str:
    """A day that is written as YYYY-MM-DD as the language writes it; any other text as it is."""
    try:
        return day(date.fromisoformat(text), lang)
    except ValueError:
        return text


def span(low: object, high: object, lang: str) -> str:
    """From one figure to another: `5–15`, `5～15` (GB/T 15834-2011, dashes)."""
    return f"{low}{'～' if lang == 'zh' else '–'}{high}"


def share_range(low: float, high: float, lang: str) -> str:
    """Two shares from 0 to 1 as whole per cents: `46–66 %`, `46%～66%` (GB/T 15835-2011), and once where they round to the same."""
    first, last = f"{low * 100:.0f}", f"{high * 100:.0f}"
    if lang == "zh":
        return f"{first}%" if first == last else span(f"{first}%", f"{last}%", lang)
    return f"{first} %" if first == last else f"{span(first, last, lang)} %"
