"""The observed site that measures look at: bundle and fabric together, and what several measures ask of both."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from advisor.base.units import gbps
from advisor.evidence.bundle import Bundle, Known, origin
from advisor.evidence.origin import Origin
from advisor.fabric.model import Fabric, Host, Port, Run
from advisor.fabric.series import Rate, rates
from advisor.traffic.ladder import LOST_AT_LEAST, Ladder, ladder

# Ports of RDMA devices that carry traffic of jobs; management ports run at a fraction of their rate.
_ACTIVE = (None, "active")


@dataclass(frozen=True)
class Entry:
    """One entry of a section of the statements form, with the origin of each of its keys."""

    section: str
    values: Mapping[str, Any]
    origins: Mapping[str, Origin]

    def get(self, key: str) -> Any:
        return self.values.get(key)

    def number(self, key: str) -> float | None:
        """A figure; of repeats, their middle."""
        return middle(numbers(self.values.get(key)))

    def origin(self, *keys: str) -> Origin | None:
        return next((self.origins[key] for key in keys if key in self.origins), self.origins.get(""))


@dataclass(frozen=True, eq=False)  # one site is itself: what is computed of it is kept by identity
class Observed:
    bundle: Bundle
    fabric: Fabric

    @cached_property
    def _entries(self) -> Mapping[str, tuple[Entry, ...]]:
        found: dict[str, list[Entry]] = {}
        for capture, part in self.bundle.parts("site"):
            for section, content in part.facts.items():
                listed = isinstance(content, list)
                for i, values in enumerate(content if listed else [content]):
                    if isinstance(values, Mapping):
                        path = (section, str(i)) if listed else (section,)
                        origins = {key: origin(capture, part, (*path, key)) for key in values}
                        found.setdefault(section, []).append(Entry(section, values, {"": origin(capture, part, path), **origins}))
        return {section: tuple(entries) for section, entries in found.items()}

    def entries(self, section: str) -> tuple[Entry, ...]:
        """The stated entries of a section, in the order of the form."""
        return self._entries.get(section, ())

    def stated(self, section: str, key: str) -> Iterator[tuple[Any, Origin | None]]:
        for entry in self.entries(section):
            if entry.get(key) is not None:
                yield entry.get(key), entry.origin(key)

    def facts(self, pattern: str, *tools: str) -> Iterator[Known]:
        return self.bundle.find(pattern, *tools)

    @cached_property
    def runs(self) -> tuple[Run, ...]:
        return self.fabric.runs

    @cached_property
    def rates(self) -> Mapping[str, tuple[Rate, ...]]:
        """Growth between two captures by common counter; that of a priority (`priorities.3.rx_pause`) stands with its counter."""
        found: dict[str, list[Rate]] = {}
        for rate in rates(self.bundle):
            name = rate.counter.rsplit(".", 1)[-1] if rate.counter.startswith("priorities.") else rate.counter
            found.setdefault(name, []).append(rate)
        return {name: tuple(grown) for name, grown in found.items()}

    @cached_property
    def model(self) -> Ladder | None:
        """What the jobs would reach if the free things were done; None where the fabric does not tell, nothing is lost, or the model does
        not give what was measured (its error is above half of the loss)."""
        found = ladder(self.fabric)
        if found is None or not found.reproduces:
            return None
        return found if found.free_part + found.physical_part > LOST_AT_LEAST else None

    @cached_property
    def model_origins(self) -> tuple[Origin, ...]:
        """Where the model has its fabric from: a job's hosts, a leaf, a busy run."""
        jobs = [job.origin for job in self.fabric.jobs if len(job.hosts) > 1][:1]
        leaves = [leaf.origin for leaf in self.fabric.leaves][:1]
        busy = [run.origin for run in self.runs if run.load == "busy"][:1]
        return tuple(where for where in (*jobs, *leaves, *busy) if where is not None)

    @cached_property
    def complaints(self) -> tuple[Run, ...]:
        """Runs as the site stands: without those that show it after a change that helped, or before one that made it worse."""
        other = {
            str(change.get("run_after" if change.get("effect") == "better" else "run_before"))
            for change in self.entries("changes")
            if change.get("effect") in ("better", "worse")
        }
        return tuple(run for run in self.runs if run.label not in other)

    @cached_property
    def host_ports(self) -> tuple[tuple[Host, Port], ...]:
        return tuple((host, port) for host in self.fabric.hosts.values() for port in host.ports.values())

    @cached_property
    def line_gbps(self) -> tuple[float, tuple[Origin, ...]] | None:
        """Rate of all ports of one host together: as stated, else the sum of a host's fastest active ports. None where nothing tells.

        Also None where kinds of hosts differ and nobody says which of them ran.
        """
        stated = {kind.all_ports_gbps: kind.origin for kind in self.fabric.host_kinds if kind.all_ports_gbps}
        if len(stated) > 1:
            return None
        for rate, where in stated.items():
            return float(rate or 0), (where,) if where else ()
        sums = []
        for host in self.fabric.hosts.values():
            ports = [port for port in host.ports.values() if port.rate_gbps and port.state in _ACTIVE]
            fastest = max((port.rate_gbps or 0 for port in ports), default=0)
            used = [port for port in ports if port.rate_gbps == fastest]
            if used:
                sums.append((fastest * len(used), tuple(o for port in used if (o := port.origin("rate_gbps")))))
        return min(sums, key=lambda pair: pair[0]) if sums else None

    @cached_property
    def port_gbps(self) -> tuple[float, tuple[Origin, ...]] | None:
        """Rate of one port that jobs use: as stated, else the highest of the captured ones. None where nothing tells."""
        stated = {kind.nic_rate_gbps: kind.origin for kind in self.fabric.host_kinds if kind.nic_rate_gbps}
        if len(stated) > 1:
            return None
        for rate, where in stated.items():
            return float(rate or 0), (where,) if where else ()
        ports = [port for _, port in self.host_ports if port.rate_gbps and port.state in _ACTIVE]
        best = max(ports, key=lambda port: port.rate_gbps or 0, default=None)
        if best is None or not best.rate_gbps:
            return None
        where = best.origin("rate_gbps")
        return best.rate_gbps, (where,) if where else ()

    @cached_property
    def words(self) -> Mapping[str, tuple[str, Origin | None]]:
        """Words that a person stated of the whole site: fabric, use, environment, scheduler, topology, routing."""
        found: dict[str, tuple[str, Origin | None]] = {}
        for section in ("site", "fabric"):
            for entry in self.entries(section):
                for key, value in entry.values.items():
                    if isinstance(value, str):
                        found.setdefault(key, (value.strip().lower(), entry.origin(key)))
        return found


def speed(run: Run) -> tuple[str, float] | None:
    """How fast a run was, by the first figure that it has: its name and value; of times the inverse, so that more is faster."""
    for name in ("busbw_gBps", "rate_gbps", "rate_gBps", "algbw_gBps", "samples_per_s", "tokens_per_s", "tflops", "mfu_percent"):
        value = run.figure(name)
        if value is not None:
            return ("rate_gbps", gbps(value)) if name == "rate_gBps" else (name, value)
    for name in ("step_s", "time_s"):
        value = run.figure(name)
        if value:
            return name, 1 / value
    return None


def numbers(value: Any) -> tuple[float, ...]:
    items = value if isinstance(value, list) else [value]
    return tuple(float(item) for item in items if isinstance(item, int | float) and not isinstance(item, bool))


def middle(values: tuple[float, ...]) -> float | None:
    """The median; None of nothing."""
    ordered = sorted(values)
    half = len(ordered) // 2
    if not ordered:
        return None
    return ordered[half] if len(ordered) % 2 else (ordered[half - 1] + ordered[half]) / 2
