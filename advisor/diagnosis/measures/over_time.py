"""What moves together over time: levels that shift with a change, speed against load, a link's use with a job's activity."""

from collections.abc import Iterator

from advisor.diagnosis.measured import Row, measure
from advisor.diagnosis.observed import Entry, Observed, speed
from advisor.diagnosis.statistics import aligned, change_points, partial_rank_correlations, rank_correlation
from advisor.diagnosis.timeline import FEWEST, Series, moment, of_kind
from advisor.diagnosis.topics import topics
from advisor.evidence.origin import Origin

_FASTER, _SLOWER = 1.05, 0.95  # as for changes that a person compares: within 5 % is no effect
_DAY_S, _HOUR_S = 86_400.0, 3_600.0
SURE_P = 0.01
MOST_SERIES = 64  # of one kind that are held against each other


def _shifts(site: Observed) -> Iterator[tuple[Series, float, float]]:
    """Series of speed, the time of each change point in it, and by how much the level changed."""
    for one in of_kind(site, "speed"):
        for shift in change_points(one.values):
            if not _SLOWER <= shift.ratio <= _FASTER:
                yield one, one.times[shift.at], shift.ratio


def _dated(site: Observed) -> list[tuple[Entry, float, float]]:
    """Changes with a date: the entry, from when to when it may have happened. A date alone is all of its day; a time has an hour."""
    found = []
    for entry in site.entries("changes"):
        text = str(entry.get("date") or "")
        begin = moment(text)
        if begin is not None:
            found.append((entry, begin, begin + _DAY_S) if len(text.strip()) <= 10 else (entry, begin - _HOUR_S, begin + _HOUR_S))
    return found


def _matched(site: Observed, slower: bool) -> Iterator[Row]:
    for one, time, ratio in _shifts(site):
        if (ratio < 1) is slower:
            for entry, begin, end in _dated(site):
                if begin <= time <= end:
                    what = str(entry.get("what") or "")
                    for topic in topics(what) or (str(entry.get("kind") or "unknown"),):
                        yield topic, what, (one.origin, entry.origin("what", "date"))


@measure("slower_after", "in-time", "none")
def slower_after(site: Observed) -> Iterator[Row]:
    """Topic, else kind, of a dated change with which the level of a speed series falls: a coincidence, weaker than an experiment."""
    yield from _matched(site, slower=True)


@measure("faster_after", "in-time", "none")
def faster_after(site: Observed) -> Iterator[Row]:
    """Topic, else kind, of a dated change with which the level of a speed series rises."""
    yield from _matched(site, slower=False)


@measure("speed_shift", "shift", "none")
def speed_shift(site: Observed) -> Iterator[Row]:
    """Level of a speed series after each of its change points over the level before."""
    for one, _, ratio in _shifts(site):
        yield ratio, one.about, (one.origin,)


@measure("shift_without_change", "shift", "none")
def shift_without_change(site: Observed) -> Iterator[Row]:
    """Whether the speed shifts at a time for which the change log names nothing. Unknown without a dated change log."""
    dated = _dated(site)
    if dated:
        for one, time, _ in _shifts(site):
            yield not any(begin <= time <= end for _, begin, end in dated), one.about, (one.origin,)


@measure("speed_against_use", "load-rank", "fabric")
def speed_against_use(site: Observed) -> Iterator[Row]:
    """Rank correlation (Spearman's rho, with Kendall's tau of the same sign) of a job's speed with a link's use: -1 where every rise of the
    link slows the job.

    Of series, and of runs with the stated use of links during them. Where several links move together, the partial rank correlation of
    each. Only what chance gives less often than once in a hundred, divided by the pairs looked at.
    """
    drivers = of_kind(site, "use", "load")[:MOST_SERIES]
    for target in of_kind(site, "speed")[:MOST_SERIES]:
        yield from _against(target, [one for one in drivers if one.device not in site.fabric.hosts])
    yield from _of_runs(site)


def _against(target: Series, drivers: list[Series]) -> Iterator[Row]:
    found = []
    for driver in drivers:
        pairs = aligned(target.times, target.values, driver.times, driver.values)
        rank = rank_correlation([a for a, _ in pairs], [b for _, b in pairs]) if len(pairs) >= FEWEST else None
        if rank is not None and rank.p * len(drivers) < SURE_P and rank.rho * rank.tau > 0:
            found.append((driver, rank.rho, pairs))
    same = {len(pairs) for _, _, pairs in found}
    if len(found) > 1 and len(same) == 1:  # drivers on one grid: hold the others still
        partial = partial_rank_correlations([a for a, _ in found[0][2]], [[b for _, b in pairs] for _, _, pairs in found])
        found = [(driver, rho, pairs) for (driver, _, pairs), rho in zip(found, partial, strict=True)] if partial else found
    for driver, rho, _ in found:
        yield rho, driver.about, (target.origin, driver.origin)


def _of_runs(site: Observed) -> Iterator[Row]:
    """Runs of one kind with the stated use of a tier of links during each."""
    by_label = {run.label: run for run in site.runs}
    points: dict[tuple[str, str, str], list[tuple[float, float, Origin | None]]] = {}
    for entry in site.entries("links"):
        run = by_label.get(str(entry.get("during")))
        reached = speed(run) if run else None
        use = entry.number("mean_percent") or entry.number("max_percent") or entry.number("used_percent")
        if run is not None and reached is not None and use is not None:
            key = str(entry.get("tier") or ""), str(run.what), reached[0]
            points.setdefault(key, []).append((use, reached[1], entry.origin("during")))
    for (tier, _, _), known in sorted(points.items()):
        rank = rank_correlation([speed for _, speed, _ in known], [use for use, _, _ in known])
        if rank is not None and rank.p < SURE_P and rank.rho * rank.tau > 0:
            yield rank.rho, tier, [where for _, _, where in known][:4]


@measure("link_follows_host", "tenants-rank", "scheduling")
def link_follows_host(site: Observed) -> Iterator[Row]:
    """Rank correlation of a link's use with the load of a host's ports: near 1 where that host (and its job) fills the link.

    The host with the strongest one for each link, by name and job; only what chance gives less often than once in a hundred, divided by
    the pairs looked at.
    """
    hosts = [one for one in of_kind(site, "load") if one.device in site.fabric.hosts][:MOST_SERIES]
    links = [one for one in of_kind(site, "use", "load") if one.device in site.fabric.switches or (one.kind == "use" and not one.device)]
    job_of = {host: job.name for job in site.fabric.jobs for host in job.hosts}
    for link in links[:MOST_SERIES]:
        best: tuple[float, Series] | None = None
        for host in hosts:
            pairs = aligned(link.times, link.values, host.times, host.values)
            rank = rank_correlation([a for a, _ in pairs], [b for _, b in pairs]) if len(pairs) >= FEWEST else None
            sure = rank is not None and rank.p * len(hosts) * len(links) < SURE_P and rank.rho * rank.tau > 0
            if rank is not None and sure and (best is None or rank.rho > best[0]):
                best = rank.rho, host
        if best is not None:
            rho, host = best
            yield rho, " ".join(filter(None, (link.about, "-", host.about, job_of.get(host.device)))), (link.origin, host.origin)
