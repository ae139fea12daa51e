"""What schedulers know of the network: Slurm's topology (tree and block), topograph's model, HyperNodes, and labels of nodes.

Their upper levels are groups of leaves, not devices: in three tiers a group below the top is a pod. A block (of Slurm, or a domain of an
accelerator network) stands for a leaf only where nothing else tells of one.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from advisor.evidence.bundle import Bundle, Known
from advisor.evidence.origin import Origin
from advisor.fabric.facts import names, tree, whole
from advisor.fabric.labels import labelled
from advisor.fabric.model import Conflict, Oddity, Tier
from advisor.fabric.names import HostNames

_FILES = ("slurm-topology", "topograph")


@dataclass(frozen=True, slots=True)
class Scheduled:
    """leaf_of: host -> leaf. pod_of: leaf -> group of leaves below a core. told_by: origin of each host's place."""

    leaf_of: Mapping[str, str] = field(default_factory=dict)
    pod_of: Mapping[str, str] = field(default_factory=dict)
    tier_of: Mapping[str, Tier] = field(default_factory=dict)
    told_by: Mapping[str, Origin] = field(default_factory=dict)
    conflicts: tuple[Conflict, ...] = ()
    doubts: tuple[Oddity, ...] = ()


@dataclass(slots=True)
class _Source:
    """What one kind of source says."""

    leaf_of: dict[str, str] = field(default_factory=dict)
    told_by: dict[str, Origin] = field(default_factory=dict)
    tier_of: dict[str, Tier] = field(default_factory=dict)
    above: dict[str, str] = field(default_factory=dict)  # leaf or group -> the group above it

    def place(self, host: str, leaf: str, known: Known) -> None:
        if host not in self.leaf_of:
            self.leaf_of[host] = leaf
            self.told_by[host] = known.origin


def scheduled(bundle: Bundle, host_names: HostNames) -> Scheduled:
    """The places of hosts as schedulers have them: topology files, then HyperNodes, then labels, then blocks."""
    sources = (_files(bundle, host_names), _hypernodes(bundle, host_names), _labels(bundle, host_names))
    blocks = _blocks(bundle, host_names)
    leaf_of: dict[str, str] = {}
    told_by: dict[str, Origin] = {}
    tier_of: dict[str, Tier] = {}
    above: dict[str, str] = {}
    conflicts: list[Conflict] = []
    for source in sources if any(source.leaf_of for source in sources) else (blocks,):
        conflicts.extend(disagreements(leaf_of, source.leaf_of, source.told_by))
        leaf_of = source.leaf_of | leaf_of
        told_by = source.told_by | told_by
        tier_of = source.tier_of | tier_of
        above = source.above | above
    return Scheduled(
        leaf_of=leaf_of,
        pod_of={leaf: group for leaf in dict.fromkeys(leaf_of.values()) if (group := above.get(leaf)) and group in above},
        tier_of=tier_of,
        told_by=told_by,
        conflicts=(*listed_twice(bundle, host_names, leaf_of), *conflicts),
        doubts=tuple(_circles(bundle)),
    )


def _files(bundle: Bundle, host_names: HostNames) -> _Source:
    """topology.conf, topology.yaml, scontrol, and topograph's model."""
    found = _Source()
    for pattern in ("hosts.*.leaf", "topologies.*.hosts.*.leaf"):
        for known in bundle.find(pattern, *_FILES):
            found.place(host_names.short(known.names[-1]), str(known.value), known)
    levels: dict[str, int] = {}
    for known in bundle.find("switches.*", *_FILES):
        entry = tree(known.value)
        level = whole(entry.get("level"))
        if level is None:
            level = 0 if entry.get("hosts") and not entry.get("children") else None
        if level is not None:
            levels[known.names[0]] = level
        for child in names(entry.get("children")):
            found.above.setdefault(child, known.names[0])
    for tier, key in (("spine", "leaf"), ("core", "spine")):  # the graph engine's answer tells only each host's switches
        for known in bundle.find(f"hosts.*.{tier}", "topograph"):
            below = tree(tree(known.part.facts.get("hosts")).get(known.names[0])).get(key)
            if below:
                found.above.setdefault(str(below), str(known.value))
    for leaf in dict.fromkeys(found.leaf_of.values()):
        levels.setdefault(leaf, 0)
    for name, level in levels.items():
        found.tier_of[name] = _tier(level)
    for leaf in [name for name, level in levels.items() if level == 0]:
        for level, group in enumerate(_way_up(leaf, found.above), start=1):
            found.tier_of.setdefault(group, _tier(level))
    return found


def _tier(level: int) -> Tier:
    return "leaf" if level == 0 else "spine" if level == 1 else "core"


def _way_up(name: str, above: Mapping[str, str]) -> Iterator[str]:
    """The groups above one, nearest first; where a group stands above itself, the way ends."""
    seen = {name}
    while (group := above.get(name)) and group not in seen:
        seen.add(group)
        yield group
        name = group


