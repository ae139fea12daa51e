"""Growth by hand: a total is no rate, a reset is unknown, an order is never guessed."""

from dataclasses import replace

import pytest

from advisor.evidence.bundle import Capture
from advisor.evidence.reading import Part, Reading
from advisor.fabric.series import rates

from .bundles import bundle, capture


def _take(name: str, rx: int, pause_us: int = 0, **more: object):  # type: ignore[no-untyped-def]
    facts = {"interfaces": {"eth0": {"rx_bytes": rx, "priorities": {"3": {"rx_pause_us": pause_us}}, "rate_gbps": 400}}}
    return capture(name, ("ethtool-S", facts), host="a1", **more)


def test_two_takes_with_times_give_a_rate() -> None:
    found = rates(
        bundle(
            _take("a.txt", 1_000_000, 0, time="2026-09-14T10:00:00"),
            _take("b.txt", 251_000_000_000 + 1_000_000, 500_000, time="2026-09-14T10:00:10", role="busy"),
        )
    )
    by_name = {rate.counter: rate for rate in found}
    assert by_name.keys() == {"rx_bytes", "priorities.3.rx_pause_us"}  # the port's rate is a setting, not a total
    assert by_name["rx_bytes"].gbps == pytest.approx(200.8)
    assert by_name["rx_bytes"].role == "busy"
    assert by_name["priorities.3.rx_pause_us"].duty == pytest.approx(0.05)


def test_one_take_is_no_rate() -> None:
    assert rates(bundle(_take("a.txt", 10, time="2026-09-14T10:00:00"))) == ()


def test_a_reset_is_unknown() -> None:
    found = rates(bundle(_take("a.txt", 10, time="2026-09-14T10:00:00"), _take("b.txt", 5, time="2026-09-14T10:00:10")))
    (rate,) = [rate for rate in found if rate.counter == "rx_bytes"]
    assert (rate.delta, rate.per_s, rate.unknown) == (None, None, "reset")


def test_before_and_after_have_an_order_and_no_time() -> None:
    found = rates(bundle(_take("z.txt", 10, role="before"), _take("a.txt", 25, role="after")))
    (rate,) = [rate for rate in found if rate.counter == "rx_bytes"]
    assert (rate.delta, rate.per_s, rate.unknown) == (15, None, "no-time")


def test_files_without_times_have_no_order() -> None:
    assert rates(bundle(_take("a.txt", 10), _take("b.txt", 25))) == ()


def test_other_hosts_are_other_series() -> None:
    other = capture("b.txt", ("ethtool-S", {"interfaces": {"eth0": {"rx_bytes": 9}}}), host="a2", time="2026-09-14T10:00:10")
    assert rates(bundle(_take("a.txt", 10, time="2026-09-14T10:00:00"), other)) == ()


def test_a_counter_at_its_ceiling_is_unknown() -> None:
    def take(name: str, time: str):  # type: ignore[no-untyped-def]
        facts = {"ports": {"lid9/1": {"symbol_errors": 65535, "saturated": ["symbol_errors"]}}}
        return capture(name, ("perfquery", facts), host="a1", time=time)

    (rate,) = rates(bundle(take("a", "2026-09-14T10:00:00"), take("b", "2026-09-14T10:00:10")))
    assert rate.unknown == "saturated"


def _timed(name: str, *takes: tuple[str | None, int], command: str | None = None) -> Capture:
    """One capture of several takes, each with the time that stands in front of it."""
    parts = tuple(
        Part("ethtool-S", (10 * i + 1, 10 * i + 10), "a1", command, {"interfaces": {"eth0": {"rx_bytes": value}}}, time=time)
        for i, (time, value) in enumerate(takes)
    )
    return Capture(f"sha-{name}", name, 1, Reading(parts=parts))


def test_takes_of_one_capture_by_the_times_in_its_text() -> None:
    (rate,) = rates(bundle(_timed("a.txt", ("2026-09-14T10:00:00", 0), ("2026-09-14T10:01:00", 6_000_000_000))))
    assert (rate.elapsed_s, rate.delta) == (60, 6_000_000_000)
    assert rate.gbps == pytest.approx(0.8)


def test_a_sleep_in_the_command_line_tells_the_time() -> None:
    (rate,) = rates(bundle(_timed("a.txt", (None, 0), (None, 1_000), command="ethtool -S eth0; sleep 5; ethtool -S eth0")))
    assert (rate.elapsed_s, rate.per_s) == (5, 200)


def test_the_time_in_the_text_goes_before_that_of_the_path() -> None:
    first = replace(_timed("a.txt", ("2026-09-14T10:00:30", 0)), time="2026-09-14T10:00:00")
    second = replace(_timed("b.txt", ("2026-09-14T10:01:00", 300)), time="2026-09-14T10:00:00")
    (rate,) = rates(bundle(first, second))
    assert (rate.elapsed_s, rate.per_s) == (30, 10)


def test_a_take_that_lacks_the_counter_is_a_gap_and_no_zero() -> None:
    found = rates(
        bundle(
            _take("a.txt", 100, time="2026-09-14T10:00:00"),
            capture("b.txt", ("ethtool-S", {"interfaces": {"eth0": {"tx_bytes": 1}}}), host="a1", time="2026-09-14T10:00:10"),
            _take("c.txt", 400, time="2026-09-14T10:00:30"),
        )
    )
    (rate,) = [rate for rate in found if rate.counter == "rx_bytes"]
    assert (rate.delta, rate.elapsed_s, rate.per_s) == (300, 30, 10)


def test_where_traffic_falls_all_counters_of_the_port_were_reset() -> None:
    """The pause rose from 5 to 9 by its figures, but counted from zero: at least 9."""
    found = rates(bundle(_take("a.txt", 1000, 5, time="2026-09-14T10:00:00"), _take("b.txt", 10, 9, time="2026-09-14T10:00:10")))
    assert {rate.counter: (rate.delta, rate.at_least, rate.unknown) for rate in found} == {
        "rx_bytes": (None, 10, "reset"),
        "priorities.3.rx_pause_us": (None, 9, "reset"),
    }


def test_a_date_without_hours_may_be_any_time_of_its_day() -> None:
    assert rates(bundle(_take("a.txt", 1, time="2026-09-14"), _take("b.txt", 2, time="2026-09-14T10:00:00"))) == ()
    found = rates(bundle(_take("a.txt", 1, time="2026-09-14"), _take("b.txt", 2, time="2026-09-15T10:00:00")))
    assert [(rate.delta, rate.unknown) for rate in found if rate.counter == "rx_bytes"] == [(1, "no-time")]


def test_three_takes_are_two_rates() -> None:
    times = ("10:00:00", "10:00:10", "10:01:10")
    takes = [_take(f"{i}.txt", value, time=f"2026-09-14T{time}") for i, (time, value) in enumerate(zip(times, (0, 50, 650), strict=True))]
    assert [rate.per_s for rate in rates(bundle(*reversed(takes))) if rate.counter == "rx_bytes"] == [5, 10]
