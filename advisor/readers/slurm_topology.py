"""Slurm's network topology: topology.conf, topology.yaml, and `scontrol show topology`.

A switch that lists other switches may list the hosts below them too; a host's leaf is the switch without children that lists it.
LinkSpeed is a weight of the scheduler, not a rate. Forms: slurm.schedmd.com topology.conf(5), topology.yaml(5).
"""

import re
from collections.abc import Iterator
from typing import Any

from advisor.evidence.reading import Part
from advisor.readers._hostlist import expand
from advisor.readers._yaml import Document, documents
from advisor.readers.contract import Block, Notes, Reader, command
from advisor.readers.shapes import integer, is_left_out, known, open_end

_START = re.compile(r"\s*(?:SwitchName|BlockName|AggregatedBlock|RingName|TorusName|BlockSizes)=\S", re.IGNORECASE)
_PAIR = re.compile(r"([A-Za-z_0-9]+)=(\"[^\"]*\"|(?:[^\s\[]|\[[^\]]*(?:\]|$))*)")
_MORE = re.compile(r"(?:Switches|Nodes|LinkSpeed|Level|BlockIndex|BlockSize|RingSize)=", re.IGNORECASE)
_LIST = re.compile(r"[\w.,\[\]-]+(?:\s+\w+=\S*)*\Z")
_ERROR = re.compile(
    r"\s*(?:scontrol|slurm_load\w*|slurmctld)?:?\s*(?:error|fatal):|.*(?:[Nn]o topology information available|slurm_load_topo error)"
)
# Key that names a thing -> the map it stands in, and the kind of topology it makes.
_THINGS = {
    "switchname": ("switches", "tree"),
    "blockname": ("blocks", "block"),
    "aggregatedblock": ("aggregated_blocks", "block"),
    "ringname": ("rings", "ring"),
    "torusname": ("toruses", "torus3d"),
}
_COUNTS = {"switches": "switch_count", "blocks": "block_count", "rings": "ring_count", "toruses": "torus_count"}
# The lists of topology.yaml: kind -> list, key of a thing's name, the map it stands in.
_YAML = {
    "tree": ("switches", "switch", "switches"),
    "block": ("blocks", "block", "blocks"),
    "ring": ("rings", "ring", "rings"),
    "torus3d": ("toruses", "name", "toruses"),
}
_RECOGNISED = re.compile(r"^[ \t]*+(?:cluster_default|tree|block|flat|ring|torus3d):", re.MULTILINE)
_TOPOLOGY = re.compile(r"^[ \t]*+-[ \t]+topology:[ \t]*\S", re.MULTILINE)


class _Tree:
    """The facts of one topology below a path of the notes."""

    def __init__(self, notes: Notes, *path: str) -> None:
        self.notes, self.path = notes, path
        self.hosts: dict[str, int] = {}
        self.parents: set[tuple[str, ...]] = set()
        self.complete = True

    def put(self, line: int, value: object, *path: str) -> None:
        self.notes.put(line, value, *self.path, *path)

    def names(self, line: int, text: str) -> list[str] | None:
        """A host list expanded; one that is cut or damaged is a problem, and then no count is known."""
        found = expand(text)
        if found is None:
            self.notes.problem(line, "cut" if text.count("[") != text.count("]") or text.endswith((",", "-")) else "damaged")
            self.complete = False
        return found

    def member_list(self, line: int, names: list[str] | None, *thing: str) -> None:
        """The hosts of a switch, block or ring."""
        if names is None:
            return
        self.put(line, names, *thing, "hosts")
        self.put(line, len(names), *thing, "host_count")
        for name in names:
            self.hosts.setdefault(name, line)

    def child_list(self, line: int, names: list[str] | None, *thing: str) -> None:
        """The switches below a switch. Where they are unreadable, there still are some: the switch is no leaf."""
        if names is None:
            self.parents.add(thing)
        else:
            self.put(line, names, *thing, "children")

    def close(self) -> None:
        """Counts, and where each host stands."""
        tree = self.notes.get(*self.path) if self.path else self.notes.facts
        for things, key in _COUNTS.items():
            if isinstance(tree.get(things), dict):
                self.put(self.notes.at.get((*self.path, things), self.notes.block.first), len(tree[things]), key)
        for things, key in (("switches", "leaf"), ("blocks", "block"), ("rings", "ring"), ("toruses", "torus")):
            for name, entry in tree.get(things, {}).items():
                if "children" not in entry and (things, name) not in self.parents:
                    line = self.notes.at.get((*self.path, things, name, "hosts"), self.notes.block.first)
                    for host in entry.get("hosts", ()):
                        self.put(line, name, "hosts", host, key)
        if self.hosts and self.complete:
            self.put(min(self.hosts.values()), len(self.hosts), "host_count")


