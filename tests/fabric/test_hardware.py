"""Bands and names of hardware against published figures."""

import pytest

from advisor.base.content import parse
from advisor.base.places import knowledge
from advisor.fabric.hardware import adapter_name, pcie_gBps, platform, platforms


@pytest.mark.parametrize(
    ("generation", "width", "raw"),
    [(1, 16, 4.0), (2, 16, 8.0), (3, 16, 15.754), (4, 8, 15.754), (4, 16, 31.508), (5, 8, 31.508), (5, 16, 63.015), (6, 16, 121.0)],
)
def test_raw_bandwidth_of_a_pcie_link(generation: int, width: int, raw: float) -> None:
    assert pcie_gBps(generation, width) == pytest.approx(raw, abs=6e-4)


def test_an_unknown_generation() -> None:
    assert pcie_gBps(9, 16) is None


def test_every_source_of_a_band_is_known() -> None:
    tree, _ = parse((knowledge() / "sources.yaml").read_text(encoding="utf-8"), "sources.yaml")
    assert {source for band in platforms() for source in band.sources} <= set(tree)
    assert len({band.id for band in platforms()}) == len(platforms())
    assert all(0 < band.low <= band.high for band in platforms())


# busbw that somebody published for a host in good order, over its reference.
@pytest.mark.parametrize(
    ("gpu", "hosts", "what", "algorithm", "share"),
    [
        ("NVIDIA A100-SXM4-80GB", 1, "all_reduce", None, 232.54 / 300),
        ("NVIDIA H100 80GB HBM3", 1, "all_reduce", "ring", 370 / 450),
        ("H200", 1, "all_reduce", "nvls", 482.26 / 450),
        ("H200", 248, "all_reduce", "default", 350 / 400),
        ("A100", 64, "all_reduce", "ring", 192 / 200),
        ("H100", 6, "alltoall", None, 48.5 / 50),
    ],
)
def test_published_results_lie_in_the_band(gpu: str, hosts: int, what: str, algorithm: str | None, share: float) -> None:
    band = platform(gpu, hosts, what, algorithm)
    assert band is not None
    assert band.low - 0.01 <= share <= band.high + 0.01


def test_no_band_is_invented() -> None:
    assert platform("MI300X", 8, "all_reduce", None) is None
    assert platform("H100", 2, "broadcast", "ring") is None


def test_adapters_by_their_number() -> None:
    assert adapter_name("MT4129") == "ConnectX-7"
    assert adapter_name("MT4123") == "ConnectX-6"
    assert adapter_name("Broadcom BCM57608") == "Broadcom BCM57608"
    assert adapter_name(None) is None


def test_a_contended_run_lies_below_the_band_of_its_twin() -> None:
    band = platform("A800", 12, "all_reduce", "auto")  # NCCL issue 412: 24 GB/s of 25 alone, 15.3 beside storage and other jobs
    assert band is not None
    assert 15.3 / 25 < band.low <= 24 / 25
