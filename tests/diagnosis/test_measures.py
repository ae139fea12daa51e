"""Measures, held to what a person computes by hand."""

from collections.abc import Callable

import pytest

from advisor.base.places import example_site
from advisor.diagnosis.findings import findings
from advisor.diagnosis.library import library
from advisor.diagnosis.measured import measured
from advisor.diagnosis.measures.storage import shift_p
from advisor.diagnosis.observed import Observed
from advisor.diagnosis.topics import topics
from advisor.fabric.build import build
from advisor.usecases.assess import open_site

Site = Callable[..., Observed]


def value(site: Observed, name: str) -> object:
    """The one value of a measure, signs that follow included; None if it is unknown."""
    found = findings(site, library()).values.get(name, ())
    assert len(found) <= 1, found
    return found[0].value if found else None


def form(text: str) -> str:
    return f"form: 1\n{text}"


def test_busbw_is_held_against_all_ports_of_a_host(site: Site) -> None:
    four_hdr = "hosts: [{nics_per_host: 4, nic_rate_gbps: 200}]\nruns: [{label: a, what: all_reduce, hosts: 4, busbw_gBps: 96}]"
    assert value(site(site_yaml=form(four_hdr)), "collective_share_of_line") == pytest.approx(0.96)  # 4 x 25 GB/s
    both_ports = four_hdr.replace("nic_rate_gbps", "nic_ports: 2, nic_rate_gbps")
    assert value(site(site_yaml=form(both_ports)), "collective_share_of_line") == pytest.approx(0.48)


@pytest.mark.parametrize(
    "runs",
    [
        "[{label: a, what: all_reduce, hosts: 1, busbw_gBps: 96}]",  # never left the host
        "[{label: a, what: all_reduce, hosts: 4, size_bytes: 1048576, busbw_gBps: 9}]",  # latency, not bandwidth
        "[{label: a, what: alltoall, hosts: 4, busbw_gBps: 24}]",  # one NIC for each pair
        "[{label: a, what: step_time, hosts: 4, step_s: 2}]",
    ],
)
def test_what_does_not_show_the_wire_is_not_held_against_it(site: Site, runs: str) -> None:
    assert (
        value(site(site_yaml=form(f"hosts: [{{nics_per_host: 4, nic_rate_gbps: 200}}]\nruns: {runs}")), "collective_share_of_line") is None
    )


def test_unlike_kinds_of_hosts_have_no_common_line_rate(site: Site) -> None:
    hosts = "hosts: [{nics_per_host: 4, nic_rate_gbps: 200}, {nics_per_host: 8, nic_rate_gbps: 400}]"
    text = f"{hosts}\nruns: [{{what: all_reduce, busbw_gBps: 96}}]"
    observed = site(site_yaml=form(text))
    assert (observed.line_gbps, observed.port_gbps) == (None, None)
    assert value(observed, "host_kinds_differ_in_ports") is True


def test_a_lower_bound_at_the_wire_is_above_it(site: Site) -> None:
    text = "hosts: [{nics_per_host: 1, nic_rate_gbps: 100}]\nruns: [{label: a, what: all_reduce, hosts: 2, busbw_gBps: 12.5%s}]"
    assert value(site(site_yaml=form(text % "")), "busbw_above_wire") is False
    assert value(site(site_yaml=form(text % ", bound: at-least")), "busbw_above_wire") is True


def test_busy_over_quiet_takes_times_as_the_inverse_of_speed(site: Site) -> None:
    text = "runs: [{label: q, what: step_time, load: quiet, step_s: 1.53}, {label: b, what: step_time, load: busy, step_s: 1.7}]"
    observed = site(site_yaml=form(text))
    assert value(observed, "busy_over_quiet") == pytest.approx(0.9)
    assert value(site(site_yaml=form(text.replace("1.7", "2.2"))), "depends_on_load") is True
    assert value(site(site_yaml=form(text.replace("1.7", "1.55"))), "depends_on_load") is False


def test_runs_that_differ_in_two_things_tell_of_neither(site: Site) -> None:
    text = """runs:
  - {label: a, what: all_reduce, placement: same-leaf, load: quiet, hosts: 2, busbw_gBps: 90}
  - {label: b, what: all_reduce, placement: cross-leaf, load: busy, hosts: 2, busbw_gBps: 40}
"""
    observed = site(site_yaml=form(text))
    assert value(observed, "busy_over_quiet") is None
    assert value(observed, "cross_over_same_leaf") is None


def test_a_ratio_that_a_person_states_counts_without_figures(site: Site) -> None:
    text = "runs: [{label: q, what: throughput, load: quiet}, {label: b, what: throughput, load: busy, relative: 0.7, compared_with: q}]"
    assert value(site(site_yaml=form(text)), "busy_over_quiet") == pytest.approx(0.7)


def test_a_run_after_a_cure_does_not_show_the_complaint(site: Site) -> None:
    text = """hosts: [{nics_per_host: 1, nic_rate_gbps: 200}]
runs: [{label: off, what: ib_write_bw, rate_gbps: 140}, {label: on, what: ib_write_bw, rate_gbps: 196}]
changes: [{what: relaxed ordering, kind: setting, run_before: off, run_after: on, effect: better, only_change: yes}]
"""
    observed = site(site_yaml=form(text))
    assert value(observed, "point_to_point_share_of_line") == pytest.approx(0.7)
    assert value(observed, "helped_by_alone") == "relaxed-ordering"


def test_three_repeats_scatter_by_their_range_over_the_median(site: Site) -> None:
    observed = site(site_yaml=form("runs: [{label: a, what: all_reduce, busbw_gBps: [201, 264, 188]}]"))
    assert value(observed, "repeat_spread") == pytest.approx(76 / 201)
    assert value(observed, "varies_between_runs") is True
    assert value(site(site_yaml=form("runs: [{label: a, what: all_reduce, busbw_gBps: [201, 264]}]")), "repeat_spread") is None


