"""Traps of ibnetdiscover, iblinkinfo, ibdiagnet, ibqueryerrors and perfquery that the golden captures do not show.

The texts are what infiniband-diags prints for a simulated fabric, with other names.
"""

from advisor.evidence.reading import Part
from advisor.readers.recognise import read

SWITCH = """#
# Topology file: generated on Mon Nov 30 08:37:58 2026
#
# Initiated from node 0000000000100000 port 0000000000100001

vendid=0x2c9
devid=0xd2f0
sysimgguid=0x200000
switchguid=0x200000(200000)
Switch\t36 "S-0000000000200000"\t\t# "leaf-1" base port 0 lid 2 lmc 0
[1]\t"H-0000000000100000"[1](100001) \t\t# "gpu01 mlx5_0" lid 1 4xHDR
[2]\t"H-0000000000100002"[1](100003) \t\t# "gpu02 mlx5_0" lid 5 2xNDR
"""
CA = """
vendid=0x2c9
devid=0x101b
sysimgguid=0x100002
caguid=0x100002
Ca\t2 "H-0000000000100002"\t\t# "gpu02 mlx5_0"
[1](100003) \t"S-0000000000200000"[2]\t\t# lid 5 lmc 0 "leaf-1" lid 2 2xNDR
"""
_TO_LEAF = '==>  0x0000000000200000      2    1[  ] "leaf-1" ( )'
_TO_HOST = '==>  0x0000000000100001      1    1[  ] "gpu01 mlx5_0" ( )'
_TO_SLOW = '==>  0x0000000000100003      0    1[  ] "gpu02 mlx5_0" (Could be 4X Could be 53.125 Gbps)'
LINKS = f"""0x0000000000100001 "                  gpu01 mlx5_0"      1    1[  ] ==( 4X        53.125 Gbps Active/  LinkUp){_TO_LEAF}
0x0000000000200000 "                        leaf-1"      2    1[  ] ==( 4X        53.125 Gbps Active/  LinkUp){_TO_HOST}
0x0000000000200000 "                        leaf-1"      2    2[  ] ==( 1X      25.78125 Gbps   Init/  LinkUp){_TO_SLOW}
0x0000000000200000 "                        leaf-1"      2    3[  ] ==(                Down/ Polling)==>             [  ] "" ( )
"""
AGGREGATION = """CA: Mellanox Technologies Aggregation Node:
      0x0000000000a00001      4    1[  ] ==( 4X        53.125 Gbps Active/  LinkUp)==>       3   41[  ] "leaf-1" ( )
CA: Mellanox Technologies Aggregation Node:
      0x0000000000a00002      9    1[  ] ==( 4X        53.125 Gbps Active/  LinkUp)==>       8   41[  ] "leaf-2" ( )
"""
COUNTERS = """# Port counters: Lid 2 port {port} (CapMask: 0x1300)
PortSelect:......................{port}
CounterSelect:...................0x0000
SymbolErrorCounter:..............65535
PortXmitData:....................{data}
PortXmitWait:....................{wait}
VL15Dropped:.....................0
"""
DATABASE = """START_NODES
NodeDesc,NumPorts,NodeType,ClassVersion,BaseVersion,SystemImageGUID,NodeGUID,PortGUID
"gpu01 mlx5_0",1,1,1,1,0x1,0x1,0x1
"leaf-1",65,2,1,1,0xa1,0xa1,0xa1
END_NODES
START_PORTS
NodeGuid,PortGuid,PortNum,LID,LinkWidthActv,LinkSpeedActv,PortPhyState,PortState
0x0000000000000001,0x1,1,7,2,2048,5,4
0xa1,0xa1,0,3,0,0,0,0
0xa1,0xa1,1,3,2,2048,5,4
0xa1,0xa1,2,3,2,1,2,1
END_PORTS
START_LINKS
NodeGuid1,PortNum1,NodeGuid2,PortNum2
0xa1,1,0x1,1
"""


def _parts(text: str) -> list[Part]:
    return list(read(text.encode()).parts)


