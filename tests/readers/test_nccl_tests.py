"""nccl-tests: versions of the table, several runs, in place only, cut rows and device lists, JSON of NCCL and RCCL."""

import json

from advisor.readers.recognise import read
from tests.readers.one import one, whys

SETTINGS = "# nThread 1 nGpus 1 minBytes 8 maxBytes 64 step: 2(factor) warmup iters: 5 iters: 20 agg iters: 1 validation: 1 graph: 0\n"
HEADER = "#       size         count      type   redop    root     time   algbw   busbw #wrong     time   algbw   busbw #wrong\n"
ROW = "           8             2     float     sum      -1    47.35    0.10    0.20      0    45.17    0.30    0.40      1\n"
DEVICES = "# Using devices\n" + "".join(
    f"#  Rank  {n} Group  0 Pid   {n} on  {host} device  0 [0000:07:00] X\n" for n, host in enumerate("ab")
)


def test_two_runs_in_one_text() -> None:
    runs = "".join(
        f"# Collective test starting: {name}_perf\n{SETTINGS}{HEADER}{ROW}# Avg bus bandwidth    : {n} \n#\n"
        for n, name in ((1, "all_reduce"), (2, "all_gather"))
    )
    assert [(part.facts["collective"], part.facts["avg_busbw_gBps"]) for part in read(runs.encode()).parts] == [
        ("all_reduce", 1),
        ("all_gather", 2),
    ]


def test_in_place_only() -> None:
    part = one(
        HEADER + "          16             4     float     sum      -1                                     42.05    0.10    0.20      0\n"
    )
    assert part.facts["sizes"]["16"] == {"count": 4, "in_place": {"time_us": 42.05, "algbw_gBps": 0.1, "busbw_gBps": 0.2, "wrong": 0}}


def test_a_time_stamp_column_and_iteration_columns() -> None:
    stamped = HEADER.rstrip() + "           timestamp\n" + ROW.rstrip() + "  2026-04-10 10:20:30\n"
    assert one(stamped).facts["sizes"]["8"]["in_place"]["wrong"] == 1
    iterations = HEADER.replace("#wrong", "#wrong   i_min   i_max   i_p99   i_cv%")
    row = "  8  2  float  sum  -1  47.35  0.10  0.20  0  1.0  2.0  3.0  4.0  45.17  0.30  0.40  1  5.0  6.0  7.0  8.0\n"
    assert one(iterations + row).facts["sizes"]["8"]["in_place"] == {"time_us": 45.17, "algbw_gBps": 0.3, "busbw_gBps": 0.4, "wrong": 1}


def test_rows_without_a_header() -> None:
    part = one(ROW)
    assert (part.facts["dtype"], part.facts["redop"], part.facts["root"]) == ("float", "sum", -1)
    assert part.facts["sizes"]["8"]["out_of_place"] == {"time_us": 47.35, "algbw_gBps": 0.1, "busbw_gBps": 0.2, "wrong": 0}


def test_ranks_are_counted_where_all_are_listed() -> None:
    assert one(SETTINGS + DEVICES + HEADER + ROW).facts["rank_count"] == 2
    assert one(SETTINGS + DEVICES + HEADER + ROW).facts["host_count"] == 2
    assert "rank_count" not in one(SETTINGS + DEVICES + "...\n" + HEADER + ROW).facts
    assert "rank_count" not in one(SETTINGS + DEVICES).facts
    assert "rank_count" not in one(SETTINGS + DEVICES.replace("Rank  0", "Rank  7") + HEADER + ROW).facts


def test_a_data_type_that_changes_is_none() -> None:
    part = one(HEADER + ROW + ROW.replace("float", " half").replace("    8   ", "   16   "))
    assert "dtype" not in part.facts
    assert part.facts["redop"] == "sum"


def test_bandwidth_of_wrong_data_says_so() -> None:
    assert one(HEADER + ROW + "# Out of bounds values : 2 FAILED\n").facts["out_of_bounds"] == 2