def test_uplinks_even_and_full_or_one_hot(site: Site) -> None:
    even = site(site_yaml=form("links: [{tier: leaf-uplink, used_percent: [92, 90, 91, 93]}]"))
    assert (value(even, "uplinks_even"), value(even, "uplinks_full")) == (True, True)
    hot = site(site_yaml=form("links: [{tier: leaf-uplink, used_percent: [96, 10, 5, 9]}]"))
    assert value(hot, "uplink_jain") == pytest.approx(120**2 / (4 * (96**2 + 10**2 + 5**2 + 9**2)))
    assert (value(hot, "uplinks_even"), value(hot, "uplinks_full")) == (False, False)
    said = site(site_yaml=form("links: [{tier: leaf-uplink, count: 32, mean_percent: 47, max_percent: 96}]"))
    assert value(said, "uplink_max_over_mean") == pytest.approx(96 / 47)


def test_a_slot_is_held_against_all_ports_of_the_card(site: Site) -> None:
    text = "hosts: [{nics_per_host: 1, nic_ports: %d, nic_rate_gbps: 200, pcie_gen: 4, pcie_width: 16}]"
    one, two = (site(site_yaml=form(text % ports)) for ports in (1, 2))
    assert value(one, "slot_over_ports") == pytest.approx(31.508 * 8 / 200, rel=1e-3)  # PCIe 4.0 x16 is 31.508 GB/s
    assert (value(one, "slot_narrower_than_card"), value(two, "slot_narrower_than_card")) == (False, True)


def test_traffic_outside_the_lossless_priority(site: Site) -> None:
    text = """flow_control:
  - {side: leaf, pfc_priorities: [3]}
  - {side: host, traffic: collectives, priority: 0}
"""
    assert value(site(site_yaml=form(text)), "traffic_outside_lossless") is True
    assert value(site(site_yaml=form(text.replace("priority: 0", "priority: 3"))), "traffic_outside_lossless") is False
    assert value(site(site_yaml=form(text.replace("collectives", "storage"))), "traffic_outside_lossless") is None


def test_unknown_gives_nothing(site: Site) -> None:
    assert measured(site(site_yaml=form("site: {name: here}\nobservations: {gdr_used: unknown, mtu_equal: }"))) == {}


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("queue pairs per connection", "queue-pairs"),
        ("NCCL_IB_QPS_PER_CONNECTION", "queue-pairs"),
        ("speed of the switch ports", "port-speed"),
        ("BIOS: NUMA nodes per socket", "numa"),
        ("congestion control algorithm of the NIC", "congestion-control"),
        ("order of hosts in the hostfile", "rank-order"),
        ("one host excluded from the job", "host-replaced"),
        ("将存储换到独立队列", "storage"),
    ],
)
def test_what_a_change_was_about(words: str, found: str) -> None:
    assert found in topics(words)


def test_words_that_only_sound_alike_are_no_topic() -> None:
    assert topics("port protocol of the cards") == ()
    assert "algorithm" not in topics("congestion control algorithm")
    assert "transport" not in topics("NUMA nodes per socket")


def test_growth_is_between_two_captures_and_knows_its_side() -> None:
    """The example's b01 was paused 6.66 s of 60 by its leaf, and never paused it."""
    bundle = open_site(str(example_site())).bundle
    values = findings(Observed(bundle, build(bundle)), library()).values
    assert max(one.value for one in values["pause_duty"]) == pytest.approx(6_664_108 / 60e6, abs=1e-4)  # type: ignore[type-var]
    assert {one.value for one in values["network_pauses_host"]} == {True}
    assert {one.value for one in values["host_sends_pause"]} == {False}
    assert {one.value for one in values["ecn_on_switches"]} == {False}


def test_windows_that_hold_every_slow_step_are_no_accident() -> None:
    """12 steps, 3 slow ones all marked: of the 12 positions of the marks only their own finds all three."""
    inside = [i in (1, 4, 9) for i in range(12)]
    assert shift_p([2.0 if mark else 1.0 for mark in inside], inside) == pytest.approx(1 / 12)
    assert shift_p([1.0] * 12, inside) == 1


@pytest.mark.parametrize(("after", "grew"), [(40, True), (0, None)])
def test_what_was_counted_since_a_reset_grew_and_zero_since_a_reset_says_nothing(site: Site, after: int, grew: bool | None) -> None:
    """Traffic of the port fell between the takes, so all its counters were cleared: 40 pause frames came since, whatever was before."""
    take = "[root@h1 ~]# ethtool -S eth0\nNIC statistics:\n     rx_bytes_phy: {bytes}\n     tx_prio3_pause: {pause}\n"
    text = take.format(bytes=900_000, pause=500) + "[root@h1 ~]# sleep 60\n" + take.format(bytes=70_000, pause=after)
    assert value(site(ethtool_txt=text), "host_sends_pause") is grew


@pytest.mark.parametrize(("bits", "held"), [("48", True), ("04", False), ("00", False), ("01", None)])
def test_heat_holds_the_clocks_down_a_power_cap_is_usual_and_an_idle_gpu_tells_nothing(site: Site, bits: str, held: bool | None) -> None:
    """NVML: 0x8 hardware and 0x40 heat, 0x4 power cap, 0x1 idle."""
    rows = f"index, name, clocks_event_reasons.active\n0, NVIDIA H100 80GB HBM3, 0x00000000000000{bits}\n"
    assert value(site(gpus_txt=rows), "gpu_clocks_held") is held