def test_a_cable_told_from_both_ends_is_one_and_the_rate_follows_the_width() -> None:
    (part,) = _parts(SWITCH + CA)
    assert (part.facts["switch_count"], part.facts["ca_count"], part.facts["link_count"]) == (1, 1, 2)
    assert part.facts["switches"]["leaf-1"]["ports"]["2"]["rate_gbps"] == 200  # two lanes of NDR
    assert part.facts["cas"]["gpu02 mlx5_0"]["ports"]["1"]["peer_port"] == 2
    assert part.lines[0] == 1


def test_before_and_after_stay_apart() -> None:
    before, after = _parts(SWITCH + CA + SWITCH.replace("2xNDR", "1xNDR") + CA)
    ports = [part.facts["switches"]["leaf-1"]["ports"]["2"]["rate_gbps"] for part in (before, after)]
    assert ports == [200, 100]
    assert (before.lines[1], after.lines[0]) == (19, 20)


def test_a_list_of_nodes_has_no_links() -> None:
    (part,) = _parts(
        'Ca\t: 0x0000000000100005 ports 1 "gpu03 mlx5_0"\nSwitch\t: 0x0000000000200001 ports 36 "leaf-2" base port 0 lid 3 lmc 0\n'
    )
    assert part.facts["switches"]["leaf-2"] == {"guid": "0000000000200001", "lid": 3, "port_total": 36}
    assert "link_count" not in part.facts


def test_a_filter_makes_zero_adapters_unknown() -> None:
    row = "SW  1719 10 0x6fad3001003fd9e0 4x EDR - CA   134  1 0x6fad3001001e8ebd ( 'leaf-1' - 'gpu01 HCA-1' )\n"
    (part,) = _parts(f"root@head:~# ibnetdiscover -p | grep ^SW\n{row}")
    assert part.facts["filtered"] is True
    assert "ca_count" not in part.facts


def test_one_line_for_each_link_tells_switches_by_their_ports() -> None:
    (part,) = _parts(LINKS)
    assert list(part.facts["switches"]) == ["leaf-1"]
    assert list(part.facts["cas"]) == ["gpu01 mlx5_0"]
    degraded = part.facts["switches"]["leaf-1"]["ports"]["2"]
    assert (degraded["state"], degraded["width"], degraded["rate_gbps"], degraded["rate_max_gbps"]) == ("init", 1, 25, 200)
    assert part.facts["switches"]["leaf-1"]["ports"]["3"] == {"state": "down", "physical_state": "polling"}
    assert part.facts["link_count"] == 2


def test_two_adapters_of_one_description_stay_two() -> None:
    (part,) = _parts(AGGREGATION)
    assert part.facts["ca_count"] == 2
    assert [ca["ports"]["1"]["peer_device"] for ca in part.facts["cas"].values()] == ["leaf-1", "leaf-2"]


def test_the_same_links_again_are_another_run() -> None:
    parts = _parts(AGGREGATION + AGGREGATION.replace("Active/", "  Down/"))
    assert [part.facts["ca_count"] for part in parts] == [2, 2]


def test_a_database_gives_cables_and_no_speed_of_a_port_that_is_down() -> None:
    (part,) = _parts(DATABASE + "END_LINKS\n")
    ports = part.facts["switches"]["leaf-1"]["ports"]
    assert (ports["1"]["peer_device"], ports["1"]["peer_lid"], ports["1"]["rate_gbps"]) == ("gpu01 mlx5_0", 7, 400)
    assert ports["2"] == {"state": "down", "physical_state": "polling"}
    assert part.facts["link_count"] == 1
    assert not part.problems


def test_a_table_without_its_end_is_cut() -> None:
    (part,) = _parts(DATABASE + "0xa1,33,0xb")
    assert [(problem.line, problem.why) for problem in part.problems] == [(16, "cut")]
    assert part.facts["link_count"] == 1


def test_errors_and_warnings_change_places_in_the_old_summary() -> None:
    head = "-I- Stages Status Report:\n    STAGE                                    Errors Warnings\n"
    (part,) = _parts(head + "    Bad GUIDs/LIDs Check                     2      1     \n")
    assert part.facts["stages"]["Bad GUIDs/LIDs Check"] == {"warning_count": 1, "error_count": 2}


