"""Network topology of Kubernetes: Kueue's Topology (levels of node labels) and Volcano's HyperNode (groups of nodes and groups).

Forms: kueue.sigs.k8s.io/docs/concepts/topology, volcano docs/design/Network Topology Aware Scheduling. Levels say which labels
matter, not which node sits where. A member that a pattern or a label selects has no name here.
"""

import re
from collections.abc import Callable, Iterator
from typing import Any

from advisor.evidence.reading import Part
from advisor.readers._json import parse
from advisor.readers._kubectl import ERROR
from advisor.readers._yaml import documents
from advisor.readers.contract import Block, Notes, Reader, command
from advisor.readers.shapes import integer

_KIND = re.compile(r'^[ \t{-]*+"?kind"?\s*:\s*"?(?:Topology|TopologyList|HyperNode|HyperNodeList|List)"?\s*,?\s*$', re.MULTILINE)
_OURS = re.compile(r"kueue\.x-k8s\.io|topology\.volcano\.sh|\bnodeLabel\b|^[ \t-]*+kind\s*:\s*\"?HyperNode", re.MULTILINE)
_TABLE = re.compile(r"\s*NAME\s+TIER\s+(?:TIERNAME\s+)?NODECOUNT\s+AGE\s*$")
Line = Callable[..., int]


def read(block: Block) -> Iterator[Part]:
    kueue, volcano = Notes("k8s-topology", block), Notes("k8s-topology", block)
    first = next(iter(block.lines.inked()), (0, ""))[1]
    if _TABLE.match(first):
        _table(block, volcano)
    elif first.lstrip().startswith("{"):
        _json(block, kueue, volcano)
    else:
        _yaml(block, kueue, volcano)
    _close(volcano)
    found = [notes for notes in (kueue, volcano) if not notes.is_empty]
    if found and not found[0].facts and block.command is None:
        return
    yield from (notes.part() for notes in found)


def _yaml(block: Block, kueue: Notes, volcano: Notes) -> None:
    for n, text in block.lines.inked():
        if ERROR.match(text) and block.command:
            kueue.problem(n, "tool-error")
        break
    for document in documents(block.lines):
        at = document

        def line(*place: str | int, at: Any = at) -> int:
            return int(at.line(*place))

        used = _objects(document.tree, (), line, kueue, volcano)
        for notes in used:
            notes.use_range(document.first, document.last)
        if document.damaged and used:
            used[0].problem(document.damaged, "damaged")
    _separators(block, kueue, volcano)


def _separators(block: Block, *found: Notes) -> None:
    """The `---` between documents that were read belongs to them."""
    for notes in found:
        lines = list(notes.at.values())
        if lines:
            for n, text in block.lines.inked():
                if text.strip() == "---" and n <= max(lines):
                    notes.use(n)


def _json(block: Block, kueue: Notes, volcano: Notes) -> None:
    found = parse(block.lines)
    if found is None:
        return
    for notes in _objects(found.tree, (), found.line, kueue, volcano):
        notes.use_range(block.lines.numbers[0], found.last)
        if found.broken is not None:
            notes.problem(found.broken, "cut")


def _objects(tree: Any, place: tuple[str | int, ...], line: Line, kueue: Notes, volcano: Notes) -> list[Notes]:
    """Reads the objects of one document; gives the notes that took something of it."""
    used: list[Notes] = []
    items = tree.get("items") if isinstance(tree, dict) else tree if isinstance(tree, list) else None
    if isinstance(items, list):
        inside = (*place, "items") if isinstance(tree, dict) else place
        for i, item in enumerate(items):
            used += [notes for notes in _objects(item, (*inside, i), line, kueue, volcano) if notes not in used]
        return used
    if not isinstance(tree, dict) or not isinstance(tree.get("spec"), dict):
        return used
    if tree.get("kind") == "Topology" and isinstance(tree["spec"].get("levels"), list):
        _kueue(tree, place, line, kueue)
        used.append(kueue)
    elif tree.get("kind") == "HyperNode":
        _volcano(tree, place, line, volcano)
        used.append(volcano)
    return used


def _name(tree: dict[str, Any]) -> str | None:
    meta = tree.get("metadata")
    name = meta.get("name") if isinstance(meta, dict) else tree.get("name")
    return str(name) if name else None


