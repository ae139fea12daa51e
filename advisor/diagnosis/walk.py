"""The walk of an expert: gates in order, each clean, suspect, at fault or not known; and the state of each layer."""

from collections.abc import Mapping, Sequence

from advisor.base.text import Text, text_of
from advisor.diagnosis.library import KnownGate, Library
from advisor.diagnosis.measured import Measured, measures
from advisor.diagnosis.verdict import LAYERS, Gate, Layer, LayerState
from advisor.diagnosis.weigh import Decision, Weighed

FAULTY, SUSPECT = 0.5, 0.2  # probability of its likeliest cause from which a layer counts as such
REPAIR_FIRST = {"node", "link"}  # a collective shows nothing of the fabric before hosts and links are sound
# What describes a site without telling how it is.
_DESCRIBES = {"site", "product", "operation", "jobs", "message-size", "expectation-basis", "warnings"}
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


def gates(values: Values, decision: Decision, known: Library) -> tuple[Gate, ...]:
    """Each gate with what it saw. Behind a host or link at fault the walk goes on only to show what else is there."""
    found: list[Gate] = []
    stopped: Text | None = None  # what the gate before found at fault
    told = {measures()[name].group for name in values}
    for name, gate in known.gates.items():
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
