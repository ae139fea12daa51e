"""A thing against its peers: same rack, same job, same rail. It speaks also where nothing was ever published for the hardware."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from statistics import median

from advisor.diagnosis.measured import Row, measure
from advisor.diagnosis.observed import Observed, speed
from advisor.evidence.origin import Origin
from advisor.fabric.hardware import platforms

FEWEST = 3  # peers besides the thing itself: of two, neither is the odd one


@measure("platform_unknown", "platform", "none")
def platform_unknown(site: Observed) -> Iterator[Row]:
    """Whether no figures were ever published for a GPU of the site: it is then held against its peers alone."""
    named = {kind.gpu: kind.origin for kind in site.fabric.host_kinds if kind.gpu}
    named |= {gpu.model: gpu.origin for host in site.fabric.hosts.values() for gpu in host.gpus.values() if gpu.model}
    known = {name.upper() for band in platforms() for name in band.gpus}
    for model, where in sorted(named.items()):
        yield not known & {word.upper() for word in model.replace("-", " ").split()}, model, (where,)


def _against_peers(things: Iterable[tuple[str, str, float, Origin | None]]) -> Iterator[Row]:
    """`(group, name, value, origin)`: the value over the median of the others of its group, of those below it the lowest."""
    groups: dict[str, list[tuple[str, float, Origin | None]]] = {}
    for group, name, value, where in things:
        groups.setdefault(group, []).append((name, value, where))
    for group, members in sorted(groups.items()):
        if len(members) <= FEWEST:
            continue
        name, value, where = min(members, key=lambda member: (member[1], member[0]))
        others = median(other for one, other, _ in members if one != name)
        if others > 0:
            yield value / others, f"{name} ({group})", (where,)


def _places(site: Observed) -> Mapping[str, Sequence[str]]:
    """The groups of peers that each host belongs to: its rack or leaf, its jobs."""
    found: dict[str, list[str]] = {name: [host.leaf] for name, host in site.fabric.hosts.items() if host.leaf}
    for job in site.fabric.jobs:
        for host in job.hosts:
            found.setdefault(host, []).append(job.name)
    return found


@measure("port_rate_over_rail", "port-rate-pattern", "fabric")
def port_rate_over_rail(site: Observed) -> Iterator[Row]:
    """Rate of the slowest port of a rail (the same device on every host) over the median of the rail's other ports."""
    yield from _against_peers(
        (f"rail {port.name}", f"{host.name} {port.name}", port.rate_gbps, port.origin("rate_gbps"))
        for host, port in site.host_ports
        if port.rate_gbps and "/" in port.name and port.state in (None, "active")
    )


@measure("host_over_peers", "host-pattern", "node")
def host_over_peers(site: Observed) -> Iterator[Row]:
    """Speed of the slowest host over the median of the other hosts of its rack or job, in equal runs on one host or of one pair each.

    A host counts with its best run, so that a slow partner does not count against it.
    """
    places = _places(site)
    best: dict[tuple[str, str], dict[str, tuple[float, Origin | None]]] = {}
    for run in site.complaints:
        reached = speed(run)
        if reached is None or not run.hosts or len(run.hosts) > 2:
            continue
        test = f"{run.what} {run.size_bytes or ''} {run.load or ''} {reached[0]} {len(run.hosts)}"
        for host in run.hosts:
            for place in places.get(host, ()):
                hosts = best.setdefault((place, test), {})
                if host not in hosts or reached[1] > hosts[host][0]:
                    hosts[host] = reached[1], run.origin
    for (place, _), hosts in sorted(best.items()):
        yield from _against_peers((place, host, value, where) for host, (value, where) in hosts.items())
