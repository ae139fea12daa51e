"""What a job's collective should reach on hosts in good order, with where the figure is from; rates are busbw as nccl-tests prints it."""

from advisor.base.model import Model
from advisor.fabric.hardware import Platform, platform
from advisor.fabric.model import Fabric, Job
from advisor.traffic.collectives import ceiling
from advisor.traffic.demand import number_of, settings_of
from advisor.traffic.patterns import PREFILL_HOSTS, Pattern, collective_of
from advisor.traffic.services import KV_GBPS
from advisor.traffic.topology import Network

# The algorithm under which published bands of a pattern stand, and the collective; of a ring first the library's own choice.
_BANDS: dict[Pattern, tuple[tuple[str, str], ...]] = {
    "ring": (("all_reduce", "auto"), ("all_reduce", "ring")),
    "tree": (("all_reduce", "tree"), ("all_reduce", "nvlstree")),
    "in-network": (("all_reduce", "collnet-nics"), ("all_reduce", "collnet-nvlink")),
    "all-to-all": (("alltoall", "auto"),),
    "kv-cache": (),
}


class Expected(Model):
    """basis: `platform` (the middle of a published band), `line-rate` (what the ports carry, by the algorithm's formula), or `stated`.

    low, high   the band, where there is one
    platform    its id in knowledge/hardware/platforms.yaml
    sources     ids in knowledge/sources.yaml
    """

    gBps: float  # noqa: N815 - the unit's own spelling
    basis: str
    low_gBps: float | None = None  # noqa: N815
    high_gBps: float | None = None  # noqa: N815
    platform: str | None = None
    sources: tuple[str, ...] = ()


def expected(fabric: Fabric, net: Network, job: Job) -> Expected | None:
    """What a job's collective reaches when nothing is in the way. None for a job on one host, whose collectives meet no network."""
    count = len(job.hosts) or job.host_count or 0
    if count < 2:
        return None
    port, pattern = net.port_gbps / 8, collective_of(job).pattern
    line = port if pattern == "all-to-all" else net.ports * port
    if pattern == "kv-cache":
        prefill = number_of(settings_of(job).get(PREFILL_HOSTS)) or 1.0
        stated = number_of(settings_of(job).get(KV_GBPS))
        return Expected(gBps=stated or prefill * net.ports * port, basis="stated" if stated else "line-rate")
    bands = _bands(fabric, count, pattern)
    if bands:
        band, reference = min(((band, _reference(band, net)) for band in bands), key=lambda pair: pair[1] * pair[0].high)
        return Expected(
            gBps=reference * (band.low + band.high) / 2,
            basis="platform",
            low_gBps=reference * band.low,
            high_gBps=reference * band.high,
            platform=band.id,
            sources=band.sources,
        )
    ranks = job.gpu_count or count * (_gpus_per_host(fabric) or net.ports)
    return Expected(gBps=ceiling(pattern, line, count, ranks), basis="line-rate", sources=("nccl-tests-perf",))


def _reference(band: Platform, net: Network) -> float:
    """What a band is a share of: the ports of a host, one of them, or one direction of a GPU's own links."""
    if band.reference == "nvlink":
        return band.reference_gBps or 0.0
    return net.port_gbps / 8 * (net.ports if band.reference == "nics" else 1)


def _bands(fabric: Fabric, hosts: int, pattern: Pattern) -> list[Platform]:
    """The published bands of the site's GPU, where all its hosts have one: the first that fits; of reduction inside switches, all."""
    gpus = {kind.gpu for kind in fabric.host_kinds if kind.gpu} or {
        g.model for h in fabric.hosts.values() for g in h.gpus.values() if g.model
    }
    if len(gpus) != 1:
        return []
    gpu = next(iter(gpus))
    found = [band for what, algorithm in _BANDS[pattern] if (band := platform(gpu, hosts, what, algorithm)) is not None]
    fits = [band for band in found if band.reference != "nic" or pattern == "all-to-all"]
    return fits if pattern == "in-network" else fits[:1]


def _gpus_per_host(fabric: Fabric) -> int | None:
    known = {kind.gpus_per_host for kind in fabric.host_kinds if kind.gpus_per_host}
    return known.pop() if len(known) == 1 else None
