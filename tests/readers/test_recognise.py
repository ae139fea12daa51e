"""Runs are told apart, each goes to its reader under the right host, and every line is accounted for."""

import time

import pytest

from advisor.evidence.reading import Part, Reading
from advisor.readers._loops import loop_names
from advisor.readers._runs import tool_of
from advisor.readers._sieve import Sieve, first_characters
from advisor.readers.recognise import read

IBSTAT = """CA 'mlx5_0'
	CA type: MT4129
	Port 1:
		State: Active
		Physical state: LinkUp
		Rate: 400
		Link layer: InfiniBand
"""
STATS = "NIC statistics:\n     rx_prio3_pause: 5\n     tx_prio3_pause: 7\n"
QOS = "DCBX mode: OS controlled\nPriority trust state: dscp\n"


def _read(text: str) -> Reading:
    return read(text.encode())


def _summary(reading: Reading) -> list[tuple[str, str | None, tuple[int, int]]]:
    return [(part.tool, part.host, part.lines) for part in reading.parts]


def _interfaces(part: Part) -> list[str]:
    return list(part.facts["interfaces"])


def test_refusals() -> None:
    assert read(b"").refused == "empty"
    assert read(b"\xff\xfe\n\x00").refused == "empty"
    assert read(b"\x7fELF\x00\x01" * 20).refused == "binary"
    assert _read("the switch room was closed\n").refused == "not-recognised"
    failed = _read("root@h1:~# ibstat\n-bash: ibstat: command not found\n")
    assert failed.refused == "only-failed-commands"
    assert [(part.tool, part.facts, part.problems[0].why) for part in failed.parts] == [("ibstat", {}, "tool-error")]


def test_several_commands_on_several_hosts() -> None:
    text = f"root@h1:~# ibstat\n{IBSTAT}root@h1:~# ssh gpu-02 sudo ibstat\n{IBSTAT}"
    text += f"root@h1:~# ethtool -S eth0\n{STATS}root@h1:~# exit\nlogout\n"
    reading = _read(text)
    assert _summary(reading) == [("ibstat", "h1", (1, 8)), ("ibstat", "gpu-02", (9, 16)), ("ethtool-S", "h1", (17, 20))]
    assert _interfaces(reading.parts[2]) == ["eth0"]
    assert reading.unread == ((21, 22),)


@pytest.mark.parametrize(
    "marker",
    ["=== {} ===", "##### host {} #####", "{} | CHANGED | rc=0 >>", "[1] 10:20:30 [SUCCESS] {}", "----------------\n{}\n----------------"],
)
def test_titles_name_the_host_of_what_follows(marker: str) -> None:
    text = "".join(marker.format(host) + "\n" + IBSTAT for host in ("gpu-07", "gpu-08"))
    assert [(part.tool, part.host) for part in _read(text).parts] == [("ibstat", "gpu-07"), ("ibstat", "gpu-08")]
    assert _read(text).unread == ()


def test_a_title_may_be_the_command() -> None:
    reading = _read(f"=== gpu-07: ethtool -S eth3 ===\n{STATS}--- mlnx_qos -i eth4 ---\n{QOS}")
    assert [(part.tool, part.host, _interfaces(part)) for part in reading.parts] == [
        ("ethtool-S", "gpu-07", ["eth3"]),
        ("mlnx_qos", "gpu-07", ["eth4"]),
    ]


def test_a_loop_in_several_lines_is_one_command() -> None:
    loop = 'user@h1:~$ for i in 0 1; do\n>   echo "== eth$i =="\n>   sudo ethtool -S eth$i\n> done\n'
    text = f"{loop}== eth0 ==\n{STATS}== eth1 ==\n{STATS}user@h1:~$ \n"
    (part,) = _read(text).parts
    assert part.host == "h1"
    assert _interfaces(part) == ["eth0", "eth1"]


def test_a_command_in_several_lines() -> None:
    text = f"$ mpirun -np 2 \\\n    -x NCCL_DEBUG=INFO \\\n    ethtool -S eth7\n{STATS}"
    (part,) = _read(text).parts
    assert (part.command, part.lines, _interfaces(part)) == ("ethtool -S eth7", (1, 6), ["eth7"])


def test_lines_of_several_hosts_are_read_apart() -> None:
    lines = IBSTAT.splitlines()
    text = "".join(f"gpu-0{host}: {line.replace('400', rate)}\n" for line in lines for host, rate in ((1, "400"), (2, "200")))
    reading = _read(text)
    assert {part.host: part.facts["ports"]["mlx5_0/1"]["rate_gbps"] for part in reading.parts} == {"gpu-01": 400, "gpu-02": 200}
    assert reading.unread == ()


