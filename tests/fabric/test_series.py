"""Growth by hand: a total is no rate, a reset is unknown, an order is never guessed."""

import pytest

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
