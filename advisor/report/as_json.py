"""Diagnosis, plan and captures as JSON trees with stable keys. Shares are 0 to 1, money is text with two decimals, unknown is null."""

from datetime import date
from decimal import Decimal
from typing import Any

from advisor import __version__
from advisor.base.text import Lang, say
from advisor.cost.model import Estimate, Line, Range
from advisor.diagnosis.flow_control import SideBySide
from advisor.diagnosis.verdict import Cause, Diagnosis, Evidence, Probe
from advisor.evidence.bundle import Bundle
from advisor.evidence.origin import Origin
from advisor.plan.plan import Plan, Rung
from advisor.remedy.typed import Typed
from advisor.report.money import scenario_money, stop_json, sums


def diagnosis_json(diagnosis: Diagnosis, lang: Lang) -> dict[str, Any]:
    loss = diagnosis.loss
    return {
        "verdict": diagnosis.verdict,
        "confidence": round(diagnosis.confidence, 4),
        "headline": diagnosis.headline.say(lang),
        "layers": dict(diagnosis.layers),
        "causes": [_cause(cause, lang) for cause in diagnosis.causes],
        "loss": {
            "fraction": _share(loss.fraction),
            "low": _share(loss.low),
            "high": _share(loss.high),
            "free": _share(loss.free),
            "hardware": _share(loss.hardware),
            "method": loss.method,
            "split": None if loss.free is None else "model" if loss.method == "model" else "evidence",
            "baseline": loss.baseline.say(lang) if loss.baseline else None,
        },
        "gates": [{"gate": gate.gate, "state": gate.state, "text": gate.text.say(lang)} for gate in diagnosis.gates],
        "stop": {"gate": diagnosis.stop.gate, "state": diagnosis.stop.state, "text": diagnosis.stop.text.say(lang)}
        if diagnosis.stop
        else None,
        "missing": [text.say(lang) for text in diagnosis.missing],
        "next_probe": _probe(diagnosis.next_probe, lang),
        "probes": [_probe(probe, lang) for probe in diagnosis.probes],
        "set_aside": list(diagnosis.set_aside),
        "without": [
            {
                "measure": one.measure,
                "text": one.text.say(lang),
                "verdict": one.verdict,
                "confidence": round(one.confidence, 4),
                "turns": one.turns,
            }
            for one in diagnosis.without
        ],
        "would_turn": [
            {
                "measure": one.measure,
                "value": one.value,
                "text": one.text.say(lang),
                "verdict": one.verdict,
                "confidence": round(one.confidence, 4),
            }
            for one in diagnosis.turns
        ],
        "overruled": {
            "reason": diagnosis.overruled.reason,
            "evidence_verdict": diagnosis.overruled.verdict,
            "evidence_confidence": round(diagnosis.overruled.confidence, 4),
            "evidence_headline": diagnosis.overruled.headline.say(lang),
        }
        if diagnosis.overruled
        else None,
        "flow_control": [_side_by_side(one, lang) for one in diagnosis.flow_control],
        "knowledge": list(diagnosis.knowledge),
    }


def _side_by_side(one: SideBySide, lang: Lang) -> dict[str, Any]:
    return {
        "sides": [
            {
                "side": side.kind,
                "name": side.name,
                "trust": side.trust,
                "origins": [{"capture": o.name, "line": o.line, "stated": o.kind == "stated"} for o in side.origins],
            }
            for side in one.sides
        ],
        "priorities": [
            {
                "priority": line.priority,
                **{
                    kind: {"dscp": list(of.dscp) if of.dscp is not None else None, "queue": of.queue, "pfc": of.pfc, "ecn": of.ecn}
                    for kind, of in line.classes.items()
                },
                "mismatches": [text.say(lang) for text in line.mismatches],
            }
            for line in one.lines
        ],
        "mismatches": [text.say(lang) for text in one.mismatches],
    }