def test_output_without_a_command_is_cut_where_another_tool_starts() -> None:
    reading = _read(f"a remark\n{STATS}{IBSTAT}{QOS}the end\n")
    assert _summary(reading) == [("ethtool-S", None, (2, 4)), ("ibstat", None, (5, 11)), ("mlnx_qos", None, (12, 13))]
    assert reading.unread == ((1, 1), (14, 14))


def test_both_sides_of_a_comparison() -> None:
    old = "<      rx_prio3_pause: 5\n<      tx_prio3_pause: 7\n"
    new = ">      rx_prio3_pause: 9\n>      tx_prio3_pause: 8\n"
    reading = _read(f"$ diff <(ethtool -S eth0) <(ethtool -S eth1)\n2,3c2,3\n{old}---\n{new}")
    told = [part.facts["interfaces"] for part in reading.parts]
    assert [{name: entry["counters"] for name, entry in interfaces.items()} for interfaces in told] == [
        {"eth0": {"rx_prio3_pause": 5, "tx_prio3_pause": 7}},
        {"eth1": {"rx_prio3_pause": 9, "tx_prio3_pause": 8}},
    ]


def test_both_sides_of_a_unified_comparison() -> None:
    lines = " NIC statistics:\n-     rx_prio3_pause: 5\n+     rx_prio3_pause: 9\n      tx_prio3_pause: 7\n"
    reading = _read(f"--- a.txt\n+++ b.txt\n@@ -1,3 +1,3 @@\n{lines}")
    told = [part.facts["interfaces"]["#1"]["counters"] for part in reading.parts]
    assert told == [{"rx_prio3_pause": 5, "tx_prio3_pause": 7}, {"rx_prio3_pause": 9, "tx_prio3_pause": 7}]


def test_indented_pastes_and_bare_commands() -> None:
    reading = _read("".join(f"    {line}\n" for line in f"ethtool -S eth5\n{STATS}".splitlines()))
    assert _interfaces(reading.parts[0]) == ["eth5"]
    assert [part.tool for part in _read(f"`ethtool -S eth0`:\n{STATS}").parts] == ["ethtool-S"]


def test_prose_is_no_command() -> None:
    reading = _read(f"ibstat output is below, ethtool was not run.\n\n{IBSTAT}")
    assert _summary(reading) == [("ibstat", None, (3, 9))]


@pytest.mark.parametrize(
    ("command", "tool", "bare"),
    [
        ("mpirun -np 16 --allow-run-as-root -H a:8,b:8 ./build/all_reduce_perf -b 8", "nccl-tests", "all_reduce_perf -b 8"),
        ("srun -N2 -t5 --mpi=pmix /nccl-tests/build/all_gather_perf -b 8", "nccl-tests", "all_gather_perf -b 8"),
        ("pdsh -w gpu[01-02] 'sudo ethtool -S eth0'", "ethtool-S", "ethtool -S eth0"),
        ("ssh gpu-01 sudo ethtool -i eth0", "ethtool-i", "ethtool -i eth0"),
        ("kubectl exec -it p -- bash -c 'ib_write_bw -d mlx5_0'", "perftest", "ib_write_bw -d mlx5_0"),
        ("taskset -c 0 ib_read_lat -d mlx5_0", "perftest", "ib_read_lat -d mlx5_0"),
    ],
)
def test_the_tool_behind_a_launcher(command: str, tool: str, bare: str) -> None:
    found = tool_of(command)
    assert found is not None
    assert (found[0].tool, found[1]) == (tool, bare)


def test_no_tool() -> None:
    assert tool_of("kubectl apply -f job.yaml") is None
    assert tool_of("") is None


def test_names_of_loops() -> None:
    assert loop_names("for i in $(seq 0 2); do mlxlink -d mlx5_$i; done", "mlx5_$i") == ["mlx5_0", "mlx5_1", "mlx5_2"]
    assert loop_names("for d in eth0 eth1; do ethtool -S ${d}; done", "${d}") == ["eth0", "eth1"]
    assert loop_names("for d in eth{0..2}; do ethtool -S $d; done", "$d") == ["eth0", "eth1", "eth2"]
    assert loop_names("for d in $(ls /sys/class/net); do ethtool -S $d; done", "$d") == []
    assert loop_names("ethtool -S eth0", "eth0") == []


