"""NVIDIA topograph: its model of a network (YAML: switches, nodes, capacity blocks) and the answer of its graph engine (JSON).

Its output for Slurm is a topology.conf (slurm-topology), that for Kubernetes labels of nodes (kubectl). Forms: github.com/NVIDIA/topograph,
docs/modeling.md, docs/engines/graph.md, tests/models; older models list switches and blocks by `name`.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from advisor.evidence.reading import Part
from advisor.readers._hostlist import expand
from advisor.readers._json import parse
from advisor.readers._yaml import Document, documents
from advisor.readers.contract import Block, Notes, Reader

_TIERS = ("leaf", "spine", "core")
_MARGIN = re.compile(r"^([A-Za-z_][\w-]*)\s*:", re.MULTILINE)
_SECTIONS = {"switches", "nodes", "capacity_blocks"}


def read(block: Block) -> Iterator[Part]:
    first = next((text.lstrip() for _, text in block.lines.inked()), "")
    yield from _graph(block) if first[:1] in ("{", "[") else _model(block)


# --- the graph engine's JSON ------------------------------------------------------------------------------------


def _graph(block: Block) -> Iterator[Part]:
    found = parse(block.lines)
    if found is None or not isinstance(found.tree, dict) or not isinstance(found.tree.get("instances"), list):
        return
    notes = Notes("topograph", block)
    for i, instance in enumerate(found.tree["instances"]):
        if not isinstance(instance, dict) or not instance.get("id"):
            notes.problem(found.line("instances", i), "damaged")
            continue
        name, layers = str(instance["id"]), instance.get("network_layers")
        notes.thing(found.line("instances", i, "id"), "hosts", name)
        for tier, switch in zip(_TIERS, layers if isinstance(layers, list) else (), strict=False):
            notes.put(found.line("instances", i, "network_layers"), str(switch), "hosts", name, tier)
        attributes = instance.get("attributes")
        if isinstance(attributes, dict) and attributes.get("nvlink"):
            notes.put(found.line("instances", i, "attributes", "nvlink"), str(attributes["nvlink"]), "hosts", name, "block")
    notes.count("hosts", "host_count")
    notes.use_range(block.lines.numbers[0], found.last)
    if found.broken is not None:
        notes.problem(found.broken, "cut")
        notes.facts.pop("host_count", None)
    if notes.facts:
        yield notes.part()


# --- the model's YAML -------------------------------------------------------------------------------------------


def _model(block: Block) -> Iterator[Part]:
    notes = Notes("topograph", block)
    for document in documents(block.lines):
        if isinstance(document.tree, dict) and document.tree.keys() & _SECTIONS:
            _document(notes, document)
            notes.use_range(document.first, document.last)
        if document.damaged and notes.facts:
            notes.problem(document.damaged, "damaged")
    for things, key in (("switches", "switch_count"), ("blocks", "block_count"), ("hosts", "host_count")):
        notes.count(things, key)
    if notes.facts:
        yield notes.part()


def _document(notes: Notes, document: Document) -> None:
    blocks = {name: (place, entry) for place, name, entry in _entries(document.tree, "capacity_blocks")}
    in_block: dict[str, list[str]] = {}
    for name, (place, entry) in blocks.items():
        notes.thing(document.line(*place), "blocks", name)
        in_block[name] = _names(notes, document, (*place, "nodes"), entry.get("nodes"))
    for place, name, entry in _entries(document.tree, "nodes"):
        notes.thing(document.line(*place), "hosts", name)
        if entry.get("capacity_block"):
            in_block.setdefault(str(entry["capacity_block"]), []).append(name)
    for name, hosts in in_block.items():
        line = document.line(*blocks[name][0]) if name in blocks else document.first
        _hosts(notes, line, hosts, "blocks", name)
        for host in dict.fromkeys(hosts):
            notes.put(line, name, "hosts", host, "block")
    parents: dict[str, str] = {}
    below: dict[str, tuple[int, list[str]]] = {}
    for place, name, entry in _entries(document.tree, "switches"):
        line = document.line(*place)
        notes.thing(line, "switches", name)
        children = _names(notes, document, (*place, "switches"), entry.get("switches"))
        if children:
            notes.put(document.line(*place, "switches"), children, "switches", name, "children")
        parents |= dict.fromkeys(children, name)
        hosts = _names(notes, document, (*place, "nodes"), entry.get("nodes"))
        for group in _names(notes, document, (*place, "capacity_blocks"), entry.get("capacity_blocks")):
            hosts.extend(in_block.get(group, ()))
        _hosts(notes, line, hosts, "switches", name)
        below[name] = (line, hosts)
    for name, (line, hosts) in below.items():
        for host in hosts:
            for tier, switch in zip(_TIERS, _way_up(name, parents), strict=False):
                notes.put(line, switch, "hosts", host, tier)


def _way_up(switch: str, parents: Mapping[str, str]) -> list[str]:
    """A switch and those above it; where it comes back to itself, the way ends."""
    way = [switch]
    while (above := parents.get(way[-1])) and above not in way:
        way.append(above)
    return way


def _hosts(notes: Notes, line: int, hosts: list[str], *thing: str) -> None:
    if hosts:
        notes.put(line, list(dict.fromkeys(hosts)), *thing, "hosts")
        notes.put(line, len(set(hosts)), *thing, "host_count")


def _entries(tree: Mapping[str, Any], section: str) -> Iterator[tuple[tuple[str | int, ...], str, Mapping[str, Any]]]:
    """Place, name and fields of the entries of a section: a map by name, or a list of entries with their name."""
    found = tree.get(section)
    if isinstance(found, dict):
        for name, entry in found.items():
            yield (section, name), str(name), entry if isinstance(entry, dict) else {}
    for i, entry in enumerate(found if isinstance(found, list) else ()):
        if isinstance(entry, dict) and (name := entry.get("name") or entry.get("id")):
            yield (section, i), str(name), entry
        elif isinstance(entry, str):
            yield (section, i), entry, {}


def _names(notes: Notes, document: Document, place: tuple[str | int, ...], listed: Any) -> list[str]:
    """Names with their ranges written out; a range that is damaged is a problem with its line."""
    found: list[str] = []
    for i, item in enumerate(listed if isinstance(listed, list) else [] if listed is None else [listed]):
        names = expand(str(item))
        if names is None:
            notes.problem(document.line(*place, i), "damaged", str(item))
        found.extend(names or ())
    return found


def _recognises(head: str) -> bool:
    """The graph engine's answer, or a YAML text with the model's sections alone at the left margin, one of them being switches."""
    if head.lstrip()[:1] == "{":
        return '"instances"' in head and '"network_layers"' in head
    if "switches" not in head:
        return False
    margin = set(_MARGIN.findall(head))
    named = re.search(r"^(?:[ \t]+|- )(?:nodes|switches|capacity_blocks|name)\s*:", head, re.MULTILINE) is not None
    return "switches" in margin and margin <= _SECTIONS and (len(margin) > 1 or named)


READER = Reader("topograph", read, recognises=_recognises)
