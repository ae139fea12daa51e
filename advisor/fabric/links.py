"""Switches and cables: what fabric tools list, what switches say of their neighbours, and what a person stated of groups of links."""

from collections.abc import Iterator, Mapping
from typing import Any

from advisor.evidence.bundle import Bundle, Known, host_of, origin
from advisor.evidence.origin import Origin
from advisor.fabric.claims import Claims
from advisor.fabric.facts import entries, number, numbers, text, tree, whole
from advisor.fabric.identities import Systems, by_lid, counters_by_lid, lid_port
from advisor.fabric.model import End, Link, Port, Switch, Tier
from advisor.fabric.names import HostNames, adapter_of, is_switch
from advisor.fabric.ports import figures, port
from advisor.fabric.series import rates

FABRIC_TOOLS = ("ibnetdiscover", "iblinkinfo", "ibdiagnet")
SWITCH_TOOLS = ("arista-eos", "cisco-nxos", "cumulus-nvue", "h3c-comware", "huawei-ce", "juniper", "ruijie", "sonic", "sonic-config")
_LINK_FIGURES = ("state", "physical_state", "width", "rate_gbps", "rate_max_gbps")


def say_switches(bundle: Bundle, claims: Claims, host_names: HostNames, systems: Systems) -> None:
    """Claims on switches under (switch, "port", name). A switch that no text names has the name of its capture."""
    for known, figure, value in figures(bundle, "interfaces", *SWITCH_TOOLS):
        claims.say((_switch_name(known), "port", known.names[0]), figure, known, value)
    for known in bundle.find("switches.*", *FABRIC_TOOLS):
        claims.say((known.names[0], ""), "", known, None)
    for known in bundle.find("switches.*.ports.*", *FABRIC_TOOLS):
        claims.say((known.names[0], "port", known.names[1]), "", known, None)
        for figure, value in _link_figures(tree(known.value)):
            claims.say((known.names[0], "port", known.names[1]), figure, known, value)
    for known in bundle.find("devices.*.ports.*", "ibqueryerrors"):
        if (known.names[0], "port", known.names[1]) in claims.said:
            for figure, value in tree(known.value).items():
                if number(value) is not None and figure not in ("lid", "peer_lid", "peer_port"):
                    claims.say((known.names[0], "port", known.names[1]), figure, known, number(value))
    for known, device, name, facts in systems.ports(bundle):
        claims.say((device, "port", name), "", known, None)
        for figure, value in _link_figures(facts):
            claims.say((device, "port", name), figure, known, value)
    for known, device, name, on_switch, counters in counters_by_lid(bundle, host_names):
        for figure, value in counters.items() if on_switch else ():
            claims.say((device, "port", name), figure, known, value)


def cables(bundle: Bundle, claims: Claims, host_names: HostNames, known_hosts: set[str], systems: Systems) -> tuple[Link, ...]:
    """Every cable once, whichever end lists it. An end at a host has the host's name and the adapter as port.

    Its load is that of the busier direction: as the switch prints it, else from two takes of its byte counters.
    """
    loads = _loads(bundle, host_names)
    switches = set(claims.things())
    found: dict[frozenset[tuple[str, str | None]], Link] = {}
    for device, name, facts, where in _listed(bundle, systems):
        peer = text(facts.get("peer_device"))
        if peer is None:
            continue
        peer_port = text(facts.get("peer_port"))
        far = _end(peer, peer_port, switches, host_names, known_hosts)
        near = End(device=device, port=name)
        key = frozenset({(near.device, near.port), (far.device, far.port)})
        place = (device, "port", name)
        value = {figure: claims.value(place, figure) for figure in _LINK_FIGURES if figure in claims.said.get(place, {})}
        printed = [v for figure in ("rx_gbps", "tx_gbps") if (v := number(claims.value(place, figure))) is not None]
        used = [v for figure in ("rx_util_percent", "tx_util_percent") if (v := number(claims.value(place, figure))) is not None]
        rate = number(value.get("rate_gbps"))
        load = max(printed, default=loads.get((device, name)))
        link = Link(
            a=near,
            b=far,
            rate_gbps=rate,
            rate_max_gbps=number(value.get("rate_max_gbps")),
            state=text(value.get("state")),
            load_gbps=load,
            utilisation=max(used) / 100 if used else load / rate if load is not None and rate else None,
            origin=where,
        )
        found[key] = _both_ends(found[key], link) if key in found else link
    return tuple(found.values())


def cables_by_hosts(bundle: Bundle, on_hosts: Claims, host_names: HostNames, seen: tuple[Link, ...]) -> tuple[tuple[Link, ...], set[str]]:
    """Cables that hosts tell of (lldpd) and no switch does, and the switches at their upper ends. Rate and state are the host's port's.

    A cable is one by its end at the switch, of which a switch may name the other end by its MAC address.
    """
    taken = {(end.device, end.port) for link in seen for end in (link.a, link.b)}
    switches: set[str] = set()
    found: dict[tuple[str, str], Link] = {}
    for known in bundle.find("interfaces.*", "lldpctl"):
        facts, host, netdev = tree(known.value), host_names(known), known.names[0]
        peer, peer_port = text(facts.get("peer_device")), text(facts.get("peer_port"))
        if peer is None or is_switch(host, netdev):
            continue
        switch = host_names.short(peer)
        switches.add(switch)
        if (switch, peer_port) in taken and peer_port is not None:
            continue
        port = _port_of(on_hosts, host, netdev)
        rate, state = (number(on_hosts.value((host, "port", port), "rate_gbps")), text(on_hosts.value((host, "port", port), "state")))
        found[host, netdev] = Link(
            a=End(device=host, port=netdev),
            b=End(device=switch, port=peer_port),
            tier="host-port",
            rate_gbps=rate,
            rate_max_gbps=number(on_hosts.value((host, "port", port), "rate_max_gbps")),
            state=state,
            origin=known.origin,
        )
    return tuple(found.values()), switches


