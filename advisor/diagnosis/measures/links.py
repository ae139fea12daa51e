"""Between hosts: rates of ports against what they are made for, errors, MTU, and the use of groups of parallel links."""

import re
from collections.abc import Iterator

from advisor.diagnosis.growth import counted, grown
from advisor.diagnosis.measured import Row, also, measure
from advisor.diagnosis.observed import Observed, middle, numbers
from advisor.evidence.origin import Origin
from advisor.fabric.paths import jain as jain_index
from advisor.fabric.paths import uplink_groups

_BAD = re.compile(r"bad|integrity|no signal|not detected|unsupported|cable|module|unplugged|over temperature", re.IGNORECASE)
_ERRORS = ("symbol_errors", "crc_errors", "rx_errors", "link_downed", "link_error_recovery", "fec_uncorrected")


@measure("port_rate_share_of_max", "port-rate", "fabric")
def rate_share(site: Observed) -> Iterator[Row]:
    """Rate at which a port runs over the highest that card and cable are made for."""
    for section in ("hosts", "links"):
        for entry in site.entries(section):
            if section == "links" and entry.get("tier") not in (None, "host-port"):
                continue
            now = entry.number("nic_rate_gbps") or entry.number("rate_gbps")
            most = entry.number("nic_rate_max_gbps") or entry.number("rate_max_gbps")
            if now and most:
                where = (entry.origin("nic_rate_gbps", "rate_gbps"), entry.origin("nic_rate_max_gbps", "rate_max_gbps"))
                yield now / most, str(entry.get("class") or entry.get("tier") or ""), where
    for host, port in site.host_ports:
        if port.rate_gbps and port.rate_max_gbps and port.state in (None, "active"):
            yield port.rate_gbps / port.rate_max_gbps, f"{host.name} {port.name}", (port.origin("rate_gbps"), port.origin("rate_max_gbps"))


@measure("ports_below_twins", "port-rate-pattern", "fabric")
def below_twins(site: Observed) -> Iterator[Row]:
    """Share of a site's RDMA ports that run below the rate that most of them run at. Few: a bad link; all alike gives 0."""
    ports = [
        (port.rate_gbps, port) for _, port in site.host_ports if port.rate_gbps and "/" in port.name and port.state in (None, "active")
    ]
    if len(ports) >= 4:
        usual = middle(tuple(rate for rate, _ in ports)) or 0
        low = [port for rate, port in ports if rate < usual]
        yield len(low) / len(ports), ", ".join(port.name for port in low[:4]), [port.origin("rate_gbps") for port in low or [ports[0][1]]]


@measure("ports_down", "port-state", "fabric")
def ports_down(site: Observed) -> Iterator[Row]:
    """Ports of RDMA devices that are down or still polling beside others that are up."""
    rdma = [(host, port) for host, port in site.host_ports if "/" in port.name and port.state]
    up = [port for _, port in rdma if port.state == "active"]
    down = [(host, port) for host, port in rdma if port.state == "down"]
    if up:
        yield (
            float(len(down)),
            ", ".join(f"{host.name} {port.name}" for host, port in down[:4]),
            [port.origin("state") for _, port in down or rdma[:1]],
        )


@measure("link_errors_total", "link", "fabric")
def errors_total(site: Observed) -> Iterator[Row]:
    """Symbol, CRC, receive and uncorrectable errors and link downs of a port since reset: shows that something happened, not when."""
    for host, port in site.host_ports:
        counts = [(name, port.counters[name]) for name in _ERRORS if name in port.counters]
        if counts:
            worst = max(counts, key=lambda pair: pair[1])
            yield sum(count for _, count in counts), f"{host.name} {port.name}", (port.origin(worst[0]),)
    for switch in site.fabric.switches.values():
        for port in switch.ports.values():
            counts = [(name, port.counters[name]) for name in _ERRORS if name in port.counters]
            if counts:
                worst = max(counts, key=lambda pair: pair[1])
                yield sum(count for _, count in counts), f"{switch.name} {port.name}", (port.origin(worst[0]),)


