"""What hardware gives: names of adapters, what collectives reach on hosts in good order, and what a PCIe link carries."""

from collections.abc import Mapping
from functools import cache
from typing import Literal

from advisor.base.content import load
from advisor.base.model import Model
from advisor.base.places import knowledge

# Gigatransfers a second of one lane, and the share of bits that is payload after line coding (PCI Express base specification).
_LANES: Mapping[int, tuple[float, float]] = {
    1: (2.5, 8 / 10),
    2: (5.0, 8 / 10),
    3: (8.0, 128 / 130),
    4: (16.0, 128 / 130),
    5: (32.0, 128 / 130),
    6: (64.0, 242 / 256),
}


class Platform(Model):
    """Band of busbw over a reference for large messages. `reference`: nvlink and nics as in the file; nic is one port."""

    id: str
    gpus: tuple[str, ...]
    form: str
    hosts: Literal["one", "two", "many"]
    what: tuple[str, ...]
    algorithm: str
    reference: Literal["nvlink", "nics", "nic"]
    reference_gBps: float | None = None  # noqa: N815 - the unit's own spelling
    low: float
    high: float
    status: Literal["spec", "vendor", "published", "measured", "field", "computed", "judgement"]
    sources: tuple[str, ...]


class _Platforms(Model):
    platforms: tuple[Platform, ...]


class _Source(Model):
    title: str
    url: str
    read: str


class _Adapters(Model):
    source: _Source
    adapters: Mapping[str, str]


@cache
def platforms() -> tuple[Platform, ...]:
    """All bands of knowledge/hardware/platforms.yaml. Raises ContentError."""
    return load(_Platforms, knowledge() / "hardware" / "platforms.yaml").platforms


def platform(gpu: str, host_count: int, what: str, algorithm: str | None) -> Platform | None:
    """The band that fits a run: its GPU (`NVIDIA H100 80GB HBM3` is an H100), hosts, collective and algorithm; the library's choice if
    nobody forced one. None where no band was ever published for it.
    """
    size = "one" if host_count == 1 else "two" if host_count == 2 else "many"
    words = {word.upper() for word in gpu.replace("-", " ").split()}
    wanted = (algorithm or "auto").lower().replace("default", "auto")
    fits = [p for p in platforms() if p.hosts == size and what in p.what and p.algorithm == wanted and words & set(p.gpus)]
    return fits[0] if fits else None


def adapter_name(model: str | None) -> str | None:
    """The name by which people know an adapter: `MT4129` is a ConnectX-7. The model itself where it is no such number."""
    if not model:
        return None
    known = load_adapters()
    return known.get(model.split()[0].upper(), model)


@cache
def load_adapters() -> Mapping[str, str]:
    """Adapters by CA type. Raises ContentError."""
    return load(_Adapters, knowledge() / "hardware" / "adapters.yaml").adapters


def pcie_gBps(generation: int, width: int) -> float | None:  # noqa: N802 - the unit's own spelling
    """Raw bandwidth of a PCIe link, one direction, without line coding but with packet headers. None for an unknown generation.

    About 0.83 to 0.88 of it reaches memory on generations 4 and 5 with payloads of 256 bytes and more (sources microway, ml-eng).
    """
    lane = _LANES.get(generation)
    return lane[0] * lane[1] * width / 8 if lane else None
