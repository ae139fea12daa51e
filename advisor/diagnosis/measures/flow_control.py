"""Losslessness, pause, marks and classes: counters that grow and where, and how hosts and switches are set."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from advisor.diagnosis.growth import counted, grown, growth, telling
from advisor.diagnosis.measured import Row, also, measure
from advisor.diagnosis.observed import Entry, Observed, numbers
from advisor.evidence.origin import Origin

_PAUSE = ("rx_pause", "tx_pause", "rx_pfc", "tx_pfc", "pause", "pfc")
_DROPS = (
    "rx_discards",
    "tx_discards",
    "discards",
    "drops",
    "out_of_sequence",
    "packet_seq_errors",
    "ack_timeouts",
    "wred_discards",
    "rx_buffer_discards",
)
_MARKS = ("ecn_marked", "ecn_marks", "marked")
_STORAGE = re.compile(r"storage|checkpoint|\bnfs\b|lustre|nvme|ceph|gpfs|\bs3\b|存储|检查点", re.IGNORECASE)
_OPERATIONS = re.compile(r"manag|control|\bcnp\b|operation|best.?effort|tcp\b|管理", re.IGNORECASE)


@measure("pause_grows_at", "pause", "flow-control")
def pause_grows_at(site: Observed) -> Iterator[Row]:
    """Places where pause frames grow: host, nic, host-edge (a switch's port to a host), leaf-uplink, spine."""
    for entry in site.entries("counters"):
        growing = entry.get("growing") is True or (entry.number("value_per_s") or 0) > 0
        if str(entry.get("name")) in _PAUSE and growing and entry.get("at"):
            yield str(entry.get("at")), str(entry.get("port") or ""), (entry.origin("at"),)
    for one in growth(site, *_PAUSE):
        if one.at and one.grew:
            yield one.at, one.about, one.origins


@also("pause_growing")
def pause_growing(site: Observed) -> Iterator[Row]:
    yield from grown(site, *_PAUSE)
    yield from counted(site, *_PAUSE)


@measure("pause_duty", "pause-duty", "flow-control")
def pause_duty(site: Observed) -> Iterator[Row]:
    """Share of the time in which a port did not send, or asked its partner not to send, between two captures."""
    for one in growth(site, "rx_pause_us", "tx_pause_us"):
        if one.duty is not None:
            yield one.duty, one.about, one.origins


@also("drops_growing")
def drops_growing(site: Observed) -> Iterator[Row]:
    yield from grown(site, *_DROPS)
    yield from counted(site, *_DROPS)


@also("ecn_marks_growing")
def marks_growing(site: Observed) -> Iterator[Row]:
    yield from grown(site, *_MARKS)
    yield from counted(site, "ecn_marked")


def _by_side(site: Observed, on_host: tuple[str, ...], on_switch: tuple[str, ...]) -> Iterator[Row]:
    """Whether counters grow: of a host's own port, or of the switch port in front of it, which sees the other direction."""
    for entry in site.entries("counters"):
        at, name, growing = entry.get("at"), str(entry.get("name")), entry.get("growing")
        if growing is not None and ((at in ("host", "nic") and name in on_host) or (at == "host-edge" and name in on_switch)):
            yield growing, str(entry.get("port") or at), (entry.origin("name"),)
    seen = [one for one in growth(site, *on_host) if one.at == "host"]
    seen += [one for one in growth(site, *on_switch) if one.at == "host-edge"]
    yield from telling((one.grew, one.about, one.origins) for one in seen if one.grew is not None)


@measure("host_sends_pause", "pause-side", "flow-control")
def host_sends_pause(site: Observed) -> Iterator[Row]:
    """Whether a host's own port sends pause: the host cannot take in what comes."""
    yield from _by_side(site, ("tx_pause", "tx_pfc"), ("rx_pause", "rx_pfc"))


@measure("network_pauses_host", "pause-side", "flow-control")
def network_pauses_host(site: Observed) -> Iterator[Row]:
    """Whether switches pause a host: a queue beyond its port is full."""
    yield from _by_side(site, ("rx_pause", "rx_pfc"), ("tx_pause", "tx_pfc"))


@measure("cnp_handled_over_sent", "cnp", "flow-control")
def cnp_handled(site: Observed) -> Iterator[Row]:
    """Congestion notifications that senders acted on over those that receivers sent: about 1 where congestion control works."""
    totals: dict[str, float] = {}
    origins: list[Origin | None] = []
    for entry in site.entries("counters"):
        name = str(entry.get("name"))
        if name in ("cnp_sent", "cnp_handled") and (value := entry.number("value") or entry.number("value_per_s")) is not None:
            totals[name] = totals.get(name, 0) + value
            origins.append(entry.origin("value", "value_per_s"))
    if totals.get("cnp_sent") and "cnp_handled" in totals:
        yield totals["cnp_handled"] / totals["cnp_sent"], "", origins
    sent = [(one, one.delta) for one in growth(site, "cnp_sent") if one.delta is not None]
    handled = [(one, one.delta) for one in growth(site, "cnp_handled") if one.delta is not None]
    total = sum(delta for _, delta in sent)
    if total and len({one.device for one, _ in sent}) >= 2 and handled:  # of one host alone the two are of different flows
        yield sum(delta for _, delta in handled) / total, "", [where for one, _ in (*sent, *handled) for where in one.origins][:4]


@measure("cnp_sent_growing", "cnp", "flow-control")
def cnp_growing(site: Observed) -> Iterator[Row]:
    """Whether receivers send congestion notifications."""
    yield from grown(site, "cnp_sent")
    yield from counted(site, "cnp_sent")
    for entry in site.entries("counters"):
        if entry.get("name") == "cnp_sent" and entry.get("growing") is None and entry.number("value") == 0:
            yield False, str(entry.get("at") or ""), (entry.origin("value"),)


@measure("xmit_wait_at", "credits", "flow-control")
def xmit_wait_at(site: Observed) -> Iterator[Row]:
    """Places where InfiniBand ports wait for credits: host-edge (the host behind it is slow), leaf-uplink, spine."""
    for entry in site.entries("counters"):
        if entry.get("name") == "xmit_wait" and entry.get("growing") is not False and entry.get("at"):
            yield str(entry.get("at")), str(entry.get("port") or ""), (entry.origin("at"),)


# --- how it is set --------------------------------------------------------------------------------------------


def _sides(site: Observed) -> Iterator[tuple[Entry, str]]:
    for entry in site.entries("flow_control"):
        yield entry, f"{entry.get('side') or ''} {entry.get('traffic') or ''}".strip()


def _is_roce(entry: Entry) -> bool:
    traffic = str(entry.get("traffic") or "")
    return not (_STORAGE.search(traffic) or _OPERATIONS.search(traffic))


@measure("ecn_on_switches", "ecn", "flow-control")
def ecn_on_switches(site: Observed) -> Iterator[Row]:
    """Whether switches are set to mark: as stated, or a profile of marking that a queue refers to."""
    for entry, about in _sides(site):
        if entry.get("ecn") is not None and entry.get("side") in ("leaf", "spine"):
            yield entry.get("ecn"), about, (entry.origin("ecn"),)
    yield from telling(
        (_has_profile(known.value), f"{known.host or ''} {known.names[0]}".strip(), (known.origin,))
        for known in site.facts("interfaces.*.queues", "sonic-config")
        if isinstance(known.value, dict)
    )


def _has_profile(queues: Mapping[str, Any]) -> bool:
    return any(isinstance(queue, dict) and queue.get("ecn_profile") for queue in queues.values())


@measure("ecn_on_hosts", "ecn", "flow-control")
def ecn_on_hosts(site: Observed) -> Iterator[Row]:
    """Whether hosts are set to answer marks."""
    for entry, about in _sides(site):
        if entry.get("ecn") is not None and entry.get("side") == "host":
            yield entry.get("ecn"), about, (entry.origin("ecn"),)


def _pfc(site: Observed) -> Iterator[tuple[str, frozenset[int], Origin | None]]:
    """Lossless priorities of each side of the form, of hosts' NICs and of switch ports."""
    for entry, about in _sides(site):
        value = entry.get("pfc_priorities")
        if isinstance(value, list | int):
            yield about, frozenset(int(n) for n in numbers(value)), entry.origin("pfc_priorities")
    for host, port in site.host_ports:
        if port.pfc_priorities is not None:
            yield f"{host.name} {port.name}", frozenset(port.pfc_priorities), port.origin("pfc_priorities")
    for switch in site.fabric.switches.values():
        for port in switch.ports.values():
            if port.pfc_priorities is not None:
                yield f"{switch.name} {port.name}", frozenset(port.pfc_priorities), port.origin("pfc_priorities")


@measure("lossless_priorities", "pfc", "flow-control")
def lossless_priorities(site: Observed) -> Iterator[Row]:
    """Priorities with PFC on a side or port: none is lossy Ethernet, one or two are usual, eight are all."""
    for about, priorities, where in _pfc(site):
        yield float(len(priorities)), about, (where,)


@measure("lossless_priorities_differ", "class-map", "flow-control")
def lossless_differ(site: Observed) -> Iterator[Row]:
    """Whether sides or ports have PFC on different priorities."""
    found = list(_pfc(site))
    if len(found) >= 2:
        yield len({priorities for _, priorities, _ in found}) > 1, "", [where for _, _, where in found][:4]


@measure("traffic_outside_lossless", "class", "flow-control")
def outside_lossless(site: Observed) -> Iterator[Row]:
    """Whether RDMA traffic is sent on a priority that is not among the lossless ones of its side, of any side, or of the captured NICs."""
    lossless = [priorities for _, priorities, _ in _pfc(site)]
    for entry, about in _sides(site):
        priority = entry.get("priority")
        own = entry.get("pfc_priorities")
        allowed = frozenset(int(n) for n in numbers(own)) if isinstance(own, list) else frozenset().union(*lossless) if lossless else None
        if isinstance(priority, int) and allowed is not None and _is_roce(entry):
            yield priority not in allowed, about, (entry.origin("priority"),)


_MAIN = 0.8  # share of a direction's bytes that makes a priority that of the job
_MOVED = 1e9  # bytes in each direction between two takes: below it a port did nothing that counts


@measure("class_differs_by_direction", "class", "flow-control")
def class_by_direction(site: Observed) -> Iterator[Row]:
    """Whether a NIC sends on a lossless priority and receives about as much on a lossy one, or the other way round.

    A collective sends as much as it receives, so both directions are the same job's; one of the two ends puts it into another class.
    """
    moved: dict[tuple[str, str], dict[str, dict[int, float]]] = {}
    seen: dict[tuple[str, str], Origin] = {}
    for side in ("rx_bytes", "tx_bytes"):
        for rate in site.rates.get(side, ()):
            if rate.counter.startswith("priorities.") and rate.delta is not None and rate.device in site.fabric.hosts:
                port = (rate.device, rate.port)
                counts = moved.setdefault(port, {}).setdefault(side, {})
                priority = int(rate.counter.split(".")[1])
                counts[priority] = counts.get(priority, 0.0) + rate.delta
                seen[port] = rate.origins[1]
    lossless = frozenset().union(*(priorities for _, priorities, _ in _pfc(site)))
    for port, sides in sorted(moved.items()):
        totals = [sum(sides.get(side, {}).values()) for side in ("rx_bytes", "tx_bytes")]
        if lossless and min(totals) >= _MOVED and max(totals) <= 2 * min(totals):
            shares = [sum(n for p, n in sides[side].items() if p in lossless) / whole for side, whole in zip(sides, totals, strict=True)]
            if all(share >= _MAIN or share <= 1 - _MAIN for share in shares):
                yield (shares[0] >= _MAIN) != (shares[1] >= _MAIN), " ".join(port), (seen[port],)


@measure("same_traffic_two_classes", "class-map", "flow-control")
def two_classes(site: Observed) -> Iterator[Row]:
    """Whether entries of RDMA traffic name different DSCP values or priorities, as those of two kinds of flows or of two hops."""
    entries = [entry for entry, _ in _sides(site) if _is_roce(entry)]
    for key in ("dscp", "priority"):
        values = [(entry.get(key), entry.origin(key)) for entry in entries if isinstance(entry.get(key), int)]
        if len(values) >= 2:
            yield len({value for value, _ in values}) > 1, key, [where for _, where in values]


@measure("trust_differs", "class-map", "flow-control")
def trust_differs(site: Observed) -> Iterator[Row]:
    """Whether one side trusts DSCP and another the VLAN tag."""
    said = [(str(entry.get("trust")), entry.origin("trust")) for entry, _ in _sides(site) if entry.get("trust")]
    said += [(port.trust, port.origin("trust")) for _, port in site.host_ports if port.trust]
    if len(said) >= 2:
        yield len({value for value, _ in said}) > 1, "", [where for _, where in said][:4]


@measure("storage_shares_priority", "storage-queue", "storage")
def storage_shares_priority(site: Observed) -> Iterator[Row]:
    """Whether an entry of storage traffic names the priority of an RDMA entry."""
    storage = [entry for entry, about in _sides(site) if _STORAGE.search(about) and isinstance(entry.get("priority"), int)]
    compute = {entry.get("priority") for entry, about in _sides(site) if _is_roce(entry) and isinstance(entry.get("priority"), int)}
    for entry in storage:
        if compute:
            yield entry.get("priority") in compute, str(entry.get("traffic")), (entry.origin("priority"),)


@measure("tenant_limits", "tenant-limits", "flow-control")
def tenant_limits(site: Observed) -> Iterator[Row]:
    """Whether rates or shares per tenant are in force."""
    for entry, about in _sides(site):
        if entry.get("limits") is not None:
            yield entry.get("limits"), about, (entry.origin("limits"),)


@measure("congestion_control", "congestion-control", "flow-control")
def congestion_control(site: Observed) -> Iterator[Row]:
    """Name of the congestion control in force."""
    for entry, about in _sides(site):
        if entry.get("congestion_control") is not None:
            yield str(entry.get("congestion_control")), about, (entry.origin("congestion_control"),)


@measure("pfc_watchdog_set", "watchdog", "flow-control")
def watchdog_set(site: Observed) -> Iterator[Row]:
    """Whether a watchdog stops a port that pauses without end."""
    for entry, about in _sides(site):
        if entry.get("pfc_watchdog") is not None:
            yield entry.get("pfc_watchdog"), about, (entry.origin("pfc_watchdog"),)


@measure("storms_detected", "storm", "flow-control")
def storms(site: Observed) -> Iterator[Row]:
    """Storms that a switch's watchdog counted, and storm events of NICs."""
    for known in site.facts("interfaces.*.priorities.*.pfcwd_detected"):
        if isinstance(known.value, int | float):
            yield float(known.value), " ".join(known.names), (known.origin,)
    for name in ("tx_pause_storm_warning_events", "tx_pause_storm_error_events"):
        for known in site.facts(f"interfaces.*.counters.{name}", "ethtool-S"):
            if isinstance(known.value, int | float):
                yield float(known.value), f"{known.host or ''} {known.names[0]}".strip(), (known.origin,)


@also("roce_on_lossy_priority")
def lossy_bytes(site: Observed) -> Iterator[Row]:
    """RoCE bytes on a priority without PFC cannot be told from other bytes of a NIC; a switch that counts RoCE discards can."""
    for known in site.facts("interfaces.*.roce_rx_discards"):
        if isinstance(known.value, int | float) and known.value > 0:
            yield True, known.names[0], (known.origin,)
