"""Storage beside the network: planes, queues, checkpoint windows, reads, and storage measured alone."""

from collections.abc import Iterator

from advisor.diagnosis.measured import Row, measure
from advisor.diagnosis.observed import Observed
from advisor.diagnosis.statistics import best_lag, shift_p
from advisor.traffic.rates import windows

FEWEST = 5  # windows below which dips prove nothing (statistics of the money question)


@measure("storage_plane", "storage-plane", "storage")
def plane(site: Observed) -> Iterator[Row]:
    """Whether storage has its own network plane (`separate`) or not (`shared`)."""
    for value, where in site.stated("storage", "plane"):
        yield str(value), "", (where,)


@measure("storage_queue", "storage-plane", "storage")
def queue(site: Observed) -> Iterator[Row]:
    """Whether storage has its own queue (`own`) or not (`shared`)."""
    for value, where in site.stated("storage", "queue"):
        yield str(value), "", (where,)


@measure("storage_kind", "storage-kind", "storage")
def kind(site: Observed) -> Iterator[Row]:
    """Kind of storage: nfs, lustre, object, local, ..."""
    for value, where in site.stated("storage", "kind"):
        yield str(value), "", (where,)


@measure("read_during_steps", "reads", "storage")
def read_during_steps(site: Observed) -> Iterator[Row]:
    """Whether data is read while steps run."""
    for value, where in site.stated("storage", "read_during_steps"):
        yield value, "", (where,)


@measure("inside_over_outside", "checkpoint", "storage")
def inside_over_outside(site: Observed) -> Iterator[Row]:
    """Throughput inside checkpoint windows over outside (g of the money question): stated, or of training logs by their medians."""
    for value, where in site.stated("storage", "inside_over_outside"):
        if isinstance(value, int | float):
            yield float(value), "", (where,)
    for log in site.fabric.logs:
        found = windows(log)
        if log.windows_known and found:
            yield found[1], log.name, (log.origin,)


@measure("checkpoint_windows", "checkpoint-count", "storage")
def window_count(site: Observed) -> Iterator[Row]:
    """Checkpoints that a log shows: fewer than five prove nothing."""
    for log in site.fabric.logs:
        if log.windows_known:
            yield float(log.checkpoint_count), log.name, (log.origin,)


@measure("checkpoint_chance", "checkpoint", "storage")
def chance(site: Observed) -> Iterator[Row]:
    """How often windows shifted along the log by chance would look as slow as the checkpoint windows do (circular shift, p value).

    Of logs with five windows or more that cover less than half of the steps.
    """
    for log in site.fabric.logs:
        slowness = [step.slowness for step in log.steps]
        inside = [step.in_checkpoint for step in log.steps]
        starts = sum(now and not before for now, before in zip(inside, [False, *inside], strict=False))
        if log.windows_known and starts >= FEWEST and sum(inside) * 2 < len(inside) and None not in slowness:
            yield shift_p([value or 0.0 for value in slowness], inside), log.name, (log.origin,)


@measure("checkpoint_lag_steps", "checkpoint-count", "storage")
def lag(site: Observed) -> Iterator[Row]:
    """By how many steps the slow steps follow the checkpoint windows, no farther than a window is long: 0 where they coincide."""
    for log in site.fabric.logs:
        slowness = [step.slowness for step in log.steps]
        if log.windows_known and None not in slowness and any(step.in_checkpoint for step in log.steps):
            yield best_lag([value or 0.0 for value in slowness], [step.in_checkpoint for step in log.steps]), log.name, (log.origin,)


@measure("checkpoint_time_share", "checkpoint-share", "storage")
def time_share(site: Observed) -> Iterator[Row]:
    """Time that writing a checkpoint takes over the time from one to the next."""
    for entry in site.entries("storage"):
        lasts, every = entry.number("checkpoint_s"), entry.number("checkpoint_every_s")
        if lasts is not None and every:
            yield lasts / every, "", (entry.origin("checkpoint_s"), entry.origin("checkpoint_every_s"))


@measure("storage_alone_share", "storage-alone", "storage")
def alone(site: Observed) -> Iterator[Row]:
    """Rate of storage measured in a quiet network over what is expected of it."""
    for entry in site.entries("expected"):
        for run in site.runs:
            wanted = entry.number("rate_gBps")
            got = run.figure("rate_gBps")
            if run.what == entry.get("what") and str(run.what).startswith("io_") and run.load != "busy" and wanted and got is not None:
                yield got / wanted, run.label, (run.origin, entry.origin("rate_gBps"))


@measure("storage_busy_over_quiet", "storage-alone", "storage")
def busy_over_quiet(site: Observed) -> Iterator[Row]:
    """Rate of storage while jobs load the network over its rate in a quiet one."""
    from advisor.diagnosis.contrasts import contrasts

    for contrast in contrasts(site):
        if str(contrast.first.what).startswith("io_") and contrast.differs == {"load"} and contrast.ratio:
            yield contrast.ratio if contrast.second.load == "busy" else 1 / contrast.ratio, contrast.about, contrast.origins
