"""perftest: units, both ends, latency, wrapped and cut rows, hccn_tool, JSON."""

import json

import pytest

from advisor.readers.recognise import read
from tests.readers.one import one, whys

HEAD = """                    RDMA_Write BW Test
 Dual-port       : OFF		Device         : {device}
 Number of qps   : 1		Transport type : IB
 Mtu             : 4096[B]
 Link type       : IB
 local address: LID 0x01 QPN {here} PSN 0x1
 remote address: LID 0x02 QPN {there} PSN 0x1
"""
COLUMNS = " #bytes     #iterations    BW peak[{unit}]    BW average[{unit}]   MsgRate[Mpps]\n"


def test_mib_is_2_to_the_20() -> None:
    for unit in ("MB/sec", "MiB/sec"):
        part = one(
            HEAD.format(device="mlx5_0", here="0x1", there="0x2") + COLUMNS.format(unit=unit) + " 65536 1000 46567.34 46557.03 0.744912\n"
        )
        assert part.facts["sizes"]["65536"]["avg_gbps"] == pytest.approx(0.744912 * 65536 * 8 / 1000, rel=1e-3)


def test_an_unknown_unit_gives_no_figure() -> None:
    part = one(COLUMNS.format(unit="furlongs") + " 65536 1000 5 4 0.7\n")
    assert part.facts["sizes"]["65536"] == {"iterations": 1000, "msg_rate_mpps": 0.7}
    assert whys(part) == [(1, "unknown-unit"), (1, "unknown-unit")]


def test_both_ends_of_one_run_are_one_result_and_two_runs_are_two() -> None:
    table = COLUMNS.format(unit="Gb/sec")
    client = HEAD.format(device="mlx5_0", here="0x1", there="0x2") + table + " 8192 5000 100.1 99.9 1.5\n"
    server = HEAD.format(device="mlx5_1", here="0x2", there="0x1") + table + " 8192 5000 100.2 99.8 1.5\n"
    again = HEAD.format(device="mlx5_0", here="0x3", there="0x4") + table + " 8192 5000 50.1 49.9 0.7\n"
    assert one(client + server).facts["sizes"]["8192"]["avg_gbps"] == 99.9
    assert [part.facts["sizes"]["8192"]["avg_gbps"] for part in read((client + again).encode()).parts] == [99.9, 49.9]


def test_columns_of_other_versions() -> None:
    hccn = "# hccn_tool -i 0 -roce_test ib_read_bw -s 1048576\nDsmi start roce perftest end. (out=1)\nroce_report:\n"
    table = "#bytes     #iterations     BW average[MB/sec]    MsgRate[Mpps]\n1048576    93205           23302.26              0.023302\n"
    part = one(f"{hccn}                    RDMA_Read BW Test\n Mtu: 4096[B]\n{table}")
    assert part.facts["test"] == "read_bw"
    assert part.facts["mtu_bytes"] == 4096
    assert part.facts["sizes"]["1048576"] == {"iterations": 93205, "avg_gbps": pytest.approx(195.47, rel=1e-3), "msg_rate_mpps": 0.023302}
    old = one(" #bytes     #iterations    BW peak[MB/sec]    BW average[MB/sec]\n 65536      5000           1000.00            900.00\n")
    assert old.facts["sizes"]["65536"]["avg_gbps"] == pytest.approx(7.54975, rel=1e-4)


LATENCY = (
    " #bytes #iterations    t_min[usec]    t_max[usec]  t_typical[usec]    t_avg[usec]    t_stdev[usec]   99% percentile[usec]"
    "   99.9% percentile[usec] "
)
LATENCY_ROW = (
    " 2       1000          1.76           6.12         1.79                1.80             0.06            1.88                    6.12"
)
TIMES = {"min": 1.76, "max": 6.12, "typical": 1.79, "avg": 1.80, "p99": 1.88, "p999": 6.12}


@pytest.mark.parametrize("width", [200, 80, 100])
def test_latency_also_wrapped_by_a_terminal(width: int) -> None:
    lines = [line[i : i + width] for line in (LATENCY, LATENCY_ROW) for i in range(0, len(line), width)]
    part = one("                    Send Latency Test\n" + "\n".join(lines) + "\n")
    assert part.facts["test"] == "send_lat"
    assert "bidirectional" not in part.facts
    assert part.facts["sizes"]["2"] == {"iterations": 1000, **{f"latency_{name}_us": value for name, value in TIMES.items()}}


def test_a_cut_row_keeps_whole_cells() -> None:
    part = one(COLUMNS.format(unit="Gb/sec") + " 8192 5000 100.1 99.")
    assert part.facts["sizes"] == {"8192": {"iterations": 5000, "peak_gbps": 100.1}}
    assert whys(part) == [(2, "cut")]


def test_the_test_of_a_filtered_output_is_that_of_the_command() -> None:
    part = one("$ ib_send_bw -b -d mlx5_0 h2 | grep -A1 bytes\n" + COLUMNS.format(unit="Gb/sec") + " 8192 5000 100.1 99.9 1.5\n")
    assert (part.facts["test"], part.facts["bidirectional"], part.facts["filtered"]) == ("send_bw", True, True)


def test_failures() -> None:
    part = one("$ ib_write_bw -d mlx5_9 h\nIB device mlx5_9 not found\n Unable to find the Infiniband/RoCE device\n")
    assert (part.facts, whys(part)) == ({}, [(2, "tool-error"), (3, "tool-error")])


def test_json_of_several_sizes_and_a_unit_that_fits_nothing() -> None:
    results = [
        {"MsgSize": 65536, "n_iterations": 5, "BW_peak": 0.0, "BW_average": 97.0, "MsgRate": 97.0 / (65536 * 8 / 1000)},
        {"MsgSize": 8, "n_iterations": 5, "BW_peak": 1.0, "BW_average": 1.0, "MsgRate": 500.0},
    ]
    part = one(json.dumps({"test_info": {"test": "Send_Bidirectional_BW_Test", "Device": "mlx5_0"}, "results": results}))
    assert part.facts["test"] == "send_bw"
    assert part.facts["bidirectional"] is True
    assert part.facts["sizes"]["65536"]["avg_gbps"] == 97.0
    assert "peak_gbps" not in part.facts["sizes"]["65536"]
    assert "avg_gbps" not in part.facts["sizes"]["8"]


def test_thousands_commas_are_no_other_figures() -> None:
    part = one(
        HEAD.format(device="mlx5_0", here="0x1", there="0x2")
        + COLUMNS.format(unit="MB/sec")
        + " 65,536 5,000 46,567.34 46,557.03 0.744912\n"
    )
    assert part.facts["sizes"]["65536"]["iterations"] == 5000
    assert part.facts["sizes"]["65536"]["avg_gbps"] == pytest.approx(390.55, rel=1e-4)
