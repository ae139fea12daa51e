"""A remedy as data (knowledge/remedies/<id>.yaml), and as proposed for one site."""

from typing import Literal

from advisor.base.model import Model
from advisor.base.text import Text
from advisor.evidence.origin import Origin

Kind = Literal["free", "cheap", "capital"]  # labour and settings; small parts; switches, NICs, optics
Role = Literal["network-engineer", "platform-engineer", "system-engineer", "storage-engineer", "ml-engineer", "field-technician", "vendor"]


class Effort(Model):
    """Person-days by role, low and high, per site or per thing."""

    role: Role
    low_days: float
    high_days: float
    per: Literal["site", "host", "link", "leaf"] = "site"
    source: str  # id in knowledge/sources.yaml, or "judgement"


class Effect(Model):
    """What it brought elsewhere: share of the loss that it relieves, low and high, with its source."""

    low: float
    high: float
    text: Text
    source: str


class Part(Model):
    """What must be bought: a price item and how its quantity follows from the site."""

    item: str  # id in pricing/catalogue
    quantity: str  # name of a sizing rule (cost/sizing)


class Remedy(Model):
    id: str
    row: str  # row of the remedy table: flow-control, scheduling, storage-limits, affinity, storage-plane, expansion, link-repair, software
    kind: Kind
    title: Text
    what: Text
    relieves: tuple[str, ...]  # ids of causes
    prerequisites: tuple[Text, ...] = ()
    requires: tuple[str, ...] = ()  # ids of remedies that come first
    conflicts: tuple[str, ...] = ()
    effort: tuple[Effort, ...]
    parts: tuple[Part, ...] = ()
    risk: Text
    window: bool  # needs a maintenance window
    steps: tuple[Text, ...]
    rollback: Text
    verify: Text
    expect: Text
    effects: tuple[Effect, ...] = ()
    sources: tuple[str, ...] = ()


class Proposal(Model):
    """A remedy for this site: why, what it should bring, and its steps with the site's own names."""

    remedy: Remedy
    causes: tuple[str, ...]
    probability: float  # of its leading cause
    recovers_low: float | None = None  # share of expected bandwidth, 0 to 1
    recovers_high: float | None = None
    recovers: float | None = None
    steps: tuple[Text, ...] = ()
    where: tuple[str, ...] = ()
    blocked_by: tuple[str, ...] = ()  # remedies that must come first
    origins: tuple[Origin, ...] = ()
