"""Peers: medians and scores by hand, and what must not be told."""

import math
import random

import pytest

from advisor.diagnosis.peers import groupings, outliers
from tests.traffic.sites import clos

HOSTS = [f"n{i}" for i in range(8)]
ONE = dict.fromkeys(HOSTS, "all")
# Median 99.5, deviations 0.5 and 1.5 in equal number: MAD 1; 0.6745 * (99.5 - 80) / 1 = 13.15.
RATES = dict(zip(HOSTS, [98, 99, 99, 100, 100, 101, 101, 80], strict=True))


def test_one_slow_host_by_hand() -> None:
    (found,) = outliers({host: {"busbw": rate} for host, rate in RATES.items()}, ONE, {"busbw": "higher"})
    assert (found.name, found.value, found.median, found.peers) == ("n7", 80, 99.5, 8)
    assert found.relative == pytest.approx(-19.5 / 99.5)
    assert found.score == pytest.approx(0.6745 * 19.5 / 1.0)


def test_worse_is_what_the_metric_says() -> None:
    values = {host: {"latency": rate} for host, rate in RATES.items()}
    assert outliers(values, ONE, {"latency": "lower"}) == ()
    values["n0"] = {"latency": 130.0}
    assert [one.name for one in outliers(values, ONE, {"latency": "lower"})] == ["n0"]


def test_what_scatters_does_not_stand_out() -> None:
    wide = {host: {"busbw": rate} for host, rate in zip(HOSTS, [60, 70, 80, 90, 100, 110, 120, 50], strict=True)}
    assert outliers(wide, ONE, {"busbw": "higher"}) == ()


def test_what_hardly_differs_does_not_stand_out() -> None:
    same = {host: {"busbw": 100.0} for host in HOSTS}
    assert outliers({**same, "n0": {"busbw": 97.0}}, ONE, {"busbw": "higher"}) == ()
    (found,) = outliers({**same, "n0": {"busbw": 90.0}}, ONE, {"busbw": "higher"})
    assert math.isinf(found.score)


def test_unknown_is_not_zero() -> None:
    values = {host: {"busbw": 100.0} for host in HOSTS}
    assert outliers({**values, "n0": {}}, ONE, {"busbw": "higher"}) == ()
    few = {host: {"busbw": 100.0} if host in ("n1", "n2") else {} for host in HOSTS}
    assert outliers({**few, "n0": {"busbw": 10.0}}, ONE, {"busbw": "higher"}) == ()  # three values are no crowd


def test_each_group_has_its_own_median() -> None:
    """Two generations of hosts: neither is slow for its kind but one."""
    values = {f"a{i}": {"busbw": 400.0 + i} for i in range(5)} | {f"b{i}": {"busbw": 200.0 + i} for i in range(5)}
    values["b4"] = {"busbw": 100.0}
    groups = {name: name[0] for name in values}
    assert [(one.name, one.group) for one in outliers(values, groups, {"busbw": "higher"})] == [("b4", "b")]


def test_nothing_depends_on_order() -> None:
    dice = random.Random(7)
    names = [f"n{i}" for i in range(60)]
    values = {name: {f"m{j}": dice.gauss(100, 1) * (0.8 if dice.random() < 0.02 else 1) for j in range(9)} for name in names}
    groups = {name: str(i % 4) for i, name in enumerate(names)}
    better = {f"m{j}": "higher" for j in range(9)}
    found = outliers(values, groups, better)  # type: ignore[arg-type]
    assert found
    dice.shuffle(names)
    assert outliers({name: values[name] for name in names}, groups, better) == found  # type: ignore[arg-type]


def test_hosts_have_their_leaf_and_job_in_common() -> None:
    found = groupings(clos({"x": ("a0", "b0"), "y": ("b1", "a0")}, leaves="ab"))
    assert found["leaf"]["b3"] == "b"
    assert found["job"] == {"a0": "x", "b0": "x", "b1": "y"}
