"""What a person wrote of the network: leaves with their hosts and uplinks, spines, and links between named devices."""

from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass, field
from typing import Any

from advisor.evidence.bundle import Bundle, Capture, origin
from advisor.evidence.origin import Origin
from advisor.evidence.reading import Part
from advisor.fabric import design
from advisor.fabric.facts import entries, names, number, text, whole
from advisor.fabric.model import Conflict, End, Link, Oddity, OddKind, Tier
from advisor.fabric.names import HostNames, is_switch
from advisor.fabric.tiers import lower_end

_STATES = {"up": "active", "active": "active", "down": "down"}
_ENDS: Mapping[str, tuple[Tier | None, Tier]] = {"host-port": (None, "leaf"), "leaf-uplink": ("leaf", "spine"), "spine": ("spine", "core")}
_WHYS: Mapping[str, OddKind] = {"negative": "negative", "bad-list": "bad-list", "empty-cell": "empty-cell"}
_MOST = 400_000  # links of one list; more is a slip of the pen


@dataclass(frozen=True, slots=True)
class Written:
    """links: between named ends, or from a named one to `*` where only their number is stated. pod_of: of leaves and spines."""

    links: tuple[Link, ...] = ()
    hosts: frozenset[str] = frozenset()
    tier_of: Mapping[str, Tier] = field(default_factory=dict)
    pod_of: Mapping[str, str] = field(default_factory=dict)
    told_at: Mapping[str, Origin] = field(default_factory=dict)  # of switches: where they are first written
    isolated: frozenset[str] = frozenset()  # leaves without any uplink, as stated
    doubts: tuple[Oddity, ...] = ()


def written(bundle: Bundle, host_names: HostNames, known_hosts: Set[str], known_switches: Set[str]) -> Written:
    """known_hosts, known_switches: devices of which other sources tell what they are."""
    doubts = list(_complaints(bundle))
    tier_of: dict[str, Tier] = {}
    pod_of: dict[str, str] = {}
    told_at: dict[str, Origin] = {}
    isolated: set[str] = set()
    links: list[Link] = []
    defaults = _Defaults.of(bundle)
    for entry, where in (*_entries(bundle, "leaves"), *_entries(bundle, "spines")):
        for key in ("uplinks", "uplinks_down"):
            if whole(entry.get(key)) is None and number(entry.get(key)) is not None:
                doubts.append(
                    Oddity(kind="not-whole", thing=f"{text(entry.get('name')) or '?'} {key}", detail=f"{entry[key]}", origin=where)
                )
    for entry, where in _entries(bundle, "leaves"):
        if name := text(entry.get("name")):
            tier_of[name], told_at[name] = "leaf", where
            links.extend(_of_leaf(name, entry, where, host_names, defaults))
            if whole(entry.get("uplinks")) == 0 and not _down(entry):
                isolated.add(name)
            if pod := text(entry.get("pod")):
                pod_of[name] = pod
    for entry, where in _entries(bundle, "spines"):
        if name := text(entry.get("name")):
            tier_of[name], told_at[name] = "spine", where
            links.extend(_uplinks(name, "spine", whole(entry.get("uplinks")), _down(entry), number(entry.get("uplink_rate_gbps")), where))
            if pod := text(entry.get("pod")):
                pod_of[name] = pod
    joined = list(_joined(bundle, host_names, doubts))
    direction = _Direction(
        joined, known_hosts | {link.a.device for link in links if link.tier == "host-port"}, known_switches | tier_of.keys()
    )
    for link in joined:
        low, high = direction.low_high(link)
        below, above = _ENDS.get(link.tier or "", (None, "unknown"))
        tier_of |= {name: tier for name, tier in ((low, below), (high, above)) if tier and tier != "unknown"}
        links.append(link.model_copy(update={"a": End(device=low), "b": End(device=high)}))
        if link.origin:
            told_at.setdefault(high, link.origin)
    switches = tier_of.keys() | direction.switches
    hosts = {end.device for link in links for end in (link.a, link.b)} - switches - {"*"}
    for name in direction.switches:
        tier_of.setdefault(name, "unknown")
    return Written(tuple(links), frozenset(hosts), tier_of, pod_of, told_at, frozenset(isolated), tuple(doubts))