def test_a_wide_counter_has_no_ceiling() -> None:
    classic = COUNTERS.format(port=3, data=4294967295, wait=4294967295)
    wide = "# Port extended counters: Lid 2 port 3 (CapMask: 0x1200 CapMask2: 0x0000000)\n"
    wide += "PortXmitData:....................42949672950\nPortRcvPkts:.....................5\n"
    for text in (classic + wide, wide + classic):
        (part,) = _parts(text)
        port = part.facts["ports"]["lid2/3"]
        assert port["tx_bytes"] == 4 * 42949672950
        assert sorted(port["saturated"]) == ["symbol_errors", "xmit_wait"]


def test_counters_read_twice_are_two_parts_and_the_sum_of_all_ports_is_no_port() -> None:
    parts = _parts(COUNTERS.format(port=3, data=10, wait=1) + COUNTERS.format(port=3, data=20, wait=2))
    assert [part.facts["ports"]["lid2/3"]["xmit_wait"] for part in parts] == [1, 2]
    (total,) = _parts(COUNTERS.format(port=255, data=10, wait=1))
    assert "ports" not in total.facts
    assert total.facts["devices"]["lid2"]["tx_bytes"] == 40


def test_an_open_last_counter_is_unknown() -> None:
    (part,) = _parts("# Port counters: Lid 2 port 3\nPortXmitWait:....................12")
    assert part.facts["ports"]["lid2/3"] == {}
    assert [(problem.line, problem.why) for problem in part.problems] == [(2, "cut")]


def test_counters_of_a_port_keep_their_link_and_what_was_suppressed() -> None:
    text = (
        'Errors for 0x200000 "leaf-1"\n'
        "   GUID 0x200000 port ALL: [PortXmitDiscards == 7] [PortXmitWait == 9]\n"
        "   GUID 0x200000 port 4: [PortXmitDiscards == 7]\n"
        f"       Link info:      2   4[  ] ==( 4X        53.125 Gbps Active/  LinkUp){_TO_HOST}\n"
        "## Summary: 6 nodes checked, 1 bad nodes found\n##          112 ports checked, 1 ports have errors beyond threshold\n"
        "## Thresholds: \n## Suppressed: PortRcvSwitchRelayErrors\n"
    )
    (part,) = _parts(text)
    leaf = part.facts["devices"]["leaf-1"]
    assert (leaf["tx_discards"], leaf["xmit_wait"]) == (7, 9)
    port = leaf["ports"]["4"]
    assert (port["tx_discards"], port["rate_gbps"], port["peer_device"]) == (7, 200, "gpu01 mlx5_0")
    assert part.facts["suppressed"] == ["PortRcvSwitchRelayErrors"]
    assert part.facts["bad_port_count"] == 1


def test_lines_that_a_mail_program_broke() -> None:
    port = "           2    2[  ] ==( 4X          10.0 Gbps Active/  LinkUp)==>      10 \n   1[  ] "
    (part,) = _parts(f'Switch: 0x0004f304008e4762 leaf-1:\n{port}"gpu10 HCA-1" ( )\n')
    assert part.facts["switches"]["leaf-1"]["ports"]["2"]["peer_device"] == "gpu10 HCA-1"
    (part,) = _parts(SWITCH.replace(" lid 1 4xHDR", "\nlid 1 4xHDR"))
    assert part.facts["switches"]["leaf-1"]["ports"]["1"]["rate_gbps"] == 200
    errors = 'Errors for 0x4f301007d43e0 "leaf-1"\n   GUID 0x4f301007d43e0 port 3: [LinkDownedCounter == 48]\n'
    errors += "[PortXmitDiscards ==\n15854] [VL15Dropped == 5]\n"
    (part,) = _parts(errors)
    assert part.facts["devices"]["leaf-1"]["ports"]["3"] == {"link_downed": 48, "tx_discards": 15854, "counters": {"VL15Dropped": 5}}
    assert not part.problems


def test_the_begin_of_a_longer_speed_is_none() -> None:
    switch = 'Switch\t36 "S-0002c9030060a1b0"\t\t# "sw" base port 0 lid 7 lmc 0\n'
    text = switch + '[1]\t"H-0002c90300a1b2c3"[1](2c90300a1b2c5) \t\t# "a HCA-1" lid 3 4xFDR'
    assert all("ib_speed" not in str(part.facts) for part in read(text.encode()).parts)
