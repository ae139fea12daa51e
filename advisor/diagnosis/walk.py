"""The walk of an expert: gates in order, each clean, suspect, at fault or not known; and the state of each layer."""

from collections.abc import Mapping, Sequence

from advisor.base.text import Text, text_of
from advisor.diagnosis.findings import Findings
from advisor.diagnosis.library import KnownGate, Library
from advisor.diagnosis.measured import Measured, measures
from advisor.diagnosis.observed import Observed
from advisor.diagnosis.verdict import Gate, Stop
from advisor.diagnosis.verdicts import LAYERS, Layer, LayerState
from advisor.diagnosis.weigh import Decision, Weighed

FAULTY, SUSPECT = 0.5, 0.2  # probability of its likeliest cause from which a layer counts as such
REPAIR_FIRST = {"node", "link"}  # a collective shows nothing of the fabric before hosts and links are sound
# What describes a site without telling how it is.
_DESCRIBES = {"site", "product", "operation", "jobs", "message-size", "expectation-basis", "warnings", "platform"}
COARSE_S = 60  # averages over a minute and more hide bursts (failure modes of the money question)
Values = Mapping[str, Sequence[Measured]]


def layer_states(values: Values, decision: Decision) -> dict[Layer, LayerState]:
    """Silence is not health: a layer without any measure is unknown."""
    told = {measures()[name].layer for name in values if measures()[name].group not in _DESCRIBES}
    found: dict[Layer, LayerState] = {}
    for layer in LAYERS:
        likeliest = max((one.probability for one in decision.causes if one.layer == layer and one.verdict != "none"), default=0.0)
        found[layer] = _state(likeliest, layer in told)  # type: ignore[index]
    return found


def _state(likeliest: float, is_told: bool) -> LayerState:
    if likeliest >= FAULTY:
        return "faulty"
    if likeliest >= SUSPECT:
        return "suspect"
    return "clean" if is_told else "unknown"


def gates(site: Observed, said: Findings, decision: Decision, known: Library) -> tuple[Gate, ...]:
    """Each gate with what it saw. Behind a host or link at fault the walk goes on only to show what else is there."""
    found: list[Gate] = []
    stopped: Text | None = None  # what the gate before found at fault
    told = {measures()[name].group for name in said.values}
    for name, gate in known.gates.items():
        if name == "data":
            found.append(_data_gate(site, said, told, gate))
            continue
        causes = [one for one in decision.causes if one.cause in gate.causes and one.verdict != "none"]
        likeliest = max(causes, key=lambda one: one.probability, default=None)
        state = _state(likeliest.probability if likeliest else 0.0, bool(told & set(gate.groups)))
        pointing = None if state in ("faulty", "suspect") else _pointing(gate, decision)
        if pointing is not None:  # what is seen here speaks for a cause that another gate looks at
            state, likeliest = "suspect", pointing
        title = likeliest.title if likeliest else None
        text = _words(f"diagnosis.gate.{state}", cause=title, need=gate.needs)
        if stopped is not None:  # said once, at the first gate behind it
            text = _words("diagnosis.gate.behind", before=stopped, text=text)
        found.append(Gate(gate=name, state=state, text=text))
        stopped = title if state == "faulty" and name in REPAIR_FIRST else None
    return tuple(found)


def _data_gate(site: Observed, said: Findings, told: set[str], gate: KnownGate) -> Gate:
    """Whether there is anything to judge by, and what speaks against relying on it."""
    if not told - _DESCRIBES:
        return Gate(gate="data", state="unknown", text=_words("diagnosis.gate.unknown", need=gate.needs))
    doubts = _data_doubts(site, said)
    if not doubts:
        return Gate(gate="data", state="clean", text=_words("diagnosis.gate.data-clean"))
    joint = _words("diagnosis.and")
    english = joint.en.join(one.en for one in doubts)
    text = Text(en=f"{english[:1].upper()}{english[1:]}.", zh=joint.zh.join(one.zh for one in doubts) + "。")
    return Gate(gate="data", state="suspect", text=text)


def _data_doubts(site: Observed, said: Findings) -> list[Text]:
    origins = [where for values in said.values.values() for one in values for where in one.origins]
    harmed = {doubt for finding in said.fired for seen in finding.seen for doubt in seen.quality.doubts}
    counts = {
        "stated-only": int(bool(origins) and all(where.kind == "stated" for where in origins)),
        "in-part": sum(capture.state == "read-in-part" for capture in site.bundle.captures) if "read-in-part" in harmed else 0,
        "old": int("old" in harmed),
        "overridden": int("overridden" in harmed),
        "conflicts": len(site.fabric.conflicts),
        "platform": sum(one.value is True for one in said.values.get("platform_unknown", ())),
        "coarse": sum((entry.number("period_s") or 0) >= COARSE_S for entry in site.entries("links")),
    }
    return [_count(f"diagnosis.data.{name}", count) for name, count in counts.items() if count]


def _count(key: str, count: int) -> Text:
    text = text_of(key) or Text(en=key, zh=key)
    return Text(en=text.say("en", count=count), zh=text.say("zh", count=count))


def stop(walked: tuple[Gate, ...], decision: Decision, known: Library) -> Stop | None:
    """Where the walk ends, and why.

    At a host or link at fault, which comes before all else; else at the gate of the leading cause; of an open verdict at the first gate
    that cannot be passed. None of a site where nothing is wrong: all gates were passed.
    """
    if decision.verdict == "none":
        return None
    repair = next((gate for gate in walked if gate.state == "faulty" and gate.gate in REPAIR_FIRST), None)
    if repair is not None:
        return _stopped(repair, "repair-first")
    if decision.verdict == "undetermined":
        first = next((gate for gate in walked if gate.state != "clean" and (gate.gate != "data" or gate.state == "unknown")), None)
        return _stopped(first, "unknown" if first.state == "unknown" else "open") if first else None
    leading = decision.causes[0].cause if decision.causes else None
    found = next((gate for gate in walked if leading in known.gates[gate.gate].causes), None)
    return _stopped(found, "found") if found else None


def _stopped(gate: Gate, why: str) -> Stop:
    return Stop(gate=gate.gate, state=gate.state, text=_words(f"diagnosis.stop.{why}", text=gate.text))


def _pointing(gate: KnownGate, decision: Decision) -> Weighed | None:
    """The likeliest cause for which a sign of this gate's groups speaks."""
    return next(
        (
            one
            for one in sorted(decision.causes, key=lambda one: -one.probability)
            if one.probability >= SUSPECT and one.verdict != "none"
            for seen in one.findings[0].seen
            if seen.sign.weight > 1 and seen.group in gate.groups
        ),
        None,
    )


def missing(states: Mapping[Layer, LayerState]) -> tuple[Text, ...]:
    """What to bring for each layer of which nothing is known."""
    found = [text_of(f"diagnosis.missing.{layer}") for layer, state in states.items() if state == "unknown" and layer != "none"]
    return tuple(text for text in found if text is not None)


def _words(key: str, **parts: Text | None) -> Text:
    text = text_of(key) or Text(en=key, zh=key)
    return Text(
        en=text.say("en", **{name: part.en if part else "" for name, part in parts.items()}),
        zh=text.say("zh", **{name: part.zh if part else "" for name, part in parts.items()}),
    )
