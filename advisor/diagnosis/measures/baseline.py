"""Measured bandwidth against what the hardware gives: line rate, ceiling, what somebody expects; and what a test can show at all."""

import re
from collections.abc import Iterator

from advisor.base.units import GIB, gBps, gbps
from advisor.diagnosis.measured import Row, measure
from advisor.diagnosis.observed import Observed, speed
from advisor.evidence.origin import Origin
from advisor.fabric.hardware import Platform, platform
from advisor.fabric.model import Run
from advisor.traffic.collectives import factor

COLLECTIVES = {"all_reduce", "all_gather", "reduce_scatter", "broadcast", "reduce"}
POINT_TO_POINT = {"ib_write_bw", "ib_read_bw", "ib_send_bw", "ucx_perftest", "point_to_point", "sendrecv"}
SMALL = 64 * 2**20  # of a collective: below it latency, not the wire, sets the figure (platform table, rows P31 and P32)
_RETRY = re.compile(r"retry|\b12\b", re.IGNORECASE)
IN_NETWORK = {"nvls", "nvlstree", "collnet", "collnetdirect", "collnetchain", "sharp"}


def is_collective(run: Run) -> bool:
    """Whether it is a collective, or a table of nccl-tests whose head, and so the collective's name, was cut off."""
    return run.what in COLLECTIVES or (run.what is None and run.tool == "nccl-tests")


def bandwidth(run: Run, name: str) -> float | None:
    """A figure of a run. Of busbw and algbw each follows from the other where the collective and its ranks are known (nccl-tests)."""
    value = run.figure(name)
    other = {"busbw_gBps": "algbw_gBps", "algbw_gBps": "busbw_gBps"}.get(name)
    known = run.figure(other) if other else None
    if value is not None or known is None or run.what not in COLLECTIVES | {"alltoall"} or not run.ranks or run.ranks < 2:
        return value
    times = factor(str(run.what), run.ranks)
    return known * times if name == "busbw_gBps" else known / times


def crosses_hosts(run: Run) -> bool:
    return run.host_count != 1 and run.placement != "same-host"


@measure("collective_share_of_line", "baseline", "fabric")
def collective_share(site: Observed) -> Iterator[Row]:
    """busbw at the largest message over the rate of all ports of one host (bytes against bytes).

    For a ring busbw is what each host's wire carries; tree and in-network reduction may show more than the wire. An all-to-all is
    left out: for one pair it cannot use all NICs.
    """
    for run in site.complaints:
        if not is_collective(run) or not crosses_hosts(run):
            continue
        share = run.figure("of_expected")
        if share is not None:
            yield share, run.label, (run.origin,)
        elif (busbw := bandwidth(run, "busbw_gBps")) is not None and site.line_gbps and not _is_small(run):
            rate, where = site.line_gbps
            yield busbw / gBps(rate), run.label, (run.origin, *where)


@measure("point_to_point_share_of_line", "wire", "fabric")
def point_to_point_share(site: Observed) -> Iterator[Row]:
    """Rate between two hosts over that of the ports that took part; of a bidirectional test, half of its sum."""
    for run in site.complaints:
        if run.what not in POINT_TO_POINT or run.placement == "same-host":
            continue
        share = run.figure("of_expected")
        rate = rate_gbps(run)
        if share is not None:
            yield share, run.label, (run.origin,)
        elif rate is not None and site.port_gbps and (run.size_bytes or 2**16) >= 2**15:
            line, where = site.port_gbps
            ports = 1 if rate <= line else float(run.settings.get("ports") or 1)
            ways = 2 if run.settings.get("bidirectional") is True else 1
            yield rate / (line * ports * ways), run.label, (run.origin, *where)


@measure("socket_share_of_line", "socket-rate", "host-software")
def socket_share(site: Observed) -> Iterator[Row]:
    """Rate of a socket test over that of the port: the slowest of the tests with the fewest streams, as a job's one stream meets it."""
    if site.port_gbps is None:
        return
    line, where = site.port_gbps
    tested = [(run, rate) for run in site.complaints if run.what == "iperf" and (rate := rate_gbps(run))]
    if tested:
        run, rate = min(tested, key=lambda test: (float(test[0].settings.get("streams") or 1), test[1]))
        yield rate / line, run.label, (run.origin, *where)


def rate_gbps(run: Run) -> float | None:
    rate, rate_bytes = run.figure("rate_gbps"), run.figure("rate_gBps")
    return rate if rate is not None else gbps(rate_bytes) if rate_bytes is not None else None


def _is_small(run: Run) -> bool:
    return run.size_bytes is not None and run.size_bytes < SMALL