@measure("effective_ber", "link", "fabric")
def effective_ber(site: Observed) -> Iterator[Row]:
    """Bit error rate of a link after correction. A raw rate before correction is no proof of loss and is not judged."""
    for host, port in site.host_ports:
        if "effective_ber" in port.counters:
            yield port.counters["effective_ber"], f"{host.name} {port.name}", (port.origin("effective_ber"),)


@measure("port_called_bad", "link", "fabric")
def called_bad(site: Observed) -> Iterator[Row]:
    """Whether mlxlink itself recommends to look at a link: bad signal, no signal, bad or unsupported cable or module."""
    for known in site.facts("ports.*.recommendation", "mlxlink"):
        yield _BAD.search(str(known.value)) is not None, f"{known.host or ''} {known.names[0]}".strip(), (known.origin,)


@also("port_errors_growing")
def errors_growing(site: Observed) -> Iterator[Row]:
    """Whether an error counter of a port grew between two captures of it; and what is stated of counters."""
    yield from counted(site, *_ERRORS)
    yield from grown(site, *_ERRORS, "link_flaps")


@also("mtu_equal")
def mtu_equal(site: Observed) -> Iterator[Row]:
    """Whether all captured RDMA ports of one link layer have the same MTU."""
    seen: dict[str, dict[int, Origin | None]] = {}
    for _, port in site.host_ports:
        if port.mtu_bytes and "/" in port.name and port.state in (None, "active"):
            seen.setdefault(port.link_layer or "", {}).setdefault(port.mtu_bytes, port.origin("mtu_bytes"))
    count = sum(1 for _, port in site.host_ports if port.mtu_bytes and "/" in port.name)
    for layer, sizes in sorted(seen.items()):
        if count >= 2:
            yield len(sizes) == 1, layer, sizes.values()


# --- groups of parallel links --------------------------------------------------------------------------------


def _groups(site: Observed) -> Iterator[tuple[str, tuple[float, ...], tuple[Origin | None, ...]]]:
    """Use of the healthy members of each uplink group, 0 to 1, where that of two or more is known."""
    for group in uplink_groups(site.fabric):
        healthy = [link for link in group.links if link.is_up]
        used = tuple(link.utilisation for link in healthy if link.utilisation is not None)
        if group.mean is not None and len(used) >= 2:
            yield group.leaf.strip("*"), used, tuple(link.origin for link in healthy)


@measure("uplink_jain", "uplinks", "fabric")
def jain(site: Observed) -> Iterator[Row]:
    """Jain's index of the members' loads, (sum)^2 / (m x sum of squares): 1 is even, 1/m is all on one."""
    for about, used, origins in _groups(site):
        yield jain_index(used), about, origins


@measure("uplink_mean", "uplinks", "fabric")
def uplink_mean(site: Observed) -> Iterator[Row]:
    """Mean use of a group of parallel uplinks."""
    for about, used, origins in _groups(site):
        yield sum(used) / len(used), about, origins
    for entry in site.entries("links"):
        if entry.get("tier") in ("leaf-uplink", "spine", "core") and (mean := entry.number("mean_percent")) is not None:
            yield mean / 100, str(entry.get("tier")), (entry.origin("mean_percent"),)


@measure("uplink_max", "uplinks", "fabric")
def uplink_max(site: Observed) -> Iterator[Row]:
    """Use of the busiest member of a group of parallel uplinks."""
    for about, used, origins in _groups(site):
        yield max(used), about, origins
    for entry in site.entries("links"):
        if entry.get("tier") in ("leaf-uplink", "spine", "core") and (most := entry.number("max_percent")) is not None:
            yield most / 100, str(entry.get("tier")), (entry.origin("max_percent"),)


@measure("uplink_max_over_mean", "uplinks", "fabric")
def uplink_spread(site: Observed) -> Iterator[Row]:
    """Busiest member over the mean of a group of parallel uplinks."""
    for about, used, origins in _groups(site):
        if sum(used):
            yield max(used) * len(used) / sum(used), about, origins
    for entry in site.entries("links"):
        mean, most = entry.number("mean_percent"), entry.number("max_percent")
        if entry.get("tier") in ("leaf-uplink", "spine", "core") and mean and most:
            yield most / mean, str(entry.get("tier")), (entry.origin("max_percent"), entry.origin("mean_percent"))


