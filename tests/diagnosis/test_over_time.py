"""Measures over time and against peers, on small sites whose answer is plain."""

import json
from collections.abc import Callable
from random import Random

import pytest

from advisor.diagnosis.findings import findings
from advisor.diagnosis.library import library
from advisor.diagnosis.observed import Observed
from advisor.diagnosis.verdict import Diagnosis

Site = Callable[..., Observed]
START = 1_789_344_000  # 2026-09-14T00:00:00Z


def values(site: Observed, name: str) -> list[object]:
    return [one.value for one in findings(site, library()).values.get(name, ())]


def answer(*series: tuple[dict[str, str], list[float]], step_s: int = 600) -> str:
    """A matrix as Prometheus gives it."""
    rows = [{"metric": labels, "values": [[START + i * step_s, str(value)] for i, value in enumerate(known)]} for labels, known in series]
    return json.dumps({"status": "success", "data": {"resultType": "matrix", "result": rows}})


def speeds(seed: int = 1) -> list[float]:
    """Two days in steps of ten minutes; on the second day a fifth slower."""
    noise = Random(seed)
    return [(100 if i < 144 else 80) + noise.gauss(0, 1) for i in range(288)]


@pytest.mark.parametrize(
    ("date", "topic", "unexplained"),
    [("2026-09-15", ["queue-pairs"], False), ("2026-09-12", [], True), ("2026-09-14T23:40", ["queue-pairs"], False)],
)
def test_a_level_that_falls_is_matched_to_the_change_log(site: Site, date: str, topic: list[str], unexplained: bool) -> None:
    log = f"form: 1\nchanges: [{{what: queue pairs per connection set to 1, kind: setting, date: '{date}'}}]\n"
    observed = site(site_yaml=log, speed_json=answer(({"__name__": "train_samples_per_s", "job_name": "llm"}, speeds())))
    assert values(observed, "slower_after") == topic
    assert values(observed, "faster_after") == []
    assert values(observed, "shift_without_change") == [unexplained]
    (ratio,) = values(observed, "speed_shift")
    assert ratio == pytest.approx(0.8, abs=0.01)


def test_speed_that_falls_as_a_link_fills_is_a_rank_correlation(site: Site) -> None:
    noise = Random(2)
    use = [noise.random() for _ in range(60)]
    speed = [100 * (1 - 0.4 * value) + noise.gauss(0, 2) for value in use]
    still = [noise.random() for _ in range(60)]
    observed = site(
        use_json=answer(({"__name__": "link_utilization", "ifName": "Ethernet48", "switch": "leaf-1"}, use)),
        other_json=answer(({"__name__": "link_utilization", "ifName": "Ethernet52", "switch": "leaf-1"}, still)),
        speed_json=answer(({"__name__": "train_samples_per_s"}, speed)),
    )
    found = findings(observed, library()).values["speed_against_use"]
    assert [one.about for one in found] == ["leaf-1 Ethernet48"]
    assert found[0].value < -0.8  # type: ignore[operator]


def test_use_over_time_tells_bursts_from_a_lasting_shortage(site: Site) -> None:
    bursts = [0.97 if i % 20 == 0 else 0.2 for i in range(100)]
    full = [0.95 if i % 10 else 0.6 for i in range(100)]
    labels = {"__name__": "link_utilization", "ifName": "Ethernet48", "switch": "leaf-1"}
    assert values(site(use_json=answer((labels, bursts))), "uplink_duty") == [pytest.approx(0.05)]
    assert values(site(use_json=answer((labels, full))), "uplink_duty") == [pytest.approx(0.9)]
    percent = [value * 100 for value in full]
    assert values(site(use_json=answer((labels, percent))), "uplink_use_p95") == [pytest.approx(0.95)]


def test_speed_against_the_use_of_links_during_runs(site: Site) -> None:
    """Six runs with what the uplinks carried during each: the busier, the slower, without exception."""
    runs = "".join(f"  - {{label: r{i}, what: all_reduce, hosts: 4, busbw_gBps: {90 - 7 * i}}}\n" for i in range(6))
    links = "".join(f"  - {{tier: leaf-uplink, during: r{i}, mean_percent: {20 + 11 * i}}}\n" for i in range(6))
    assert values(site(site_yaml=f"form: 1\nruns:\n{runs}links:\n{links}"), "speed_against_use") == [pytest.approx(-1.0)]


def test_an_unknown_platform_says_so_and_is_held_against_its_peers(site: Site) -> None:
    runs = "".join(
        f"  - {{label: r{i}, what: all_reduce, hosts: 1, between: [n{i}], busbw_gBps: {speed}}}\n"
        for i, speed in enumerate((400, 402, 398, 300))
    )
    jobs = "jobs: [{name: llm, hosts: 4, between: [n0, n1, n2, n3]}]\n"
    observed = site(site_yaml=f"form: 1\nhosts: [{{gpu: Zebra 900}}]\n{jobs}runs:\n{runs}")
    assert values(observed, "platform_unknown") == [True]
    assert values(observed, "host_over_peers") == [pytest.approx(300 / 400)]  # n3 over the median of the other three
    assert values(site(site_yaml="form: 1\nhosts: [{gpu: NVIDIA H100}]\n"), "platform_unknown") == [False]


def test_the_data_gate_says_that_a_platform_is_unknown(diagnosed: Callable[..., Diagnosis]) -> None:
    said = diagnosed(site_yaml="form: 1\nhosts: [{gpu: Zebra 900}]\nobservations: {gdr_used: no}\n")
    assert "held against their peers alone: 1" in said.gates[0].text.en
