"""The tier of each switch and link, by what hangs on it."""

from collections.abc import Mapping
from statistics import median

from advisor.fabric.model import Link, Tier
from advisor.fabric.names import tier_of_name

_FEW = 4  # a spine with hosts of its own (storage, management) has at most a quarter of the hosts of a leaf; our own choice


def tiers(links: tuple[Link, ...], switches: set[str], hosts: set[str], told: Mapping[str, Tier]) -> dict[str, Tier]:
    """The tier of each switch: a leaf has hosts, a spine is next to a leaf, a core next to a spine.

    told: what schedulers, UFM or a person say. It counts, and after it the switch's own name, where cables leave it open: a switch
    without hosts beside it (so a leaf of an empty rack is no core), and one with a few hosts above leaves.
    """
    near: dict[str, set[str]] = {name: set() for name in switches}
    for link in links:
        for end, other in ((link.a, link.b), (link.b, link.a)):
            if end.device in near and other.device != end.device:
                near[end.device].add(other.device)
    with_hosts = {name: len(here) for name, others in near.items() if (here := others & hosts)}
    above = {name for name in with_hosts if _is_above(name, near[name] & with_hosts.keys(), with_hosts, told)}
    found: dict[str, Tier] = {name: "leaf" for name in near if name in with_hosts and name not in above}
    open_ones = [name for name in near if name not in found]
    spines = {name for name in open_ones if near[name] & found.keys()}
    empty = {name for name in open_ones if (told.get(name) or tier_of_name(name)) == "leaf"}
    cores = {name for name in open_ones if name not in spines | empty and near[name] & spines}
    for name in spines | cores:
        found[name] = "spine" if name in spines else "core"
    return {name: found.get(name) or told.get(name) or tier_of_name(name) or "unknown" for name in sorted(switches)}


def _is_above(name: str, peers: set[str], with_hosts: Mapping[str, int], told: Mapping[str, Tier]) -> bool:
    """Whether a switch with hosts is no leaf, but stands above switches that have hosts too (`peers`)."""
    if not peers:
        return False
    said = told.get(name) or tier_of_name(name)
    if said is not None and said != "unknown":
        return said != "leaf"
    return len(peers) > 1 and with_hosts[name] * _FEW <= median(with_hosts[peer] for peer in peers)


def with_tier(link: Link, tier_of: Mapping[str, Tier], hosts: set[str]) -> Link:
    """The link with the tier of its place: to a host, from a leaf up, between spines and cores."""
    if link.tier:
        return link
    ends = {link.a.device, link.b.device}
    levels = {tier_of.get(device) for device in ends}
    tier = (
        "host-port" if ends & hosts else "leaf-uplink" if levels == {"leaf", "spine"} else "spine" if levels == {"spine", "core"} else None
    )
    return link.model_copy(update={"tier": tier})


def lower_end(link: Link, tier_of: Mapping[str, Tier]) -> tuple[str, str]:
    """The two devices of a link, the lower one first: a host below a leaf, a leaf below a spine, a spine below a core."""
    order: Mapping[str | None, int] = {None: 0, "leaf": 1, "spine": 2, "core": 3, "unknown": 4}
    a, b = link.a.device, link.b.device
    if b == "*":
        return a, b
    return (a, b) if order[tier_of.get(a)] <= order[tier_of.get(b)] else (b, a)