def _cause(cause: Cause, lang: Lang) -> dict[str, Any]:
    return {
        "cause": cause.cause,
        "layer": cause.layer,
        "verdict": cause.verdict,
        "title": cause.title.say(lang),
        "probability": round(cause.probability, 4),
        "share": _share(cause.share),
        "signatures": list(cause.signatures),
        "evidence": [_evidence(evidence, lang) for evidence in cause.evidence],
    }


def _evidence(evidence: Evidence, lang: Lang) -> dict[str, Any]:
    first = evidence.origins[0] if evidence.origins else Origin()
    return {
        "for": evidence.supports,
        "measure": evidence.measure,
        "about": evidence.about,
        "value": evidence.value,
        "unit": evidence.unit,
        "threshold": evidence.threshold,
        "source": evidence.threshold_source,
        "weight": round(evidence.weight, 4),
        "quality": round(evidence.quality, 4),
        "doubts": [doubt.say(lang) for doubt in evidence.doubts],
        "text": evidence.text.say(lang),
        "capture": first.name or None,
        "sha256": first.capture or None,
        "line": first.line,
        "stated": first.kind == "stated",
        "origins": [{"capture": o.name, "line": o.line, "stated": o.kind == "stated"} for o in evidence.origins],
    }


def probes_json(diagnosis: Diagnosis, lang: Lang) -> dict[str, Any]:
    return {
        "verdict": diagnosis.verdict,
        "confidence": round(diagnosis.confidence, 4),
        "probes": [_probe(probe, lang) for probe in diagnosis.probes],
    }


def _probe(probe: Probe | None, lang: Lang) -> dict[str, Any] | None:
    if probe is None:
        return None
    return {
        "probe": probe.probe,
        "run": probe.run.say(lang),
        "where": probe.where,
        "decides": probe.decides.say(lang),
        "at": probe.at,
        "gain": round(probe.gain, 4),
        "minutes": probe.minutes,
        "risk": probe.risk,
        "worth": round(probe.worth, 4),
    }


def _share(share: float | None) -> float | None:
    return None if share is None else round(share, 4)


def plan_json(plan: Plan, lang: Lang) -> dict[str, Any]:
    return {
        "currency": plan.currency,
        "buying": plan.buying.say(lang),
        "recovered": _share(plan.recovered),
        "still_lost": _share(plan.still_lost),
        "spent": _range(plan.spent),
        "spent_by_currency": sums(plan.taken),
        "stop": stop_json(plan.stop, lang),
        "estimate": _estimate(plan.estimate, lang),
        "rungs": [_rung(rung, lang) for rung in plan.rungs],
        "scenarios": [
            {
                "id": scenario.id,
                "title": scenario.title.say(lang),
                "remedies": list(scenario.remedies),
                "recovers": _share(scenario.recovers),
                "remaining": _share(scenario.remaining),
                "estimate": _estimate(scenario.estimate, lang),
                "note": scenario.note.say(lang) if scenario.note else None,
                **scenario_money(scenario, lang),
            }
            for scenario in plan.scenarios
        ],
    }


def _rung(rung: Rung, lang: Lang) -> dict[str, Any]:
    proposal = rung.proposal
    remedy = proposal.remedy
    return {
        "remedy": remedy.id,
        "title": remedy.title.say(lang),
        "kind": remedy.kind,
        "row": remedy.row,
        "causes": list(proposal.causes),
        "probability": round(proposal.probability, 4),
        "recovers": {"low": _share(proposal.recovers_low), "likely": _share(proposal.recovers), "high": _share(proposal.recovers_high)},
        "steps": [step.say(lang) for step in proposal.steps],
        "rollback": (proposal.rollback or remedy.rollback).say(lang),
        "verify": (proposal.verify or remedy.verify).say(lang),
        "expect": (proposal.expect or remedy.expect).say(lang),
        "risk": remedy.risk.say(lang),
        "window": remedy.window,
        "commands": [_command(command, lang) for command in proposal.commands],
        "predicted": [gain.model_dump() for gain in proposal.gains],
        "conflicts": list(remedy.conflicts),
        "where": list(proposal.where),
        "blocked_by": list(proposal.blocked_by),
        "decision": {"choice": rung.decision.choice, "reason": rung.decision.reason},
        "recovered_so_far": _share(rung.recovered_so_far),
        "estimate": _estimate(rung.estimate, lang),
    }


