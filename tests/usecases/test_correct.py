"""What a person says of a capture: its time in the ways that people write one, kept in the file, and taken back."""

from datetime import date
from pathlib import Path

import pytest

from advisor.base.errors import UsageError
from advisor.fabric.series import rates
from advisor.usecases.assess import open_site
from advisor.usecases.correct import capture_of, correct, stated_time
from advisor.usecases.import_ import import_into
from advisor.usecases.undo import put_back

TODAY = date(2026, 11, 30)
PORT = "# ethtool -S eth0\nNIC statistics:\n     rx_bytes_phy: {}\n     tx_bytes_phy: 8\n     rx_discards_phy: 0\n"


@pytest.mark.parametrize(
    ("written", "time"),
    [
        ("2026-09-14", "2026-09-14"),
        (" 2026/09/14 ", "2026-09-14"),
        ("20260914", "2026-09-14"),
        ("2026-09-14 13:05", "2026-09-14T13:05:00"),
        ("2026-09-14T13:05:20", "2026-09-14T13:05:20"),
        ("2026-09-14 13:05:20.75", "2026-09-14T13:05:20"),
        ("2026-09-14 00:00", "2026-09-14T00:00:00"),
        ("2026-09-14T13:05:20+08:00", "2026-09-14T13:05:20+08:00"),
        ("2026-09-14T13:05:20Z", "2026-09-14T13:05:20+00:00"),
        ("  ", None),
    ],
)
def test_times_as_people_write_them(written: str, time: str | None) -> None:
    assert stated_time(written) == time


@pytest.mark.parametrize("written", ["yesterday", "13:05", "2026-13-01", "2026-09-31", "14.09.2026", "2026-09-14 25:00", "2026", "\x1b[2J"])
def test_what_is_no_time_is_refused(written: str) -> None:
    with pytest.raises(UsageError) as told:
        stated_time(written)
    assert told.value.key == "no-time"


def test_a_stated_time_is_kept_gives_rates_and_is_taken_back(tmp_path: Path) -> None:
    """750 MB more ten seconds later on one port are 0.6 Gb/s: 750e6 * 8 / 10 / 1e9."""
    for name, value in (("one", 1_000), ("two", 750_001_000)):
        (tmp_path / "gpu-07").mkdir(exist_ok=True)
        (tmp_path / "gpu-07" / f"ethtool-{name}.txt").write_text(PORT.format(value), encoding="utf-8")
    site = tmp_path / "hall.advisor"
    import_into(str(site), [str(tmp_path / "gpu-07")])
    first = open_site(str(site), today=TODAY)
    one, two = (capture_of(first, f"ethtool-{name}.txt") for name in ("one", "two"))
    assert (one.time, two.time) == (None, None)
    after = correct(first, one.sha256, one.host, "busy", "2026-09-14 13:05:00")
    after = correct(after, two.sha256, two.host, two.role, "2026-09-14 13:05:10")
    again = open_site(str(site), today=TODAY)
    kept = again.bundle.by_sha
    assert (kept[one.sha256].time, kept[one.sha256].role) == ("2026-09-14T13:05:00", "busy")
    assert kept[two.sha256].time == "2026-09-14T13:05:10"
    (rate,) = [rate for rate in rates(again.bundle) if rate.counter == "rx_bytes"]
    assert rate.gbps == pytest.approx(0.6)
    put_back(after, first)
    assert open_site(str(site), today=TODAY).bundle.by_sha[two.sha256].time is None


def test_a_capture_is_meant_by_its_name_or_hash(tmp_path: Path) -> None:
    for host in ("gpu-07", "gpu-08"):
        (tmp_path / "in" / host).mkdir(parents=True)
        (tmp_path / "in" / host / "ethtool.txt").write_text(PORT.format(len(host) + int(host[-1])), encoding="utf-8")
    here = open_site(str(tmp_path / "in"), today=TODAY)
    seven = capture_of(here, "gpu-07/ethtool.txt")
    assert seven.path_host == "gpu-07"
    assert capture_of(here, seven.sha256[:8]) is seven
    with pytest.raises(UsageError) as told:
        capture_of(here, "ethtool.txt")
    assert told.value.key == "several-captures"
    with pytest.raises(UsageError) as told:
        capture_of(here, "nothing.txt")
    assert told.value.key == "no-such-capture"
