"""How the verdict stands up, where the walk of an expert stopped, and the probes, as document trees."""

from advisor.base.text import Lang, say
from advisor.diagnosis.verdict import Diagnosis
from advisor.report.document import Block, Document, Heading, Paragraph, Table


def walk_stop(diagnosis: Diagnosis, lang: Lang) -> Document:
    """At which gate the walk stopped, and why."""
    if diagnosis.stop is None:
        return (Paragraph(say("report.no-stop", lang)),) if diagnosis.verdict != "undetermined" and diagnosis.gates else ()
    gate = say(f"gate.{diagnosis.stop.gate}", lang)
    return (Paragraph(say("report.stop", lang, gate=gate, text=diagnosis.stop.text.say(lang))),)


def standing(diagnosis: Diagnosis, lang: Lang) -> Document:
    """How the verdict stands up: without any one measure, and which open answers would turn it."""
    blocks: list[Block] = []
    if diagnosis.without:
        turning = [one for one in diagnosis.without if one.turns]
        rows = tuple(
            (one.text.say(lang), say(f"verdict.{one.verdict}", lang), f"{one.confidence:.2f}") for one in turning or diagnosis.without[:3]
        )
        key = "report.without-turns" if turning else "report.without-stands"
        blocks.append(Paragraph(say(key, lang, count=len(diagnosis.without), turning=len(turning))))
        header = tuple(say(f"report.{word}", lang) for word in ("without", "verdict-then", "confidence"))
        blocks.append(Table(header, rows, ("left", "left", "right")))
    if diagnosis.turns:
        rows = tuple((one.text.say(lang), say(f"verdict.{one.verdict}", lang), f"{one.confidence:.2f}") for one in diagnosis.turns)
        blocks.append(Paragraph(say("report.turns-settle" if diagnosis.verdict == "undetermined" else "report.turns", lang)))
        header = tuple(say(f"report.{word}", lang) for word in ("if-so", "verdict-then", "confidence"))
        blocks.append(Table(header, rows, ("left", "left", "right")))
    return (Heading(2, say("report.standing", lang)), *blocks) if blocks else ()


def probes(diagnosis: Diagnosis, lang: Lang) -> Document:
    """The probes, best first: what to type and where, what it decides, and why it comes before the next."""
    if not diagnosis.probes:
        return (Paragraph(say("report.no-probe", lang)),)
    blocks: list[Block] = []
    for number, probe in enumerate(diagnosis.probes, 1):
        where = probe.where or say("report.probe-anywhere", lang)
        blocks.append(Heading(3, f"{number}. {probe.decides.say(lang)}"))
        blocks.append(
            Table(
                ("", ""),
                (
                    (say("report.probe-on", lang), f"{say(f'report.probe-at-{probe.at}', lang)}: {where}"),
                    (say("report.probe-run", lang), probe.run.say(lang)),
                    (
                        say("report.probe-why", lang),
                        say(
                            "report.probe-worth",
                            lang,
                            gain=f"{probe.gain:.2f}",
                            minutes=f"{probe.minutes or 0:.0f}",
                            risk=say(f"report.risk-{probe.risk}", lang),
                        ),
                    ),
                ),
            )
        )
    return tuple(blocks)