def _kueue(tree: dict[str, Any], place: tuple[str | int, ...], line: Line, notes: Notes) -> None:
    levels = tree["spec"]["levels"]
    labels = [str(level["nodeLabel"]) for level in levels if isinstance(level, dict) and level.get("nodeLabel")]
    here = line(*place, "spec", "levels")
    name = _name(tree)
    if name:
        notes.put(line(*place, "metadata"), labels, "topologies", name, "levels")
    if notes.get("levels") is None:
        notes.put(line(*place, "kind"), "Topology", "kind")
        notes.put(here, labels, "levels")
        notes.put(here, len(labels), "level_count")
    notes.count("topologies", "topology_count")
    if len(labels) < len(levels):
        notes.problem(here, "damaged")


def _volcano(tree: dict[str, Any], place: tuple[str | int, ...], line: Line, notes: Notes) -> None:
    notes.put(line(*place, "kind"), "HyperNode", "kind")
    name = _name(tree)
    if name is None:
        notes.problem(line(*place), "damaged")
        return
    spec = tree["spec"]
    notes.thing(line(*place), "hypernodes", name)
    notes.put(line(*place, "spec", "tier"), integer(str(spec.get("tier", ""))), "hypernodes", name, "tier")
    listed = spec.get("members")
    members, nodes, groups, patterns = [], [], [], []
    for member in listed if isinstance(listed, list) else ():
        if not isinstance(member, dict):
            continue
        selector = member.get("selector")
        exact = selector.get("exactMatch") if isinstance(selector, dict) else None
        found = member.get("name") or (exact.get("name") if isinstance(exact, dict) else None)
        if not found:
            patterns.append(member)
            continue
        members.append(str(found))
        if member.get("type") == "HyperNode":
            groups.append(str(found))
        elif member.get("type") == "Node":
            nodes.append(str(found))
    here = line(*place, "spec", "members")
    if patterns:  # which nodes these are, the text does not say
        notes.put(here, [_pattern(member) for member in patterns], "hypernodes", name, "member_patterns")
    if members or (isinstance(listed, list) and not patterns):
        notes.put(here, members, "hypernodes", name, "members")
    for key, names in (("_nodes", nodes), ("_groups", groups)):
        notes.put(here, names or None, "hypernodes", name, key)


def _pattern(member: dict[str, Any]) -> str:
    selector = member.get("selector")
    regex = selector.get("regexMatch") if isinstance(selector, dict) else None
    return str(regex.get("pattern")) if isinstance(regex, dict) else str(selector)


def _close(notes: Notes) -> None:
    """Counts: members that are nodes, and members that ought to be HyperNodes and that no object defines."""
    hypernodes = notes.get("hypernodes")
    if not hypernodes:
        return
    notes.count("hypernodes", "hypernode_count")
    nodes: dict[str, None] = {}
    unresolved: dict[str, None] = {}
    whole = all("members" in entry and "member_patterns" not in entry for entry in hypernodes.values())
    for name, entry in hypernodes.items():
        known_nodes, known_groups = entry.pop("_nodes", []), entry.pop("_groups", [])
        for key in ("_nodes", "_groups"):
            notes.at.pop(("hypernodes", name, key), None)
        for member in entry.get("members", ()):
            if member in known_groups:
                unresolved |= {} if member in hypernodes else {member: None}
            elif member in known_nodes or member not in hypernodes:
                nodes[member] = None
    line = min(notes.at.values())
    if whole:
        notes.put(line, len(nodes), "host_count")
        notes.put(line, list(unresolved), "unresolved")
    elif unresolved:
        notes.put(line, list(unresolved), "unresolved")


def _table(block: Block, notes: Notes) -> None:
    """`kubectl get hypernodes`: tiers and numbers of nodes."""
    header: list[str] = []
    for n, text in block.lines.inked():
        words = text.split()
        if not header:
            header = words
            notes.use(n)
            continue
        row = dict(zip(header, words, strict=False))
        if len(words) != len(header) or integer(row["TIER"]) is None:
            break
        notes.thing(n, "hypernodes", row["NAME"])
        notes.put_all(n, {"tier": integer(row["TIER"]), "host_count": integer(row["NODECOUNT"])}, "hypernodes", row["NAME"])
    if notes.facts:
        notes.facts["kind"] = "HyperNode"


def _recognises(head: str) -> bool:
    return _KIND.search(head) is not None and _OURS.search(head) is not None


READER = Reader(
    "k8s-topology",
    read,
    commands=command("kubectl", "oc", "k", options=r"\bget\s+(?:-\S+\s+)*(?:hypernodes?|hn|topolog(?:y|ies)\S*)\b"),
    starts=_TABLE,
    recognises=_recognises,
)
