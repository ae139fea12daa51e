"""What public reports taught: signs that follow from what people state, beside those that they name themselves."""

from collections.abc import Callable

import pytest

from advisor.diagnosis.findings import findings
from advisor.diagnosis.library import library
from advisor.diagnosis.measured import measured
from advisor.diagnosis.observed import Observed
from advisor.diagnosis.topics import topics
from advisor.diagnosis.verdict import Diagnosis

Site = Callable[..., Observed]


@pytest.mark.parametrize(
    ("count", "down"),
    [
        (21, 11.0),  # 32 were built, 21 are in use
        (32, 0.0),
        (16, None),  # half of them: it may be the group to one of two spines
    ],
)
def test_uplinks_that_are_missing_from_the_group(site: Site, count: int, down: float | None) -> None:
    said = f"form: 1\nfabric: {{uplinks_per_leaf: 32}}\nlinks:\n  - {{tier: leaf-uplink, count: {count}, rate_gbps: 200}}\n"
    found = measured(site(site_yaml=said)).get("uplinks_down", ())
    assert [one.value for one in found] == ([] if down is None else [down])


@pytest.mark.parametrize(
    ("words", "topic"),
    [
        ("two switches of the network failed and were taken out", "uplink-lost"),
        ("loss of a spine", "uplink-lost"),
        ("half of the uplinks of every leaf taken out of service", "fewer-uplinks"),
        ("uplinks halved", "fewer-uplinks"),
    ],
)
def test_what_became_of_uplinks(words: str, topic: str) -> None:
    assert topic in topics(words)


def test_full_uplinks_after_a_failure_are_no_shortage(diagnosed: Callable[..., Diagnosis]) -> None:
    """Uplinks that are full and even are as likely where members were lost as where too few were built: the failure decides."""
    full = "form: 1\nobservations: {uplinks_full: yes, uplinks_even: yes, slow_only_across_leaves: yes, depends_on_load: yes"
    assert diagnosed(site_yaml=full + "}\n").verdict == "physical-capacity"
    failed = diagnosed(site_yaml=full + ", uplink_failed: yes}\n")
    assert (failed.verdict, failed.causes[0].cause) == ("node-fault", "uplink-down")


SPLIT = """form: 1
hosts: [{gpus_per_host: 8, nics_per_host: 2, nic_rate_gbps: 100}]
jobs: [{kind: training, hosts: 4, parallelism: {sharding: zero-3}}]
runs:
  - {label: wire, what: all_reduce, hosts: 2, size_bytes: 8589934592, busbw_gBps: 23.6}
  - {label: alone, what: step_time, hosts: 1, step_s: 1.4}
  - {label: four, what: step_time, hosts: 4, step_s: 5.2, compared_with: alone}
"""


def test_a_wire_that_gives_its_rate_and_a_job_that_waits_for_it(diagnosed: Callable[..., Diagnosis]) -> None:
    """Two ports of 100 Gb/s are 25 for each of eight GPUs: no port is slow, but the split asks for more than the host has."""
    lighter = "changes: [{what: weights held whole inside each host, kind: workload, effect: better, only_change: yes}]\n"
    said = diagnosed(site_yaml=SPLIT + lighter)
    assert (said.verdict, said.causes[0].cause) == ("physical-capacity", "communication-heavy-sharding")


def test_a_job_that_scales_badly_leaves_its_transport_open(diagnosed: Callable[..., Diagnosis]) -> None:
    """Fewer bytes and fewer hosts help over every slow network; whether the job is on RDMA at all, nobody said."""
    said = diagnosed(site_yaml="form: 1\nobservations: {less_traffic_helps: yes, scales_down_with_hosts: yes}\n")
    assert said.verdict == "undetermined"
    assert "rdma-disabled" in {cause.cause for cause in said.causes}
    assert {"transport-line", "rdma-devices"} & {probe.probe for probe in said.probes[:3]}