def test_first_characters_of_patterns() -> None:
    import re

    assert first_characters(re.compile(r"\s*CA '")) == {"C"}
    assert first_characters(re.compile(r"\s*(?:NIC|PHY) stat|\d+x")) == frozenset("NP0123456789")
    assert first_characters(re.compile(r"(?:ab)?[cd]|\[e")) == frozenset("acd[")
    assert first_characters(re.compile(r"state", re.IGNORECASE)) == frozenset("sS")
    assert first_characters(re.compile(r".*x")) is None
    assert first_characters(re.compile(r"a*")) is None


def test_a_sieve_lets_every_match_through() -> None:
    import re

    patterns = [re.compile(r"\s*CA '(?P<n>\w)"), re.compile(r"(?P<n>NIC) x|\s+é"), re.compile(r"[^a]b", re.IGNORECASE)]
    sieve = Sieve(patterns)
    for text in ("CA 'm", "  CA 'm", "NIC x", " é", "xB", "CA", "ab", "", "   "):
        assert sieve.may_match(text) or not any(pattern.match(text) for pattern in patterns)
    assert not Sieve([]).may_match("a")


def test_long_texts_take_linear_time() -> None:
    """Lines of megabytes, and very many lines that look like the start of something."""
    took = []
    for factor in (1, 4):
        texts = (
            "x" * 200_000 * factor,
            "NIC statistics:\n" * 1_000 * factor,
            "CA 'mlx5_0'\nNIC statistics:\n" * 500 * factor,
            "=== gpu-01 ===\n" * 1_000 * factor,
            "root@gpu-01:~# ls\n" * 1_000 * factor,
            "{\n" * 1_000 * factor,
        )
        start = time.process_time()
        for text in texts:
            _read(text)
        took.append(time.process_time() - start)
    assert took[1] < 12 * took[0] + 0.5


def test_an_indented_command_that_stands_alone_names_the_output_below() -> None:
    text = "On both:\n\n    mlnx_qos -i ens4np0\n\nIt says:\n\nPriority trust state: pcp\ntc: 0 ratelimit: unlimited, tsa: vendor\n"
    (part,) = read(text.encode()).parts
    assert part.facts["interfaces"]["ens4np0"]["trust"] == "pcp"


def test_two_lines_with_a_time_in_front_are_enough() -> None:
    rows = ("mlx5_0 port 1 ==> ib0 (Up)", "mlx5_1 port 1 ==> ib1 (Down)")
    (part,) = read("".join(f"2025-03-04T05:06:07.1234567Z {row}\n" for row in rows).encode()).parts
    assert part.facts["port_count"] == 2


def test_lines_of_hosts_between_what_a_person_wrote() -> None:
    adapter = "{0}: CA 'mlx5_0'\n{0}: \tPort 1:\n{0}: \t\tState: Active\n{0}: \t\tRate: {1}\n"
    parts = read(f"Look at this:\n\n{adapter.format('n1', 200)}{adapter.format('n2', 100)}\nWhy is it slow?\n".encode()).parts
    assert [(part.host, part.lines, part.facts["ports"]["mlx5_0/1"]["rate_gbps"]) for part in parts] == [
        ("n1", (3, 6), 200),
        ("n2", (7, 10), 100),
    ]


def test_a_rank_in_front_of_two_figures_is_a_rank_where_all_lines_have_it() -> None:
    rows = ("Running host_to_device_memcpy_ce.", "memcpy CE CPU(row) -> GPU(column) bandwidth (GB/s)", "  0  1", " 0  55.3  55.2")
    (part,) = read("".join(f"3: {row}\n" for row in rows).encode()).parts
    assert part.facts["tests"]["host_to_device_memcpy_ce"]["bandwidth_gBps"] == {"0": {"0": 55.3, "1": 55.2}}


def test_each_side_of_a_comparison_has_the_host_that_its_command_was_sent_to() -> None:
    text = "$ diff <(ssh n1 ibdev2netdev) <(ssh n2 ibdev2netdev)\n1c1\n< mlx5_0 port 1 ==> ib0 (Up)\n---\n> mlx5_0 port 1 ==> ib0 (Down)\n"
    assert [(part.host, part.facts["ports"]["mlx5_0/1"]["netdev_state"]) for part in read(text.encode()).parts] == [
        ("n1", "up"),
        ("n2", "down"),
    ]