def test_a_cut_row() -> None:
    part = one(HEADER + ROW + "          16             4     float     sum      -1    47.3")
    assert part.facts["sizes"]["16"] == {"count": 4}
    assert whys(part) == [(3, "cut")]


def test_failures() -> None:
    part = one(SETTINGS + "h1: Test NCCL failure common.cu:303 'unhandled system error'\n")
    assert whys(part) == [(2, "tool-error")]


def test_the_json_report() -> None:
    cells = {"time": 1.0, "alg_bw": 2.0, "bus_bw": 3.0, "nwrong": None}
    report = {
        "version": 2,
        "args": ["./build/all_reduce_perf", "-b", "8"],
        "nccl_version": 22703,
        "config": {
            "minimum_bytes": 8,
            "maximum_bytes": 64,
            "warmup_iters": 1,
            "iterations": 20,
            "devices": [{"hostname": "a"}, {"hostname": "a"}],
        },
        "results": [
            {
                "size": 8,
                "count": 2,
                "type": "float",
                "redop": "sum",
                "root": "    -1",
                "out_of_place": cells,
                "in_place": {**cells, "nwrong": 0.0},
            }
        ],
        "out_of_bounds": {"count": 0, "okay": "true"},
        "average_bus_bandwidth": {"bandwidth": 3.5, "okay": "unchecked"},
    }
    facts = one(json.dumps(report)).facts
    assert facts["nccl_version"] == "2.27.3"
    assert (facts["collective"], facts["rank_count"], facts["host_count"], facts["root"], facts["avg_busbw_gBps"]) == (
        "all_reduce",
        2,
        1,
        -1,
        3.5,
    )
    assert facts["sizes"]["8"]["out_of_place"] == {"time_us": 1.0, "algbw_gBps": 2.0, "busbw_gBps": 3.0}
    assert facts["sizes"]["8"]["in_place"]["wrong"] == 0
    cut = json.dumps(report)[:-60]
    assert one(cut).problems[-1].why == "cut"


def test_lines_of_rccl_name_ranks_and_nodes() -> None:
    entry = {"numCycle": 0, "name": "AllToAll", "nodes": 2, "ranks": 16, "size": 8, "type": "float", "redop": "none", "inPlace": 0}
    facts = one(json.dumps(entry | {"time": 1.5, "algBw": 2.5, "busBw": 3.5, "wrong": "N/A"}) + "\n").facts
    assert (facts["collective"], facts["rank_count"], facts["host_count"]) == ("alltoall", 16, 2)
    assert facts["sizes"]["8"]["out_of_place"] == {"time_us": 1.5, "algbw_gBps": 2.5, "busbw_gBps": 3.5}


def test_a_device_list_with_a_hole_behind_a_hash_counts_no_ranks() -> None:
    part = one(SETTINGS + DEVICES + "#  ...\n" + HEADER + ROW)
    assert "rank_count" not in part.facts
    assert whys(part) == [(5, "left-out")]


def test_a_blank_operation_shifts_no_figure() -> None:
    header = "#       size         count      type   redop     time   algbw   busbw  error     time   algbw   busbw  error\n"
    part = one(header + "   268435456      33554432   float             11805.0   22.74   11.37  0e+00  11790.1   22.77   11.38  0e+00\n")
    assert part.facts["sizes"]["268435456"]["out_of_place"]["time_us"] == 11805.0
    assert "redop" not in part.facts
    assert whys(part) == []


def test_a_cut_row_without_a_header_gives_no_figure_to_the_wrong_column() -> None:
    row = "2147483648 536870912 float sum -1 12345 173.9 320.1 0 12346 173.8 319.9 0\n"
    assert one(row + row[:43].replace("2147", "4294")).facts["sizes"]["4294483648"]["out_of_place"] == {"time_us": 12345}
    assert one(row[:43]).facts["sizes"]["2147483648"]["out_of_place"] == {"time_us": 12345}
    assert "out_of_place" not in one("1024 256 float sum 0 12345 173").facts["sizes"]["1024"]
