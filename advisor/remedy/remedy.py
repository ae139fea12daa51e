"""A remedy as data (knowledge/remedies/<id>.yaml), and as proposed for one site."""

from dataclasses import dataclass
from typing import Literal

from pydantic import model_validator

from advisor.base.model import Model
from advisor.base.text import Text
from advisor.evidence.origin import Origin
from advisor.remedy.typed import Typed
from advisor.remedy.vendor import acts

Kind = Literal["free", "cheap", "capital"]  # labour and settings; small parts; switches, NICs, optics
KINDS: tuple[Kind, ...] = ("free", "cheap", "capital")
Role = Literal["network-engineer", "platform-engineer", "system-engineer", "storage-engineer", "ml-engineer", "field-technician", "vendor"]


class Effort(Model):
    """Person-days by role, low and high, per site or per thing."""

    role: Role
    low_days: float
    high_days: float
    per: Literal["site", "host", "link", "leaf"] = "site"
    source: str  # id in knowledge/sources.yaml, or "judgement"


class Downtime(Model):
    """Hours for which hosts are out of service: each host that is touched, or every host of the site."""

    low_hours: float
    high_hours: float
    per: Literal["host", "site"] = "host"
    source: str


class Effect(Model):
    """What it brought elsewhere: share of the loss that it relieves, low and high, with its source.

    Both are None where the source measured something else than the loss: then only the text is shown.
    """

    low: float | None = None
    high: float | None = None
    text: Text
    source: str


class Part(Model):
    """What must be bought: a price item and how its quantity follows from the site."""

    item: str  # id in pricing/catalogue
    quantity: str  # name of a sizing rule (cost/quantities)


@dataclass(frozen=True, kw_only=True)
class Step(Text):
    """One step. With `scheduler` or `technology` it is for such sites alone; a site of unknown kind sees it too.

    `acts` name what is done, as `pfc.set` (knowledge/acts.yaml); the commands of the site's systems are added (knowledge/vendors).
    `open` names what these commands leave open though the site has it, because another class or interface is meant.
    """

    acts: tuple[str, ...] = ()
    open: tuple[str, ...] = ()
    scheduler: tuple[str, ...] = ()
    technology: tuple[str, ...] = ()


class Interplay(Model):
    """What to mind where another remedy is done too; of one that conflicts, why only one of the two can be taken."""

    remedy: str
    text: Text


class Gain(Model):
    """What the model predicts for one job: what it reaches of its ports' rate now and then, 0 to 1; `low` and `high` by the model's error.

    Rates are busbw; None where no line rate is known.
    """

    job: str
    now: float
    then: float
    low: float
    high: float
    now_gBps: float | None = None  # noqa: N815 - the unit's own spelling
    then_gBps: float | None = None  # noqa: N815


class Remedy(Model):
    """`cure`: whole means that the cause is gone once it is done (a repair, a corrected setting); part, that it relieves."""

    id: str
    row: str  # row of the remedy table: flow-control, scheduling, storage-limits, affinity, storage-plane, expansion, link-repair, software
    kind: Kind
    cure: Literal["whole", "part"] = "part"
    order: int = 50  # among remedies of one kind: lower is done first
    title: Text
    what: Text
    relieves: tuple[str, ...]  # ids of causes
    changes: tuple[str, ...] = ()  # what stands for it in the model (traffic/changes); empty: the model cannot speak of it
    technology: tuple[str, ...] = ()  # ib, roce, tcp, ...; empty: any
    prerequisites: tuple[Text, ...] = ()
    requires: tuple[str, ...] = ()  # ids of remedies that come first, where they are proposed too
    conflicts: tuple[str, ...] = ()
    interplay: tuple[Interplay, ...] = ()
    effort: tuple[Effort, ...]
    parts: tuple[Part, ...] = ()
    template: str = ""  # id in pricing/templates: parts that depend on technology and rate
    risk: Text
    window: bool  # needs a maintenance window
    downtime: Downtime | None = None
    steps: tuple[Step, ...]
    rollback: Text
    verify: Text
    expect: Text
    effects: tuple[Effect, ...] = ()
    unmeasured: Text | None = None  # said where nobody published an effect: why none can be given, and what shows it here
    sources: tuple[str, ...] = ()

    @model_validator(mode="after")
    def _known_acts(self) -> "Remedy":
        for step in self.steps:
            for word in step.acts:
                act, _, phase = word.rpartition(":")[2].partition(".")
                if act not in acts() or phase not in acts()[act].phases:
                    raise ValueError(f"no such act: {word}")
        return self


class Proposal(Model):
    """A remedy for this site: why, what it should bring, and its steps with the site's own names.

    `recovers` is None where nothing tells how much; `recovers_high` then still bounds it, if the loss of the cause is known.
    """

    remedy: Remedy
    causes: tuple[str, ...]
    probability: float  # of its leading cause
    recovers_low: float | None = None  # share of expected bandwidth, 0 to 1
    recovers_high: float | None = None
    recovers: float | None = None
    steps: tuple[Text, ...] = ()
    where: tuple[str, ...] = ()
    rollback: Text | None = None  # with the site's own names, as `verify` and `expect`
    verify: Text | None = None
    expect: Text | None = None
    blocked_by: tuple[str, ...] = ()  # remedies that must come first
    commands: tuple[Typed, ...] = ()  # what `steps` and `rollback` hold to type, one by one
    gains: tuple[Gain, ...] = ()  # by job; none where the model cannot speak of the remedy
    origins: tuple[Origin, ...] = ()
