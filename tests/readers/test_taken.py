"""When a capture was taken, and what its file's name says of its command."""

import pytest

from advisor.readers._taken import time_of
from advisor.readers.recognise import read

STATISTICS = "NIC statistics:\n     rx_packets: 5\n     rx_bytes_phy: 1000\n     tx_bytes_phy: 2000\n"


@pytest.mark.parametrize(
    ("line", "time"),
    [
        ("Mon Sep 14 10:00:00 UTC 2026", "2026-09-14T10:00:00"),
        ("Mon 14 Sep 2026 10:00:05 PM CST", "2026-09-14T22:00:05"),
        ("Mon Sep 14 12:00:05 AM UTC 2026", "2026-09-14T00:00:05"),
        ("Mon, 14 Sep 2026 10:00:00 +0800", "2026-09-14T10:00:00"),
        ("2026-09-14T10:00:00+08:00", "2026-09-14T10:00:00"),
        ("2026-09-14 10:00:00", "2026-09-14T10:00:00"),
        ("2026年 09月 14日 星期一 10:00:00 CST", "2026-09-14T10:00:00"),
        ("2026年 9月14日 星期一 10时00分00秒 CST", "2026-09-14T10:00:00"),
        ("=== 2026-09-14 10:00:00 ===", "2026-09-14T10:00:00"),
        ("[2026-09-14T10:00:00Z] root@gpu-07:~# ethtool -S eth0", "2026-09-14T10:00:00"),
        ("Every 2.0s: ethtool -S eth0      gpu-07: Mon Sep 14 10:00:00 2026", "2026-09-14T10:00:00"),
        ("2026-09-14 10:00:00 iteration 5", None),
        ("[2026-09-14 10:00:00] iteration 5 | loss 2.1", None),
        ("10:00:00 up 3 days", None),
    ],
)
def test_a_line_that_tells_a_time_and_nothing_else(line: str, time: str | None) -> None:
    assert time_of(line) == time


def test_two_takes_in_one_capture_have_two_times() -> None:
    command = "root@gpu-07:~# date; ethtool -S eth0; sleep 60; date; ethtool -S eth0\n"
    dates = ("Mon Sep 14 10:00:00 UTC 2026\n", "Mon Sep 14 10:01:00 UTC 2026\n")
    reading = read((command + dates[0] + STATISTICS + dates[1] + STATISTICS).encode())
    assert [(part.lines, part.time) for part in reading.parts] == [((1, 6), "2026-09-14T10:00:00"), ((7, 11), "2026-09-14T10:01:00")]
    assert reading.state == "read"  # the lines of `date` are used


def test_lines_between_the_time_and_the_output_stay_unread() -> None:
    reading = read(("2026-09-14 10:00:00\nbefore the change\n" + STATISTICS).encode())
    (part,) = reading.parts
    assert (part.time, part.lines, part.unread, reading.unread) == ("2026-09-14T10:00:00", (1, 6), ((2, 2),), ())


@pytest.mark.parametrize(
    ("name", "interface"),
    [
        ("sosreport-gpu07-2026-09-14-abcdefg/sos_commands/networking/ethtool_-S_ens1f0np0", "ens1f0np0"),
        ("insights_commands/ethtool_-S_eth0", "eth0"),
        ("gpu-07/ethtool_-S_eth3.txt", "eth3"),
        ("gpu-07/ethtool -S eth3.txt.gz", "eth3"),
        ("gpu-07/ethtool.txt", "#1"),
        (None, "#1"),
    ],
)
def test_the_name_of_a_file_names_the_interface(name: str | None, interface: str) -> None:
    (part,) = read(STATISTICS.encode(), name).parts
    assert list(part.facts["interfaces"]) == [interface]


def test_a_command_line_in_the_text_goes_before_the_name() -> None:
    (part,) = read(b"root@gpu-07:~# ethtool -S eth1\n" + STATISTICS.encode(), "ethtool_-S_eth0").parts
    assert list(part.facts["interfaces"]) == ["eth1"]


def test_a_name_without_an_option_never_goes_before_what_the_text_shows() -> None:
    (part,) = read(STATISTICS.encode(), "ibstat.txt").parts
    assert part.tool == "ethtool-S"
    assert read(b"nothing of the kind\n", "ibstat.txt").refused == "not-recognised"


def test_a_failed_command_is_told_by_the_name_of_its_file() -> None:
    reading = read(b"Cannot get stats strings information: Operation not supported\n", "sos_commands/networking/ethtool_-S_bond0")
    assert (reading.refused, [part.tool for part in reading.parts]) == ("only-failed-commands", ["ethtool-S"])
