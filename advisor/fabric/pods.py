"""Above the leaves: pods of a three-tier fabric with their convergence to the core, and the ratio of each tier as a whole."""

from collections.abc import Iterable, Mapping

from advisor.fabric.leaves import convergence, in_all
from advisor.fabric.model import Leaf, Link, Pod
from advisor.fabric.wiring import Wiring, group_name


def pods(wires: Wiring, leaves: tuple[Leaf, ...]) -> tuple[tuple[Leaf, ...], tuple[Pod, ...]]:
    """The leaves with their pods, and the pods. Two tiers have none.

    By cables a pod is what leaf uplinks join; where a source names pods, leaves and spines of one name are one.
    """
    if not any(link.tier == "spine" for link in wires.links) and "core" not in wires.tier_of.values() and not wires.pod_of:
        return leaves, ()
    part_of = _parts(wires, leaves)
    members: dict[str, list[Leaf]] = {}
    for leaf in leaves:
        members.setdefault(part_of[leaf.name], []).append(leaf)
    spines: dict[str, list[str]] = {}
    for name, tier in wires.tier_of.items():
        if tier == "spine" and name in part_of:
            spines.setdefault(part_of[name], []).append(name)
    near = _by_device(wires.links)
    found = []
    for part, here in members.items():
        if not spines.get(part) and not any(leaf.name in wires.pod_of for leaf in here):
            continue  # a leaf of which nothing tells what it leads to
        found.append(_pod(part, here, sorted(spines.get(part, ())), near, wires.pod_of))
    pod_of = {leaf: pod.name for pod in found for leaf in pod.leaves}
    placed = tuple(leaf.model_copy(update={"pod": pod_of[leaf.name]}) if leaf.name in pod_of else leaf for leaf in leaves)
    return placed, tuple(sorted(found, key=lambda pod: pod.name))


def _parts(wires: Wiring, leaves: tuple[Leaf, ...]) -> dict[str, str]:
    """The part of every leaf, leaf switch and spine: what uplinks or a pod's name join."""
    above: dict[str, str] = {}

    def root(name: str) -> str:
        while above.setdefault(name, name) != name:
            above[name] = above[above[name]]
            name = above[name]
        return name

    for leaf in leaves:
        for switch in wires.groups.get(leaf.name, (leaf.name,)):
            above[root(switch)] = root(leaf.name)
    for link in wires.links:
        if link.tier == "leaf-uplink" and "*" not in (link.a.device, link.b.device):
            above[root(link.a.device)] = root(link.b.device)
    for name, pod in wires.pod_of.items():
        above[root(name)] = root(f"pod {pod}")
    return {name: root(name) for name in tuple(above)}


def _pod(part: str, leaves: list[Leaf], spines: list[str], near: Mapping[str, list[Link]], pod_of: Mapping[str, str]) -> Pod:
    stated = next((pod_of[name] for name in (*(leaf.name for leaf in leaves), *spines) if name in pod_of), None)
    name = stated or (group_name(tuple(spines)) if spines else part)
    down = in_all([leaf.up_gbps for leaf in leaves])
    up = [link for spine in spines for link in near.get(spine, ()) if link.tier == "spine"]
    whole = convergence(name, down, up)
    each = tuple(
        convergence(
            spine,
            in_all([link.capacity_gbps for link in near.get(spine, ()) if link.tier == "leaf-uplink" and link.is_up]),
            [link for link in near.get(spine, ()) if link.tier == "spine"],
        )
        for spine in spines
    )
    return Pod.model_validate({**dict(whole), "leaves": tuple(leaf.name for leaf in leaves), "spines": each})


def _by_device(links: Iterable[Link]) -> dict[str, list[Link]]:
    found: dict[str, list[Link]] = {}
    for link in links:
        if link.tier in ("leaf-uplink", "spine"):
            for device in {link.a.device, link.b.device} - {"*"}:
                found.setdefault(device, []).append(link)
    return found


def tier_ratios(leaves: tuple[Leaf, ...], found: tuple[Pod, ...]) -> dict[str, float]:
    """Rates down over rates up of a tier as a whole; a tier of which one member is unknown has none."""
    ratios: dict[str, float] = {}
    for tier, members in (("leaf", leaves), ("spine", found)):
        down, up = in_all([one.down_gbps for one in members]), in_all([one.up_gbps for one in members])
        if down and up:
            ratios[tier] = down / up
        elif members and len({one.ratio for one in members}) == 1 and members[0].ratio:
            ratios[tier] = members[0].ratio
    return ratios