@measure("idle_uplinks_share", "uplinks", "fabric")
def idle_uplinks(site: Observed) -> Iterator[Row]:
    """Share of parallel uplinks that carry next to nothing (below 2 %) while another is busy (above 50 %)."""
    for about, used, origins in _groups(site):
        if max(used) > 0.5:
            yield sum(load < 0.02 for load in used) / len(used), about, origins


@measure("uplinks_down", "uplink-state", "fabric")
def uplinks_down(site: Observed) -> Iterator[Row]:
    """Uplinks of a leaf that are down."""
    for leaf in site.fabric.leaves:
        if leaf.uplinks or leaf.uplinks_down:
            yield float(leaf.uplinks_down), leaf.name, (leaf.origin,)


@also("uplinks_down")
def uplinks_missing(site: Observed) -> Iterator[Row]:
    """Uplinks of a leaf that were built less those of the group whose use is stated: the rest carries nothing.

    A group of a whole fraction of them, half or a third, may be the links to one spine or plane, and tells nothing.
    """
    built = {value: where for value, where in site.stated("fabric", "uplinks_per_leaf") if isinstance(value, int | float)}
    for entry in site.entries("links"):
        used = entry.number("count")
        if len(built) == 1 and used and entry.get("tier") == "leaf-uplink":
            ((whole, where),) = built.items()
            if used == whole or (used < whole and whole % used):
                yield float(whole - used), "leaf-uplink", (entry.origin("count"), where)


@measure("oversubscription_ratio", "ratio", "fabric")
def ratio(site: Observed) -> Iterator[Row]:
    """Down-links over uplinks of a leaf, by rate of the healthy ones."""
    for value, where in site.stated("fabric", "ratio"):
        if isinstance(value, int | float):
            yield float(value), "", (where,)
    for leaf in site.fabric.leaves:
        if leaf.ratio is not None and leaf.name != "*":
            yield leaf.ratio, leaf.name, (leaf.origin,)


@measure("crossing_times_ratio", "bisection", "fabric")
def crossing_times_ratio(site: Observed) -> Iterator[Row]:
    """Speed of a full exchange across leaves over that inside a leaf, times the oversubscription ratio: 1 where capacity alone limits."""
    from advisor.diagnosis.contrasts import contrasts

    ratios = [value for value, _, _ in ratio(site)]
    for contrast in contrasts(site):
        places = {contrast.first.placement: contrast.first, contrast.second.placement: contrast.second}
        near, far = places.get("same-leaf"), places.get("cross-leaf")
        if near and far and ratios and (far.leaves or 0) >= 2 and (far.host_count or 0) > 2 and contrast.ratio:
            share = contrast.ratio if contrast.second is far else 1 / contrast.ratio
            yield share * max(ratios), contrast.about, contrast.origins


@measure("host_port_use", "host-port", "fabric")
def host_port_use(site: Observed) -> Iterator[Row]:
    """Use of the busiest port between a host and its leaf: near 1 where several senders meet there."""
    for entry in site.entries("links"):
        if entry.get("tier") == "host-port":
            shares = (*numbers(entry.get("used_percent")), *numbers(entry.get("max_percent")), *numbers(entry.get("p95_percent")))
            if shares:
                yield max(shares) / 100, "", (entry.origin("used_percent", "max_percent", "p95_percent"),)


@measure("storage_link_use", "storage-link", "storage")
def storage_link_use(site: Observed) -> Iterator[Row]:
    """Use of the busiest link to storage."""
    for entry in site.entries("links"):
        if entry.get("tier") == "storage":
            shares = (*numbers(entry.get("used_percent")), *numbers(entry.get("max_percent")), *numbers(entry.get("mean_percent")))
            if shares:
                yield max(shares) / 100, "", (entry.origin("used_percent", "max_percent", "mean_percent"),)


@measure("hash_lacks_flow_fields", "hash-fields", "fabric")
def hash_lacks(site: Observed) -> Iterator[Row]:
    """Whether the fields that switches hash leave out all that tells flows of one pair apart: UDP source port and queue pair."""
    for value, where in site.stated("fabric", "hash_fields"):
        if isinstance(value, list) and value:
            fields = " ".join(map(str, value)).lower()
            yield not any(word in fields for word in ("port", "qp", "queue", "flow", "entropy")), "", (where,)
