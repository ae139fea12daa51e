"""The start screen: what can be done, and the assessments that were opened last."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from advisor.base.text import Lang, say
from advisor.base.writing import day_of
from advisor.tui.views.figures import size, sure
from advisor.tui.views.frame import VERDICT_SIGNS
from advisor.tui.views.words import Column, Para, Phrase, Row, Span, Table, joined, word

if TYPE_CHECKING:
    from advisor.usecases.recent import Recent

ACTS = ("tour", "example", "new", "open")


def acts(lang: Lang) -> Table:
    """What can be done from here."""
    rows = [Row(act, (word(say(f"tui.start.{act}", lang), "strong"), word(say(f"tui.start.{act}-words", lang), "dim"))) for act in ACTS]
    return Table((Column(""), Column("", flex=True)), tuple(rows), headed=False)


def recent(entries: Sequence["Recent"], lang: Lang) -> Table:
    """The assessments opened last, newest first."""
    rows = [
        Row(
            entry.path,
            (
                word(entry.name, "strong"),
                _verdict(entry, lang),
                word(day_of(entry.opened[:10], lang), "dim"),
                word(size(entry.size), "dim"),
                word(entry.path, "dim"),
            ),
            order=(entry.name, entry.verdict or None, entry.opened, float(entry.size), entry.path),
        )
        for entry in entries
    ]
    columns = (
        Column(say("tui.start.name", lang), most=32),
        Column(say("tui.start.verdict", lang)),
        Column(say("tui.start.opened", lang)),
        Column(say("tui.start.size", lang), right=True, drop=1),
        Column(say("tui.start.path", lang), flex=True, drop=2),
    )
    return Table(columns, tuple(rows), empty=say("tui.start.none", lang))


def _verdict(entry: "Recent", lang: Lang) -> Phrase:
    if entry.verdict not in VERDICT_SIGNS:
        return word("–", "dim")
    sign, tone = VERDICT_SIGNS[entry.verdict]
    return joined(word(f"{sign} {say(f'tui.verdict.{entry.verdict}', lang)}", tone), word(f" {sure(entry.confidence)}", "dim"))


def welcome(lang: Lang) -> tuple[Para, ...]:
    """What this is, in a few lines."""
    lines = say("tui.start.welcome", lang).splitlines()
    return (Para((Span(lines[0], "title"),)), *(Para(word(text, "plain")) for text in lines[1:]))