def _command(command: Typed, lang: Lang) -> dict[str, Any]:
    """What to type for one act on one system; `step` 0 is the way back."""
    said = command.model_dump(exclude={"remarks", "absent"})
    absent = command.absent.say(lang) if command.absent else None
    return {**said, "remarks": [text.say(lang) for text in command.remarks], "absent": absent}


def _estimate(estimate: Estimate, lang: Lang) -> dict[str, Any]:
    return {
        "currency": estimate.currency,
        "total": _range(estimate.total),
        "by_group": {group: _range(amount) for group, amount in estimate.by_group.items()},
        "unconverted": {currency: _range(amount) for currency, amount in estimate.unconverted.items()},
        "missing": estimate.missing,
        "expired": estimate.expired,
        "lines": [_line(line, lang) for line in estimate.lines],
    }


def _line(line: Line, lang: Lang) -> dict[str, Any]:
    price = line.price
    return {
        "remedy": line.remedy,
        "what": line.what.say(lang),
        "group": line.group,
        "item": line.item,
        "unit": line.unit,
        "quantity": _range(line.quantity, exact=True) if line.quantity is not None else None,
        "basis": line.basis.say(lang),
        "state": line.state,
        "amount": _range(line.amount) if line.amount is not None else None,
        "currency": line.currency,
        "price": {
            "currency": price.currency,
            **(_range(price.price) if price.price is not None else {}),
            "date": price.compiled_on.isoformat(),
            "valid_days": price.valid_days,
            "kind": price.kind,
            "source": price.source,
            "url": price.source_url,
        }
        if price
        else None,
    }


def _range(amounts: Range, exact: bool = False) -> dict[str, str]:
    def text(amount: Decimal) -> str:
        return f"{amount.normalize():f}" if exact else f"{amount:.2f}"

    return {"low": text(amounts.low), "likely": text(amounts.likely), "high": text(amounts.high)}


def captures_json(bundle: Bundle, passed: tuple[tuple[str, str, str], ...], lang: Lang) -> dict[str, Any]:
    captures = [
        {
            "name": capture.name,
            "sha256": capture.sha256,
            "bytes": capture.size,
            "files": capture.files,
            "state": capture.state,
            "why": say(f"refused.{capture.reading.refused}", lang) if capture.reading.refused else None,
            "failed": capture.failed,
            "host": capture.host,
            "role": capture.role,
            "time": capture.time,
            "parts": [{"tool": p.tool, "lines": list(p.lines), "host": p.host, "problems": len(p.problems)} for p in capture.reading.parts],
            "unread": [list(pair) for pair in capture.reading.unread],
        }
        for capture in bundle.captures
    ]
    over = [{"name": name, "why": say(f"refused.{why}", lang), "detail": detail} for name, why, detail in passed]
    files = {**bundle.files, "passed": len(passed)}
    return {"files": sum(files.values()), "states": files, "captures": captures, "passed_over": over}


def report_tree(
    name: str,
    today: date,
    bundle: Bundle,
    passed: tuple[tuple[str, str, str], ...],
    diagnosis: Diagnosis,
    plan: Plan,
    lang: Lang,
    masked: bool = False,
) -> dict[str, Any]:
    """The whole report as one tree; its schema is knowledge/report.schema.json. `form` counts up when a key changes its meaning."""
    return {
        "form": 1,
        "site": name,
        "made_on": today.isoformat(),
        "version": __version__,
        "masked": masked,
        "language": lang,
        "diagnosis": diagnosis_json(diagnosis, lang),
        "plan": plan_json(plan, lang),
        **captures_json(bundle, passed, lang),
    }
