"""mlnx_qos: rate limits, old forms, several priorities of a class, two devices, lost line ends, cut ends."""

from advisor.readers.recognise import read
from tests.readers.one import one, whys

PFC = "PFC configuration:\n\tpriority    0   1   2   3   4   5   6   7\n\tenabled     0   0   0   1   0   0   0   0   \n"


def test_rate_limits_and_shared_classes() -> None:
    part = one(
        "# mlnx_qos -i e0\n" + PFC + "tc: 0 ratelimit: 100.0 Gbps, tsa: ets, bw: 50%\n\t priority:  0\n\t priority:  1\n"
        "tc: 3 ratelimit: 500 Mbps, tsa: ets, bw: 50%\n\t priority:  3\ntc: 6 ratelimit: unlimited, tsa: vendor\n\t priority:  6\n"
    )
    interface = part.facts["interfaces"]["e0"]
    assert interface["tcs"] == {
        "0": {"tsa": "ets", "bandwidth_percent": 50, "rate_limit_gbps": 100},
        "3": {"tsa": "ets", "bandwidth_percent": 50, "rate_limit_gbps": 0.5},
        "6": {"tsa": "vendor"},
    }
    assert {n: entry["tc"] for n, entry in interface["priorities"].items() if "tc" in entry} == {"0": 0, "1": 0, "3": 3, "6": 6}
    assert interface["pfc_priorities"] == [3]


def test_no_lossless_priority_is_known() -> None:
    assert (
        one("# mlnx_qos -i e0\n" + PFC.replace("1   0   0   0   0   \n", "0   0   0   0   0   \n")).facts["interfaces"]["e0"][
            "pfc_priorities"
        ]
        == []
    )


def test_old_form_with_user_priorities() -> None:
    part = one("# mlnx_qos -i e0\ntc: 0 ratelimit: unlimited, tsa: strict\n\t up:  0\n\t\tskprio: 0\n\t\tskprio: 2 (tos: 8)\n\t up:  3\n")
    assert part.facts["interfaces"]["e0"]["priorities"] == {"0": {"tc": 0}, "3": {"tc": 0}}
    assert part.unread == ()


def test_commands_that_a_system_does_not_know() -> None:
    part = one("# mlnx_qos -i e0\nDCBX mode: OS controlled\nBuffers commands are not supported on your system\n" + PFC)
    assert part.problems == ()
    assert "buffer_bytes" not in part.facts["interfaces"]["e0"]


def test_two_devices_and_two_runs() -> None:
    both = one(f"=== ens1 ===\nPriority trust state: pcp\n{PFC}=== ens2 ===\nPriority trust state: dscp\n{PFC}")
    assert {name: entry["trust"] for name, entry in both.facts["interfaces"].items()} == {"ens1": "pcp", "ens2": "dscp"}
    again = "# mlnx_qos -i e0\nPriority trust state: pcp\nPriority trust state: dscp\n"
    assert [part.facts["interfaces"]["e0"]["trust"] for part in read(again.encode()).parts] == ["pcp", "dscp"]


def test_lost_line_ends_below_a_command() -> None:
    part = one("# mlnx_qos -i e0\nDCBX mode: OS controlledPriority trust state: dscpCable len: 7" + PFC.replace("\n", "") + "\n")
    interface = part.facts["interfaces"]["e0"]
    assert (interface["trust"], interface["cable_length_m"], interface["pfc_priorities"]) == ("dscp", 7, [3])
    assert whys(part) == [(2, "repaired")]


def test_a_cut_row_tells_nothing() -> None:
    part = one("# mlnx_qos -i e0\nCable len: 7\n" + PFC[:-12])
    assert "pfc_priorities" not in part.facts["interfaces"]["e0"]
    assert whys(part) == [(5, "cut")]


def test_a_filtered_loop_that_calls_out_each_name() -> None:
    table = "PFC configuration:\n\tpriority    0   1\n\tenabled     {}   {}   \n"
    loop = "root@h:~# for i in eth1 eth2; do echo $i; mlnx_qos -i $i | grep -A2 PFC; done\n"
    for call in ("{}\n", ""):
        part = one(loop + call.format("eth1") + table.format(0, 1) + call.format("eth2") + table.format(1, 0))
        assert {name: facts["pfc_priorities"] for name, facts in part.facts["interfaces"].items()} == {"eth1": [1], "eth2": [0]}


def test_code_points_that_are_cut_are_unknown() -> None:
    part = one("# mlnx_qos -i eth2\nPriority trust state: dscp\ndscp2prio mapping:\n\tprio:0 dscp:07,06,05,04")
    assert part.facts["interfaces"]["eth2"] == {"trust": "dscp"}
