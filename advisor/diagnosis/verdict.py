"""What a diagnosis says: the verdict, the causes with their evidence, the split of the loss, what is not known, what to ask next."""

from typing import Literal

from advisor.base.model import Model
from advisor.base.text import Text
from advisor.diagnosis.flow_control import SideBySide
from advisor.diagnosis.verdicts import Layer, LayerState, Verdict
from advisor.evidence.origin import Origin


class Evidence(Model):
    """One measured or stated sign, for or against a cause, with the threshold that it was held against and where both come from."""

    supports: bool
    measure: str
    about: str = ""  # the thing it was measured on: a host, a port, a job
    value: float | str | bool | None = None
    unit: str = ""
    threshold: str = ""  # as text, with its comparison: "> 0.3"
    threshold_source: str = ""  # id of a source in knowledge/sources.yaml
    weight: float = 1.0  # factor on the odds of the cause (1 says nothing)
    quality: float = 1.0  # how far its data can be relied on, 0 to 1; already in the weight
    doubts: tuple[Text, ...] = ()  # why not wholly
    text: Text
    origins: tuple[Origin, ...] = ()


class Cause(Model):
    cause: str  # id of the closed set (knowledge/causes.yaml)
    layer: Layer
    verdict: Verdict
    title: Text
    probability: float  # that it is at work here, 0 to 1
    share: float | None = None  # of the loss, 0 to 1; None where nothing tells
    evidence: tuple[Evidence, ...] = ()
    explanation: Text | None = None
    signatures: tuple[str, ...] = ()


class Loss(Model):
    """Shares of the bandwidth or speed that is expected, 0 to 1. free + hardware = fraction where both are known.

    `method` says how it was found: model (ladder of the fabric model), evidence (signs alone), measured.
    """

    fraction: float | None = None
    low: float | None = None
    high: float | None = None
    free: float | None = None
    hardware: float | None = None
    method: Literal["model", "evidence", "measured", "none"] = "none"
    baseline: Text | None = None  # what it is a share of
    origins: tuple[Origin, ...] = ()


class Probe(Model):
    """A command or act that would decide most. It only reads or measures.

    at    where it runs: host, pair (of hosts), job, switch, switch-of (the one that the host `where` is on), scheduler, storage
    risk  none: it only reads. load: it loads links or hosts while it runs. jobs: jobs must pause, stop or run again
    """

    probe: str  # id of the closed set
    at: str = "host"
    where: str = ""
    run: Text  # the command, with what there is to say around it
    decides: Text
    gain: float = 0.0  # expected drop of uncertainty, bits
    minutes: float | None = None
    risk: Literal["none", "load", "jobs"] = "none"
    worth: float = 0.0  # gain over minutes and risk, by which probes are ranked: bits per hour


class Gate(Model):
    """A stop on an expert's walk: data, node, link, counters, load, bisection, uplinks, tenants, time, flow control."""

    gate: str
    state: LayerState
    text: Text


class Stop(Model):
    """The gate at which the walk stopped, and why: what was found there, or what is missing to go on. None of a whole walk."""

    gate: str
    state: LayerState
    text: Text


class Without(Model):
    """The verdict if one measure were wrong."""

    measure: str
    text: Text
    verdict: Verdict
    confidence: float
    turns: bool  # whether it is another verdict


class Turn(Model):
    """An answer that is not known yet and would turn the verdict."""

    measure: str
    value: str  # yes or no
    text: Text
    verdict: Verdict
    confidence: float


class Overruled(Model):
    """A person's verdict with its reason, beside what the evidence says."""

    reason: str
    verdict: Verdict  # of the evidence
    confidence: float
    headline: Text


class Diagnosis(Model):
    """`confidence` is the share of all odds that the verdict holds, also where a person overruled it."""

    verdict: Verdict
    confidence: float
    headline: Text
    layers: dict[Layer, LayerState]
    causes: tuple[Cause, ...] = ()  # leading first
    loss: Loss = Loss()
    gates: tuple[Gate, ...] = ()
    stop: Stop | None = None
    missing: tuple[Text, ...] = ()
    next_probe: Probe | None = None
    probes: tuple[Probe, ...] = ()
    set_aside: tuple[str, ...] = ()  # measures that a person switched off ("what if this were wrong?")
    without: tuple[Without, ...] = ()  # heaviest first
    turns: tuple[Turn, ...] = ()
    overruled: Overruled | None = None
    flow_control: tuple[SideBySide, ...] = ()  # traffic classes of NICs against switches, those that differ first
    knowledge: tuple[str, ...] = ()  # folders laid over the shipped knowledge
