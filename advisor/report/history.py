"""What changed: since an earlier assessment, and since a seal; as documents and as JSON."""

from collections.abc import Mapping
from typing import Any

from advisor.base.text import Lang, Text, say
from advisor.evidence.seal import Seal, Verified
from advisor.plan.since import Difference
from advisor.report.document import Block, Document, Paragraph, Table
from advisor.report.words import per_cent

_SHARES = ("fraction", "free", "hardware")
Titles = Mapping[str, Text]  # of causes and remedies, by id


def since_document(found: tuple[Difference, ...], titles: Titles, lang: Lang) -> Document:
    """Every difference in a row, by topic."""
    if not found:
        return (Paragraph(say("since.none", lang), strong=True),)
    rows = tuple(
        (
            say("since.verdict-topic" if one.topic == "verdict" else f"since.{one.topic}", lang),
            f"{titles[one.thing].say(lang) if one.thing in titles else one.thing} ({say(f'since.{one.figure}', lang)})".strip(),
            _word(one, one.before, lang),
            _word(one, one.now, lang),
        )
        for one in found
    )
    return (Table(tuple(say(f"since.{word}", lang) for word in ("topic", "thing", "before", "now")), rows),)


def _word(one: Difference, value: str, lang: Lang) -> str:
    if not value:
        return say("since.absent", lang)
    if value == "yes":
        return say("since.yes", lang)
    key = {"verdict": "verdict", "decision": "choice"}.get(one.figure)
    return say(f"{key}.{value}", lang) if key else value.replace(" %", per_cent(lang)) if one.figure in _SHARES else value


def since_json(found: tuple[Difference, ...]) -> dict[str, Any]:
    def row(one: Difference) -> dict[str, Any]:
        return {"topic": one.topic, "thing": one.thing or None, "figure": one.figure, "before": one.before or None, "now": one.now or None}

    return {"differences": [row(one) for one in found]}


def seal_document(made: Seal, lang: Lang) -> Document:
    files = len(made.parts["knowledge"]) + len(made.parts["pricing"])
    return (
        Paragraph(say("seal.made", lang, date=made.made_on, digest=made.digest), strong=True),
        Paragraph(say("seal.covers", lang, captures=len(made.parts["captures"]), files=files)),
    )


def verified_document(found: Verified, lang: Lang) -> Document:
    """Whether the same input still gives the same answer, and what changed since."""
    blocks: list[Block] = [
        Paragraph(say("seal.same" if found.same_answer else "seal.differs", lang, date=found.sealed.made_on), strong=True)
    ]
    if found.sealed.version != found.now.version:
        blocks.append(Paragraph(say("seal.version", lang, sealed=found.sealed.version, now=found.now.version)))
    if not found.changes:
        blocks.append(Paragraph(say("seal.nothing", lang)))
    else:
        rows = tuple((say(f"seal.{one.part}", lang), one.name, say(f"seal.{one.how}", lang)) for one in found.changes)
        blocks.append(Table(tuple(say(f"seal.{word}", lang) for word in ("part", "name", "how")), rows))
    return tuple(blocks)


def seal_json(made: Seal) -> dict[str, Any]:
    return {"made_on": made.made_on, "version": made.version, "digest": made.digest, "parts": {p: dict(t) for p, t in made.parts.items()}}


def verified_json(found: Verified) -> dict[str, Any]:
    return {
        "same_answer": found.same_answer,
        "sealed": {"made_on": found.sealed.made_on, "version": found.sealed.version, "digest": found.sealed.digest},
        "now": {"version": found.now.version, "digest": found.now.digest},
        "changes": [{"part": one.part, "name": one.name, "how": one.how} for one in found.changes],
    }