def _hypernodes(bundle: Bundle, host_names: HostNames) -> _Source:
    found = _Source()
    lowest = min((t for known in bundle.find("hypernodes.*.tier", "k8s-topology") if (t := whole(known.value)) is not None), default=None)
    for known in bundle.find("hypernodes.*", "k8s-topology"):
        node = tree(known.value)
        if lowest is not None and whole(node.get("tier")) == lowest:
            found.tier_of.setdefault(known.names[0], "leaf")
            for member in names(node.get("members")):
                found.place(host_names.short(member), known.names[0], known)
        else:
            for member in names(node.get("members")):
                found.above.setdefault(member, known.names[0])
    return found


def _labels(bundle: Bundle, host_names: HostNames) -> _Source:
    found = _Source()
    for known, named in labelled(bundle):
        if leaf := named.get("leaf"):
            found.place(host_names.short(known.names[0]), leaf, known)
            found.tier_of.setdefault(leaf, "leaf")
            if spine := named.get("spine"):
                found.above.setdefault(leaf, spine)
                found.tier_of.setdefault(spine, "spine")
                if core := named.get("core"):
                    found.above.setdefault(spine, core)
                    found.tier_of.setdefault(core, "core")
    return found


def _blocks(bundle: Bundle, host_names: HostNames) -> _Source:
    found = _Source()
    for pattern in ("hosts.*.block", "topologies.*.hosts.*.block"):
        for known in bundle.find(pattern, *_FILES):
            found.place(host_names.short(known.names[-1]), str(known.value), known)
    for known, named in labelled(bundle):
        if block := named.get("block"):
            found.place(host_names.short(known.names[0]), block, known)
    found.tier_of |= dict.fromkeys(found.leaf_of.values(), "leaf")
    return found


def listed_twice(bundle: Bundle, host_names: HostNames, used: Mapping[str, str]) -> tuple[Conflict, ...]:
    """Hosts that one topology of a scheduler puts below several leaves: the first of them is used."""
    found: dict[tuple[str, tuple[str, ...], str], dict[str, Origin]] = {}
    for pattern in ("switches.*", "topologies.*.switches.*"):
        for known in bundle.find(pattern, *_FILES):
            entry = tree(known.value)
            if entry.get("children") or whole(entry.get("level")) not in (None, 0):
                continue
            place = known.capture.sha256, known.names[:-1]
            for host in names(entry.get("hosts")):
                found.setdefault((*place, host_names.short(host)), {}).setdefault(known.names[-1], known.origin)
    return tuple(
        Conflict(thing=host, figure="leaf", values=tuple(leaves), origins=tuple(leaves.values()), used=used.get(host, next(iter(leaves))))
        for (_, _, host), leaves in found.items()
        if len(leaves) > 1
    )


def disagreements(places: Mapping[str, str], others: Mapping[str, str], told_by: Mapping[str, Origin]) -> tuple[Conflict, ...]:
    """Leaves of a source whose hosts stand on several leaves by a better one (`places`): names may differ, groups may not."""
    groups: dict[str, set[str]] = {}
    first: dict[str, Origin] = {}
    for host in sorted(others):
        if host in places:
            leaf = others[host]
            groups.setdefault(leaf, set()).add(places[host])
            if host in told_by:
                first.setdefault(leaf, told_by[host])
    return tuple(
        Conflict(
            thing=leaf,
            figure="hosts",
            values=(leaf, " ".join(sorted(found))),
            origins=(first[leaf],) if leaf in first else (),
            used=" ".join(sorted(found)),
        )
        for leaf, found in sorted(groups.items())
        if len(found) > 1
    )


def _circles(bundle: Bundle) -> Iterator[Oddity]:
    """Switches of a topology that stand above themselves: each circle once, by its first name."""
    for capture, part in bundle.parts(*_FILES):
        above: dict[str, list[str]] = {}
        for name, entry in tree(part.facts.get("switches")).items():
            for child in names(tree(entry).get("children")):
                above.setdefault(child, []).append(str(name))
        seen: set[str] = set()
        for start in sorted(above):
            circle = _circle(start, above)
            if circle and not seen & set(circle):
                seen |= set(circle)
                origin = Origin(kind="capture", capture=capture.sha256, name=capture.name, line=part.line_of(("switches", circle[0])))
                yield Oddity(kind="cycle", thing=circle[0], detail=" > ".join((*circle, circle[0])), origin=origin)


def _circle(start: str, above: Mapping[str, list[str]]) -> list[str]:
    """The way from a switch up to itself; empty where there is none."""
    ways, seen = [[start]], {start}
    while ways:
        way = ways.pop()
        for group in above.get(way[-1], ()):
            if group == start:
                return way
            if group not in seen:
                seen.add(group)
                ways.append([*way, group])
    return []
