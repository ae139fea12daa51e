"""Bills that vendors publish (pricing/designs/<id>.yaml): what a count by rules cannot give, for the designs that they speak of."""

from collections.abc import Mapping
from decimal import Decimal
from functools import cache
from math import ceil

from advisor.base.content import folder
from advisor.base.model import Model
from advisor.base.places import pricing
from advisor.base.text import Text
from advisor.cost.sizing.request import Request


class Fits(Model):
    """The designs that a document speaks of; an absent condition fits all."""

    nics_per_node: int | None = None
    rails: int | None = None
    radix: int | None = None
    link_gbps: Decimal | None = None
    topology: str | None = None
    least_nodes: int = 1
    most_nodes: int = 1_000_000

    def fit(self, request: Request) -> bool:
        stated = {name: getattr(request, name) for name in ("nics_per_node", "rails", "radix", "link_gbps")}
        same = all(getattr(self, name) in (None, value) for name, value in stated.items())
        return same and request.topology == self.topology and self.least_nodes <= (request.nodes or 0) <= self.most_nodes


class Count(Model):
    """fixed + per_node * nodes + one for each so many nodes, begun ones too."""

    fixed: int = 0
    per_node: int = 0
    for_each_nodes: int | None = None

    def of(self, nodes: int) -> int:
        return self.fixed + self.per_node * nodes + (ceil(nodes / self.for_each_nodes) if self.for_each_nodes else 0)


class Rack(Model):
    nodes_per_rack: int
    node_kw: Decimal


class StorageClass(Model):
    """GB/s that storage should deliver to one node, one unit of 32 nodes, and four units."""

    node_read: Decimal
    node_write: Decimal
    su_read: Decimal
    su_write: Decimal
    four_su_read: Decimal
    four_su_write: Decimal

    def total(self, units: int) -> tuple[Decimal, Decimal]:
        """Read and write of so many units: one as printed for one, more by the figure for four."""
        if units == 1:
            return self.su_read, self.su_write
        return self.four_su_read * units / 4, self.four_su_write * units / 4


class Misprint(Model):
    """A figure that a document prints beside what its own other figures give, for the design with these values."""

    figure: str
    printed: int
    when: Mapping[str, int]
    note: Text


class Reference(Model):
    """One document: counts of its own by key, sums of figures, a rack, storage classes, misprints."""

    id: str
    title: Text
    source: str
    fits: Fits = Fits()
    counts: Mapping[str, Count] = {}
    sums: Mapping[str, tuple[str, ...]] = {}
    rack: Rack | None = None
    storage: Mapping[str, StorageClass] = {}
    misprints: tuple[Misprint, ...] = ()


@cache
def references() -> Mapping[str, Reference]:
    """The documents of pricing/designs. Raises ContentError."""
    return folder(Reference, pricing() / "designs")


def bill(request: Request, figures: Mapping[str, object]) -> tuple[Mapping[str, int], tuple[Reference, ...]]:
    """Published counts for a request, and the documents that print them; sums only where all their parts are there."""
    found: dict[str, int] = {}
    from_documents = []
    for reference in references().values():
        if not reference.counts or not reference.fits.fit(request):
            continue
        from_documents.append(reference)
        found |= {key: count.of(request.nodes or 0) for key, count in reference.counts.items()}
        for key, parts in reference.sums.items():
            values = [found.get(part, figures.get(part)) for part in parts]
            if all(isinstance(value, int) for value in values):
                found[key] = sum(value for value in values if isinstance(value, int))
    return found, tuple(from_documents)


def misprints(figures: Mapping[str, object]) -> tuple[Misprint, ...]:
    """Misprints of documents that speak of the design with these figures."""
    known = [misprint for reference in references().values() for misprint in reference.misprints]
    return tuple(one for one in known if all(figures.get(key) == value for key, value in one.when.items()))
