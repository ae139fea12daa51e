"""How the verdict stands up, where the walk of an expert stopped, and the probes, as document trees."""

from advisor.base.text import Lang, say
from advisor.base.writing import listed, span
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
        shown = turning or diagnosis.without[:3]
        rows = tuple((one.text.say(lang), say(f"tui.verdict.{one.verdict}", lang), f"{one.confidence:.2f}") for one in shown)
        key = "report.without-turns" if turning else "report.without-stands"
        blocks.append(Paragraph(say(key, lang, count=len(diagnosis.without), turning=len(turning))))
        header = tuple(say(f"report.{word}", lang) for word in ("without", "verdict-then", "confidence"))
        blocks.append(Table(header, rows, ("left", "left", "right")))
    if diagnosis.turns:
        rows = tuple((one.text.say(lang), say(f"tui.verdict.{one.verdict}", lang), f"{one.confidence:.2f}") for one in diagnosis.turns)
        blocks.append(Paragraph(say("report.turns-settle" if diagnosis.verdict == "undetermined" else "report.turns", lang)))
        header = tuple(say(f"report.{word}", lang) for word in ("if-so", "verdict-then", "confidence"))
        blocks.append(Table(header, rows, ("left", "left", "right")))
    return (Heading(2, say("report.standing", lang)), *blocks) if blocks else ()


def probes(diagnosis: Diagnosis, lang: Lang) -> Document:
    """The probes, best first: what to type and where, what it decides, and why it comes before the next."""
    if not diagnosis.probes:
        return (Paragraph(say("report.no-probe", lang)),)
    verdict = say("report.verdict", lang, verdict=say(f"verdict.{diagnosis.verdict}", lang), confidence=f"{diagnosis.confidence:.2f}")
    blocks: list[Block] = [Paragraph(verdict, strong=True)]
    for number, probe in enumerate(diagnosis.probes, 1):
        where = probe.where or say("report.probe-anywhere", lang)
        decides = probe.decides.say(lang)
        blocks.append(Heading(3, f"{number}. {decides[:1].upper()}{decides[1:]}"))
        blocks.append(
            Table(
                ("", ""),
                (
                    (
                        say("report.probe-on", lang),
                        say("report.probe-place", lang, at=say(f"report.probe-at-{probe.at}", lang), where=where),
                    ),
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


def flow_control(diagnosis: Diagnosis, lang: Lang) -> Document:
    """Traffic classes of NIC and switch port side by side, priority by priority, mismatches marked. Priorities that are lossy everywhere
    and fit are left out."""
    blocks: list[Block] = []
    for one in diagnosis.flow_control:
        names = [
            f"{say(f'flow-control.kind-{side.kind}', lang)} {side.name or say('flow-control.kind-stated', lang)}" for side in one.sides
        ]
        blocks.append(Paragraph(" / ".join(names)))
        blocks += [Paragraph(f"! {text.say(lang)}", strong=True) for text in one.mismatches]
        rows: list[tuple[str, ...]] = []
        for line in one.lines:
            if line.mismatches or any(of.pfc or of.ecn for of in line.classes.values()):
                marks = say("report.list", lang).join(text.say(lang) for text in line.mismatches)
                for i, (kind, of) in enumerate(line.classes.items()):
                    told = (_ranges(of.dscp, lang), of.queue or "-", _on(of.pfc, lang), _on(of.ecn, lang))
                    mark = f"! {marks}" if marks and not i else ""
                    rows.append((str(line.priority) if not i else "", say(f"flow-control.kind-{kind}", lang), *told, mark))
        if rows:
            header = (*(say(f"flow-control.{word}", lang) for word in ("priority", "side", "dscps", "queue")), "PFC", "ECN")
            blocks.append(Table((*header, say("flow-control.mismatch", lang)), tuple(rows)))
        if not one.differs:
            blocks.append(Paragraph(say("flow-control.fits", lang)))
    return (Heading(2, say("flow-control.title", lang)), *blocks) if blocks else ()


def _on(state: bool | None, lang: Lang) -> str:
    return "-" if state is None else say("flow-control.on" if state else "flow-control.off", lang)


def _ranges(numbers: tuple[int, ...] | None, lang: Lang) -> str:
    """`24–31, 46`, `24～31、46`; a dash where unknown or none."""
    parts: list[list[int]] = []
    for one in numbers or ():
        if parts and one == parts[-1][-1] + 1:
            parts[-1] = [parts[-1][0], one]
        else:
            parts.append([one])
    return listed([span(part[0], part[-1], lang) if len(part) > 1 else str(part[0]) for part in parts], lang) or "-"
