"""Rates from counters: two takes of one counter set, their order, and the time between them. A total since reset is never a rate."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise

from advisor.evidence.bundle import Bundle, Capture, Role, host_of, origin
from advisor.evidence.origin import Origin
from advisor.evidence.reading import Part
from advisor.fabric.counters import Grown, Unknown, grown, width_of
from advisor.fabric.facts import number, tree

COUNTER_TOOLS = (
    *("ethtool-S", "sysfs-ib-counters", "perfquery", "ibqueryerrors", "mlxlink"),
    *("arista-eos", "cisco-nxos", "cumulus-nvue", "h3c-comware", "huawei-ce", "juniper", "sonic"),
)
# Figures beside the counters that are levels or settings, not totals.
_LEVELS = re.compile(
    r"(?:_gbps|_percent|_ber|_ber_max|_c|_m|_w|peak_bytes|buffer_bytes|_alpha|xon_bytes|guaranteed_bytes|mtu_bytes|_age_s)\Z"
    r"|\A(?:width|lid|sm_lid|peer_lid|peer_port|numa_node|status_opcode|pcie_\w+|gid_count)\Z"
)
_SLEEP = re.compile(r"\bsleep\s+(\d+(?:\.\d+)?)|\bwatch\s+-n\s*(\d+(?:\.\d+)?)")
# Counters that nothing but a reset of the whole set makes fall.
_TRAFFIC = frozenset({"rx_bytes", "tx_bytes", "rx_packets", "tx_packets"})


@dataclass(frozen=True, slots=True)
class Rate:
    """How a counter grew between two takes.

    device, port   where: a host or switch, and the port, interface or device there as its tool names it
    counter        its common name; counters of a priority or queue as `priorities.3.rx_pause`
    delta          growth; None where `unknown` says why: after a reset, at a counter's ceiling, where it may have wrapped more than once
    at_least       growth that is sure where `delta` is unknown
    elapsed_s      time between the takes; None where neither their times nor a `sleep` in the command line tell it
    unknown        why `per_s` is None
    role           of the later take (quiet, busy, before, after)
    """

    device: str
    port: str
    counter: str
    delta: float | None
    at_least: float
    elapsed_s: float | None
    unknown: Unknown | None
    role: Role | None
    tool: str
    origins: tuple[Origin, Origin]

    @property
    def per_s(self) -> float | None:
        return None if self.delta is None or not self.elapsed_s else self.delta / self.elapsed_s

    @property
    def gbps(self) -> float | None:
        """Of a counter in bytes: 10^9 bit/s."""
        return self.per_s * 8e-9 if self.per_s is not None and self.counter.endswith("bytes") else None

    @property
    def duty(self) -> float | None:
        """Of a counter of microseconds: share of the time, 0 to 1."""
        return self.per_s * 1e-6 if self.per_s is not None and self.counter.endswith("_us") else None


@dataclass(frozen=True, slots=True)
class _Take:
    """One reading of one counter. `index`: of the part in its capture; `rate_gbps`: of the port."""

    capture: Capture
    part: Part
    index: int
    value: float
    path: tuple[str, ...]
    saturated: bool
    rate_gbps: float | None

    @property
    def time(self) -> str | None:
        """As the text in front of it tells, else as its capture is filed."""
        return self.part.time or self.capture.time


def rates(bundle: Bundle, *tools: str) -> tuple[Rate, ...]:
    """Every counter that at least two takes of one tool at one port hold, between each take and the next, in order of place and name.

    tools: those to look at; by default all that print counters.

    Takes are ordered by their times, else before and after, else by their order inside one capture. Takes that none of these
    orders give no rate: the order of files says nothing. A take that lacks a counter is no take of it: growth and time are then those
    between its neighbours. Where the traffic of a port falls between two takes, all its counters were reset.
    """
    groups: dict[tuple[str, str, str, str], list[_Take]] = {}
    numbered = ((capture, index, part) for capture in bundle.captures for index, part in enumerate(capture.reading.parts))
    for capture, index, part in numbered:
        for device, port, path in _ports(capture, part) if part.tool in (tools or COUNTER_TOOLS) else ():
            facts = _at(part, path)
            ceiling = facts.get("saturated")
            for name, value in _totals(facts):
                saturated = isinstance(ceiling, list) and name in ceiling
                groups.setdefault((device, port, part.tool, name), []).append(
                    _Take(capture, part, index, value, (*path, *name.split(".")), saturated, number(facts.get("rate_gbps")))
                )
    pairs = {place: tuple(pairwise(_ordered(takes))) for place, takes in groups.items() if len(takes) > 1}
    fell = _resets(pairs)
    return tuple(
        _between(place, first, second, _when(first, second) in fell.get(place[:3], ()))
        for place, between in sorted(pairs.items(), key=lambda item: (item[0][0], item[0][1], item[0][3], item[0][2]))
        for first, second in between
    )


def _when(first: _Take, second: _Take) -> tuple[object, ...]:
    return first.capture.sha256, first.index, second.capture.sha256, second.index


def _resets(pairs: Mapping[tuple[str, str, str, str], tuple[tuple[_Take, _Take], ...]]) -> dict[tuple[str, ...], set[tuple[object, ...]]]:
    """Between which takes the traffic of a port fell."""
    found: dict[tuple[str, ...], set[tuple[object, ...]]] = {}
    for (device, port, tool, name), between in pairs.items():
        for first, second in between if name in _TRAFFIC else ():
            if _growth(tool, name, first, second).unknown == "reset":
                found.setdefault((device, port, tool), set()).add(_when(first, second))
    return found


def _ports(capture: Capture, part: Part) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    device = host_of(capture, part) or "?"
    for section in ("interfaces", "ports"):
        for name in tree(part.facts.get(section)):
            yield device, str(name), (section, str(name))
    for name, row in tree(part.facts.get("devices")).items():
        for port in tree(tree(row).get("ports")):
            yield str(name), str(port), ("devices", str(name), "ports", str(port))


def _at(part: Part, path: tuple[str, ...]) -> Mapping[str, object]:
    facts: Mapping[str, object] = part.facts
    for step in path:
        facts = tree(facts.get(step))
    return facts


def _totals(facts: Mapping[str, object]) -> Iterator[tuple[str, float]]:
    for name, value in facts.items():
        if name in ("priorities", "queues", "priority_groups"):
            for key, row in tree(value).items():
                for inner, count in tree(row).items():
                    if (found := number(count)) is not None and not _LEVELS.search(str(inner)):
                        yield f"{name}.{key}.{inner}", found
        elif (found := number(value)) is not None and not _LEVELS.search(str(name)):
            yield str(name), found


def _ordered(takes: list[_Take]) -> list[_Take]:
    """Takes in order of time; only those that can be ordered."""
    shas = {take.capture.sha256 for take in takes}
    if len(shas) == 1:
        return sorted(takes, key=lambda take: take.index)
    times = {(take.time or "", take.capture.sha256) for take in takes}
    if all(time for time, _ in times) and _are_apart(sorted(times)):
        return sorted(takes, key=lambda take: (take.time or "", take.index))
    order = {"before": 0, "after": 1}
    if sorted(take.capture.role or "" for take in takes) == ["after", "before"]:
        return sorted(takes, key=lambda take: order[take.capture.role or ""])
    return []


def _are_apart(times: list[tuple[str, str]]) -> bool:
    """Whether times of different captures differ; a date without hours is any time of its day."""
    return not any(later.startswith(earlier) and one != other for (earlier, one), (later, other) in pairwise(times))


def _elapsed_s(first: _Take, second: _Take) -> float | None:
    if first.capture.sha256 == second.capture.sha256 and not (first.part.time and second.part.time):
        match = _SLEEP.search(second.part.command or "") or _SLEEP.search(first.part.command or "")
        return float(match.group(1) or match.group(2)) if match else None
    begin, end = _clock(first.time), _clock(second.time)
    if begin is None or end is None or (begin.tzinfo is None) != (end.tzinfo is None):
        return None
    elapsed = (end - begin).total_seconds()
    return elapsed if elapsed > 0 else None


def _clock(time: str | None) -> datetime | None:
    """A time with hours; a date alone does not measure."""
    if not time or "T" not in time:
        return None
    try:
        return datetime.fromisoformat(time)
    except ValueError:
        return None


def _growth(tool: str, counter: str, first: _Take, second: _Take) -> Grown:
    width = width_of(tool, counter)
    found = grown(first.value, second.value, width, _elapsed_s(first, second), second.rate_gbps or first.rate_gbps)
    if (first.saturated or second.saturated) and found.unknown is None:
        return Grown(None, max(second.value - first.value, 0), "saturated")
    return found


def _between(place: tuple[str, str, str, str], first: _Take, second: _Take, reset: bool) -> Rate:
    device, port, tool, counter = place
    found, elapsed = _growth(tool, counter, first, second), _elapsed_s(first, second)
    if reset and found.unknown is None:
        found = Grown(None, second.value, "reset")
    return Rate(
        device=device,
        port=port,
        counter=counter,
        delta=found.delta,
        at_least=found.at_least,
        elapsed_s=elapsed,
        unknown=found.unknown or (None if elapsed else "no-time"),
        role=second.capture.role,
        tool=tool,
        origins=(origin(first.capture, first.part, first.path), origin(second.capture, second.part, second.path)),
    )