@measure("alltoall_share_of_nic", "baseline", "fabric")
def alltoall_share(site: Observed) -> Iterator[Row]:
    """busbw of an all-to-all over the rate of one port: for each pair it uses one NIC, so it tends to that rate, not to the sum."""
    for run in site.complaints:
        busbw = run.figure("busbw_gBps")
        if run.what == "alltoall" and busbw is not None and crosses_hosts(run) and site.port_gbps and not _is_small(run):
            line, where = site.port_gbps
            yield busbw / gBps(line), run.label, (run.origin, *where)


def only_gpu(site: Observed) -> tuple[str, Origin | None] | None:
    """The one GPU model of the site; None of several."""
    gpus = {kind.gpu: kind.origin for kind in site.fabric.host_kinds if kind.gpu}
    gpus |= {gpu.model: gpu.origin for host in site.fabric.hosts.values() for gpu in host.gpus.values() if gpu.model}
    return next(iter(gpus.items())) if len(gpus) == 1 else None


def reference_of(site: Observed, band: Platform) -> tuple[float, tuple[Origin, ...]] | None:
    """What a band is a share of, GB/s, and where that is known from."""
    if band.reference == "nvlink":
        return (band.reference_gBps, ()) if band.reference_gBps else None
    line = site.line_gbps if band.reference == "nics" else site.port_gbps
    return (gBps(line[0]), line[1]) if line else None


def _bands(site: Observed) -> Iterator[tuple[bool, float, Run, tuple[Origin | None, ...]]]:
    """Runs for whose hardware a band was published: inside one host or not, busbw over the lower end of the band, the run, origins.

    Bands hold for large messages: a smaller one that reaches its band clears it too, one that misses it says nothing.
    """
    known = only_gpu(site)
    for run in site.complaints:
        busbw = bandwidth(run, "busbw_gBps")
        if busbw is None or known is None or not run.what or run.host_count is None:
            continue
        band = platform(known[0], run.host_count, run.what, run.algorithm)
        reference = reference_of(site, band) if band else None
        if band and reference:
            share = busbw / (reference[0] * band.low)
            if share >= 1 or (run.size_bytes or GIB) >= GIB:
                yield run.host_count == 1, share, run, (run.origin, known[1], *reference[1])


@measure("share_of_band_inside_host", "inside-host", "node")
def band_inside(site: Observed) -> Iterator[Row]:
    """busbw inside one host over the lower end of what is published for such GPUs: 1 and more is healthy."""
    for inside, share, run, origins in _bands(site):
        if inside:
            yield share, run.label, origins


@measure("share_of_band_across_hosts", "baseline", "fabric")
def band_across(site: Observed) -> Iterator[Row]:
    """busbw across hosts over the lower end of what is published for such GPUs and NICs: 1 and more is healthy."""
    for inside, share, run, origins in _bands(site):
        if not inside:
            yield share, run.label, origins


@measure("sweep_average_share_of_line", "baseline", "fabric")
def average_share(site: Observed) -> Iterator[Row]:
    """The average busbw of a sweep over line rate, where nothing better is known: a weak sign, because small messages pull it down."""
    for run in site.runs:
        average = run.figure("avg_busbw_gBps")
        if average is not None and run.figure("busbw_gBps") is None and crosses_hosts(run) and site.line_gbps:
            rate, where = site.line_gbps
            yield average / gBps(rate), run.label, (run.origin, *where)


@measure("operations", "operation", "none")
def operations(site: Observed) -> Iterator[Row]:
    """What was measured: all_reduce, alltoall, ib_write_bw, step_time, ..."""
    for run in site.runs:
        if run.what:
            yield run.what, run.label, (run.origin,)


@measure("busbw_above_wire", "above-wire", "none")
def busbw_above_wire(site: Observed) -> Iterator[Row]:
    """Whether busbw reaches more than the ports of one host carry: only an algorithm that moves less can do that."""
    for run in site.runs:
        busbw = run.figure("busbw_gBps")
        if busbw is None or not site.line_gbps or not is_collective(run) or not crosses_hosts(run) or run.what == "broadcast":
            continue
        rate, where = site.line_gbps
        lower_bound = run.settings.get("bound") == "at-least"
        yield busbw > gBps(rate) or (lower_bound and busbw >= gBps(rate)), run.label, (run.origin, *where)


@measure("largest_message_bytes", "message-size", "none", unit="bytes")
def largest_message(site: Observed) -> Iterator[Row]:
    """The largest message of each collective run: a few MB show latency, not bandwidth."""
    for run in site.runs:
        if run.size_bytes is not None and (is_collective(run) or run.what in ("alltoall", "sendrecv")):
            yield float(run.size_bytes), run.label, (run.origin,)