# --- topology.conf and scontrol ---------------------------------------------------------------------------------


def _conf(block: Block) -> Iterator[Part]:
    notes = Notes("slurm-topology", block)
    tree = _Tree(notes)
    seen: dict[str, str] = {}
    for lines, text in _records(block, notes):
        pairs = {key.lower(): value.strip('"') for key, value in _PAIR.findall(text)}
        thing = next((f"{key}={pairs[key]}" for key in _THINGS if key in pairs), None)
        if thing and seen.get(thing, text) != text:
            break  # the same name with something else to tell: another run
        if thing:
            seen[thing] = text
        notes.use(*lines)
        is_cut = lines[-1] == open_end(block.lines) and not text.endswith("]")
        if is_cut and pairs:
            pairs.popitem()  # its last word may be cut, and more may be missing behind it
            tree.complete = False
        _record(tree, lines[0], pairs, is_cut)
        if is_cut or _PAIR.sub("", text).strip():
            notes.problem(lines[-1], "cut")
    if notes.facts:
        tree.close()
        _comments(block, notes)
    if not notes.is_empty:
        yield notes.part()


def _records(block: Block, notes: Notes) -> Iterator[tuple[list[int], str]]:
    """Each record with its lines: a backslash, an open bracket, a comma at the end or a key without a name go on with it."""
    lines: list[int] = []
    record = ""
    for n, text in block.lines.inked():
        bare = text.split("#", 1)[0].strip()
        if record.endswith("\\"):
            record = f"{record[:-1].rstrip()} {bare}"
            lines.append(n)
        elif _START.match(bare):
            if record:
                yield lines, record
            lines, record = [n], bare
        elif record and _MORE.match(bare):
            record = f"{record} {bare}"
            lines.append(n)
        elif record and bare and _LIST.match(bare) and (record.count("[") > record.count("]") or record.endswith(",")):
            record += bare
            lines.append(n)
        elif is_left_out(bare):
            notes.problem(n, "left-out")
        elif _ERROR.match(bare):
            notes.problem(n, "tool-error")
        elif bare:
            break
    if record:
        yield lines, record


def _record(tree: _Tree, line: int, pairs: dict[str, str], is_cut: bool = False) -> None:
    """One line of the file. What a cut line does not say (whether a switch has others below it) stays unknown."""
    if "blocksizes" in pairs:
        tree.put(line, "block", "kind")
        tree.put(line, [size for word in pairs["blocksizes"].split(",") if (size := integer(word)) is not None], "block_sizes")
    for key, (things, kind) in _THINGS.items():
        name = pairs.get(key)
        if not name:
            continue
        tree.put(line, kind, "kind")
        tree.notes.thing(line, *tree.path, things, name)
        tree.put(line, integer(pairs.get("level", "")), things, name, "level")
        if things == "aggregated_blocks":
            tree.put(line, tree.names(line, name), things, name, "blocks")
        if (text := _list(pairs, "nodes")) is not None:
            tree.member_list(line, tree.names(line, text), things, name)
        level = integer(pairs.get("level", ""))
        if "switches" not in pairs and (is_cut or (level is not None and level > 0)):
            tree.parents.add((things, name))
        if (text := _list(pairs, "switches")) is not None:
            tree.child_list(line, tree.names(line, text), things, name)
        for asked in ("blocksize", "ringsize"):
            tree.put(line, integer(pairs.get(asked, "")), things, name, "size")


def _list(pairs: dict[str, str], key: str) -> str | None:
    return known(pairs.get(key, "").replace("(null)", ""))


