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
        # the last folder is a machine's only if it looks like one
        ("rack12/notes.txt", None),
        ("cluster-3/gpu-07/site5/notes.txt", "gpu-07"),
        ("gpu-07.tar.gz!var/log/messages", "gpu-07"),
        ("gpu-07/sos_commands/networking/ethtool_-S_ens1f0np0", "gpu-07"),
        ("ethtool_-S_ens1f0np0", None),
        ("sosreport-gpu07-2026-09-14-kxyzabc/sos_commands/host/hostname", "gpu07"),
        ("sosreport-gpu-node-07-03456789-2026-09-14-kxyzabc.tar.xz!x/rack3/y", "gpu-node-07"),
        ("sosreport-h1.04567-20260914101112/date", "h1"),
        ("case-7/sosreport-head-2026-09-14-kxyzabc/date", "head"),  # without a number: the layout says that it is one
        ("insights-nh-a01.example.com-20260914101112/data/insights_commands/lspci", "nh-a01.example.com"),
        ("must-gather.local.546/quay-io-x1/cluster-scoped-resources/core/nodes/gpu-07.yaml", "gpu-07"),
        ("must-gather.local.546/quay-io-x1/nodes/worker-2.lab/lspci", "worker-2.lab"),
        ("must-gather.local.546/quay-io-x1/namespaces/ns1/pods/nccl-worker-0/c1/c1/logs/current.log", None),
        ("dump/default/nccl-launcher-x7k2p/logs.txt", None),
        ("gpu-07/logs.txt", "gpu-07"),
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


@pytest.mark.parametrize(
    ("folder", "tells"),
    [
        ("gpu-07", True),
        ("quiet", True),
        ("after-2", True),
        ("2026-09-14", True),
        ("sosreport-head-2026-09-14-kxyzabc", True),
        ("must-gather.local.546", True),
        ("captures", False),
        ("site3", False),
        ("mtu-after-upgrade", False),  # a subject, no role
        ("gb300-ecmp-concentration", False),
        ("", False),
    ],
)
def test_whether_the_name_of_a_given_folder_tells(folder: str, tells: bool) -> None:
    assert whence.tells(folder) is tells


@pytest.mark.parametrize(
    ("name", "line", "is_sure"),
    [
        ("a/ethtool_-S_eth0.txt", "ethtool -S eth0", True),
        ("a/ethtool -S eth0.txt", "ethtool -S eth0", True),
        ("a/gpu-07_ethtool_-S_eth0.txt.gz", "ethtool -S eth0", True),
        ("sos_commands/pci/lspci", "lspci", True),
        ("a/lspci.txt", "lspci", False),
        ("a/mlxlink_-d_mlx5_0_-c.log", "mlxlink -d mlx5_0 -c", True),  # the device's own underscore stays
        ("a/ibv_devinfo_-v", "ibv_devinfo -v", True),  # and the program's
        ("a/all_reduce_perf_-b_8M_-e_8G.out", "all_reduce_perf -b 8M -e 8G", True),
        ("x.tar!ethtool_-S_eth0#2", "ethtool -S eth0", True),
    ],
)
def test_a_name_may_spell_a_command(name: str, line: str, is_sure: bool) -> None:
    spelt = whence.command(name)
    assert spelt is not None
    assert line in spelt.lines
    assert spelt.is_sure is is_sure


@pytest.mark.parametrize("name", ["", "20260914.txt", "07-ethtool.txt", ".txt"])
def test_a_name_that_spells_none(name: str) -> None:
    assert whence.command(name) is None