def _entries(bundle: Bundle, section: str) -> Iterator[tuple[Mapping[str, Any], Origin]]:
    for capture, part in bundle.parts("site"):
        for i, entry in enumerate(entries(part.facts.get(section))):
            yield entry, origin(capture, part, (section, str(i)))


@dataclass(frozen=True, slots=True)
class _Defaults:
    """What was stated of every leaf, for those of which less is stated."""

    uplinks: int | None
    rate: float | None

    @staticmethod
    def of(bundle: Bundle) -> "_Defaults":
        return _Defaults(whole(design.figure(bundle, "fabric", "uplinks_per_leaf")), design.figure(bundle, "fabric", "uplink_rate_gbps"))


def _of_leaf(name: str, entry: Mapping[str, Any], where: Origin, host_names: HostNames, defaults: _Defaults) -> Iterator[Link]:
    rate = number(entry.get("host_rate_gbps"))
    for host in dict.fromkeys(names(entry.get("hosts"))):
        end = End(device=host_names.short(host))
        yield Link(a=end, b=End(device=name), tier="host-port", rate_gbps=rate, state="active", origin=where)
    down, up = _down(entry), whole(entry.get("uplinks"))
    if up is None and defaults.uplinks is not None:
        up = max(defaults.uplinks - down, 0)
    own = number(entry.get("uplink_rate_gbps"))
    yield from _uplinks(name, "leaf-uplink", up, down, own if own is not None else defaults.rate, where)


def _down(entry: Mapping[str, Any]) -> int:
    return whole(entry.get("uplinks_down")) or 0


def _uplinks(name: str, tier: str, up: int | None, down: int, rate: float | None, where: Origin) -> Iterator[Link]:
    """Links that lead up from a device, to whom is not stated."""
    ends = {"a": End(device=name), "b": End(device="*")}
    if up:
        yield Link.model_validate({**ends, "tier": tier, "rate_gbps": rate, "count": up, "state": "active", "origin": where})
    if down:
        yield Link.model_validate({**ends, "tier": tier, "rate_gbps": rate, "count": down, "state": "down", "origin": where})


def _joined(bundle: Bundle, host_names: HostNames, doubts: list[Oddity]) -> Iterator[Link]:
    """Links between named ends, one for each pair of names; one from a device to itself is a doubt."""
    room = _MOST
    for entry, where in _entries(bundle, "links"):
        lows, highs = names(entry.get("from")), names(entry.get("to"))
        if not lows or not highs:
            continue
        count = whole(entry.get("count"))
        if count is None and number(entry.get("count")) is not None:
            doubts.append(Oddity(kind="not-whole", thing=f"{lows[0]} - {highs[0]}", detail=f"{entry['count']}", origin=where))
            continue
        room -= len(lows) * len(highs)
        if room < 0:
            doubts.append(Oddity(kind="bad-list", thing=f"{lows[0]}.. - {highs[0]}..", detail=f"> {_MOST}", origin=where))
            return
        state = text(entry.get("state"))
        for low in lows:
            for high in highs:
                if low == high:
                    doubts.append(Oddity(kind="link-to-itself", thing=low, origin=where))
                elif count != 0:
                    yield Link(
                        a=End(device=host_names.short(low)),
                        b=End(device=host_names.short(high)),
                        tier=text(entry.get("tier")),
                        rate_gbps=number(entry.get("rate_gbps")),
                        rate_max_gbps=number(entry.get("rate_max_gbps")),
                        count=1 if count is None else count,
                        state=_STATES.get(state.lower(), state.lower()) if state else None,
                        utilisation=(mean / 100) if (mean := number(entry.get("mean_percent"))) is not None else None,
                        origin=where,
                    )


