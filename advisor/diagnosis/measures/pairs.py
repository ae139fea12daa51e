"""The quiet and the busy bandwidth of a pair, inside a leaf and across: what the money question begins with."""

from collections.abc import Iterator

from advisor.base.units import gBps
from advisor.diagnosis.contrasts import Contrast, contrasts
from advisor.diagnosis.measured import Row, measure
from advisor.diagnosis.measures.baseline import POINT_TO_POINT, is_collective
from advisor.diagnosis.observed import Observed, speed
from advisor.fabric.model import Run


def _share(site: Observed, run: Run) -> float | None:
    """A run over what its hardware gives: as a person states, else a pair against one port, a collective against all ports of a host."""
    share = run.figure("of_expected")
    reached = speed(run)
    if share is not None or reached is None:
        return share
    name, value = reached
    if run.what in POINT_TO_POINT and name == "rate_gbps" and site.port_gbps:
        return value / (site.port_gbps[0] * (2 if run.settings.get("bidirectional") is True else 1))
    if is_collective(run) and name == "busbw_gBps" and site.line_gbps:
        return value / gBps(site.line_gbps[0])
    return None


@measure("quiet_same_leaf_share", "wire", "fabric")
def quiet_same_leaf(site: Observed) -> Iterator[Row]:
    """Bandwidth of a pair inside a leaf in a quiet fabric over what its hardware gives (q_same): below 0.8 repair the node first."""
    for run in site.complaints:
        if run.load == "quiet" and run.placement == "same-leaf" and (share := _share(site, run)) is not None:
            yield share, run.label, (run.origin,)


def _turned(contrast: Contrast, over: str, under: str, name: str) -> float | None:
    """The ratio of the run whose circumstance `name` is `over` to the one where it is `under`."""
    values = getattr(contrast.first, name), getattr(contrast.second, name)
    if values == (under, over):
        return contrast.ratio
    return 1 / contrast.ratio if values == (over, under) and contrast.ratio else None


def _busy(site: Observed, placement: str) -> Iterator[Row]:
    for contrast in contrasts(site):
        both = contrast.first.placement == contrast.second.placement == placement
        if both and contrast.differs <= {"load", "settings", "software"} and "load" in contrast.differs:
            ratio = _turned(contrast, "busy", "quiet", "load")
            if ratio is not None:
                yield ratio, contrast.about, contrast.origins


@measure("busy_over_quiet_same_leaf", "load", "fabric")
def busy_same_leaf(site: Observed) -> Iterator[Row]:
    """Busy over quiet bandwidth of the same pair inside a leaf (b_same over q_same): it crosses no uplink, so pause or its host take it."""
    yield from _busy(site, "same-leaf")


@measure("busy_over_quiet_cross_leaf", "load", "fabric")
def busy_cross_leaf(site: Observed) -> Iterator[Row]:
    """Busy over quiet bandwidth of the same pair across leaves (b_cross over q_cross): what others take on the way."""
    yield from _busy(site, "cross-leaf")


@measure("quiet_cross_over_same", "crossing", "fabric")
def quiet_cross(site: Observed) -> Iterator[Row]:
    """Quiet bandwidth of a pair across leaves over a pair inside one (q_cross over q_same): one pair alone cannot fill uplinks, so a path
    is degraded where this is low."""
    for contrast in contrasts(site):
        quiet = contrast.first.load == contrast.second.load == "quiet"
        pair = {contrast.first.host_count, contrast.second.host_count} <= {2, None}
        if quiet and pair and contrast.differs <= {"placement", "between"}:
            ratio = _turned(contrast, "cross-leaf", "same-leaf", "placement")
            if ratio is not None:
                yield ratio, contrast.about, contrast.origins


@measure("full_over_single_pair", "bisection", "fabric")
def full_over_pair(site: Observed) -> Iterator[Row]:
    """Quiet bandwidth per pair when all hosts of a leaf send across at once over that of one pair across alone (q_full over q_cross).

    0.95 and more: no limit at this tier. Near 1 over the oversubscription ratio: capacity. Well below: hash imbalance on top.
    """
    for contrast in contrasts(site):
        runs = (contrast.first, contrast.second)
        counts = [run.host_count for run in runs]
        alike = all(run.load in ("quiet", None) and run.placement == "cross-leaf" for run in runs)
        if not alike or None in counts or not contrast.ratio or not contrast.differs <= {"host_count", "between"}:
            continue
        if min(counts) == 2 < max(counts):  # type: ignore[type-var, operator]
            yield contrast.ratio if counts[1] == max(counts) else 1 / contrast.ratio, contrast.about, contrast.origins  # type: ignore[type-var]


@measure("host_over_its_partners", "host-pattern", "node")
def over_partners(site: Observed) -> Iterator[Row]:
    """Bandwidth of a host's best pair over what at least two of its partners reach in pairs without it; the lowest of all hosts.

    Low where one row and column of a matrix of pairs is bad: one bad pair alone may be the route between the two. Nothing is said where
    the pattern may be that of leaves: where pairs without the host all lie inside one, or none of them lies across as its own do.
    """
    tests: dict[str, list[tuple[Run, float]]] = {}
    for run in site.complaints:
        reached = speed(run)
        if reached is not None and len(run.hosts) == 2:
            tests.setdefault(f"{run.what} {run.size_bytes} {run.load} {reached[0]}", []).append((run, reached[1]))
    for _, pairs in sorted(tests.items()):
        found = sorted(row for host in sorted({host for run, _ in pairs for host in run.hosts}) for row in _against_partners(host, pairs))
        if found:
            ratio, host = found[0]
            yield ratio, host, [run.origin for run, _ in pairs if host in run.hosts]


def _against_partners(host: str, pairs: list[tuple[Run, float]]) -> Iterator[tuple[float, str]]:
    own = [(run, value) for run, value in pairs if host in run.hosts]
    partners = {name for run, _ in own for name in run.hosts} - {host}
    others = [(run, value) for run, value in pairs if host not in run.hosts]
    best = sorted((max((v for run, v in others if name in run.hosts), default=0.0) for name in partners), reverse=True)
    places = {run.placement for run, _ in others if partners & set(run.hosts)}
    by_leaf = places == {"same-leaf"} or not {run.placement for run, _ in own} - {None} <= places
    if len(best) >= 2 and best[1] > 0 and not by_leaf:
        yield max(value for _, value in own) / best[1], host