def _comments(block: Block, notes: Notes) -> None:
    """Comments in front of the records and between them belong to the file."""
    last = max(line for line in notes.at.values())
    for n, text in block.lines.inked():
        if n > last:
            break
        if text.lstrip().startswith("#"):
            notes.ignore(n, "comment")


# --- topology.yaml ----------------------------------------------------------------------------------------------


def _yaml(block: Block) -> Iterator[Part]:
    notes = Notes("slurm-topology", block)
    for document in documents(block.lines):
        entries = document.tree if isinstance(document.tree, list) else []
        several = sum(1 for entry in entries if isinstance(entry, dict) and "topology" in entry) > 1
        for i, entry in enumerate(entries):
            if isinstance(entry, dict) and entry.get("topology"):
                name = str(entry["topology"])
                _topology(notes, document, i, entry, ("topologies", name))
                if not several:
                    _topology(notes, document, i, entry, ())
        if document.damaged:
            notes.problem(document.damaged, "damaged")
        if notes.facts:
            notes.use_range(document.first, document.last)
    notes.count("topologies", "topology_count")
    if notes.facts:
        yield notes.part()


def _topology(notes: Notes, document: Document, i: int, entry: dict[str, Any], path: tuple[str, ...]) -> None:
    tree = _Tree(notes, *path)
    line = document.line(i, "topology")
    if path:
        notes.thing(line, *path)
    default = str(entry.get("cluster_default", "")).lower()
    if default in ("true", "false", "yes", "no"):
        tree.put(document.line(i, "cluster_default"), default in ("true", "yes"), "default")
    for kind in (*_YAML, "flat"):
        if kind not in entry:
            continue
        body = entry[kind]
        if kind == "flat" and str(body).lower() not in ("true", "yes"):
            continue
        tree.put(document.line(i, kind), kind, "kind")
        if isinstance(body, dict):
            _things(tree, document, (i, kind), body, kind)
    tree.close()


def _things(tree: _Tree, document: Document, place: tuple[str | int, ...], body: dict[str, Any], kind: str) -> None:
    listed, key, things = _YAML[kind]
    sizes = body.get("block_sizes")
    if isinstance(sizes := sizes.split(",") if isinstance(sizes, str) else sizes, list):
        tree.put(document.line(*place, "block_sizes"), [size for word in sizes if (size := integer(str(word))) is not None], "block_sizes")
    for at, entry in enumerate(body.get(listed) or ()):
        if not isinstance(entry, dict) or not entry.get(key):
            tree.notes.problem(document.line(*place, listed, at), "cut")
            continue
        here, name = (*place, listed, at), str(entry[key])
        tree.notes.thing(document.line(*here, key), *tree.path, things, name)
        if entry.get("children"):
            line = document.line(*here, "children")
            tree.child_list(line, tree.names(line, str(entry["children"])), things, name)
        if entry.get("nodes"):
            line = document.line(*here, "nodes")
            tree.member_list(line, tree.names(line, str(entry["nodes"])), things, name)
        regions = [r for r in entry.get("regions") or () if isinstance(r, dict) and r.get("nodes")]
        if regions:
            line = document.line(*here, "regions")
            names = [tree.names(line, str(region["nodes"])) for region in regions]
            if all(found is not None for found in names):
                tree.member_list(line, [host for found in names for host in found or ()], things, name)
        if isinstance(dims := entry.get("dims"), dict):
            tree.put(document.line(*here, "dims"), [integer(str(dims.get(axis, ""))) for axis in "xyz"], things, name, "dims")


def read(block: Block) -> Iterator[Part]:
    head = "\n".join(block.lines.texts[:400])
    yield from _yaml(block) if _TOPOLOGY.search(head) else _conf(block)


_SCONTROL = command("scontrol", options=r"(?:show|sho|sh)\s+topo")
_FILE = command("cat", "less", "more", "grep", options=r"topology\.(?:conf|ya?ml)")
READER = Reader(
    "slurm-topology",
    read,
    commands=re.compile(f"(?:{_SCONTROL.pattern})|(?:{_FILE.pattern})"),
    starts=re.compile(rf"{_START.pattern}|#\s*[\w.-]+=[\w.-]+\s*$", re.IGNORECASE),
    recognises=lambda head: _TOPOLOGY.search(head) is not None and _RECOGNISED.search(head) is not None,
)
