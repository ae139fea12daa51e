import pytest

from advisor.capture import whence


@pytest.mark.parametrize(
    ("name", "host"),
    [
        ("gpu-07/ibstat.txt", "gpu-07"),
        ("site.tar.gz!nh-a01/var/ethtool.txt", "nh-a01"),
        ("ibstat_gpu07.txt", "gpu07"),
        ("captures/ibstat.txt", None),
        ("night-2026-09-14/nccl.txt", None),
        ("iperf3.txt", None),
        ("dgx-a100-03.cluster.local/nvidia-smi.txt", "dgx-a100-03.cluster.local"),
        ("run-2/all_reduce.txt", None),
        ("mlx5_0.txt", None),
    ],
)
def test_host(name: str, host: str | None) -> None:
    assert whence.host(name) == host


@pytest.mark.parametrize(
    ("name", "role"),
    [
        ("quiet/a.txt", "quiet"),
        ("nccl-busy.txt", "busy"),
        ("baseline/a.txt", "quiet"),
        ("after/x.txt", "after"),
        ("x.txt", None),
        ("beforehand/x.txt", None),
    ],
)
def test_role(name: str, role: str | None) -> None:
    assert whence.role(name) == role


@pytest.mark.parametrize(
    ("name", "time"),
    [
        ("2026-09-14/x.txt", "2026-09-14"),
        ("x-20260914T130520.txt", "2026-09-14T13:05:20"),
        ("x_2026-09-14_13-05.txt", "2026-09-14T13:05:00"),
        ("x-20261340.txt", None),
        ("hall-2026-09-15.tar.gz!gpu-07/20260914T130520Z/07-ethtool-S-eth0.txt", "2026-09-14T13:05:20"),
        ("20260914T130520Z/notes-2026-09-13.txt", "2026-09-14T13:05:20"),
        ("2026-09-13/2026-09-14/x.txt", "2026-09-14"),
        ("x.txt", None),
    ],
)
def test_time(name: str, time: str | None) -> None:
    assert whence.time(name) == time