def _port_of(on_hosts: Claims, host: str, netdev: str) -> str:
    """The name that a host's port goes by whose network device this is."""
    ports = on_hosts.things(host, "port")
    return next((port for port in ports if port == netdev or on_hosts.value((host, "port", port), "netdev") == netdev), netdev)


def _loads(bundle: Bundle, host_names: HostNames) -> dict[tuple[str, str], float]:
    """The greater of a port's two directions, from the last two takes of its byte counters."""
    found: dict[tuple[str, str], dict[str, float]] = {}
    owners = by_lid(bundle, host_names) if any(bundle.parts("perfquery")) else {}
    for rate in rates(bundle, *SWITCH_TOOLS, "ibqueryerrors", "perfquery"):
        if rate.counter in ("rx_bytes", "tx_bytes") and rate.gbps is not None:
            at = lid_port(rate.port, owners)
            found.setdefault(at[:2] if at else (rate.device, rate.port), {})[rate.counter] = rate.gbps
    return {place: max(directions.values()) for place, directions in found.items()}


def _both_ends(first: Link, second: Link) -> Link:
    """One cable as both its ends tell: what the first leaves open, the second's; of two loads the greater."""
    loads = [v for v in (first.load_gbps, second.load_gbps) if v is not None]
    used = [v for v in (first.utilisation, second.utilisation) if v is not None]
    return first.model_copy(
        update={
            "rate_gbps": first.rate_gbps if first.rate_gbps is not None else second.rate_gbps,
            "rate_max_gbps": first.rate_max_gbps if first.rate_max_gbps is not None else second.rate_max_gbps,
            "state": first.state or second.state,
            "load_gbps": max(loads, default=None),
            "utilisation": max(used, default=None),
        }
    )


def _listed(bundle: Bundle, systems: Systems) -> Iterator[tuple[str, str, Mapping[str, Any], Origin]]:
    """Device, port, figures and origin of every switch port that a source lists with what is behind it."""
    for known in bundle.find("switches.*.ports.*", *FABRIC_TOOLS):
        yield known.names[0], known.names[1], tree(known.value), known.origin
    for known, device, name, facts in systems.ports(bundle):
        yield device, name, facts, known.origin
    for known in bundle.find("interfaces.*", *SWITCH_TOOLS):
        yield _switch_name(known), known.names[0], tree(known.value), known.origin


def _end(peer: str, peer_port: str | None, switches: set[str], host_names: HostNames, known_hosts: set[str]) -> End:
    if peer in switches:
        return End(device=peer, port=peer_port)
    adapter = adapter_of(peer)
    if adapter and is_switch(peer, peer_port) is not True:
        host, device = host_names.short(adapter[0]), adapter[1]
        if device or host in known_hosts or is_switch(peer, peer_port) is False:
            return End(device=host, port=f"{device}/{peer_port}" if device and peer_port else device or peer_port)
    return End(device=host_names.short(peer), port=peer_port)


def _switch_name(known: Known) -> str:
    return known.host or known.origin.name


def _link_figures(facts: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    for figure in _LINK_FIGURES:
        if figure in facts:
            value = facts[figure]
            yield figure, value if isinstance(value, str) else number(value) if figure.endswith("_gbps") else whole(value)


def stated_links(bundle: Bundle) -> tuple[Link, ...]:
    """Groups of links of the form that name no device: one link for each stated utilisation, else one that stands for all; ends `*`."""
    found = []
    for capture, part in bundle.parts("site"):
        for i, entry in enumerate(entries(part.facts.get("links"))):
            if "from" in entry or "to" in entry:
                continue
            used = numbers(entry.get("used_percent"))
            mean = number(entry.get("mean_percent"))
            rate = number(entry.get("rate_gbps"))
            shares: tuple[float | None, ...] = used or (mean,)
            for share in shares:
                found.append(
                    Link(
                        a=End(device="*"),
                        b=End(device="*"),
                        tier=text(entry.get("tier")),
                        rate_gbps=rate,
                        rate_max_gbps=number(entry.get("rate_max_gbps")),
                        count=1 if used else whole(entry.get("count")) or 1,
                        utilisation=share / 100 if share is not None else None,
                        load_gbps=rate * share / 100 if share is not None and rate is not None else None,
                        origin=origin(capture, part, ("links", str(i))),
                    )
                )
    return tuple(found)


def switches(
    claims: Claims, tier_of: Mapping[str, Tier], hosts_of: Mapping[str, tuple[str, ...]], told_at: Mapping[str, Origin]
) -> dict[str, Switch]:
    found: dict[str, Switch] = {}
    for name in sorted(tier_of):
        ports: dict[str, Port] = {p: port(claims, (name, "port", p)) for p in claims.things(name, "port")}
        origins = {o.name: o for p in ports.values() if (o := p.origin())}
        where = tuple(origins.values()) or ((told_at[name],) if name in told_at else ())
        found[name] = Switch(name=name, tier=tier_of[name], hosts=hosts_of.get(name, ()), ports=ports, origins=where)
    return found


def switch_names(bundle: Bundle) -> set[str]:
    """Names of machines that are switches because a switch's tool ran on them."""
    return {name for capture, part in bundle.parts(*SWITCH_TOOLS) if (name := host_of(capture, part))}


def channel_adapters(bundle: Bundle, host_names: HostNames) -> set[str]:
    """Hosts that a fabric tool lists by their channel adapters."""
    found = (adapter_of(known.names[0]) for known in bundle.find("cas.*", *FABRIC_TOOLS))
    return {host_names.short(adapter[0]) for adapter in found if adapter}
