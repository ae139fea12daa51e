"""What one circumstance does to a figure: load, crossing, memory, queue pairs, hosts, partners, versions; and how repeats scatter."""

from collections.abc import Iterator

from advisor.diagnosis.contrasts import Contrast, contrasts
from advisor.diagnosis.measured import Row, measure
from advisor.diagnosis.observed import Observed

_TRAINING = {"step_time", "throughput"}


def _rows(site: Observed, circumstance: str, first: object, second: object) -> Iterator[Row]:
    """Ratios of runs that differ in one circumstance, turned so that `second` stands over `first`."""
    for contrast in contrasts(site):
        if circumstance in contrast.differs and contrast.differs <= {circumstance, "settings", "software"}:
            values = _value(contrast.first, circumstance), _value(contrast.second, circumstance)
            if values == (first, second):
                yield contrast.ratio, contrast.about, contrast.origins
            elif values == (second, first) and contrast.ratio:
                yield 1 / contrast.ratio, contrast.about, contrast.origins


def _value(run: object, circumstance: str) -> object:
    return getattr(run, circumstance, None) or getattr(run, "settings", {}).get(circumstance)


@measure("busy_over_quiet", "load", "fabric")
def busy_over_quiet(site: Observed) -> Iterator[Row]:
    """Speed while others load the fabric over speed in a quiet one."""
    yield from _rows(site, "load", "quiet", "busy")


@measure("cross_over_same_leaf", "crossing", "fabric")
def cross_over_same(site: Observed) -> Iterator[Row]:
    """Speed across leaves over speed inside one, in runs of the same size that differ in nothing else."""
    yield from _crossing(site, loaded=False)


@measure("loaded_cross_over_same_leaf", "crossing", "fabric")
def loaded_cross_over_same(site: Observed) -> Iterator[Row]:
    """The same of runs that load what they cross: beside others, or on more than two hosts. One pair alone in a quiet fabric cannot fill a
    group of uplinks, so that it loses nothing there says nothing of them."""
    yield from _crossing(site, loaded=True)


def _crossing(site: Observed, loaded: bool) -> Iterator[Row]:
    for contrast in contrasts(site):
        runs = contrast.first, contrast.second
        if loaded and not all(run.load == "busy" or (run.host_count or 0) > 2 for run in runs):
            continue
        if contrast.differs <= {"placement", "between"} and "placement" in contrast.differs:
            places = contrast.first.placement, contrast.second.placement
            if places == ("same-leaf", "cross-leaf"):
                yield contrast.ratio, contrast.about, contrast.origins
            elif places == ("cross-leaf", "same-leaf") and contrast.ratio:
                yield 1 / contrast.ratio, contrast.about, contrast.origins


@measure("host_over_gpu_memory", "memory-path", "node")
def host_over_gpu(site: Observed) -> Iterator[Row]:
    """Speed into host memory over speed into GPU memory, the same path otherwise."""
    yield from _rows(site, "memory", "gpu", "host")


def _more(site: Observed, circumstance: str) -> Iterator[tuple[Contrast, float]]:
    """Contrasts in one count alone, turned so that the larger count stands over the smaller."""
    for contrast in contrasts(site):
        a, b = _count(contrast, circumstance)
        if a is not None and b is not None and a != b and contrast.differs <= {circumstance, "settings"} and contrast.ratio:
            yield contrast, contrast.ratio if b > a else 1 / contrast.ratio


def _count(contrast: Contrast, circumstance: str) -> tuple[float | None, float | None]:
    found = [_value(run, circumstance) for run in (contrast.first, contrast.second)]
    a, b = (float(value) if isinstance(value, int | float) else None for value in found)
    return a, b


@measure("queue_pair_gain", "queue-pairs", "host-software")
def queue_pair_gain(site: Observed) -> Iterator[Row]:
    """Speed with more queue pairs over speed with fewer."""
    for contrast, ratio in _more(site, "queue_pairs"):
        yield ratio, contrast.about, contrast.origins


@measure("stream_gain", "streams", "host-software")
def stream_gain(site: Observed) -> Iterator[Row]:
    """Speed of a socket test with more streams over fewer."""
    for contrast, ratio in _more(site, "streams"):
        yield ratio, contrast.about, contrast.origins


@measure("port_gain", "card", "node")
def port_gain(site: Observed) -> Iterator[Row]:
    """Speed of two ports or more at once over that of one alone: near 1 where they share a limit."""
    for contrast, ratio in _more(site, "ports"):
        yield ratio, contrast.about, contrast.origins


