"""What somebody expects of a run, held against the run and against what its hardware can give."""

from collections.abc import Iterator

from advisor.diagnosis.measured import Row, measure
from advisor.diagnosis.measures.baseline import COLLECTIVES, POINT_TO_POINT, bandwidth, only_gpu, reference_of
from advisor.diagnosis.observed import Observed
from advisor.fabric.hardware import platform, platforms
from advisor.fabric.model import Run
from advisor.traffic.collectives import factor


@measure("share_of_expected", "expectation", "fabric")
def share_of_expected(site: Observed) -> Iterator[Row]:
    """A run's figure over what somebody expects of such a run."""
    for entry in site.entries("expected"):
        for run in site.complaints:
            if run.what != entry.get("what"):
                continue
            for name in ("busbw_gBps", "algbw_gBps", "rate_gbps", "rate_gBps", "samples_per_s", "tokens_per_s", "tflops", "mfu_percent"):
                wanted, got = entry.number(name), bandwidth(run, name)
                if wanted and got is not None:
                    yield got / wanted, run.label, (run.origin, entry.origin(name))
            for name in ("step_s", "time_s"):
                wanted, got = entry.number(name), run.figure(name)
                if wanted and got:
                    yield wanted / got, run.label, (run.origin, entry.origin(name))


@measure("expectation_basis", "expectation-basis", "none")
def expectation_basis(site: Observed) -> Iterator[Row]:
    """What the expectation rests on: vendor, line-rate, health-check, other-site, twin, guess."""
    for value, where in site.stated("expected", "basis"):
        yield value, "", (where,)


@measure("expected_over_possible", "expectation", "none")
def expected_over_possible(site: Observed) -> Iterator[Row]:
    """What somebody expects over the most that was published for this hardware, or that the port carries: above 1 nothing gives it."""
    known = only_gpu(site)
    for entry in site.entries("expected"):
        for run in site.complaints:
            if run.what != entry.get("what"):
                continue
            rate = entry.number("rate_gbps")
            if run.what in POINT_TO_POINT and rate and site.port_gbps and not run.settings.get("bidirectional"):
                ports = float(run.settings.get("ports") or 1)
                yield rate / (site.port_gbps[0] * ports), run.label, (entry.origin("rate_gbps"), *site.port_gbps[1])
            wanted = entry.number("busbw_gBps")
            if wanted is None and (algbw := entry.number("algbw_gBps")) and run.what in COLLECTIVES and run.ranks and run.ranks > 1:
                wanted = algbw * factor(str(run.what), run.ranks)
            if wanted and known and run.what and run.host_count and (most := _most(site, known[0], run)):
                yield wanted / most, run.label, (entry.origin("busbw_gBps", "algbw_gBps"), known[1])


def _most(site: Observed, gpu: str, run: Run) -> float | None:
    """The highest busbw that was published for such a run, by whatever algorithm; None where a reference of its bands is unknown."""
    algorithms = sorted({band.algorithm for band in platforms()})
    bands = [band for name in algorithms if (band := platform(gpu, run.host_count or 0, str(run.what), name))]
    references = [reference_of(site, band) for band in bands]
    if not bands or None in references:
        return None
    return max(band.high * reference[0] for band, reference in zip(bands, references, strict=True) if reference)