def test_a_slot_that_is_hardly_used_is_no_limit(diagnosed: Callable[..., Diagnosis]) -> None:
    """Four lanes of generation 5 are 126 Gb/s: less than the port's 200, but ten times what the pair gets."""
    site = "form: 1\nhosts: [{nic_rate_gbps: 200, pcie_gen: 5, pcie_width: 4}]\nruns: [{label: a, what: ib_write_bw, rate_gbps: RATE}]\n"
    assert diagnosed(site_yaml=site.replace("RATE", "97")).causes[0].cause == "pcie-slot-limit"
    assert "pcie-slot-limit" not in {cause.cause for cause in diagnosed(site_yaml=site.replace("RATE", "13")).causes}


def test_what_a_cold_start_cures_is_a_state_of_the_device(diagnosed: Callable[..., Diagnosis]) -> None:
    cured = "form: 1\nchanges: [{what: hosts cut off from power and started again, kind: hardware, effect: better, only_change: yes}]\n"
    assert "nic-fault" in {cause.cause for cause in diagnosed(site_yaml=cured).causes}


PAIRS = "form: 1\nruns:\n"
PAIR = "  - {{label: p{n}, what: all_reduce, algorithm: ring, between: [{a}, {b}], busbw_gBps: {rate}{more}}}\n"


def pairs(*rows: tuple[str, str, float, str]) -> str:
    found = (PAIR.format(n=n, a=a, b=b, rate=rate, more=f", placement: {at}" if at else "") for n, (a, b, rate, at) in enumerate(rows))
    return PAIRS + "".join(found)


def test_the_host_that_is_slow_with_partners_that_are_fast_without_it(site: Site, diagnosed: Callable[..., Diagnosis]) -> None:
    """The five pairs of nccl-tests issue 106: host c is slow with a and with b, which reach 87 and 88 elsewhere; e and f stay open."""
    rows = pairs(("c", "a", 49.36, ""), ("d", "b", 88.36, ""), ("e", "f", 49.28, ""), ("b", "c", 49.3, ""), ("g", "a", 86.81, ""))
    (found,) = measured(site(site_yaml=rows))["host_over_its_partners"]
    assert found.about == "c"
    assert found.value == pytest.approx(49.36 / 86.81)
    assert diagnosed(site_yaml=rows).causes[0].cause == "slow-node"


@pytest.mark.parametrize(
    "rows",
    [
        [("a", "b", 40, ""), ("a", "c", 88, ""), ("b", "d", 87, "")],  # one bad pair: its route
        [("a", "c", 40, "cross-leaf"), ("a", "d", 41, "cross-leaf"), ("c", "d", 88, "same-leaf"), ("a", "b", 88, "same-leaf")],  # leaves
        [("a", "c", 40, "cross-leaf"), ("a", "d", 41, "cross-leaf"), ("c", "d", 88, "same-leaf")],
    ],
)
def test_a_route_or_a_leaf_is_no_slow_host(site: Site, rows: list[tuple[str, str, float, str]]) -> None:
    found = measured(site(site_yaml=pairs(*rows))).get("host_over_its_partners", ())
    assert all(one.value >= 0.9 for one in found)  # type: ignore[operator]


def test_equal_ranks_on_more_hosts_are_a_question_of_placement(site: Site) -> None:
    runs = """form: 1
runs:
  - {label: packed, what: throughput, hosts: 2, ranks: 16}
  - {label: spread, what: throughput, hosts: 8, ranks: RANKS, relative: 0.65, compared_with: packed}
"""
    found = measured(site(site_yaml=runs.replace("RANKS", "16")))
    assert ("more_hosts_over_fewer" in found, [one.value for one in found["spread_over_packed"]]) == (False, [0.65])
    found = measured(site(site_yaml=runs.replace("RANKS", "64")))
    assert ("spread_over_packed" in found, [one.value for one in found["more_hosts_over_fewer"]]) == (False, [0.65])


