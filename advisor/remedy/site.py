"""The names of a site that fill the steps of a remedy: hosts, leaves, ports, jobs that the evidence points at, else all there are."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from advisor.base.plain import plain
from advisor.base.text import Text
from advisor.diagnosis.verdict import Cause
from advisor.evidence.bundle import Bundle
from advisor.fabric.model import Fabric, Host, Switch
from advisor.remedy.words import both, names

PLACEHOLDERS = ("hosts", "leaves", "spines", "ports", "jobs", "priority", "dscp", "mtu", "host", "peer")
_BREAKS = re.compile(r"[\s,;|]+|<?->")


@dataclass(frozen=True)
class Where:
    """What evidence points at. Each is in the order of the fabric, without repeats."""

    hosts: tuple[str, ...] = ()
    leaves: tuple[str, ...] = ()
    ports: tuple[str, ...] = ()  # as host/port
    jobs: tuple[str, ...] = ()

    def all(self) -> tuple[str, ...]:
        return self.jobs + self.leaves + (self.ports or self.hosts)


@dataclass
class _Found:
    hosts: set[str] = field(default_factory=set)
    leaves: set[str] = field(default_factory=set)
    ports: set[str] = field(default_factory=set)
    jobs: set[str] = field(default_factory=set)


def pointed_at(causes: Iterable[Cause], fabric: Fabric) -> Where:
    """The things that supporting evidence names in `about`, as far as the fabric knows them by a name of their own."""
    found = _Found()
    jobs = {job.name: job for job in fabric.jobs}
    leaves = {leaf.name for leaf in fabric.leaves} | {switch.name for switch in fabric.switches.values() if switch.tier == "leaf"}
    for about in dict.fromkeys(e.about for cause in causes for e in cause.evidence if e.supports and e.about):
        if about in jobs:
            found.jobs.add(about)
            continue
        for word in (about, *_BREAKS.split(about)):
            host, port = _host_and_port(word, fabric)
            if host is not None:
                found.hosts.add(host)
                if port is not None:
                    found.ports.add(f"{host}/{port}")
            elif word in leaves:
                found.leaves.add(word)
            elif word in jobs:
                found.jobs.add(word)
    return Where(
        hosts=tuple(name for name, host in fabric.hosts.items() if name in found.hosts and host.named),
        leaves=tuple(sorted(found.leaves)),
        ports=tuple(sorted(port for port in found.ports if _is_named(port.partition("/")[0], fabric))),
        jobs=tuple(name for name in jobs if name in found.jobs),
    )


def _host_and_port(word: str, fabric: Fabric) -> tuple[str | None, str | None]:
    if word in fabric.hosts:
        return word, None
    for mark in "/:":
        host, _, port = word.partition(mark)
        if host in fabric.hosts:
            known = fabric.hosts[host]
            return host, port if port in known.ports or port in known.gpus else None
    return None, None


def values(where: Where, bundle: Bundle, fabric: Fabric) -> Mapping[str, Text]:
    """What stands for each placeholder: the site's own names, else words that say which are meant."""
    jobs = {job.name: job for job in fabric.jobs}
    of_jobs = [host for job in where.jobs for host in jobs[job].hosts]
    hosts = [host for host in where.hosts or dict.fromkeys(of_jobs) or fabric.hosts if _is_named(host, fabric)]
    leaves = where.leaves or dict.fromkeys(leaf for leaf in (leaf_of(host, fabric) for host in hosts) if leaf) or _all_leaves(fabric)
    spines = [switch.name for switch in fabric.switches.values() if switch.tier == "spine"]
    peers = [host for host in fabric.hosts if host not in where.hosts and _is_named(host, fabric)]
    return {
        "hosts": names(hosts, both("plan.instead.hosts")),
        "host": names(hosts[:1], both("plan.instead.host")),
        "peer": names((peers or hosts[1:])[:1], both("plan.instead.peer")),
        "leaves": names(leaves, both("plan.instead.leaves")),
        "spines": names(spines, both("plan.instead.spines")),
        "ports": names(where.ports, both("plan.instead.ports")),
        "jobs": names(where.jobs or jobs, both("plan.instead.jobs")),
        "priority": _called("priority", lossless(bundle, fabric)),
        "dscp": _called("dscp", dscps(bundle)),
        "mtu": names(mtus(fabric)[:1], both("plan.instead.mtu")),
    }


def _called(kind: str, numbers: list[str]) -> Text:
    """`priority 3`, `DSCP 26`; words for what is meant where none is known."""
    return both(f"plan.{kind}-is", number=plain(numbers[0])) if len(numbers) == 1 else both(f"plan.instead.{kind}")


def _is_named(host: str, fabric: Fabric) -> bool:
    return host not in fabric.hosts or fabric.hosts[host].named


def leaf_of(host: str, fabric: Fabric) -> str | None:
    """The leaf that a host hangs on, as far as is known."""
    known = fabric.hosts.get(host)
    if known is not None and known.leaf:
        return known.leaf
    return next((leaf.name for leaf in fabric.leaves if host in leaf.hosts), None)


def _all_leaves(fabric: Fabric) -> list[str]:
    """Leaves with a name of their own: `*` stands for every leaf of a stated design."""
    return [leaf.name for leaf in fabric.leaves if leaf.name != "*"]


def lossless(bundle: Bundle, fabric: Fabric) -> list[str]:
    """The lossless priority, where one priority alone is it: on the ports of hosts, else as stated, else on the ports of switches."""
    return _single(fabric.hosts.values()) or _stated(bundle, "priority") or _single(fabric.switches.values())


def _single(devices: Iterable[Host | Switch]) -> list[str]:
    on_ports = {port.pfc_priorities for device in devices for port in device.ports.values() if port.pfc_priorities}
    single = {priorities[0] for priorities in on_ports if len(priorities) == 1}
    return [str(single.pop())] if len(single) == 1 else []


def _stated(bundle: Bundle, key: str) -> list[str]:
    """A figure of the stated flow control, where all entries that give it agree."""
    said = {str(known.value) for known in bundle.find(f"flow_control.*.{key}", "site") if isinstance(known.value, int | float | str)}
    return sorted(said) if len(said) == 1 else []


def dscps(bundle: Bundle) -> list[str]:
    """The DSCP value of the lossless traffic as stated, where all entries that give one agree."""
    return _stated(bundle, "dscp")


def mtus(fabric: Fabric) -> list[str]:
    """MTUs of ports, the most frequent first."""
    found = [port.mtu_bytes for host in fabric.hosts.values() for port in host.ports.values() if port.mtu_bytes]
    return [str(mtu) for mtu in sorted(set(found), key=lambda mtu: (-found.count(mtu), mtu))]
