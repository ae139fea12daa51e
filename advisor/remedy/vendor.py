"""What to type (knowledge/vendors/<id>.yaml), by act: `pfc`, `ecn`, `hash`, ...; each act is shown, set and undone.

An act (knowledge/acts.yaml) is what a remedy does, without a vendor: it belongs to a domain (switches, cards, hosts, libraries,
schedulers, storage clients, subnet managers). A system (SONiC, mlx5, Slurm, ...) says of every act of its domain what to type, or why it
has no such thing.
"""

from collections.abc import Mapping
from functools import cache
from typing import Literal, get_args

from pydantic import model_validator

from advisor.base.content import check, folder, parse
from advisor.base.model import Model
from advisor.base.places import knowledge
from advisor.base.text import Text

Phase = Literal["show", "set", "undo"]
PHASES: tuple[Phase, ...] = get_args(Phase)
Domain = Literal["switch", "subnet", "nic", "host", "library", "scheduler", "storage"]


class Act(Model):
    """`looks` is true where there is nothing to set: counters, neighbours."""

    domain: Domain
    title: Text
    looks: bool = False

    @property
    def phases(self) -> tuple[Phase, ...]:
        return ("show",) if self.looks else PHASES


class Command(Model):
    """Lines to type, by phase; or `absent`, why this system has no such thing.

    A line may begin with `@port`, `@nic`, `@host` or `@leaf`: it is said once for each. Names in braces are the site's (fills.FILLS);
    what the site does not tell stays as <name>, and the reader is told where to find it.

    verified   phases whose words were seen in the documentation `source` (in `version`) or in public configurations that follow it;
               all others say that they were not
    source     id in knowledge/sources.yaml; the system's where it is empty, as `version`
    """

    show: str = ""
    set: str = ""
    undo: str = ""
    verified: tuple[Phase, ...] = ()
    source: str = ""
    version: str = ""
    note: Text | None = None
    absent: Text | None = None

    @model_validator(mode="after")
    def _whole(self) -> "Command":
        if self.absent is not None and any(map(self.lines, PHASES)):
            raise ValueError("what is absent has no lines")
        if self.absent is None and not self.show:
            raise ValueError("show is missing")
        if bool(self.set) != bool(self.undo):
            raise ValueError("set and undo go together")
        if any(not self.lines(phase) for phase in self.verified):
            raise ValueError("verified names a phase without lines")
        return self

    def lines(self, phase: Phase) -> tuple[str, ...]:
        text: str = getattr(self, phase)
        return tuple(line for line in text.splitlines() if line.strip())


class Vendor(Model):
    """A system. It is at a site where one of its `tools` was captured, or where the fabric's scheduler or storage is among `named`."""

    id: str
    name: str
    domain: Domain
    tools: tuple[str, ...] = ()
    named: tuple[str, ...] = ()
    source: str
    version: str
    commands: Mapping[str, Command]


@cache
def acts() -> Mapping[str, Act]:
    """All acts by id. Raises ContentError."""
    path = knowledge() / "acts.yaml"
    tree, lines = parse(path.read_text(encoding="utf-8"), str(path))
    return {name: check(Act, entry, lines, str(path), (name,)) for name, entry in tree.items()}


@cache
def shipped_vendors() -> Mapping[str, Vendor]:
    """The systems of knowledge/vendors. Raises ContentError."""
    return folder(Vendor, knowledge() / "vendors")
