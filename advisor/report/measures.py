"""The listing of measures: all of them in one table, a few in full."""

from collections.abc import Sequence
from typing import Any

from advisor.base.text import Lang, say
from advisor.diagnosis.listing import Listed
from advisor.report.document import Block, Document, Heading, Paragraph, Table

IN_FULL = 8  # up to so many are told in full


def measures_json(found: Sequence[Listed], lang: Lang) -> dict[str, Any]:
    return {
        "measures": [
            {
                "measure": one.name,
                "group": one.group,
                "layer": one.layer,
                "unit": one.unit,
                "says": one.says.say(lang),
                "doc": one.doc,
                "needs": one.needs.say(lang),
                "degrades": [text.say(lang) for text in one.degrades],
                "signatures": list(one.signatures),
            }
            for one in found
        ]
    }


def measures_document(found: Sequence[Listed], lang: Lang) -> Document:
    if len(found) > IN_FULL:
        header = tuple(say(f"measures.{word}", lang) for word in ("name", "says", "needs"))
        rows = tuple((one.name, one.says.say(lang), one.needs.say(lang)) for one in found)
        return (Paragraph(say("measures.count", lang, count=len(found))), Table(header, rows))
    blocks: list[Block] = []
    for one in found:
        blocks.append(Heading(3, one.name))
        cells = (
            (say("measures.says", lang), one.says.say(lang)),
            (say("measures.computed", lang), one.doc or "-"),
            (say("measures.unit", lang), one.unit or say("measures.no-unit", lang)),
            (say("measures.layer", lang), say(f"layer.{one.layer}", lang)),
            (say("measures.group", lang), one.group),
            (say("measures.needs", lang), one.needs.say(lang)),
            (say("measures.degrades", lang), say("report.list", lang).join(text.say(lang) for text in one.degrades)),
            (say("measures.asked", lang), ", ".join(one.signatures) or "-"),
        )
        blocks.append(Table(("", ""), cells))
    return tuple(blocks)
