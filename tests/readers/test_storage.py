"""Traps of fio, ior, mdtest and elbencho that the golden captures do not show; forms as the tools' own documentation gives them."""

import json

from advisor.evidence.reading import Part
from advisor.readers.recognise import read

JOB = "{name}: (g=0): rw={rw}, bs=(R) {bs}-{bs}, (W) {bs}-{bs}, (T) {bs}-{bs}, ioengine=psync, iodepth=1\n"
ENTRY = """a: (groupid=0, jobs=1): err= {error}: pid={pid}: Mon Nov 30 08:57:01 2026
  write: IOPS={iops}, BW=85.1MiB/s (89.2MB/s)(16.0MiB/188msec); 0 zone resets
    clat percentiles (nsec):
     | 99.00th=[ 9503], 99.50th=[ 9503], 99.90th=[ 9503], 99.95th=[ 9503],
"""
OLD = """a: (groupid=0, jobs=1): err= 0: pid=4102: Fri Mar  1 10:00:00 2013
  read : io=1024.0MB, bw=102400KB/s, iops=25600, runt= 10240msec
    clat percentiles (usec):
     | 99.00th=[  445], 99.50th=[  465], 99.90th=[  523], 99.95th=[  562],
Run status group 0 (all jobs):
   READ: io=1024.0MB, aggrb=102400KB/s, minb=102400KB/s, maxb=102400KB/s, mint=10240msec, maxt=10240msec
"""
TERSE = (
    "3;fio-3.33;a;0;0;7968;54575;13643;146;"
    + "0;0;0.0;0.0;35;3489;55.7;137.0;"
    + "1.000000%=36;" * 12
    + "99.000000%=123;"
    + "99.5%=700;" * 7
)
TERSE += "35;3489;55.7;137.0;0;0;0.0%;0.0;0.0;" + "0;0;0;0;" + "0;" * 37 + "0.0%;35.1%;2015;0;13\n"


def _parts(text: str) -> list[Part]:
    return list(read(text.encode()).parts)


def _run(*entries: str, processes: int) -> str:
    return JOB.format(name="a", rw="write", bs="4096B") + f"...\nfio-3.33\nStarting {processes} processes\n" + "".join(entries)


def test_entries_side_by_side_are_added_and_percentiles_are_not() -> None:
    (part,) = _parts(_run(ENTRY.format(error=0, pid=1, iops=85), ENTRY.format(error=0, pid=2, iops="1.5k"), processes=2))
    assert part.facts["write"] == {"bandwidth_gBps": 0.1784, "iops": 1585}
    assert [entry["write"]["latency_p99_us"] for entry in part.facts["entries"]] == [9.503, 9.503]
    assert (part.facts["entry_count"], part.facts["job_count"], part.facts["block_bytes"]) == (2, 2, 4096)
    assert not part.problems


def test_without_the_entries_of_other_jobs_the_sum_is_unknown() -> None:
    (part,) = _parts(_run(ENTRY.format(error=0, pid=1, iops=85), processes=2))
    assert "write" not in part.facts
    assert [problem.why for problem in part.problems] == ["missing-part"]


def test_the_state_printed_again_is_another_part() -> None:
    parts = _parts(_run(ENTRY.format(error=0, pid=1, iops=85), ENTRY.format(error=5, pid=1, iops=86), processes=1))
    assert [part.facts["write"]["iops"] for part in parts] == [85, 86]
    assert [part.facts["error_code"] for part in parts] == [0, 5]


def test_the_old_form_counts_in_powers_of_1024() -> None:
    (part,) = _parts(OLD)
    assert part.facts["read"] == {"bandwidth_gBps": 0.1048576, "iops": 25600, "latency_p99_us": 445}
    assert part.facts["runtime_s"] == 10.24


def test_terse_lines() -> None:
    (part,) = _parts(TERSE)
    assert part.facts["read"] == {"bandwidth_gBps": 0.0558848, "iops": 13643, "latency_p99_us": 123, "bytes": 7968 * 1024}
    assert "write" not in part.facts
    assert part.facts["runtime_s"] == 0.146