def counted(received: int) -> str:
    """Two takes of a NIC that sends 16 GB on priority 3, and receives as much on the given one."""
    takes = []
    for n in (0, 1):
        lines = {f"rx_prio{received}_bytes": n * 16_700_000_000, "tx_prio3_bytes": n * 16_500_000_000}
        lines |= {"rx_prio5_bytes": 0, "tx_prio0_bytes": n * 4_600_000}
        takes += ["root@h1:~# ethtool -S ens8np0", "NIC statistics:", *(f"     {name}: {count}" for name, count in lines.items())]
    return "\n".join(takes) + "\n"


@pytest.mark.parametrize(("received", "differs"), [(0, True), (3, False)])
def test_two_directions_of_one_job_in_two_classes(site: Site, received: int, differs: bool) -> None:
    lossless = "form: 1\nflow_control: [{side: host, traffic: rdma, pfc_priorities: [3]}]\n"
    (found,) = measured(site(site_yaml=lossless, nic_txt=counted(received)))["class_differs_by_direction"]
    assert (found.value, found.about) == (differs, "h1 ens8np0")


def test_without_a_lossless_priority_directions_say_nothing(site: Site) -> None:
    assert "class_differs_by_direction" not in measured(site(nic_txt=counted(0)))


IN_A_HOST = """form: 1
hosts: [{gpus_per_host: 8, gpu: H100, gpu_form: sxm}]
runs: [{label: a, what: all_reduce, placement: same-host, hosts: 1, ranks: 8, algorithm: nvls, size_bytes: SIZE, FIGURE}]
expected: [{what: all_reduce, WANTED, basis: vendor}]
"""


def in_a_host(figure: str, wanted: str = "busbw_gBps: 450", size: int = 2**33) -> str:
    return IN_A_HOST.replace("FIGURE", figure).replace("WANTED", wanted).replace("SIZE", str(size))


def test_algbw_and_busbw_are_one_figure(site: Site) -> None:
    """Of eight ranks busbw of an all-reduce is algbw times 2 * 7 / 8."""
    for figure in ("algbw_gBps: 272", "busbw_gBps: 476"):
        found = measured(site(site_yaml=in_a_host(figure)))
        assert found["share_of_band_inside_host"][0].value == pytest.approx(476 / (450 * 1.02))
        assert found["share_of_expected"][0].value == pytest.approx(476 / 450)


def test_a_small_message_clears_its_band_or_says_nothing(site: Site) -> None:
    assert "share_of_band_inside_host" in measured(site(site_yaml=in_a_host("busbw_gBps: 470", size=2**28)))
    assert "share_of_band_inside_host" not in measured(site(site_yaml=in_a_host("busbw_gBps: 437", size=2**28)))


def test_an_expectation_that_nothing_can_meet(site: Site, diagnosed: Callable[..., Diagnosis]) -> None:
    """450 GB/s of algbw would be 788 of busbw; the most that was published for eight such GPUs is 1.07 of their 450 GB/s."""
    said = in_a_host("algbw_gBps: 250", "algbw_gBps: 450", 2**28)
    (found,) = measured(site(site_yaml=said))["expected_over_possible"]
    assert found.value == pytest.approx(450 * 1.75 / (450 * 1.07))
    assert diagnosed(site_yaml=said).verdict == "none"
    assert diagnosed(site_yaml=in_a_host("algbw_gBps: 150", "algbw_gBps: 270")).verdict != "none"


@pytest.mark.parametrize(
    ("circumstances", "says"),
    [
        ("load: quiet, hosts: 2", False),  # a pair alone fills no group of uplinks
        ("load: busy, hosts: 2", True),
        ("load: quiet, hosts: 16", True),
    ],
)
def test_crossing_costs_nothing_only_where_something_loads_it(site: Site, circumstances: str, says: bool) -> None:
    run = "  - {{label: {0}, what: all_reduce, size_bytes: 8589934592, placement: {0}, busbw_gBps: 185, {1}}}\n"
    text = "form: 1\nruns:\n" + run.format("same-leaf", circumstances) + run.format("cross-leaf", circumstances)
    found = findings(site(site_yaml=text), library()).values.get("slow_only_across_leaves", ())
    assert [one.value for one in found] == ([False] if says else [])