class _Direction:
    """Which devices of written links are switches, and which end of a link is the lower one.

    The form asks for the lower end first. Where other sources, the tier or a name say that a host stands second, it is taken as meant.
    """

    def __init__(self, links: list[Link], hosts: Set[str], switches: Set[str]) -> None:
        self._hosts, self._known = hosts, switches
        self._from = {link.a.device for link in links}
        self._links_to: dict[str, int] = {}
        for link in links:
            self._links_to[link.b.device] = self._links_to.get(link.b.device, 0) + 1
        # Whoever has a link to a host is a switch.
        self._known = switches | {link.a.device for link in links if self._is_switch(link.b.device) is False}
        self.switches: set[str] = set()
        for link in links:
            low, high = self.low_high(link)
            self.switches.add(high)
            if self._is_switch(low) or (low in self._links_to and low != link.b.device) or link.tier in ("leaf-uplink", "spine"):
                self.switches.add(low)

    def low_high(self, link: Link) -> tuple[str, str]:
        a, b = link.a.device, link.b.device
        turned = self._is_switch(a) is True and (
            self._is_switch(b) is False or (self._is_switch(b) is None and b not in self._from and self._links_to[b] == 1)
        )
        return (b, a) if turned and link.tier not in ("leaf-uplink", "spine") else (a, b)

    def _is_switch(self, name: str) -> bool | None:
        if name in self._known:
            return True
        return False if name in self._hosts else is_switch(name, None)


def _complaints(bundle: Bundle) -> Iterator[Oddity]:
    """Figures and names that a person wrote and that cannot be, as the reading of their form found them."""
    for capture, part in bundle.parts("site"):
        for problem in part.problems:
            if kind := _WHYS.get(problem.why):
                yield Oddity(kind=kind, thing=problem.text, detail=problem.detail, origin=_at(capture, part, problem.line))


def _at(capture: Capture, part: Part, line: int) -> Origin:
    return origin(capture, part).model_copy(update={"line": line})


def beside_cables(
    made: Written, cables: tuple[Link, ...], tier_of: Mapping[str, Tier], hosts: Set[str]
) -> tuple[tuple[Link, ...], tuple[Conflict, ...]]:
    """The written links of which cables that tools saw tell nothing, and conflicts of the others with what tools saw.

    A device whose cables upwards a tool saw goes by them.
    """
    seen: dict[str, list[Link]] = {}
    for link in cables:
        low, _ = lower_end(link, tier_of)
        if link.tier in ("host-port", "leaf-uplink", "spine") and (link.tier == "host-port") == (low in hosts):
            seen.setdefault(low, []).append(link)
    kept = tuple(link for link in made.links if link.a.device not in seen)
    said: dict[str, list[Link]] = {}
    for link in made.links:
        if link.a.device in seen:
            said.setdefault(link.a.device, []).append(link)
    found = []
    for device, theirs in said.items():
        ours = seen[device]
        figures = _of_host if device in hosts else _of_switch
        for figure, ours_say, they_say in figures(ours, theirs, tier_of):
            if ours_say != they_say and ours_say is not None and they_say is not None:
                origins = tuple(o for o in (ours[0].origin, theirs[0].origin) if o is not None)
                found.append(Conflict(thing=device, figure=figure, values=(ours_say, they_say), origins=origins, used=ours_say))
    return kept, tuple(found)


def _of_host(ours: list[Link], theirs: list[Link], tier_of: Mapping[str, Tier]) -> Iterator[tuple[str, str | None, str | None]]:
    yield "leaf", _far(ours, tier_of), _far(theirs, tier_of)


def _far(links: list[Link], tier_of: Mapping[str, Tier]) -> str:
    return " ".join(sorted({lower_end(link, tier_of)[1] for link in links}))


def _of_switch(ours: list[Link], theirs: list[Link], tier_of: Mapping[str, Tier]) -> Iterator[tuple[str, str | None, str | None]]:
    for figure, state in (("uplinks", True), ("uplinks_down", False)):
        yield figure, _count(ours, state), _count(theirs, state)
    yield "uplink_rate_gbps", _rates(ours), _rates(theirs)


def _count(links: list[Link], up: bool) -> str:
    return str(sum(link.count for link in links if link.is_up is up))


def _rates(links: list[Link]) -> str | None:
    found = sorted({link.rate_gbps for link in links if link.is_up and link.rate_gbps is not None})
    return " ".join(f"{rate:g}" for rate in found) or None