@measure("more_hosts_over_fewer", "scaling", "fabric")
def more_hosts(site: Observed) -> Iterator[Row]:
    """Bandwidth on more hosts over that on fewer, two hosts or more in both. Runs of equally many ranks differ in spread, not in scale."""
    for contrast in contrasts(site):
        a, b = contrast.first.host_count, contrast.second.host_count
        grown = a and b and min(a, b) >= 2 and a != b and not _same_ranks(contrast)
        if a and b and grown and contrast.differs <= {"host_count", "between"} and contrast.ratio:
            yield contrast.ratio if b > a else 1 / contrast.ratio, contrast.about, contrast.origins


def _same_ranks(contrast: Contrast) -> bool:
    return contrast.first.ranks is not None and contrast.first.ranks == contrast.second.ranks


@measure("spread_over_packed", "placement", "scheduling")
def spread_over_packed(site: Observed) -> Iterator[Row]:
    """Speed of as many ranks on more hosts over that on fewer: what it costs to spread one job."""
    for contrast in contrasts(site):
        a, b = contrast.first.host_count, contrast.second.host_count
        if a and b and a != b and _same_ranks(contrast) and contrast.differs <= {"host_count", "between", "placement"} and contrast.ratio:
            yield contrast.ratio if b > a else 1 / contrast.ratio, contrast.about, contrast.origins


@measure("many_hosts_over_one", "scaling-from-one", "fabric")
def many_hosts_over_one(site: Observed) -> Iterator[Row]:
    """Speed of a training step on several hosts over that on one: what leaving the host costs."""
    for contrast in contrasts(site):
        a, b = contrast.first.host_count, contrast.second.host_count
        extra = contrast.differs - {"host_count", "settings", "between", "placement"}
        if contrast.first.what in _TRAINING and a and b and min(a, b) == 1 != max(a, b) and not extra and contrast.ratio:
            yield contrast.ratio if b > a else 1 / contrast.ratio, contrast.about, contrast.origins


@measure("pair_spread", "pairs", "fabric")
def pair_spread(site: Observed) -> Iterator[Row]:
    """The slower over the faster of two runs that differ in their partners alone."""
    for contrast in contrasts(site):
        if contrast.by("between") and contrast.ratio and len(contrast.first.hosts) == len(contrast.second.hosts):
            yield min(contrast.ratio, 1 / contrast.ratio), contrast.about, contrast.origins


@measure("repeat_spread", "scatter", "fabric")
def repeat_spread(site: Observed) -> Iterator[Row]:
    """Range of the repeats of one run over their median, of three repeats or more."""
    for run in site.runs:
        for name, values in sorted(run.figures.items()):
            half = run.figure(name)
            if len(values) >= 3 and half:
                yield (max(values) - min(values)) / half, run.label, (run.origin,)


@measure("version_gain", "version", "host-software")
def version_gain(site: Observed) -> Iterator[Row]:
    """The faster over the slower of two runs that differ in the software alone."""
    for contrast in contrasts(site):
        if contrast.by("software") and contrast.ratio:
            yield max(contrast.ratio, 1 / contrast.ratio), contrast.about, contrast.origins


@measure("setting_gain", "library-setting", "host-software")
def setting_gain(site: Observed) -> Iterator[Row]:
    """The faster over the slower of two runs that differ in settings alone."""
    for contrast in contrasts(site):
        if contrast.by("settings") and contrast.ratio and contrast.first.what not in _TRAINING:
            yield max(contrast.ratio, 1 / contrast.ratio), contrast.about, contrast.origins


@measure("network_gain", "network", "fabric")
def network_gain(site: Observed) -> Iterator[Row]:
    """The faster over the slower of two runs over different networks of the site."""
    yield from _networks(site, sockets=False)


@measure("socket_network_gain", "network", "host-software")
def socket_network_gain(site: Observed) -> Iterator[Row]:
    """The same of socket tests: inside an overlay and outside, say."""
    yield from _networks(site, sockets=True)


def _networks(site: Observed, sockets: bool) -> Iterator[Row]:
    for contrast in contrasts(site):
        if "network" in contrast.differs and contrast.ratio and (contrast.first.what == "iperf") is sockets:
            yield max(contrast.ratio, 1 / contrast.ratio), contrast.about, contrast.origins


@measure("tail_over_median", "scatter", "fabric")
def tail(site: Observed) -> Iterator[Row]:
    """99th percentile of an operation's time over its median."""
    for run in site.runs:
        ratio = run.figure("p99_over_p50")
        if ratio is not None:
            yield ratio, run.label, (run.origin,)
