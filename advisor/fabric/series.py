"""Rates from counters: two takes of one counter set, their order, and the time between them. A total since reset is never a rate."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise
from typing import Literal

from advisor.evidence.bundle import Bundle, Capture, Role, host_of, origin
from advisor.evidence.origin import Origin
from advisor.evidence.reading import Part
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
Unknown = Literal["reset", "no-time", "saturated"]


@dataclass(frozen=True, slots=True)
class Rate:
    """How a counter grew between two takes.

    device, port   where: a host or switch, and the port, interface or device there as its tool names it
    counter        its common name; counters of a priority or queue as `priorities.3.rx_pause`
    delta          growth; None after a reset (the later total is lower), or where a counter stands at its ceiling
    elapsed_s      time between the takes; None where neither the captures' times nor a `sleep` in the command line tell it
    unknown        why `per_s` is None
    role           of the later take (quiet, busy, before, after)
    """

    device: str
    port: str
    counter: str
    delta: float | None
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
    """One reading of one counter. `index`: of the part in its capture."""

    capture: Capture
    part: Part
    index: int
    value: float
    path: tuple[str, ...]
    saturated: bool


def rates(bundle: Bundle, *tools: str) -> tuple[Rate, ...]:
    """Every counter that at least two takes of one tool at one port hold, between each take and the next, in order of place and name.

    tools: those to look at; by default all that print counters.

    Takes are ordered by the captures' times, else before and after, else by their order inside one capture. Takes that none of these
    orders give no rate: the order of files says nothing.
    """
    groups: dict[tuple[str, str, str, str], list[_Take]] = {}
    numbered = ((capture, index, part) for capture in bundle.captures for index, part in enumerate(capture.reading.parts))
    for capture, index, part in numbered:
        for device, port, path in _ports(capture, part) if part.tool in (tools or COUNTER_TOOLS) else ():
            facts = _at(part, path)
            ceiling = facts.get("saturated")
            for name, value in _totals(facts):
                saturated = isinstance(ceiling, list) and name in ceiling
                groups.setdefault((device, port, name, part.tool), []).append(
                    _Take(capture, part, index, value, (*path, *name.split(".")), saturated)
                )
    return tuple(
        _between(tool, device, port, counter, first, second)
        for (device, port, counter, tool), takes in sorted(groups.items())
        for first, second in pairwise(_ordered(takes))
    )


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
    if len({take.capture.sha256 for take in takes}) == 1:
        return sorted(takes, key=lambda take: take.index)
    times = [take.capture.time for take in takes]
    if all(times) and len(set(times)) == len({take.capture.sha256 for take in takes}):
        return sorted(takes, key=lambda take: (take.capture.time or "", take.index))
    order = {"before": 0, "after": 1}
    roles = [take.capture.role for take in takes]
    if sorted(role or "" for role in roles) == ["after", "before"]:
        return sorted(takes, key=lambda take: order[take.capture.role or ""])
    return []


def _elapsed_s(first: _Take, second: _Take) -> float | None:
    if first.capture.sha256 == second.capture.sha256:
        match = _SLEEP.search(second.part.command or "") or _SLEEP.search(first.part.command or "")
        return float(match.group(1) or match.group(2)) if match else None
    begin, end = _clock(first.capture.time), _clock(second.capture.time)
    return (end - begin).total_seconds() or None if begin and end else None


def _clock(time: str | None) -> datetime | None:
    """A time with hours; a date alone does not measure."""
    if not time or "T" not in time:
        return None
    try:
        return datetime.fromisoformat(time)
    except ValueError:
        return None


def _between(tool: str, device: str, port: str, counter: str, first: _Take, second: _Take) -> Rate:
    elapsed = _elapsed_s(first, second)
    delta: float | None = second.value - first.value
    unknown: Unknown | None = None if elapsed else "no-time"
    if first.saturated or second.saturated:
        delta, unknown = None, "saturated"
    elif second.value < first.value:
        delta, unknown = None, "reset"
    return Rate(
        device=device,
        port=port,
        counter=counter,
        delta=delta,
        elapsed_s=elapsed,
        unknown=unknown,
        role=second.capture.role,
        tool=tool,
        origins=(origin(first.capture, first.part, first.path), origin(second.capture, second.part, second.path)),
    )