def test_two_block_sizes_are_no_block_size_and_a_server_sum_is_not_added_to_its_clients() -> None:
    def side(rate: int) -> dict[str, object]:
        return {"io_bytes": 1000, "bw_bytes": rate, "iops": 1.0, "runtime": 1000, "total_ios": 1}

    jobs = [{"jobname": "a", "error": 0, "job options": {"bs": bs}, "read": side(10**9)} for bs in ("4k", "64k")]
    (part,) = _parts(json.dumps({"fio version": "fio-3.33", "jobs": jobs}, indent=1))
    assert part.facts["read"]["bandwidth_gBps"] == 2
    assert "block_bytes" not in part.facts
    total = {"jobname": "All clients", "error": 0, "read": side(2 * 10**9)}
    (part,) = _parts(json.dumps({"fio version": "fio-3.33", "client_stats": [*jobs, total]}, indent=1))
    assert (part.facts["read"]["bandwidth_gBps"], part.facts["entry_count"]) == (2, 1)


def test_fio_2_counts_kib_in_io_bytes_and_us_in_percentiles() -> None:
    read_side = {"io_bytes": 1024, "bw": 1000, "iops": 5.0, "runtime": 1000, "total_ios": 5, "clat": {"percentile": {"99.000000": 445}}}
    (part,) = _parts(json.dumps({"fio version": "fio-2.2.10", "jobs": [{"jobname": "a", "error": 0, "read": read_side}]}, indent=1))
    assert part.facts["read"] == {"bandwidth_gBps": 0.001024, "iops": 5.0, "latency_p99_us": 445, "bytes": 2**20}


IOR = """IOR-3.3.0: MPI Coordinated Test of Parallel I/O
api                 : POSIX
access              : file-per-process
nodes               : 4
tasks               : 64
repetitions         : 2
xfersize            : 1 MiB
blocksize           : 4 GiB
Results:
access    bw(MiB/s)  block(KiB) xfer(KiB)  open(s)    wr/rd(s)   close(s)   total(s)   iter
write     2000       4194304    1024.00    0.001      1.0        0.1        1.1        0
"""


def test_ior_before_its_summary() -> None:
    (part,) = _parts(IOR)
    assert (part.facts["file_per_process"], part.facts["host_count"], part.facts["task_count"]) == (True, 4, 64)
    assert (part.facts["transfer_bytes"], part.facts["block_bytes"]) == (2**20, 4 * 2**30)
    assert "write" not in part.facts  # one of two repetitions
    (part,) = _parts(IOR + "write     3000       4194304    1024.00    0.001      1.0        0.1        1.1        1\n")
    assert part.facts["write"]["bandwidth_gBps"] == 3000 * 2**20 / 1e9


def test_ior_2_names_clients() -> None:
    options = "\taccess             = single-shared-file\n\tclients            = 16 (8 per node)\n\txfersize           = 1 MiB\n"
    (part,) = _parts(options + "Max Write: 1000.00 MiB/sec (1048.58 MB/sec)\n")
    assert (part.facts["task_count"], part.facts["file_per_process"], part.facts["write"]["bandwidth_gBps"]) == (16, False, 1.048576)


def test_mdtest_takes_rates_not_times_and_iterations_not_ranks() -> None:
    rows = "   File creation     {a}       {b}       {c}        0.1\n"
    text = "SUMMARY rate (in ops/sec): (of 2 iterations)\n   Operation     per Rank: Max            Min           Mean"
    text += "      per Iteration: Max            Min           Mean        Std Dev\n"
    text += "   File creation     9.0  8.0  8.5   7147.432       6789.531       6996.044        132.149\n"
    text += "SUMMARY time (in ms/op): (of 2 iterations)\n   Operation    Max   Min   Mean   Std Dev\n" + rows.format(a=7.0, b=6.0, c=6.5)
    (part,) = _parts(text)
    assert part.facts["operations"] == {"file creation": {"max_per_s": 7147.432, "min_per_s": 6789.531, "mean_per_s": 6996.044}}


def test_elbencho_without_a_named_test_and_its_table_of_means() -> None:
    phases = "OPERATION   RESULT TYPE         FIRST DONE   LAST DONE\n=========== ================    ==========   =========\n"
    phases += "READ        Elapsed time     :     1.270s     1.280s\n            IOPS             :      20055       20000\n"
    phases += "            Throughput MiB/s :      20055       20000\n"
    (part,) = _parts("$ elbencho -r -t 16 -b 1m -s 4g /mnt/file1\n" + phases)
    assert part.facts == {"thread_count": 16, "read": {"bandwidth_gBps": 20.97152, "first_done_gBps": 21.02919168, "iops": 20000}}
    (part,) = _parts("Dataset,Mean-value\n1048576x1MiB,80.549\n524288x2MiB,80.4257\n")
    assert part.facts["tests"] == {"1048576x1MiB": {"mean_value": 80.549}, "524288x2MiB": {"mean_value": 80.4257}}
