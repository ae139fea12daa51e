"""nvbandwidth and iperf3: forms that no capture shows."""

import json

import pytest

from advisor.readers.recognise import read
from tests.readers.one import one, whys


def test_matrices_of_both_directions() -> None:
    name = "device_to_device_bidirectional_memcpy_read_ce"
    text = (
        f"Running {name}.\nmemcpy CE GPU(row) <-> GPU(column) Read1 bandwidth (GB/s)\n"
        f"           0         1\n 0       N/A    761.11\n 1    761.11       N/A\n\nSUM {name}_read1 1522.22\n\n"
        "memcpy CE GPU(row) <-> GPU(column) Total bandwidth (GB/s)\n"
        "           0         1\n 0      0.00   1521.22\n 1   1521.22       N/A\n"
    )
    assert one(text).facts["tests"] == {
        f"{name}_read1": {"bandwidth_gBps": {"0": {"1": 761.11}, "1": {"0": 761.11}}, "sum_gBps": 1522.22},
        f"{name}_total": {"bandwidth_gBps": {"0": {"1": 1521.22}, "1": {"0": 1521.22}}},
    }


def test_the_test_of_the_command() -> None:
    text = "$ ./nvbandwidth -t device_local_copy\nmemcpy local GPU(column) bandwidth (GB/s)\n           0\n 0   1521.22\n"
    assert one(text).facts["tests"] == {"device_local_copy": {"bandwidth_gBps": {"0": {"0": 1521.22}}}}


def test_a_cut_matrix() -> None:
    part = one(
        "Running host_to_device_memcpy_ce.\nmemcpy CE CPU(row) -> GPU(column) bandwidth (GB/s)\n           0         1\n 0     25.03     2"
    )
    assert part.facts["tests"]["host_to_device_memcpy_ce"] == {"bandwidth_gBps": {"0": {"0": 25.03}}}
    assert whys(part) == [(4, "cut")]


def test_json_of_nvbandwidth() -> None:
    cases = [
        {"name": "a", "status": "Passed", "bandwidth_description": "memcpy (GB/s)", "bandwidth_matrix": [["N/A", "395.5"]], "sum": "395.5"},
        {"name": "b", "status": "Passed", "bandwidth_description": "latency (ns)", "bandwidth_matrix": [["772.58"]], "sum": 772.58},
        {"name": "c", "status": "Waived"},
    ]
    tree = {"nvbandwidth": {"git_version": "v0.8", "GPU Device list": ["0: NVIDIA H100 (00000000:04:00)"], "testcases": cases}}
    facts = one(json.dumps(tree)).facts
    assert facts["tests"] == {
        "a": {"bandwidth_gBps": {"0": {"1": 395.5}}, "sum_gBps": 395.5},
        "b": {"latency_us": {"0": {"0": pytest.approx(0.77258)}}, "sum_us": pytest.approx(0.77258)},
    }
    assert facts["gpus"] == {"GPU0": {"model": "NVIDIA H100", "pci_address": "0000:04:00.0"}}


HEAD = "Connecting to host 10.0.0.1, port 5201\n[  5] local 10.0.0.2 port 45678 connected to 10.0.0.1 port 5201\n"


def test_sums_go_before_streams_and_bytes_are_binary() -> None:
    text = HEAD + (
        "[ ID] Interval           Transfer     Bitrate         Retr\n"
        "[  5]   0.00-10.00  sec  23.3 GBytes  2.00 GBytes/sec  11             sender\n"
        "[  5]   0.00-10.00  sec  23.3 GBytes  2.00 GBytes/sec                  receiver\n"
        "[SUM]   0.00-10.00  sec  43.3 GBytes  4.00 GBytes/sec  22             sender\n"
        "[SUM]   0.00-10.00  sec  43.3 GBytes  3.99 GBytes/sec                  receiver\n"
    )
    facts = one(text).facts
    assert facts["sent_gbps"] == pytest.approx(4 * 8 * 2**30 / 1e9)
    assert (facts["retransmits"], facts["protocol"], facts["direction"]) == (22, "tcp", "forward")