@measure("only_sweep_average", "message-size", "none")
def only_average(site: Observed) -> Iterator[Row]:
    """Whether all that is known of a collective is the average over a sweep, which small messages pull down."""
    for run in site.runs:
        if run.figure("avg_busbw_gBps") is not None:
            yield run.figure("busbw_gBps") is None, run.label, (run.origin,)


@measure("average_over_largest", "message-size", "none")
def average_over_largest(site: Observed) -> Iterator[Row]:
    """The average of a sweep over the figure at its largest message: far below 1 where small messages pull it down."""
    for run in site.runs:
        average, largest = run.figure("avg_busbw_gBps"), run.figure("busbw_gBps")
        if average is not None and largest:
            yield average / largest, run.label, (run.origin,)


@measure("two_hosts_tree_possible", "algorithm", "none")
def two_hosts_tree(site: Observed) -> Iterator[Row]:
    """Whether an all-reduce ran on two hosts with the tree, or with no algorithm forced (the library then prefers it there)."""
    for run in site.runs:
        if run.what == "all_reduce" and run.host_count is not None:
            yield (
                run.host_count == 2 and not ring_forced(run) and (run.algorithm or "default") in ("default", "tree", "nvlstree"),
                run.label,
                (run.origin,),
            )


def ring_forced(run: Run) -> bool:
    return run.algorithm == "ring" or _setting(run, "NCCL_ALGO").lower().strip("^") == "ring"


@measure("ring_forced", "algorithm", "none")
def ring(site: Observed) -> Iterator[Row]:
    """Whether the ring was forced, so that busbw is what the wire carries."""
    for run in site.runs:
        if is_collective(run) and (run.algorithm or _setting(run, "NCCL_ALGO")):
            yield ring_forced(run), run.label, (run.origin,)


@measure("in_network_reduction", "algorithm", "none")
def in_network(site: Observed) -> Iterator[Row]:
    """Whether switches reduced on the way (NVLS, CollNet, SHARP), as the run's algorithm or settings say."""
    for run in site.runs:
        if run.algorithm:
            yield run.algorithm.lower() in IN_NETWORK, run.label, (run.origin,)
        elif _setting(run, "NCCL_COLLNET_ENABLE") == "1" or _setting(run, "NCCL_ALGO").lower() in IN_NETWORK:
            yield True, run.label, (run.origin,)


def _setting(run: Run, name: str) -> str:
    for key in ("settings", "env"):
        settings = run.settings.get(key)
        if isinstance(settings, dict) and name in settings:
            return str(settings[name]).strip()
    return ""


@measure("outcome", "outcome", "fabric")
def outcome(site: Observed) -> Iterator[Row]:
    """How runs ended that did not simply end: error, timeout, hang."""
    for run in site.runs:
        if run.outcome:
            yield run.outcome, run.label, (run.origin,)


@measure("retries_exhausted", "retries", "flow-control")
def retries(site: Observed) -> Iterator[Row]:
    """Whether a run ended because the transport gave up sending again (completion error 12, retry exceeded): loss or a dead path."""
    for run in site.runs:
        error = run.settings.get("error")
        if error is not None:
            yield _RETRY.search(str(error)) is not None, run.label, (run.origin,)


@measure("collective_fails_wire_works", "outcome", "host-software")
def fails_above_the_wire(site: Observed) -> Iterator[Row]:
    """Whether collectives fail while point-to-point tests end well: path and addresses are right, large messages or many peers are not."""
    failed = [run for run in site.runs if run.outcome in ("error", "timeout", "hang") and run.what not in POINT_TO_POINT]
    well = [run for run in site.runs if run.what in POINT_TO_POINT and (run.outcome == "ok" or (run.outcome is None and speed(run)))]
    if failed and well:
        yield True, failed[0].label, (failed[0].origin, well[0].origin)


@measure("port_rate_gbps", "port-rate", "fabric", unit="gbps")
def port_rate(site: Observed) -> Iterator[Row]:
    """Rate of one port that jobs use."""
    if site.port_gbps:
        yield site.port_gbps[0], "", site.port_gbps[1]


@measure("network_gbps_per_gpu", "port-rate", "fabric", unit="gbps")
def per_gpu(site: Observed) -> Iterator[Row]:
    """Rate of all ports of a host over its GPUs: what a model that is split over all of them gathers with."""
    for kind in site.fabric.host_kinds:
        if kind.all_ports_gbps and kind.gpus_per_host:
            yield kind.all_ports_gbps / kind.gpus_per_host, kind.name or "", (kind.origin,)
