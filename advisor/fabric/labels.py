"""Labels of Kubernetes nodes that name the switches above a node (knowledge/hardware/node-labels.yaml)."""

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Literal

from advisor.base.content import load
from advisor.base.model import Model
from advisor.base.places import knowledge
from advisor.evidence.bundle import Bundle, Known
from advisor.fabric.facts import names, text, tree

Level = Literal["leaf", "spine", "core", "block"]
_HOSTNAME = "kubernetes.io/hostname"


class Label(Model):
    """A label's key and the tier whose switch it names; `block` is a domain of an accelerator network, which is no switch."""

    tier: Level
    label: str
    source: str


class _Source(Model):
    title: str
    url: str
    read: str


class _Labels(Model):
    sources: Mapping[str, _Source]
    labels: tuple[Label, ...]


@cache
def labels() -> tuple[Label, ...]:
    """The shipped labels, in order of preference. Raises ContentError."""
    return load(_Labels, knowledge() / "hardware" / "node-labels.yaml").labels


def labelled(bundle: Bundle) -> Iterator[tuple[Known, Mapping[Level, str]]]:
    """Each node with what its labels name, by tier. Where a site has levels of its own (Kueue's Topology), its finest above the host is
    the leaf of a node without other labels."""
    own = _own_levels(bundle)
    for known in bundle.find("hosts.*.labels", "kubectl-describe-node", "kubectl-get"):
        carried = tree(known.value)
        found: dict[Level, str] = {}
        for label in labels():
            if label.tier not in found and (value := text(carried.get(label.label))):
                found[label.tier] = value
        if not found.keys() & {"leaf", "spine", "core"}:
            tiers: tuple[Level, ...] = ("leaf", "spine", "core")
            found |= {tier: value for tier, key in zip(tiers, own, strict=False) if (value := text(carried.get(key)))}
        if found:
            yield known, found


def _own_levels(bundle: Bundle) -> tuple[str, ...]:
    """Labels of the site's own levels, finest first, without the node's own name."""
    levels = next((names(known.value) for known in bundle.find("levels", "k8s-topology")), ())
    return tuple(label for label in reversed(levels) if label != _HOSTNAME)