def test_udp_both_ways() -> None:
    text = (
        "$ iperf3 -c 10.0.0.1 -u -b 20G --bidir\n"
        + HEAD
        + (
            "[  7] local 10.0.0.2 port 45679 connected to 10.0.0.1 port 5201\n"
            "[ ID][Role] Interval           Transfer     Bitrate         Jitter    Lost/Total Datagrams\n"
            "[  5][TX-C]   0.00-10.00  sec  23.3 GBytes  20.0 Gbits/sec  0.000 ms  0/1000 (0%)  sender\n"
            "[  5][TX-C]   0.00-10.04  sec  23.0 GBytes  19.7 Gbits/sec  0.003 ms  12/1000 (1.2%)  receiver\n"
            "[  7][RX-C]   0.00-10.00  sec  23.3 GBytes  18.0 Gbits/sec  0.000 ms  0/1000 (0%)  sender\n"
            "[  7][RX-C]   0.00-10.04  sec  23.0 GBytes  17.7 Gbits/sec  0.003 ms  7/1000 (0.7%)  receiver\n"
        )
    )
    facts = one(text).facts
    assert (facts["protocol"], facts["direction"], facts["stream_count"], facts["target_gbps"], facts["duration_s"]) == (
        "udp",
        "both",
        1,
        20,
        10,
    )
    assert facts["tx"] == {"sent_gbps": 20, "received_gbps": 19.7, "lost_percent": 1.2}
    assert facts["rx"] == {"sent_gbps": 18, "received_gbps": 17.7, "lost_percent": 0.7}


def test_intervals_alone_are_no_total() -> None:
    text = HEAD + "[ ID] Interval           Transfer     Bitrate\n[  5]   0.00-1.00   sec  4.23 GBytes  36.4 Gbits/sec\n"
    assert "sent_gbps" not in one(text).facts


def test_an_event_stream_and_udp_in_json() -> None:
    start = {
        "version": "iperf 3.17",
        "test_start": {"protocol": "UDP", "num_streams": 2, "duration": 5, "reverse": 1, "target_bitrate": 1e9},
    }
    end = {"sum": {"seconds": 5, "bits_per_second": 2e9, "lost_percent": 0.5}}
    events = [{"event": "start", "data": start}, {"event": "interval", "data": {}}, {"event": "end", "data": end}]
    facts = one("".join(json.dumps(event) + "\n" for event in events)).facts
    assert facts == {
        "version": "iperf 3.17",
        "protocol": "udp",
        "direction": "reverse",
        "stream_count": 2,
        "target_gbps": 1.0,
        "duration_s": 5,
        "sent_gbps": 2.0,
        "lost_percent": 0.5,
    }


def test_only_an_error() -> None:
    assert (
        read(b"$ iperf3 -c 10.0.0.9\niperf3: error - unable to connect to server: Connection refused\n").refused == "only-failed-commands"
    )


def test_nvbandwidth_latency_between_devices_has_a_heading_of_its_own() -> None:
    part = one(
        "Running device_to_device_latency_sm.\nDevice to Device Latency SM GPU(row) <-> GPU(column) (ns)\n"
        "           0         1\n 0       N/A    640.00\n 1    650.00       N/A\n\nSUM device_to_device_latency_sm 1290.00\n"
    )
    assert part.facts["tests"]["device_to_device_latency_sm"] == {
        "latency_us": {"0": {"1": pytest.approx(0.64)}, "1": {"0": pytest.approx(0.65)}},
        "sum_us": pytest.approx(1.29),
    }


def test_iperf3_one_stream_of_several_is_no_total() -> None:
    head = (
        "[  5] local 10.0.0.1 port 40000 connected to 10.0.0.2 port 5201\n[  7] local 10.0.0.1 port 40002 connected to 10.0.0.2 port 5201\n"
        "[ ID] Interval           Transfer     Bitrate         Retr\n"
    )
    row = "[{}]   0.00-10.00  sec  {} GBytes  {} Gbits/sec   {}             sender\n"
    whole = head + row.format("  5", "55.0", "47.2", 12) + row.format("  7", "55.0", "47.2", 3) + row.format("SUM", "110", "94.4", 15)
    assert (one(whole).facts["sent_gbps"], one(whole).facts["retransmits"]) == (94.4, 15)
    short = one(whole[: whole.index("[SUM]")])
    assert short.facts["stream_count"] == 2
    assert "sent_gbps" not in short.facts
    assert "retransmits" not in short.facts
